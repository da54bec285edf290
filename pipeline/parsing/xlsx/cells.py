"""From stored cells to what they show: the words, their kind, and why some of them cannot be seen."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Literal

from pipeline.parsing.xlsx.number_format import show_value, shows_date
from pipeline.parsing.xlsx.places import Range, name_cell
from pipeline.parsing.xlsx.sheet_xml import RawCell, SheetXml, clean_string
from pipeline.parsing.xlsx.styles import CellStyle
from pipeline.parsing.xlsx.workbook import Workbook

Kind = Literal["text", "number", "date", "bool", "error", "formula"]
SECONDS = 86_400  # of a day
_ISO = re.compile(r"(\d{4}-\d{2}-\d{2})?T?(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?Z?")


@dataclass(slots=True)
class Cell:
    """A cell with the words it shows; `hidden`: why a person does not see them, empty where one does."""

    row: int
    column: int
    text: str
    kind: Kind
    style: CellStyle
    hidden: str = ""
    row_span: int = 1
    column_span: int = 1
    number: float | None = None

    @property
    def place(self) -> str:
        """'B4'."""
        return name_cell(self.row, self.column)


def show_row(book: Workbook, sheet: SheetXml, row: int, raws: Sequence[RawCell], merged: Merged) -> list[Cell]:
    """The row's cells with words, from the left; one whose number format shows nothing is hidden, not lost."""
    cells = []
    for raw in sorted(raws, key=lambda raw: raw.column):
        style = book.style(raw.style)
        text, kind, number = _read_value(book, raw, style.code)
        cell = Cell(row, raw.column, text, kind, style, number=number)
        if not text:
            cell.text, _, _ = _read_value(book, raw, "General")
            cell.hidden = "its number format shows nothing"
        if cell.text:
            cell.hidden = cell.hidden or _why_hidden(sheet, cell, merged)
            cells.append(cell)
    return cells


class Merged:
    """The merged ranges of a sheet, asked by place."""

    def __init__(self, ranges: Sequence[Range]) -> None:
        self._spans = {(r[0], r[1]): (r[2] - r[0] + 1, r[3] - r[1] + 1) for r in ranges}
        self._ranges = sorted(set(ranges))
        self._starts = [r[0] for r in self._ranges]
        self._tallest = max((r[2] - r[0] for r in self._ranges), default=0)

    def span(self, row: int, column: int) -> tuple[int, int]:
        """Rows and columns that the cell covers."""
        return self._spans.get((row, column), (1, 1))

    def covers(self, row: int, column: int) -> bool:
        """The cell lies under a merged range that another cell fills."""
        if not self._ranges or (row, column) in self._spans:
            return False
        first = bisect_right(self._starts, row - self._tallest - 1)
        last = bisect_right(self._starts, row)
        return any(r[2] >= row and r[1] <= column <= r[3] for r in self._ranges[first:last])


def _why_hidden(sheet: SheetXml, cell: Cell, merged: Merged) -> str:
    cell.row_span, cell.column_span = merged.span(cell.row, cell.column)
    if any(first <= cell.column <= last for first, last in sheet.hidden_columns):
        return "in a hidden column"
    if merged.covers(cell.row, cell.column):
        return "under a merged cell that shows other words"
    if cell.style.unseen and not any(
        r[0] <= cell.row <= r[2] and r[1] <= cell.column <= r[3] for r in sheet.conditional
    ):
        return cell.style.unseen
    return ""


def _read_value(book: Workbook, raw: RawCell, code: str) -> tuple[str, Kind, float | None]:
    """The words that the cell shows in a format, their kind, and the number behind them."""
    value = raw.value
    if value is None:
        return clean_string(raw.formula), "formula", None
    if raw.kind == "e":
        return clean_string(value), "error", None
    if raw.kind == "b":
        return show_value(value.strip() in ("1", "true"), code), "bool", None
    if raw.kind in ("s", "str", "inlineStr"):
        text = _shared(book, value) if raw.kind == "s" else clean_string(value)
        return show_value(text, code), "text", None
    number = _read_iso(value, date_1904=book.date_1904) if raw.kind == "d" else _read_number(value)
    if number is None:
        return clean_string(value), "text", None
    if raw.kind == "d" and code == "General":
        return clean_string(value), "date", number
    shown = show_value(number, code, date_1904=book.date_1904)
    return shown, "date" if shows_date(code) else "number", number


def _shared(book: Workbook, value: str) -> str:
    index = value.strip()
    if index.isdigit() and int(index) < len(book.strings):
        return book.strings[int(index)]
    return "\ufffd"  # the file promises words here that it does not hold


def _read_number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _read_iso(value: str, *, date_1904: bool) -> float | None:
    """The serial number of a date as Strict files write it (ISO 8601); None for what is no date."""
    found = _ISO.fullmatch(value.strip())
    if found is None or not (found[1] or found[2]):
        return None
    try:
        clock = time.fromisoformat(found[2]) if found[2] else time()
        day = date.fromisoformat(found[1]) if found[1] else None
    except ValueError:
        return None
    seconds = clock.hour * 3_600 + clock.minute * 60 + clock.second + clock.microsecond / 1e6
    epoch = date(1904, 1, 1) if date_1904 else date(1899, 12, 30)
    return (0 if day is None else (day - epoch).days) + seconds / SECONDS
