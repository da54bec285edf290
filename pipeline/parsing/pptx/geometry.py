"""Where shapes stand on the slide: transforms of groups, rotation, and the order in which a person reads them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from lxml import etree

from pipeline.parsing.pptx.names import DEGREE, EMU, A, Box, integer

SLACK = 6.0  # points by which frames of neighbours may overlap: frames are drawn larger than their words
ROW_SHARE = 0.5  # share of the lower frame's height, from which two frames stand in one row
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Transform:
    """From a group's own coordinates to the slide's, in points: scale and shift."""

    sx: float = 1 / EMU
    sy: float = 1 / EMU
    dx: float = 0.0
    dy: float = 0.0

    def place(self, x: float, y: float, width: float, height: float) -> Box:
        """The box on the slide."""
        x0, y0 = self.sx * x + self.dx, self.sy * y + self.dy
        return x0, y0, x0 + self.sx * width, y0 + self.sy * height

    def inside(self, xfrm: etree._Element | None) -> Transform:
        """The transform of what a group holds (ECMA-376 20.1.7.5: off and ext over chOff and chExt)."""
        read = _read_frame(xfrm)
        inner = _read_frame(xfrm, "chOff", "chExt")
        if read is None or inner is None:
            return self
        kx = read[2] / inner[2] if inner[2] else 1.0
        ky = read[3] / inner[3] if inner[3] else 1.0
        return Transform(
            self.sx * kx,
            self.sy * ky,
            self.sx * (read[0] - inner[0] * kx) + self.dx,
            self.sy * (read[1] - inner[1] * ky) + self.dy,
        )


def read_box(xfrm: etree._Element | None, transform: Transform) -> Box | None:
    """The box of a shape on the slide; one that is turned by a quarter has width and height changed over."""
    read = _read_frame(xfrm)
    if read is None or xfrm is None:
        return None
    box = transform.place(*read)
    if 45 <= read_rotation(xfrm) % 180 < 135:
        middle_x, middle_y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        half_w, half_h = (box[3] - box[1]) / 2, (box[2] - box[0]) / 2
        box = (middle_x - half_w, middle_y - half_h, middle_x + half_w, middle_y + half_h)
    return box


def read_rotation(xfrm: etree._Element | None) -> int:
    """The turn of a shape in whole degrees, clockwise, 0 to 359."""
    return 0 if xfrm is None else round(integer(xfrm.get("rot")) / DEGREE) % 360


def _read_frame(
    xfrm: etree._Element | None, offset: str = "off", extent: str = "ext"
) -> tuple[float, float, float, float] | None:
    if xfrm is None:
        return None
    off, ext = xfrm.find(f"{A}{offset}"), xfrm.find(f"{A}{extent}")
    if off is None or ext is None:
        return None
    return (
        float(integer(off.get("x"))), float(integer(off.get("y"))),
        float(integer(ext.get("cx"))), float(integer(ext.get("cy"))),
    )  # fmt: skip


def in_reading_order(items: Sequence[_T], box_of: Callable[[_T], Box]) -> list[_T]:
    """The items as a person reads them: cut at the widest gap that runs across all, from the top and from the left.

    A recursive cut (Nagy and Seth, 1984): what stands in columns is read column by column, what stands in rows row by
    row; between equal gaps rows win. Items that no gap parts are read in rows by their tops, each from the left.
    """
    if len(items) < 2:
        return list(items)
    down = _widest_gap([(box_of(item)[1], box_of(item)[3]) for item in items])
    across = _widest_gap([(box_of(item)[0], box_of(item)[2]) for item in items])
    if down is None and across is None:
        return _in_rows(items, box_of)
    side = 1 if down is not None and (across is None or down[0] >= across[0]) else 0
    cut = (down if side == 1 else across) or (0.0, 0.0)
    first = [item for item in items if _middle(box_of(item), side) < cut[1]]
    second = [item for item in items if _middle(box_of(item), side) >= cut[1]]
    if not first or not second:
        return _in_rows(items, box_of)
    return in_reading_order(first, box_of) + in_reading_order(second, box_of)


def _middle(box: Box, side: int) -> float:
    return (box[side] + box[side + 2]) / 2


def _widest_gap(spans: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Width and middle of the widest gap between spans; a small overlap counts as a narrow one; None without any."""
    best: tuple[float, float] | None = None
    ordered = sorted(spans)
    end = ordered[0][1]
    for start, stop in ordered[1:]:
        gap = start - end
        slack = min(SLACK, (stop - start) / 4)
        if gap >= -slack and (best is None or gap > best[0] + 1e-6):
            best = (gap, (start + end) / 2)
        end = max(end, stop)
    return best


def _in_rows(items: Sequence[_T], box_of: Callable[[_T], Box]) -> list[_T]:
    rows: list[list[_T]] = []
    for item in sorted(items, key=lambda item: box_of(item)[1]):
        box = box_of(item)
        head = box_of(rows[-1][0]) if rows else None
        height = min(box[3] - box[1], head[3] - head[1]) if head else math.inf
        if head and min(box[3], head[3]) - max(box[1], head[1]) > ROW_SHARE * max(height, 1.0):
            rows[-1].append(item)
        else:
            rows.append([item])
    return [item for row in rows for item in sorted(row, key=lambda item: box_of(item)[0])]
