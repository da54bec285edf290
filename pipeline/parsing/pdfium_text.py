"""What PDFium says of a page's letters and images: runs of text with box, style and what hides them."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pypdfium2 import raw

from pipeline.parsing.lines import ImageBox, PageRead
from pipeline.parsing.page_text import LIGHT_CHANNEL, MIN_VISIBLE_SIZE, Fragment, clean_text, style_of, turn_box

MAX_CHARS = 200_000  # characters of one page that are taken; a full page of small print has 10,000
GAP_EMS = 1.0  # a gap wider than this parts two runs: PDFium joins what stands at one height, columns too
BOLD_WEIGHT = 600  # weight of a font from which it is bold (OpenType usWeightClass: 600 is semi-bold)
_FINE = 100  # steps a point when PDFium turns coordinates, which it gives as whole numbers


def read_runs(page: Any, result: PageRead) -> Iterator[Fragment]:
    """The page's runs of letters: one line, one angle, no wide gap, hidden and visible ones apart."""
    text_page = page.get_textpage()
    run: list[_Letter] = []
    pending = ""
    for at in range(min(text_page.count_chars(), MAX_CHARS)):
        character = _character(raw.FPDFText_GetUnicode(text_page, at))
        if character in "\r\n" or raw.FPDFText_IsGenerated(text_page, at) == 1:
            pending = character
            continue
        letter = _read_letter(page, text_page, at, character, result)
        if run and (pending in ("\r", "\n") or not _goes_on(run[-1], letter)):
            yield from _make_run(run, result)
            run = []
        elif run and pending:
            run[-1].text += pending
        pending = ""
        run.append(letter)
    yield from _make_run(run, result)


def list_images(page: Any, result: PageRead) -> list[ImageBox]:
    """Images with their boxes on the displayed page, from its top down."""
    images = []
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = item.get_bounds()
        (x0, y0), (x1, y1) = _display(page, left, bottom, result), _display(page, right, top, result)
        width, height = item.get_px_size()
        images.append(ImageBox(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), width, height))
    return sorted(images, key=lambda i: (i.y0, i.x0, i.y1, i.x1, i.width_px, i.height_px))


@dataclass(slots=True)
class _Letter:
    """One character as PDFium places it: box in points of the displayed page, top down."""

    text: str
    box: tuple[float, float, float, float]
    font: str
    size: float
    is_bold: bool
    angle: int
    hidden: str


def _character(code: int) -> str:
    """The character of a code point; what is none becomes U+FFFD."""
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


def _read_letter(page: Any, text_page: Any, at: int, character: str, result: PageRead) -> _Letter:
    rect = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(text_page, at, rect)
    corners = [_display(page, x, y, result) for x, y in ((rect.left, rect.bottom), (rect.right, rect.top))]
    (x0, y0), (x1, y1) = corners
    flags = ctypes.c_int()
    name = ctypes.create_string_buffer(256)
    raw.FPDFText_GetFontInfo(text_page, at, name, 256, flags)
    angle = round(math.degrees(raw.FPDFText_GetCharAngle(text_page, at)))
    return _Letter(
        text=character,
        box=(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)),
        font=name.value.decode("utf-8", errors="replace"),
        size=_size(text_page, at),
        is_bold=raw.FPDFText_GetFontWeight(text_page, at) >= BOLD_WEIGHT,
        angle=(result.rotation - angle) % 360,
        hidden=_hidden_kind(text_page, at),
    )


def _size(text_page: Any, at: int) -> float:
    """Font size as painted, in points: what the font is set to, times the height that the text's matrix gives it."""
    matrix = raw.FS_MATRIX()
    told = raw.FPDFText_GetMatrix(text_page, at, matrix)
    size = float(raw.FPDFText_GetFontSize(text_page, at))
    return size * math.hypot(matrix.c, matrix.d) if told else size


def _display(page: Any, x: float, y: float, result: PageRead) -> tuple[float, float]:
    """A place of the file's coordinates on the displayed page, in points from its top left."""
    across, down = ctypes.c_int(), ctypes.c_int()
    width, height = round(result.width * _FINE), round(result.height * _FINE)
    raw.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, across, down)
    return across.value / _FINE, down.value / _FINE


def _hidden_kind(text_page: Any, at: int) -> str:
    """As in `page_text`: 'invisible', 'light', or '' for what is painted."""
    item = raw.FPDFText_GetTextObject(text_page, at)
    mode = raw.FPDFTextObj_GetTextRenderMode(item) if item else raw.FPDF_TEXTRENDERMODE_FILL
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    told = raw.FPDFText_GetFillColor(text_page, at, red, green, blue, alpha)
    if mode in (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP) or (told and alpha.value == 0):
        return "invisible"
    return "light" if told and min(red.value, green.value, blue.value) >= LIGHT_CHANNEL else ""


def _goes_on(before: _Letter, letter: _Letter) -> bool:
    if before.angle != letter.angle or before.hidden != letter.hidden:
        return False
    size = max(before.size, letter.size, 1.0)
    across = max(letter.box[0] - before.box[2], before.box[0] - letter.box[2])
    down = max(letter.box[1] - before.box[3], before.box[1] - letter.box[3])
    return max(across, down) <= GAP_EMS * size


def _make_run(run: Sequence[_Letter], result: PageRead) -> Iterator[Fragment]:
    text = clean_text("".join(letter.text for letter in run))
    if not text:
        return
    lefts, tops, rights, bottoms = zip(*(letter.box for letter in run if letter.text.strip()), strict=True)
    box = (min(lefts), min(tops), max(rights), max(bottoms))
    main = max(run, key=lambda letter: sum(other.font == letter.font for other in run)) if len(run) < 500 else run[0]
    bold, italic = style_of(main.font, 0)
    hidden = main.hidden
    if box[2] <= 0 or box[3] <= 0 or box[0] >= result.width or box[1] >= result.height:
        hidden = "off-page"
    elif not hidden and main.size < MIN_VISIBLE_SIZE:
        hidden = "tiny"
    flat = turn_box(box, main.angle, result.width, result.height)
    yield Fragment(text, box, flat, main.font, main.size, bold or main.is_bold, italic, main.angle, hidden)
