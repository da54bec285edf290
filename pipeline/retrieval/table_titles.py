"""What a table is called, in what its figures are, and which primary statement it is part of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from pipeline.kept import Kept
from pipeline.retrieval.lines import KEPT_DOCUMENTS, Lines
from pipeline.retrieval.statements import statement_kind, statements_of, years_in
from pipeline.retrieval.table_grids import Grid, is_figure

LOOK_ABOVE = 6  # lines above a table in which its title and its unit stand: company, title, unit, periods
MAX_TITLE_CHARACTERS = 120
MAX_TITLE_LINES = 2  # rows of a sheet right over the header of a table: 'Operating segments', 'Revenue and results'
MAX_UNIT_CHARACTERS = 60  # of a line that is handed as unit words whole; a longer one is prose
MIN_ROWS = 6  # rows of a table that a title makes a statement; the shortest of 36 reports looked at have eleven
StatementKind = Literal["income", "position", "cash_flow"]
# 'in millions', '(Dollars in thousands, except per share data)', '(Millions)', 'en miles de euros', 'US$ million'.
UNIT_WORDS = re.compile(
    r"\b(?:in|en)\s+(?:[\w.$€£']+\s+(?:de\s+)?)?(?:thousands?|millions?|billions?|miles|millones|milliers|milliards)\b"
    r"|(?:^\W*|\()(?:(?:amounts?|dollars?|figures|importes|montants)\s+)?(?:in\s+|en\s+)?"
    r"(?:thousands?|millions?|billions?|miles|millones|milliers|milliards)\b"
    r"|[$€£]\s?(?:thousands?|millions?|billions?|mm?\b|bn\b|k\b|000'?s?)|\b(?:USD|EUR|GBP)\s?(?:k|m|mn|bn|000s?|millions?)\b"
    r"|\bin\s+(?:whole\s+)?(?:u\.?s\.?\s+)?dollars\b|\ben\s+euros\b",
    re.IGNORECASE,
)

_kinds: Kept[dict[int, StatementKind]] = Kept(KEPT_DOCUMENTS)


def statement_kinds(grids: dict[int, Grid], lines: Lines) -> dict[int, StatementKind]:
    """The tables that are part of a primary statement, each with its kind; made once for a document in use."""
    return _kinds.get(lines, lambda: _find_kinds(grids, lines))


def statement_of(grid: Grid, lines: Lines) -> StatementKind | None:
    """The primary statement whose rows these are, else what the title above says alone."""
    block = lines.block_at(lines.position(grid.rows[0].line_ids[0])) if grid.rows else None
    within = statements_of(lines).get(block) if block is not None else None
    if within is not None:
        return None if within.kind == "other" else within.kind
    if len(grid.rows) < MIN_ROWS or not years_in(title for column in grid.columns for title in column.header):
        return None
    title = named_above(grid, lines)[0]
    kind = statement_kind(title) if title else None
    return None if kind == "other" else kind


def _find_kinds(grids: dict[int, Grid], lines: Lines) -> dict[int, StatementKind]:
    kinds: dict[int, StatementKind] = {}
    for grid in grids.values():
        kind = statement_of(grid, lines)
        if kind is not None:
            kinds[grid.table_id] = kind
    return kinds


def named_above(grid: Grid, lines: Lines) -> tuple[str | None, tuple[int, ...], str | None, int | None]:
    """Title with its lines, and the unit words with their line: from the header, the lines above, or the caption."""
    unit: str | None = None
    unit_line: int | None = None
    start = min((grid.first_line, *grid.header_ids))
    own = _lines_over_header(grid, lines)
    header = [line for line in grid.header_ids if UNIT_WORDS.search(lines.texts[lines.position(line)])]
    above = _lines_above(lines, start)
    caption = [grid.caption_line] if grid.caption_line else []
    told = [*header, *above, *caption]
    for line_id in told:
        text = " ".join(lines.texts[lines.position(line_id)].split())
        if UNIT_WORDS.search(text):
            unit, unit_line = _unit_words(text, grid.heads if line_id in header else ()), line_id
            break
    if unit is None:
        unit, unit_line = _unit_on_page(lines, start, grid)
    titles = (
        caption
        or own[:1]
        or [line for line in above if line != unit_line and _may_title(lines.texts[lines.position(line)])]
    )
    stated = [line for line in titles if statement_kind(lines.texts[lines.position(line)].strip())]
    chosen = stated[:1] or titles[:1]
    chosen = own if chosen == own[:1] else chosen
    title = " ".join(word for line in chosen for word in lines.texts[lines.position(line)].split()) or None
    return title, tuple(chosen), unit, unit_line


def _lines_over_header(grid: Grid, lines: Lines) -> list[int]:
    """Lines of a table that stand over its header and hold one cell: the rows of a sheet that entitle it."""
    if not grid.header_ids or grid.first_line >= grid.header_ids[0]:
        return []
    over = [
        line for line in range(grid.first_line, grid.header_ids[0]) if _may_title(lines.texts[lines.position(line)])
    ]
    return over[-MAX_TITLE_LINES:]


def _unit_on_page(lines: Lines, line_id: int, grid: Grid) -> tuple[str | None, int | None]:
    """A line of the page that holds unit words and nothing else, the nearest: where reading order tore it off.

    Not across another table: its unit is its own.
    """
    at = lines.position(line_id)
    page = lines.page_nums[at]
    found: list[tuple[int, int, str]] = []
    for step in (-1, 1):
        position = at + step
        while 0 <= position < len(lines.texts) and lines.page_nums[position] == page:
            text = " ".join(lines.texts[position].split())
            if lines.roles[position] == "table" and not grid.first_line <= lines.line_ids[position] <= grid.last_line:
                break
            if lines.readable[position] and len(text) <= MAX_UNIT_CHARACTERS and re.match(r"\(.*\)$", text):
                unit = UNIT_WORDS.search(text)
                if unit is not None:
                    found.append((abs(position - at), lines.line_ids[position], text))
            position += step
    nearest = min(found, default=None)
    return (nearest[2], nearest[1]) if nearest else (None, None)


def _unit_words(text: str, heads: Sequence[str]) -> str:
    """The words of a line that tell the unit: its cell, the brackets around them, or they alone."""
    cell = next((head for head in heads if UNIT_WORDS.search(head) and head in text), None)
    found = UNIT_WORDS.search(text)
    if cell is not None or found is None:
        return cell or text
    start, end = text.rfind("(", 0, found.start() + 1), text.find(")", found.start())
    if start >= 0 and end >= found.end() - 1 and ")" not in text[start:end]:
        return text[start : end + 1]
    return text if len(text) <= MAX_UNIT_CHARACTERS else found.group(0).strip()


def _lines_above(lines: Lines, line_id: int) -> list[int]:
    """line_ids of the readable lines above a table on its page, nearest first, up to the table before it."""
    at = lines.position(line_id)
    page = lines.page_nums[at]
    above: list[int] = []
    for position in range(at - 1, max(-1, at - 1 - 2 * LOOK_ABOVE), -1):
        if lines.page_nums[position] != page or len(above) == LOOK_ABOVE:
            break
        if not lines.readable[position] or not lines.texts[position].strip():
            continue
        if lines.roles[position] == "table" and any(is_figure(cell) for cell in lines.texts[position].split("  ")):
            break
        above.append(lines.line_ids[position])
    return above


def _may_title(text: str) -> bool:
    flat = text.strip()
    return bool(flat) and len(flat) <= MAX_TITLE_CHARACTERS and not flat.endswith((".", ",", ";"))
