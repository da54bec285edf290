"""The tables of a document as grids: header over each column, label and groups of each row, the line of every cell.

The cells are those of `table_df`; what it does not tell is read off the page: the unit words and the title above, the
groups that indentation shows, the header of a table that goes on under a subheading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.kept import Kept
from pipeline.retrieval.lines import KEPT_DOCUMENTS
from schemas.document import ParsedDocument
from schemas.handed_tables import HandedCell, HandedColumn, HandedRow

INDENT = 2.0  # points; a smaller shift of a label is typesetting
MAX_GAP_LINES = 8  # lines between a table and the part of it that goes on under a subheading
_FIGURE = re.compile(r"[$€£¥\s(+–—-]*(?:[A-Z]{3}\s)?\(?\d[\d.,'\s]*\)?\s*[%x)]*(?:\s?\([a-z0-9]\))?")
_NIL = re.compile(r"[$€£¥\s]*[-–—]+\s*%?")
_SHARE_ROW = re.compile(r"(?:as\s+)?(?:an?\s+)?(?:%|percent)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of `table_df`."""

    row: int
    row_span: int
    column: int
    column_span: int
    is_header: bool
    text: str
    line_start: int
    line_end: int
    page: int
    x0: float | None


@dataclass(frozen=True, slots=True)
class Grid:
    """A whole table. `title_line` is that of its caption; `header_ids` the lines of the header rows."""

    table_id: int
    columns: tuple[HandedColumn, ...]
    rows: tuple[HandedRow, ...]
    caption_line: int | None
    first_line: int
    last_line: int
    header_ids: tuple[int, ...]
    heads: tuple[str, ...]  # cells of the header rows, as written


@dataclass(frozen=True, slots=True)
class Grids:
    """The tables of a document by their number, and the table that each line stands in."""

    by_id: dict[int, Grid]
    table_of: dict[int, int]


_grids: Kept[Grids] = Kept(KEPT_DOCUMENTS)


def grids_of(document: ParsedDocument) -> Grids:
    """Every table with a line for its cells; made once for a document in use."""
    return _grids.get(document, lambda: _index(_read(document)))


def _index(grids: dict[int, Grid]) -> Grids:
    table_of: dict[int, int] = {}
    for grid in grids.values():
        cells = (cell for row in grid.rows for cell in row.cells)
        own = {line for cell in cells for line in range(cell.line_start, cell.line_end + 1)}
        own |= {line for line in grid.header_ids if grid.first_line <= line <= grid.last_line}
        table_of.update(dict.fromkeys(sorted(own), grid.table_id))
    return Grids(grids, table_of)


def grid_of(table_id: int, cells: Sequence[Cell]) -> Grid:
    """The grid of cells in reading order, header rows first."""
    return _grid(table_id, cells, None, None)


def is_figure(text: str) -> bool:
    """True for a cell that holds a figure, a year too, or the stroke that stands for nil."""
    return bool(_FIGURE.fullmatch(text.strip()) or _NIL.fullmatch(text.strip()))


def _read(document: ParsedDocument) -> dict[int, Grid]:
    frame = document.table_df
    if frame.empty:
        return {}
    frame = frame[frame["line_start"].notna() & frame["line_end"].notna()]
    captioned = frame[frame["caption_line_id"].notna()]
    captions = dict(zip(captioned["table_id"].tolist(), map(int, captioned["caption_line_id"].tolist()), strict=True))
    tables: dict[int, list[Cell]] = {}
    columns = ("row_num", "row_span", "column_num", "column_span", "is_header", "text", "line_start", "line_end")
    values = zip(
        frame["table_id"].tolist(), *(frame[name].tolist() for name in columns), frame["page_num"].tolist(),
        frame["x0"].tolist(), strict=True,
    )  # fmt: skip
    for table_id, row, row_span, column, span, is_header, text, start, end, page, x0 in values:
        words = " ".join(str(text).split())
        if words:
            left = None if x0 != x0 else x0  # NaN where a format has no layout
            cell = Cell(row, row_span, column, span, is_header, words, int(start), int(end), page, left)
            tables.setdefault(table_id, []).append(cell)
    found: dict[int, Grid] = {}
    for table_id in sorted(tables):
        cells = sorted(tables[table_id], key=lambda cell: (cell.row, cell.column))
        above = found.get(table_id - 1)
        found[table_id] = _grid(table_id, cells, captions.get(table_id), above)
    return found


def _grid(table_id: int, cells: Sequence[Cell], caption: int | None, above: Grid | None) -> Grid:
    header = [cell for cell in cells if cell.is_header]
    body = [cell for cell in cells if not cell.is_header]
    width = max(cell.column + cell.column_span - 1 for cell in cells)
    first, last = min(cell.line_start for cell in cells), max(cell.line_end for cell in cells)
    columns = tuple(_column(number, header) for number in range(1, width + 1))
    header_ids = tuple(sorted({line for cell in header for line in range(cell.line_start, cell.line_end + 1)}))
    heads = tuple(cell.text for cell in header)
    goes_on = (
        above is not None
        and not any(column.header for column in columns[1:])
        and len(above.columns) == width
        and 0 < first - above.last_line <= MAX_GAP_LINES
    )
    if goes_on and above is not None:
        columns, header_ids, heads = above.columns, above.header_ids, above.heads
    return Grid(table_id, columns, _rows(body), caption, first, last, header_ids, heads)


def _column(number: int, header: Sequence[Cell]) -> HandedColumn:
    over = [cell for cell in header if cell.column <= number < cell.column + cell.column_span]
    over = [cell for at, cell in enumerate(over) if all(cell.text != other.text for other in over[:at])]
    lines = sorted({line for cell in over for line in range(cell.line_start, cell.line_end + 1)})
    return HandedColumn(number=number, header=tuple(cell.text for cell in over), line_ids=tuple(lines))


@dataclass(slots=True)
class _Group:
    label: str
    line: int
    left: float | None
    is_indented: bool | None = None  # its first row stands further right; None: none was seen


def _rows(cells: Sequence[Cell]) -> tuple[HandedRow, ...]:
    """Rows with their groups: labels without figures above them, cells that span rows, the row that a share is of."""
    by_row: dict[int, list[Cell]] = {}
    for cell in cells:
        by_row.setdefault(cell.row, []).append(cell)
    spanning = [cell for cell in cells if cell.row_span > 1 and not is_figure(cell.text)]
    rows: list[HandedRow] = []
    groups: list[_Group] = []
    pending: list[Cell] = []  # a label whose figures stand in a row of their own
    before: HandedRow | None = None
    for number in sorted(by_row):
        row = by_row[number]
        labels = _label_cells(row)
        if len(labels) == len(row) == 1 and labels[0].column == 1:
            _close(groups, labels[0].x0, keep_flat=False)
            groups.append(_Group(labels[0].text, labels[0].line_start, labels[0].x0))
            pending = [labels[0]]
            continue
        if not labels and pending:
            groups.pop()
            row, labels = [*pending, *row], pending
        left = min((cell.x0 for cell in row if cell.x0 is not None), default=None) if labels else None
        _close(groups, labels[0].x0 if labels else left, keep_flat=True)
        over = [(group.label, group.line) for group in groups]
        over += [(cell.text, cell.line_start) for cell in spanning if cell.row < number < cell.row + cell.row_span]
        label = " ".join(cell.text for cell in labels)
        if before is not None and _SHARE_ROW.match(label):
            over.append((before.label, before.line_ids[0]))
        else:
            before = None
        made = HandedRow(
            row_num=number, label=label, groups=tuple(words for words, _ in over),
            group_line_ids=tuple(line for _, line in over), cells=tuple(_handed(cell) for cell in row),
        )  # fmt: skip
        rows.append(made)
        before = before or made
        pending = []
    return tuple(rows)


def _label_cells(row: Sequence[Cell]) -> list[Cell]:
    """The cells left of the first figure; the first cell alone where there is no figure."""
    at = next((index for index, cell in enumerate(row) if is_figure(cell.text)), None)
    if at is None:
        return list(row[:1])
    return list(row[:at])


def _close(groups: list[_Group], left: float | None, *, keep_flat: bool) -> None:
    """Ends the groups that a label at `left` does not stand in: those that are no further left.

    `keep_flat`: a group whose rows are not indented goes on to the next label without figures.
    """
    if groups and groups[-1].is_indented is None and keep_flat:
        known = left is not None and groups[-1].left is not None
        groups[-1].is_indented = known and (left or 0) > (groups[-1].left or 0) + INDENT
    while groups:
        last = groups[-1]
        if left is None or last.left is None or left <= last.left + INDENT:
            is_further_left = left is not None and last.left is not None and left < last.left - INDENT
            if keep_flat and not last.is_indented and not is_further_left:
                return
            groups.pop()
            continue
        return


def _handed(cell: Cell) -> HandedCell:
    return HandedCell(
        column=cell.column, column_span=cell.column_span, text=cell.text, line_start=cell.line_start,
        line_end=cell.line_end,
    )  # fmt: skip
