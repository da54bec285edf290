"""What passes between the parts of a check of stages: what is to be done, and what came of it. Never saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from schemas.verification import Cause, Mismatch, Remark

# How often each check was made, by the name that stands in `Verification.checks`.
RUNS_AGAIN, FILES_COMPARED = "runs done again", "files compared byte for byte"
STAGES_ALONE, CALLS_REPLAYED = "stages done again from the stored records", "model calls answered from the record"
UNLOCKED = "marked copies of protected documents compared unlocked"
PARSINGS_AGAIN, CASES_AGAIN = "documents parsed again", "cases put together again"


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is other today than when a record was made."""

    cause: Cause
    detail: str  # 'pymupdf 1.25.1 then, 1.26.0 now'


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one folder; `differences` are those without any effect."""

    folder: Path
    mismatches: tuple[Mismatch, ...] = ()
    remarks: tuple[Remark, ...] = ()
    checks: Mapping[str, int] = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsing:
    """A stored parsing: of which document, in which folder, present or former."""

    doc_id: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Job:
    """What one process does in one go, all about one document, so that it is opened once.

    parsing: `holder` is read again from its bytes and compared with `parsings`: its own and those of the files inside
    it. runs and cases: `folders` are done again.
    """

    kind: Literal["parsing", "runs", "cases"]
    root: Path
    holder: str
    folders: tuple[Path, ...] = ()
    parsings: tuple[Parsing, ...] = ()
    password: str | None = field(default=None, repr=False)

    @property
    def expects(self) -> tuple[Path, ...]:
        """The folders that it reports on."""
        return tuple(parsing.folder for parsing in self.parsings) if self.kind == "parsing" else self.folders


def place_in(root: Path, path: Path) -> str:
    """A path of the store as the records name it."""
    return path.relative_to(root).as_posix()


def not_checked(root: Path, folder: Path, why: str) -> Remark:
    """The remark that a check could not be made; the message of an error loses the place of the store."""
    told = " ".join(why.replace(f"{root}/", "").replace(str(root), "the store").split())
    return Remark(kind="not_checked", place=place_in(root, folder), detail=told)
