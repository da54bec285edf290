"""PyMuPDF's layout model, behind a setting: what each region of a page is, by a small network that ships in its wheel.

It costs some 0.4 to 0.6 s of CPU a page, two hundred times the text itself, and adds roles where neither numbering nor
typography tells them. Nothing is fetched: weights and runtime come with the package `pymupdf_layout`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.body_headings import TYPE_SOURCE
from pipeline.parsing.lines import Line, PageRead, Region
from pipeline.parsing.outline import Heading
from pipeline.parsing.titles import Style, Styles, prominence
from schemas.errors import MissingPackageError

MIN_INSIDE = 0.6  # share of a line's box inside a region, from which the line belongs to it
MAX_HEADING_LINES = 3  # lines of one heading; more are a text in large type
CONFIDENCE = 0.6  # of a heading that the model alone sees
SOURCE = "layout_model"
HEADING_KINDS = ("title", "section-header")
_ROLES = {"page-header": "header", "page-footer": "footer", "footnote": "footnote", "caption": "caption"}


def find_regions(page: Any) -> list[Region]:
    """The page's regions as the model sees them, in its order; boxes in points of the displayed page.

    Raises MissingPackageError where the layout package is not installed.
    """
    try:
        importlib.import_module("pymupdf.layout")
    except ImportError as error:
        raise MissingPackageError(
            "the layout model needs the package pymupdf_layout (pip install pymupdf_layout); or leave it off"
        ) from error
    page.get_layout()
    found = page.layout_information or ()
    return [Region(str(kind), (float(x0), float(y0), float(x1), float(y1))) for x0, y0, x1, y1, kind, *_ in found]


def mark_regions(pages: Sequence[PageRead]) -> None:
    """Write the roles header, footer, footnote and caption into body lines that lie in such regions."""
    for page in pages:
        for line, region in _placed(page):
            role = _ROLES.get(region.kind)
            if role is not None and line.role == "body":
                line.role = role


def refine_headings(body: Sequence[Heading], pages: Sequence[PageRead], lines: Sequence[Line]) -> list[Heading]:
    """The text's own headings with the model's say, in reading order; `body` as it is where no page has regions.

    A heading told by type alone stays only where the model sees one too. One that the model alone sees joins at the
    level that its style has among the others, else below the last of a more prominent style.
    """
    blocks = _heading_blocks(pages)
    if not blocks:
        return list(body)
    seen = {line.line_id for block in blocks for line in block}
    kept = [heading for heading in body if heading.source != TYPE_SOURCE or heading.line_id in seen]
    taken = {line_id for heading in kept for line_id in range(heading.line_id, heading.last_line_id + 1)}
    styles = Styles(lines)
    levels: dict[Style, int] = {}
    for heading in kept:
        levels.setdefault(styles.of(lines[heading.line_id - 1]), heading.level)
    for block in blocks:
        title = " ".join(line.text for line in block)
        if taken.isdisjoint(line.line_id for line in block) and any(sign.isalpha() for sign in title):
            level = _level_of(styles.of(block[0]), levels)
            kept.append(Heading(level, title, block[0].line_id, block[-1].line_id, True, SOURCE, CONFIDENCE))
    return sorted(kept, key=lambda heading: heading.line_id)


def _level_of(style: Style, levels: dict[Style, int]) -> int:
    """The style's level; a new one goes below those that stand out more, and is remembered."""
    if style not in levels:
        above = [level for known, level in levels.items() if prominence(known) > prominence(style)]
        levels[style] = 1 + max(above, default=0)
    return levels[style]


def _heading_blocks(pages: Sequence[PageRead]) -> list[list[Line]]:
    """The body lines of each region that the model calls a title or a section header, in reading order."""
    found: dict[int, list[Line]] = {}
    for page in pages:
        for line, region in _placed(page):
            if region.kind in HEADING_KINDS and line.role == "body":
                found.setdefault(id(region), []).append(line)
    return [block for block in found.values() if len(block) <= MAX_HEADING_LINES]


def _placed(page: PageRead) -> Iterator[tuple[Line, Region]]:
    """Each visible line of the page with the region that holds it."""
    for line in page.lines:
        if line.visible:
            region = next((r for r in page.regions if _inside(line, r) >= MIN_INSIDE), None)
            if region is not None:
                yield line, region


def _inside(line: Line, region: Region) -> float:
    box = pymupdf.Rect(line.x0, line.y0, line.x1, line.y1)
    area = abs(box)
    return abs(box & pymupdf.Rect(region.box)) / area if area else 0.0
