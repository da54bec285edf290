"""Open tables: rows of pieces that stand apart, in columns that white space alone sets off."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import LEADERS, read_number
from pipeline.parsing.table_pieces import Cell, Piece, cut_line, is_figure, is_row_label, is_year, join_boxes
from pipeline.parsing.table_rules import Box

MIN_ROWS = 3  # rows with cells of an open table; two lines side by side are as likely a signature or an address
MAX_ROW_GAP_EMS = 3.5  # distance to the row above, over the font size, from which a table has ended
BLANK_PITCH = 1.4  # distance to the row above over the usual one, from which there is a blank between them
MAX_PLAIN_ROWS = 4  # rows without cells between two with: a label over three lines, a group's title
PROSE_WORDS = 12  # words of a piece from which it is a sentence, not a label
PROSE_CHARS = 70  # characters of the same
MIN_DEEP_SHARE = 0.25  # share of the rows that must have as many cells for the columns to be read off them
MAX_CROSSING_SHARE = 0.08  # share of those rows whose words may run into the white space between two columns
MIN_GUTTER = 1.5  # points of white space between two columns
MIN_FIGURE_SHARE = 0.5  # share of the cells right of the first column that are figures in a table of figures
MAX_WORDY_SHARE = 0.34  # share of cells that are sentences, above which the rows are prose side by side
MIN_ALIGNED_SHARE = 0.7  # share of a column's cells that begin, end or are centred at one place
ALIGN_TOLERANCE = 3.0  # points by which they may differ
MIN_WORD_COLUMNS = 3  # columns of a table of words that neither rules nor a caption show
MAX_LEAD_ROWS = 4  # rows without cells above a table that may be titles over its columns
WRAP_PITCH = 1.6  # distance of lines of one cell, over the font size
TITLE_PITCH = 2.0  # distance of such a title to the row below, over the font size

_FILL_IN = re.compile(r"_{3,}|\.{5,}|^(?:by|name|title|date|its|signature|signed|print|attest)\s*:", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")


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


@dataclass(slots=True)
class OpenTable:
    """Rows with the extents of their columns, before header and wrapped cells are told."""

    rows: list[Row]
    columns: list[tuple[float, float]]


def find_open_tables(lines: Sequence[Line], is_marked: Callable[[Box], bool]) -> list[OpenTable]:
    """Open tables among lines of one direction in reading order; `is_marked`: a caption or rules tell a table there."""
    tables = []
    for lead, group in _group_rows(lines):
        box = join_boxes([piece.flat for row in group for piece in row.pieces])
        table = _read_group(group, is_marked=is_marked(box))
        if table is not None:
            table.rows = [*_titles_above(lead, table), *table.rows]
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


def _group_rows(lines: Sequence[Line]) -> list[tuple[list[Row], list[Row]]]:
    """Runs of rows that may be tables, from a first to a last row with cells, each behind the few rows above it."""
    groups: list[tuple[list[Row], list[Row]]] = []
    lead: list[Row] = []  # rows without cells right above, as titles over columns are
    run: list[Row] = []
    plain = 0
    before: Line | None = None
    for line in lines:
        row = Row(cut_line(line))
        if before is not None and not _follows(before, line):
            groups.append((lead, run))
            lead, run, plain = [], [], 0
        before = line
        row.is_split = is_split = _has_cells(row)
        if run and not is_split and (plain >= MAX_PLAIN_ROWS or _is_prose(row, run)):
            groups.append((lead, run))
            lead, run, plain = [], [], 0
        if is_split or run:
            plain = 0 if is_split else plain + 1
            run.append(row)
        else:
            lead = [*lead[1 - MAX_LEAD_ROWS :], row]
    groups.append((lead, run))
    split: list[tuple[list[Row], list[Row]]] = []
    for above, group in groups:
        parts = _split(_trim(group))
        split += [(above if at == 0 else _lead_of(part), _trim(part)) for at, part in enumerate(parts)]
    return split


def _titles_above(lead: Sequence[Row], table: OpenTable) -> list[Row]:
    """Of the rows above the table, those that are titles over its columns: right of the labels, and near."""
    left, right = table.columns[0][1], table.columns[-1][1]
    titles: list[Row] = []
    below = table.rows[0]
    for row in reversed(lead):
        inside = len(row.pieces) == 1 and row.pieces[0].left >= left and row.pieces[0].right <= right + row.size
        if not inside or below.middle - row.middle > TITLE_PITCH * max(row.size, below.size):
            break
        titles.insert(0, row)
        below = row
    return titles


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
    return not (_is_sentence(one) and _is_sentence(two)) and not _is_heading(row)


def _is_heading(row: Row) -> bool:
    """'Item 2.', 'Section 4' and the like with a title that stands apart, in bold or capitals."""
    number = read_number(row.pieces[0].text)
    named = number is not None and number.kind not in ("decimal", "roman", "letter") and not number.title
    return named and not is_figure(row.pieces[1].text) and (row.pieces[1].bold or row.pieces[1].text.isupper())


def _is_prose(row: Row, run: Sequence[Row]) -> bool:
    """A sentence that runs on under the other columns; a label may be as long, over several lines in its column."""
    if len(row.pieces) > 1 or not _is_sentence(row.pieces[0]):
        return False
    return row.pieces[0].flat[2] > min(other.pieces[1].flat[0] for other in run if other.is_split)


def _is_sentence(piece: Piece) -> bool:
    return len(piece.text) >= PROSE_CHARS or piece.text.count(" ") >= PROSE_WORDS


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
    figures = blank = -1  # the last row with figures, the first row behind the last blank
    for at, row in enumerate(group):
        if at and row.middle - group[at - 1].middle > BLANK_PITCH * usual:
            blank = at
        if _has_figure(row):
            figures = at
        elif begin <= figures < blank <= at and (_has_titles(row) if row.is_split else _is_over(row, group)):
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
    return all(len(piece.text) > 1 and not _is_sentence(piece) for piece in row.pieces[1:])


def _read_group(group: list[Row], *, is_marked: bool) -> OpenTable | None:
    deep = [row for row in group if row.is_split]
    if len(deep) < (MIN_ROWS if not is_marked else MIN_ROWS - 1):
        return None
    columns = find_columns(
        [row for row in deep if _has_figure(row)] if sum(map(_has_figure, deep)) >= MIN_ROWS else deep
    )
    if len(columns) < 2:
        return None
    return OpenTable(group, columns) if _is_table(deep, columns, is_marked=is_marked) else None


def _has_figure(row: Row) -> bool:
    return any(is_figure(piece.text) and not is_year(piece.text) for piece in row.pieces[1:])


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


def _is_table(rows: Sequence[Row], columns: Sequence[tuple[float, float]], *, is_marked: bool) -> bool:
    pieces = [piece for row in rows for piece in row.pieces]
    if sum(_FILL_IN.search(piece.text) is not None or "@" in piece.text for piece in pieces) * 4 >= len(rows):
        return False
    placed = [(piece, place(piece, columns)) for piece in pieces]
    inner = [piece for piece, (column, span) in placed if column > 0 and span == 1]
    if not inner:
        return False
    figures = sum(is_figure(piece.text) and not is_year(piece.text) for piece in inner)
    if sum(map(_is_sentence, pieces)) > MAX_WORDY_SHARE * len(pieces):
        return False
    if figures >= MIN_FIGURE_SHARE * len(inner) and figures >= MIN_ROWS - 1:
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
