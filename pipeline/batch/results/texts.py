"""Words of documents, questions and file names as cells of a sheet: always text, never a formula."""

from __future__ import annotations

import re
from typing import Any

from openpyxl.cell import WriteOnlyCell

from pipeline.store.workbook import BLANKS, CELL_LIMIT, CUT_MARK, FORMULA_STARTS

# What XML 1.0 does not allow: control characters, surrogates, the two non-characters of the first plane.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # what spreadsheet programs read as a character: ECMA-376, 22.4.2.4
REPLACEMENT = "\ufffd"


def plain(text: str) -> str:
    """The text as a cell can hold it: what XML cannot hold shows as a replacement character, a longer one is cut."""
    kept = _NOT_XML.sub(REPLACEMENT, text)
    if "_x" in kept:
        kept = _ESCAPED.sub("_x005F_", kept)
    return kept if len(kept) <= CELL_LIMIT else kept[: CELL_LIMIT - len(CUT_MARK)] + CUT_MARK


def is_suspicious(text: str) -> bool:
    """True for a text that some program would take for a formula, an error or a command."""
    head = text.lstrip(BLANKS)
    return head.startswith((*FORMULA_STARTS, "#"))


def text_cell(sheet: Any, text: str) -> Any:
    """The text as a cell that is text whatever it looks like; the plain string where nothing would mistake it."""
    kept = plain(text)
    if not is_suspicious(kept):
        return kept
    cell = WriteOnlyCell(sheet)
    cell.value = kept
    cell.data_type = "s"
    cell.quotePrefix = True  # the apostrophe that a person would type; not shown
    return cell


def csv_text(value: Any) -> str:
    """A value for a CSV file; a text that could be taken for a formula gets an apostrophe in front (OWASP)."""
    text = "" if value is None else str(value)
    return f"'{text}" if isinstance(value, str) and is_suspicious(text) else text
