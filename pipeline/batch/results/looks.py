"""How cells look: a fill a status, a number format a kind; made once a sheet and given to many cells."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from datetime import date
from typing import Any

from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font, PatternFill

from pipeline.batch.results.texts import is_suspicious, plain
from schemas.batch import BatchCell, CellStatus, CellValue

# Pale fills that colour-blind people tell apart by lightness too; the words say the status in any case.
FILLS: Mapping[CellStatus, str] = {
    "answered": "FFE2F0D9", "partial": "FFFFF2CC", "not_found": "FFEDEDED", "needs_clarification": "FFDDEBF7",
    "refused": "FFFCE4D6", "out_of_scope": "FFFFFFFF", "not_asked": "FFD9D2E9", "failed": "FFF4B6B6",
}  # fmt: skip
WORDS: Mapping[CellStatus, str] = {
    "answered": "answered", "partial": "in part", "not_found": "not found", "needs_clarification": "unclear question",
    "refused": "refused", "out_of_scope": "out of scope", "not_asked": "not asked", "failed": "failed",
}  # fmt: skip
PLAIN, WHOLE, DECIMAL, SHARE, DAY = "General", "#,##0", "#,##0.00", "0.0##%", "yyyy-mm-dd"
MAX_TEXT = 300  # characters of a text in the grid; the long sheet has it whole
BOLD = Font(name="Calibri", size=11, bold=True)
HEAD = PatternFill("solid", start_color="FFDCE6F1")


class Looks:
    """The styles of one sheet."""

    def __init__(self, sheet: Any) -> None:
        """Styles are kept by the workbook of `sheet`."""
        self._sheet = sheet
        self._made: dict[tuple[str, str, bool], Any] = {}

    def cell(self, value: Any, *, fill: str = "", form: str = PLAIN, quoted: bool = False) -> Any:
        """A cell of a look; `quoted`: a text that must never be taken for a formula."""
        look = (fill, form, quoted)
        cell = WriteOnlyCell(self._sheet)
        cell.value = value
        if isinstance(value, str):
            cell.data_type = "s"
        if look not in self._made:
            cell.number_format = form
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if fill:
                cell.fill = PatternFill("solid", start_color=fill)
            cell.quotePrefix = int(quoted)
            self._made[look] = copy(cell._style)  # type: ignore[attr-defined]  # noqa: SLF001 - no public way to share one
        else:
            cell._style = copy(self._made[look])  # type: ignore[attr-defined]  # noqa: SLF001
        return cell

    def text(self, text: str, *, fill: str = "") -> Any:
        """A text of a look."""
        kept = plain(text)
        return self.cell(kept, fill=fill, quoted=is_suspicious(kept))

    def head(self, text: str) -> Any:
        """A title."""
        kept = plain(text)
        cell = WriteOnlyCell(self._sheet)
        cell.value = kept
        cell.data_type = "s"
        cell.font, cell.fill, cell.alignment = BOLD, HEAD, Alignment(wrap_text=True, vertical="top")
        cell.quotePrefix = int(is_suspicious(kept))
        return cell

    def of_cell(self, cell: BatchCell) -> Any:
        """A cell of the grid: a number as a number, a date as a date, else words."""
        fill = FILLS[cell.status]
        if len(cell.values) == 1:
            value, form = typed(cell.values[0])
            if not isinstance(value, str):
                return self.cell(value, fill=fill, form=form)
        text = "; ".join(one.text for one in cell.values) if cell.values else WORDS[cell.status]
        return self.text(text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 6]} [...]", fill=fill)


def typed(value: CellValue) -> tuple[float | date | str, str]:
    """The value as a spreadsheet computes with it, and its number format; its words where it is neither.

    Conditional, computed or labelled words are kept as words: a bare number would hide the condition.
    """
    if value.date is not None and value.kind == "date":
        return date.fromisoformat(value.date), DAY
    if value.number is not None and value.kind in ("amount", "percentage", "number", "duration"):
        whole = value.number == int(value.number)
        if value.kind == "percentage":
            return value.number, SHARE
        form = WHOLE if whole else DECIMAL
        if value.kind == "amount" and value.unit and value.unit.isascii() and value.unit.isalpha():
            return value.number, f'{form}" {value.unit}"'
        if value.kind == "duration" and value.unit:
            unit = value.unit.replace("_", " ") + ("" if value.number == 1 else "s")
            return value.number, f'{form}" {unit}"'
        return value.number, form
    if value.boolean is not None and value.kind == "boolean":
        return value.text, PLAIN
    return value.text, PLAIN
