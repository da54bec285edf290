"""The workbook of retrieved pages: safe to open in a spreadsheet program, the same bytes for the same result."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from dictionaries.workbook_bytes import without_clock
from schemas.retrieval import AuditedRetrievalResult, RetrievedCandidate
from schemas.tables import RETRIEVED_PAGE_DF

CELL_LIMIT = 32_767  # characters a cell may hold (Excel specifications and limits)
CUT_MARK = " [cut: the cell is full]"
# CSV injection, OWASP; the full-width forms too, which some programs read as the plain ones, and what stands before.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "−")
BLANKS = " \u00a0\u2007\u202f\u3000\u200b\ufeff'"  # skipped by programs that trim a cell before they read it
COLUMN_WIDTHS = {"text": 100, "matched_keywords": 40, "methods": 30, "roles": 24}  # characters; 12 for the others
SPARE_ROWS = 500  # rows below the last that also offer the choices

# What XML 1.0 does not allow in a document: control characters, surrogates, the two non-characters of the first plane.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def list_retrieved_pages(result: AuditedRetrievalResult) -> pd.DataFrame:
    """The `retrieved_page_df`: one row a page on which a kept candidate is anchored, best page first."""
    on_page: dict[int, list[tuple[int, RetrievedCandidate]]] = {}
    for rank, candidate in enumerate(result.candidates, 1):
        for page in range(candidate.anchor.page_start, candidate.anchor.page_end + 1):
            on_page.setdefault(page, []).append((rank, candidate))
    pages = sorted(on_page, key=lambda page: (on_page[page][0][0], page))
    rows = {
        "page_num": pages,
        "rank": [on_page[page][0][0] for page in pages],
        "match_count": [len(on_page[page]) for page in pages],
        "matched_keywords": [
            _distinct(word for _, c in on_page[page] for word in c.matched_keywords) for page in pages
        ],
        "methods": [_distinct(name for _, c in on_page[page] for name in c.methods) for page in pages],
        "roles": [_distinct(c.role or "unjudged" for _, c in on_page[page]) for page in pages],
        "text": ["\n".join(_anchor_text(c, page) for _, c in on_page[page]) for page in pages],
    }
    return RETRIEVED_PAGE_DF.build(rows)


def to_workbook(
    frame: pd.DataFrame,
    *,
    title: str,
    choices: Mapping[str, Sequence[str]] | None = None,
    widths: Mapping[str, int] = COLUMN_WIDTHS,
) -> bytes:
    """The frame as an .xlsx file with one sheet. No cell is ever a formula; tuples are joined by '; '.

    In the columns of `choices` a person chooses from a list.
    """
    book = Workbook()
    sheet: Worksheet = book.worksheets[0]
    sheet.title = title
    for column, name in enumerate(frame.columns, 1):
        _fill(sheet, 1, column, str(name))
        sheet.cell(1, column).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(column)].width = widths.get(str(name), 12)
    for row, values in enumerate(frame.itertuples(index=False), 2):
        for column, value in enumerate(values, 1):
            _fill(sheet, row, column, value)
    sheet.freeze_panes = "A2"
    for name, words in (choices or {}).items():
        letter = get_column_letter(list(frame.columns).index(name) + 1)
        rule = DataValidation(type="list", formula1=f'"{",".join(words)}"', allow_blank=True)
        rule.error, rule.errorTitle, rule.showErrorMessage = f"one of: {', '.join(words)}, or empty", name, True
        rule.add(f"{letter}2:{letter}{len(frame) + SPARE_ROWS}")
        sheet.add_data_validation(rule)
    sink = io.BytesIO()
    book.save(sink)
    return without_clock(sink.getvalue())


def _fill(sheet: Worksheet, row: int, column: int, value: Any) -> None:
    if isinstance(value, tuple):
        value = "; ".join(value)
    if not isinstance(value, str):
        sheet.cell(row, column, value)
        return
    text = _NOT_XML.sub("", value)
    if len(text) > CELL_LIMIT:
        text = text[: CELL_LIMIT - len(CUT_MARK)] + CUT_MARK
    cell = sheet.cell(row, column)
    cell.value = text
    cell.data_type = "s"  # never a formula, an error or a date, whatever the text looks like
    cell.alignment = Alignment(wrap_text=True, vertical="top")
    if text.lstrip(BLANKS).startswith(FORMULA_STARTS):
        cell.quotePrefix = True  # the apostrophe that a person would type; not shown


def _anchor_text(candidate: RetrievedCandidate, page: int) -> str:
    anchor = set(candidate.anchor_line_ids)
    texts = candidate.text.split("\n")
    return "\n".join(
        text
        for text, line in zip(texts, candidate.lines, strict=True)
        if line.line_id in anchor and line.page_num == page
    )


def _distinct(words: Any) -> Sequence[str]:
    return tuple(dict.fromkeys(words))
