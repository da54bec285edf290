"""A batch from its first document to its last: planned, run, stopped, gone on with; every finished cell is saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.batch.work import Executor
from schemas.batch import BatchDocument, BatchProgress, BatchQuestion, BatchRequest, Budget, DocumentCells, Spent

Report = Callable[[BatchProgress], None]
Log = Callable[[str, Mapping[str, Any]], None]  # name of an event, and its facts: what `log.jsonl` keeps


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a batch is to do. `places` gives for each document, by name, what opens it: a path or an fsspec URL."""

    name: str
    questions: tuple[BatchQuestion, ...]
    documents: tuple[BatchDocument, ...]  # sorted by name
    places: Mapping[str, str]
    store: Path
    budget: Budget = field(default_factory=Budget)
    strategy: str = "arbiter"
    use_model: bool = True  # the model that the environment names, where it names one
    password: str | None = field(default=None, repr=False)
    highlights: Path | None = None  # folder for the marked documents; None: none are made
    ask_again: tuple[str, ...] = ("failed", "not_asked")  # statuses of a former session that are tried again


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a session of a batch; `cells` are all documents, in order, those of former sessions included."""

    batch: str
    request: BatchRequest
    cells: tuple[DocumentCells, ...]
    spent: Spent
    stopped_because: str | None = None
    changed: tuple[str, ...] = ()  # inputs that changed since the former session, a sentence each


def run_batch(wanted: Wanted, executor: Executor, *, report: Report, log: Log, stopping: Callable[[], bool]) -> Outcome:
    """All cells of a batch, asked where they are not in the store yet; see `Outcome`.

    The same `wanted` goes on where a former session ended, however it ended. `stopping` is looked at between documents.

    Raises InputError, SettingsError, StoreError.
    """
    raise NotImplementedError
