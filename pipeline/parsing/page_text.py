"""From a page of MuPDF to fragments: runs of text on one baseline, with box, dominant style and what hides them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pipeline.mupdf import pymupdf

MIN_VISIBLE_SIZE = 2.0  # points; below it no one reads a line on paper (legal print starts at 6)
LIGHT_CHANNEL = 225  # 0-255; text whose three channels all reach this may vanish on white paper: it is looked at
_PAINTED = 0x10 | 0x20  # MuPDF's char_flags: filled, stroked; text of render mode 3 and 7 is neither
_BOLD_FLAG, _ITALIC_FLAG = 1 << 4, 1 << 1  # PyMuPDF's span flags

# Ligatures and spaces stay as they are; text outside the page is kept, to be told as hidden; a glyph that maps to no
# character becomes U+FFFD instead of its code, so that the quality score sees it. No images: they cost bytes. What is
# drawn comes in the same pass, for tables: lazily, since otherwise a fill behind a word would break its line.
TEXT_FLAGS = (
    pymupdf.TEXT_PRESERVE_LIGATURES
    | pymupdf.TEXT_PRESERVE_WHITESPACE
    | pymupdf.TEXT_COLLECT_VECTORS
    | pymupdf.TEXT_LAZY_VECTORS
)

_BOLD_NAME = re.compile(r"bold|black|heavy|demi\b|-Medi\b|NimbusRomNo9L-Medi", re.IGNORECASE)
_ITALIC_NAME = re.compile(r"ital|obli", re.IGNORECASE)
_BREAKS = re.compile("[\n\r\t\v\f\x1c-\x1e\x85\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Fragment:
    """A run of text; `box` is in points of the displayed page, `upright` the same turned so that the text lies flat."""

    text: str
    box: tuple[float, float, float, float]
    upright: tuple[float, float, float, float]
    font: str
    size: float
    bold: bool
    italic: bool
    rotation: int
    hidden: str  # '' for what is painted, 'invisible', 'tiny', 'light' (to be looked at) or 'off-page'


def read_blocks(page: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """MuPDF's blocks of text and of drawn boxes, and the image places of the page.

    One pass over the page gives both; only where there are images is a second made, since MuPDF would unpack their
    bytes with the text.
    """
    everywhere = pymupdf.INFINITE_RECT()  # the default drops what lies outside the page without a word
    textpage = page.get_textpage(clip=everywhere, flags=TEXT_FLAGS | pymupdf.TEXT_PRESERVE_IMAGES)
    images = _list_images(textpage)
    if images:
        textpage = page.get_textpage(clip=everywhere, flags=TEXT_FLAGS)
    return textpage.extractDICT()["blocks"], images


def _list_images(textpage: Any) -> list[dict[str, Any]]:
    """Place and size of each image; PyMuPDF's own list fails on a page with drawn boxes ('Not an image')."""
    images = []
    block = textpage.this.m_internal.first_block
    while block is not None:
        if block.type == pymupdf.mupdf.FZ_STEXT_BLOCK_IMAGE:
            box, image = block.bbox, pymupdf.mupdf.FzStextBlock(block).i_image()
            images.append({"bbox": (box.x0, box.y0, box.x1, box.y1), "width": image.w(), "height": image.h()})
        block = block.next
    return images


def make_fragments(page: Any, blocks: list[dict[str, Any]]) -> list[Fragment]:
    """The page's fragments in the order of the file; runs of white space alone are left out."""
    matrix = page.rotation_matrix if page.rotation else None
    width, height = page.rect.width, page.rect.height
    fragments: list[Fragment] = []
    for block in blocks:
        for line in block.get("lines", ()):
            for spans in _split_by_visibility(line["spans"]):
                fragment = _make_fragment(spans, line["dir"], matrix, (width, height))
                if fragment is not None:
                    fragments.append(fragment)
    return fragments


def _split_by_visibility(spans: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Spans grouped so that hidden words never share a line with visible ones; white space joins what precedes it."""
    if len(spans) == 1:
        return [spans]
    groups: list[list[dict[str, Any]]] = []
    last = ""
    for span in spans:
        kind = _hidden_kind(span)
        if groups and (kind == last or not span["text"].strip()):
            groups[-1].append(span)
        else:
            groups.append([span])
            last = kind
    return groups


def _hidden_kind(span: dict[str, Any]) -> str:
    if span.get("alpha", 255) == 0 or not span.get("char_flags", _PAINTED) & _PAINTED:
        return "invisible"
    if span["size"] < MIN_VISIBLE_SIZE:
        return "tiny"
    color = span["color"]
    if color >> 16 & 255 >= LIGHT_CHANNEL and color >> 8 & 255 >= LIGHT_CHANNEL and color & 255 >= LIGHT_CHANNEL:
        return "light"
    return ""


def _make_fragment(
    spans: list[dict[str, Any]], direction: tuple[float, float], matrix: Any, page_size: tuple[float, float]
) -> Fragment | None:
    text = clean_text("".join([span["text"] for span in spans]))
    if not text:
        return None
    if len(spans) == 1:
        main, box = spans[0], spans[0]["bbox"]
    else:
        main = _dominant(spans)
        inked = [span["bbox"] for span in spans if span["text"].strip()]
        box = (min(b[0] for b in inked), min(b[1] for b in inked), max(b[2] for b in inked), max(b[3] for b in inked))
    if not all(map(math.isfinite, box)):
        return None
    angle = _angle(direction, matrix)
    if matrix is not None:
        box = tuple(pymupdf.Rect(box) * matrix)
    width, height = page_size
    hidden = _hidden_kind(main if main["text"].strip() else spans[0])
    if box[2] <= 0 or box[3] <= 0 or box[0] >= width or box[1] >= height:
        hidden = "off-page"
    bold, italic = _style(main["font"], main["flags"])
    return Fragment(
        text, box, _turn(box, angle, width, height), main["font"], main["size"], bold, italic, angle, hidden
    )


def clean_text(text: str) -> str:
    """`text` on one line, without white space at its ends; characters that cannot be encoded become U+FFFD."""
    if not text.isprintable():
        text = _SURROGATE.sub("\ufffd", _BREAKS.sub(" ", text))
    return text.strip()


def _dominant(spans: list[dict[str, Any]]) -> dict[str, Any]:
    weight: dict[tuple[str, float, int], int] = {}
    first: dict[tuple[str, float, int], dict[str, Any]] = {}
    for span in spans:
        style = (span["font"], round(span["size"], 1), span["flags"])
        weight[style] = weight.get(style, 0) + len(span["text"].strip())
        first.setdefault(style, span)
    return first[max(weight, key=lambda style: weight[style])]


@lru_cache(maxsize=4096)
def _style(font: str, flags: int) -> tuple[bool, bool]:
    """Bold and italic, by the font's flags or its name: many embedded fonts carry it in the name alone."""
    return (
        bool(flags & _BOLD_FLAG) or bool(_BOLD_NAME.search(font)),
        bool(flags & _ITALIC_FLAG) or bool(_ITALIC_NAME.search(font)),
    )


def _angle(direction: tuple[float, float], matrix: Any) -> int:
    """Direction of the text on the displayed page, clockwise in degrees, 0 to 359."""
    if direction == (1.0, 0.0) and matrix is None:
        return 0
    x, y = direction
    if matrix is not None:
        x, y = x * matrix.a + y * matrix.c, x * matrix.b + y * matrix.d
    return round(math.degrees(math.atan2(y, x))) % 360


def _turn(
    box: tuple[float, float, float, float], angle: int, width: float, height: float
) -> tuple[float, float, float, float]:
    """The box after the page is turned by the nearest quarter turn that lays the text flat."""
    x0, y0, x1, y1 = box
    quarter = round(angle / 90) % 4
    if quarter == 1:  # text runs down
        return (y0, width - x1, y1, width - x0)
    if quarter == 2:  # upside down
        return (width - x1, height - y1, width - x0, height - y0)
    if quarter == 3:  # text runs up
        return (height - y1, x0, height - y0, x1)
    return box
