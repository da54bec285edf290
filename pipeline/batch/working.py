"""What a worker does with one document: open it, put the questions to it, hand back the cells and the sealed runs.

The keyword sweep comes first: what rules do not find, with its proof, is not asked of a model. So a model is called
only where something was found.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.asking import Asking, Run
from pipeline.batch.allowed import among_allowed
from pipeline.batch.cells import cell_of
from pipeline.batch.threads import map_in_threads
from pipeline.batch.work import CACHE, Marked, Setup, Task, TaskResult, cell_without_answer, peak_bytes
from pipeline.findings import findings_of
from pipeline.opening import Opening, Parsed, be_silent, parse
from pipeline.searching import Searching, open_searching
from pipeline.store.dictionaries import keep_used
from pipeline.store.folders import read_folder
from pipeline.store.names import parsing_folder, source_folder
from pipeline.store.prepared import Prepared
from pipeline.store.sources import keep_source
from schemas.batch import BatchCell, BatchQuestion, DocumentCells
from schemas.errors import BudgetError, InputError, PipelineError

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel

ABSENT = "not_found"  # what a sweep by rules answers without a call


@dataclass(frozen=True, slots=True)
class _Desk:
    """What one document is worked on with."""

    setup: Setup
    task: Task
    parsed: Parsed
    searching: Searching
    llm: LanguageModel | None


def do_task(setup: Setup, task: Task) -> TaskResult:
    """The cells of one document, and its runs, sealed but not yet in the store.

    A document that cannot be read gives cells that failed, with the reason; so does a question that cannot be put.

    Raises StoreError where the store of parsed documents cannot be written, and what the keeper of calls raises when it
    is gone: then nothing more can be asked.
    """
    started = time.perf_counter()
    try:
        with _opened(setup, task) as path:
            parsed = parse(path, store=setup.store, opening=Opening(password=setup.password))
        _check_unchanged(task, parsed)
    except InputError as error:
        return _unread(task, str(error), started)
    keep_source(parsed.root, parsed.document, parsed.data)
    desk = _Desk(setup, task, parsed, _searching(setup.strategy, setup.store), _model(setup))
    prepared = Prepared()
    asked = map_in_threads(lambda question: _ask(desk, question), task.questions, threads=setup.threads)
    cells = []
    for question, outcome in zip(task.questions, asked, strict=True):
        if isinstance(outcome, BaseException):
            cells.append(_failed(desk, question, outcome))
            continue
        cell, runs = outcome
        prepared.runs.update(runs.runs)
        cells.append(cell)
    document = parsed.document
    return TaskResult(
        number=task.number,
        cells=DocumentCells(
            number=task.number,
            document=task.document,
            doc_id=document.doc_id,
            page_count=len(document.page_df),
            line_count=len(document.line_df),
            pages_not_read=tuple(sorted({page for cell in cells for page in cell.pages_not_read})),
            findings=_findings(desk),
            cells=tuple(cells),
        ),
        runs=tuple(prepared.runs.values()),
        parsing=_parsing(desk) if setup.ships_parsings else {},
        marked=_marked(desk, cells),
        seconds=time.perf_counter() - started,
        peak_bytes=peak_bytes(),
    )


def _ask(desk: _Desk, question: BatchQuestion) -> tuple[BatchCell, Prepared]:
    """The cell of one question with the runs behind it; a model is asked only where rules found something."""
    rules, prepared = _run(desk, question, llm=None)
    if desk.llm is None or _best(rules).answer.status == ABSENT:
        return _cell(desk, question, rules), prepared
    told, prepared = _run(desk, question, llm=desk.llm)
    return _cell(desk, question, told), prepared


def _run(desk: _Desk, question: BatchQuestion, *, llm: LanguageModel | None) -> tuple[Run, Prepared]:
    prepared = Prepared()
    terms = question.terms.model_copy(update={"by_rules": llm is not None})
    words = _dictionaries(desk.setup.store, question.terms.dictionaries)
    keep_used(desk.parsed.root, words)
    asking = Asking(
        desk.parsed, words, llm, be_silent, desk.setup.password, desk.searching, terms=terms, papers=False,
        prepared=prepared,
    )  # fmt: skip
    return asking.ask_with_inside(question.text), prepared


def _cell(desk: _Desk, question: BatchQuestion, run: Run) -> BatchCell:
    best = _best(run)
    cell = cell_of(desk.task.document, question, best)
    if best is not run:
        told = f"It stands in a file inside: {best.document.source_name}"
        cell = cell.model_copy(update={"caveats": (*cell.caveats, told)})
    words = cell.values[0].text if cell.values else ""
    among, canonical = among_allowed(best.answer.items, question.terms.allowed_values, words)
    if canonical is None:
        return cell.model_copy(update={"among_allowed": among})
    first = cell.values[0].model_copy(update={"text": canonical})
    return cell.model_copy(update={"among_allowed": among, "values": (first, *cell.values[1:])})


def _best(run: Run) -> Run:
    """The run of the document itself, or of the first file inside it that answers where the document does not."""
    if run.answer.items or not run.inside:
        return run
    nested = (_best(one) for one in run.inside)
    return next((one for one in nested if one.answer.items), run)


def _failed(desk: _Desk, question: BatchQuestion, error: BaseException) -> BatchCell:
    """What is told of a question that was not answered; what concerns the whole batch is raised."""
    if isinstance(error, BudgetError):
        cell = cell_without_answer(desk.task.document, question, "not_asked", str(error))
    elif isinstance(error, InputError):
        cell = cell_without_answer(desk.task.document, question, "failed", str(error))
    elif isinstance(error, PipelineError) or not isinstance(error, Exception):
        raise error
    else:
        why = f"an unexpected fault, please report it: {type(error).__name__}: {error}"
        cell = cell_without_answer(desk.task.document, question, "failed", why)
    return cell.model_copy(update={"doc_id": desk.parsed.document.doc_id})


def _unread(task: Task, why: str, started: float) -> TaskResult:
    cells = tuple(cell_without_answer(task.document, question, "failed", why) for question in task.questions)
    return TaskResult(
        number=task.number,
        cells=DocumentCells(number=task.number, document=task.document, fault=why, cells=cells),
        seconds=time.perf_counter() - started,
        peak_bytes=peak_bytes(),
    )


def _parsing(desk: _Desk) -> dict[str, dict[str, bytes]]:
    """The folders of this store that the runs rest on: parsings, the bytes of the document, dictionaries used."""
    root = desk.parsed.root
    documents = [desk.parsed.document]
    folders = []
    while documents:
        one = documents.pop()
        documents.extend(one.children)
        folders += [parsing_folder(root, one.doc_id), source_folder(root, one.doc_id)]
    found = {one.relative_to(root).as_posix(): read_folder(root, one, as_is=True) for one in folders if one.is_dir()}
    return {place: files for place, files in found.items() if files is not None}


def _marked(desk: _Desk, cells: Sequence[BatchCell]) -> Marked | None:
    """The marked copy, where lines are cited that the present one does not show."""
    if not desk.setup.highlights:
        return None
    from pipeline.batch.marking import citations_of, hash_of, mark_document

    document, task = desk.parsed.document, desk.task
    shown = [cell for cell in (*task.settled, *cells) if cell.doc_id == document.doc_id]
    citations = citations_of(shown, task.order)
    sha256 = hash_of(citations)
    if not citations or sha256 == task.marked:
        return None
    try:
        data, suffix = mark_document(document, desk.parsed.data, citations, password=desk.setup.password)
    except InputError:  # the marker sees other pages than the reader did: the cells count, the copy is an aid
        return None
    return Marked(data, suffix, sha256)


@contextmanager
def _opened(setup: Setup, task: Task) -> Iterator[Path]:
    """The document as a local file; a copy is taken away again, since the store keeps the bytes with the document."""
    from pipeline.batch.documents import open_place

    cache = Path(setup.store) / CACHE
    path = open_place(task.place, cache, data=task.data, name=task.document.name, sha256=task.document.sha256)
    try:
        yield path
    finally:
        if cache in path.parents:
            with suppress(OSError):  # another worker may have the same document under another name
                path.unlink()
                path.parent.rmdir()


def _check_unchanged(task: Task, parsed: Parsed) -> None:
    if task.document.sha256 not in (None, parsed.document.sha256):
        raise InputError(f"{task.document.name}: it changed while the batch ran; run `lineproof batch --resume` again")


def _findings(desk: _Desk) -> tuple[str, ...]:
    unit = desk.parsed.document.profile.identity.page_unit
    return tuple(
        f"{unit} {one.page_num}, line {one.line_id}: {one.detail}" for one in findings_of(desk.parsed.document)
    )


@lru_cache(maxsize=8)
def _dictionaries(store: str, names: tuple[str, ...]) -> Dictionaries:
    """Read once: they do not change while a batch runs."""
    from dictionaries import load_dictionaries
    from pipeline.store.dictionaries import own_dictionaries

    return load_dictionaries(names=sorted(names) if names else None, overlay=own_dictionaries(store))


@lru_cache(maxsize=1)
def _searching(strategy: str, store: str) -> Searching:
    return open_searching(strategy, store=store)


@lru_cache(maxsize=1)
def _model(setup: Setup) -> LanguageModel | None:
    if setup.model is None:
        return None
    from pipeline.batch.calls import open_kept_model

    return open_kept_model(setup)
