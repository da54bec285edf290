"""Pages of a document as small pictures: greys where a page has no colour, what packs smallest where it has."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

from schemas.document import ParsedDocument
from schemas.errors import DocumentError, EncryptedDocumentError

if TYPE_CHECKING:
    from PIL import Image

DPI = 110  # dots an inch: 10-point print stays readable on a desk, a letter page has 935 by 1,210 dots
MAX_SIDE = 1_600  # dots of a picture's longer side: a drawing of A0 must not fill the page
MAX_PICTURES = 12  # pages drawn: an answer that cites more is read in highlighted.pdf
MAX_BYTES = 4_000_000  # of all pictures together, so that the page can be mailed
GREYS, COLOURS = 16, 64  # tones kept of print: more are not told apart on a screen
QUALITY = 62  # of a JPEG, where print stays sharp and a photograph a tenth of its size
MAX_TINT = 2.0  # mean difference of a dot's channels, of 255, up to which a page counts as grey

Why = Literal["why_password", "why_damaged"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as displayed: its size in points, and its picture as a `data:` address."""

    page_num: int
    width: float
    height: float
    address: str


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pages drawn, in the order wanted; those left out to keep within the limits; why none could be drawn."""

    drawn: tuple[Picture, ...] = ()
    left_out: tuple[int, ...] = ()
    why: Why | None = None


def draw_pages(data: bytes, document: ParsedDocument, wanted: Sequence[int], *, password: str | None) -> Pictures:
    """Pictures of the pages `wanted` (from 1, most wanted first) of a PDF or picture file.

    A page that the file has not, or that cannot be drawn, is among those left out. The same bytes give the same
    pictures with the same libraries.
    """
    from pipeline.mupdf import open_pdf, pymupdf
    from pipeline.pictures import pictures_to_pdf

    drawn: list[Picture] = []
    left_out: list[int] = []
    room = MAX_BYTES
    try:
        if document.format == "image":
            sizes = list(zip(document.page_df["width"].tolist(), document.page_df["height"].tolist(), strict=True))
            data = pictures_to_pdf(data, sizes, name=document.source_name)
        with open_pdf(data, name=document.source_name, password=password) as opened:
            for page_num in wanted:
                if len(drawn) == MAX_PICTURES or not 1 <= page_num <= opened.page_count:
                    left_out.append(page_num)
                    continue
                try:
                    picture = _draw(opened[page_num - 1], page_num)
                except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
                    left_out.append(page_num)
                    continue
                if len(picture.address) > room:
                    left_out.append(page_num)
                    continue
                room -= len(picture.address)
                drawn.append(picture)
    except EncryptedDocumentError:
        return Pictures(why="why_password")
    except DocumentError:
        return Pictures(why="why_damaged")
    return Pictures(tuple(drawn), tuple(sorted(left_out)))


def _draw(page: Any, page_num: int) -> Picture:
    from PIL import Image

    width, height = float(page.rect.width), float(page.rect.height)
    dots = min(DPI, MAX_SIDE * 72 / max(width, height, 1.0))
    pixels = page.get_pixmap(dpi=max(int(dots), 1), alpha=False, annots=True)
    image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    kind, packed = min(_packed(image), key=lambda one: len(one[1]))
    return Picture(page_num, width, height, f"data:image/{kind};base64,{base64.b64encode(packed).decode()}")


def _packed(image: Image.Image) -> list[tuple[str, bytes]]:
    """The picture packed as PNG with few tones and as JPEG."""
    from PIL import ImageChops, ImageStat

    red, green, blue = image.split()
    tint = sum(
        ImageStat.Stat(ImageChops.difference(one, other)).mean[0] for one, other in ((red, green), (green, blue))
    )
    plain = image.convert("L") if tint <= MAX_TINT else image
    few = plain.quantize(GREYS) if plain.mode == "L" else plain.quantize(COLOURS)
    png, jpeg = BytesIO(), BytesIO()
    few.save(png, "PNG", optimize=True)
    plain.save(jpeg, "JPEG", quality=QUALITY, optimize=True)
    return [("png", png.getvalue()), ("jpeg", jpeg.getvalue())]
