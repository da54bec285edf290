"""From a page of MuPDF to fragments: runs of text on one baseline, with box, dominant style and what hides them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.page_images import are_apart, set_images_aside

MIN_VISIBLE_SIZE = 2.0  # points; below it no one reads a line on paper (legal print starts at 6)
FAINT_ALPHA = 51  # 0-255; text of a fifth of its colour or less may vanish: it is looked at
LIGHT_CHANNEL = 225  # 0-255; text whose three channels all reach this may vanish on white paper: it is looked at
# ZapfDingbats has one fixed encoding (PDF 32000-1, annex D.6): the glyphs that forms and lists use
DINGBATS = str.maketrans("345678lmnopqrstuvHJ", "✓✔✕✖✗✘●❍■❏❐❑❒▲▼◆❖★✪")
_DINGBATS = "ZapfDingbats"
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

MIN_ASCENDER, UNKNOWN_ASCENDER, UNKNOWN_DESCENDER = 1e-3, 0.9, -0.1  # ems, as in PyMuPDF's correction of boxes
_UPRIGHT = (1.0, 0.0)  # direction of text from left to right
_QUARTERS = {_UPRIGHT: 0, (0.0, 1.0): 1, (-1.0, 0.0): 2, (0.0, -1.0): 3}  # quarter turns, clockwise

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
    hidden: str  # '' for what is painted, or a key of lines.HIDDEN_REASONS; 'light' and 'faint' are looked at later
    color: int = 0  # fill colour of most of its characters, 0xRRGGBB
    block: int = 0  # place of its block in the order of painting


def read_blocks(page: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """MuPDF's blocks of text and of drawn boxes, and the image places of the page.

    One pass over the page gives both; a second is made only where the words around an image would be one block.
    """
    everywhere = pymupdf.INFINITE_RECT()  # the default drops what lies outside the page without a word
    textpage = page.get_textpage(clip=everywhere, flags=TEXT_FLAGS | pymupdf.TEXT_PRESERVE_IMAGES)
    with set_images_aside(textpage) as (images, places):
        blocks = read_textpage(textpage)
    if not all(are_apart(blocks, place) for place in places):
        blocks = read_textpage(page.get_textpage(clip=everywhere, flags=TEXT_FLAGS))
    return blocks, images


def read_textpage(textpage: Any) -> list[dict[str, Any]]:
    """The blocks of a text page, in which the box of each run is as tall as its font size or its letters.

    PyMuPDF makes such boxes letter by letter, for fonts that name too small a height, which takes as long as all the
    rest of the reading; here it is done run by run. A page with slanted or vertical text is left to PyMuPDF.
    """
    with _boxes_as_in_file():
        blocks: list[dict[str, Any]] = textpage.extractDICT()["blocks"]
    for block in blocks:
        for line in block.get("lines", ()):
            quarter = _QUARTERS.get(line["dir"])
            if quarter is None or line["wmode"]:
                return textpage.extractDICT()["blocks"]  # type: ignore[no-any-return]
            for span in line["spans"]:
                x0, y0, x1, y1 = span["bbox"]
                size = span["size"]
                if not quarter:
                    if y1 - y0 < size:
                        y0, y1 = _stretch(y0, y1, span["origin"][1], size)
                        span["bbox"] = (x0, y0, x1, y1)
                elif (x1 - x0 if quarter % 2 else y1 - y0) < size:
                    span["bbox"] = _stretch_box((x0, y0, x1, y1), span["origin"], size, quarter)
    return blocks


@contextmanager
def _boxes_as_in_file() -> Iterator[None]:
    """PyMuPDF's boxes without its corrections: a switch of the whole library, put back at the end."""
    before = pymupdf.TOOLS.unset_quad_corrections()
    pymupdf.TOOLS.unset_quad_corrections(True)
    try:
        yield
    finally:
        pymupdf.TOOLS.unset_quad_corrections(before)


def _stretch_box(
    box: tuple[float, float, float, float], origin: tuple[float, float], size: float, quarter: int
) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box
    if quarter == 1:  # text runs down: its top is on the right
        right, left = _stretch(-x1, -x0, -origin[0], size)
        x0, x1 = -left, -right
    elif quarter == 2:  # upside down
        bottom, top = _stretch(-y1, -y0, -origin[1], size)
        y0, y1 = -top, -bottom
    else:  # text runs up: its top is on the left
        x0, x1 = _stretch(x0, x1, origin[0], size)
    return (x0, y0, x1, y1)


def _stretch(top: float, bottom: float, base: float, size: float) -> tuple[float, float]:
    """Top and bottom of a box that is lower than its font size, stretched to it about the base line.

    As PyMuPDF's correction does: in the proportion of what stands above the base line to what hangs below it, or nine
    to one where the font names no height above it.
    """
    above, height = base - top, bottom - top
    if above < MIN_ASCENDER * size or height <= 0.0:
        return base - UNKNOWN_ASCENDER * size, base - UNKNOWN_DESCENDER * size
    return base - above / height * size, base + (bottom - base) / height * size


def make_fragments(page: Any, blocks: list[dict[str, Any]]) -> list[Fragment]:
    """The page's fragments in the order of the file; runs of white space alone are left out."""
    matrix = page.rotation_matrix if page.rotation else None
    rect = page.rect
    size = (rect.width, rect.height)
    fragments: list[Fragment] = []
    for number, block in enumerate(blocks):
        for line in block.get("lines", ()):
            spans = line["spans"]
            for group in [spans] if len(spans) == 1 else _split_by_visibility(spans):
                fragment = _make_fragment(group, line["dir"], matrix, size, number)
                if fragment is not None:
                    fragments.append(fragment)
    return fragments


def _split_by_visibility(spans: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Spans grouped so that hidden words never share a line with visible ones; white space joins what precedes it."""
    kinds = [_hidden_kind(span) for span in spans]
    if not any(kinds):
        return [spans] if spans else []
    groups: list[list[dict[str, Any]]] = []
    last = ""
    for span, kind in zip(spans, kinds, strict=True):
        if groups and (kind == last or not span["text"].strip()):
            groups[-1].append(span)
        else:
            groups.append([span])
            last = kind
    return groups


def _hidden_kind(span: dict[str, Any]) -> str:
    color = span["color"]
    if (
        not color  # black, opaque and painted: nearly all there is
        and span.get("alpha", 255) > FAINT_ALPHA
        and span.get("char_flags", _PAINTED) & _PAINTED
        and span["size"] >= MIN_VISIBLE_SIZE
    ):
        return ""
    if span.get("alpha", 255) == 0 or not span.get("char_flags", _PAINTED) & _PAINTED:
        return "invisible"
    if span.get("alpha", 255) <= FAINT_ALPHA:
        return "faint"
    if span["size"] < MIN_VISIBLE_SIZE:
        return "tiny"
    if color >> 16 & 255 >= LIGHT_CHANNEL and color >> 8 & 255 >= LIGHT_CHANNEL and color & 255 >= LIGHT_CHANNEL:
        return "light"
    return ""


def _make_fragment(
    spans: list[dict[str, Any]],
    direction: tuple[float, float],
    matrix: Any,
    page_size: tuple[float, float],
    block: int,
) -> Fragment | None:
    first = main = spans[0]
    if len(spans) == 1:
        text, box = clean_text(_decode(main)), main["bbox"]
    else:
        text = clean_text("".join([_decode(span) if span["font"] == _DINGBATS else span["text"] for span in spans]))
        boxes = [span["bbox"] for span in spans if not span["text"].isspace()]
        box = _union(boxes) if boxes else main["bbox"]
        main = _dominant(spans)
    if not text or not math.isfinite(sum(box)):
        return None
    if matrix is not None:
        box = tuple(pymupdf.Rect(box) * matrix)
    width, height = page_size
    if box[2] <= 0 or box[3] <= 0 or box[0] >= width or box[1] >= height:
        hidden = "off-page"
    else:
        hidden = _hidden_kind(main if main is first or main["text"].strip() else first)
    font, color = main["font"], first["color"]
    bold, italic = style_of(font, main["flags"])
    if matrix is None and direction == _UPRIGHT:
        return Fragment(text, box, box, font, main["size"], bold, italic, 0, hidden, color, block)
    angle = _angle(direction, matrix)
    flat = turn_box(box, angle, width, height)
    return Fragment(text, box, flat, font, main["size"], bold, italic, angle, hidden, color, block)


def _union(boxes: list[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def _decode(span: dict[str, Any]) -> str:
    """The span's text; MuPDF gives codes for the glyphs of ZapfDingbats, so that a tick would read as '3'."""
    text: str = span["text"]
    return text.translate(DINGBATS) if span["font"] == _DINGBATS else text


def clean_text(text: str) -> str:
    """`text` on one line, without white space at its ends; characters that cannot be encoded become U+FFFD."""
    if not text.isprintable():
        text = _SURROGATE.sub("\ufffd", _BREAKS.sub(" ", text))
    return text.strip()


def _dominant(spans: list[dict[str, Any]]) -> dict[str, Any]:
    """The first span in the style of most characters."""
    exact: dict[tuple[str, float, int], list[dict[str, Any]]] = {}
    for span in spans:
        exact.setdefault((span["font"], span["size"], span["flags"]), []).append(span)
    if len(exact) == 1:
        return spans[0]
    weight: dict[tuple[str, float, int], int] = {}
    first: dict[tuple[str, float, int], dict[str, Any]] = {}
    for (font, size, flags), alike in exact.items():
        style = (font, round(size, 1), flags)
        first.setdefault(style, alike[0])
        weight[style] = weight.get(style, 0) + sum([len(span["text"].strip()) for span in alike])
    return first[max(weight, key=weight.__getitem__)]


@lru_cache(maxsize=4096)
def style_of(font: str, flags: int) -> tuple[bool, bool]:
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


def turn_box(
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
