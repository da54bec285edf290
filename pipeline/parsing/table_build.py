"""From rows and grids to a table: wrapped cells joined, header rows told, cells spread over what they head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.parsing.lines import Line
from pipeline.parsing.table_grid import OpenTable, Row, place
from pipeline.parsing.table_pieces import Cell, Piece, is_figure, is_year, join_pieces
from pipeline.parsing.table_rules import Segment

MAX_HEAD_ROWS = 6  # rows at the top that may be header: titles over titles, each over two lines
WRAP_PITCH = 1.6  # distance of lines over their size, up to which they may be one cell's
INDENT_EMS = 0.4  # a label's second line stands at least this far right of its first, where it hangs
CENTRE_EMS = 1.0  # a title over columns is centred on them to this distance
UNDERLINE_REACH = 8.0  # points below a title in which the rule may stand that shows how far it reaches
RULE_SHARE = 0.8  # share of the table's width that a rule under its header has
HEAD_WORDS = 8  # words of a cell that may be a column's title


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
    head = _count_head(rows, _first_rule(rows, table.columns, across))
    left, right = table.columns[0][0], table.columns[-1][1]
    partial = [rule for rule in across if min(rule[2], right) - max(rule[1], left) < RULE_SHARE * (right - left)]
    for at, row in enumerate(rows[:head]):
        above = rows[at - 1] if at and _goes_on(rows[at - 1], row) else None
        _spread(row, table.columns, partial, above, is_last=at == head - 1)
    merged = _merge_head(rows[:head])
    head_count = len(merged)
    merged += _merge_body(rows[head:], table.columns)
    cells = []
    for at, row in enumerate(merged):
        for cell in _tidy(row.cells, len(table.columns)):
            cell.row = at
            cells.append(cell)
    lines = list({id(piece.line): piece.line for row in table.rows for piece in row.pieces}.values())
    return Table(page_num, quarter, list(table.columns), cells, head_count, lines)


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


def _first_rule(rows: Sequence[Row], columns: Sequence[tuple[float, float]], across: Sequence[Segment]) -> int:
    """Rows above the first rule that runs through the table; 0 without one."""
    left, right = columns[0][0], columns[-1][1]
    wide = [y for y, begin, end in across if min(end, right) - max(begin, left) >= RULE_SHARE * (right - left)]
    for at, (one, two) in enumerate(pairwise(rows), start=1):
        if any(one.middle < y < two.middle for y in wide):
            return at
    return 0


def _take_apart(piece: Piece, columns: Sequence[tuple[float, float]]) -> list[Piece]:
    """The piece, or its parts by column where they stand close but under different columns."""
    if not piece.parts or place(piece, columns)[1] == 1:
        return [piece]
    groups: list[tuple[int, list[Piece]]] = []
    for part in piece.parts:
        column, span = place(part, columns)
        if span > 1:
            return [piece]
        if groups and groups[-1][0] == column:
            groups[-1][1].append(part)
        else:
            groups.append((column, [part]))
    return [join_pieces(parts) for _, parts in groups]


def _count_head(rows: Sequence[Row], ruled: int) -> int:
    """Rows before the first figures: up to the rule there, or to the last that says something over other columns."""
    first = next((at for at, row in enumerate(rows) if _has_figures(row)), None)
    if 0 < ruled <= MAX_HEAD_ROWS and (first is None or ruled <= first):
        return ruled
    if first is None:
        bold = [all(piece.bold for piece in row.pieces) for row in rows]
        return 1 if len(rows) > 2 and bold[0] and not any(bold[1:]) else 0
    titled = [at for at, row in enumerate(rows[:first]) if any(cell.column > 0 for cell in row.cells)]
    return titled[-1] + 1 if titled and titled[-1] < MAX_HEAD_ROWS else 0


def _has_figures(row: Row) -> bool:
    inner = [cell for cell in row.cells if cell.column > 0]
    return any(is_figure(cell.text) and not is_year(cell.text) for cell in inner)


def _spread(
    row: Row,
    columns: Sequence[tuple[float, float]],
    underlines: Sequence[Segment],
    above: Row | None,
    *,
    is_last: bool,
) -> None:
    """Widen titles to the columns that they stand over: by the rule under them, else by where they are centred.

    A title's second line stands over what its first does; `above` is the line above, where it is near.
    """
    for at, cell in enumerate(row.cells):
        if cell.column == 0 and cell.column_span == 1 and len(row.cells) > 1:
            continue
        piece = cell.pieces[0]
        left = row.cells[at - 1].column + row.cells[at - 1].column_span if at else min(cell.column, 1)
        right = row.cells[at + 1].column if at + 1 < len(row.cells) else len(columns)
        ruled = _under(piece, underlines)
        x0, x1 = ruled if ruled is not None else (piece.flat[0], piece.flat[2])
        first = _same_middle(row, cell, above) if above is not None else None
        if first is not None:
            cell.column, cell.column_span = first.column, first.column_span
        elif ruled is not None:
            over = [c for c in range(left, right) if min(x1, columns[c][1]) - max(x0, columns[c][0]) > 0]
            if over:
                cell.column, cell.column_span = over[0], over[-1] - over[0] + 1
        elif not is_last or cell.column_span > 1 or not _is_within(piece, columns[cell.column]):
            cell.column, cell.column_span = _centred(piece, cell, columns, left, right)


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


def _merge_head(rows: Sequence[Row]) -> list[Row]:
    """Header rows: lines of titles that only go on are one row; titles over several columns stay rows of their own."""
    merged: list[Row] = []
    for row in rows:
        if merged and _goes_on(merged[-1], row) and not _is_over(merged[-1]) and not _is_over(row):
            _append(merged[-1], row)
        else:
            merged.append(row)
    return merged


def _is_over(row: Row) -> bool:
    return any(cell.column_span > 1 for cell in row.cells)


def _goes_on(before: Row, row: Row) -> bool:
    last = max(piece.middle for cell in before.cells for piece in cell.pieces)
    return row.middle - last <= WRAP_PITCH * max(row.size, before.size)


def _append(row: Row, more: Row) -> None:
    """Put the cells of `more` under those of `row`."""
    by_column = {cell.column: cell for cell in row.cells}
    for cell in more.cells:
        if cell.column in by_column:
            by_column[cell.column].pieces += cell.pieces
        else:
            row.cells.append(cell)
    row.cells.sort(key=lambda cell: cell.column)
    row.pieces = [*row.pieces, *more.pieces]


def _merge_body(rows: Sequence[Row], columns: Sequence[tuple[float, float]]) -> list[Row]:
    """Rows of which a cell runs over several lines, as one."""
    at_end = _figures_at_end(rows)
    merged: list[Row] = []
    for row in rows:
        if merged and _wraps(merged[-1], row, columns, at_end=at_end):
            _append(merged[-1], row)
        else:
            merged.append(row)
    return merged


def _figures_at_end(rows: Sequence[Row]) -> bool:
    """Where a label runs over lines, its figures stand at the last one rather than at the first."""
    votes = 0
    for before, row in pairwise(rows):
        if _goes_on(before, row) and row.pieces[0].text[:1].islower() and row.cells[0].column == 0:
            votes += (len(row.cells) > 1 and len(before.cells) == 1) - (len(row.cells) == 1 and len(before.cells) > 1)
    return votes > 0


def _wraps(before: Row, row: Row, columns: Sequence[tuple[float, float]], *, at_end: bool) -> bool:
    """The row is the rest of the one before: of its label, or of cells of words beside it."""
    if not _goes_on(before, row) or not before.cells or not row.cells:
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
