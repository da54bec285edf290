"""Which tables are handed over with the passages: those they stand in, and the statements that a figure is read off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.retrieval.lines import Lines
from pipeline.retrieval.statements import kinds_named, kinds_of_titles
from pipeline.retrieval.table_grids import Grid, grids_of
from pipeline.retrieval.table_names import tables_named
from pipeline.retrieval.table_notes import notes_under
from pipeline.retrieval.table_rows import FIGURE_TYPES
from pipeline.retrieval.table_runs import runs_on
from pipeline.retrieval.table_titles import StatementKind, named_above, statement_kinds, statement_of
from schemas.document import ParsedDocument
from schemas.handed_tables import HandedRow, HandedTable
from schemas.question import RetrievalQuery

MAX_TABLES = 12  # tables a question; three statements stand in up to six, the rest is room for five passages
MAX_RUN_PAGES = 6  # pages whose lines are looked through for unmarked tables: those of the best candidates
MAX_ROWS = 150  # rows a table; the longest primary statement of 36 reports looked at has 71


def hand_tables(
    document: ParsedDocument, lines: Lines, query: RetrievalQuery | None, contexts: Mapping[str, Sequence[int]]
) -> tuple[HandedTable, ...]:
    """Tables that the contexts (positions by candidate id, best first) overlap, in the document's order.

    With them the primary statements, where the question asks for a figure that is read off one, and the tables with a
    row that it names. Bounded: no more than MAX_TABLES, the best candidate's first, and of a table longer than MAX_ROWS
    the rows of the contexts alone. Without a context a table is handed over by itself, as 'table_3'.
    """
    known = grids_of(document)
    grids, table_of = known.by_id, known.table_of
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
    first = next(iter(contexts), None)
    for table_id in (*_statement_tables(lines, query, grids), *tables_named(query, grids, lines)):
        holders.setdefault(table_id, [first or own_id(table_id)])
    kinds = statement_kinds(grids, lines)
    chosen = sorted(list(holders)[:MAX_TABLES])
    marked = [
        _handed(grids[table_id], lines, tuple(holders[table_id]), touched, kinds.get(table_id)) for table_id in chosen
    ]
    shown = _shown_by_lines(lines, contexts, table_of) if query is None or query.answer_type in FIGURE_TYPES else []
    return (*marked, *shown[: MAX_TABLES - len(marked)])


def own_id(table_id: int) -> str:
    """The id of a table that no candidate holds: 'table_3'."""
    return f"table_{table_id}"


def _shown_by_lines(
    lines: Lines, contexts: Mapping[str, Sequence[int]], table_of: Mapping[int, int]
) -> list[HandedTable]:
    """Tables that the parser did not mark, on the pages of the contexts that have no marked one."""
    marked = {lines.page_nums[lines.position(line_id)] for line_id in table_of}
    holders: dict[int, list[str]] = {}
    for candidate_id, context in contexts.items():
        for page in dict.fromkeys(lines.page_nums[position] for position in context):
            if page not in marked:
                holders.setdefault(page, []).append(candidate_id)
    found = []
    for page in sorted(list(holders)[:MAX_RUN_PAGES]):
        for grid in runs_on(lines, page):
            ids = {line for row in grid.rows for cell in row.cells for line in (cell.line_start, cell.line_end)}
            own = [one for one in holders[page] if any(lines.line_ids[at] in ids for at in contexts[one])]
            if own:
                found.append(_handed(grid, lines, tuple(own), ids, statement_of(grid, lines)))
    return found


def _statement_tables(lines: Lines, query: RetrievalQuery | None, grids: dict[int, Grid]) -> list[int]:
    """The tables of the first statement of each kind, where the question is one of a statement's lines."""
    if query is None or not query.concepts:
        return []
    usual = [kinds_of_titles(concept.section_titles) for concept in query.concepts]
    if not kinds_named(query.text) and not any(usual):
        return []
    found: list[int] = []
    pages: dict[str, int] = {}
    for table_id, kind in sorted(statement_kinds(grids, lines).items()):
        page = lines.page_nums[lines.position(grids[table_id].first_line)]
        if pages.setdefault(kind, page) in (page, page - 1):
            found.append(table_id)
    return found


def _handed(
    grid: Grid, lines: Lines, holders: tuple[str, ...], touched: set[int], kind: StatementKind | None
) -> HandedTable:
    rows = grid.rows
    if len(rows) > MAX_ROWS:
        rows = tuple(row for row in rows if _overlaps(row, touched))[:MAX_ROWS] or rows[:MAX_ROWS]
    title, title_lines, unit, unit_line = named_above(grid, lines)
    wanted = {*title_lines, *grid.header_ids, *([unit_line] if unit_line else [])}
    for row in rows:
        wanted.update(row.group_line_ids)
        for cell in row.cells:
            wanted.update(range(cell.line_start, cell.line_end + 1))
    notes = notes_under(grid, lines)
    wanted.update(line for note in notes for line in note.line_ids)
    positions = sorted(lines.position(line_id) for line_id in wanted)
    return HandedTable(
        table_id=grid.table_id, candidate_ids=holders, title=title, title_line_ids=title_lines, unit=unit,
        statement=kind, unit_line_id=unit_line, columns=grid.columns, rows=rows,
        notes=notes,
        is_whole=len(rows) == len(grid.rows),
        lines=tuple(lines.ref(position) for position in positions),
        text="\n".join(lines.texts[position] for position in positions),
    )  # fmt: skip


def _overlaps(row: HandedRow, touched: set[int]) -> bool:
    return any(line in touched for cell in row.cells for line in range(cell.line_start, cell.line_end + 1))
