"""Ruled tables: the lines and boxes drawn on a page, and the grids of cells that they make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

Box = tuple[float, float, float, float]
Segment = tuple[float, float, float]  # place across its direction, begin and end along it, in points

MAX_RULE_WIDTH = 4.0  # points; a drawn box thinner than this is a rule (Word and EDGAR print down to 0.5, bars to 3)
MIN_RULE_LENGTH = 6.0  # points; shorter ones are dots of a leader, ticks of an axis, strokes of a letter
WHITE = 0xFFFFFF  # a box filled with white is drawn under each cell by some programs, and shows nothing
MAX_DRAWN = 4_000  # drawn boxes of a page up to which it may hold ruled tables; maps and charts have more
MAX_SEGMENTS = 400  # rules of a page after pieces are joined; a page-high table of 60 rows and 20 columns has 80
SNAP = 2.5  # points by which the pieces of one rule may differ across it (double rules stand 1 to 2 apart)
REACH = 4.0  # points by which two rules may miss each other and still meet in a corner
MIN_BORDER_SHARE = 0.6  # share of a cell's side that is drawn, from which it is a border: round corners lose the rest
OPEN_SIDE = 10.0  # points that rules run on beyond the outermost crossing one, from which the table has an open side
MIN_SIDE_SHARE = 0.5  # share of the rules that must run on there
MAX_EMPTY_SHARE = 0.67  # share of cells without words, above which a grid is a chart, a form to fill in or a frame


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn on a page, in points of the page as displayed: thin boxes are rules, filled ones are shades."""

    rules: tuple[Box, ...] = ()
    shades: tuple[Box, ...] = ()


@dataclass(slots=True)
class GridCell:
    """A cell between rules; row and column from 0."""

    row: int
    column: int
    row_span: int
    column_span: int
    box: Box


@dataclass(slots=True)
class Grid:
    """Cells between rules, by row and column; `xs` and `ys` are the places of the rules."""

    xs: list[float]
    ys: list[float]
    cells: list[GridCell] = field(default_factory=list)

    @property
    def box(self) -> Box:
        """The box around it."""
        return (self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])


def read_drawn(page: Any, blocks: Iterable[dict[str, Any]]) -> Drawn:
    """Rules and shades among MuPDF's blocks of the page; none where so much is drawn that it is a picture."""
    vectors = [block for block in blocks if block["type"] == 3 and block["alpha"]]
    if len(vectors) > MAX_DRAWN:
        return Drawn()
    if not vectors:
        return Drawn()
    matrix = page.rotation_matrix if page.rotation else None
    rules: list[Box] = []
    shades: list[Box] = []
    for block in vectors:
        x0, y0, x1, y1 = block["bbox"]
        if matrix is not None:
            from pipeline.mupdf import pymupdf

            x0, y0, x1, y1 = pymupdf.Rect(x0, y0, x1, y1) * matrix
        wide, high = x1 - x0, y1 - y0
        if min(wide, high) <= MAX_RULE_WIDTH:
            if max(wide, high) >= MIN_RULE_LENGTH:
                rules.append((x0, y0, x1, y1))
        elif block["isrect"] and block["stroked"]:
            rules += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
        elif block["isrect"] and block["color"] != WHITE:
            shades.append((x0, y0, x1, y1))
    return Drawn(tuple(rules), tuple(shades))


def turn_box(box: Box, quarter: int, width: float, height: float) -> Box:
    """The box on the page turned by `quarter` quarter turns, the way `Fragment.upright` is."""
    x0, y0, x1, y1 = box
    if quarter == 1:
        return (y0, width - x1, y1, width - x0)
    if quarter == 2:
        return (width - x1, height - y1, width - x0, height - y0)
    if quarter == 3:
        return (height - y1, x0, height - y0, x1)
    return box


def join_rules(rules: Sequence[Box]) -> tuple[list[Segment], list[Segment]]:
    """Rules across and rules down, pieces in one line joined: (place, begin, end), by place; none where too many."""
    across = [((y0 + y1) / 2, x0, x1) for x0, y0, x1, y1 in rules if x1 - x0 >= y1 - y0]
    down = [((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in rules if x1 - x0 < y1 - y0]
    joined = _join(across), _join(down)
    return ([], []) if sum(map(len, joined)) > MAX_SEGMENTS else joined


def find_grids(across: Sequence[Segment], down: Sequence[Segment]) -> list[Grid]:
    """Grids with at least two columns and one row, from the top down; a frame around text is none."""
    grids = []
    for ys, xs in _meeting(across, down):
        grid = _make_grid([across[at] for at in ys], [down[at] for at in xs])
        if grid is not None:
            grids.append(grid)
    return sorted(grids, key=lambda grid: (grid.ys[0], grid.xs[0]))


def _join(segments: Sequence[Segment]) -> list[Segment]:
    """Segments at one place as one where they touch."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments):
        if rows and segment[0] - rows[-1][0][0] <= SNAP:
            rows[-1].append(segment)
        else:
            rows.append([segment])
    joined: list[Segment] = []
    for row in rows:
        row.sort(key=lambda segment: segment[1])
        place = sum(segment[0] for segment in row) / len(row)
        begin, end = row[0][1], row[0][2]
        for _, start, stop in row[1:]:
            if start - end <= REACH:
                end = max(end, stop)
            else:
                joined.append((place, begin, end))
                begin, end = start, stop
        joined.append((place, begin, end))
    return joined


def _meeting(across: Sequence[Segment], down: Sequence[Segment]) -> list[tuple[list[int], list[int]]]:
    """Groups of rules that meet: indexes of those across and of those down."""
    group = list(range(len(across) + len(down)))

    def root(at: int) -> int:
        while group[at] != at:
            group[at] = group[group[at]]
            at = group[at]
        return at

    for index, (y, x0, x1) in enumerate(across):
        for other, (x, y0, y1) in enumerate(down):
            if x0 - REACH <= x <= x1 + REACH and y0 - REACH <= y <= y1 + REACH:
                group[root(index)] = root(len(across) + other)
    groups: dict[int, tuple[list[int], list[int]]] = {}
    for at in range(len(group)):
        pair = groups.setdefault(root(at), ([], []))
        pair[0 if at < len(across) else 1].append(at if at < len(across) else at - len(across))
    return [pair for pair in groups.values() if pair[0] and pair[1]]


def _make_grid(across: Sequence[Segment], down: Sequence[Segment]) -> Grid | None:
    xs = _places(down, across)
    ys = _places(across, down)
    if len(xs) < 3 or len(ys) < 2:
        return None
    grid = Grid(xs, ys)
    rows, columns = len(ys) - 1, len(xs) - 1
    owner = list(range(rows * columns))

    def root(at: int) -> int:
        while owner[at] != at:
            at = owner[at]
        return at

    for row in range(rows):
        for column in range(columns):
            at = row * columns + column
            if column + 1 < columns and not _is_drawn(down, xs[column + 1], ys[row], ys[row + 1]):
                owner[root(at + 1)] = root(at)
            if row + 1 < rows and not _is_drawn(across, ys[row + 1], xs[column], xs[column + 1]):
                owner[root(at + columns)] = root(at)
    members: dict[int, list[int]] = {}
    for at in range(rows * columns):
        members.setdefault(root(at), []).append(at)
    for group in members.values():
        grid.cells += _cells_of(group, xs, ys)
    grid.cells.sort(key=lambda cell: (cell.row, cell.column))
    return grid


def _cells_of(group: Sequence[int], xs: Sequence[float], ys: Sequence[float]) -> list[GridCell]:
    """The cell of a group of elementary ones; one a row where they make no rectangle."""
    columns = len(xs) - 1
    rows = sorted({at // columns for at in group})
    taken = sorted({at % columns for at in group})
    if len(group) == len(rows) * len(taken):
        parts = [(rows, taken)]
    else:
        parts = [([row], run) for row in rows for run in _runs(at % columns for at in group if at // columns == row)]
    return [
        GridCell(
            high[0],
            wide[0],
            len(high),
            len(wide),
            (xs[wide[0]], ys[high[0]], xs[wide[-1] + 1], ys[high[-1] + 1]),
        )
        for high, wide in parts
    ]


def _runs(numbers: Iterable[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _places(segments: Sequence[Segment], crossing: Sequence[Segment]) -> list[float]:
    """Places of the rules, and those of an open side: where most crossing rules run on beyond the outermost one."""
    places: list[float] = []
    for segment in sorted(segments):
        if not places or segment[0] - places[-1] > SNAP:
            places.append(segment[0])
    begins = [begin for _, begin, _ in crossing if begin < places[0] - OPEN_SIDE]
    ends = [end for _, _, end in crossing if end > places[-1] + OPEN_SIDE]
    needed = max(2, MIN_SIDE_SHARE * len(crossing))
    return [
        *([min(begins)] if len(begins) >= needed else []),
        *places,
        *([max(ends)] if len(ends) >= needed else []),
    ]


def _is_drawn(segments: Sequence[Segment], place: float, begin: float, end: float) -> bool:
    """Most of the way from `begin` to `end` is drawn at that place."""
    covered = sum(
        max(0.0, min(end, stop) - max(begin, start)) for at, start, stop in segments if abs(at - place) <= SNAP
    )
    return covered >= MIN_BORDER_SHARE * (end - begin)
