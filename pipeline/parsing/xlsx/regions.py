"""Which rows of a sheet are tables, which of them are headers, and which are titles and notes around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.parsing.xlsx.cells import Cell
from pipeline.parsing.xlsx.places import Range

MAX_HEADER_ROWS = 3  # rows of one header: a period, a measure and its unit
MAX_HEADER_CHARS = 120  # characters of a column's title; longer cells are prose
MAX_GAP_ROWS = 2  # blank rows between a header and what stands under it
MIN_TYPED_SHARE = 2 / 3  # share of a column's cells that are numbers or dates, from which words above are its title
YEARS = (1900, 2100)  # whole numbers that head columns of figures


@dataclass(slots=True)
class Region:
    """A table of a sheet with the titles right above it; `titles`: column -> words of its header."""

    rows: set[int] = field(default_factory=set)
    header_rows: set[int] = field(default_factory=set)
    prose_rows: set[int] = field(default_factory=set)  # titles and notes: rows of one cell around the table
    titles: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """What the sheet itself says: ranges with a header on top (table objects, filters), and the rows kept in view."""

    headed: tuple[Range, ...] = ()
    frozen_rows: int = 0


Rows = Sequence[tuple[int, Sequence[Cell]]]  # row number, cells from the left; from the top


def find_regions(rows: Rows, told: Told) -> list[Region]:
    """The regions, from the top; every row is in exactly one.

    A header is what the sheet says is one; else the first rows of words over a column of figures or dates, or words in
    bold or on a fill over words without. A block of rows without a header of its own goes on under the one before when
    it stands in the same columns.
    """
    regions: list[Region] = []
    last_wide = max((number for number, cells in rows if len(cells) > 1), default=0)
    for block in _blocks(rows, told):
        region = _read_block(block, told)
        last = regions[-1] if regions else None
        if not region.header_rows and not _is_prose(block) and last is not None and _goes_on(last, block):
            last.rows |= region.rows
        elif last is not None and _is_prose(block) and block[-1][0] > last_wide:  # a note at the foot
            last.rows |= region.rows
            last.prose_rows |= region.prose_rows
        elif last is not None and not last.header_rows and last.rows == last.prose_rows:
            region.rows |= last.rows  # titles above join the table that they name
            region.prose_rows |= last.prose_rows
            regions[-1] = region
        else:
            regions.append(region)
    return regions


def _blocks(rows: Rows, told: Told) -> list[list[tuple[int, Sequence[Cell]]]]:
    """Runs of rows without a blank row between; a header stays with its figures over a blank row."""
    starts = {r[0] for r in told.headed}
    blocks: list[list[tuple[int, Sequence[Cell]]]] = []
    for row in rows:
        near = blocks and row[0] - blocks[-1][-1][0] == 1 and row[0] not in starts
        if near:
            blocks[-1].append(row)
        else:
            blocks.append([row])
    joined: list[list[tuple[int, Sequence[Cell]]]] = []
    for block in blocks:
        before = joined[-1] if joined else None
        if before is not None and block[0][0] not in starts and _heads(before, block):
            before.extend(block)
        else:
            joined.append(block)
    return joined


def _heads(before: Rows, block: Rows) -> bool:
    """The block before is nothing but header rows, and this one begins with figures in its columns."""
    gap = block[0][0] - before[-1][0] - 1
    many = [cells for _, cells in before if len(cells) > 1]
    if gap > MAX_GAP_ROWS or not many or len(many) > MAX_HEADER_ROWS or len(block[0][1]) < 2:
        return False
    columns = {cell.column for cells in many for cell in cells}
    return (
        all(_may_head(cell) for cells in many for cell in cells)
        and any(not _may_head(cell) for cell in block[0][1])
        and len({cell.column for cell in block[0][1]} & columns) > 1
    )


def _read_block(block: Rows, told: Told) -> Region:
    region = Region(rows={number for number, _ in block})
    if _is_prose(block):
        region.prose_rows = set(region.rows)
        return region
    first = next((at for at, (_, cells) in enumerate(block) if len(cells) > 1), 0)
    count = _told_header(block, first, told) or _guess_header(block[first:])
    if count:
        heads = block[first : first + count]
        region.header_rows = {number for number, _ in heads}
        region.titles = _join_titles(heads)
        region.prose_rows = {number for number, _ in block[:first]}
    return region


def _told_header(block: Rows, first: int, told: Told) -> int:
    """Header rows that the sheet names: the top of a table or filter, or the last row kept in view."""
    number = block[first][0]
    if any(r[0] == number for r in told.headed):
        return 1
    frozen = [at for at, (row, _) in enumerate(block) if row <= told.frozen_rows and at >= first]
    if frozen and frozen[-1] + 1 < len(block) and len(frozen) <= MAX_HEADER_ROWS:
        return len(frozen)
    return 0


def _guess_header(block: Rows) -> int:
    """Rows of a header on top of the block; 0 where there is none."""
    run = 0
    while run < min(len(block), MAX_HEADER_ROWS) and all(_may_head(cell) for cell in block[run][1]):
        run += 1
    if run == 0 or run == len(block):
        run = min(run, 1) if len(block) > 1 else 0
    if run == 0:
        return 0
    for count in range(run, 0, -1):
        if count == 1 or _is_one_header(block[:count], block[count]):
            return count if _stands_out(block, count) or _is_typed_below(block, count) else 0
    return 0


def _is_one_header(heads: Rows, below: tuple[int, Sequence[Cell]]) -> bool:
    """Several rows are one header where they look alike and unlike what follows, or the upper ones span columns.

    So they are where a blank row parts them from the figures, or the lower ones say nothing in the column of labels.
    """
    looks = {_look(cell) for _, cells in heads for cell in cells}
    if any(bold or filled for bold, filled in looks) and looks.isdisjoint({_look(cell) for cell in below[1]}):
        return True
    if below[0] - heads[-1][0] > 1 or all(cells[0].column > below[1][0].column for _, cells in heads[1:]):
        return True
    return all(
        len(upper) < len(lower) and any(cell.column_span > 1 or cell.style.spread for cell in upper)
        for (_, upper), (_, lower) in pairwise(heads)
    )


def _look(cell: Cell) -> tuple[bool, bool]:
    return cell.style.bold, cell.style.filled


def _stands_out(block: Rows, count: int) -> bool:
    """All cells of the header are bold or filled, and the row below is not."""
    if count >= len(block):
        return False
    heads = [cell for _, cells in block[:count] for cell in cells]
    below = block[count][1]
    return len(block[count - 1][1]) > 1 and (
        (all(cell.style.bold for cell in heads) and not all(cell.style.bold for cell in below))
        or (all(cell.style.filled for cell in heads) and not all(cell.style.filled for cell in below))
    )


def _is_typed_below(block: Rows, count: int) -> bool:
    """Under a title of words most cells of the column are figures or dates of one kind."""
    columns: dict[int, list[str]] = {}
    for _, cells in block[count:]:
        for cell in cells:
            columns.setdefault(cell.column, []).append(cell.kind)
    for _, cells in block[:count]:
        for cell in cells:
            kinds = columns.get(cell.column, [])
            most = max((kinds.count(kind) for kind in ("number", "date", "bool", "formula")), default=0)
            if kinds and most >= MIN_TYPED_SHARE * len(kinds) and not _is_label(cell):
                return True
    return False


def _is_label(cell: Cell) -> bool:
    """'Total:' names what stands to its right, not what stands below."""
    return cell.text.endswith(":")


def _may_head(cell: Cell) -> bool:
    if cell.kind == "number":
        number = cell.number or 0.0
        return number.is_integer() and YEARS[0] <= number <= YEARS[1] and cell.text.isdigit()
    return cell.kind == "date" or (cell.kind == "text" and len(cell.text) <= MAX_HEADER_CHARS)


def _join_titles(heads: Rows) -> dict[int, str]:
    """Column -> words of its title, from the upper row down; a cell over several columns counts for each."""
    last = max((cell.column for _, cells in heads for cell in cells), default=0)
    titles: dict[int, list[str]] = {}
    for _, cells in heads:
        for at, cell in enumerate(cells):
            end = cell.column + cell.column_span - 1
            if cell.style.spread:
                end = max(end, cells[at + 1].column - 1 if at + 1 < len(cells) else last)
            for column in range(cell.column, min(end, max(last, cell.column)) + 1):
                if cell.text not in titles.setdefault(column, []):
                    titles[column].append(cell.text)
    return {column: " ".join(words) for column, words in titles.items()}


def _is_prose(block: Rows) -> bool:
    """Nothing but rows of one cell of words."""
    return all(len(cells) == 1 and cells[0].kind == "text" for _, cells in block)


def _goes_on(region: Region, block: Rows) -> bool:
    """The block stands in the columns of the table before."""
    columns: Mapping[int, str] = region.titles
    return bool(columns) and all(min(columns) <= cell.column <= max(columns) for _, cells in block for cell in cells)
