"""The workbook to fill in: questions with examples, the metadata sheet, and what each column takes."""

from __future__ import annotations

import io

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from dictionaries.workbook_bytes import without_clock
from pipeline.batch.reading.columns import COLUMNS
from pipeline.batch.reading.questions import LANGUAGES, known_types

_ROWS = 2_001  # rows that offer the choices
_EXAMPLES: tuple[dict[str, str | int], ...] = (
    {"question": "Which law governs the contract?", "id": "law", "type": "jurisdiction", "language": "en"},
    {
        "question": "What is the notice period for termination?", "id": "notice", "type": "duration",
        "allowed": "30 days; 60 days; 90 days", "dictionaries": "contracts", "language": "en", "priority": 1,
    },
)  # fmt: skip
_DOCUMENTS = (
    ("file", "Name of the file, or its path within the collection.", "suppliers/acme.pdf"),
    ("party", "The other party. Any column may be added, and filters may use it.", "Acme Ltd"),
    ("date", "A date, as a date.", "2024-03-01"),
    ("version", "Which version it is.", "2"),
    ("access", "Label by which readers are let in (--access LABEL).", "legal"),
)
_HEAD = PatternFill("solid", start_color="FFDCE6F1")


def write_template() -> bytes:
    """An .xlsx with the sheets questions, documents and help; the same bytes each time."""
    book = Workbook()
    sheet: Worksheet = book.worksheets[0]
    sheet.title = "questions"
    for at, column in enumerate(COLUMNS, 1):
        _head(sheet, at, column.title, column.what, width=48 if column.key == "question" else 22)
    for row, filled in enumerate(_EXAMPLES, 2):
        for at, column in enumerate(COLUMNS, 1):
            sheet.cell(row, at, filled.get(column.key))
            sheet.cell(row, at).alignment = Alignment(wrap_text=True, vertical="top")
    for key, words in (("type", sorted(known_types())), ("language", LANGUAGES)):
        letter = get_column_letter(next(at for at, one in enumerate(COLUMNS, 1) if one.key == key))
        rule = DataValidation(type="list", formula1=f'"{",".join(words)}"', allow_blank=True)
        rule.add(f"{letter}2:{letter}{_ROWS}")
        sheet.add_data_validation(rule)
    documents = book.create_sheet("documents")
    for at, (name, what, example) in enumerate(_DOCUMENTS, 1):
        _head(documents, at, name, f"{what} Example: {example}", width=26)
    guide = book.create_sheet("help")
    for at, (name, width) in enumerate((("sheet", 14), ("column", 18), ("what it takes", 90), ("example", 60)), 1):
        _head(guide, at, name, "", width=width)
    told = [("questions", one.title, one.what, one.example) for one in COLUMNS]
    told += [("documents", name, what, example) for name, what, example in _DOCUMENTS]
    for row, texts in enumerate(told, 2):
        for at, text in enumerate(texts, 1):
            cell = guide.cell(row, at, text)
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    sink = io.BytesIO()
    book.save(sink)
    return without_clock(sink.getvalue())


def _head(sheet: Worksheet, at: int, title: str, what: str, *, width: int) -> None:
    cell = sheet.cell(1, at, title)
    cell.font, cell.fill = Font(bold=True), _HEAD
    if what:
        cell.comment = Comment(what, "Lineproof", height=90, width=260)
    sheet.column_dimensions[get_column_letter(at)].width = width
    sheet.freeze_panes = "A2"
