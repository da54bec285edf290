"""The reader's own form of a line while the tables are built; `line_df` is made of these at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.parsing.page_text import Fragment
from pipeline.parsing.reading_order import join_text


@dataclass(slots=True, eq=False)
class Line:
    """One line of the document; boxes and sizes in points, `line_id` from 1 in reading order."""

    line_id: int
    page_num: int
    line_num: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    font: str
    size: float
    bold: bool
    italic: bool
    rotation: int
    column: str
    hidden: str
    flat: tuple[float, float, float, float]  # the box after the page is turned so that this line's text lies flat
    role: str = "body"
    section_id: str | None = None
    paragraph_id: int = 0

    @property
    def visible(self) -> bool:
        """A person sees it."""
        return not self.hidden

    @property
    def middle(self) -> float:
        """Height of the line's middle on the page turned so that its text lies flat, in points from the top."""
        return (self.flat[1] + self.flat[3]) / 2

    @property
    def left(self) -> float:
        """Where the line begins, on the page turned so that its text lies flat, in points."""
        return self.flat[0]

    @property
    def right(self) -> float:
        """Where the line ends, on the page turned so that its text lies flat, in points."""
        return self.flat[2]


@dataclass(slots=True)
class ImageBox:
    """An image displayed on a page."""

    x0: float
    y0: float
    x1: float
    y1: float
    width_px: int
    height_px: int


@dataclass(slots=True)
class PageRead:
    """What was read of one page; `status` and `reason` as in page_df."""

    page_num: int
    status: str = "failed"
    reason: str = ""
    width: float = 0.0
    height: float = 0.0
    rotation: int = 0
    label: str | None = None
    columns: int = 0
    quality: float | None = None
    coverage: float = 0.0
    images: list[ImageBox] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


def make_line(row: Sequence[Fragment], column: str, page_num: int) -> Line:
    """The line of a row of fragments, numbered 0 for now; font and size are those of most of its characters."""
    main = row[0]
    box, flat = main.box, main.upright
    bold, italic = main.bold, main.italic
    if len(row) > 1:
        main = max(row, key=lambda f: len(f.text))
        box, flat = _union([f.box for f in row]), _union([f.upright for f in row])
        half = sum(len(f.text) for f in row) / 2
        bold = sum(len(f.text) for f in row if f.bold) > half
        italic = sum(len(f.text) for f in row if f.italic) > half
    return Line(
        line_id=0,
        page_num=page_num,
        line_num=0,
        text=join_text(row),
        x0=box[0],
        y0=box[1],
        x1=box[2],
        y1=box[3],
        font=main.font,
        size=main.size,
        bold=bold,
        italic=italic,
        rotation=main.rotation,
        column=column,
        hidden=main.hidden,
        flat=flat,
    )


def _union(boxes: Sequence[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
