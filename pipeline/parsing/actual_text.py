"""Words that the file names for what it paints (/ActualText): headings drawn as pictures, for readers of the screen.

MuPDF gives them as characters without a width where no letter was painted, and PyMuPDF's lists drop those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.lines import ImageBox
from pipeline.parsing.page_text import TEXT_FLAGS, Fragment, clean_text

MIN_WIDTH = 0.01  # points; a run of characters that is narrower was not painted
REACH = 4.0  # points by which words and the picture they stand for may lie apart
CHAR_EMS = 0.5  # mean width of a letter, for words whose picture is not found
LINE_EMS = 1.2  # height of a line's box over its font size
ACTUAL_TEXT = "ActualText"  # named as their font: such words have none

Place = tuple[float, float, float]  # left, top and bottom of words without a width, on the page before it is turned


def add_actual_text(
    page: Any, blocks: Sequence[dict[str, Any]], fragments: list[Fragment], images: Sequence[ImageBox]
) -> list[Fragment]:
    """The fragments, those without a width replaced by the words named there, in the place of their picture.

    Words that stand for no picture are hidden: nobody sees what they say.
    """
    if all(line["spans"] for block in blocks for line in block.get("lines", ())) and all(map(_has_width, fragments)):
        return fragments
    kept = [fragment for fragment in fragments if _has_width(fragment)]
    for number, place, text in _read_widthless(page):
        box, is_seen = _find_picture(page, place, text, images)
        kept.append(
            Fragment(
                text=text, box=box, upright=box, font=ACTUAL_TEXT, size=(place[2] - place[1]) / LINE_EMS, bold=False,
                italic=False, rotation=0, hidden="" if is_seen else "replaced", block=number,
            )
        )  # fmt: skip
    return kept


def _has_width(fragment: Fragment) -> bool:
    x0, y0, x1, y1 = fragment.box
    return x1 - x0 >= MIN_WIDTH and y1 - y0 >= MIN_WIDTH


def _read_widthless(page: Any) -> Iterator[tuple[int, Place, str]]:
    """Number of the block, place and words of each run of characters that have no width."""
    textpage = page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=TEXT_FLAGS)
    for number, block in enumerate(textpage.this):
        if block.m_internal.type != pymupdf.mupdf.FZ_STEXT_BLOCK_TEXT:
            continue
        for line in block:
            found = [(char.m_internal.c, char.m_internal.quad) for char in line]
            runs = groupby(found, key=lambda item: (item[1].ul.x, item[1].ul.y, item[1].ll.y, item[1].ur.x))
            for (left, top, bottom, right), run in runs:
                text = clean_text("".join(chr(code) for code, _ in run if 0 < code <= 0x10FFFF))
                if text and abs(right - left) < MIN_WIDTH and bottom - top >= MIN_WIDTH:
                    yield number, (left, top, bottom), text


def _find_picture(
    page: Any, place: Place, text: str, images: Sequence[ImageBox]
) -> tuple[tuple[float, float, float, float], bool]:
    """The box of the smallest image at the place, on the page as displayed, and whether there is one."""
    left, top, bottom = place
    spot = pymupdf.Rect(left, top, left + CHAR_EMS * (bottom - top) / LINE_EMS * len(text), bottom)
    if page.rotation:
        spot = spot * page.rotation_matrix
    near = [
        image
        for image in images
        if abs(image.x0 - spot.x0) <= REACH and image.y0 - REACH <= (spot.y0 + spot.y1) / 2 <= image.y1 + REACH
    ]
    if not near:
        return tuple(spot), False
    image = min(near, key=lambda i: ((i.x1 - i.x0) * (i.y1 - i.y0), i.x0, i.y0))
    return (image.x0, image.y0, image.x1, image.y1), True
