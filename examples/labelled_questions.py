"""The labelled questions of the samples: what `lineproof eval examples/questions.xlsx` asks, and what is right."""

from __future__ import annotations

from io import BytesIO

from dictionaries.workbook_bytes import without_clock

AGREEMENT = "supply_agreement.pdf"
COLUMNS = ("question", "document", "expected_quote", "expected_pages", "expected_value")
# Question and the words that answer it; none: the document does not say, and 'not found' is right.
QUESTIONS: tuple[tuple[str, str | None], ...] = (
    ("What is the liability cap?", "shall not exceed EUR 2,500,000 per Contract Year"),
    ("What is the governing law?", "is governed by the laws of Ireland"),
    ("How long is the warranty?", "for a period of eighteen (18) months from delivery"),
    ("Is there a source code escrow?", None),
    (
        "Is there a non-solicitation of employees?",
        "neither Party shall solicit for employment any employee",
    ),
    ("Is there a covenant not to sue?", None),
)


def questions_workbook() -> bytes:
    """An XLSX of the questions, one a row; the same bytes on every run."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "questions"
    sheet.append(COLUMNS)
    for question, quote in QUESTIONS:
        sheet.append((question, AGREEMENT, quote, None, None))
    sink = BytesIO()
    book.save(sink)
    return without_clock(sink.getvalue())
