"""Text that is cut away by a clip: MuPDF keeps it unless asked otherwise.

Asking costs a second pass over the page, so the content is looked through first for a clip that is small for the page
and does not hold the text written after it. Word processors clip each paragraph to its own place: that is no suspect.
Clips inside a form (a drawing used by the page) are not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.actual_text import ACTUAL_TEXT
from pipeline.parsing.page_text import TEXT_FLAGS, Fragment, make_fragments, read_textpage

LARGE_CLIP = 0.5  # share of the page's area from which a clip is the page's own margin
CLIP_SLACK = 14.0  # points by which the start of text may lie outside its clip: the height of a line
EDGE_SLACK = 2.0  # the same to the right of it, where the blank behind a word is written
MAX_CONTENT = 2_000_000  # bytes of drawing instructions that are looked through a page; maps have more
MAX_CLIPS = 2_000  # clips looked at a page
NEAR_BYTES = 300  # bytes after the begin of text in which its place is named

_CLIP = re.compile(rb"re\s+W\*?\s+n\b")
_PLACE = re.compile(rb"[-\d.]+\s+[-\d.]+\s+T[mdD]\b")
_MATRIX = re.compile(rb"(?:[-\d.]+\s+){6}cm\b")


def hide_clipped(page: Any, fragments: Sequence[Fragment]) -> None:
    """Mark fragments of which nothing is left when clips are kept."""
    if all(f.hidden for f in fragments) or not _has_suspect(page):
        return
    blocks = read_textpage(page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=TEXT_FLAGS | pymupdf.TEXT_CLIP))
    for block in blocks:  # a line of which nothing is left keeps its place, without words
        block["lines"] = [line for line in block.get("lines", ()) if line["spans"]]
    places: dict[int, list[Fragment]] = {}
    for fragment in make_fragments(page, blocks):
        places.setdefault(round(fragment.box[1]), []).append(fragment)
    for fragment in fragments:
        if not fragment.hidden and fragment.font != ACTUAL_TEXT:
            row = round(fragment.box[1])
            near = [other for at in (row - 1, row, row + 1) for other in places.get(at, ())]
            if not any(_is_left(other, fragment) for other in near):
                fragment.hidden = "clipped"


def _is_left(other: Fragment, fragment: Fragment) -> bool:
    """`other` is what remained of the fragment, or of the line that it is a part of."""
    meets = other.box[0] < fragment.box[2] and fragment.box[0] < other.box[2]
    return meets and (other.text in fragment.text or fragment.text in other.text)


def _has_suspect(page: Any) -> bool:
    content = page.read_contents()[:MAX_CONTENT]
    if _CLIP.search(content) is None:
        return False
    rect = page.rect
    return _hides_text(content, rect.width * rect.height)


def _hides_text(content: bytes, area: float) -> bool:
    """A clip that is small for the page, and text after it that begins elsewhere."""
    for count, match in enumerate(_CLIP.finditer(content)):
        if count >= MAX_CLIPS:
            return True
        clip = _numbers(content[max(0, match.start() - NEAR_BYTES) : match.start()], 4)
        if clip is None or abs(clip[2] * clip[3]) >= LARGE_CLIP * area:
            continue
        begin = content.find(b"BT", match.end())
        if begin < 0:
            return False
        between = content[match.end() : begin]
        if b"Q" in between:
            continue
        place = _PLACE.search(content, begin, begin + NEAR_BYTES)
        start = None if place is None else _numbers(place[0][:-2], 2)
        if start is None or not _lies_in(_move(start, between), clip):
            return True
    return False


def _move(place: Sequence[float], between: bytes) -> tuple[float, float]:
    """The place in the coordinates in which the clip was set: later changes of coordinates undone, the last first."""
    x, y = place
    for match in reversed(list(_MATRIX.finditer(between))):
        a, b, c, d, e, f = _numbers(match[0][:-2], 6) or (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        x, y = a * x + c * y + e, b * x + d * y + f
    return x, y


def _numbers(content: bytes, count: int) -> list[float] | None:
    """The last numbers of the content; None where they are something else."""
    try:
        numbers = [float(word) for word in content.rsplit(None, count)[-count:]]
    except ValueError:
        return None
    return numbers if len(numbers) == count else None


def _lies_in(place: tuple[float, float], clip: Sequence[float]) -> bool:
    left, base = place
    x0, x1 = sorted((clip[0], clip[0] + clip[2]))
    y0, y1 = sorted((clip[1], clip[1] + clip[3]))
    return x0 - CLIP_SLACK <= left <= x1 + EDGE_SLACK and y0 - CLIP_SLACK <= base <= y1 + CLIP_SLACK
