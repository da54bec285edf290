"""The notes under a table that a mark in it points at: '(1) Waived above EUR 10,000' under 'Expedite Fee (1)'."""

from __future__ import annotations

import re

from pipeline.retrieval.lines import Lines
from pipeline.retrieval.table_grids import Grid
from schemas.handed_tables import HandedNote

LOOK_BELOW = 14  # lines under a table; the notes of 36 reports looked at begin within four
MAX_NOTE_LINES = 6  # lines of one note
# A mark behind a label or a figure: '(1)', '(a)', '*', a raised figure; a year or an amount in brackets is none.
_MARKED = re.compile(r"\(\s*(\d{1,2}|[a-z])\s*\)\s*$|(\*{1,3}|[†‡§]+|[¹²³⁴⁵⁶⁷⁸⁹]+)\s*$")
_NOTE = re.compile(r"^\s*(?:\(\s*(\d{1,2}|[a-z])\s*\)|(\*{1,3}|[†‡§]+|[¹²³⁴⁵⁶⁷⁸⁹]+)|(\d{1,2}|[a-z])[.)])\s*(?=\S)")


def mark_of(text: str) -> str | None:
    """The mark that ends a label or a figure; None without one. A figure that is itself in brackets has none."""
    found = _MARKED.search(text)
    if found is None or not text[: found.start()].strip(" $€£"):
        return None
    return found.group(1) or found.group(2)


def notes_under(grid: Grid, lines: Lines) -> tuple[HandedNote, ...]:
    """The notes whose marks stand in the table, in their order."""
    marks = {mark for text in _texts(grid) if (mark := mark_of(text)) is not None}
    if not marks:
        return ()
    at = lines.position(grid.last_line)
    page = lines.page_nums[at]
    found: list[tuple[str, list[int]]] = []
    for position in range(at + 1, min(at + 1 + LOOK_BELOW, len(lines.texts))):
        if lines.page_nums[position] != page or lines.roles[position] in ("heading", "table"):
            break
        if not lines.readable[position] or not lines.texts[position].strip():
            continue
        note = _NOTE.match(lines.texts[position])
        mark = next((one for one in note.groups() if one), None) if note else None
        if mark in marks:
            found.append((str(mark), [position]))
        elif mark is None and found and len(found[-1][1]) < MAX_NOTE_LINES:
            found[-1][1].append(position)
    return tuple(
        HandedNote(
            mark=mark,
            text=" ".join(" ".join(lines.texts[position].split()) for position in positions),
            line_ids=tuple(lines.line_ids[position] for position in positions),
        )
        for mark, positions in found
    )


def _texts(grid: Grid) -> list[str]:
    cells = [cell.text for row in grid.rows for cell in row.cells]
    return [*cells, *grid.heads, *(group for row in grid.rows for group in row.groups)]
