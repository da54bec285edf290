"""Marks drawn as highlight annotations of a PDF page, as they come to stand on the page as displayed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.generation.highlight.plan import Box, Mark
from pipeline.mupdf import pymupdf

CITED = (1.0, 0.84, 0.25)  # red, green, blue from 0 to 1: the marker pen that everyone knows
CONTEXT = (0.88, 0.93, 1.0)  # pale blue: seen, and never taken for the proof
FIXED_DATE = "D:20000101000000Z"  # marks carry no clock, so that equal runs give equal bytes
AUTHOR = "Lineproof"


def draw(page: Any, mark: Mark) -> None:
    """One annotation; boxes are turned back on a rotated page, for annotations are stored unrotated."""
    quads = _quads(page, mark.boxes) if mark.colour is None else _quads_along(page, mark.boxes)
    if not quads:
        return
    annotation = page.add_highlight_annot(quads=quads)
    annotation.set_colors(stroke=mark.colour or (CITED if mark.is_cited else CONTEXT))
    sign(page, annotation, mark.note)


def sign(page: Any, annotation: Any, content: str) -> None:
    """Give an annotation its words, our name and the fixed date."""
    annotation.set_info(content=content, title=AUTHOR, creationDate=FIXED_DATE, modDate=FIXED_DATE)
    annotation.update()
    page.parent.xref_set_key(annotation.xref, "M", f"({FIXED_DATE})")  # update() may write the clock


def unturned(page: Any, box: Any) -> Any:
    """The rectangle of a box as displayed, where PDF stores it: before the page is turned."""
    return (pymupdf.Rect(box) * page.derotation_matrix).normalize()


def _quads(page: Any, boxes: Sequence[Box]) -> list[Any]:
    shown = page.rect
    quads = []
    for box in boxes:
        rect = pymupdf.Rect(box) & shown
        if not rect.is_empty:
            quads.append(unturned(page, rect).quad)
    return quads


def _quads_along(page: Any, boxes: Sequence[Box]) -> list[Any]:
    """Quads whose lines run along the longer side as displayed: viewers round their ends, by half the shorter side."""
    quads = []
    for box in boxes:
        rect = pymupdf.Rect(box) & page.rect
        if rect.is_empty:
            continue
        tl, tr, bl, br = rect.tl, rect.tr, rect.bl, rect.br
        corners = (bl, tl, br, tr) if rect.width < rect.height else (tl, tr, bl, br)
        quads.append(pymupdf.Quad(*(corner * page.derotation_matrix for corner in corners)))
    return quads
