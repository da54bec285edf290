"""Text that is cut away by a clip: MuPDF keeps it unless asked otherwise.

Asking costs a second pass over the page, so the content is looked through first for a clip that is small for the page
and does not hold the text written after it. Word processors clip each paragraph to its own place: that is no suspect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.page_text import TEXT_FLAGS, Fragment, make_fragments, read_textpage

LARGE_CLIP = 0.5  # share of the page's area from which a clip is the page's own margin
CLIP_SLACK = 14.0  # points by which the start of text may lie outside its clip: the height of a line
MAX_CONTENT = 4_000_000  # bytes of drawing instructions that are looked through a page; maps have more
MAX_CLIPS = 2_000  # clips looked at a page
NEAR_BYTES = 300  # bytes after the begin of text in which its place is named

_CLIP = re.compile(rb"re\s+W\*?\s+n\b")
_PLACE = re.compile(rb"([-\d.]+)\s+([-\d.]+)\s+T[mdD]\b")


def hide_clipped(page: Any, fragments: Sequence[Fragment]) -> None:
    """Mark fragments of which nothing is left when clips are kept."""
    if not any(not f.hidden for f in fragments) or not _has_suspect(page):
        return
    blocks = read_textpage(page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=TEXT_FLAGS | pymupdf.TEXT_CLIP))
    for block in blocks:  # a line of which nothing is left keeps its place, without words
        block["lines"] = [line for line in block.get("lines", ()) if line["spans"]]
    places: dict[int, list[Fragment]] = {}
    for fragment in make_fragments(page, blocks):
        places.setdefault(round(fragment.box[1]), []).append(fragment)
    for fragment in fragments:
        if not fragment.hidden:
            row = round(fragment.box[1])
            near = [other for at in (row - 1, row, row + 1) for other in places.get(at, ())]
            if not any(_is_left(other, fragment) for other in near):
                fragment.hidden = "clipped"


def _is_left(other: Fragment, fragment: Fragment) -> bool:
    """`other` is what remained of the fragment, or of the line that it is a part of."""
    meets = other.box[0] < fragment.box[2] and fragment.box[0] < other.box[2]
    return meets and (other.text in fragment.text or fragment.text in other.text)


def _has_suspect(page: Any) -> bool:
    area = page.rect.width * page.rect.height
    return any(_is_small(box, area) or _hides_text(content, area) for box, content in _contents(page))


def _contents(page: Any) -> Iterator[tuple[tuple[float, ...] | None, bytes]]:
    """The drawing instructions of the page and of the forms it uses, each with the form's own clip."""
    room = MAX_CONTENT
    content = page.read_contents()
    yield None, content[:room]
    room -= len(content)
    for xref, _, _, box in page.get_xobjects():
        if room <= 0:
            return
        content = page.parent.xref_stream(xref) or b""
        if b"Tj" in content or b"TJ" in content:
            yield tuple(box), content[:room]
        room -= len(content)


def _is_small(box: tuple[float, ...] | None, area: float) -> bool:
    return box is not None and abs((box[2] - box[0]) * (box[3] - box[1])) < LARGE_CLIP * area


def _hides_text(content: bytes, area: float) -> bool:
    """A clip that is small for the page, and text after it that begins elsewhere or in another coordinate system."""
    for count, match in enumerate(_CLIP.finditer(content)):
        if count >= MAX_CLIPS:
            return True
        try:
            x, y, wide, high = map(float, content[max(0, match.start() - 100) : match.start()].split()[-4:])
        except ValueError:
            continue
        if abs(wide * high) >= LARGE_CLIP * area:
            continue
        begin = content.find(b"BT", match.end())
        if begin < 0:
            return False
        between = content[match.end() : begin]
        if b"Q" in between:
            continue
        place = _PLACE.search(content, begin, begin + NEAR_BYTES)
        if place is None or b" cm" in between or not _lies_in(place, (x, y, wide, high)):
            return True
    return False


def _lies_in(place: re.Match[bytes], clip: tuple[float, float, float, float]) -> bool:
    try:
        left, base = float(place[1]), float(place[2])
    except ValueError:
        return False
    x0, x1 = sorted((clip[0], clip[0] + clip[2]))
    y0, y1 = sorted((clip[1], clip[1] + clip[3]))
    return x0 - CLIP_SLACK <= left <= x1 and y0 - CLIP_SLACK <= base <= y1 + CLIP_SLACK
