"""A dictionary as a workbook that an expert without Python likes to edit; equal dictionaries give equal bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from dictionaries.file_format import KINDS, DictionaryFile, FileTerm
from dictionaries.workbook_bytes import without_clock
from dictionaries.workbook_layout import (
    CELL_LIMIT,
    CONCEPT_COLUMNS,
    CONCEPTS,
    EXPLANATION,
    EXPORTED_FROM,
    FIELD,
    HEAD,
    HEAD_FIELDS,
    KIND_WORDS,
    MEANING,
    README,
    TERM_COLUMNS,
    TERMS,
    VALUE,
    Column,
    to_cell_text,
)  # fmt: skip
from schemas.errors import DictionaryError

SPARE_ROWS = 2_000  # rows below the last that also offer the choices and are formatted as text
STARTS_OF_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "'")  # CSV injection, OWASP; and the mark of a text itself
TEXT_FORMAT, DATE_FORMAT = "@", "yyyy-mm-dd"
_BOLD, _DIM = Font(bold=True), Font(color="FF666666")
_SHADED = PatternFill("solid", fgColor="FFDDE6EE")
_WRAPPED = Alignment(wrap_text=True, vertical="top")


def to_workbook(parsed: DictionaryFile, *, name: str) -> bytes:
    """The dictionary as an .xlsx file of four sheets: read me, dictionary, concepts, terms. No cell is a formula.

    Raises DictionaryError for a text longer than a cell may hold.
    """
    book = Workbook()
    first: Worksheet = book.worksheets[0]
    _explain(first, parsed.version)
    _write_head(book.create_sheet(HEAD), parsed, name)
    _write_table(book.create_sheet(CONCEPTS), CONCEPT_COLUMNS, list(_concept_rows(parsed)), frozen="B2")
    _write_table(book.create_sheet(TERMS), TERM_COLUMNS, list(_term_rows(parsed)), frozen="A2")
    _offer_choices(book, parsed)
    book.active = book.worksheets.index(book[TERMS])
    for sheet in book.worksheets:  # else the first sheet would be chosen too, and be edited along with it
        sheet.sheet_view.tabSelected = sheet.title == TERMS
    sink = io.BytesIO()
    book.save(sink)
    return without_clock(sink.getvalue())


def _concept_rows(parsed: DictionaryFile) -> Iterator[list[Any]]:
    for concept_id, concept in parsed.concepts.items():
        yield [
            concept_id if column.name == "concept" else _value(getattr(concept, column.name))
            for column in CONCEPT_COLUMNS
        ]


def _term_rows(parsed: DictionaryFile) -> Iterator[list[Any]]:
    for concept_id, concept in parsed.concepts.items():
        for language, words in concept.words.items():
            for kind in KINDS:
                for entry in getattr(words, kind):
                    text, weight = (entry.term, entry.weight) if isinstance(entry, FileTerm) else (entry, None)
                    yield [concept_id, language, KIND_WORDS[kind], text, weight]


def _value(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "\n".join(value) if isinstance(value, tuple) else value


def _explain(sheet: Worksheet, version: str) -> None:
    sheet.title = README
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 28, 100
    row = 0
    for text in EXPLANATION:
        row += 1
        _fill(sheet, row, 1, text or None)
        sheet.cell(row, 1).alignment = Alignment(vertical="top")  # runs on into the next column
        if text and not text.endswith("."):
            sheet.cell(row, 1).font = _BOLD  # a heading
    for title, columns in ((HEAD, HEAD_FIELDS), (CONCEPTS, CONCEPT_COLUMNS), (TERMS, TERM_COLUMNS)):
        row += 1
        _fill(sheet, row, 1, f"Sheet '{title}'")
        sheet.cell(row, 1).font = _BOLD
        for column in columns:
            row += 1
            _fill(sheet, row, 1, column.name)
            _fill(sheet, row, 2, _explained(column))
    _fill(sheet, row + 2, 1, EXPORTED_FROM)
    _fill(sheet, row + 2, 2, version)


def _explained(column: Column) -> str:
    return f"{column.meaning} One of: {', '.join(column.choices)}." if column.choices else column.meaning


def _write_head(sheet: Worksheet, parsed: DictionaryFile, name: str) -> None:
    for number, (title, width) in enumerate(((FIELD, 18), (VALUE, 70), (MEANING, 70)), 1):
        _head_cell(sheet, number, title, width)
    for row, field in enumerate(HEAD_FIELDS, 2):
        value = name if field.name == "name" else getattr(parsed, field.name)
        _fill(sheet, row, 1, field.name)
        _fill(sheet, row, 2, ", ".join(value) if isinstance(value, tuple) else value)
        _fill(sheet, row, 3, field.meaning)
        sheet.cell(row, 1).font, sheet.cell(row, 3).font = _BOLD, _DIM
    sheet.freeze_panes = "A2"


def _write_table(sheet: Worksheet, columns: Sequence[Column], rows: list[list[Any]], *, frozen: str) -> None:
    for number, column in enumerate(columns, 1):
        _head_cell(sheet, number, column.name, column.width, column.content)
    for row, values in enumerate(rows, 2):
        for number, value in enumerate(values, 1):
            _fill(sheet, row, number, value)
    sheet.freeze_panes = frozen
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(columns))}{len(rows) + 1}"


def _head_cell(sheet: Worksheet, number: int, title: str, width: int, content: str = "text") -> None:
    cell = sheet.cell(1, number, title)
    cell.font, cell.fill, cell.alignment = _BOLD, _SHADED, _WRAPPED
    dimension = sheet.column_dimensions[get_column_letter(number)]
    dimension.width = width
    if content != "number":
        dimension.number_format = TEXT_FORMAT  # what is typed below the last row stays what was typed ('1.0', '1/2')
    dimension.alignment = _WRAPPED


def _fill(sheet: Worksheet, row: int, column: int, value: Any) -> None:
    cell = sheet.cell(row, column)
    cell.alignment = _WRAPPED
    if isinstance(value, float | date):
        cell.value = value
        cell.number_format = DATE_FORMAT if isinstance(value, date) else "General"
        return
    cell.number_format = TEXT_FORMAT
    if value is None or value == "":
        return
    text = to_cell_text(value)
    if len(text) > CELL_LIMIT:
        raise DictionaryError(
            f"sheet {sheet.title!r}, row {row}: a text of {len(text)} characters, a cell holds {CELL_LIMIT}; shorten it"
        )
    cell.value = text
    cell.data_type = "s"  # never a formula, an error or a number, whatever the text looks like
    if text.startswith(STARTS_OF_FORMULAS):
        cell.quotePrefix = True  # the apostrophe that a person would type; not shown


def _offer_choices(book: Workbook, parsed: DictionaryFile) -> None:
    """Lists to choose from in the closed columns, also below the last row."""
    concepts: Worksheet = book[CONCEPTS]
    last = concepts.max_row + SPARE_ROWS
    known = f"{quote_sheetname(CONCEPTS)}!$A$2:$A${last}"
    for title, columns in ((CONCEPTS, CONCEPT_COLUMNS), (TERMS, TERM_COLUMNS)):
        sheet: Worksheet = book[title]
        rows = f"2:{{0}}{sheet.max_row + SPARE_ROWS}"
        for number, column in enumerate(columns, 1):
            letter = get_column_letter(number)
            choices = parsed.languages if column.name == "language" else column.choices
            if column.content == "number":
                rule = DataValidation(type="decimal", operator="between", formula1="0", formula2="1", allow_blank=True)
            elif title == TERMS and column.name == "concept":
                rule = DataValidation(type="list", formula1=known, allow_blank=True)
            elif choices:
                rule = DataValidation(type="list", formula1=f'"{",".join(choices)}"', allow_blank=True)
            else:
                continue
            rule.error, rule.errorTitle = column.meaning[:225], column.name  # lengths that Excel allows: 225 and 32
            rule.showErrorMessage = column.name != "answer_type"  # an open list: others may be written
            rule.add(f"{letter}{rows.format(letter)}")
            sheet.add_data_validation(rule)
