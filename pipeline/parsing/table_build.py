"""From rows in columns to a table: cells, wrapped labels as one, header rows told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.parsing.lines import Line
from pipeline.parsing.table_grid import OpenTable, place
from pipeline.parsing.table_head import (
    RULE_SHARE,
    append_row,
    count_head,
    find_first_rule,
    goes_on,
    merge_titles,
    spread_titles,
)
from pipeline.parsing.table_pieces import Cell, Piece, is_figure, join_pieces
from pipeline.parsing.table_rows import Row
from pipeline.parsing.table_rules import Segment

INDENT_EMS = 0.4  # a label's second line stands at least this far right of its first, where it hangs


@dataclass(slots=True)
class Table:
    """A table of one page; rows and columns from 0, `edges` the columns' left and right edges in points."""

    page_num: int
    quarter: int
    edges: list[tuple[float, float]]
    cells: list[Cell]
    head_count: int
    lines: list[Line]
    is_ruled: bool = False
    table_id: int = 0
    row_shift: int = 0  # rows of the pages before, where it goes on over pages
    headers: list[str] = field(default_factory=list)

    @property
    def row_count(self) -> int:
        """Rows, those of the header included."""
        return max((cell.row + cell.row_span for cell in self.cells), default=0)


def build_open(page_num: int, quarter: int, table: OpenTable, across: Sequence[Segment]) -> Table:
    """The table out of rows in columns; `across` are the rules across the page."""
    rows = [_fill(row, at, table.columns) for at, row in enumerate(table.rows)]
    head = count_head(rows, find_first_rule(rows, table.columns, across))
    left, right = table.columns[0][0], table.columns[-1][1]
    partial = [rule for rule in across if min(rule[2], right) - max(rule[1], left) < RULE_SHARE * (right - left)]
    wide = _full_width(rows[head:], table.columns)
    for at, row in enumerate(rows[:head]):
        above = rows[at - 1] if at and goes_on(rows[at - 1], row) else None
        below = rows[at + 1] if at + 1 < head else None
        spread_titles(row, wide, partial, above=above, below=below)
    merged = merge_titles(rows[:head])
    head_count = len(merged)
    merged += _merge_body(rows[head:], table.columns)
    cells = []
    for at, row in enumerate(merged):
        for cell in _tidy(row.cells, len(table.columns)):
            cell.row = at
            cells.append(cell)
    lines = list({id(piece.line): piece.line for row in table.rows for piece in row.pieces}.values())
    return Table(page_num, quarter, list(table.columns), cells, head_count, lines)


def head_texts(table: Table) -> list[str]:
    """The header of each column: its titles from the top down, those over several columns included."""
    texts: list[list[str]] = [[] for _ in table.edges]
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        if cell.row < table.head_count and cell.text:
            for column in range(cell.column, min(cell.column + cell.column_span, len(texts))):
                texts[column].append(cell.text)
    return [" ".join(parts) for parts in texts]


def _fill(row: Row, at: int, columns: Sequence[tuple[float, float]]) -> Row:
    """Write the row's cells; two pieces of one column are one cell."""
    row.cells = []
    row.pieces = [part for piece in row.pieces for part in _take_apart(piece, columns)]
    for piece in row.pieces:
        column, span = place(piece, columns)
        if column == 0 and len(row.pieces) == 1:
            span = 1  # a label that runs on over empty columns
        last = row.cells[-1] if row.cells else None
        if last is not None and column < last.column + last.column_span:
            last.pieces.append(piece)
            last.column_span = max(last.column_span, column + span - last.column)
        else:
            row.cells.append(Cell(at, column, 1, span, [piece]))
    return row


def _full_width(rows: Sequence[Row], columns: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The columns with the currency signs at their left, over which titles are centred."""
    wide = list(columns)
    for row in rows:
        for cell in row.cells:
            if cell.column_span == 1 and cell.column:
                left, right = wide[cell.column]
                wide[cell.column] = (min(left, cell.pieces[0].flat[0]), right)
    return wide


def _take_apart(piece: Piece, columns: Sequence[tuple[float, float]]) -> list[Piece]:
    """The piece, or its parts by column where they stand close but under different columns."""
    if not piece.parts or place(piece, columns)[1] == 1:
        return [piece]
    groups: list[tuple[int, list[Piece]]] = []
    for part in piece.parts:
        column, span = place(part, columns)
        if span > 1:  # its middle decides
            middle = (part.left + part.right) / 2
            column = min(range(column, column + span), key=lambda at: abs(sum(columns[at]) / 2 - middle))
        if groups and groups[-1][0] == column:
            groups[-1][1].append(part)
        else:
            groups.append((column, [part]))
    return [join_pieces(parts) for _, parts in groups]


def _tidy(cells: Sequence[Cell], column_count: int) -> list[Cell]:
    """The row's cells from left to right, none over another: two at one place are one, a span ends at the next cell."""
    kept: list[Cell] = []
    for cell in sorted(cells, key=lambda cell: cell.column):
        if kept and kept[-1].column == cell.column:
            kept[-1].pieces += cell.pieces
            kept[-1].column_span = max(kept[-1].column_span, cell.column_span)
        else:
            kept.append(cell)
    ends = [*(cell.column for cell in kept[1:]), column_count]
    for cell, end in zip(kept, ends, strict=True):
        cell.column_span = min(cell.column_span, end - cell.column)
    return kept


def _merge_body(rows: Sequence[Row], columns: Sequence[tuple[float, float]]) -> list[Row]:
    """Rows of which a cell runs over several lines, as one."""
    at_end = _figures_at_end(rows)
    merged: list[Row] = []
    for row in rows:
        if merged and _wraps(merged[-1], row, columns, at_end=at_end):
            append_row(merged[-1], row)
        else:
            merged.append(row)
    return merged


def _figures_at_end(rows: Sequence[Row]) -> bool:
    """Where a label runs over lines, its figures stand at the last one rather than at the first."""
    votes = 0
    for before, row in pairwise(rows):
        if goes_on(before, row) and row.pieces[0].text[:1].islower() and row.cells[0].column == 0:
            votes += (len(row.cells) > 1 and len(before.cells) == 1) - (len(row.cells) == 1 and len(before.cells) > 1)
    return votes > 0


def _wraps(before: Row, row: Row, columns: Sequence[tuple[float, float]], *, at_end: bool) -> bool:
    """The row is the rest of the one before: of its label, or of cells of words beside it."""
    if not goes_on(before, row) or not before.cells or not row.cells:
        return False
    label, more = before.cells[0], row.cells[0]
    if more.column > 0:
        words = not any(is_figure(cell.text) for cell in row.cells)
        taken = {cell.column for cell in before.cells}
        return words and len(row.cells) < len(columns) - 1 and {cell.column for cell in row.cells} <= taken
    if label.column > 0 or (len(before.cells) > 1 and (at_end or len(row.cells) > 1)):
        return False
    one, two = label.pieces[-1], more.pieces[0]
    if one.bold != two.bold or one.text.endswith(":"):
        return False
    if two.text[:1].islower():
        return True
    first_word = len(two.text.split(None, 1)[0]) / max(len(two.text), 1) * (two.flat[2] - two.flat[0])
    fitted = one.flat[2] + first_word + 0.3 * one.size <= columns[0][1]
    hangs = two.flat[0] - label.pieces[0].flat[0] >= INDENT_EMS * two.size
    return not fitted and (hangs or len(label.pieces) > 1 or len(before.cells) == 1) and not _starts_anew(two.text)


def _starts_anew(text: str) -> bool:
    return text.split(None, 1)[0].casefold() in ("total", "less", "net", "subtotal", "other")
