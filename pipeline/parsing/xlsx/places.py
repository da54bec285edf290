"""Cell references: 'B4', '$B$4' and 'B4:D9' as row and column numbers from 1, and back."""

from __future__ import annotations

import re

MAX_ROWS = 1_048_576  # rows of a sheet (specifications and limits of Excel)
MAX_COLUMNS = 16_384  # columns of a sheet, XFD (the same)

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
Range = tuple[int, int, int, int]  # first row, first column, last row, last column


def read_cell(reference: str) -> tuple[int, int] | None:
    """Row and column of 'B4'; None for what names no cell of a sheet."""
    found = _CELL.fullmatch(reference.strip())
    if found is None:
        return None
    row, column = int(found[2]), 0
    for letter in found[1].upper():
        column = 26 * column + ord(letter) - ord("A") + 1
    return (row, column) if 1 <= row <= MAX_ROWS and column <= MAX_COLUMNS else None


def read_range(reference: str) -> Range | None:
    """The corners of 'B4:D9', in order; of one cell for 'B4'; None for what names no cells."""
    first, _, last = reference.partition(":")
    start, end = read_cell(first), read_cell(last or first)
    if start is None or end is None:
        return None
    return min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1])


def read_ranges(references: str) -> list[Range]:
    """The ranges of a list with blanks between them; what names no cells is left out."""
    return [found for found in map(read_range, references.split()) if found is not None]


def name_cell(row: int, column: int) -> str:
    """'B4' for row 4, column 2."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"
