"""Tables of a web page: which hold data and which only arrange text, and the cells of one that holds data."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import LIST_ITEM, read_number
from pipeline.parsing.reading import CellRead
from pipeline.parsing.rows import CELL_SEPARATOR
from pipeline.parsing.web.buffer import METHOD, Buffer
from pipeline.parsing.web.tree import walk

MAX_COLUMN_SPAN = 1000  # columns that a cell may cover (HTML Living Standard, 4.9.11)
MAX_ROW_SPAN = 65_534  # rows that a cell may cover (the same)
MAX_COLUMNS = 2000  # columns of a table; cells beyond are kept in the line alone
LONG_CELL_CHARS = 300  # characters a cell on average, from which a table arranges running text
LIST_SHARE = 0.5  # share of a table's rows that begin with a marker, from which it is a list made with a table
_CELL_BLOCKS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "hr", "article", "section", "form", "nav", "main"})
_PLAIN_MARK = re.compile(r"[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlcIVXLC]{1,6})[)\].:]{0,2}|[•●○▪■□◦‣⁃∙·–—*-]")


@dataclass(slots=True)
class _Facts:
    """What the markup of one table says of it."""

    is_marked: bool = False  # header cells, a caption: only data have them
    is_presentation: bool = False
    has_table: bool = False
    has_blocks: bool = False
    has_border: bool = False
    rows: list[list[int]] = field(default_factory=list)  # characters a cell
    firsts: list[str] = field(default_factory=list)  # the beginning of each row


def find_data_tables(root: Any) -> dict[int, bool]:
    """For each table (its `mem_id`): True where it holds data, False where it only arranges what is in it."""
    found: dict[int, bool] = {}
    stack: list[_Facts] = []
    for event, node in walk(root):
        tag = node.tag
        if event == "text":
            if stack and stack[-1].rows and stack[-1].rows[-1]:
                _count_text(stack[-1], " ".join(node.text_content.split()))
        elif tag == "table" and event == "start":
            if stack:
                stack[-1].has_table = True
            stack.append(_open_facts(node.attributes))
        elif tag == "table" and event == "end":
            found[node.mem_id] = _holds_data(stack.pop())
        elif event == "start" and stack:
            _note_element(stack[-1], tag, node)
    return found


def is_marker(text: str) -> bool:
    """The text is nothing but a number, a letter or a bullet: '(a)', '1.2', or 'Section 3.' alone."""
    words = text.strip()
    if not words or len(words) > 24:
        return False
    if LIST_ITEM.fullmatch(words) or _PLAIN_MARK.fullmatch(words):
        return True
    number = read_number(words.rstrip(".: "))
    return number is not None and not number.title and number.kind not in ("decimal", "roman", "letter")


def _open_facts(attributes: Mapping[str, str | None]) -> _Facts:
    role = (attributes.get("role") or "").lower()
    return _Facts(
        is_marked=role in ("table", "grid", "treegrid") or bool(attributes.get("summary")),
        is_presentation=role in ("presentation", "none"),
        has_border=(attributes.get("border") or "0").strip() not in ("", "0"),
    )


def _note_element(facts: _Facts, tag: str, node: Any) -> None:
    if tag == "tr":
        facts.rows.append([])
        facts.firsts.append("")
    elif tag in ("td", "th") and facts.rows:
        facts.rows[-1].append(0)
        attributes = node.attributes
        facts.is_marked = facts.is_marked or tag == "th" or "scope" in attributes or "headers" in attributes
    elif tag == "caption":
        facts.is_marked = True
    elif tag in _CELL_BLOCKS:
        facts.has_blocks = True


def _count_text(facts: _Facts, text: str) -> None:
    facts.rows[-1][-1] += len(text)
    if sum(1 for count in facts.rows[-1] if count) == 1 and len(facts.firsts[-1]) < 40:
        facts.firsts[-1] += text


def _holds_data(facts: _Facts) -> bool:
    filled = [[count for count in row if count] for row in facts.rows]
    filled = [row for row in filled if row]
    if facts.is_presentation or not filled:
        return False
    if facts.is_marked:
        return not (facts.has_table and len(filled) == 1)
    wide = [row for row in filled if len(row) >= 2]
    if facts.has_table or facts.has_blocks or len(wide) < 2 or 2 * len(wide) < len(filled):
        return False
    markers = sum(is_marker(first) for first, row in zip(facts.firsts, facts.rows, strict=True) if any(row))
    is_list = markers > LIST_SHARE * len(filled) and max(len(row) for row in filled) <= 2
    if is_list and not facts.has_border:
        return False
    counts = [count for row in filled for count in row]
    return sum(counts) / len(counts) <= LONG_CELL_CHARS


@dataclass(slots=True)
class CellDraft:
    """A cell while its table is read: its text, spans, and whether it is a header cell."""

    buffer: Buffer
    row_span: int
    column_span: int
    is_th: bool
    row: int = 0
    column: int = 0
    line: Line | None = None


@dataclass(slots=True)
class TableDraft:
    """A data table while it is read; tables are numbered in the order in which they begin, from 1."""

    table_id: int
    rows: list[list[CellDraft]] = field(default_factory=list)
    head_rows: set[int] = field(default_factory=set)  # indices of rows inside <thead>
    covered: dict[int, int] = field(default_factory=dict)  # column -> rows that a cell above still covers
    deferred: list[Any] = field(default_factory=list)  # what comes after the row that is open
    in_head: bool = False


def open_cell(table: TableDraft, tag: str, attributes: Mapping[str, str | None]) -> CellDraft:
    """A cell at its place in the grid, beside the cells of rows above that reach down."""
    row = table.rows[-1]
    column = row[-1].column + row[-1].column_span if row else 0
    while table.covered.get(column, 0) > 0:
        column += 1
    cell = CellDraft(
        Buffer(), _span(attributes.get("rowspan"), MAX_ROW_SPAN), _span(attributes.get("colspan"), MAX_COLUMN_SPAN),
        tag == "th", len(table.rows) - 1, column,
    )  # fmt: skip
    row.append(cell)
    return cell


def join_row(row: Sequence[CellDraft]) -> Buffer:
    """The row's cells in one buffer, apart by two blanks; a currency sign or bracket stays with its figure."""
    joined = Buffer()
    last = ""
    for cell in row:
        text = cell.buffer.text.strip()
        gap = "" if last in _BEFORE_FIGURE or text in _AFTER_FIGURE else CELL_SEPARATOR
        cell.buffer.trim()
        joined.take(cell.buffer, gap)
        last = text or last
    return joined


def fold_figures(row: Sequence[CellDraft]) -> None:
    """Write a sign or bracket that has a cell of its own into the cell of its figure, after the row's line was made."""
    filled = [cell for cell in row if cell.buffer.text.strip()]
    for before, after in itertools.pairwise(filled):
        one, other = before.buffer.text.strip(), after.buffer.text.strip()
        if one in _BEFORE_FIGURE:
            before.buffer.text, after.buffer.text = "", one + other
        elif other in _AFTER_FIGURE and one:
            before.buffer.text, after.buffer.text = one + other, ""


_BEFORE_FIGURE = frozenset({"$", "€", "£", "¥", "(", "$(", "€(", "£(", "US$", "R$", "C$", "A$"})
_AFTER_FIGURE = frozenset({")", "%", ")%", "%)"})


def close_row(table: TableDraft) -> None:
    """Count down the cells that reach into the rows below."""
    table.covered = {column: left - 1 for column, left in table.covered.items() if left > 1}
    for cell in table.rows[-1]:
        if cell.row_span > 1:
            for column in range(cell.column, min(cell.column + cell.column_span, MAX_COLUMNS)):
                table.covered[column] = cell.row_span - 1


def make_cells(table: TableDraft) -> list[CellRead]:
    """The cells of the rows and columns that hold text, numbered without those that are empty from end to end."""
    drafts = [cell for row in table.rows for cell in row if cell.column < MAX_COLUMNS]
    rows = _number(cell.row for cell in drafts if cell.line is not None)
    columns = _number(cell.column for cell in drafts if cell.buffer.text.strip())
    row_places, column_places = sorted(rows), sorted(columns)
    heads = _find_head_rows(table, rows)
    headers: dict[int, list[str]] = {}
    cells = []
    for cell in drafts:
        if cell.row not in rows or cell.column not in columns:
            continue
        text = cell.buffer.text.strip()
        is_header = cell.row in heads
        across = _within(column_places, cell.column, cell.column_span)
        if is_header and text:
            for column in across:
                headers.setdefault(column, []).append(text)
        cells.append(
            CellRead(
                table.table_id, 1, rows[cell.row], columns[cell.column], text,
                row_span=len(_within(row_places, cell.row, cell.row_span)), column_span=len(across),
                is_header=is_header,
                header="" if is_header else " ".join(dict.fromkeys(headers.get(cell.column, []))),
                lines=(cell.line,) if cell.line is not None and text else (), method=METHOD,
            )
        )  # fmt: skip
    return cells


def _within(places: Sequence[int], first: int, count: int) -> Sequence[int]:
    """Those of the ascending `places` that lie in `first` ... `first + count - 1`."""
    return places[bisect_left(places, first) : bisect_left(places, first + count)]


def _find_head_rows(table: TableDraft, rows: Mapping[int, int]) -> set[int]:
    """Rows of <thead>, rows at the top with header cells alone; else a first row in bold over rows that are not."""
    heads = {row for row in table.head_rows if row in rows}
    ordered = sorted(rows)
    for row in ordered:
        if row in heads:
            continue
        texts = [cell for cell in table.rows[row] if cell.buffer.text.strip()]
        if not all(cell.is_th for cell in texts) or (len(texts) == 1 and heads):
            break
        heads.add(row)
    if len(heads) >= len(ordered):  # nothing but header cells: the first row alone can be one
        return set(ordered[:1]) if len(ordered) > 1 else set()
    if not heads and len(ordered) > 1:
        bold = [_is_bold_row(table.rows[row]) for row in ordered[:2]]
        return {ordered[0]} if bold == [True, False] else set()
    return heads


def _is_bold_row(row: list[CellDraft]) -> bool:
    texts = [cell.buffer for cell in row if cell.buffer.text.strip()]
    return len(texts) > 1 and all(2 * buffer.bold > len(buffer.text.strip()) for buffer in texts)


def _number(found: Iterable[int]) -> dict[int, int]:
    return {at: number for number, at in enumerate(sorted(Counter(found)), start=1)}


def _span(text: str | None, most: int) -> int:
    digits = (text or "1").strip()
    value = int(digits) if digits.isdecimal() and len(digits) <= 9 else 1
    return min(most, value) if value > 0 else most if most == MAX_ROW_SPAN else 1
