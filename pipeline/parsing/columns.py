"""Columns told from tables and forms by their words.

A column of text holds lines that are long for its width and full of words, a table's column holds short cells. What
stands on both sides of a gutter is judged here; where gutters may be, and what follows, is said in `reading_order`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from pipeline.parsing.page_text import Fragment
from pipeline.parsing.rows import gap_between, height_of, join_rows, middle_of

Rows = list[list[Fragment]]

MIN_COLUMN_LINES = (
    4  # lines on each side of a gutter; fewer side by side are as likely a signature, authors, a table row
)
MIN_GUTTER = 6.0  # points; narrower gaps occur between words of justified text
INSIDE_SHARE = 0.9  # share of the left lines that must end before the gutter: a page number may stand in it
MIN_LINE_CHARS = 12  # median characters of a column's lines; table cells are shorter
MIN_PROSE_CHARS = 22  # median characters from which a column is prose even where its lines are ragged
MIN_FILL = 0.5  # median line width over the column's wide lines; list items and headings lower it below 1
MAX_DIGIT_SHARE = 0.35  # share of digits above which a column holds figures, not sentences
WIDE_GAP_EMS = 2.5  # gap that no justified text has: a table's
CELL_FILL = 0.65  # median line width over the width there is, below which level rows are a table's (prose: 0.8 up)
CELL_CHARS = 20  # median characters of a column's lines below which level rows may be a table's
LABEL_CHARS = 16  # the same, below which they are, however well they fill their place: 'Section 9.10'
CELL_LEVEL_SHARE = 0.8  # share of rows on one side that are level with rows on the other, as in a table or a form
GRID_LEVEL_SHARE = 0.5  # the same, where the rows of one side hold cells themselves
MAX_FIGURE_ROWS = 0.2  # share of a column's rows that may be figures alone; a table's last column has more
MIN_GRID_SHARE = 0.3  # share of rows with cells from which one side of a gutter is a table, not a column of text
MIN_DENSITY = 0.6  # share of a column's height under its lines, below which it has the blanks of a table
LINE_EMS = 1.2  # usual height of a line's box over its font size; vertical writing has boxes as wide as its characters
LEVEL_TOLERANCE = 2.0  # points between the middles of two cells of one row
MIN_LEVEL_SHARE = 0.7  # share of sparse cells that are level with the other column's lines
BLOCK_GAP = 1.3  # distance to the row above over the usual one, from which a row begins a block
APART_GAP = 1.5  # distance over the usual one that sets the first or last rows of a column apart from it
MAX_APART_ROWS = 3  # rows that belong to what runs across above or below: a title, a heading, a page number
MAX_FOOT_CHARS = 16  # characters of a page number at the foot of a page
_FIGURES = re.compile(r"[\W\d_]*")  # a row without a letter
WIDE_CHARACTER = "\u2e80"  # from here on scripts of square characters begin, each worth about two letters


def stand_in_columns(
    left: Sequence[Fragment], right: Sequence[Fragment], gutter: float, splits: Callable[[Sequence[Fragment]], bool]
) -> bool:
    """The fragments on the two sides of the gutter are columns of text; `splits` says whether one has columns itself.

    `gutter` is where the right column begins, in points.
    """
    if len(left) < MIN_COLUMN_LINES or len(right) < MIN_COLUMN_LINES:
        return False
    ends = sorted(f.upright[2] for f in left)
    if gutter - ends[int(INSIDE_SHARE * (len(ends) - 1))] < MIN_GUTTER or _holds_figures(left) or _holds_figures(right):
        return False
    left_rows = join_rows(left)
    if not _is_prose(left_rows):
        return False
    right_rows = join_rows(right)
    return (
        _is_prose(right_rows)
        and _are_beside(left_rows, right_rows)
        and not _labels(left_rows, right_rows)
        and not _labels(right_rows, left_rows)
        and not _are_cells(left_rows, right_rows, gutter)
        and not (
            _level_share(*sorted((left_rows, right_rows), key=len)) >= GRID_LEVEL_SHARE
            and any(_is_grid(rows) and not splits(side) for rows, side in ((left_rows, left), (right_rows, right)))
        )
    )


def part_ends(
    left: Sequence[Fragment], right: Sequence[Fragment], gutter: tuple[float, float], *, is_last: bool
) -> tuple[list[Fragment], list[Fragment]]:
    """The first rows on the left that belong to what runs across above, and the left column without its last such rows.

    They stand apart from it, above the right column's first and below its last row. Below a band that ends with a line
    across they are a heading; at the end of the page (`is_last`) only a page number is taken. `gutter`: its left and
    right edge, in points.
    """
    rows = join_rows(left)
    if len(rows) < 2 or not right:
        return [], list(left)
    steps = [middle_of(two[0]) - middle_of(one[0]) for one, two in pairwise(rows)]
    wide = APART_GAP * max(median(steps), median([height_of(row[0]) for row in rows]))
    roof, floor = min(f.upright[1] for f in right), max(map(middle_of, right))
    first = last = 0
    for count, step in enumerate(steps[:MAX_APART_ROWS], start=1):
        if rows[count - 1][0].upright[3] > roof:
            break
        if step > wide:
            first = count
            break
    for count, step in enumerate(steps[: -MAX_APART_ROWS - 1 : -1], start=1):
        if middle_of(rows[-count][0]) <= floor:
            break
        if step > wide:
            last = count if not is_last or (count == 1 and _is_foot(rows[-1], gutter)) else 0
            break
    return [f for row in rows[:first] for f in row], [f for row in rows[first : len(rows) - last] for f in row]


def block_starts(rows: Rows) -> list[float]:
    """Tops of the rows that stand below a blank, in points from the top; the first row is left out."""
    steps = [middle_of(two[0]) - middle_of(one[0]) for one, two in pairwise(rows)]
    if not steps:
        return []
    usual = sorted(steps)[len(steps) // 4]  # lines inside a block stand closer than blocks do
    return [row[0].upright[1] for row, step in zip(rows[1:], steps, strict=True) if step > BLOCK_GAP * usual]


def count_chars(text: str) -> int:
    """Length of the text in letters of an alphabet; a character of Chinese or Japanese counts two."""
    return len(text) if text.isascii() else len(text) + sum(character >= WIDE_CHARACTER for character in text)


def _are_beside(left: Rows, right: Rows) -> bool:
    """Two rows of each at least stand beside the other: what lies wholly above or below is no column beside it."""
    low = max(middle_of(left[0][0]), middle_of(right[0][0])) - LEVEL_TOLERANCE
    high = min(middle_of(left[-1][0]), middle_of(right[-1][0])) + LEVEL_TOLERANCE
    return all(sum(low <= middle_of(row[0]) <= high for row in rows) >= 2 for rows in (left, right))


def _holds_figures(fragments: Sequence[Fragment]) -> bool:
    joined = "".join([f.text for f in fragments])
    return sum(map(joined.count, "0123456789")) > MAX_DIGIT_SHARE * len(joined)


def _is_grid(rows: Rows) -> bool:
    """Many rows hold cells with wide gaps between them: a table, unless they are columns themselves."""
    gaps = sum(any(gap_between(one, two) > WIDE_GAP_EMS * one.size for one, two in pairwise(row)) for row in rows)
    return gaps >= MIN_GRID_SHARE * len(rows)


def _is_prose(rows: Rows) -> bool:
    if len(rows) < MIN_COLUMN_LINES:
        return False
    chars = _median_chars(rows)
    widths = sorted(map(_width, rows))
    fill = median(widths) / max(widths[int(0.9 * (len(widths) - 1))], 1.0)
    figures = sum(_FIGURES.fullmatch("".join([f.text for f in row])) is not None for row in rows)
    if figures > MAX_FIGURE_ROWS * len(rows):
        return False
    return chars >= MIN_LINE_CHARS and (fill >= MIN_FILL or chars >= MIN_PROSE_CHARS)


def _are_cells(left: Rows, right: Rows, gutter: float) -> bool:
    """True where both sides are cells of one table or form: short for their place, and level with each other."""
    chars = min(_median_chars(left), _median_chars(right))
    if chars >= CELL_CHARS or not _are_level(left, right):
        return False
    start = min(f.upright[0] for row in left for f in row)
    end = max(f.upright[2] for row in right for f in row)
    fills = (_median_width(left) / max(gutter - start, 1.0), _median_width(right) / max(end - gutter, 1.0))
    return chars < LABEL_CHARS or min(fills) < CELL_FILL


def _median_chars(rows: Rows) -> float:
    return median([sum([count_chars(f.text) for f in row]) for row in rows])


def _median_width(rows: Rows) -> float:
    return median(map(_width, rows))


def _width(row: list[Fragment]) -> float:
    if len(row) == 1:
        return row[0].upright[2] - row[0].upright[0]
    return max(f.upright[2] for f in row) - min(f.upright[0] for f in row)


def _are_level(left: Rows, right: Rows) -> bool:
    """Nearly each row of the shorter side stands at the height of one of the other."""
    fewer, more = (left, right) if len(left) <= len(right) else (right, left)
    return _level_share(fewer, more) >= CELL_LEVEL_SHARE


def _level_share(rows: Rows, others: Rows) -> float:
    """Share of `rows` that stand at the height of one of `others`; both from top to bottom."""
    heights = sorted(middle_of(row[0]) for row in others)
    level = at = 0
    for height in sorted(middle_of(row[0]) for row in rows):
        while at < len(heights) and heights[at] < height - LEVEL_TOLERANCE:
            at += 1
        level += at < len(heights) and heights[at] <= height + LEVEL_TOLERANCE
    return level / len(rows)


def _labels(rows: Rows, others: Rows) -> bool:
    """True where `rows` are sparse cells of a table: wide blanks between them, each level with a row of `others`."""
    extent = middle_of(rows[-1][0]) - middle_of(rows[0][0])
    pitch = median([max(height_of(f), LINE_EMS * f.size) for row in rows for f in row])
    if extent <= 0 or len(rows) * pitch / extent >= MIN_DENSITY:
        return False
    return _level_share(rows, others) >= MIN_LEVEL_SHARE


def _is_foot(row: list[Fragment], gutter: tuple[float, float]) -> bool:
    """A short line in the middle, under the gutter: a page number."""
    middle = (min(f.upright[0] for f in row) + max(f.upright[2] for f in row)) / 2
    near = abs(middle - sum(gutter) / 2) <= 2 * MIN_GUTTER + gutter[1] - gutter[0]
    return near and sum(len(f.text) for f in row) <= MAX_FOOT_CHARS
