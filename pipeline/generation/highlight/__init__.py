"""The PDF with the lines that prove an answer marked on its pages: cited lines strong, what was read around them light.

Each mark carries a note with the candidate's id and the arbiter's reason, as plain text. Bookmarks and a strip of links
in a free margin of the first page lead to each citation: the page count stays as it was, so every page keeps its
number. The same inputs give the same bytes: no clock, no new file id. An encrypted copy alone differs from run to run:
its encryption begins with random numbers, as the standard asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.generation.highlight.bookmarks import add_bookmarks
from pipeline.generation.highlight.links import add_links
from pipeline.generation.highlight.marking import CITED, CONTEXT, draw
from pipeline.generation.highlight.palette import colour_of, hex_colours
from pipeline.generation.highlight.plan import (
    MAX_NOTE_CHARACTERS,
    Mark,
    Stop,
    first_of_groups,
    plain_note,
    plan_marks,
    plan_notes,
    plan_stops,
)
from pipeline.mupdf import open_pdf, pymupdf
from pipeline.pictures import pictures_to_pdf
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.errors import InputError
from schemas.retrieval import RetrievalResult

__all__ = [
    "CITED",
    "CONTEXT",
    "MAX_NOTE_CHARACTERS",
    "Mark",
    "Stop",
    "colour_of",
    "first_of_groups",
    "hex_colours",
    "highlight_pdf",
    "mark_pdf",
    "plain_note",
    "plan_marks",
    "plan_notes",
    "plan_stops",
]


def highlight_pdf(
    pdf: bytes,
    document: ParsedDocument,
    answer: Answer,
    found: RetrievalResult,
    *,
    password: str | None = None,
    language: str = "en",
) -> bytes:
    """A copy of `pdf` with the lines of the answer marked; without items an unmarked copy.

    A file that needs a password gives a copy that needs the same one; a picture file becomes a PDF of its pictures.
    `language` is that of our own words.

    Raises InputError when the lines are not those of `document`, and the errors of `open_pdf`.
    """
    marks = plan_marks(document, answer, found, language=language)
    stops = plan_stops(document, answer, language=language)
    return mark_pdf(pdf, document, marks, stops, password=password, language=language)


def mark_pdf(
    pdf: bytes,
    document: ParsedDocument,
    marks: Sequence[Mark],
    stops: Sequence[Stop],
    *,
    password: str | None = None,
    language: str = "en",
) -> bytes:
    """A copy of `pdf` with these marks, and links and bookmarks to these stops; see `highlight_pdf`."""
    if document.format == "image":
        sizes = list(zip(document.page_df["width"].tolist(), document.page_df["height"].tolist(), strict=True))
        pdf = pictures_to_pdf(pdf, sizes, name=document.source_name)
    with open_pdf(pdf, name=document.source_name, password=password) as opened:
        for mark in marks:
            _require_page(opened, mark, document)
            draw(opened[mark.page_num - 1], mark)
        add_links(opened, document, stops)
        add_bookmarks(opened, stops, language=language)
        data: bytes = opened.tobytes(garbage=1, deflate=True, no_new_id=True, encryption=pymupdf.PDF_ENCRYPT_KEEP)
        return data


def _require_page(opened: Any, mark: Mark, document: ParsedDocument) -> None:
    if mark.page_num > opened.page_count:
        raise InputError(
            f"{document.source_name}: a line stands on page {mark.page_num}, the file has {opened.page_count} "
            "pages; hand over the bytes that the document was parsed from"
        )
