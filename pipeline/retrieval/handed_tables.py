"""Which tables are handed over with the passages: those they stand in, and the statements that a figure is read off."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pipeline.retrieval.lines import Lines
from pipeline.retrieval.statements import kinds_named, kinds_of_titles, statement_kind, statements_of
from pipeline.retrieval.table_grids import Grid, grids_of, is_figure
from schemas.document import ParsedDocument
from schemas.handed_tables import HandedRow, HandedTable
from schemas.question import RetrievalQuery

MAX_TABLES = 12  # tables a question; three statements stand in up to six, the rest is room for five passages
MAX_ROWS = 150  # rows a table; the longest primary statement of 36 reports looked at has 71
LOOK_ABOVE = 6  # lines above a table in which its title and its unit stand: company, title, unit, periods
MAX_TITLE_CHARACTERS = 120
MAX_UNIT_CHARACTERS = 60  # of a line that is handed as unit words whole; a longer one is prose
# 'in millions', '(Dollars in thousands, except per share data)', '(Millions)', 'en miles de euros', 'US$ million'.
UNIT_WORDS = re.compile(
    r"\b(?:in|en)\s+(?:[\w.$€£']+\s+(?:de\s+)?)?(?:thousands?|millions?|billions?|miles|millones|milliers|milliards)\b"
    r"|^\W*(?:(?:amounts?|dollars?|figures|importes|montants)\s+)?(?:in\s+|en\s+)?"
    r"(?:thousands?|millions?|billions?|miles|millones|milliers|milliards)\b"
    r"|[$€£]\s?(?:thousands?|millions?|billions?|mm?\b|bn\b|k\b|000'?s?)|\b(?:USD|EUR|GBP)\s?(?:k|m|mn|bn|000s?|millions?)\b"
    r"|\bin\s+(?:whole\s+)?(?:u\.?s\.?\s+)?dollars\b|\ben\s+euros\b",
    re.IGNORECASE,
)


def hand_tables(
    document: ParsedDocument, lines: Lines, query: RetrievalQuery | None, contexts: Mapping[str, Sequence[int]]
) -> tuple[HandedTable, ...]:
    """Tables that the contexts (positions by candidate id, best first) overlap, in the document's order.

    With them the primary statements, where the question asks for a figure that is read off one. Bounded: no more than
    MAX_TABLES, the best candidate's first, and of a table longer than MAX_ROWS the rows of the contexts alone.
    """
    known = grids_of(document)
    grids, table_of = known.by_id, known.table_of
    if not grids or not contexts:
        return ()
    holders: dict[int, list[str]] = {}
    touched: set[int] = set()
    for candidate_id, context in contexts.items():
        for position in context:
            line_id = lines.line_ids[position]
            table_id = table_of.get(line_id)
            if table_id is not None:
                touched.add(line_id)
                if candidate_id not in holders.setdefault(table_id, []):
                    holders[table_id].append(candidate_id)
    first = next(iter(contexts))
    for table_id in _statement_tables(lines, query, table_of):
        holders.setdefault(table_id, [first])
    chosen = sorted(list(holders)[:MAX_TABLES])
    return tuple(_handed(grids[table_id], lines, tuple(holders[table_id]), touched) for table_id in chosen)


def _statement_tables(lines: Lines, query: RetrievalQuery | None, table_of: Mapping[int, int]) -> list[int]:
    """The tables of the first statement of each kind, where the question is one of a statement's lines."""
    if query is None or not query.concepts:
        return []
    usual = [kinds_of_titles(concept.section_titles) for concept in query.concepts]
    if not kinds_named(query.text) and not any(usual):
        return []
    found: list[int] = []
    pages: dict[str, int] = {}
    for block, statement in sorted(statements_of(lines).items()):
        positions = lines.block_positions(block)
        page = lines.page_nums[positions[0]]
        if pages.setdefault(statement.kind, page) not in (page, page - 1):
            continue
        found += [table_of[lines.line_ids[p]] for p in positions if lines.line_ids[p] in table_of]
    return list(dict.fromkeys(found))


def _handed(grid: Grid, lines: Lines, holders: tuple[str, ...], touched: set[int]) -> HandedTable:
    rows = grid.rows
    if len(rows) > MAX_ROWS:
        rows = tuple(row for row in rows if _overlaps(row, touched))[:MAX_ROWS] or rows[:MAX_ROWS]
    title, title_lines, unit, unit_line = _named_above(grid, lines)
    wanted = {*title_lines, *grid.header_ids, *([unit_line] if unit_line else [])}
    for row in rows:
        wanted.update(row.group_line_ids)
        for cell in row.cells:
            wanted.update(range(cell.line_start, cell.line_end + 1))
    positions = sorted(lines.position(line_id) for line_id in wanted)
    return HandedTable(
        table_id=grid.table_id, candidate_ids=holders, title=title, title_line_ids=title_lines, unit=unit,
        statement=_statement(grid, title, lines), unit_line_id=unit_line, columns=grid.columns, rows=rows,
        is_whole=len(rows) == len(grid.rows),
        lines=tuple(lines.ref(position) for position in positions),
        text="\n".join(lines.texts[position] for position in positions),
    )  # fmt: skip


def _statement(grid: Grid, title: str | None, lines: Lines) -> Literal["income", "position", "cash_flow"] | None:
    """The primary statement whose rows these are, else what the title above says alone."""
    block = lines.block_at(lines.position(grid.rows[0].line_ids[0])) if grid.rows else None
    within = statements_of(lines).get(block) if block is not None else None
    kind = within.kind if within is not None else statement_kind(title) if title else None
    return None if kind == "other" else kind


def _overlaps(row: HandedRow, touched: set[int]) -> bool:
    return any(line in touched for cell in row.cells for line in range(cell.line_start, cell.line_end + 1))


def _named_above(grid: Grid, lines: Lines) -> tuple[str | None, tuple[int, ...], str | None, int | None]:
    """Title with its lines, and the unit words with their line: from the header, the lines above, or the caption."""
    unit: str | None = None
    unit_line: int | None = None
    start = min((grid.first_line, *grid.header_ids))
    header = [line for line in grid.header_ids if UNIT_WORDS.search(lines.texts[lines.position(line)])]
    above = _lines_above(lines, start)
    caption = [grid.caption_line] if grid.caption_line else []
    told = [*header, *above, *caption]
    for line_id in told:
        text = " ".join(lines.texts[lines.position(line_id)].split())
        if UNIT_WORDS.search(text):
            unit, unit_line = _unit_words(text, grid.heads if line_id in header else ()), line_id
            break
    titles = caption or [line for line in above if line != unit_line and _may_title(lines.texts[lines.position(line)])]
    stated = [line for line in titles if statement_kind(lines.texts[lines.position(line)].strip())]
    chosen = stated[:1] or titles[:1]
    title = " ".join(lines.texts[lines.position(chosen[0])].split()) if chosen else None
    return title, tuple(chosen), unit, unit_line


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
