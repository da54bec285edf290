"""Tables and charts of a slide as lines, a row each, and as cells."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.parsing.lines import Line
from pipeline.parsing.pptx.charts import Chart
from pipeline.parsing.pptx.frames import Grid, GridCell
from pipeline.parsing.pptx.names import METHOD, Box
from pipeline.parsing.pptx.shapes import Shape
from pipeline.parsing.pptx.words import REASONS, SlideReading, add_line
from pipeline.parsing.reading import CellRead

CELL_GAP = "  "  # two spaces between cells of a row, as between the cells of a PDF's rows (reading_order.py)
TABLE_CHARS = 1_200  # characters of a table that is one paragraph; a longer one is a paragraph a row (as in a sheet)


def add_grid(result: SlideReading, grid: Grid, shape: Shape) -> None:
    """The table's rows as lines and its cells; a merged cell stands in the line of its first row."""
    rows: dict[int, list[GridCell]] = {}
    for cell in grid.cells:
        rows.setdefault(cell.row, []).append(cell)
    if not rows:
        return
    titles = _titles(grid)
    texts = [CELL_GAP.join(cell.text for cell in cells) for cells in rows.values()]
    boxes = [_around([cell.box for cell in cells if cell.box]) or shape.box for cells in rows.values()]
    lines = _add_rows(result, texts, boxes, hidden=shape.hidden)
    for line, cells in zip(lines, rows.values(), strict=True):
        for cell in cells:
            result.cells.append(
                CellRead(
                    result.table, result.page.page_num, cell.row, cell.column, cell.text, cell.row_span,
                    cell.column_span, cell.row <= grid.header_rows, titles.get(cell.column, ""), (line,), cell.box,
                    METHOD,
                )
            )  # fmt: skip


def add_chart(result: SlideReading, chart: Chart, shape: Shape) -> None:
    """Title, titles of the axes, and the figures as a table whose first row names the series."""
    if chart.title:
        result.paragraph += 1
        _hide(add_line(result, chart.title, role="caption", box=shape.box), hidden=shape.hidden)
    for note in chart.notes:
        result.paragraph += 1
        _hide(add_line(result, note, box=shape.box), hidden=shape.hidden)
    for table in chart.tables:
        _add_figures(result, table, shape)


def _add_figures(result: SlideReading, table: Sequence[Sequence[str]], shape: Shape) -> None:
    rows = [row for row in table if any(row)]
    texts = [CELL_GAP.join(cell for cell in row if cell) for row in rows]
    lines = _add_rows(result, texts, [shape.box] * len(texts), hidden=shape.hidden)
    head = table[0]
    for row_num, (line, row) in enumerate(zip(lines, rows, strict=True), start=1):
        for column_num, text in enumerate(row, start=1):
            if text:
                header = head[column_num - 1] if column_num <= len(head) else ""
                result.cells.append(
                    CellRead(
                        result.table, result.page.page_num, row_num, column_num, text, is_header=row is head,
                        header=header, lines=(line,), box=shape.box, method=METHOD,
                    )
                )  # fmt: skip


def _add_rows(result: SlideReading, texts: Sequence[str], boxes: Sequence[Box | None], *, hidden: bool) -> list[Line]:
    result.table += 1
    is_short = sum(map(len, texts)) <= TABLE_CHARS
    lines = []
    for at, (text, box) in enumerate(zip(texts, boxes, strict=True)):
        if at == 0 or not is_short:
            result.paragraph += 1
        lines.append(_hide(add_line(result, text, role="table", box=box), hidden=hidden))
    return lines


def _hide(line: Line, *, hidden: bool) -> Line:
    line.hidden = REASONS["shape"] if hidden else ""
    return line


def _titles(grid: Grid) -> dict[int, str]:
    """Column -> words of its header; a cell over several columns counts for each."""
    titles: dict[int, str] = {}
    for cell in grid.cells:
        if cell.row <= grid.header_rows:
            for column in range(cell.column, cell.column + min(cell.column_span, len(grid.cells))):
                titles[column] = f"{titles[column]} {cell.text}" if column in titles else cell.text
    return titles


def _around(boxes: Sequence[Box]) -> Box | None:
    if not boxes:
        return None
    return (
        min(box[0] for box in boxes), min(box[1] for box in boxes),
        max(box[2] for box in boxes), max(box[3] for box in boxes),
    )  # fmt: skip
