"""The papers of a run, to store beside its records: the decision sheet, and the document with its lines marked."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.sheet.decision import decision_html, decision_pdf
from pipeline.sheet.lines_page import highlighted_html
from pipeline.store.runs import DECISION, DECISION_PDF, HIGHLIGHTED, HIGHLIGHTED_LINES
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

ON_PAGES = ("pdf", "image")  # formats whose lines have a place on a page


def write_papers(
    document: ParsedDocument,
    question: ParsedQuestion,
    found: AuditedRetrievalResult,
    answer: Answer,
    *,
    data: bytes,
    password: str | None,
    records: Mapping[str, str],
) -> dict[str, bytes]:
    """The files by name: both decision sheets, and with values the marked PDF, or the page of marked lines.

    `data` are the bytes of the document; a format without pages, or a file inside another, whose bytes are not kept
    (`data` is empty), gives the page of lines. `records` are the SHA-256 of the records, by file name.

    Raises InputError when the lines are not those of `document`, and the errors of `pipeline.mupdf.open_pdf`.
    """
    papers = {
        DECISION: decision_html(document, question, found, answer, records=records),
        DECISION_PDF: decision_pdf(document, question, found, answer, records=records),
    }
    if answer.items and data and document.format in ON_PAGES:
        from pipeline.generation.highlight import highlight_pdf

        papers[HIGHLIGHTED] = highlight_pdf(
            data, document, answer, found, password=password, language=question.language
        )
    elif answer.items:
        papers[HIGHLIGHTED_LINES] = highlighted_html(document, answer, found, language=question.language)
    return papers
