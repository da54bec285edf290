"""Runs in the store: one question on one document, or on a case of several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pipeline.store.folders import FORMER, read_folder
from pipeline.store.names import CASES, NO_DOCUMENTS, case_folder
from pipeline.store.sealed import save_sealed
from pipeline.store.seals import Rests
from schemas.answer import Answer, CaseAnswer
from schemas.errors import InputError, RecordError
from schemas.ledger import LedgerEntry
from schemas.question import ParsedQuestion
from schemas.record import Record
from schemas.request import RunRequest
from schemas.retrieval import AuditedRetrievalResult
from schemas.trace import Trace

REQUEST = "request.json"
QUESTION, RETRIEVAL, ANSWER, TRACE = "parsed_question.json", "retrieval_result.json", "answer.json", "trace.json"
PAGES, HIGHLIGHTED, CASE = "retrieved_pages.xlsx", "highlighted.pdf", "case_answer.json"
HIGHLIGHTED_LINES = "highlighted.html"  # for formats whose lines have no place on a page
DECISION, DECISION_PDF = "decision.html", "decision.pdf"
PAPERS = (HIGHLIGHTED, HIGHLIGHTED_LINES, DECISION, DECISION_PDF)  # what a person opens
MAX_LISTED_RUNS = 10  # runs named in a message; the rest is counted

AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(frozen=True, slots=True)
class SavedRun:
    """What one question on one document left in the store; `request` is None for one from before there was a ledger."""

    path: Path
    question: ParsedQuestion
    retrieval: AuditedRetrievalResult
    answer: Answer
    trace: Trace
    has_highlights: bool
    papers: tuple[str, ...] = ()
    request: RunRequest | None = None


def save_run(root: Path, folder: Path, files: dict[str, bytes], *, rests: Rests) -> LedgerEntry:
    """Store the files of a run, sealed, in the place of an earlier one, which is kept; gives its line in the ledger.

    Raises StoreError when it cannot be written, RecordError when the ledger is damaged.
    """
    return save_sealed(root, folder, files, kind="run", rests=rests)


def load_run(folder: Path, *, as_is: bool = False) -> SavedRun:
    """A run as it was stored, every byte checked; `as_is`: without writing anything, see `read_folder`.

    Raises RecordError, naming the file, when it is missing, was damaged or does not fit its schema.
    """
    files = _read(folder, as_is=as_is)
    return SavedRun(
        path=folder,
        question=_record(ParsedQuestion, files, folder / QUESTION),
        retrieval=_record(AuditedRetrievalResult, files, folder / RETRIEVAL),
        answer=_record(Answer, files, folder / ANSWER),
        trace=_record(Trace, files, folder / TRACE),
        has_highlights=HIGHLIGHTED in files,
        papers=tuple(name for name in PAPERS if name in files),
        request=_record(RunRequest, files, folder / REQUEST) if REQUEST in files else None,
    )


def save_case(root: Path, key: str, answer: CaseAnswer, *, rests: Rests | None = None) -> Path:
    """Store the answer of a case, sealed, in the place of an earlier one of the same key; gives the folder.

    Raises StoreError when it cannot be written, RecordError when the ledger is damaged.
    """
    folder = case_folder(root, key)
    save_sealed(root, folder, {CASE: answer.to_json()}, kind="case", rests=rests)
    return folder


def load_case(folder: Path, *, as_is: bool = False) -> CaseAnswer:
    """The answer of a case as it was stored, every byte checked; `as_is`: without writing anything.

    Raises RecordError, naming the file, when it is missing, was damaged or does not fit its schema.
    """
    return _record(CaseAnswer, _read(folder, as_is=as_is), folder / CASE)


def is_case(folder: Path) -> bool:
    """True for the folder of a case, False for that of a run."""
    parent = folder.resolve().parent
    return parent.name == CASES or (parent.name == FORMER and parent.parent.name == CASES)


def root_of_run(folder: Path) -> Path:
    """The root of the store that holds the folder of a run or a case."""
    place = folder.resolve()
    return place.parents[1] if place.parent.name == CASES else place.parents[2]


def list_runs(root: Path) -> list[Path]:
    """Folders of all runs and cases in the store, sorted; empty for a store that is not there."""
    folders = [*root.glob("*/questions/*"), *root.glob(f"{CASES}/*")]
    return sorted(
        folder
        for folder in folders
        if folder.is_dir()
        and folder.name != FORMER
        and (folder.parent.name == CASES or folder.relative_to(root).parts[0] not in NO_DOCUMENTS)
        and not any(part.startswith(".") for part in folder.relative_to(root).parts)  # being written, or being erased
    )


def find_run(root: Path, name: str) -> Path:
    """The folder of the run that `name` means.

    `name` is the path of the folder (or of a file in it), `<doc_id>/<slug>_<hash>`, `<slug>_<hash>`, the hash, or the
    beginning of the slug.

    Raises InputError when no run or more than one is meant.
    """
    if not name.strip() or "\0" in name:
        raise InputError("no run is named; give its folder, its <slug>_<hash>, or the hash")
    given = Path(name)
    for folder in (given, given.parent):
        parts = folder.resolve().parts
        if folder.is_dir() and parts[-2:-1] in (("questions",), (CASES,), (FORMER,)):
            if any(part.startswith((".gone-", ".new-", ".old-")) for part in parts):
                raise InputError(f"{name}: is being written or erased, and is no run (any more)")
            return folder
    if not root.is_dir():
        raise InputError(f"no run {name[:200]!r}: there is no such store as {root}; name its folder with --store")
    runs = list_runs(root)
    wanted = name.strip("/")
    for matches in (
        [run for run in runs if wanted in (run.name, f"{_owner(run)}/{run.name}", str(run.relative_to(root)))],
        [run for run in runs if run.name.rpartition("_")[2] == wanted],
        [run for run in runs if run.name.startswith(wanted)],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise InputError(f"{name!r} names {len(matches)} runs; name one of them: {_listed(root, matches)}")
    if given.is_dir():
        own = list_runs(given) or runs
        known = f"; there are: {_listed(given if own is not runs else root, own)}" if own else ""
        raise InputError(f"{name}: this folder holds no run (no {ANSWER}){known}")
    if given.is_file():
        raise InputError(f"{name}: is a file, and no run of the store {root}; name the folder of a run")
    nearest = sorted(runs, key=lambda run: (-_likeness(wanted, run.name), run))
    known = f"; there are: {_listed(root, nearest)}" if runs else ", which holds no run"
    raise InputError(f"no run {name[:200]!r} in the store {root}{known}")


def _likeness(wanted: str, name: str) -> float:
    from rapidfuzz import fuzz

    return round(fuzz.partial_ratio(wanted.lower(), name), 3)  # 0-100


def _owner(run: Path) -> str:
    return CASES if run.parent.name == CASES else run.parent.parent.name


def _listed(root: Path, runs: Iterable[Path]) -> str:
    names = [str(run.relative_to(root)) for run in runs]
    more = f" and {len(names) - MAX_LISTED_RUNS} more" if len(names) > MAX_LISTED_RUNS else ""
    return ", ".join(names[:MAX_LISTED_RUNS]) + more


def _read(folder: Path, *, as_is: bool) -> dict[str, bytes]:
    place = folder.resolve()
    files = read_folder(root_of_run(place), place, as_is=as_is)
    if files is None:
        raise RecordError(f"{folder}: there is no such folder; ask the question again")
    return files


def _record(kind: type[AnyRecord], files: dict[str, bytes], path: Path) -> AnyRecord:
    if path.name not in files:
        raise RecordError(f"{path}: is not part of the record; delete the folder {path.parent} and ask again")
    return kind.from_json(files[path.name], where=str(path))
