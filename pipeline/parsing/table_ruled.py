"""Ruled tables: the words put into the cells that the rules make."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.table_build import Table
from pipeline.parsing.table_head import MAX_HEAD_ROWS
from pipeline.parsing.table_pieces import Cell, Piece, is_figure, is_year, merge_pieces, split_line
from pipeline.parsing.table_rules import MAX_EMPTY_SHARE, Box, Grid, GridCell, turn_box

MIN_LEVEL_LINES = 2  # figures under each other in one cell from which they are rows: a figure does not run over lines
MIN_LIST_LINES = 3  # lines of cells without figures from which they may be lists of one row each
LIST_WORDS = 4  # words of a line of such a list
MAX_OUTSIDE_SHARE = 0.5  # share of the lines with words beside the grid, above which the table is wider than its rules
MAX_FIGURE_LINES = 2  # figures under each other in one cell, above which its rows were not told
MAX_APART_SHARE = 0.25  # share of the cells' lines with words that stand apart, above which there are more columns
LEVEL_TOLERANCE = 2.5  # points between the middles of cells of one row
MIN_LEVEL_SHARE = 0.7  # share of the lines of the cells beside that are level with the longest
MAX_UNEVEN_SHARE = 0.5  # share of cells over several rows or columns, above which the grid is a form's
MAX_FORM_SHARE = 0.5  # share of cells that begin with a label of their own ('Name: ...'), above which it is a form
HEAD_WORDS = 8  # words of a cell that may be a column's title
CORNER_WORDS = 20  # words of the corner above the labels
WORDY = 25  # words of a cell from which it is a paragraph
FRAME_CELLS = 4  # cells up to which a grid of paragraphs is a frame of the page's layout, not a table

_FORM_LABEL = re.compile(r"[^\W\d_][^:]{0,40}:(?:\s|$)")


def build_ruled(page: PageRead, quarter: int, grid: Grid, lines: Sequence[Line]) -> Table | None:
    """The table that the grid on the page turned by `quarter` makes with the words in it, or None."""
    size = (page.width, page.height) if quarter % 2 == 0 else (page.height, page.width)
    inside: list[Line] = []
    words: defaultdict[int, list[Piece]] = defaultdict(list)
    for line in lines:
        for part in split_line(line):
            flat = turn_box(part.box, quarter, page.width, page.height)
            piece = part if round(line.rotation / 90) % 4 == quarter else replace(part, flat=flat)
            at = _find(grid.cells, piece)
            if at is not None:
                words[at].append(piece)
                if not inside or inside[-1] is not line:
                    inside.append(line)
    if sum(_runs_out(line, grid) for line in inside) > MAX_OUTSIDE_SHARE * len(inside):
        return None
    filled = [at for at in range(len(grid.cells)) if words[at]]
    if len(grid.cells) - len(filled) > MAX_EMPTY_SHARE * len(grid.cells):
        return None
    if _is_coarse(words.values()):
        return None
    cells = [_make_cell(cell, words[at], quarter, size) for at, cell in enumerate(grid.cells)]
    if any(len(cell.pieces) > MAX_FIGURE_LINES and all(map(_is_number, cell.pieces)) for cell in _split_tall(cells)):
        return None  # rows that white space alone sets off
    cells = _split_tall(cells)
    cells, columns = _drop_blank(cells)
    if not _is_table(cells):
        return None
    edges = [(grid.xs[at], grid.xs[at + 1]) for at in columns]
    head = _count_head(cells, page.drawn.shades)
    return Table(page.page_num, quarter, edges, cells, head, inside, is_ruled=True)


def _runs_out(line: Line, grid: Grid) -> bool:
    """Words of the line stand beside the grid: its rules are those of a part of the table."""
    return line.flat[0] < grid.xs[0] - line.size or line.flat[2] > grid.xs[-1] + line.size


def _is_number(piece: Piece) -> bool:
    return is_figure(piece.text)


def _find(cells: Sequence[GridCell], piece: Piece) -> int | None:
    x, y = (piece.flat[0] + piece.flat[2]) / 2, piece.middle
    for at, cell in enumerate(cells):
        if cell.box[0] <= x < cell.box[2] and cell.box[1] <= y < cell.box[3]:
            return at
    return None


def _is_coarse(cells: Iterable[Sequence[Piece]]) -> bool:
    """Many cells hold words that stand apart in one line: the rules set groups of columns off, not columns."""
    apart = total = 0
    for pieces in cells:
        rows = _rows_of(pieces)
        total += len(rows)
        apart += sum(len(merge_pieces(row)) > 1 for row in rows)
    return apart > MAX_APART_SHARE * total


def _make_cell(cell: GridCell, pieces: Sequence[Piece], quarter: int, size: tuple[float, float]) -> Cell:
    box = turn_box(cell.box, (4 - quarter) % 4, *size)
    return Cell(cell.row, cell.column, cell.row_span, cell.column_span, _by_line(pieces), box)


def _by_line(pieces: Sequence[Piece]) -> list[Piece]:
    """From the top down, and from left to right in a line; what belongs together in a line is one piece."""
    return [piece for row in _rows_of(pieces) for piece in merge_pieces(row)]


def _rows_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.middle):
        if rows and piece.middle - rows[-1][0].middle <= LEVEL_TOLERANCE:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.flat[0]) for row in rows]


def _split_tall(cells: Sequence[Cell]) -> list[Cell]:
    """Rows that only white space sets off inside tall cells of figures become rows of the table."""
    by_row: defaultdict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_row[cell.row].append(cell)
    result: list[Cell] = []
    shift = 0
    for row in sorted(by_row):
        levels = _levels(by_row[row])
        for cell in by_row[row]:
            if len(levels) < MIN_LEVEL_LINES:
                result.append(
                    Cell(cell.row + shift, cell.column, cell.row_span, cell.column_span, cell.pieces, cell.box)
                )
                continue
            parts: defaultdict[int, list[Piece]] = defaultdict(list)
            for piece in cell.pieces:
                parts[min(range(len(levels)), key=lambda at: abs(levels[at] - piece.middle))].append(piece)
            result += [Cell(cell.row + shift + at, cell.column, 1, cell.column_span, parts[at]) for at in sorted(parts)]
        shift += max(len(levels) - 1, 0) if len(levels) >= MIN_LEVEL_LINES else 0
    return result


def _levels(cells: Sequence[Cell]) -> list[float]:
    """Heights of the rows inside a row of tall cells; empty where its cells are paragraphs."""
    if any(cell.row_span > 1 for cell in cells) or len(cells) < 2:
        return []
    heights = [[piece.middle for piece in cell.pieces] for cell in cells]
    deep = [cell for cell in cells if len(cell.pieces) >= MIN_LEVEL_LINES]
    figures = [cell for cell in deep if all(is_figure(piece.text) for piece in cell.pieces)]
    if not figures and len(deep) == len(cells) and _are_lists(cells):
        figures = deep
    if len(deep) < 2 or not figures:
        return []
    levels = max((h for cell, h in zip(cells, heights, strict=True) if cell in figures), key=len)
    levels = [levels[0], *(two for one, two in pairwise(levels) if two - one > LEVEL_TOLERANCE)]
    others = [piece.middle for cell in deep for piece in cell.pieces]
    level = sum(any(abs(height - at) <= LEVEL_TOLERANCE for at in levels) for height in others)
    return levels if level >= MIN_LEVEL_SHARE * len(others) else []


def _are_lists(cells: Sequence[Cell]) -> bool:
    """Each cell holds as many lines as the others, all short: lists of the same things, no wrapped words."""
    counts = {len(cell.pieces) for cell in cells}
    short = all(len(piece.text.split()) <= LIST_WORDS for cell in cells for piece in cell.pieces)
    return len(counts) == 1 and counts.pop() >= MIN_LIST_LINES and len(cells) > 1 and short


def _drop_blank(cells: Sequence[Cell]) -> tuple[list[Cell], list[int]]:
    """Cells without the rows and columns in which nothing is written; the columns that stay, by their old number."""
    rows = sorted({cell.row for cell in cells if cell.pieces})
    columns = sorted({cell.column for cell in cells if cell.pieces})
    kept = []
    for cell in cells:
        taken = [at for at in columns if cell.column <= at < cell.column + cell.column_span]
        high = [at for at in rows if cell.row <= at < cell.row + cell.row_span]
        if taken and high:
            kept.append(
                Cell(rows.index(high[0]), columns.index(taken[0]), len(high), len(taken), cell.pieces, cell.box)
            )
    return kept, columns


def _is_table(cells: Sequence[Cell]) -> bool:
    """At least two rows and two columns of words, and no frame around paragraphs."""
    written = [cell for cell in cells if cell.pieces]
    rows, columns = {cell.row for cell in written}, {cell.column for cell in written}
    if len(rows) < 2 or len(columns) < 2:
        return False
    uneven = sum(cell.row_span > 1 or cell.column_span > 1 for cell in written)
    if uneven > MAX_UNEVEN_SHARE * len(written):
        return False  # a form: boxes of all sizes
    labelled = sum(_FORM_LABEL.match(cell.text) is not None for cell in written)
    if labelled > MAX_FORM_SHARE * len(written):
        return False  # a form: each cell with its own label
    pairs = sum(len([cell for cell in written if cell.row == row]) > 1 for row in rows)
    wordy = sum(len(cell.text.split()) >= WORDY for cell in written)
    return pairs >= 2 and not (len(written) <= FRAME_CELLS and wordy * 2 >= len(written))


def _count_head(cells: Sequence[Cell], shades: Sequence[Box]) -> int:
    """Header rows: the first one, with what its tall and wide cells stand over, where they hold only titles."""
    rows: defaultdict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        if cell.pieces:
            rows[cell.row].append(cell)
    order = sorted(rows)
    head = [cell for cell in rows[order[0]] if cell.column_span < 1 + max(c.column for c in cells)]
    count = max((cell.row + cell.row_span for cell in head), default=1)
    over = max((cell.row + cell.row_span for cell in head if cell.column_span > 1), default=0)
    if over == count < len(order) and _is_titles(rows[order[count]]):
        count = max(count, order[count] + 1)  # titles over columns, whose own titles stand below
    above = [cell for row in order if row < count for cell in rows[row]]
    if count >= len(order) or count > MAX_HEAD_ROWS or not _is_titles(above):
        return 0
    below = [cell for row in order if row >= count for cell in rows[row]]
    apart = all(piece.bold for cell in above for piece in cell.pieces) and not all(
        piece.bold for cell in below for piece in cell.pieces
    )
    if apart or (_are_shaded(above, shades) and not _are_shaded(below, shades)):
        return count
    inner = [cell for cell in below if cell.column > 0]
    has_figures = 2 * sum(map(_is_value, inner)) > len(inner)
    is_wide = len({cell.column for cell in cells if cell.pieces}) > 2  # two columns may be terms and their values
    is_full = len(order) > 2 and len(rows[order[0]]) > 1
    return count if has_figures or (is_wide and (is_full or any(map(_is_value, inner)))) else 0


def _are_shaded(cells: Sequence[Cell], shades: Sequence[Box]) -> bool:
    """The middle of each cell stands on a coloured box."""
    boxes = [cell.box for cell in cells if cell.box is not None]
    middles = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in boxes]
    return bool(middles) and all(any(s[0] <= x <= s[2] and s[1] <= y <= s[3] for s in shades) for x, y in middles)


def _is_titles(cells: Sequence[Cell]) -> bool:
    """Short words, no figures and no codes; the corner above the labels may hold a remark."""
    return all(
        len(cell.text.split()) <= (HEAD_WORDS if cell.column else CORNER_WORDS)
        and not (cell.column and _is_code(cell.text))
        for cell in cells
    )


def _is_code(text: str) -> bool:
    digits, letters = sum(map(str.isdigit, text)), sum(map(str.isalpha, text))
    return digits >= max(letters, 1) and not is_year(text)


def _is_value(cell: Cell) -> bool:
    return cell.column > 0 and is_figure(cell.text) and not is_year(cell.text)


def covers(grid: Grid, box: Box) -> bool:
    """The middle of the box lies in the grid."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    left, top, right, bottom = grid.box
    return left <= x <= right and top <= y <= bottom
