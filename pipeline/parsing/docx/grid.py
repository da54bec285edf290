"""Tables: a row becomes a line, or a line a paragraph where its cells are long, and every cell a CellRead."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.parsing.docx.cells import Cell, Row, count_headers, make_cells, read_rows, span_rows
from pipeline.parsing.docx.fields import read_control
from pipeline.parsing.docx.inline import read_revision
from pipeline.parsing.docx.names import Element, W, flag, value
from pipeline.parsing.docx.paragraphs import LABEL
from pipeline.parsing.docx.state import Place, State
from pipeline.parsing.docx.styles import Style, read_shading
from pipeline.parsing.lines import Line
from pipeline.parsing.reading_order import CELL_SEPARATOR

MAX_JOINED_CHARS = 160  # characters up to which a cell shares the line of its row with another as long
MERGED = "in a cell that is merged with another, which alone is shown"
HIDDEN_ROW = "in a table row that is set to be hidden"

ReadBlocks = Callable[[State, Element, Place], list[Line]]
Flush = Callable[[State], list[Line]]


def read_table(state: State, table: Element, place: Place, read_blocks: ReadBlocks, flush: Flush) -> list[Line]:
    """The lines of a w:tbl in reading order; its cells join `state.cells`.

    A table of one cell is a frame around text. `flush` gives what stands beside a row: notes, boxes, comments.
    """
    rows = read_rows(table)
    style = state.styles.get(value(table.find(f"{W}tblPr"), "tblStyle") or state.styles.default_table)
    cells = [cell for row in rows for cell in row.cells]
    own = read_shading(table.find(f"{W}tblPr/{W}shd"))
    place = place.within(ground=own) if own else place
    if len(cells) == 1 and place.role == "body":
        return read_blocks(state, cells[0].element, _cell_place(cells[0], place, style, 1))
    state.table_count += 1
    table_id = state.table_count
    inside = place.within(role="table") if place.role == "body" else place
    lines: list[Line] = []
    state.table_depth += 1
    for row in rows:
        lines += _read_row(state, row, inside, style, (len(rows), read_blocks))
        if state.table_depth == 1:
            lines += flush(state)
    state.table_depth -= 1
    kept = [row for row in rows if not row.is_deleted]
    cells = [cell for row in kept for cell in row.cells]
    span_rows(cells)
    if place.role not in ("header", "footer"):  # there a table only puts texts side by side
        state.cells += make_cells(cells, table_id, count_headers(table, kept, style))
    return lines


def _read_row(state: State, row: Row, place: Place, style: Style, how: tuple[int, ReadBlocks]) -> list[Line]:
    """Lines of a row: cells of one short paragraph share a line, a longer cell has a line a paragraph."""
    row_count, read_blocks = how
    place = _row_place(row.element, place)
    for cell in row.cells:
        inside = _cell_place(cell, place, style, row_count)
        if cell.merge in ("continue", "beside"):
            inside = inside.within(hidden=inside.hidden or MERGED)
        first = len(state.headings)
        cell.lines = read_blocks(state, cell.element, inside)
        cell.headings = (first, len(state.headings))
        seen = [line for line in cell.lines if line.visible]
        cell.text = " ".join(line.text for line in seen)
        cell.is_bold = bool(seen) and all(line.bold for line in seen)
        field = None if cell.control is None else read_control(cell.control, cell.text)
        if field is not None:
            field.line = seen[0] if seen else None
            state.fields.append(field)
    _drop_headings(state, row.cells)
    return _join_cells(state, row.cells)


def _drop_headings(state: State, cells: Sequence[Cell]) -> None:
    """Headings stay where a cell holds a text of its own, or has its row to itself but for a number before it."""
    for at in reversed(range(len(cells))):
        start, end = cells[at].headings
        others = [other.text for other in cells if other is not cells[at] and other.text]
        is_alone = not others or (len(others) == 1 and LABEL.fullmatch(others[0]) is not None)
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


def _cell_place(cell: Cell, place: Place, style: Style, row_count: int) -> Place:
    """What is behind the cell's text, unknown where the table's style shades it; a tracked change of the cell."""
    about = cell.element.find(f"{W}tcPr")
    for kind in ("cellDel", "cellIns"):
        found = None if about is None else about.find(f"{W}{kind}")
        if found is not None:
            place = place.within(revision=read_revision(found))
    if cell.shading:
        return place.within(ground=cell.shading)
    ends = {
        "firstCol",
        "lastCol",
        "firstRow" if cell.row_num == 1 else "",
        "lastRow" if cell.row_num == row_count else "",
    }
    shaded = any(
        part in ends or part.startswith(("band", "whole")) or part[2:] == "Cell" for part in style.shaded_parts
    )
    return place.within(ground="?") if shaded else place


def _join_cells(state: State, cells: Sequence[Cell]) -> list[Line]:
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
