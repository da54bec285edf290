"""Runs of equal style inside lines, for those who ask: headings, defined terms and amendments in colour show there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from pipeline.mupdf import pymupdf
from pipeline.parsing.lines import Line, PageRead, SpanRead
from pipeline.parsing.page_text import clean_text, style_of
from schemas.tables import SPAN_DF

SIZE_DECIMALS = 1  # tenths of a point in which two sizes differ to the eye
COORDINATE_DECIMALS = 2  # as in the other tables

Box = tuple[float, float, float, float]


def collect_spans(page: Any, blocks: Iterable[dict[str, Any]], lines: Sequence[Line]) -> list[SpanRead]:
    """The runs of MuPDF's blocks, each with the line that it is part of; neighbours of one style are one run.

    White space alone is no run. Runs whose line was left out (printed twice) are left out.
    """
    matrix = page.rotation_matrix if page.rotation else None
    runs: dict[int, list[SpanRead]] = {}
    for block in blocks:
        for drawn in block.get("lines", ()):
            for span in drawn["spans"]:
                text = clean_text(span["text"])
                if text:
                    box = tuple(pymupdf.Rect(span["bbox"]) * matrix) if matrix is not None else tuple(span["bbox"])
                    line = _find_line(text, box, lines)
                    if line is not None:
                        _append(runs.setdefault(id(line), []), SpanRead(line, text, box, _style(span)), span["text"])
    return [run for line in lines for run in sorted(runs.get(id(line), ()), key=_place)]


def make_span_df(pages: Sequence[PageRead]) -> pd.DataFrame:
    """span_df, by line and by place in it; empty where spans were not asked for."""
    runs = sorted((run for page in pages for run in page.spans), key=lambda run: run.line.line_id)
    numbers: list[int] = []
    for at, run in enumerate(runs):
        numbers.append(numbers[-1] + 1 if at and runs[at - 1].line is run.line else 1)
    columns = {
        name: [round(float(run.box[at]), COORDINATE_DECIMALS) for run in runs]
        for at, name in enumerate(("x0", "y0", "x1", "y1"))
    }
    return SPAN_DF.build(
        {
            "line_id": [run.line.line_id for run in runs],
            "span_num": numbers,
            "text": [run.text for run in runs],
            **columns,
            "font_name": [run.style[0] for run in runs],
            "font_size": [round(run.style[1], COORDINATE_DECIMALS) for run in runs],
            "is_bold": [run.style[2] for run in runs],
            "is_italic": [run.style[3] for run in runs],
            "color": [run.style[4] for run in runs],
        }
    )


def _style(span: dict[str, Any]) -> tuple[str, float, bool, bool, int]:
    bold, italic = style_of(span["font"], span["flags"])
    return (span["font"], round(float(span["size"]), SIZE_DECIMALS), bold, italic, int(span["color"]) & 0xFFFFFF)


def _find_line(text: str, box: Box, lines: Sequence[Line]) -> Line | None:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for line in lines:
        if line.x0 - 1 <= x <= line.x1 + 1 and line.y0 - 1 <= y <= line.y1 + 1 and text in line.text:
            return line
    return None


def _append(runs: list[SpanRead], run: SpanRead, raw: str) -> None:
    last = runs[-1] if runs else None
    if last is not None and last.style == run.style and f"{last.text} {run.text}" in run.line.text:
        runs[-1] = SpanRead(run.line, f"{last.text} {run.text}", _union(last.box, run.box), run.style)
    elif (
        last is not None and last.style == run.style and not raw[:1].isspace() and last.text + run.text in run.line.text
    ):
        runs[-1] = SpanRead(run.line, last.text + run.text, _union(last.box, run.box), run.style)
    else:
        runs.append(run)


def _union(one: Box, two: Box) -> Box:
    return (min(one[0], two[0]), min(one[1], two[1]), max(one[2], two[2]), max(one[3], two[3]))


def _place(run: SpanRead) -> tuple[float, float]:
    """Left to right for flat text, along the text for the rest."""
    x0, y0, x1, y1 = run.box
    quarter = round(run.line.rotation / 90) % 4
    return {0: (x0, y0), 1: (y0, -x0), 2: (-x1, -y1), 3: (-y1, x0)}[quarter]
