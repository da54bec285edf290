"""Rows of pieces that stand apart, in runs that may be tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import LEADERS, read_number
from pipeline.parsing.table_pieces import Cell, Piece, cut_line, is_figure, is_row_label, is_whole, is_year

MAX_ROW_GAP_EMS = 3.5  # distance to the row above, over the font size, from which a table has ended
BLANK_PITCH = 1.4  # distance to the row above over the usual one, from which there is a blank between them
MAX_PLAIN_ROWS = 4  # rows without cells between two with: a label over three lines, a group's title
PROSE_WORDS = 12  # words of a piece from which it is a sentence, not a label
PROSE_CHARS = 70  # characters of the same
MAX_LEAD_ROWS = 4  # rows without cells above a table that may be titles over its columns
WRAP_PITCH = 1.6  # distance of lines of one cell, over the font size
TITLE_PITCH = 2.0  # distance of such a title to the row below, over the font size
_DRAWN = frozenset("-=_ \u2014")  # what a typewriter draws rules with
_DRAWN_START = _DRAWN | {""}


@dataclass(slots=True)
class Row:
    """The pieces of one line of a table, or of several where a cell runs over lines."""

    pieces: list[Piece]
    cells: list[Cell] = field(default_factory=list)
    is_split: bool = False  # its pieces are cells, not a number and its text

    @property
    def middle(self) -> float:
        """Height of the row's middle, in points from the top."""
        return self.pieces[0].middle

    @property
    def size(self) -> float:
        """Largest font size in the row, in points."""
        return max(piece.size for piece in self.pieces)


def group_rows(lines: Sequence[Line]) -> list[tuple[list[Row], list[Row]]]:
    """Runs of rows that may be tables, from a first to a last row with cells, each behind the few rows above it."""
    groups: list[tuple[list[Row], list[Row]]] = []
    lead: list[Line] = []  # lines without cells right above, as titles over columns are
    run: list[Row] = []
    plain = 0
    before: Line | None = None
    for line in lines:
        if line.text[:1] in _DRAWN_START and set(line.text) <= _DRAWN:  # a rule of a typewriter's table
            continue
        if before is not None and not _follows(before, line):
            if run:
                groups.append((_make_rows(lead), run))
            lead, run, plain = [], [], 0
        before = line
        if not run and is_whole(line):  # most lines of a text: no row is made of them
            lead = [*lead[1 - MAX_LEAD_ROWS :], line]
            continue
        row = Row(cut_line(line))
        row.is_split = is_split = _has_cells(row)
        if run and not is_split and (plain >= MAX_PLAIN_ROWS or _is_prose(row, run)):
            groups.append((_make_rows(lead), run))
            lead, run, plain = [], [], 0
        if is_split or run:
            plain = 0 if is_split else plain + 1
            run.append(row)
        else:
            lead = [*lead[1 - MAX_LEAD_ROWS :], line]
    if run:
        groups.append((_make_rows(lead), run))
    split: list[tuple[list[Row], list[Row]]] = []
    for above, group in groups:
        for at, part in enumerate(_split(_trim(group))):
            rows = _trim(part)
            if rows:  # titles alone are no table
                split.append((above if at == 0 else _lead_of(part), rows))
    return split


def titles_above(lead: Sequence[Row], rows: Sequence[Row], columns: Sequence[tuple[float, float]]) -> list[Row]:
    """Of the rows above the table, those that are titles over its columns: right of the labels, and near."""
    left, right = columns[0][1], columns[-1][1]
    titles: list[Row] = []
    below = rows[0]
    for row in reversed(lead):
        inside = len(row.pieces) == 1 and row.pieces[0].left >= left and row.pieces[0].right <= right + row.size
        if not inside or below.middle - row.middle > TITLE_PITCH * max(row.size, below.size):
            break
        titles.insert(0, row)
        below = row
    return titles


def is_sentence(piece: Piece) -> bool:
    """Too long for a label."""
    return len(piece.text) >= PROSE_CHARS or piece.text.count(" ") >= PROSE_WORDS


def has_figure(row: Row) -> bool:
    """A figure stands behind the first piece; a year is a title."""
    return any(is_figure(piece.text) and not is_year(piece.text) for piece in row.pieces[1:])


def _make_rows(lines: Sequence[Line]) -> list[Row]:
    return [Row(cut_line(line)) for line in lines]


def _follows(before: Line, line: Line) -> bool:
    step = line.middle - before.middle
    return before.column == line.column and 0 < step <= MAX_ROW_GAP_EMS * max(line.size, before.size)


def _has_cells(row: Row) -> bool:
    if len(row.pieces) < 2 or LEADERS.search(row.pieces[0].line.text):
        return False
    if len(row.pieces) > 2:
        return True
    one, two = row.pieces
    if is_row_label(one.text):
        return is_figure(two.text)  # a note, a clause, an item of a list
    return not (is_sentence(one) and is_sentence(two)) and not _is_heading(row)


def _is_heading(row: Row) -> bool:
    """'Item 2.', 'Section 4' and the like with a title that stands apart, in bold or capitals."""
    number = read_number(row.pieces[0].text)
    named = number is not None and number.kind not in ("decimal", "roman", "letter") and not number.title
    return named and not is_figure(row.pieces[1].text) and (row.pieces[1].bold or row.pieces[1].text.isupper())


def _is_prose(row: Row, run: Sequence[Row]) -> bool:
    """A sentence that runs on under the other columns; a label may be as long, over several lines in its column."""
    if len(row.pieces) > 1 or not is_sentence(row.pieces[0]):
        return False
    return row.pieces[0].flat[2] > min(other.pieces[1].flat[0] for other in run if other.is_split)


def _trim(group: list[Row]) -> list[Row]:
    """The rows from the first to the last that have cells, with what only goes on below the last."""
    split = [at for at, row in enumerate(group) if row.is_split]
    if not split:
        return []
    last = split[-1]
    second = min(group[at].pieces[1].left for at in split)
    for row in group[last + 1 :]:
        near = row.middle - group[last].middle <= WRAP_PITCH * row.size
        if not near or not (row.pieces[0].left >= second or row.pieces[0].text[:1].islower()):
            break
        last += 1
    return group[split[0] : last + 1]


def _split(group: list[Row]) -> list[list[Row]]:
    """The group cut where, below figures and a blank, titles over columns begin another table."""
    steps = sorted(two.middle - one.middle for one, two in pairwise(group))
    usual = steps[len(steps) // 2] if steps else 0.0
    parts: list[list[Row]] = []
    begin = 0
    last = max((at for at, row in enumerate(group) if row.is_split), default=-1)  # below: the rest of its cells
    figures = blank = -1  # the last row with figures, the first row behind the last blank
    for at, row in enumerate(group):
        if at and row.middle - group[at - 1].middle > BLANK_PITCH * usual:
            blank = at
        if has_figure(row):
            figures = at
        elif begin <= figures < blank <= min(at, last) and (_has_titles(row) if row.is_split else _is_over(row, group)):
            parts.append(group[begin:blank])
            begin = blank
    return [part for part in [*parts, group[begin:]] if part]


def _lead_of(part: Sequence[Row]) -> list[Row]:
    """The rows before the first that has cells."""
    return list(part[: next((at for at, row in enumerate(part) if row.is_split), len(part))])


def _is_over(row: Row, group: Sequence[Row]) -> bool:
    """The row's only words stand right of all labels: a title over columns."""
    return row.pieces[0].left >= max(other.pieces[0].right for other in group if other.is_split)


def _has_titles(row: Row) -> bool:
    """Words or years over the columns behind the first: no sentence, nothing that was left blank."""
    return all(len(piece.text) > 1 and not is_sentence(piece) for piece in row.pieces[1:])
