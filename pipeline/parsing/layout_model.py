"""PyMuPDF's layout model, behind a setting: what each region of a page is, by a small network that ships in its wheel.

It costs some 0.4 to 0.6 s of CPU a page, two hundred times the text itself, and adds roles where neither numbering nor
typography tells them. Nothing is fetched: weights and runtime come with the package `pymupdf_layout`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.lines import Line, PageRead, Region
from schemas.errors import MissingPackageError

MIN_INSIDE = 0.6  # share of a line's box inside a region, from which the line belongs to it
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


def heading_lines(pages: Sequence[PageRead]) -> list[list[Line]]:
    """The lines of each region that the model calls a title or a section header, in reading order."""
    found: dict[int, list[Line]] = {}
    for page in pages:
        for line, region in _placed(page):
            if region.kind in HEADING_KINDS:
                found.setdefault(id(region), []).append(line)
    return list(found.values())


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
