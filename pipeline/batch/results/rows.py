"""A cell as a row of the long sheet: the columns, and what each holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from schemas.batch import BatchCell, BatchQuestion, CellValue, DocumentCells

MAX_FURTHER = 20  # further values of a cell in the long sheet; the run holds them all


@dataclass(frozen=True, slots=True)
class Row:
    """What a row of the long sheet is made from."""

    document: DocumentCells
    question: BatchQuestion
    cell: BatchCell

    @property
    def first(self) -> CellValue | None:
        """The best value."""
        return self.cell.values[0] if self.cell.values else None


def _of_first(name: str) -> Callable[[Row], Any]:
    return lambda row: getattr(row.first, name) if row.first is not None else None


def _lines(row: Row) -> str | None:
    first = row.first
    if first is None or first.line_start is None:
        return None
    return (
        str(first.line_start) if first.line_end in (None, first.line_start) else f"{first.line_start}-{first.line_end}"
    )


def _day(row: Row) -> date | None:
    return date.fromisoformat(row.first.date) if row.first is not None and row.first.date else None


def _yes_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


# Title -> what stands there; a tuple is joined by '; '.
COLUMNS: dict[str, Callable[[Row], Any]] = {
    "document": lambda row: row.cell.document,
    "question id": lambda row: row.cell.question_id,
    "question": lambda row: row.question.text,
    "status": lambda row: row.cell.status,
    "answer": lambda row: row.first.text if row.first else row.cell.text,
    "type": lambda row: row.first.kind if row.first else row.cell.answer_type,
    "number": _of_first("number"),
    "unit": _of_first("unit"),
    "date": _day,
    "yes or no": lambda row: _yes_no(row.first.boolean) if row.first else None,
    "allowed": lambda row: _yes_no(row.cell.among_allowed),
    "quote": _of_first("quote"),
    "section": _of_first("section"),
    "page": _of_first("page"),
    "lines": _lines,
    "role": _of_first("role"),
    "why": _of_first("reason"),
    "found by": _of_first("methods"),
    "confidence": lambda row: round(row.cell.confidence, 4),
    "answered by": lambda row: row.cell.answered_by,
    "further values": lambda row: tuple(one.text for one in row.cell.values[1 : MAX_FURTHER + 1]),
    "notes": lambda row: row.cell.caveats,
    "downgrades": lambda row: row.cell.downgrades,
    "pages not read": lambda row: tuple(map(str, row.cell.pages_not_read)),
    "calls": lambda row: row.cell.cost.calls,
    "tokens read": lambda row: row.cell.cost.input_tokens,
    "tokens written": lambda row: row.cell.cost.output_tokens,
    "cost": lambda row: row.cell.cost.amount,
    "run": lambda row: row.cell.run,
    "answer sha-256": lambda row: row.cell.answer_sha256,
}
# What a reviewer fills in; `lineproof batch --import-review` reads these back.
REVIEW = (
    "review verdict", "review reason", "review value", "review not_in_document", "review page", "review first_line",
    "review last_line", "review reviewer",
)  # fmt: skip
WIDTHS = {
    "document": 34, "question": 40, "answer": 40, "quote": 70, "why": 40, "section": 26, "notes": 40,
    "further values": 30, "run": 24, "answer sha-256": 18, "review reason": 30,
}  # fmt: skip


def rows_of(document: DocumentCells, questions: dict[str, BatchQuestion]) -> list[Row]:
    """The rows of a document, in the order of its cells."""
    return [Row(document, questions[cell.question_id], cell) for cell in document.cells]


def joined(value: Any) -> Any:
    """A tuple as one text; None for an empty one."""
    return "; ".join(value) or None if isinstance(value, tuple) else value
