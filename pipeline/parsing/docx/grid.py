"""Tables: a row becomes a line, or a line a paragraph where its cells are long, and every cell a CellRead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pipeline.parsing.docx.inline import read_revision
from pipeline.parsing.docx.names import VAL, Element, W, children, flag, local, number, value
from pipeline.parsing.docx.state import METHOD, Place, State
from pipeline.parsing.docx.styles import Style, read_shading
from pipeline.parsing.lines import Line
from pipeline.parsing.reading import CellRead
from pipeline.parsing.reading_order import CELL_SEPARATOR

MAX_JOINED_CHARS = 160  # characters up to which a cell shares the line of its row with another as long
MAX_NUMBER_CHARS = 8  # characters of a cell that holds a number alone: '12.10.3'
MAX_SPAN = 1000  # columns or rows of one cell; Word allows 63
MERGED = "in a cell that is merged with the one above, which alone is shown"
HIDDEN_ROW = "in a table row that is set to be hidden"

ReadBlocks = Callable[[State, Element, Place], list[Line]]
Flush = Callable[[State], list[Line]]


@dataclass(slots=True)
class _Cell:
    element: Element
    row_num: int
    column_num: int
    column_span: int
    merge: str  # '', 'restart' or 'continue'
    lines: list[Line] = field(default_factory=list)
    row_span: int = 1
    shading: str = ""
    text: str = ""
    is_bold: bool = False
    headings: tuple[int, int] = (0, 0)  # first of its headings in the state, and one after the last


@dataclass(slots=True)
class _Row:
    element: Element
    cells: list[_Cell]
    is_marked: bool  # the file says that it is a header


def read_table(state: State, table: Element, place: Place, read_blocks: ReadBlocks, flush: Flush) -> list[Line]:
    """The lines of a w:tbl in reading order; its cells join `state.cells`.

    A table of one cell is a frame around text. `flush` gives what stands beside a row: notes, boxes, comments.
    """
    rows = _read_rows(table)
    style = state.styles.get(value(table.find(f"{W}tblPr"), "tblStyle") or state.styles.default_table)
    cells = [cell for row in rows for cell in row.cells]
    own = read_shading(table.find(f"{W}tblPr/{W}shd"))
    place = place.within(ground=own) if own else place
    if len(cells) == 1 and place.role == "body":
        return read_blocks(state, cells[0].element, _cell_place(cells[0], place, style))
    state.table_count += 1
    table_id = state.table_count
    inside = place.within(role="table") if place.role == "body" else place
    lines: list[Line] = []
    state.table_depth += 1
    for row in rows:
        lines += _read_row(state, row, inside, style, read_blocks)
        if state.table_depth == 1:
            lines += flush(state)
    state.table_depth -= 1
    _span_rows(cells)
    headers = _count_headers(table, rows, style)
    state.cells += _make_cells(cells, table_id, headers)
    return lines


def _read_rows(table: Element) -> list[_Row]:
    rows = []
    for row_num, element in enumerate(_descend(table, "tr"), start=1):
        properties = element.find(f"{W}trPr")
        column = 1 + min(max(number(value(properties, "gridBefore")) or 0, 0), MAX_SPAN)
        cells: list[_Cell] = []
        for cell in _descend(element, "tc"):
            about = cell.find(f"{W}tcPr")
            span = min(max(number(value(about, "gridSpan")) or 1, 1), MAX_SPAN)
            if value(about, "hMerge") == "continue" and cells:  # how Word 97 merged cells
                cells[-1].column_span += span
                column += span
                continue
            merge = value(about, "vMerge")
            kind = "" if merge is None else (merge or "continue")
            shading = "" if about is None else read_shading(about.find(f"{W}shd")) or ""
            cells.append(_Cell(cell, row_num, column, span, kind, shading=shading))
            column += span
        rows.append(_Row(element, cells, bool(flag(properties, "tblHeader"))))
    return rows


def _descend(parent: Element, name: str) -> Iterator[Element]:
    """Children of a name, through the wrappers of content controls and custom XML."""
    for child in children(parent):
        if child.tag == f"{W}{name}":
            yield child
        elif local(child) in ("sdt", "sdtContent", "customXml", "ins", "del", "moveTo", "moveFrom"):
            yield from _descend(child, name)


def _read_row(state: State, row: _Row, place: Place, style: Style, read_blocks: ReadBlocks) -> list[Line]:
    """Lines of a row: cells of one short paragraph share a line, a longer cell has a line a paragraph."""
    place = _row_place(row.element, place)
    for cell in row.cells:
        inside = _cell_place(cell, place, style)
        if cell.merge == "continue":
            inside = inside.within(hidden=inside.hidden or MERGED)
        first = len(state.headings)
        cell.lines = read_blocks(state, cell.element, inside)
        cell.headings = (first, len(state.headings))
        seen = [line for line in cell.lines if line.visible]
        cell.text = " ".join(line.text for line in seen)
        cell.is_bold = bool(seen) and all(line.bold for line in seen)
    _drop_headings(state, row.cells)
    return _join_cells(state, row.cells)


def _drop_headings(state: State, cells: Sequence[_Cell]) -> None:
    """Headings stay where a cell holds a text of its own, or has its row to itself but for a number before it."""
    for at in reversed(range(len(cells))):
        start, end = cells[at].headings
        others = [other.text for other in cells if other is not cells[at] and other.text]
        is_alone = all(len(text) <= MAX_NUMBER_CHARS for text in others) and len(others) <= 1
        if end > start and not is_alone and sum(line.visible for line in cells[at].lines) <= 1:
            del state.headings[start:end]


def _row_place(element: Element, place: Place) -> Place:
    properties = element.find(f"{W}trPr")
    if properties is None:
        return place
    for kind in ("del", "ins"):
        found = properties.find(f"{W}{kind}")
        if found is not None:
            place = place.within(revision=read_revision(found))
            break
    return place.within(hidden=HIDDEN_ROW) if flag(properties, "hidden") and not place.hidden else place


def _cell_place(cell: _Cell, place: Place, style: Style) -> Place:
    """What is behind the cell's text; unknown where the table's style shades cells by rules of its own."""
    if cell.shading:
        return place.within(ground=cell.shading)
    return place.within(ground="?") if style.has_shading else place


def _join_cells(state: State, cells: Sequence[_Cell]) -> list[Line]:
    lines: list[Line] = []
    hidden: list[Line] = []
    row: Line | None = None  # the line that the next short cell joins
    for cell in cells:
        seen = [line for line in cell.lines if line.visible]
        hidden += [line for line in cell.lines if not line.visible]
        if not seen:
            continue
        first = seen[0]
        if row is not None and _may_share(row, first):
            _append(state, row, first)
        else:
            lines.append(first)
            row = first
        lines += seen[1:]
        if len(seen) > 1:
            row = None
    return lines + hidden


def _may_share(row: Line, line: Line) -> bool:
    short = len(row.text) <= MAX_JOINED_CHARS or len(line.text) <= MAX_JOINED_CHARS
    return short and row.role == line.role


def _append(state: State, row: Line, line: Line) -> None:
    """The words of `line` become the end of `row`."""
    state.moved[id(line)] = (row, len(row.text) + len(CELL_SEPARATOR))
    row.text = f"{row.text}{CELL_SEPARATOR}{line.text}"
    row.bold, row.italic = row.bold and line.bold, row.italic and line.italic
    row.change = row.change or line.change


def _span_rows(cells: Sequence[_Cell]) -> None:
    """Count for each merged cell the rows that it goes on over."""
    above: dict[int, _Cell] = {}
    for cell in cells:
        if cell.merge == "continue" and cell.column_num in above:
            above[cell.column_num].row_span = cell.row_num - above[cell.column_num].row_num + 1
        else:
            above[cell.column_num] = cell
            cell.merge = "restart" if cell.merge else ""


def _count_headers(table: Element, rows: Sequence[_Row], style: Style) -> int:
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


def _is_set_apart(first: _Row, second: _Row) -> bool:
    """All cells with words of the first row are bold or shaded, and not all of the second are."""
    return _is_emphasised(first) and not _is_emphasised(second)


def _is_emphasised(row: _Row) -> bool:
    filled = [cell for cell in row.cells if cell.text]
    return bool(filled) and all(bool(cell.shading) or cell.is_bold for cell in filled)


def _make_cells(cells: Sequence[_Cell], table_id: int, header_rows: int) -> list[CellRead]:
    """A CellRead a cell; a header's words stand at each of the columns that it covers, upper rows first."""
    shown = [cell for cell in cells if cell.merge != "continue"]
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
