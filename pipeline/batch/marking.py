"""One marked copy of a document for all questions of a batch: its cited lines, a colour and a bookmark a question."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.generation.highlight import Mark, Stop, colour_of, mark_pdf, plain_note
from pipeline.generation.highlight.palette import COLOURS
from pipeline.mupdf import pymupdf
from pipeline.sheet.lines_page import Chip, Marked, lines_html
from pipeline.sheet.papers import ON_PAGES
from schemas.batch import BatchCell, BatchQuestion
from schemas.document import ParsedDocument
from schemas.errors import DocumentError

LOOK = 2  # of the marked copies: a copy with another look is made anew
MAX_TITLE = 120  # characters of a bookmark
MAX_QUESTION = 240  # characters of a question in a note, which then has room for the value
MAX_SHORT = 20  # characters of an id in a link
MAX_BANDS = 4  # questions that share the height of a line: a band of a 12-point line is 3 points, well seen

_Box = tuple[float, float, float, float]


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
    told = [[one.number, one.question_id, one.question, one.value, one.line_start, one.line_end] for one in citations]
    return hashlib.sha256(json.dumps([LOOK, told], ensure_ascii=True).encode()).hexdigest()


def mark_document(
    document: ParsedDocument, data: bytes, citations: Sequence[Citation], *, password: str | None = None
) -> tuple[bytes, str]:
    """The marked copy and its suffix: a PDF where lines have places on pages, else an HTML page of the lines.

    A PDF that was read but is too damaged to be written gives such a page, too, and the page says so.

    Lines that several questions cite are shared out among them, so that no colour lies over another. Citations of lines
    that the document does not have, or does not show, are not marked. Equal inputs give equal bytes, but for an
    encrypted copy, whose encryption begins with random numbers.

    Raises InputError when the lines are not those of `document`.
    """
    frame = document.line_df[document.line_df["visible"]]
    rows = {int(row.line_id): row for row in frame.itertuples(index=False)}
    cited = _by_line(citations, rows)
    stops = [stop for one in citations if (stop := _stop(one, rows)) is not None]
    title = document.source_name
    if data and document.format in ON_PAGES:
        try:
            return mark_pdf(data, document, list(_marks(cited, rows)), stops, password=password), ".pdf"
        except (DocumentError, RuntimeError, pymupdf.mupdf.FzErrorBase):
            title = (
                f"{title}: the file is damaged and cannot be marked itself; these are the lines that were read of it"
            )
    notes = {line: plain_note(" · ".join(map(_note, by_number.values()))) for line, by_number in cited.items()}
    chips = {line: [_chip(ones[0]) for ones in by_number.values()] for line, by_number in cited.items()}
    marked = Marked(notes, {}, chips)
    return lines_html(document, marked, stops, title=title, language="en"), ".html"


def _by_line(citations: Sequence[Citation], rows: Mapping[int, Any]) -> dict[int, dict[int, list[Citation]]]:
    """The citations of each line, by number of the question; both in order."""
    found: dict[int, dict[int, list[Citation]]] = {}
    for one in sorted(citations, key=lambda each: each.number):
        for line_id in range(one.line_start, one.line_end + 1):
            if line_id in rows:
                found.setdefault(line_id, {}).setdefault(one.number, []).append(one)
    return dict(sorted(found.items()))


def _marks(cited: Mapping[int, Mapping[int, Sequence[Citation]]], rows: Mapping[int, Any]) -> Iterator[Mark]:
    """One mark for the lines of a page that a question cites for the same values, page by page."""
    grouped: dict[tuple[int, int, str], list[_Box]] = {}
    for line_id, by_number in cited.items():
        row = rows[line_id]
        box = (float(row.x0), float(row.y0), float(row.x1), float(row.y1))
        if not (box[2] > box[0] and box[3] > box[1]):
            continue
        for part, (number, ones) in zip(_shares(box, len(by_number)), by_number.items(), strict=True):
            grouped.setdefault((int(row.page_num), number, _note(ones)), []).append(part)
    for (page_num, number, note), boxes in sorted(grouped.items()):
        yield Mark(page_num, tuple(boxes), True, note, colour_of(number))


def _shares(box: _Box, count: int) -> list[_Box]:
    """The box shared out: in bands along the line, and where there are many, in pieces of the line with bands each."""
    x0, y0, x1, y1 = box
    if x1 - x0 < y1 - y0:  # text that runs up or down the page
        return [(b0, a0, b1, a1) for a0, b0, a1, b1 in _shares((y0, x0, y1, x1), count)]
    pieces = math.ceil(count / MAX_BANDS)
    width = (x1 - x0) / pieces
    parts = []
    for piece in range(pieces):
        bands = count // pieces + (piece < count % pieces)
        height, left = (y1 - y0) / bands, x0 + piece * width
        parts += [(left, y0 + at * height, left + width, y0 + (at + 1) * height) for at in range(bands)]
    return parts


def _stop(one: Citation, rows: Mapping[int, Any]) -> Stop | None:
    """Where a bookmark and a link lead; None for lines that are not there."""
    row = next((rows[line] for line in range(one.line_start, one.line_end + 1) if line in rows), None)
    if row is None:
        return None
    x, y = (0.0 if math.isnan(side) else side for side in (float(row.x0), float(row.y0)))
    return Stop(
        int(row.page_num), x, y, int(row.line_id), _cut(one.question_id, MAX_SHORT), _cut(one.value, MAX_TITLE),
        group=_cut(f"{one.question_id}: {one.question}", MAX_TITLE), anchor=f"Q{one.number + 1}",
    )  # fmt: skip


def _chip(one: Citation) -> Chip:
    return Chip(_cut(one.question_id, MAX_SHORT), f"Q{one.number + 1}", one.number % len(COLOURS))


def _note(ones: Sequence[Citation]) -> str:
    """Id, question and values, as plain text."""
    values = dict.fromkeys(one.value for one in ones)
    return plain_note(f"{ones[0].question_id} · {_cut(ones[0].question, MAX_QUESTION)} · {'; '.join(values)}")


def _cut(text: str, limit: int) -> str:
    plain = plain_note(text)
    return plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…"
