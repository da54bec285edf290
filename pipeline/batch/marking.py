"""One marked copy of a document for all questions of a batch: its cited lines, a colour and a bookmark a question."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.generation.highlight import Mark, Stop, mark_pdf, plain_note
from pipeline.sheet.lines_page import Marked, lines_html
from pipeline.sheet.papers import ON_PAGES
from schemas.batch import BatchCell, BatchQuestion
from schemas.document import ParsedDocument

# Eight pale colours that colour-blind people tell apart, after Okabe and Ito, "Color Universal Design" (2008).
COLOURS = (
    (1.0, 0.85, 0.4), (0.6, 0.83, 0.95), (0.55, 0.87, 0.75), (0.97, 0.94, 0.5), (0.6, 0.75, 0.9), (0.95, 0.7, 0.5),
    (0.9, 0.7, 0.82), (0.82, 0.82, 0.82),
)  # fmt: skip
MAX_TITLE = 120  # characters of a bookmark


@dataclass(frozen=True, slots=True)
class Citation:
    """A value of a cell and the lines it stands on."""

    number: int  # of the question, from 0
    question_id: str
    question: str
    value: str
    line_start: int
    line_end: int


def citations_of(cells: Sequence[BatchCell], questions: Sequence[BatchQuestion]) -> tuple[Citation, ...]:
    """The citations of the cells of one document, in the order of the questions."""
    by_id: Mapping[str, BatchCell] = {cell.question_id: cell for cell in cells}
    return tuple(
        Citation(number, one.question_id, one.text, value.text, value.line_start, value.line_end or value.line_start)
        for number, one in enumerate(questions)
        if (cell := by_id.get(one.question_id)) is not None
        for value in cell.values
        if value.line_start is not None
    )


def hash_of(citations: Sequence[Citation]) -> str:
    """Hex SHA-256 of the citations: while it stays, a marked copy need not be made anew."""
    told = [[one.question_id, one.question, one.value, one.line_start, one.line_end] for one in citations]
    return hashlib.sha256(json.dumps(told, ensure_ascii=True).encode()).hexdigest()


def mark_document(
    document: ParsedDocument, data: bytes, citations: Sequence[Citation], *, password: str | None = None
) -> tuple[bytes, str]:
    """The marked copy and its suffix: a PDF where lines have places on pages, else an HTML page of the lines.

    Equal inputs give equal bytes, but for an encrypted copy, whose encryption begins with random numbers.

    Raises InputError when the lines are not those of `document`, and the errors of `pipeline.mupdf.open_pdf`.
    """
    rows = {row.line_id: row for row in document.line_df.itertuples(index=False)}
    stops = tuple(_stop(one, rows) for one in citations if one.line_start in rows)
    if data and document.format in ON_PAGES:
        marks = [mark for one in citations for mark in _marks(one, rows)]
        return mark_pdf(data, document, marks, stops, password=password), ".pdf"
    notes: dict[int, str] = {}
    for one in citations:
        for line_id in range(one.line_start, one.line_end + 1):
            if line_id in rows:
                notes[line_id] = f"{notes[line_id]} · {_note(one)}" if line_id in notes else _note(one)
    page = lines_html(document, Marked(notes, {}), stops, title=document.source_name, language="en")
    return page, ".html"


def _marks(one: Citation, rows: Mapping[int, object]) -> list[Mark]:
    by_page: dict[int, list[tuple[float, float, float, float]]] = {}
    for line_id in range(one.line_start, one.line_end + 1):
        row = rows.get(line_id)
        if row is None or not getattr(row, "visible", True):
            continue
        box = tuple(float(getattr(row, side)) for side in ("x0", "y0", "x1", "y1"))
        if box[2] > box[0] and box[3] > box[1]:
            by_page.setdefault(int(row.page_num), []).append((box[0], box[1], box[2], box[3]))  # type: ignore[attr-defined]
    colour = COLOURS[one.number % len(COLOURS)]
    return [Mark(page, tuple(boxes), True, _note(one), colour) for page, boxes in sorted(by_page.items())]


def _stop(one: Citation, rows: Mapping[int, object]) -> Stop:
    row = rows[one.line_start]
    corner = [float(getattr(row, side)) for side in ("x0", "y0")]
    x, y = (0.0 if side != side else side for side in corner)
    title = plain_note(f"{one.question_id}: {one.value}")
    return Stop(int(row.page_num), x, y, one.line_start, plain_note(one.question_id)[:20], title[:MAX_TITLE])  # type: ignore[attr-defined]


def _note(one: Citation) -> str:
    return plain_note(f"{one.question_id} · {one.question} · {one.value}")
