"""Pictures of pages: painted, turned, straightened, and told from blank ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.mupdf import pymupdf
from pipeline.parsing.ocr.engine import Box, Pixels

POINTS_PER_INCH = 72
DPI = 300  # dots an inch that tesseract's models were trained for
MAX_PIXELS = 17_500_000  # of a painted page: A3 at 300 dots an inch; larger sheets are painted coarser
MAX_SOURCE_PIXELS = 200_000_000  # of an image in the file: MuPDF unpacks it in full, a byte or more a pixel
MIN_DPI = 50  # below it no print of ordinary size can be read

SKEW_STEP = 0.25  # degrees between two angles tried
MAX_SKEW = 15.0  # degrees; sheets in a feeder turn less, what is turned more is meant to be
MIN_SKEW = 0.75  # degrees from which straightening pays; tesseract follows less on its own
SKEW_DPI = 75  # dots an inch on which the angle is looked for
MIN_SKEW_GAIN = 1.10  # sharpness of the rows over that of the picture as it is, below which an angle is chance
MIN_SKEW_INK = 500  # dark dots at SKEW_DPI below which there are no rows to look at

INK_CONTRAST = 60  # 0-255, how much darker than the paper ink is; faint pencil shows some 80
MAX_BLANK_INK = 0.0001  # share of dark dots of a blank sheet; one word of ten-point print has twice as many
BLANK_MARGIN = 0.02  # share of each side that is not looked at: shadows of the lid, punched holes; print keeps off it
SPECKLE_STEP = 4  # pixels a side that are averaged first, so that dust does not count as ink


@dataclass(frozen=True, slots=True)
class Raster:
    """A page painted in shades of gray, upright as displayed; `zoom` is pixels a point."""

    pixels: Pixels
    zoom: float

    @property
    def dpi(self) -> int:
        """Dots an inch, rounded."""
        return max(1, round(self.zoom * POINTS_PER_INCH))


def paint_page(page: Any) -> Raster:
    """The displayed page at 300 dots an inch, or as many as the limit on pixels leaves."""
    zoom = choose_zoom(float(page.rect.width), float(page.rect.height))
    painted = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False)
    pixels = np.frombuffer(painted.samples, dtype=np.uint8).reshape(painted.height, painted.stride)
    return Raster(pixels[:, : painted.width].copy(), zoom)


def paint_image(image: Any, width: float, height: float) -> Raster:
    """A Pillow image shown `width` x `height` points large, as a raster of 300 dots an inch or as the limit allows.

    What is transparent is white, as on paper.
    """
    from PIL import Image

    zoom = choose_zoom(width, height)
    if image.mode.startswith("I") or image.mode == "F":  # sixteen bits a pixel
        image = Image.fromarray((np.asarray(image, dtype=np.float32) / 256).clip(0, 255).astype(np.uint8))
    elif image.has_transparency_data:
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA"))
    size = (max(1, round(width * zoom)), max(1, round(height * zoom)))
    gray = image.convert("L").resize(size, resample=Image.Resampling.BICUBIC)
    return Raster(np.array(gray, dtype=np.uint8), zoom)


def choose_zoom(width: float, height: float) -> float:
    """Pixels a point for a page of that size in points."""
    return min(DPI / POINTS_PER_INCH, math.sqrt(MAX_PIXELS / max(width * height, 1.0)))


def keep_areas(raster: Raster, areas: Sequence[Box], without: Sequence[Box]) -> Raster:
    """The raster with white paper outside `areas` and over `without`, both in points of the displayed page."""
    height, width = raster.pixels.shape
    kept = np.full_like(raster.pixels, 255)
    for box in areas:
        rows, columns = _cut(box, raster.zoom, height, width)
        kept[rows, columns] = raster.pixels[rows, columns]
    for box in without:
        rows, columns = _cut(box, raster.zoom, height, width)
        kept[rows, columns] = 255
    return Raster(kept, raster.zoom)


def is_blank(raster: Raster) -> bool:
    """No ink on the paper but dust: nothing on the sheet is darker than its surroundings."""
    height, width = raster.pixels.shape
    top, left = int(BLANK_MARGIN * height), int(BLANK_MARGIN * width)
    small = _shrink(raster.pixels[top : height - top, left : width - left], SPECKLE_STEP)
    if small.size == 0:
        return True
    paper = float(np.median(small))
    ink = np.abs(small - paper) >= INK_CONTRAST
    return float(ink.mean()) <= MAX_BLANK_INK


def find_skew(raster: Raster) -> float:
    """Degrees by which the rows of the picture run down to the right (negative: up); 0 where none stands out.

    The angle at which the dark dots, summed along it, make the sharpest rows (Postl, 1986).
    """
    step = max(1, raster.dpi // SKEW_DPI)
    small = _shrink(raster.pixels, step)
    rows, columns = np.nonzero(small < float(np.median(small)) - INK_CONTRAST)
    if len(rows) < MIN_SKEW_INK:
        return 0.0
    rows, columns = rows.astype(np.float32), columns.astype(np.float32)
    reach = math.ceil(small.shape[1] * math.tan(math.radians(MAX_SKEW))) + 1

    def sharpness(angle: float) -> float:
        sheared = (rows - columns * math.tan(math.radians(angle)) + reach).astype(np.int32)
        counts = np.bincount(sheared, minlength=1).astype(np.float64)
        return float(np.sum(np.diff(counts) ** 2))

    coarse = [at * 1.0 for at in range(-int(MAX_SKEW), int(MAX_SKEW) + 1)]
    best = max(coarse, key=lambda angle: (sharpness(angle), -abs(angle)))
    fine = [best + SKEW_STEP * at for at in range(-4, 5)]
    best = max(fine, key=lambda angle: (sharpness(angle), -abs(angle)))
    if abs(best) < MIN_SKEW or sharpness(best) < MIN_SKEW_GAIN * sharpness(0.0):
        return 0.0
    return best


def straighten(raster: Raster, angle: float) -> Raster:
    """The raster turned about its middle so that rows that ran down by `angle` degrees run level; it grows by that."""
    if not angle:
        return raster
    from PIL import Image

    turned = Image.fromarray(raster.pixels).rotate(
        angle, resample=Image.Resampling.BILINEAR, expand=True, fillcolor=int(np.median(raster.pixels))
    )
    return Raster(np.asarray(turned, dtype=np.uint8), raster.zoom)


def turn(raster: Raster, quarters: int) -> Raster:
    """The raster turned clockwise by quarter turns."""
    return Raster(np.ascontiguousarray(np.rot90(raster.pixels, -quarters)), raster.zoom) if quarters % 4 else raster


def _shrink(pixels: Pixels, step: int) -> npt.NDArray[np.float32]:
    """Means of squares of `step` pixels a side."""
    height, width = pixels.shape[0] // step * step, pixels.shape[1] // step * step
    squares = pixels[:height, :width].reshape(height // step, step, width // step, step)
    means: npt.NDArray[np.float32] = squares.mean(axis=(1, 3), dtype=np.float32)
    return means


def _cut(box: Box, zoom: float, height: int, width: int) -> tuple[slice, slice]:
    x0, y0, x1, y1 = box
    return (
        slice(min(height, max(0, math.floor(y0 * zoom))), min(height, max(0, math.ceil(y1 * zoom)))),
        slice(min(width, max(0, math.floor(x0 * zoom))), min(width, max(0, math.ceil(x1 * zoom)))),
    )
