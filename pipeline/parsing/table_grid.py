"""Open tables: rows of pieces that stand apart, in columns that white space alone sets off."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.parsing.lines import Line
from pipeline.parsing.table_pieces import Piece, is_figure, is_year, join_boxes
from pipeline.parsing.table_rows import Row, group_rows, has_figure, is_sentence, titles_above
from pipeline.parsing.table_rules import Box

MIN_ROWS = 3  # rows with cells of an open table; two lines side by side are as likely a signature or an address
MIN_FIGURE_ROWS = 2  # rows with figures from which columns are read off them alone: titles run over columns
MIN_DEEP_SHARE = 0.25  # share of the rows that must have as many cells for the columns to be read off them
MAX_CROSSING_SHARE = 0.08  # share of those rows whose words may run into the white space between two columns
MIN_GUTTER = 1.5  # points of white space between two columns
MIN_FIGURE_SHARE = 0.5  # share of the cells right of the first column that are figures in a table of figures
MAX_FORMULA_SHARE = 0.34  # formulas a row, from which the rows are equations with their numbers
MAX_WORDY_SHARE = 0.34  # share of cells that are sentences, above which the rows are prose side by side
MIN_ALIGNED_SHARE = 0.7  # share of a column's cells that begin, end or are centred at one place
ALIGN_TOLERANCE = 3.0  # points by which they may differ
MIN_WORD_COLUMNS = 3  # columns of a table of words that neither rules nor a caption show

_FILL_IN = re.compile(r"_{3,}|\.{5,}|^(?:by|name|title|date|its|signature|signed|print|attest)\s*:", re.IGNORECASE)
_FORMULA = re.compile("[=≤≥∑∫√∂∈\U0001d400-\U0001d7ff]")
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(slots=True)
class OpenTable:
    """Rows with the extents of their columns, before header and wrapped cells are told."""

    rows: list[Row]
    columns: list[tuple[float, float]]


def find_open_tables(lines: Sequence[Line], is_marked: Callable[[Box], bool]) -> list[OpenTable]:
    """Open tables among lines of one direction in reading order; `is_marked`: a caption or rules tell a table there."""
    tables = []
    for lead, group in group_rows(lines):
        box = join_boxes([piece.flat for row in group for piece in row.pieces])
        table = _read_group(group, is_marked=is_marked(box))
        if table is not None:
            table.rows = [*titles_above(lead, table.rows, table.columns), *table.rows]
            tables.append(table)
    return tables


def place(piece: Piece, columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """First column of the piece, from 0, and how many it runs over; the nearest one where it stands beside all."""
    x0, x1 = piece.left, piece.right
    least = min(MIN_GUTTER, 0.25 * (x1 - x0))
    first = last = -1
    for at, (left, right) in enumerate(columns):
        if left > x1:
            break
        if (min(x1, right)) - (max(x0, left)) > least:
            first, last = (at, at) if first < 0 else (first, at)
    if first >= 0:
        return first, last - first + 1
    middle = (x0 + x1) / 2
    return min(range(len(columns)), key=lambda at: abs(sum(columns[at]) / 2 - middle)), 1


def find_columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Left and right edge of each column, from left to right, read off the rows that have most cells."""
    counts = sorted((len(row.pieces) for row in rows), reverse=True)
    needed = max(2, round(MIN_DEEP_SHARE * len(rows)))
    depth = counts[min(needed, len(counts)) - 1]
    deep = [row for row in rows if len(row.pieces) >= depth]
    edges = sorted(
        [(piece.left, 1) for row in deep for piece in row.pieces]
        + [(max(piece.right, piece.left + 0.1), -1) for row in deep for piece in row.pieces]
    )
    allowed = int(MAX_CROSSING_SHARE * len(deep))
    columns: list[tuple[float, float]] = []
    height, begin = 0, 0.0
    for x, step in edges:
        if height <= allowed < height + step:
            begin = x
        elif height + step <= allowed < height:
            if columns and begin - columns[-1][1] < MIN_GUTTER:
                begin = columns.pop()[0]
            columns.append((begin, x))
        height += step
    return columns


def _read_group(group: list[Row], *, is_marked: bool) -> OpenTable | None:
    deep = [row for row in group if row.is_split]
    if len(deep) < (MIN_ROWS if not is_marked else MIN_ROWS - 1):
        return None
    columns = find_columns(
        [row for row in deep if has_figure(row)] if sum(map(has_figure, deep)) >= MIN_FIGURE_ROWS else deep
    )
    if len(columns) < 2:
        return None
    return OpenTable(group, columns) if _is_table(deep, columns, is_marked=is_marked) else None


def _is_table(rows: Sequence[Row], columns: Sequence[tuple[float, float]], *, is_marked: bool) -> bool:
    pieces = [piece for row in rows for piece in row.pieces]
    if sum(_FILL_IN.search(piece.text) is not None or "@" in piece.text for piece in pieces) * 4 >= len(rows):
        return False
    if sum(_FORMULA.search(piece.text) is not None for piece in pieces) >= MAX_FORMULA_SHARE * len(rows):
        return False
    placed = [(piece, place(piece, columns)) for piece in pieces]
    inner = [piece for piece, (column, span) in placed if column > 0 and span == 1]
    if not inner:
        return False
    figures = sum(is_figure(piece.text) and not is_year(piece.text) for piece in inner)
    if sum(map(is_sentence, pieces)) > MAX_WORDY_SHARE * len(pieces):
        return False
    needed = MIN_ROWS - 1 if is_marked or len(columns) > 2 else MIN_ROWS
    if figures >= MIN_FIGURE_SHARE * len(inner) and figures >= needed:
        return True
    filled = [sum(column == at for _, (column, _) in placed) for at in range(len(columns))]
    if min(filled) * 3 < len(rows):
        return False
    aligned = all(
        _is_aligned([piece for piece, (column, span) in placed if column == at and span == 1])
        for at in range(len(columns))
    )
    shown = is_marked or (len(columns) >= MIN_WORD_COLUMNS and _has_bold_head(rows))
    return aligned and shown and _is_short(pieces)


def _has_bold_head(rows: Sequence[Row]) -> bool:
    bold = [all(piece.bold for piece in row.pieces) for row in rows]
    return bold[0] and not any(bold[1:])


def _is_short(pieces: Sequence[Piece]) -> bool:
    words = sorted(len(_WORD.findall(piece.text)) for piece in pieces)
    return words[len(words) // 2] <= 5


def _is_aligned(pieces: Sequence[Piece]) -> bool:
    for places in (
        sorted(piece.left for piece in pieces),
        sorted(piece.right for piece in pieces),
        sorted((piece.left + piece.right) / 2 for piece in pieces),
    ):
        middle = places[len(places) // 2] if places else 0.0
        near = sum(abs(value - middle) <= ALIGN_TOLERANCE for value in places)
        if places and near >= MIN_ALIGNED_SHARE * len(places):
            return True
    return False
