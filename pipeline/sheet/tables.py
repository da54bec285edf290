"""The tables of a document as grids over its lines, so that a page shows them as tables and still marks each line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from pipeline.sheet.markup import Markup, tag
from schemas.document import ParsedDocument

MAX_SPAN = 100  # rows or columns that a cell may cover; what claims more is damaged, and would blow up a page

Look = Callable[[Sequence[int]], tuple[str, str | None]]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell with the lines it stands on; without any where the format tells none."""

    text: str
    column: int
    line_ids: tuple[int, ...]
    is_header: bool
    row_span: int
    column_span: int


@dataclass(frozen=True, slots=True)
class Grid:
    """A table or its part on one page, row by row; `line_nums` gives a line its number on the page."""

    key: int
    rows: tuple[tuple[Cell, ...], ...]
    line_nums: dict[int, int]

    def within(self, line_ids: set[int]) -> Grid:
        """The rows with at least one of these lines, and those that stand on none."""
        lines = [{line for cell in row for line in cell.line_ids} for row in self.rows]
        kept = tuple(row for row, own in zip(self.rows, lines, strict=True) if not own or own & line_ids)
        return replace(self, rows=kept)


def grids_of(document: ParsedDocument) -> dict[int, Grid]:
    """For each line inside a table, the table's part on the line's page."""
    visible = document.line_df[document.line_df["visible"]]
    numbers = dict(zip(visible["line_id"].tolist(), visible["line_num"].tolist(), strict=True))
    cells = document.table_df.sort_values(["table_id", "page_num", "row_num", "column_num"], kind="stable")
    ends = {name: cells[name].astype("Int64").fillna(0).astype(int) for name in ("line_start", "line_end")}
    cells = cells.assign(**ends)  # 0: the format tells no line
    found: dict[int, Grid] = {}
    parts = groupby(cells.itertuples(index=False), key=lambda cell: (cell.table_id, cell.page_num))
    for key, (_, part) in enumerate(parts):
        by_row = groupby(part, key=lambda cell: cell.row_num)
        rows = tuple(tuple(_cell(cell, numbers) for cell in row) for _, row in by_row)
        lines = {line for row in rows for cell in row for line in cell.line_ids}
        grid = Grid(key, rows, {line: numbers[line] for line in lines})
        found |= dict.fromkeys(lines, grid)
    return found


def show_grid(grid: Grid, look: Look) -> Markup:
    """The table with the number of each row's first line, its cells marked as their lines are."""
    seen: set[int] = set()
    rows = []
    covered: dict[int, int] = {}  # column -> how many rows more a cell from above covers it
    for row in grid.rows:
        lines = sorted({line for cell in row for line in cell.line_ids})
        number = str(grid.line_nums[lines[0]]) if lines else ""
        cells = [_show_cell(cell, look, seen) if cell else tag("td", class_="empty") for cell in _placed(row, covered)]
        rows.append(tag("tr", tag("td", number, class_="n"), *cells))
    return tag("div", tag("table", *rows), class_="scroll")


def _placed(row: Sequence[Cell], covered: dict[int, int]) -> list[Cell | None]:
    """The cells in their columns, None for an empty place; what a cell from above covers gets no place."""
    placed: list[Cell | None] = []
    taken = {column for column, left in covered.items() if left > 0}
    column = 1
    for cell in row:
        placed += [None for free in range(column, min(cell.column, column + MAX_SPAN)) if free not in taken]
        placed.append(cell)
        column = cell.column + cell.column_span
    for one in taken:
        covered[one] -= 1
    for cell in row:
        if cell.row_span > 1:
            covered |= dict.fromkeys(range(cell.column, cell.column + cell.column_span), cell.row_span - 1)
    return placed


def _show_cell(cell: Cell, look: Look, seen: set[int]) -> Markup:
    name, note = look(cell.line_ids)
    new = [line for line in cell.line_ids if line not in seen]
    seen.update(new)
    anchors = [tag("span", id=f"L{line}") for line in new]  # what links lead to; several cells may share a line
    rows, columns = (span if span > 1 else None for span in (cell.row_span, cell.column_span))
    kind = "th" if cell.is_header else "td"
    return tag(kind, *anchors, cell.text, class_=name or None, title=note, rowspan=rows, colspan=columns)


def _cell(cell: Any, numbers: dict[int, int]) -> Cell:
    lines = tuple(line for line in range(cell.line_start, cell.line_end + 1) if line in numbers)
    rows, columns = (min(int(count), MAX_SPAN) for count in (cell.row_span, cell.column_span))
    return Cell(str(cell.text), int(cell.column_num), lines, bool(cell.is_header), rows, columns)
