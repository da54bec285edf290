"""The images among MuPDF's blocks of a page: listed, and set aside while its text is read.

MuPDF unpacks the bytes of every image that is among the blocks, and a second pass over the page without them costs as
much as the first. What stood around an image is what a pass without images would give, unless the words behind it
would have gone on the block before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pipeline.mupdf import pymupdf

APART_EMS = 1.7  # distance of two base lines from which MuPDF begins a block by itself: 1.4 ems, and a margin

_IMAGE_BLOCK = pymupdf.mupdf.FZ_STEXT_BLOCK_IMAGE
_UPRIGHT = (1.0, 0.0)

Images = list[dict[str, Any]]  # box, width and height in pixels; PyMuPDF's own list fails on a page with drawn boxes


@contextmanager
def set_images_aside(textpage: Any) -> Iterator[tuple[Images, list[int]]]:
    """The images of the text page, and how many other blocks stand before each; it is without them until the end.

    They are put back, since MuPDF frees what it finds among the blocks.
    """
    images: Images = []
    places: list[int] = []
    cuts: list[tuple[Any, Any]] = []
    whole = textpage.this.m_internal
    count, kept, block = 0, None, whole.first_block
    while block is not None:
        after = block.next
        if block.type == _IMAGE_BLOCK:
            box, image = block.bbox, pymupdf.mupdf.FzStextBlock(block).i_image()
            images.append({"bbox": (box.x0, box.y0, box.x1, box.y1), "width": image.w(), "height": image.h()})
            places.append(count)
            cuts.append((kept, block))
            _link(whole, kept, after)
        else:
            kept = block
            count += 1
        block = after
    try:
        yield images, places
    finally:
        for before, cut in reversed(cuts):
            _link(whole, before, cut)


def are_apart(blocks: Sequence[dict[str, Any]], place: int) -> bool:
    """Without the image at that place the blocks before and behind it would be the same: their text stands apart."""
    if not any("lines" in block for block in blocks[:place]) or not any("lines" in block for block in blocks[place:]):
        return True
    before, after = blocks[place - 1].get("lines"), blocks[place].get("lines")
    if not before or not after or not before[-1]["spans"] or not after[0]["spans"]:
        return False
    if any(line["dir"] != _UPRIGHT or line["wmode"] for line in (before[-1], after[0])):
        return False
    one, two = before[-1]["spans"][-1], after[0]["spans"][0]
    return bool(abs(one["origin"][1] - two["origin"][1]) > APART_EMS * max(one["size"], two["size"]))


def _link(whole: Any, before: Any, block: Any) -> None:
    """Make the block the next one, or the first of all."""
    if before is None:
        whole.first_block = block
    else:
        before.next = block
