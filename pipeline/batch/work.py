"""What is handed to a worker and what it hands back: plain data that any engine can carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pipeline.store.names import BATCHES
from pipeline.store.prepared import PreparedRun
from schemas.batch import BatchCell, BatchDocument, BatchQuestion, CellStatus, DocumentCells


@dataclass(frozen=True, slots=True)
class Task:
    """One document and the questions that are to be put to it.

    `place` is a path that the worker can open; where it cannot (a node without the same disk), `data` holds the bytes.
    """

    number: int  # of the document in the batch, from 0
    document: BatchDocument
    place: str
    questions: tuple[BatchQuestion, ...]
    data: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Setup:
    """What all tasks of a batch share; sent to a worker once. `keeper` is the address of the process that calls models.

    `store` is where a worker reads and keeps parsed documents: the batch's own store, or on another machine one of the
    worker's own, whose parsings then come back with the results (`ships_parsings`).
    """

    store: str
    strategy: str
    model: str | None = None
    keeper: str | None = None
    keeper_key: bytes = field(default=b"", repr=False)
    threads: int = 1  # cells of one document asked at the same time: more than one only where a model answers
    password: str | None = field(default=None, repr=False)
    ships_parsings: bool = False
    highlights: bool = True  # mark the cited lines of each document


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What came of a task: its cells, and the runs that are to be put into the store before the cells are told."""

    number: int
    cells: DocumentCells
    runs: tuple[PreparedRun, ...] = ()
    parsing: dict[str, dict[str, bytes]] = field(default_factory=dict, repr=False)  # folder below the root -> files
    highlighted: bytes | None = field(default=None, repr=False)
    highlighted_suffix: str = ".pdf"
    seconds: float = 0.0  # of work, for the log
    peak_bytes: int = 0  # largest resident memory of the worker so far


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """A worker has begun with a task."""

    number: int
    worker: str


@dataclass(frozen=True, slots=True)
class TaskLost:
    """A task whose worker died each time it was tried; `why` is told in the row of the document."""

    number: int
    why: str


Event = TaskStarted | TaskResult | TaskLost
Work = Callable[[Setup, Task], TaskResult]


class Executor(Protocol):
    """What runs the tasks of a batch: processes of this machine, or a cluster."""

    name: str

    def run(self, setup: Setup, tasks: Iterable[Task], *, stopping: Callable[[], bool]) -> Iterator[Event]:
        """What becomes of the tasks, as it happens.

        Tasks are taken from `tasks` only when a worker is about to be free, and no more than a few results wait to be
        fetched: neither grows with the collection. Each task ends in one `TaskResult` or `TaskLost`. A worker that dies
        costs time: its task is tried once more, by a fresh worker. Once `stopping()` is true no new task begins, and
        those in work are finished. Leaving the iterator early ends the workers.

        Raises StoreError or SettingsError where workers cannot be started.
        """
        ...


def place_of_batch(root: Path, batch: str) -> Path:
    """The folder of a batch in the store."""
    return root / BATCHES / batch


def cell_without_answer(document: BatchDocument, question: BatchQuestion, status: CellStatus, why: str) -> BatchCell:
    """A cell that was not asked, or that failed, with the reason for a person."""
    return BatchCell(
        document=document.name, question_id=question.question_id, status=status, text=why,
        answer_type=question.terms.answer_type or "text",
    )  # fmt: skip
