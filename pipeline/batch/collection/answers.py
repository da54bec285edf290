"""What a question of a collection comes to: what fits, of what it cannot be told, and the SQL by which it was got."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A document of an answer: its value and where it stands; `why` for one of which it cannot be told."""

    document: str
    verdict: str  # yes, no, no_value, cannot_be_told, out_of_scope
    text: str | None
    number: float | None
    unit: str | None
    date: str | None
    page: int | None
    section: str | None
    quote: str | None
    status: str
    run: str | None
    flags: tuple[str, ...] = ()
    why: str | None = None


@dataclass(frozen=True, slots=True)
class CollectionFigure:
    """A total and a mean over the values of one unit: a currency, days for lengths of time."""

    kind: str
    unit: str | None
    count: int
    total: str
    mean: float


@dataclass(frozen=True, slots=True)
class CollectionAnswer:
    """What came of a question of a collection; `options`: questions of the grid to choose from, where several fit."""

    text: str
    status: Literal["answered", "needs_clarification"]
    batch: str
    sentence: str
    question_id: str | None = None
    question: str | None = None
    counts: dict[str, int] = field(default_factory=dict)  # documents by verdict
    bases: dict[str, int] = field(default_factory=dict)  # of those that have none: by the proof
    rows: tuple[CollectionRow, ...] = ()
    untold: tuple[CollectionRow, ...] = ()
    figures: tuple[CollectionFigure, ...] = ()
    notes: tuple[str, ...] = ()
    sql: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ()
