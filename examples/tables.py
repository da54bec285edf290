"""Ruled tables: a grey header row, a frame, lines between rows and columns. Lengths are points."""

from __future__ import annotations

from blocks import TableSpec, typographic
from typeset import Line, break_lines, draw_line, draw_rule, draw_shade

SIZE, LEADING = 10.0, 12.5
PADDING = 5.0
CAPTION_HEIGHT = 20.0
SPACE_AFTER = 12.0
SPACE_ABOVE = 4.0


def table_height(table: TableSpec, width: float) -> float:
    """Height of the caption, the table and the space around them."""
    caption = CAPTION_HEIGHT if table.caption else 0.0
    return SPACE_ABOVE + caption + sum(_row_height(row) for row in _rows(table, width)) + SPACE_AFTER


def draw_table(table: TableSpec, x: float, y: float, width: float) -> tuple[bytes, float]:
    """Operators that draw the table under `y`, and the y below it."""
    parts: list[bytes] = []
    y += SPACE_ABOVE
    if table.caption:
        parts.append(draw_line(break_lines(table.caption, width, size=SIZE, face="bold")[0], x, y + LEADING * 0.8))
        y += CAPTION_HEIGHT
    top = y
    edges = [x]
    for _, share, _ in table.columns:
        edges.append(edges[-1] + share * width)
    for number, row in enumerate(_rows(table, width)):
        height = _row_height(row)
        if number == 0:
            parts.append(draw_shade(x, y, x + width, y + height))
        parts.append(draw_rule(x, y, x + width, y))
        parts.extend(
            _draw_cell(cell, edges[index], edges[index + 1], y, align=table.columns[index][2])
            for index, cell in enumerate(row)
        )
        y += height
    parts.append(draw_rule(x, y, x + width, y))
    parts.extend(draw_rule(edge, top, edge, y) for edge in edges)
    return b"".join(parts), y + SPACE_AFTER


def _rows(table: TableSpec, width: float) -> list[list[list[Line]]]:
    """Rows of cells of lines, the header first."""
    faces = ["bold", *["roman"] * len(table.rows)]
    texts = [tuple(header for header, _, _ in table.columns), *table.rows]
    return [
        [
            break_lines(typographic(text), share * width - 2 * PADDING, size=SIZE, face=face)
            for text, (_, share, _) in zip(row, table.columns, strict=True)
        ]
        for row, face in zip(texts, faces, strict=True)
    ]


def _row_height(row: list[list[Line]]) -> float:
    return max(len(cell) for cell in row) * LEADING + PADDING


def _draw_cell(cell: list[Line], x0: float, x1: float, y: float, *, align: str) -> bytes:
    return b"".join(
        draw_line(
            line,
            x1 - PADDING - line.width if align == "right" else x0 + PADDING,
            y + PADDING / 2 + index * LEADING + LEADING * 0.76,
        )
        for index, line in enumerate(cell)
    )
