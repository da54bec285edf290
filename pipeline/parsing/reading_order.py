"""Reading order: columns are found first and read one after the other; what shares a row is joined into one line.

Columns are told from tables by their words: a column of text holds lines that are long for its width and full of words,
a table's column holds short cells. A band of the page between two lines that run across is judged on its own, so that a
schedule in two columns below ordinary text is read as such.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pipeline.parsing.page_text import Fragment

MIN_COLUMN_LINES = (
    4  # lines on each side of a gutter; fewer side by side are as likely a signature, authors, a table row
)
MIN_GUTTER = 6.0  # points; narrower gaps occur between words of justified text
INSIDE_SHARE = 0.9  # share of the left lines that must end before the gutter: a page number may stand in it
EDGE_TOLERANCE = 3.0  # points by which left edges of one column may differ
MIN_LINE_CHARS = 12  # median characters of a column's lines; table cells are shorter
MIN_PROSE_CHARS = 22  # median characters from which a column is prose even where its lines are ragged
MIN_FILL = 0.5  # median line width over the column's wide lines; list items and headings lower it below 1
MAX_DIGIT_SHARE = 0.35  # share of digits above which a column holds figures, not sentences
MAX_COLUMNS_DEPTH = 3  # splits inside splits: up to eight columns, more than print uses
ROW_OVERLAP = 0.5  # share of the lower fragment's height that must lie beside the row to belong to it
CELL_GAP_EMS = 0.9  # gap from which two fragments of a row are cells; words stand closer, also in justified text
WIDE_GAP_EMS = 2.5  # gap that no justified text has: a table's
CELL_SEPARATOR = "  "  # two spaces between cells of a row, so that the eye (and a model) still sees the gap

CELL_FILL = 0.65  # median line width over the width there is, below which level rows are a table's (prose: 0.8 up)
CELL_CHARS = 20  # median characters of a column's lines below which level rows may be a table's
LABEL_CHARS = 16  # the same, below which they are, however well they fill their place: 'Section 9.10'
CELL_LEVEL_SHARE = 0.8  # share of rows on one side that are level with rows on the other, as in a table or a form
MIN_GRID_SHARE = 0.3  # share of rows with cells from which one side of a gutter is a table, not a column of text
MAX_GUTTERS = 12  # left edges tried a region; a map or a form has hundreds
MIN_DENSITY = 0.6  # share of a column's height under its lines, below which it has the blanks of a table
LEVEL_TOLERANCE = 2.0  # points between the middles of two cells of one row
MIN_LEVEL_SHARE = 0.7  # share of sparse cells that are level with the other column's lines
TOUCH_EMS = 0.08  # gap up to which two fragments are pieces of one word (kerning)

LABEL_GAP_EMS = 5.0  # gap up to which a number at the head of a row belongs to the text behind it
_LABEL = re.compile(r"[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlcIVXLC]{1,6})[.)\]:]{0,2}|[•●○▪■□–—*·\uf0b7-]")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


@dataclass(slots=True)
class PlacedLine:
    """Fragments of one row in one column, left to right, and the column's position."""

    fragments: list[Fragment]
    column: str


def order_lines(fragments: Sequence[Fragment]) -> tuple[list[PlacedLine], int]:
    """The page's lines in reading order, and its number of columns (0 without text).

    Text turned another way than most of the page follows at the end, each direction on its own.
    """
    turned: dict[int, list[Fragment]] = {}
    for fragment in fragments:
        turned.setdefault(round(fragment.rotation / 90) % 4 if fragment.hidden != "off-page" else -1, []).append(
            fragment
        )
    weight = {quarter: sum(len(f.text) for f in group) for quarter, group in turned.items()}
    lines: list[PlacedLine] = []
    columns = 0
    for quarter in sorted(turned, key=lambda quarter: (quarter < 0, -weight[quarter], quarter)):
        group = turned[quarter]
        ordered = _order_region(group, depth=0) if quarter >= 0 else [([f], 0) for f in group]
        total = 1 + max(index for _, index in ordered)
        columns = columns or total
        lines += [PlacedLine(row, _name_column(index, total)) for row, index in ordered]
    return lines, columns


def _name_column(index: int, total: int) -> str:
    if total == 1 or index < 0:
        return "single"
    if total == 2:
        return "left" if index == 0 else "right"
    return "multi"


def _order_region(group: list[Fragment], depth: int) -> list[tuple[list[Fragment], int]]:
    """Rows of the region in reading order with their column (-1 across columns, 0 where there is one column)."""
    split = _find_split(group, depth)
    if split is None:
        return [(row, 0) for row in join_rows(group)]
    gutter, bands = split
    ordered: list[tuple[list[Fragment], int]] = []
    rest = sorted(group, key=_middle)
    for top, bottom in bands:
        inside = [f for f in rest if top < _middle(f) < bottom and not _crosses(f, gutter)]
        taken = set(map(id, inside))
        ordered += [(row, -1) for row in join_rows([f for f in rest if _middle(f) <= top and id(f) not in taken])]
        left = _order_region([f for f in inside if f.upright[0] < gutter], depth + 1)
        right = _order_region([f for f in inside if f.upright[0] >= gutter], depth + 1)
        shift = 1 + max(index for _, index in left)
        ordered += [(row, max(index, 0)) for row, index in left]
        ordered += [(row, max(index, 0) + shift) for row, index in right]
        rest = [f for f in rest if _middle(f) > top and id(f) not in taken]
    return ordered + [(row, -1) for row in join_rows(rest)]


def _find_split(group: list[Fragment], depth: int) -> tuple[float, list[tuple[float, float]]] | None:
    """The gutter that puts most lines into columns, and its bands (top, bottom); None without columns."""
    if depth >= MAX_COLUMNS_DEPTH or len(group) < 2 * MIN_COLUMN_LINES:
        return None
    best: tuple[int, float, list[tuple[float, float]]] | None = None
    for gutter in _gutters(group):
        bands, count = [], 0
        borders = sorted(_middle(f) for f in group if _crosses(f, gutter))
        sides = sorted(((_middle(f), f) for f in group if not _crosses(f, gutter)), key=lambda pair: pair[0])
        at = 0
        for top, bottom in zip([-math.inf, *borders], [*borders, math.inf], strict=True):
            band: list[Fragment] = []
            while at < len(sides) and sides[at][0] < bottom:
                if sides[at][0] > top:
                    band.append(sides[at][1])
                at += 1
            if _stands_in_columns(band, gutter, depth):
                bands.append((top, bottom))
                count += len(band)
        if bands and (best is None or count > best[0]):
            best = (count, gutter, bands)
    return None if best is None else (best[1], best[2])


def _gutters(group: list[Fragment]) -> list[float]:
    """Where a right column may begin: just left of the edges that several fragments share, the commonest first."""
    edges = sorted(f.upright[0] for f in group)
    leftmost = edges[0]
    clusters: list[list[float]] = []
    for edge in edges:
        if clusters and edge - clusters[-1][0] <= EDGE_TOLERANCE:
            clusters[-1].append(edge)
        else:
            clusters.append([edge])
    shared = [c for c in clusters if len(c) >= MIN_COLUMN_LINES and c[0] > leftmost + MIN_GUTTER]
    shared.sort(key=lambda cluster: (-len(cluster), cluster[0]))
    return [cluster[0] - 1.0 for cluster in shared[:MAX_GUTTERS]]


def _stands_in_columns(band: list[Fragment], gutter: float, depth: int) -> bool:
    left = [f for f in band if f.upright[0] < gutter]
    right = [f for f in band if f.upright[0] >= gutter]
    if len(left) < MIN_COLUMN_LINES or len(right) < MIN_COLUMN_LINES:
        return False
    ends = sorted(f.upright[2] for f in left)
    if min(f.upright[0] for f in right) - ends[int(INSIDE_SHARE * (len(ends) - 1))] < MIN_GUTTER:
        return False
    left_rows, right_rows = join_rows(left), join_rows(right)
    sides = ((left_rows, left), (right_rows, right))
    return (
        _is_prose(left_rows)
        and _is_prose(right_rows)
        and not _labels(left_rows, right_rows)
        and not _labels(right_rows, left_rows)
        and not _are_cells(left_rows, right_rows, gutter)
        and not (
            _are_level(left_rows, right_rows)
            and any(_is_grid(rows) and _find_split(side, depth + 1) is None for rows, side in sides)
        )
    )


def _is_grid(rows: list[list[Fragment]]) -> bool:
    """Many rows hold cells with wide gaps between them: a table, unless they are columns themselves."""
    gaps = sum(any(_gap(one, two) > WIDE_GAP_EMS * one.size for one, two in pairwise(row)) for row in rows)
    return gaps >= MIN_GRID_SHARE * len(rows)


def _is_prose(rows: list[list[Fragment]]) -> bool:
    if len(rows) < MIN_COLUMN_LINES:
        return False
    texts = ["".join(f.text for f in row) for row in rows]
    chars = _median_chars(rows)
    widths = sorted(map(_width, rows))
    fill = median(widths) / max(widths[int(0.9 * (len(widths) - 1))], 1.0)
    joined = "".join(texts)
    digits = sum(character.isdigit() for character in joined) / max(len(joined), 1)
    return digits <= MAX_DIGIT_SHARE and chars >= MIN_LINE_CHARS and (fill >= MIN_FILL or chars >= MIN_PROSE_CHARS)


def _are_cells(left: list[list[Fragment]], right: list[list[Fragment]], gutter: float) -> bool:
    """True where both sides are cells of one table or form: short for their place, and level with each other."""
    chars = min(_median_chars(left), _median_chars(right))
    if chars >= CELL_CHARS or not _are_level(left, right):
        return False
    start = min(f.upright[0] for row in left for f in row)
    end = max(f.upright[2] for row in right for f in row)
    fills = (_median_width(left) / max(gutter - start, 1.0), _median_width(right) / max(end - gutter, 1.0))
    return chars < LABEL_CHARS or min(fills) < CELL_FILL


def _median_chars(rows: list[list[Fragment]]) -> float:
    return median(sum(len(f.text) for f in row) for row in rows)


def _median_width(rows: list[list[Fragment]]) -> float:
    return median(map(_width, rows))


def _width(row: list[Fragment]) -> float:
    return max(f.upright[2] for f in row) - min(f.upright[0] for f in row)


def _are_level(left: list[list[Fragment]], right: list[list[Fragment]]) -> bool:
    """Nearly each row of the shorter side stands at the height of one of the other."""
    fewer, more = (left, right) if len(left) <= len(right) else (right, left)
    return _level_share(fewer, more) >= CELL_LEVEL_SHARE


def _level_share(rows: list[list[Fragment]], others: list[list[Fragment]]) -> float:
    """Share of `rows` that stand at the height of one of `others`."""
    heights = [_middle(row[0]) for row in others]
    return sum(any(abs(_middle(row[0]) - height) <= LEVEL_TOLERANCE for height in heights) for row in rows) / len(rows)


def _labels(rows: list[list[Fragment]], others: list[list[Fragment]]) -> bool:
    """True where `rows` are sparse cells of a table: wide blanks between them, each level with a row of `others`."""
    middles = [_middle(row[0]) for row in rows]
    extent = middles[-1] - middles[0]
    pitch = median(f.upright[3] - f.upright[1] for row in rows for f in row)
    if extent <= 0 or len(rows) * pitch / extent >= MIN_DENSITY:
        return False
    return _level_share(rows, others) >= MIN_LEVEL_SHARE


def join_rows(group: list[Fragment]) -> list[list[Fragment]]:
    """Fragments joined into rows from top to bottom, each row in the direction of its script."""
    rows: list[list[Fragment]] = []
    tall: Fragment | None = None  # the tallest fragment of the last row: what the next one is compared with
    for fragment in sorted(group, key=lambda f: (_middle(f), f.upright[0])):
        if tall is not None and _shares_row(fragment, tall) and not _collides(fragment, rows[-1]):
            rows[-1].append(fragment)
            if _height(fragment) > _height(tall):
                tall = fragment
        else:
            rows.append([fragment])
            tall = fragment
    for row in rows:
        if len(row) > 1:
            backwards = 2 * sum(bool(_RTL.search(f.text)) for f in row) > len(row)
            row.sort(key=lambda f: f.upright[0], reverse=backwards)
    rows.sort(key=lambda row: max(_middle(f) for f in row) if len(row) > 1 else _middle(row[0]))
    return rows


def join_text(row: Sequence[Fragment]) -> str:
    """The words of a row: one space between neighbouring words, two between cells."""
    if len(row) == 1:
        return row[0].text
    parts = [row[0].text]
    for at, (before, after) in enumerate(pairwise(row)):
        gap = _gap(before, after)
        is_label = at == 0 and _LABEL.fullmatch(before.text) is not None
        reach = (LABEL_GAP_EMS if is_label else CELL_GAP_EMS) * max(min(before.size, after.size), 1.0)
        touches = gap <= TOUCH_EMS * before.size
        parts += ["" if touches else " " if gap <= reach else CELL_SEPARATOR, after.text]
    return "".join(parts)


def _gap(one: Fragment, two: Fragment) -> float:
    """Points between two fragments of a row, whichever stands first."""
    return max(two.upright[0] - one.upright[2], one.upright[0] - two.upright[2])


def _shares_row(fragment: Fragment, tall: Fragment) -> bool:
    if fragment.hidden != tall.hidden:
        return False
    overlap = min(fragment.upright[3], tall.upright[3]) - max(fragment.upright[1], tall.upright[1])
    return overlap >= ROW_OVERLAP * min(_height(fragment), _height(tall))


def _collides(fragment: Fragment, row: list[Fragment]) -> bool:
    slack = 0.3 * fragment.size
    return any(fragment.upright[0] < f.upright[2] - slack and f.upright[0] < fragment.upright[2] - slack for f in row)


def _middle(fragment: Fragment) -> float:
    return (fragment.upright[1] + fragment.upright[3]) / 2


def _height(fragment: Fragment) -> float:
    return fragment.upright[3] - fragment.upright[1]


def _crosses(fragment: Fragment, gutter: float) -> bool:
    return fragment.upright[0] < gutter - 1.0 and fragment.upright[2] > gutter
