"""Which text a person does not see: told by paint order and colours, or asked of the painted page.

Nothing is painted for a page without suspects: no light colour, nothing drawn over a word, no word on its own colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.mupdf import pymupdf
from pipeline.parsing.lines import ImageBox
from pipeline.parsing.page_text import Fragment

MIN_CONTRAST = 24  # 0-255, difference of two colours' channels below which nothing can be read (about 1.2 : 1)
MIN_BACKGROUND = 0.25  # share of a word's box that must differ from its colour; letters fill a tenth to a half of it
MIN_INK = 0.01  # share of a word's box that shows its colour, from which its letters are seen
MIN_LAYER_OVERLAP = 0.5  # share of an unpainted line over an image, from which it is the text layer of a scan
MIN_COVER = 0.9  # share of a line's box under what was painted later, from which it may be covered
MIN_COVER_SIDE = 4.0  # points; what is thinner is a rule, and covers nothing
RENDER_ZOOM = 2.0  # 144 dots an inch: small print keeps its strokes
MAX_RENDER_PIXELS = 8_000_000  # pixels of the painted page: an A3 sheet at 144 dots an inch
MAX_IMAGE_PIXELS = 50_000_000  # pixels of an image on the page up to which painting it is affordable
SCAN_SHARE = 0.8  # share of the page under images, from which they are a scan and words below them its text layer
MAX_COVERS = 2_000  # opaque boxes of a page that are compared with its words; a chart or map has more

SUSPECT = ("light", "faint", "same", "covered")  # hidden unless the painted page shows them

Boxes = NDArray[np.float64]
Pixels = NDArray[np.int16]


def hide_unseen(
    page: Any, blocks: Sequence[dict[str, Any]], fragments: Sequence[Fragment], images: Sequence[ImageBox]
) -> bool:
    """Write into each fragment what hides it, a key of `HIDDEN_REASONS`; True for a page with the text layer of a scan.

    An unpainted line over an image is the text layer of a scan: its letters are seen in the image.
    """
    has_layer = False
    if images:
        for fragment in fragments:
            if fragment.hidden == "invisible" and _overlap(fragment.box, images) >= MIN_LAYER_OVERLAP:
                fragment.hidden = ""
                has_layer = True
    grounds = _compare_with_covers(fragments, _list_covers(page, blocks))
    if grounds:
        for fragment in fragments:
            ground = grounds.get(id(fragment))
            if fragment.hidden == "light" and ground is not None and _differ(fragment.color, ground) >= MIN_CONTRAST:
                fragment.hidden = ""  # light words on a dark box: no need to paint the page
    suspects = [f for f in fragments if f.hidden in SUSPECT]
    if images and not has_layer:
        suspects += _cover_by_images(page, fragments, images)
    if suspects:
        _show_readable(page, suspects, fragments, images)
    return has_layer


def _overlap(box: tuple[float, float, float, float], images: Sequence[ImageBox]) -> float:
    """Share of the box under the image that covers most of it, 0-1."""
    area = max((box[2] - box[0]) * (box[3] - box[1]), 1e-6)
    shares = [
        max(0.0, min(box[2], i.x1) - max(box[0], i.x0)) * max(0.0, min(box[3], i.y1) - max(box[1], i.y0)) / area
        for i in images
    ]
    return max(shares, default=0.0)


def _list_covers(page: Any, blocks: Sequence[dict[str, Any]]) -> list[tuple[int, int, tuple[float, ...]]]:
    """Place in the order of painting, colour and box of each opaque filled box of the page."""
    covers = []
    boxes = [(number, block) for number, block in enumerate(blocks) if block["type"] == 3]
    matrix = page.rotation_matrix if boxes and page.rotation else None
    for number, block in boxes:
        if block["isrect"] and not block["stroked"] and block["alpha"] == 255:
            box = block["bbox"]
            if min(box[2] - box[0], box[3] - box[1]) >= MIN_COVER_SIDE:
                box = box if matrix is None else tuple(pymupdf.Rect(box) * matrix)
                covers.append((number, int(block["color"]), box))
    return covers[-MAX_COVERS:]


def _compare_with_covers(
    fragments: Sequence[Fragment], covers: Sequence[tuple[int, int, tuple[float, ...]]]
) -> dict[int, int]:
    """Mark fragments under a later box, or on an earlier one of their own colour; gives the colour each stands on."""
    seen = [f for f in fragments if f.hidden in ("", "light")]
    if not covers or not seen:
        return {}
    texts: Boxes = np.array([f.box for f in seen], dtype=np.float64)
    boxes: Boxes = np.array([box for _, _, box in covers], dtype=np.float64)
    wide = np.minimum(texts[:, None, 2], boxes[None, :, 2]) - np.maximum(texts[:, None, 0], boxes[None, :, 0])
    high = np.minimum(texts[:, None, 3], boxes[None, :, 3]) - np.maximum(texts[:, None, 1], boxes[None, :, 1])
    areas = np.maximum((texts[:, 2] - texts[:, 0]) * (texts[:, 3] - texts[:, 1]), 1e-6)
    inside = np.clip(wide, 0, None) * np.clip(high, 0, None) >= MIN_COVER * areas[:, None]
    numbers = np.array([number for number, _, _ in covers])
    later = inside & (numbers[None, :] > np.array([f.block for f in seen])[:, None])
    under = inside & ~later
    last = np.where(under.any(axis=1), under.shape[1] - 1 - np.argmax(under[:, ::-1], axis=1), -1)
    grounds: dict[int, int] = {}
    for fragment, is_covered, ground in zip(seen, later.any(axis=1).tolist(), last.tolist(), strict=True):
        if ground >= 0:
            grounds[id(fragment)] = covers[ground][1]
            if _differ(fragment.color, covers[ground][1]) < MIN_CONTRAST:
                fragment.hidden = "same"
        if is_covered:
            fragment.hidden = "covered"
    return grounds


def _cover_by_images(page: Any, fragments: Sequence[Fragment], images: Sequence[ImageBox]) -> list[Fragment]:
    """Mark fragments that an image painted later covers; gives those over which the image may be transparent.

    Where images make up the page it is a scan, and words below them are its text layer.
    """
    whole = SCAN_SHARE * page.rect.width * page.rect.height
    if sum((i.x1 - i.x0) * (i.y1 - i.y0) for i in images) >= whole:
        return []
    under = [f for f in fragments if not f.hidden and _overlap(f.box, images) >= MIN_COVER]
    if not under:
        return []
    matrix = page.rotation_matrix if page.rotation else pymupdf.Identity
    log = [(kind, pymupdf.Rect(box) * matrix) for kind, box, *_ in page.get_bboxlog()]
    opaque = [pymupdf.Rect(info["bbox"]) * matrix for info in page.get_image_info(xrefs=True) if _is_opaque(page, info)]
    doubtful = []
    for fragment in under:
        middle = pymupdf.Point((fragment.box[0] + fragment.box[2]) / 2, (fragment.box[1] + fragment.box[3]) / 2)
        texts = [at for at, (kind, box) in enumerate(log) if kind.endswith("-text") and middle in box]
        covers = [at for at, (kind, box) in enumerate(log) if kind == "fill-image" and _holds(box, fragment.box)]
        if texts and covers and texts[-1] < covers[-1]:
            fragment.hidden = "image"
            if not any(_holds(box, fragment.box) for box in opaque):
                doubtful.append(fragment)
    return doubtful


def _is_opaque(page: Any, info: dict[str, Any]) -> bool:
    """The image has no mask that lets the page below shine through."""
    xref = info["xref"]
    return not xref or all(page.parent.xref_get_key(xref, key)[0] == "null" for key in ("SMask", "Mask"))


def _holds(box: Any, inner: tuple[float, float, float, float]) -> bool:
    area = max((inner[2] - inner[0]) * (inner[3] - inner[1]), 1e-6)
    wide = min(box.x1, inner[2]) - max(box.x0, inner[0])
    high = min(box.y1, inner[3]) - max(box.y0, inner[1])
    return bool(wide > 0 and high > 0 and wide * high >= MIN_COVER * area)


def _show_readable(
    page: Any, suspects: Sequence[Fragment], fragments: Sequence[Fragment], images: Sequence[ImageBox]
) -> None:
    """Take the mark from fragments that can be read on the painted page.

    Where painting would cost too much, light text over an image counts as seen, other suspects as not.
    """
    if any(image.width_px * image.height_px > MAX_IMAGE_PIXELS for image in images):
        for fragment in suspects:
            seen = fragment.hidden == "light" and _overlap(fragment.box, images) >= MIN_LAYER_OVERLAP
            fragment.hidden = "" if seen else fragment.hidden
        return
    zoom = min(RENDER_ZOOM, math.sqrt(MAX_RENDER_PIXELS / max(page.rect.width * page.rect.height, 1.0)))
    painted = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csRGB, annots=False)
    rows = np.frombuffer(painted.samples, dtype=np.uint8).reshape(painted.height, painted.stride)
    pixels = rows[:, : painted.width * 3].reshape(painted.height, painted.width, 3).astype(np.int16)
    for fragment in suspects:
        if _is_read(pixels, zoom, fragment, fragments):
            fragment.hidden = ""


def _is_read(pixels: Pixels, zoom: float, fragment: Fragment, fragments: Sequence[Fragment]) -> bool:
    """The place of the fragment shows its colour on another one."""
    place = _cut(pixels, zoom, fragment.box)
    if not place.size:
        return False
    if fragment.hidden == "faint":
        return int((place.max(axis=(0, 1)) - place.min(axis=(0, 1))).max()) >= MIN_CONTRAST
    color = np.array([fragment.color >> 16 & 255, fragment.color >> 8 & 255, fragment.color & 255], dtype=np.int16)
    inked = place.reshape(-1, 3)
    if fragment.hidden in ("covered", "image"):
        inked = place[_free_of_others(place.shape[:2], zoom, fragment, fragments)]
    far = inked[np.abs(inked - color).max(axis=1) >= MIN_CONTRAST] if inked.size else inked
    if not inked.size or len(far) < MIN_BACKGROUND * len(inked):
        return False
    ground = np.median(far, axis=0)
    # Thin strokes are blended with their background: what counts is that some pixels tend to the words' colour.
    near = np.abs(inked - color).sum(axis=1) <= np.abs(ground - color).sum() - MIN_CONTRAST
    return float(near.mean()) >= MIN_INK


def _free_of_others(
    shape: tuple[int, ...], zoom: float, fragment: Fragment, fragments: Sequence[Fragment]
) -> NDArray[np.bool_]:
    """The pixels of a fragment's place that no later words take: words on a cover are no sign of those below it."""
    free = np.ones(shape, dtype=np.bool_)
    left, top = max(fragment.box[0], 0.0), max(fragment.box[1], 0.0)
    for other in fragments:
        if other.block > fragment.block and _touch(other.box, fragment.box):
            x0, x1 = (max(0, math.floor((x - left) * zoom)) for x in (other.box[0], other.box[2] + 1.0))
            y0, y1 = (max(0, math.floor((y - top) * zoom)) for y in (other.box[1], other.box[3] + 1.0))
            free[y0:y1, x0:x1] = False
    return free


def _cut(pixels: Pixels, zoom: float, box: tuple[float, float, float, float]) -> Pixels:
    top, bottom = max(0, math.floor(box[1] * zoom)), max(0, math.ceil(box[3] * zoom))
    left, right = max(0, math.floor(box[0] * zoom)), max(0, math.ceil(box[2] * zoom))
    return pixels[top:bottom, left:right]


def _touch(one: tuple[float, float, float, float], two: tuple[float, float, float, float]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _differ(one: int, two: int) -> int:
    """Largest difference of the channels of two colours 0xRRGGBB, 0-255."""
    return max(abs((one >> shift & 255) - (two >> shift & 255)) for shift in (16, 8, 0))
