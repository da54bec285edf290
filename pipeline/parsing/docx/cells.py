"""The cells of a table: their places and spans, which of them are headers, and the records that they become."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pipeline.parsing.docx.names import VAL, Element, W, children, flag, local, number, value
from pipeline.parsing.docx.state import METHOD
from pipeline.parsing.docx.styles import Style, read_shading
from pipeline.parsing.lines import Line
from pipeline.parsing.reading import CellRead

MAX_SPAN = 1000  # columns or rows of one cell; Word allows 63
_WRAPPERS = ("sdt", "sdtContent", "customXml", "ins", "del", "moveTo", "moveFrom")


@dataclass(slots=True)
class Cell:
    """A w:tc while its table is read; rows and columns from 1."""

    element: Element
    row_num: int
    column_num: int
    column_span: int
    merge: str  # '', 'restart', 'continue' (of the cell above) or 'beside' (of the one before)
    control: Element | None = None  # the content control around it
    lines: list[Line] = field(default_factory=list)
    row_span: int = 1
    shading: str = ""
    text: str = ""
    is_bold: bool = False
    headings: tuple[int, int] = (0, 0)  # first of its headings in the state, and one after the last


@dataclass(slots=True)
class Row:
    """A w:tr while its table is read."""

    element: Element
    cells: list[Cell]
    is_marked: bool  # the file says that it is a header
    is_deleted: bool = False  # a tracked change took it out: it has no place in the grid


def read_rows(table: Element) -> list[Row]:
    """The rows of a w:tbl with their cells in the grid; nothing of their text is read yet."""
    rows: list[Row] = []
    row_num = 0
    for element, _ in _descend(table, "tr"):
        properties = element.find(f"{W}trPr")
        is_deleted = properties is not None and properties.find(f"{W}del") is not None
        row_num += not is_deleted
        column = 1 + min(max(number(value(properties, "gridBefore")) or 0, 0), MAX_SPAN)
        cells: list[Cell] = []
        for cell, control in _descend(element, "tc"):
            about = cell.find(f"{W}tcPr")
            span = min(max(number(value(about, "gridSpan")) or 1, 1), MAX_SPAN)
            merge = value(about, "vMerge")
            kind = "" if merge is None else (merge or "continue")
            owners = [other for other in cells if other.merge != "beside"]
            if value(about, "hMerge") == "continue" and owners:  # how Word 97 merged cells
                owners[-1].column_span += span
                kind = "beside"
            shading = "" if about is None else read_shading(about.find(f"{W}shd")) or ""
            cells.append(Cell(cell, row_num, column, span, kind, control, shading=shading))
            column += span
        rows.append(Row(element, cells, bool(flag(properties, "tblHeader")), is_deleted))
    return rows


def _descend(parent: Element, name: str, control: Element | None = None) -> Iterator[tuple[Element, Element | None]]:
    """Children of a name through all wrappers, each with the content control that is wrapped around it."""
    for child in children(parent):
        kind = local(child)
        if child.tag == f"{W}{name}":
            yield child, control
        elif kind in _WRAPPERS:
            yield from _descend(child, name, child if kind == "sdt" else control)


def span_rows(cells: Sequence[Cell]) -> None:
    """Count for each merged cell the rows that it goes on over."""
    above: dict[int, Cell] = {}
    for cell in cells:
        if cell.merge == "beside":
            continue
        if cell.merge == "continue" and cell.column_num in above:
            above[cell.column_num].row_span = cell.row_num - above[cell.column_num].row_num + 1
        else:
            above[cell.column_num] = cell
            cell.merge = "restart" if cell.merge else ""


def count_headers(table: Element, rows: Sequence[Row], style: Style) -> int:
    """Rows at the top that are headers: those the file marks, else a first row that is set apart from the second."""
    marked = 0
    for row in rows:
        if not row.is_marked:
            break
        marked += 1
    if marked or len(rows) < 2 or len(rows[0].cells) < 2:
        return marked if marked < len(rows) else 0
    return int(_has_styled_header(table, style) or _is_set_apart(rows[0], rows[1]))


def _has_styled_header(table: Element, style: Style) -> bool:
    """The table's style sets its first row apart, and the table asks for it."""
    runs = style.header_runs
    look = table.find(f"{W}tblPr/{W}tblLook")
    if runs is None or look is None or not (runs.bold or runs.ground):
        return False
    wanted = look.get(f"{W}firstRow")
    if wanted is None:
        bits = look.get(VAL, "0")
        return bool(int(bits, 16) & 0x20) if bits.isalnum() and _is_hex(bits) else False
    return wanted.lower() not in ("0", "false", "off")


def _is_hex(text: str) -> bool:
    return all(sign in "0123456789abcdefABCDEF" for sign in text)


def _is_set_apart(first: Row, second: Row) -> bool:
    """All cells with words of the first row are bold or shaded, and not all of the second are."""
    return _is_emphasised(first) and not _is_emphasised(second)


def _is_emphasised(row: Row) -> bool:
    filled = [cell for cell in row.cells if cell.text]
    return bool(filled) and all(bool(cell.shading) or cell.is_bold for cell in filled)


def make_cells(cells: Sequence[Cell], table_id: int, header_rows: int) -> list[CellRead]:
    """A CellRead a cell; a header's words stand at each of the columns that it covers, upper rows first."""
    shown = [cell for cell in cells if cell.merge not in ("continue", "beside")]
    headers: dict[int, list[str]] = {}
    for cell in shown:
        if cell.row_num <= header_rows and cell.text:
            for column in range(cell.column_num, cell.column_num + cell.column_span):
                headers.setdefault(column, []).append(cell.text)
    return [
        CellRead(
            table_id, 1, cell.row_num, cell.column_num, cell.text, cell.row_span, cell.column_span,
            cell.row_num <= header_rows, " ".join(headers.get(cell.column_num, [])), tuple(cell.lines),
            method=METHOD,
        )
        for cell in shown
    ]  # fmt: skip
