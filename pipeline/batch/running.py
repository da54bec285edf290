"""A batch from its first document to its last: run, stopped, gone on with; every finished cell is saved.

One process, the coordinator, writes: workers hand their runs over, and it puts them into the store and the ledger, then
keeps the cells, then the state of the document. A process that dies between two of these leaves runs that the next
session finds in the store again, or states that are asked anew for nothing, since model calls are on record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from pipeline.batch.copies import MarkedCopies
from pipeline.batch.documents.places import plain_name
from pipeline.batch.keys import batch_id, cell_key, changes_between
from pipeline.batch.records import (
    Cells,
    drop_states,
    load_kept,
    load_request,
    named,
    save_kept,
    save_request,
    save_state,
    standing,
)
from pipeline.batch.requesting import request_of
from pipeline.batch.scope import out_of_scope
from pipeline.batch.tally import Tally
from pipeline.batch.work import (
    Event,
    Executor,
    Setup,
    Task,
    TaskLost,
    TaskResult,
    TaskStarted,
    cell_without_answer,
)
from pipeline.parsing.source import make_doc_id
from pipeline.run import dictionaries_of
from pipeline.store.dictionaries import keep_used
from pipeline.store.disk import LOCKS
from pipeline.store.folders import open_store, write_folder
from pipeline.store.ledger import append
from pipeline.store.prepared import save_prepared
from schemas.batch import (
    BatchCell,
    BatchDocument,
    BatchProgress,
    BatchQuestion,
    BatchRequest,
    Budget,
    DocumentCells,
    DocumentState,
    Spent,
)
from schemas.errors import StoreError

if TYPE_CHECKING:
    from pipeline.batch.calls import Keeper

Report = Callable[[BatchProgress], None]
Log = Callable[[str, Mapping[str, Any]], None]  # name of an event, and its facts: what `log.jsonl` keeps


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a batch is to do. `places` gives for each document, by name, what opens it: a path or an fsspec URL.

    `batch` is the id of a former session that is gone on with; without it the id follows from questions, names of
    documents and settings, so that the same command goes on with the same batch.
    """

    name: str
    questions: tuple[BatchQuestion, ...]
    documents: tuple[BatchDocument, ...]  # sorted by name
    places: Mapping[str, str]
    store: Path
    budget: Budget = field(default_factory=Budget)
    strategy: str = "arbiter"
    use_model: bool = True  # the model that the environment names, where it names one
    prices: Path | None = None  # a file of prices in place of the shipped one
    password: str | None = field(default=None, repr=False)
    clearance: frozenset[str] | None = None  # access labels that may be read; None: no label is looked at
    highlights: Path | None = None  # folder for the marked documents; None: none are made
    threads: int = 4  # cells of a document asked at the same time where a model answers
    batch: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a session of a batch; `cells` are all its documents, in order, those of former sessions included."""

    batch: str
    request: BatchRequest
    cells: Cells
    spent: Spent
    by_status: Mapping[str, int]
    marked: Mapping[str, str]  # document name -> file name of its marked copy in `Wanted.highlights`
    cells_from_cache: int = 0
    stopped_because: str | None = None
    changed: tuple[str, ...] = ()  # inputs that changed since the former session, a sentence each


@dataclass(frozen=True, slots=True)
class _Open:
    """A document that is to be asked: what is settled already, and what is left."""

    task: Task
    settled: Mapping[str, BatchCell]  # by id of the question


@dataclass(frozen=True, slots=True)
class Listening:
    """Who is told how a batch goes: `begun` its id before all, `report` how far it is, `log` each event."""

    report: Report = lambda _progress: None
    log: Log = lambda _event, _facts: None
    begun: Callable[[str], object] = lambda _batch: None


def run_batch(
    wanted: Wanted, executor: Executor, listening: Listening, *, stopping: Callable[[], bool] = lambda: False
) -> Outcome:
    """All cells of a batch, asked where they are not in the store yet; see `Outcome`.

    The same `wanted` goes on where a former session ended, however it ended. `stopping` is looked at between documents.

    Raises InputError, SettingsError, StoreError.
    """
    root = open_store(wanted.store)
    request = request_of(wanted)
    how = [request.model, request.retrieval_settings, request.searched_by]
    batch = wanted.batch or batch_id(wanted.name, wanted.questions, wanted.documents, how)
    with ExitStack() as stack:
        stack.enter_context(_alone(root, batch))
        listening.begun(batch)
        session = _Session(wanted, root, batch, request, listening)
        changed = session.begin()
        setup = session.setup(stack)
        events = executor.run(setup, session.tasks(), stopping=lambda: session.stops(stopping))
        for event in events:
            session.take(event)
        return session.end(changed)


class _Session:
    """What one session of a batch knows; only the coordinator has one."""

    def __init__(self, wanted: Wanted, root: Path, batch: str, request: BatchRequest, listening: Listening) -> None:
        self._wanted, self._root, self._batch, self._request = wanted, root, batch, request
        self._log = listening.log
        self._tally = Tally(batch, request, wanted.budget, listening.report)
        self._open: dict[int, _Open] = {}
        self._marks = MarkedCopies(wanted.highlights)
        self._keeper: Keeper | None = None
        self._why: str | None = None  # why not all was asked
        self._stopped = False

    def begin(self) -> tuple[str, ...]:
        """Put the request on record; gives what changed since the former session, a sentence each."""
        former = load_request(self._root, self._batch)
        changed = changes_between(former, self._request) if former else ()
        if former and [one.name for one in former.documents] != [one.name for one in self._request.documents]:
            drop_states(self._root, self._batch)
        save_request(self._root, self._batch, self._request)
        facts = {"event": "resumed" if former else "begun", "batch": self._batch.rpartition("_")[2]}
        append(self._root, "batch", facts={**facts, "request": self._request.content_sha256()})
        self._log(facts["event"], {"documents": len(self._request.documents), "cells": self._tally.cells})
        for sentence in changed:
            self._log("changed", {"what": sentence})
        return changed

    def setup(self, stack: ExitStack) -> Setup:
        """What the workers are told; the keeper of calls is started where a model is asked."""
        keep_used(self._root, dictionaries_of(self._root))  # workers on other machines keep theirs for themselves
        setup = Setup(
            store=str(self._root), strategy=self._wanted.strategy, password=self._wanted.password,
            highlights=self._wanted.highlights is not None,
        )  # fmt: skip
        if self._request.model is None:
            return setup
        from pipeline.batch.calls import start_keeper, told_of_former_calls

        keeper = start_keeper(
            self._root, self._batch, model=self._request.model, budget=self._wanted.budget, prices=self._wanted.prices
        )
        self._keeper = stack.enter_context(keeper)
        if told := told_of_former_calls(self._root):
            self._log("calls_without_reply", {"what": told})
        self._tally.watch(self._keeper)
        return replace(
            setup, model=self._request.model, keeper=self._keeper.address, keeper_key=self._keeper.key,
            threads=self._wanted.threads,
        )  # fmt: skip

    def tasks(self) -> Iterator[Task]:
        """The documents with questions left, one at a time; what is settled without asking is saved on the way."""
        numbers = range(len(self._request.documents))
        for number in sorted(numbers, key=self._urgency):
            one = self._prepare(number)
            if one.task.questions or self._marks.lacks(one.task):
                self._open[number] = one
                yield one.task
            else:
                self._save(one, (), DocumentCells(number=number, document=one.task.document))

    def stops(self, stopping: Callable[[], bool]) -> bool:
        """True once no new document is to be begun.

        After a budget is used up the sweep goes on: what it proves absent costs nothing.
        """
        if not self._stopped and stopping():
            self._stopped, self._why = True, "it was stopped by the user"
        if self._why is None and self._keeper is not None:
            self._why = self._keeper.exhausted()
        return self._stopped

    def take(self, event: Event) -> None:
        """Save what came of a task, and tell."""
        if isinstance(event, TaskStarted):
            self._tally.begin(self._request.documents[event.number].name)
            return
        one = self._open.pop(event.number)
        if isinstance(event, TaskLost):
            self._log("lost", {"document": one.task.document.name, "why": event.why, "detail": event.detail})
            lost = [cell_without_answer(one.task.document, each, "failed", event.why) for each in one.task.questions]
            self._save(
                one, tuple(lost), DocumentCells(number=event.number, document=one.task.document, fault=event.why)
            )
            return
        self._take_result(one, event)

    def end(self, changed: tuple[str, ...]) -> Outcome:
        """The last records, and what came of it all."""
        if self._why is None and self._keeper is not None:
            self._why = self._keeper.exhausted()
        spent = self._tally.end(self._why)
        facts = {"event": "stopped" if self._why else "ended", "batch": self._batch.rpartition("_")[2]}
        append(self._root, "batch", facts={**facts, **self._tally.facts()})
        self._log(facts["event"], {**self._tally.facts(), "because": self._why})
        return Outcome(
            batch=self._batch,
            request=self._request,
            cells=Cells(self._root, self._batch, self._request),
            spent=spent,
            by_status=self._tally.by_status(),
            marked=self._marks.names(),
            cells_from_cache=self._tally.from_cache,
            stopped_because=self._why,
            changed=changed,
        )

    def _urgency(self, number: int) -> tuple[int, int]:
        document = self._request.documents[number]
        due = [one.priority for one in self._request.questions if out_of_scope(document, one, clearance=None) is None]
        return -max(due, default=0), number

    def _prepare(self, number: int) -> _Open:
        """What is settled of a document, and the task for what is left, urgent questions first."""
        document, request = self._request.documents[number], self._request
        settled: dict[str, BatchCell] = {}
        keys: dict[str, str] = {}
        for question in request.questions:
            why = out_of_scope(document, question, clearance=self._wanted.clearance)
            key = cell_key(request, document, question)
            if document.fault is not None:
                settled[question.question_id] = cell_without_answer(document, question, "failed", document.fault)
            elif why is not None:
                settled[question.question_id] = cell_without_answer(document, question, "out_of_scope", why)
            elif key is not None:
                keys[question.question_id] = key
        kept = self._kept_of(document)
        found = standing(self._root, kept, keys.values())
        for name, key in keys.items():
            if key in found:
                settled[name] = named(found[key], document.name, name)
                self._tally.from_cache += 1
        left = [one for one in request.questions if one.question_id not in settled]
        left.sort(key=lambda one: -one.priority)
        task = Task(
            number, document, self._wanted.places.get(document.name, ""), tuple(left), order=request.questions,
            settled=tuple(settled.values()), marked=self._marks.shown_by(document.name),
        )  # fmt: skip
        return _Open(task, settled)

    def _kept_of(self, document: BatchDocument) -> Mapping[str, BatchCell]:
        doc_id = doc_id_of(document)
        kept = load_kept(self._root, doc_id) if doc_id else None
        return kept.cells if kept else {}

    def _take_result(self, one: _Open, result: TaskResult) -> None:
        for folder, files in sorted(result.parsing.items()):
            if not (self._root / folder).exists():
                write_folder(self._root, self._root / folder, files)
        save_prepared(self._root, result.runs)
        if result.marked is not None:
            self._marks.write(one.task.document.name, result.cells.doc_id or "document", result.marked)
        keys = {
            question.question_id: cell_key(self._request, one.task.document, question)
            for question in one.task.questions
        }
        cells = tuple(
            cell.model_copy(update={"key": keys[cell.question_id]})
            if cell.run is not None and not cell.downgrades
            else cell
            for cell in result.cells.cells
        )
        self._save(one, cells, result.cells)
        self._log(
            "document",
            {
                "document": one.task.document.name, "cells": len(cells), "seconds": round(result.seconds, 3),
                "peak_mb": result.peak_bytes // 2**20, "fault": result.cells.fault,
            },
        )  # fmt: skip

    def _save(self, one: _Open, asked: tuple[BatchCell, ...], read: DocumentCells) -> None:
        """Keep the cells with the document, then its state with the batch."""
        by_id = {**one.settled, **{cell.question_id: cell for cell in asked}}
        cells = tuple(by_id[question.question_id] for question in self._request.questions)
        document = one.task.document
        doc_id = read.doc_id or next((cell.doc_id for cell in cells if cell.doc_id), None)
        if asked:
            save_kept(self._root, read.model_copy(update={"doc_id": doc_id, "cells": cells}))
        state = DocumentState(
            number=read.number,
            document=document,
            doc_id=doc_id,
            fault=read.fault or document.fault,
            keys={cell.question_id: cell.key for cell in cells if cell.key is not None},
            without=tuple(cell for cell in cells if cell.key is None),
        )
        save_state(self._root, self._batch, state)
        self._tally.done(document.name, cells)


def doc_id_of(document: BatchDocument) -> str | None:
    """The id under which the store knows a document; None for one that cannot be read."""
    if document.sha256 is None:
        return None
    return make_doc_id(Path(plain_name(document.name)).stem, document.sha256)


def _alone(root: Path, batch: str) -> FileLock:
    """The lock of a batch: two processes that run the same one would ask everything twice.

    Raises StoreError while another process holds it.
    """
    lock = FileLock(root / LOCKS / f"batch-{batch}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise StoreError(
            f"the batch {batch} is running in another process; watch it with `lineproof batch --watch {batch}`, or wait"
        ) from error
    return lock
