"""Records and papers of a run, stored and made again, held against each other."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pipeline.asking import Run
from pipeline.audit.restaging.causes import restamped
from pipeline.store.folders import MANIFEST
from pipeline.store.runs import ANSWER, PAGES, PAPERS, QUESTION, RETRIEVAL, SavedRun
from schemas.answer import Answer
from schemas.errors import RecordError
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult
from schemas.trace import Trace

RunRecord = ParsedQuestion | AuditedRetrievalResult | Answer

COMPARED = (QUESTION, RETRIEVAL, ANSWER, PAGES, *PAPERS)
SHEETS = (PAGES, *PAPERS)
MAX_NAMED = 6  # fields named in a sentence; the rest is counted
# What a trace says of the run and not of its clock, its transcript or what was at hand in a cache.
TIMELESS = (
    "doc_id", "source_name", "question", "methods", "strategy_name", "arbiter", "candidates", "outcome", "prompts",
    "model_uses", "downgrades", "pages_not_read", "settings", "parts",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stored:
    """What a run left: the SHA-256 of each file that can be made again, and its records.

    `lifted` holds the versions that records were lifted from, by file name. `is_today`: nothing that it was made with
    differs from today, so that the very bytes must come out.
    """

    hashes: Mapping[str, str]
    records: Mapping[str, RunRecord]
    lifted: Mapping[str, int]
    is_today: bool


def read_stored(folder: Path, saved: SavedRun, *, is_today: bool) -> Stored:
    """What the run of a folder left.

    Raises RecordError for a list of files that cannot be read.
    """
    try:
        listed = json.loads((folder / MANIFEST).read_bytes())["files"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise RecordError(f"{folder / MANIFEST}: the list of files cannot be read; restore it from a backup") from error
    records: dict[str, RunRecord] = {QUESTION: saved.question, RETRIEVAL: saved.retrieval, ANSWER: saved.answer}
    lifted = {name: one.written_as for name, one in records.items() if one.written_as is not None}
    return Stored({name: listed[name] for name in COMPARED if name in listed}, records, lifted, is_today and not lifted)


def same_record(stored: Stored, name: str, made: RunRecord, data: bytes | None = None) -> bool:
    """True where a record was made again byte for byte; `data` are its bytes where they are at hand.

    Where versions differ, or the stored record was lifted, the stamp takes those of then: the rest must be the same.
    """
    if sha256(made.to_json() if data is None else data).hexdigest() == stored.hashes.get(name):
        return True
    if stored.is_today:
        return False
    kept = stored.records[name]
    stamp = restamped(made.stamp, kept.stamp).model_copy(update={"input_sha256": kept.stamp.input_sha256})
    if stored.lifted and set(stamp.input_sha256) != set(made.stamp.input_sha256):
        return False
    return bool(_plain(made, stamp=stamp) == _plain(kept, stamp=kept.stamp))


def changed_fields(stored: Stored, name: str, made: RunRecord) -> str:
    """The fields of a record that came out otherwise, as a part of a sentence."""
    kept = stored.records[name]
    fields = [field for field in type(kept).model_fields if getattr(kept, field) != getattr(made, field)]
    fields = [field for field in fields if field not in ("written_as", "stamp")] or fields or ["its bytes"]
    more = len(fields) - MAX_NAMED
    return ", ".join(fields[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def other_sheets(stored: Stored, made: Mapping[str, bytes], *, skip: Collection[str] = ()) -> list[str]:
    """Names of the sheets and papers that are not those that were stored, by name; `skip` cannot be compared."""
    then = {name: digest for name, digest in stored.hashes.items() if name in SHEETS}
    now = {name: sha256(data).hexdigest() for name, data in made.items() if name in SHEETS}
    return sorted(name for name in {*then, *now} - {*skip} if then.get(name) != now.get(name))


def other_in_trace(kept: Trace, made: Trace, *, skip: Collection[str] = (), is_today: bool = True) -> list[str]:
    """Names of the parts of a trace that do not fit a run whose records are all the same; clocks are left out.

    `skip` are papers that could not be made again. Where not all is as today, hashes of what stages read and wrote are
    others, too, since records name versions: the names of these are compared. Of an older trace, what it did not tell
    is not.
    """
    told = [name for name in TIMELESS if kept.written_as is None or getattr(kept, name) not in (None, (), {})]
    names = [name for name in told if getattr(kept, name) != getattr(made, name)]
    if not is_today:
        return names if kept.written_as is not None or _named(kept, skip) == _named(made, skip) else [*names, "stages"]
    return names if _steps(kept, skip) == _steps(made, skip) else [*names, "stages"]


def records_of(run: Run) -> dict[str, RunRecord]:
    """The records of a run by file name."""
    return {QUESTION: run.question, RETRIEVAL: run.retrieval, ANSWER: run.answer}


def _plain(record: RunRecord, *, stamp: object) -> bytes:
    return record.model_copy(update={"stamp": stamp, "written_as": None}).to_json()


def _named(trace: Trace, skip: Collection[str]) -> list[tuple[str, list[str], list[str]]]:
    """The stages after the parsing with the names of what each read and wrote."""
    return [(stage, sorted(read), sorted(wrote)) for stage, read, wrote in _steps(trace, skip)]


def _steps(trace: Trace, skip: Collection[str]) -> list[tuple[str, dict[str, str], dict[str, str]]]:
    """The stages after the parsing, with what each read and wrote of the run itself."""
    parsing = {name for stage in trace.stages if stage.stage == "parsing" for name in stage.output_sha256}
    of_parts = f"{ANSWER} of "  # told of the parts themselves
    return [
        (
            stage.stage,
            {
                name: sha
                for name, sha in stage.input_sha256.items()
                if name not in parsing and not name.startswith(of_parts)
            },
            {name: sha for name, sha in stage.output_sha256.items() if name not in skip},
        )
        for stage in trace.stages
        if stage.stage != "parsing"
    ]
