"""A strip of links in a free margin of the first page, one a citation; none where the page has no free margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.generation.highlight.marking import sign, unturned
from pipeline.generation.highlight.plan import Stop, first_of_groups
from pipeline.mupdf import pymupdf
from schemas.document import ParsedDocument

FONT, SIZE = "helv", 7.0  # Helvetica, which every viewer has; points: small print, as a printed page number
ROW = 11.0  # points: height of a row of links
EDGE = 5.0  # points kept free to the page's edge and to its text
GAP = 4.0  # points between two links
MAX_ROWS = 3  # rows of links; more would be a page of its own, and the bookmarks list all
INK, PAPER = (0.05, 0.25, 0.55), (1.0, 0.98, 0.88)  # dark blue on pale yellow: a note, no part of the document


def add_links(opened: Any, document: ParsedDocument, stops: Sequence[Stop]) -> None:
    """Write the strip onto page 1, as annotations: the page's own content stays as it is; one link for a group."""
    page = opened[0]
    here = [stop for stop in first_of_groups(stops) if stop.page_num <= opened.page_count]
    for stop, box in _place(page, document, here):
        spot = unturned(page, box)
        label = page.add_freetext_annot(
            spot, stop.short, fontsize=SIZE, fontname=FONT, text_color=INK, fill_color=PAPER, rotate=page.rotation
        )
        sign(page, label, stop.short)
        opened.xref_set_key(label.xref, "CL", "null")  # a callout line that MuPDF writes and nobody asked for
        target = opened[stop.page_num - 1]
        corner = unturned(target, (stop.x, stop.y, stop.x + 1, stop.y + 1)).tl
        page.insert_link({"kind": pymupdf.LINK_GOTO, "from": spot, "page": stop.page_num - 1, "to": corner})


def _place(
    page: Any, document: ParsedDocument, stops: Sequence[Stop]
) -> list[tuple[Stop, tuple[float, float, float, float]]]:
    """The box of each link, row by row; stops that find no room are left out."""
    top, rows = _free_rows(page, document)
    placed = []
    x, row = EDGE, 0
    for stop in stops:
        width = pymupdf.get_text_length(stop.short, fontname=FONT, fontsize=SIZE) + 2 * GAP
        if x + width > page.rect.width - EDGE and x > EDGE:
            x, row = EDGE, row + 1
        if row >= rows:
            break
        y = top + row * ROW
        placed.append((stop, (x, y, x + width, y + ROW - 1)))
        x += width + GAP
    return placed


def _free_rows(page: Any, document: ParsedDocument) -> tuple[float, int]:
    """Top of the strip in points and how many rows it may have: in the upper margin, else the lower; 0: in neither.

    A picture over the whole page is a scan, whose lines are known; any other picture is kept clear of.
    """
    lines = document.line_df[document.line_df["page_num"] == 1]
    images = document.image_df[(document.image_df["page_num"] == 1) & ~document.image_df["is_full_page"]]
    used = pd.concat([lines[["y0", "y1"]], images[["y0", "y1"]]]).dropna()
    height = page.rect.height
    above = float(used["y0"].min()) if len(used) else height
    below = float(used["y1"].max()) if len(used) else 0.0
    rows = [min(MAX_ROWS, int((room - 2 * EDGE) // ROW)) for room in (above, height - below)]
    if rows[0] > 0:
        return EDGE, rows[0]
    return height - EDGE - max(rows[1], 0) * ROW, max(rows[1], 0)
