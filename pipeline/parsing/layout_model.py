"""PyMuPDF's layout model, behind a setting: what each region of a page is, by a small network that ships in its wheel.

It costs some 0.5 to 0.8 s of CPU a page, two hundred times the text itself, and pays where type misleads: it takes out
false headings, and tells running text, captions and footnotes that recur nowhere. Nothing is fetched: weights and
runtime come with the package `pymupdf_layout`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.body_headings import TYPE_SOURCE
from pipeline.parsing.lines import Line, PageRead, Region
from pipeline.parsing.outline import Heading
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


def refine_headings(body: Sequence[Heading], pages: Sequence[PageRead]) -> list[Heading]:
    """The text's own headings with the model's say: one told by type alone stays only where the model sees one too.

    `body` as it is where no page has regions. What the model alone takes for a heading is left out: on annual reports
    it names three sub-headings for each entry that their makers put into the outline.
    """
    if not any(page.regions for page in pages):
        return list(body)
    seen = {line.line_id for page in pages for line, region in _placed(page) if region.kind in HEADING_KINDS}
    return [heading for heading in body if heading.source != TYPE_SOURCE or heading.line_id in seen]


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
