"""Reading order: columns are found first and read one after the other; what shares a row is joined into one line.

A band of the page between two lines that run across is judged on its own, so that a schedule in two columns below
ordinary text is read as such. A wordy table, ruled or with cells that begin level, is read row by row, and each of its
cells as a whole. Text turned another way, and oblique stamps, follow at the end of the page.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.parsing.columns import MIN_COLUMN_LINES, MIN_GUTTER, block_starts, part_ends, stand_in_columns
from pipeline.parsing.page_text import Fragment
from pipeline.parsing.rows import CELL_SEPARATOR, height_of, join_rows, middle_of, runs_backwards

__all__ = ["CELL_SEPARATOR", "PlacedLine", "Rule", "order_lines"]

EDGE_TOLERANCE = 3.0  # points by which left edges of one column may differ
MAX_COLUMNS_DEPTH = 3  # splits inside splits: up to eight columns, more than print uses
MAX_REGION = 3_000  # pieces of text up to which columns are looked for; maps have more, a full page of print some 200
MOST = 0.85  # share of a region's pieces in columns from which no other gutter is tried
MAX_GUTTERS = 12  # left edges tried a region; a map or a form has hundreds
HANG_EMS = 1.5  # how far a line may hang out of its column to the left: an opening quote, a list mark
OVERRUN = 4.0  # points by which a line may run over its column's right edge
OBLIQUE = 10  # degrees off the nearest quarter turn from which text is a stamp or a watermark over the page
ROW_REACH = 0.3  # share of a line's height around its middle in which others share its row
LEVEL_STARTS = 3.0  # points by which the tops of level cells may differ
MIN_LEVEL_STARTS = 3  # blocks that must begin level on both sides of a gutter to be cells of a table
MIN_RULES = 2  # rules across a gutter that make a table of what stands there
RULE_WIDTH = 3.0  # points; thicker boxes are no rules
MIN_DRAWN = 0.6  # share of its length that is drawn, from which pieces in a row are one rule
RULE_REACH = 10.0  # points that a rule must reach into each side
_APART = 4  # key of text that stands askew; quarter turns are 0 to 3
_HIDDEN = 5

Rule = tuple[float, float, float, float]  # a line or thin box drawn on the page, in points of the displayed page
Placed = list[tuple[list[Fragment], int, int]]  # row, column (-1 across), cell


@dataclass(slots=True)
class PlacedLine:
    """Fragments of one row in one column, in reading order, the column's position, and the cell it is of.

    `cell` counts the cells of wordy tables of the page from 1; 0 for other lines.
    """

    fragments: list[Fragment]
    column: str
    cell: int = 0


def order_lines(fragments: Sequence[Fragment], rules: Sequence[Rule] = ()) -> tuple[list[PlacedLine], int]:
    """The page's lines in reading order, and its number of columns (0 without text).

    Text turned another way than most of the page follows at the end, each direction on its own, then what stands askew
    and what is hidden. `rules` are those drawn on the page; they tell a wordy table from columns.
    """
    turned: defaultdict[int, list[Fragment]] = defaultdict(list)
    for fragment in fragments:
        turned[_direction(fragment) if fragment.hidden or fragment.rotation else 0].append(fragment)
    weight = {key: sum([len(f.text) for f in group]) for key, group in turned.items()}
    lines: list[PlacedLine] = []
    columns = 0
    for key in sorted(turned, key=lambda key: (key if key >= _APART else 0, -weight[key], key)):
        group = turned[key]
        if key < _APART:
            ordered = _Region(_join_rules(rules) if key == 0 else (), runs_backwards(group)).order(group, 0)
        else:
            ordered = [([f], 0, 0) for f in group]
        total = 1 + max(index for _, index, _ in ordered)
        columns = columns or total
        lines += [PlacedLine(row, _name_column(index, total), cell) for row, index, cell in ordered]
    return lines, columns


def _direction(fragment: Fragment) -> int:
    """The quarter turn that the text is next to, `_APART` for oblique text, `_HIDDEN` for what nobody sees."""
    if fragment.hidden:
        return _HIDDEN
    quarter = round(fragment.rotation / 90)
    return quarter % 4 if abs(fragment.rotation - 90 * quarter) <= OBLIQUE else _APART


def _name_column(index: int, total: int) -> str:
    if total == 1 or index < 0:
        return "single"
    if total == 2:
        return "left" if index == 0 else "right"
    return "multi"


@dataclass(slots=True)
class _Split:
    """Where the right column begins, and the bands (top, bottom) in which there are two."""

    start: float
    margin: float  # right edge of the left column
    bands: list[tuple[float, float]]

    def side(self, fragment: Fragment) -> int:
        """-1 left, 1 right, 0 across."""
        x0, _, x1, _ = fragment.upright
        if x0 >= self.start - 1.0:
            return 1
        if x1 <= self.start + OVERRUN:
            return -1
        return 1 if x0 >= self.margin - 1.0 and self.start - x0 <= HANG_EMS * fragment.size else 0


@dataclass(slots=True)
class _Region:
    """Orders the text of one direction; `backwards`: its columns are read from right to left."""

    rules: Sequence[tuple[float, float, float]]
    backwards: bool
    cells: int = 0

    def order(self, group: Sequence[Fragment], depth: int) -> Placed:
        """Rows of the region in reading order with their column (-1 across columns, 0 where there is one column)."""
        split = _find_split(group, depth)
        if split is None:
            return [(row, 0, 0) for row in join_rows(group)]
        ordered: Placed = []
        rest = sorted(group, key=middle_of)
        heights = [middle_of(f) for f in rest]
        at = 0
        for top, bottom in split.bands:
            first, last = bisect_right(heights, top), bisect_left(heights, bottom)
            left = [f for f in rest[first:last] if split.side(f) < 0]
            right = [f for f in rest[first:last] if split.side(f) > 0]
            head, left = part_ends(left, right, (split.margin, split.start), is_last=math.isinf(bottom))
            ordered += self._order_across([*rest[at:first], *head], depth, len(group))
            ordered += self._order_band(left, right, split, depth)
            taken = set(map(id, [*head, *left, *right]))
            rest = rest[:first] + [f for f in rest[first:] if id(f) not in taken]
            heights = [middle_of(f) for f in rest]
            at = first
        return ordered + self._order_across(rest[at:], depth, len(group))

    def _order_across(self, group: Sequence[Fragment], depth: int, outer: int) -> Placed:
        """What stands between bands: lines across, or other columns than the bands'."""
        if not group:
            return []
        inner = self.order(group, depth + 1) if len(group) < outer else [(row, 0, 0) for row in join_rows(group)]
        if all(index <= 0 for _, index, _ in inner):
            return [(row, -1, cell) for row, _, cell in inner]
        return inner

    def _order_band(self, left: Sequence[Fragment], right: Sequence[Fragment], split: _Split, depth: int) -> Placed:
        sides = [self.order(left, depth + 1), self.order(right, depth + 1)]
        if self.backwards:
            sides.reverse()
        shift = 1 + max(index for _, index, _ in sides[0])
        ordered = [(row, max(index, 0), cell) for row, index, cell in sides[0]]
        ordered += [(row, max(index, 0) + shift, cell) for row, index, cell in sides[1]]
        borders = self._row_borders(left, right, split)
        return self._order_cells(ordered, borders) if borders else ordered

    def _order_cells(self, ordered: Placed, borders: Sequence[float]) -> Placed:
        """The rows of a table of wordy cells: table row by table row, and in it cell by cell."""
        keyed = sorted(
            ((bisect_right(borders, middle_of(row[0])), index, row) for row, index, _ in ordered),
            key=lambda item: item[:2],
        )
        cells: dict[tuple[int, int], int] = {}
        for number, index, _ in keyed:
            cells.setdefault((number, index), self.cells + len(cells) + 1)
        self.cells += len(cells)
        return [(row, index, cells[number, index]) for number, index, row in keyed]

    def _row_borders(self, left: Sequence[Fragment], right: Sequence[Fragment], split: _Split) -> list[float]:
        """Heights that part the table rows of a band, ascending; none where it holds columns of text."""
        top = max(min(f.upright[1] for f in side) for side in (left, right))
        bottom = min(max(f.upright[3] for f in side) for side in (left, right))
        rules = [y for x0, x1, y in self.rules if x0 <= split.margin - RULE_REACH and x1 >= split.start + RULE_REACH]
        inside = [y for y in rules if top < y < bottom]
        if len(inside) >= MIN_RULES:
            return rules
        left_rows, right_rows = join_rows(left), join_rows(right)
        fewer, more = sorted((block_starts(left_rows), block_starts(right_rows)), key=len)
        level = [y for y in fewer if any(abs(y - other) <= LEVEL_STARTS for other in more)]
        # Forms and signatures have one line a cell, and are read party by party.
        is_wordy = min(len(left_rows), len(right_rows)) >= 2 * (len(fewer) + 1)
        if is_wordy and len(level) == len(fewer) >= MIN_LEVEL_STARTS:
            return [y - 0.1 for y in level]
        return []


def _join_rules(rules: Sequence[Rule]) -> list[tuple[float, float, float]]:
    """Left, right and height of the horizontal rules, from the top; the pieces of one rule joined, dots and borders."""
    level: defaultdict[int, list[Rule]] = defaultdict(list)
    for rule in rules:
        if rule[3] - rule[1] <= RULE_WIDTH:
            level[round((rule[1] + rule[3]) / (2 * RULE_WIDTH))].append(rule)
    joined = []
    for pieces in level.values():
        left, right = min(piece[0] for piece in pieces), max(piece[2] for piece in pieces)
        drawn = sum(piece[2] - piece[0] for piece in pieces)
        if drawn >= MIN_DRAWN * (right - left):
            joined.append((left, right, sum(piece[1] + piece[3] for piece in pieces) / (2 * len(pieces))))
    return sorted(joined, key=lambda rule: rule[2])


def _find_split(group: Sequence[Fragment], depth: int) -> _Split | None:
    """The gutter that puts most lines into columns, and its bands; None without columns."""
    if depth >= MAX_COLUMNS_DEPTH or not 2 * MIN_COLUMN_LINES <= len(group) <= MAX_REGION:
        return None
    best: tuple[int, _Split] | None = None
    ordered: list[tuple[float, Fragment]] | None = None
    for start in _gutters(group):
        if ordered is None:
            ordered = sorted([(middle_of(f), f) for f in group], key=lambda pair: pair[0])
        split = _Split(start, _margin(group, start), [])
        count = 0
        for top, bottom, left, right in _bands(ordered, split):
            if stand_in_columns(left, right, start, lambda side: _find_split(side, depth + 1) is not None):
                split.bands.append((top, bottom))
                count += len(left) + len(right)
        if split.bands and (best is None or count > best[0]):
            best = (count, split)
            if count >= MOST * len(group):
                break
    return None if best is None else best[1]


def _bands(
    ordered: Sequence[tuple[float, Fragment]], split: _Split
) -> Iterator[tuple[float, float, list[Fragment], list[Fragment]]]:
    """Top, bottom, left and right fragments between each two lines that run across the gutter.

    What stands in the row of such a line, its list mark or its number, is in no band.
    """
    sides_of = [split.side(fragment) for _, fragment in ordered]
    if min(sides_of.count(-1), sides_of.count(1)) < MIN_COLUMN_LINES:
        return
    across = [
        (middle, ROW_REACH * height_of(f)) for (middle, f), side in zip(ordered, sides_of, strict=True) if not side
    ]
    at = 0
    top = -math.inf
    for middle, reach in [*across, (math.inf, 0.0)]:
        sides: tuple[list[Fragment], list[Fragment]] = ([], [])
        while at < len(ordered) and ordered[at][0] < middle - reach:
            if ordered[at][0] > top and sides_of[at]:
                sides[sides_of[at] > 0].append(ordered[at][1])
            at += 1
        if sides[0] and sides[1]:
            yield top, middle - reach, *sides
        top = max(top, middle + reach)


def _margin(group: Sequence[Fragment], start: float) -> float:
    """The right edge of what stands left of `start`: a few page numbers and the like in the gutter do not count."""
    ends = sorted(f.upright[2] for f in group if f.upright[2] <= start + 1.0)
    return ends[int(0.95 * (len(ends) - 1))] if ends else start


def _gutters(group: Sequence[Fragment]) -> list[float]:
    """Where a right column may begin: left edges that several fragments share, the commonest first."""
    edges = sorted([f.upright[0] for f in group])
    ends = sorted([f.upright[2] for f in group])
    clusters: list[tuple[float, int]] = []
    first, count = edges[0], 0
    for edge in edges:
        if edge - first > EDGE_TOLERANCE:
            clusters.append((first, count))
            first, count = edge, 0
        count += 1
    clusters.append((first, count))
    shared = [
        (first, count)
        for first, count in clusters
        if count >= MIN_COLUMN_LINES
        and first > edges[0] + MIN_GUTTER
        and bisect_right(ends, first + OVERRUN) >= MIN_COLUMN_LINES
    ]
    shared.sort(key=lambda cluster: (-cluster[1], cluster[0]))
    return [first for first, _ in shared[:MAX_GUTTERS]]
