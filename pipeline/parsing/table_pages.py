"""The tables of a document: found page by page, joined where they go on over pages, tied to their captions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.reading import CellRead
from pipeline.parsing.references import read_caption
from pipeline.parsing.table_build import Table, build_open, head_texts
from pipeline.parsing.table_grid import find_open_tables
from pipeline.parsing.table_pieces import join_boxes
from pipeline.parsing.table_ruled import build_ruled
from pipeline.parsing.table_rules import Box, Segment, find_grids, join_rules, turn_box

CAPTION_REACH = 60.0  # points between a caption and its table: a caption of three lines and a blank
RULE_REACH = 16.0  # points above and below a table in which its outer rules stand
MIN_RULE_SHARE = 0.6  # share of a table's width that a rule must have to be the table's
MIN_MARKING_RULES = 2  # such rules that show a table: one could be a footnote's or a heading's
MAX_LINES_BETWEEN = 6  # lines between a caption and its table: the caption's own
EDGE_SLACK = 6.0  # points by which the rules of a table may be shifted from one page to the next
MIN_CELL_LINES = 2  # lines with pieces that stand apart, below which a page has no open table
_FIGURE_STARTS = frozenset("0123456789$€£¥(-–—−+")  # how a line begins that may be nothing but figures
_CONTINUED = re.compile(r"\bcont(?:inue[ds]?|['’]?d|\.)|\bsuite\b|\bcontinuaci[oó]n\b|\bfortsetzung\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")


def mark_tables(pages: Sequence[PageRead]) -> list[CellRead]:
    """The cells of all tables; writes the role table into the lines that are rows of one.

    To be called after running text, contents and captions are told, and before headings are.
    """
    tables: list[Table] = []
    for page in pages:
        tables += _find_tables(page)
    _join_pages(tables, _lines_between(pages, tables))
    captions = _tie_captions(pages, tables)
    for table in tables:
        for line in table.lines:
            if line.role == "body":
                line.role = "table"
    return [cell for table in tables for cell in _read_cells(table, captions.get(table.table_id))]


def _find_tables(page: PageRead) -> list[Table]:
    by_quarter: defaultdict[int, list[Line]] = defaultdict(list)
    for line in page.lines:
        if line.visible and line.role in ("body", "caption"):
            by_quarter[round(line.rotation / 90) % 4].append(line)
    tables: list[Table] = []
    taken: set[int] = set()
    for quarter in sorted(by_quarter, key=lambda quarter: (-len(by_quarter[quarter]), quarter)):
        lines = [line for line in by_quarter[quarter] if id(line) not in taken]
        if page.drawn.rules or sum(map(_may_hold_cells, lines)) >= MIN_CELL_LINES:
            turned = [line for other in by_quarter if other != quarter for line in by_quarter[other]]
            found = _find_turned(page, quarter, lines, [line for line in turned if id(line) not in taken])
            taken.update(id(line) for table in found for line in table.lines)
            tables += found
    if not tables:
        return []
    order = {id(line): at for at, line in enumerate(page.lines)}
    return sorted(tables, key=lambda table: min(order[id(line)] for line in table.lines))


def _may_hold_cells(line: Line) -> bool:
    return bool(line.pieces) or "  " in line.text or line.text[:1] in _FIGURE_STARTS


def _find_turned(page: PageRead, quarter: int, lines: Sequence[Line], turned: Sequence[Line]) -> list[Table]:
    """Tables of the text of one direction; `turned` is the rest of the page's: titles may stand upright in cells."""
    rules = [turn_box(rule, quarter, page.width, page.height) for rule in page.drawn.rules]
    across, down = join_rules(rules)
    body = [line for line in lines if line.role == "body"]
    tables = []
    for grid in find_grids(across, down):
        left, top, right, bottom = grid.box
        near = [x for x in body if x.flat[3] > top and x.flat[1] < bottom and x.flat[2] > left and x.flat[0] < right]
        table = build_ruled(page, quarter, grid, [*near, *turned] if near else [])
        if table is not None:
            tables.append(table)
            inside = set(map(id, table.lines))
            body = [line for line in body if id(line) not in inside]
    captions = [line for line in lines if line.role == "caption"]

    def is_marked(box: Box) -> bool:
        return _has_caption(box, captions) or _has_rules(box, across)

    if sum(map(_may_hold_cells, body)) < MIN_CELL_LINES:
        return tables
    rest = set(map(id, body))
    run: list[Line] = []
    for line in [*lines, None]:
        if line is not None and id(line) in rest:
            run.append(line)
            continue
        tables += [build_open(page.page_num, quarter, found, across) for found in find_open_tables(run, is_marked)]
        run = []
    return tables


def _has_caption(box: Box, captions: Sequence[Line]) -> bool:
    return any(
        _is_table_caption(line)
        and line.flat[0] < box[2]
        and line.flat[2] > box[0]
        and (-CAPTION_REACH <= line.flat[3] - box[1] <= 2 or -2 <= line.flat[1] - box[3] <= CAPTION_REACH / 2)
        for line in captions
    )


def _has_rules(box: Box, across: Sequence[Segment]) -> bool:
    x0, y0, x1, y1 = box
    near = [
        y
        for y, begin, end in across
        if y0 - RULE_REACH <= y <= y1 + RULE_REACH and min(x1, end) - max(x0, begin) >= MIN_RULE_SHARE * (x1 - x0)
    ]
    return len(near) >= MIN_MARKING_RULES


def _is_table_caption(line: Line) -> bool:
    named = read_caption(line, None)
    return named is not None and named[0] == "table"


def _lines_between(pages: Sequence[PageRead], tables: Sequence[Table]) -> dict[int, list[Line]]:
    """Lines of the text before each table, back to the table before or the page's top, by the table's place."""
    if not tables:
        return {}
    taken = {id(line): at for at, table in enumerate(tables) for line in table.lines}
    near = {table.page_num + step for table in tables for step in (-1, 0, 1)}
    recurring = _recurring([page for page in pages if page.page_num in near])
    between: dict[int, list[Line]] = {}
    run: list[Line] = []
    for page in pages:
        for line in page.lines:
            at = taken.get(id(line))
            if at is not None:
                between.setdefault(at, run)
                run = []
            elif line.visible and line.role in ("body", "caption", "heading") and id(line) not in recurring:
                run.append(line)
    return between


def _recurring(pages: Sequence[PageRead]) -> set[int]:
    """Lines that stand on a neighbouring page too, numbers apart, and lines without a letter: notes of every page."""
    found: set[int] = set()
    before: dict[str, Line] = {}
    for page in pages:
        here = {_DIGITS.sub("#", line.text): line for line in page.lines if line.visible}
        for text, line in here.items():
            other = before.get(text)
            if other is not None and line.page_num == other.page_num + 1:
                found |= {id(line), id(other)}
        found |= {id(line) for line in page.lines if not any(map(str.isalpha, line.text))}
        before = here
    return found


def _join_pages(tables: Sequence[Table], between: dict[int, list[Line]]) -> None:
    """Number the tables; one that goes on from the page before keeps the number, the header and the row count."""
    count = 0
    before: Table | None = None
    for at, table in enumerate(tables):
        table.headers = head_texts(table)
        if before is not None and _goes_on(before, table, between.get(at, [])):
            repeated = _repeated_head(before, table)
            table.table_id = before.table_id
            table.row_shift = before.row_shift + before.row_count - repeated
            table.cells = [cell for cell in table.cells if cell.row >= repeated]
            table.head_count = 0
            table.headers = before.headers
        else:
            count += 1
            table.table_id = count
        before = table


def _goes_on(before: Table, table: Table, between: Sequence[Line]) -> bool:
    if table.page_num - before.page_num not in (0, 1) or table.quarter != before.quarter:
        return False
    if table.page_num == before.page_num:  # a table that a wide blank cut in two
        return not (between or table.head_count or table.is_ruled or before.is_ruled) and _same_columns(before, table)
    if before.is_ruled != table.is_ruled or not _same_columns(before, table):
        return False
    if any(not _CONTINUED.search(line.text) for line in between):
        return False
    return not table.head_count or _repeated_head(before, table) > 0


def _same_columns(one: Table, two: Table) -> bool:
    if len(one.edges) != len(two.edges):
        return False
    pairs = list(zip(one.edges, two.edges, strict=True))
    if one.is_ruled:
        shift = pairs[0][1][0] - pairs[0][0][0]  # odd and even pages may have other margins
        return all(abs(b[0] - a[0] - shift) <= EDGE_SLACK and abs(b[1] - a[1] - shift) <= EDGE_SLACK for a, b in pairs)
    return all(min(a[1], b[1]) - max(a[0], b[0]) >= 0.5 * min(a[1] - a[0], b[1] - b[0]) for a, b in pairs)


def _repeated_head(before: Table, table: Table) -> int:
    """Rows at the top of the table that say what the header of the one before says; 0 where they do not."""
    if not any(before.headers):
        return 0
    wanted = [_squeeze(text) for text in before.headers]
    said: list[list[str]] = [[] for _ in table.edges]
    for row in range(min(table.row_count, max(table.head_count, 4))):
        for cell in table.cells:
            if cell.row == row:
                for column in range(cell.column, min(cell.column + cell.column_span, len(said))):
                    said[column].append(cell.text)
        if [_squeeze(" ".join(parts)) for parts in said] == wanted:
            return row + 1
    return 0


def _squeeze(text: str) -> str:
    return _SPACE.sub("", text).casefold()


def _tie_captions(pages: Sequence[PageRead], tables: Sequence[Table]) -> dict[int, Line]:
    """The caption of each table that has one: right above it, else right below."""
    ties: dict[int, Line] = {}
    by_page: defaultdict[int, list[Table]] = defaultdict(list)
    for table in tables:
        by_page[table.page_num].append(table)
    for page in pages:
        if page.page_num not in by_page:
            continue
        captions = [line for line in page.lines if line.role == "caption" and _is_table_caption(line)]
        for caption in captions:
            near = []
            for table in by_page[page.page_num]:
                first = min(line.line_id for line in table.lines)
                last = max(line.line_id for line in table.lines)
                if 0 < first - caption.line_id <= MAX_LINES_BETWEEN:
                    near.append((first - caption.line_id, table.table_id))
                elif 0 < caption.line_id - last <= 2:
                    near.append((caption.line_id - last + 1, table.table_id))
            for _, table_id in sorted(near):
                if table_id not in ties:
                    ties[table_id] = caption
                    break
    return ties


def _read_cells(table: Table, caption: Line | None) -> list[CellRead]:
    cells = []
    for cell in table.cells:
        lines = tuple({id(piece.line): piece.line for piece in cell.pieces}.values())
        box = cell.box or (join_boxes([piece.box for piece in cell.pieces]) if cell.pieces else None)
        cells.append(
            CellRead(
                table.table_id,
                table.page_num,
                cell.row + 1 + table.row_shift,
                cell.column + 1,
                cell.text,
                row_span=cell.row_span,
                column_span=cell.column_span,
                is_header=cell.row < table.head_count,
                header=table.headers[cell.column] if cell.row >= table.head_count else "",
                lines=lines,
                box=box,
                caption=caption,
            )
        )
    return cells
