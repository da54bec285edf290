"""Tables that the lines alone show: runs of labels with the same number of figures beside them, under their years.

For pages where the parser marked no table. A run has its header within a few lines above: as many years or dates as
there are figures in a row; without it the run is left to be read as lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.retrieval.lines import Lines
from pipeline.retrieval.statements import row_of, years_in
from pipeline.retrieval.table_grids import Cell, Grid, grid_of

MIN_ROWS = 3  # rows with as many figures each; fewer are no table
MAX_HEAD_LINES = 4  # lines above the first row in which the years stand
MAX_BETWEEN = 2  # lines without figures inside a run: labels of groups, labels that run on
_FIGURE = re.compile(r"(?:[$€£]\s*)?\(?\s*(?:[$€£]\s*)?\d[\d.,]*\s*\)?\s?%?|(?<=\s)[—–-](?=\s|$)")
_YEARS = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def runs_on(lines: Lines, page: int) -> list[Grid]:
    """The tables that the lines of a page show, in order; empty for a page of prose."""
    positions = [at for at in lines.searched_list if lines.page_nums[at] == page]
    rows = {at: figures for at in positions if (figures := _figures(lines, at))}
    found: list[Grid] = []
    at = 0
    while at < len(positions):
        run = _run_from(positions, at, rows)
        filled = [position for position in run if position in rows]
        head = _head(lines, positions, at, len(rows[filled[0]]), rows) if len(filled) >= MIN_ROWS else None
        if head is None:
            at += 1
            continue
        found.append(grid_of(0, _cells(lines, head, run, rows)))
        at = positions.index(run[-1]) + 1
    return found


def _figures(lines: Lines, position: int) -> list[re.Match[str]]:
    """The figures at the end of a row's line; none for prose, for a head and for a line without a label."""
    block = lines.block_at(position)
    text = lines.texts[position]
    if block is None or len(lines.block_positions(block)) != 1 or row_of(lines, block) is None:
        return []
    matches = list(_FIGURE.finditer(text))
    while matches and text[matches[-1].end() :].strip():
        return []
    kept: list[re.Match[str]] = []
    for match in reversed(matches):
        between = text[match.end() : kept[-1].start() if kept else len(text)]
        if between.strip():
            break
        kept.append(match)
    return kept[::-1]


def _run_from(positions: Sequence[int], at: int, rows: dict[int, list[re.Match[str]]]) -> list[int]:
    """The lines of a run that begins with a row: rows of as many figures, and the few lines between them."""
    if positions[at] not in rows:
        return []
    size = len(rows[positions[at]])
    run: list[int] = []
    waiting: list[int] = []
    for position in positions[at:]:
        if position in rows and len(rows[position]) == size:
            run += [*waiting, position]
            waiting = []
        elif position in rows or len(waiting) == MAX_BETWEEN:
            break
        else:
            waiting.append(position)
    return run


def _head(
    lines: Lines, positions: Sequence[int], at: int, size: int, rows: dict[int, list[re.Match[str]]]
) -> tuple[int, list[str]] | None:
    """The line above the run that holds as many years as its rows hold figures, and these; None without one."""
    for position in reversed(positions[max(0, at - MAX_HEAD_LINES) : at]):
        years = _YEARS.findall(lines.texts[position])
        if len(years) == size and position not in rows and years_in([lines.texts[position]]):
            return position, years
    return None


def _cells(
    lines: Lines, head: tuple[int, list[str]], run: Sequence[int], rows: dict[int, list[re.Match[str]]]
) -> list[Cell]:
    page = lines.page_nums[run[0]]
    line = lines.line_ids[head[0]]
    cells = [Cell(1, 1, 2 + n, 1, True, year, line, line, page, None) for n, year in enumerate(head[1])]
    for number, position in enumerate(run, 2):
        text, line = lines.texts[position], lines.line_ids[position]
        figures = rows.get(position, [])
        label = text[: figures[0].start()].strip() if figures else text.strip()
        cells.append(Cell(number, 1, 1, 1, False, label, line, line, page, None))
        cells += [
            Cell(number, 1, 2 + n, 1, False, " ".join(one.group().split()), line, line, page, None)
            for n, one in enumerate(figures)
        ]
    return cells
