"""From headings to sections bounded to the line: parents, breadcrumbs, ends, and the deepest section of each line."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from pipeline.parsing.lines import Line
from pipeline.parsing.outline import Heading
from schemas.tables import TOC_DF


def make_toc(headings: Sequence[Heading], lines: Sequence[Line]) -> pd.DataFrame:
    """toc_df of the headings; each section ends on the line before the next one at the same or a shallower level.

    Writes `section_id`, the deepest section, into every line from the first heading on.
    """
    ordered = sorted(headings, key=lambda heading: heading.line_id)  # stable: equal starts keep the outline's order
    levels = _close_gaps([heading.level for heading in ordered])
    ends = _find_ends([heading.line_id for heading in ordered], levels, len(lines))
    parents = _find_parents(levels)
    crumbs: list[str] = []
    for at, heading in enumerate(ordered):
        parent = parents[at]
        crumbs.append(heading.title if parent is None else f"{crumbs[parent]} > {heading.title}")
    _assign(ordered, lines)
    return TOC_DF.build(
        {
            "section_id": [str(at) for at in range(1, len(ordered) + 1)],
            "level": levels,
            "parent_section_id": [None if parent is None else str(parent + 1) for parent in parents],
            "title": [heading.title for heading in ordered],
            "breadcrumb": crumbs,
            "start_page": [lines[heading.line_id - 1].page_num for heading in ordered],
            "end_page": [lines[end - 1].page_num for end in ends],
            "start_line_id": [heading.line_id for heading in ordered],
            "end_line_id": ends,
            "heading_found": [heading.found for heading in ordered],
            "source": [heading.source for heading in ordered],
            "confidence": [heading.confidence for heading in ordered],
        }
    )


def _close_gaps(levels: Sequence[int]) -> list[int]:
    """Levels without jumps: a section is at most one deeper than the one before it, the first is on level 1."""
    closed: list[int] = []
    stack: list[int] = []  # original levels of the open sections
    for level in levels:
        while stack and stack[-1] >= level:
            stack.pop()
        stack.append(level)
        closed.append(len(stack))
    return closed


def _find_ends(starts: Sequence[int], levels: Sequence[int], line_count: int) -> list[int]:
    """Last lines; sections that start at the same line (headings not found) keep it, and so do their parents."""
    ends = [line_count] * len(starts)
    open_sections: list[int] = []
    for at, (start, level) in enumerate(zip(starts, levels, strict=True)):
        inner = 0  # last line of the subsections that were just closed
        while open_sections and levels[open_sections[-1]] >= level:
            closed = open_sections.pop()
            inner = ends[closed] = max(starts[closed], start - 1, inner)
        open_sections.append(at)
    return ends


def _find_parents(levels: Sequence[int]) -> list[int | None]:
    parents: list[int | None] = []
    stack: list[int] = []
    for at, level in enumerate(levels):
        while stack and levels[stack[-1]] >= level:
            stack.pop()
        parents.append(stack[-1] if stack else None)
        stack.append(at)
    return parents


def _assign(ordered: Sequence[Heading], lines: Sequence[Line]) -> None:
    """The deepest section of a line is the last one that started at it or before."""
    at = 0
    for line in lines:
        while at < len(ordered) and ordered[at].line_id <= line.line_id:
            at += 1
        line.section_id = str(at) if at else None
