"""A picture file as a PDF, so that lines can be marked on it as on any page."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from PIL import Image, ImageOps

from pipeline.mupdf import pymupdf
from schemas.errors import DamagedDocumentError

MAX_PIXELS = 40_000_000  # pixels kept of a picture: an A4 page at 600 dots an inch has 35 million
DEFLATE_LEVEL = 6  # of the PNG inside: the usual one


def pictures_to_pdf(data: bytes, sizes: Sequence[tuple[float, float]], *, name: str) -> bytes:
    """The pictures of an image file as pages of `sizes` (width and height in points), upright as a camera held them.

    A page whose picture cannot be read stays blank. The same bytes give the same PDF.

    Raises DamagedDocumentError where the file cannot be opened at all.
    """
    try:
        image = Image.open(BytesIO(data))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise DamagedDocumentError(f"{name}: the picture cannot be opened ({error}); hand over the original") from error
    with image, pymupdf.open() as document:
        for number, (width, height) in enumerate(sizes):
            page = document.new_page(width=max(width, 1.0), height=max(height, 1.0))
            picture = _read(image, number)
            if picture is not None:
                page.insert_image(page.rect, stream=picture, keep_proportion=False)
        made: bytes = document.tobytes(garbage=1, deflate=True, no_new_id=True)
        return made


def _read(image: Image.Image, number: int) -> bytes | None:
    """Frame `number` (from 0) as a PNG, None where it cannot be read."""
    try:
        image.seek(number)
        upright = ImageOps.exif_transpose(image)
        if upright.width * upright.height > MAX_PIXELS:
            return None
        sink = BytesIO()
        upright.convert("RGB").save(sink, "PNG", compress_level=DEFLATE_LEVEL)
    except (OSError, ValueError, EOFError, SyntaxError):
        return None
    return sink.getvalue()
