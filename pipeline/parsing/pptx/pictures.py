"""Pictures on a slide: their boxes, and how much of the slide they cover."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.parsing.lines import ImageBox, PageRead, area_share
from pipeline.parsing.ooxml import Package
from pipeline.parsing.pptx.frames import embedded_picture
from pipeline.parsing.pptx.names import A, P
from pipeline.parsing.pptx.shapes import Shape

HEADER_BYTES = 65_536  # bytes in which the size of a JPEG stands, behind its profiles
SCAN_COVERAGE = 0.80  # share of the slide under one picture, from which it is a picture of the slide (as on PDF pages)
MIN_SCAN_CHARS = 100  # characters; fewer over such a picture are a title or a stamp (the same)
MIXED_COVERAGE = 0.30  # share under pictures, from which a short text may not be all that stands there (the same)
MIXED_MAX_CHARS = 400  # characters up to which a text is short for a page (the same)


def place_pictures(package: Package, slide_part: str, shapes: Sequence[Shape], page: PageRead) -> list[ImageBox]:
    """The pictures that are seen on the slide, from its top down; sizes in pixels are 0 where they are not told."""
    found = []
    relations = package.relations(slide_part)
    for shape in shapes:
        about = shape.element.find(f"{P}spPr/{A}blipFill") if shape.kind == "sp" else None
        holder = shape.element if shape.kind == "pic" else about
        if holder is None or shape.box is None or shape.hidden:
            continue
        x0, y0 = max(shape.box[0], 0.0), max(shape.box[1], 0.0)
        x1, y1 = min(shape.box[2], page.width), min(shape.box[3], page.height)
        if x1 <= x0 or y1 <= y0:
            continue
        relation = relations.get(embedded_picture(holder))
        inside = relation is not None and not relation.external and package.has(relation.target)
        size = read_size(package.read(relation.target)[:HEADER_BYTES]) if relation is not None and inside else (0, 0)
        found.append(ImageBox(x0, y0, x1, y1, *size))
    return sorted(found, key=lambda i: (i.y0, i.x0, i.y1, i.x1, i.width_px, i.height_px))


def judge_slide(page: PageRead, chars: int) -> tuple[str, str]:
    """Status of a slide and why: its text against the pictures on it."""
    share = f"{page.coverage:.0%} of the slide"
    full = max((area_share(image, page) for image in page.images), default=0.0) >= SCAN_COVERAGE
    if chars == 0 and page.images:
        return "scanned", f"No text; pictures cover {share}: the slide has to be recognised."
    if chars == 0:
        return "empty", "Neither text nor picture."
    if full and chars < MIN_SCAN_CHARS:
        return "mixed", f"A picture of the whole slide with {chars} characters of text: words in it were not read."
    if full or (page.coverage >= MIXED_COVERAGE and chars < MIXED_MAX_CHARS):
        return "mixed", f"Text of {chars:,} characters beside pictures on {share}: words in them were not read."
    return "native", "Text as characters."


def read_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels by the head of a PNG, GIF, BMP or JPEG file; (0, 0) for other kinds."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data.startswith(b"GIF8"):
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    if data.startswith(b"BM"):
        height = int.from_bytes(data[22:26], "little", signed=True)
        return abs(int.from_bytes(data[18:22], "little", signed=True)), abs(height)
    if data.startswith(b"\xff\xd8"):
        return _read_jpeg(data)
    return 0, 0


def _read_jpeg(data: bytes) -> tuple[int, int]:
    """From the frame header (SOF, ITU-T T.81 B.2.2), segment by segment."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + max(length, 2)
    return 0, 0
