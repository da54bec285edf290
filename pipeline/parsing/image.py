"""The reader of image files (PNG, JPEG, TIFF of many pages, BMP, GIF, WEBP, JPEG 2000): a picture is a scanned page."""

from __future__ import annotations

import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from PIL import Image, ImageOps, UnidentifiedImageError
from PIL import __version__ as pillow_version

from pipeline.parsing.lines import ImageBox, PageRead
from pipeline.parsing.ocr.raster import MAX_SOURCE_PIXELS, POINTS_PER_INCH, Raster, paint_image
from pipeline.parsing.ocr.recognise import recognise_pages
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.reading import Finding, Metadata, Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from schemas.errors import DamagedDocumentError, LimitExceededError

FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "GIF", "WEBP", "JPEG2000")  # no others are opened: each is a decoder
PAGED_FORMATS = ("TIFF",)  # of the others, further pictures are an animation or a preview
DEFAULT_DPI = 96  # of a picture that names none: a screen's, as MuPDF and browsers have it
MIN_DPI, MAX_DPI = 72, 4800  # what lies outside is no resolution of a scan; MuPDF takes the lower then
_ERRORS = (
    OSError,
    ValueError,
    struct.error,
    SyntaxError,
    EOFError,
    KeyError,
    IndexError,
    TypeError,
    MemoryError,
    OverflowError,
)


def read_image(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:  # noqa: ARG001
    """The picture, or each of a TIFF, as a page whose words were recognised where an engine is installed.

    Raises DamagedDocumentError or LimitExceededError.
    """
    with _opened(source) as image:
        count, fault = _count_pictures(image, settings.max_pages + 1)
        reading = Reading("image", "page", [], has_layout=True)
        reading.libraries = {"pillow": pillow_version}
        reading.metadata = _describe(image)
        if count > 1 and image.format not in PAGED_FORMATS:
            reading.findings.append(Finding("page", f"The file holds {count:,} pictures; only the first was read."))
            count = 1
        if fault:
            reading.findings.append(Finding("damage", f"After picture {count:,} the file is damaged: {fault}."))
        if count > settings.max_pages:
            raise LimitExceededError(
                f"{source.name}: {count:,} pages or more, the limit is {settings.max_pages:,} (settings.max_pages); "
                "split the file, or raise the limit"
            )
        wanted = None if settings.pages is None else set(settings.pages)
        for page_num in range(1, count + 1):
            if wanted is not None and page_num not in wanted:
                reading.pages.append(PageRead(page_num, "unreadable", "Not read: the settings ask for other pages."))
            else:
                reading.pages.append(_read_frame(image, page_num))
        reading.libraries |= recognise_pages(
            lambda page: _paint(image, page), reading.pages, settings, sha256=source.sha256
        )
    return reading


@contextmanager
def _opened(source: Source) -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of odd metadata and of size, which is checked here
        try:
            Image.init()  # registers the decoders of FORMATS
            image = Image.open(BytesIO(source.data), formats=FORMATS)
        except Image.DecompressionBombError as error:
            raise LimitExceededError(
                f"{source.name}: a picture of more pixels than are read, the limit is {MAX_SOURCE_PIXELS:,}; "
                "save it smaller"
            ) from error
        except (UnidentifiedImageError, *_ERRORS) as error:
            raise DamagedDocumentError(
                f"{source.name}: the picture is damaged and cannot be opened ({_words(error)}); save it anew"
            ) from error
        with image:
            yield image


def _count_pictures(image: Any, most: int) -> tuple[int, str]:
    """How many pictures can be reached, `most` at most, and what keeps from those behind them, '' at the end."""
    for number in range(1, most):
        try:
            image.seek(number)
        except EOFError:
            return number, ""
        except _ERRORS as error:
            return number, _words(error)
    return most, ""


def _read_frame(image: Any, page_num: int) -> PageRead:
    """A page without text yet: its size, and the picture that covers it."""
    page = PageRead(page_num, method="pillow")
    try:
        image.seek(page_num - 1)
        across, down = _size(image)
    except _ERRORS as error:
        page.reason = f"The picture could not be read: {_words(error)}."
        return page
    across_dpi, down_dpi = _resolution(image)
    page.width, page.height = across * POINTS_PER_INCH / across_dpi, down * POINTS_PER_INCH / down_dpi
    page.images = [ImageBox(0.0, 0.0, page.width, page.height, across, down)]
    page.coverage, page.needs_ocr = 1.0, True
    page.status, page.reason = "scanned", "A picture: the page has to be recognised."
    return page


def _paint(image: Any, page: PageRead) -> Raster:
    """The frame upright, as a camera says it was held. Raises ValueError."""
    try:
        image.seek(page.page_num - 1)
        return paint_image(ImageOps.exif_transpose(image), page.width, page.height)
    except _ERRORS as error:
        raise ValueError(_words(error)) from error  # what a page may fail with


def _size(image: Any) -> tuple[int, int]:
    """Width and height in pixels, upright."""
    width, height = image.size
    return (height, width) if _is_turned(image) else (width, height)


def _resolution(image: Any) -> tuple[float, float]:
    """Dots an inch across and down, upright."""
    named = image.info.get("dpi", (0, 0))
    if image.format == "TIFF" and image.tag_v2.get(_RESOLUTION_UNIT) == 1:
        named = (0, 0)  # no unit: a ratio of the sides
    across, down = (_sane(float(value)) for value in named)
    return (down, across) if _is_turned(image) else (across, down)


def _sane(dpi: float) -> float:
    if not dpi >= 1:  # none, or not a number
        return DEFAULT_DPI
    return dpi if MIN_DPI <= dpi <= MAX_DPI else MIN_DPI


def _is_turned(image: Any) -> bool:
    return image.getexif().get(_ORIENTATION, 1) in (5, 6, 7, 8)  # EXIF 2.3: width and height change places


def _describe(image: Any) -> Metadata:
    try:
        tags = dict(image.getexif())
    except _ERRORS:
        tags = {}  # torn tags: what they said decides nothing

    def read(tag: int) -> str | None:
        value = tags.get(tag)
        return (clean_text(value.strip("\0")) or None) if isinstance(value, str) else None

    return Metadata(
        title=read(_DOCUMENT_NAME), author=read(_ARTIST), creator=read(_SOFTWARE), created=read(_DATE_TIME),
        format_version=image.format,
    )  # fmt: skip


_ORIENTATION, _RESOLUTION_UNIT = 0x0112, 0x0128  # tags of TIFF 6.0, which EXIF took over
_DOCUMENT_NAME, _SOFTWARE, _DATE_TIME, _ARTIST = 0x010D, 0x0131, 0x0132, 0x013B


def _words(error: BaseException) -> str:
    return "".join(c for c in (str(error).strip().splitlines() or [type(error).__name__])[0] if c.isprintable())[:200]
