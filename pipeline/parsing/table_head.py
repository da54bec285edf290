"""The header of an open table: which rows it has, what its titles stand over, which lines are one title."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pipeline.parsing.table_pieces import Cell, Piece, is_figure, is_year
from pipeline.parsing.table_rows import WRAP_PITCH, Row
from pipeline.parsing.table_rules import Segment

MAX_HEAD_ROWS = 6  # rows at the top that may be header: titles over titles, each over two lines
CENTRE_EMS = 1.0  # a title over columns is centred on them to this distance
UNDERLINE_REACH = 8.0  # points below a title in which the rule may stand that shows how far it reaches
MAX_MARK_CHARS = 3  # characters of a note's mark beside a title, which heads nothing itself
RULE_SHARE = 0.8  # share of the table's width that a rule under its header has


def find_first_rule(rows: Sequence[Row], columns: Sequence[tuple[float, float]], across: Sequence[Segment]) -> int:
    """Rows above the first rule that runs through the table; 0 without one."""
    left, right = columns[0][0], columns[-1][1]
    wide = [y for y, begin, end in across if min(end, right) - max(begin, left) >= RULE_SHARE * (right - left)]
    for at, (one, two) in enumerate(pairwise(rows), start=1):
        if any(one.middle < y < two.middle for y in wide):
            return at
    return 0


def count_head(rows: Sequence[Row], ruled: int) -> int:
    """Rows before the first figures: up to the rule there, or to the last that says something over other columns."""
    first = next((at for at, row in enumerate(rows) if _has_figures(row)), None)
    if 0 < ruled <= MAX_HEAD_ROWS and (first is None or ruled <= first):
        return ruled
    if first is None:
        bold = [all(piece.bold for piece in row.pieces) for row in rows]
        return 1 if len(rows) > 2 and bold[0] and not any(bold[1:]) else 0
    titled = [at for at, row in enumerate(rows[:first]) if any(cell.column > 0 for cell in row.cells)]
    return titled[-1] + 1 if titled and titled[-1] < MAX_HEAD_ROWS else 0


def spread_titles(
    row: Row,
    columns: Sequence[tuple[float, float]],
    underlines: Sequence[Segment],
    *,
    above: Row | None,
    below: Row | None,
) -> None:
    """Widen titles to the columns that they stand over: by the rule under them, and by where they are centred.

    `above` and `below` are the header's neighbouring lines, where they are near: a title's second line stands over what
    its first does, and the first line of a title over one column is not widened.
    """
    for at, cell in enumerate(row.cells):
        if (cell.column == 0 and cell.column_span == 1 and len(row.cells) > 1) or len(cell.text) <= MAX_MARK_CHARS:
            continue
        piece = cell.pieces[0]
        left = row.cells[at - 1].column + row.cells[at - 1].column_span if at else min(cell.column, 1)
        right = row.cells[at + 1].column if at + 1 < len(row.cells) else len(columns)
        first = _same_middle(row, cell, above) if above is not None else None
        ruled = _under(piece, underlines)
        if first is not None:
            cell.column, cell.column_span = first.column, first.column_span
            continue
        if ruled is None and below is not None and _is_first_line(piece, cell, below):
            continue
        spread = cell.column, cell.column_span
        if below is not None or cell.column_span > 1 or not _is_within(piece, columns[cell.column]):
            spread = _centred(piece, cell, columns, left, right)
        if ruled is not None:
            over = [c for c in range(left, right) if min(ruled[1], columns[c][1]) - max(ruled[0], columns[c][0]) > 0]
            if over and not (spread[0] <= over[0] and over[-1] < sum(spread)):
                spread = over[0], over[-1] - over[0] + 1
        cell.column, cell.column_span = spread


def merge_titles(rows: Sequence[Row]) -> list[Row]:
    """Header rows: lines of titles that only go on are one row; titles over several columns stay rows of their own."""
    merged: list[Row] = []
    for row in rows:
        if merged and goes_on(merged[-1], row) and not _is_over(merged[-1]) and not _is_over(row):
            append_row(merged[-1], row)
        else:
            merged.append(row)
    return merged


def goes_on(before: Row, row: Row) -> bool:
    """The row follows as closely as the lines of one cell do."""
    last = max(piece.middle for cell in before.cells for piece in cell.pieces)
    return row.middle - last <= WRAP_PITCH * max(row.size, before.size)


def append_row(row: Row, more: Row) -> None:
    """Put the cells of `more` under those of `row`."""
    by_column = {cell.column: cell for cell in row.cells}
    for cell in more.cells:
        if cell.column in by_column:
            by_column[cell.column].pieces += cell.pieces
        else:
            row.cells.append(cell)
    row.cells.sort(key=lambda cell: cell.column)
    row.pieces = [*row.pieces, *more.pieces]


def _has_figures(row: Row) -> bool:
    inner = [cell for cell in row.cells if cell.column > 0]
    return any(is_figure(cell.text) and not is_year(cell.text) for cell in inner)


def _same_middle(row: Row, cell: Cell, above: Row) -> Cell | None:
    """The cell above that stands in the middle of the same place, where nothing else of the row stands under it."""
    piece = cell.pieces[0]
    middle = (piece.flat[0] + piece.flat[2]) / 2
    for over in above.cells:
        last = over.pieces[-1]
        if abs((last.flat[0] + last.flat[2]) / 2 - middle) <= CENTRE_EMS * piece.size:
            end = over.column + over.column_span
            others = any(other is not cell and over.column <= other.column < end for other in row.cells)
            return None if others else over
    return None


def _is_first_line(piece: Piece, cell: Cell, below: Row) -> bool:
    """The title goes on in the line below: words stand there in the middle of the same column, no year or date."""
    middle = (piece.flat[0] + piece.flat[2]) / 2
    for other in below.pieces:
        if abs((other.flat[0] + other.flat[2]) / 2 - middle) <= CENTRE_EMS * piece.size:
            return cell.column_span == 1 and not any(map(str.isdigit, other.text))
    return False


def _is_within(piece: Piece, column: tuple[float, float]) -> bool:
    return piece.flat[0] < column[1] and piece.flat[2] > column[0]


def _under(piece: Piece, underlines: Sequence[Segment]) -> tuple[float, float] | None:
    """The rule right below the title that is wider than it."""
    x0, _, x1, y1 = piece.flat
    near = [
        (y, begin, end)
        for y, begin, end in underlines
        if -3.0 <= y - y1 <= UNDERLINE_REACH and begin <= x0 + piece.size and end >= x1 - piece.size
    ]
    return min(near)[1:] if near else None


def _centred(
    piece: Piece, cell: Cell, columns: Sequence[tuple[float, float]], left: int, right: int
) -> tuple[int, int]:
    """The most columns around the title that it stands in the middle of; its own where it stands so in none."""
    middle = (piece.flat[0] + piece.flat[2]) / 2
    first, last = cell.column, cell.column + cell.column_span - 1
    ranges = [
        (begin - end, abs((columns[begin][0] + columns[end][1]) / 2 - middle), begin, end)
        for begin in range(left, first + 1)
        for end in range(last, right)
    ]
    centred = [item for item in ranges if item[1] <= CENTRE_EMS * piece.size]
    if not centred:
        return cell.column, cell.column_span
    _, _, begin, end = min(centred)
    return begin, end - begin + 1


def _is_over(row: Row) -> bool:
    return any(cell.column_span > 1 for cell in row.cells)
