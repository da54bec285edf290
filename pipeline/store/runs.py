"""Runs in the store: one question on one document, or on a case of several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pipeline.store.folders import read_folder, write_folder
from pipeline.store.names import CASES, case_folder, question_folder
from schemas.answer import Answer, CaseAnswer
from schemas.audit import Trace
from schemas.errors import InputError, RecordError
from schemas.question import ParsedQuestion
from schemas.record import Record
from schemas.retrieval import AuditedRetrievalResult

QUESTION, RETRIEVAL, ANSWER, TRACE = "parsed_question.json", "retrieval_result.json", "answer.json", "trace.json"
PAGES, HIGHLIGHTED, CASE = "retrieved_pages.xlsx", "highlighted.pdf", "case_answer.json"
HIGHLIGHTED_LINES = "highlighted.html"  # for formats whose lines have no place on a page
DECISION, DECISION_PDF = "decision.html", "decision.pdf"
PAPERS = (HIGHLIGHTED, HIGHLIGHTED_LINES, DECISION, DECISION_PDF)  # what a person opens
MAX_LISTED_RUNS = 10  # runs named in a message; the rest is counted

AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(frozen=True, slots=True)
class SavedRun:
    """What one question on one document left in the store."""

    path: Path
    question: ParsedQuestion
    retrieval: AuditedRetrievalResult
    answer: Answer
    trace: Trace
    has_highlights: bool
    papers: tuple[str, ...] = ()


def save_run(root: Path, doc_id: str, key: str, files: dict[str, bytes]) -> Path:
    """Store the files of a run, `trace.json` among them, in place of an earlier run of the same key; gives the folder.

    Raises StoreError when it cannot be written.
    """
    folder = question_folder(root, doc_id, key)
    write_folder(root, folder, files)
    return folder


def load_run(folder: Path) -> SavedRun:
    """A run as it was stored, every byte checked.

    Raises RecordError, naming the file, when it is missing, was damaged or does not fit its schema.
    """
    files = _read(folder)
    return SavedRun(
        path=folder,
        question=_record(ParsedQuestion, files, folder / QUESTION),
        retrieval=_record(AuditedRetrievalResult, files, folder / RETRIEVAL),
        answer=_record(Answer, files, folder / ANSWER),
        trace=_record(Trace, files, folder / TRACE),
        has_highlights=HIGHLIGHTED in files,
        papers=tuple(name for name in PAPERS if name in files),
    )


def save_case(root: Path, key: str, answer: CaseAnswer) -> Path:
    """Store the answer of a case in place of an earlier one of the same key; gives the folder.

    Raises StoreError when it cannot be written.
    """
    folder = case_folder(root, key)
    write_folder(root, folder, {CASE: answer.to_json()})
    return folder


def load_case(folder: Path) -> CaseAnswer:
    """The answer of a case as it was stored, every byte checked.

    Raises RecordError, naming the file, when it is missing, was damaged or does not fit its schema.
    """
    return _record(CaseAnswer, _read(folder), folder / CASE)


def is_case(folder: Path) -> bool:
    """True for the folder of a case, False for that of a run."""
    return folder.resolve().parent.name == CASES


def list_runs(root: Path) -> list[Path]:
    """Folders of all runs and cases in the store, sorted; empty for a store that is not there."""
    folders = [*root.glob("*/questions/*"), *root.glob(f"{CASES}/*")]
    return sorted(folder for folder in folders if folder.is_dir() and not folder.name.startswith("."))


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
        if folder.is_dir() and folder.resolve().parent.name in ("questions", CASES):
            return folder
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
    known = f"; there are: {_listed(root, runs)}" if runs else " and the store holds none: ask a question first"
    raise InputError(f"no run {name[:200]!r} in the store {root}{known}")


def _owner(run: Path) -> str:
    return CASES if run.parent.name == CASES else run.parent.parent.name


def _listed(root: Path, runs: Iterable[Path]) -> str:
    names = [str(run.relative_to(root)) for run in runs]
    more = f" and {len(names) - MAX_LISTED_RUNS} more" if len(names) > MAX_LISTED_RUNS else ""
    return ", ".join(names[:MAX_LISTED_RUNS]) + more


def _read(folder: Path) -> dict[str, bytes]:
    place = folder.resolve()
    files = read_folder(place.parents[1] if is_case(place) else place.parents[2], place)
    if files is None:
        raise RecordError(f"{folder}: there is no such folder; ask the question again")
    return files


def _record(kind: type[AnyRecord], files: dict[str, bytes], path: Path) -> AnyRecord:
    if path.name not in files:
        raise RecordError(f"{path}: is not part of the record; delete the folder {path.parent} and ask again")
    return kind.from_json(files[path.name], where=str(path))
