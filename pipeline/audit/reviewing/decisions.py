"""What can be reviewed: the sealed runs and cases of a store, read no further than a verdict needs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pydantic_core

from pipeline.store.ledger import read_entries
from pipeline.store.runs import ANSWER, CASE, REQUEST, is_case, list_runs, root_of_run
from pipeline.store.seals import read_seal, seal_root
from schemas.errors import RecordError
from schemas.ledger import EntryKind, Seal


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A folder of the store that cannot be reviewed or read, and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A sealed run or case: what a verdict is on."""

    folder: Path
    place: str  # where it was sealed, also where it was replaced since
    seal: Seal
    root: str  # what the ledger holds fast of the seal
    seq: int  # line of the ledger
    kind: EntryKind
    doc_id: str | None  # None for a case
    question: str
    status: str  # of the answer; 'case' for a case
    answer_type: str
    is_part: bool  # of a compound question

    @property
    def stratum(self) -> str:
        """What it is counted with in a sample by type."""
        return f"{self.status}, {self.answer_type}" if self.answer_type else self.status


class Lines:
    """The lines of a store's ledger, read once."""

    def __init__(self, root: Path) -> None:
        """Nothing is read before it is asked for."""
        self._root = root

    @cached_property
    def _by_seal(self) -> dict[str, tuple[int, EntryKind]]:
        return {entry.seal: (entry.seq, entry.kind) for entry in read_entries(self._root) if entry.seal is not None}

    def find(self, seal: str) -> tuple[int, EntryKind] | None:
        """Number and kind of the line that holds a seal fast; None without one."""
        return self._by_seal.get(seal)


def read_decision(folder: Path, lines: Lines | None = None) -> Decision:
    """The run or case of a folder, present or former; its answer is checked against the seal, the seal with the ledger.

    Raises RecordError for what is damaged, was never sealed, or is not in the ledger.
    """
    folder = folder.resolve()
    root = root_of_run(folder)
    seal = read_seal(folder)
    if seal is None:
        raise RecordError(
            f"{folder}: was made before there was a ledger, so that a verdict could not be tied to it; ask its "
            "question once more"
        )
    sealed = seal_root(seal)
    line = (lines or Lines(root)).find(sealed)
    if line is None or line[1] not in ("run", "case"):
        raise RecordError(f"{folder}: the ledger does not name its seal; run `lineproof verify` to see what is wrong")
    case = is_case(folder)
    answer = _sealed_json(folder, seal, CASE if case else ANSWER)
    request = _sealed_json(folder, seal, REQUEST) if REQUEST in seal.files else {}
    return Decision(
        folder=folder,
        place=seal.place,
        seal=seal,
        root=sealed,
        seq=line[0],
        kind=line[1],
        doc_id=None if case else str(answer.get("doc_id")),
        question=str(answer.get("question")),
        status="case" if case else str(answer.get("status")),
        answer_type="" if case else str(answer.get("answer_type")),
        is_part=request.get("part") is not None,
    )


def list_decisions(root: Path, lines: Lines | None = None) -> tuple[tuple[Decision, ...], tuple[LeftOut, ...]]:
    """The present runs and cases of a store by place, and those that cannot be reviewed with the reason."""
    lines = lines or Lines(root)
    found: list[Decision] = []
    left_out: list[LeftOut] = []
    for folder in list_runs(root):
        try:
            found.append(read_decision(folder, lines))
        except RecordError as error:
            left_out.append(LeftOut(folder.relative_to(root).as_posix(), str(error)))
    return tuple(found), tuple(left_out)


def _sealed_json(folder: Path, seal: Seal, name: str) -> dict[str, Any]:
    path = folder / name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror}); restore it from a backup") from error
    if seal.files.get(name) != hashlib.sha256(data).hexdigest():
        raise RecordError(f"{path}: is not the file that was sealed; run `lineproof verify` to see what is wrong")
    fields = pydantic_core.from_json(data)
    return fields if isinstance(fields, dict) else {}
