"""A value laid out as plain text over several lines: a table in columns, a tree indented, a record a line a field."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from pipeline.wording.phrases import say
from pipeline.wording.values import branch_of, field_of, words_of
from schemas.values import ConditionalValue, RecordValue, TableValue, TreeNode, TreeValue, Value

MAX_COLUMN = 36  # characters of a column; three of them fit on a terminal, a longer cell is wrapped
MAX_ROWS = 40  # rows laid out, a screenful; the record holds all, and how many are left out is said
INDENT = "  "


def lay_out(value: Value, language: str = "en") -> str:
    """The value as people read it, over as many lines as its structure has; one line for a simple one."""
    match value:
        case TableValue():
            return "\n".join(_table(value, language))
        case TreeValue():
            return "\n".join(_tree(value.nodes, 0))
        case RecordValue():
            return "\n".join(f"{field.name}: {field_of(field, language)}" for field in value.fields)
        case ConditionalValue():
            return "\n".join(branch_of(branch, language) for branch in value.branches)
        case _:
            return words_of(value, language)


def _tree(nodes: Sequence[TreeNode], depth: int) -> Iterator[str]:
    for node in nodes:
        yield f"{INDENT * depth}- {' '.join(node.label.split())}"
        yield from _tree(node.children, depth + 1)


def _table(table: TableValue, language: str) -> Iterator[str]:
    shown = table.rows[:MAX_ROWS]
    rows = [table.headers, *shown] if any(table.headers) else list(shown)
    cells = [[_wrapped(cell) for cell in row] for row in rows]
    count = max((len(row) for row in cells), default=0)
    widths = [max((_width(part) for row in cells for part in (row[at] if at < len(row) else ())), default=0)
              for at in range(count)]  # fmt: skip
    right = [_is_figures(shown, at) for at in range(count)]
    if table.title:
        yield " ".join(table.title.split())
    for number, row in enumerate(cells):
        for line in zip_longest(*row, fillvalue=""):
            yield INDENT.join(_padded(part, widths[at], right=right[at]) for at, part in enumerate(line)).rstrip()
        if number == 0 and any(table.headers):
            yield INDENT.join("-" * width for width in widths)
    if len(table.rows) > MAX_ROWS:
        yield say("more_rows", language, count=len(table.rows) - MAX_ROWS)


def _wrapped(cell: str) -> list[str]:
    return textwrap.wrap(" ".join(cell.split()), MAX_COLUMN) or [""]


def _is_figures(rows: Sequence[Sequence[str]], column: int) -> bool:
    """A column of figures, which stand to the right under one another."""
    cells = [row[column].strip() for row in rows if column < len(row) and row[column].strip()]
    return bool(cells) and all(any(map(str.isdigit, cell)) and not any(map(str.isalpha, cell)) for cell in cells)


def _width(text: str) -> int:
    """Columns on a terminal: two for a wide character (Unicode Standard Annex 11)."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _padded(text: str, width: int, *, right: bool) -> str:
    fill = " " * (width - _width(text))
    return fill + text if right else text + fill
