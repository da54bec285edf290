"""Which lines a person does not see: asked of the painted page itself wherever the text alone does not tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.mupdf import pymupdf
from pipeline.parsing.lines import ImageBox, Line

REASONS = {
    "invisible": "painted with nothing (render mode 3) and no image behind it",
    "tiny": "smaller than 2 points",
    "light": "its colour cannot be told from its background (white on white)",
    "off-page": "outside the page",
}
MIN_CONTRAST = (
    24  # 0-255, difference of the brightest and darkest pixel below which nothing can be read (about 1.2 : 1)
)
MIN_LAYER_OVERLAP = 0.5  # share of an unpainted line over an image, from which it is the text layer of a scan
RENDER_ZOOM = 2.0  # 144 dots an inch: small print keeps its strokes
MAX_RENDER_PIXELS = 8_000_000  # pixels of the painted page: an A3 sheet at 144 dots an inch
MAX_IMAGE_PIXELS = 50_000_000  # pixels of an image on the page up to which painting it is affordable


def hide_unseen(page: Any, lines: Sequence[Line], images: Sequence[ImageBox]) -> bool:
    """Write into each line why it cannot be seen; True where the page has the text layer of a scan.

    An unpainted line over an image is the text layer of a scan: its letters are seen in the image.
    """
    has_layer = False
    light = []
    for line in lines:
        if line.hidden == "invisible" and _overlap(line, images) >= MIN_LAYER_OVERLAP:
            line.hidden = ""
            has_layer = True
        elif line.hidden == "light":
            light.append(line)
    if light:
        _show_readable(page, light, images)
    for line in lines:
        line.hidden = REASONS.get(line.hidden, line.hidden)
    return has_layer


def _overlap(line: Line, images: Sequence[ImageBox]) -> float:
    area = max((line.x1 - line.x0) * (line.y1 - line.y0), 1e-6)
    shares = [
        max(0.0, min(line.x1, i.x1) - max(line.x0, i.x0)) * max(0.0, min(line.y1, i.y1) - max(line.y0, i.y0)) / area
        for i in images
    ]
    return max(shares, default=0.0)


def _show_readable(page: Any, lines: Sequence[Line], images: Sequence[ImageBox]) -> None:
    """Take the mark from light lines whose place on the painted page shows any contrast.

    Where painting would cost too much, light text over an image counts as seen, other light text as not.
    """
    if any(image.width_px * image.height_px > MAX_IMAGE_PIXELS for image in images):
        for line in lines:
            line.hidden = "" if _overlap(line, images) >= MIN_LAYER_OVERLAP else line.hidden
        return
    zoom = min(RENDER_ZOOM, math.sqrt(MAX_RENDER_PIXELS / max(page.rect.width * page.rect.height, 1.0)))
    painted = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY)
    pixels = np.frombuffer(painted.samples, dtype=np.uint8).reshape(painted.height, painted.stride)[:, : painted.width]
    for line in lines:
        top, bottom = max(0, math.floor(line.y0 * zoom)), math.ceil(line.y1 * zoom)
        left, right = max(0, math.floor(line.x0 * zoom)), math.ceil(line.x1 * zoom)
        place = pixels[top:bottom, left:right]
        if place.size and int(place.max()) - int(place.min()) >= MIN_CONTRAST:
            line.hidden = ""
