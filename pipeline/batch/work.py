"""What is handed to a worker and what it hands back: plain data that any engine can carry."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pipeline.store.names import BATCHES
from pipeline.store.prepared import PreparedRun
from schemas.batch import BatchCell, BatchDocument, BatchQuestion, CellStatus, DocumentCells

CACHE = ".batch_files"  # folder in a store of files fetched from an archive or a remote place, by their SHA-256


@dataclass(frozen=True, slots=True)
class Task:
    """One document and the questions that are to be put to it.

    `order` are all questions of the batch, and `settled` the cells that are known already: what the marked copy of the
    document needs beside the new cells; `marked` is the hash of what its present copy shows.
    `place` is a path that the worker can open; where it cannot (a node without the same disk), `data` holds the bytes.
    """

    number: int  # of the document in the batch, from 0
    document: BatchDocument
    place: str
    questions: tuple[BatchQuestion, ...]
    order: tuple[BatchQuestion, ...] = ()
    settled: tuple[BatchCell, ...] = ()
    marked: str | None = None
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
    words: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)  # dictionaries of the store, for such a worker
    highlights: bool = True  # mark the cited lines of each document


@dataclass(frozen=True, slots=True)
class Marked:
    """The marked copy of a document: its bytes, the ending of its name, and the hash of what it shows."""

    data: bytes = field(repr=False)
    suffix: str
    sha256: str


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What came of a task: its cells, and the runs that are to be put into the store before the cells are told."""

    number: int
    cells: DocumentCells
    runs: tuple[PreparedRun, ...] = ()
    parsing: dict[str, dict[str, bytes]] = field(default_factory=dict, repr=False)  # folder below the root -> files
    marked: Marked | None = None
    seconds: float = 0.0  # of work, for the log
    peak_bytes: int = 0  # largest resident memory of the worker so far


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """A worker has begun with a task."""

    number: int
    worker: str


@dataclass(frozen=True, slots=True)
class TaskLost:
    """A task that came to nothing; `why` is told in the row of the document, `detail` in the log."""

    number: int
    why: str
    detail: str = ""


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


def peak_bytes() -> int:
    """Largest resident memory of this process so far; 0 where the system does not tell.

    Linux is asked for that of the program alone: what `getrusage` tells begins with that of the process it came from.
    """
    with suppress(OSError), open("/proc/self/status", encoding="ascii", errors="replace") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:  # Windows
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024  # kibibytes but on macOS
