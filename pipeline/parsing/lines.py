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
    role: str = "body"
    section_id: str | None = None
    paragraph_id: int = 0

    @property
    def visible(self) -> bool:
        """A person sees it."""
        return not self.hidden

    @property
    def middle(self) -> float:
        """Height of the line's middle on the page, in points from the top."""
        return (self.y0 + self.y1) / 2


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
    if len(row) == 1:
        x0, y0, x1, y1 = main.box
        bold, italic = main.bold, main.italic
    else:
        main = max(row, key=lambda f: len(f.text))
        x0, y0 = min(f.box[0] for f in row), min(f.box[1] for f in row)
        x1, y1 = max(f.box[2] for f in row), max(f.box[3] for f in row)
        half = sum(len(f.text) for f in row) / 2
        bold = sum(len(f.text) for f in row if f.bold) > half
        italic = sum(len(f.text) for f in row if f.italic) > half
    return Line(
        0,
        page_num,
        0,
        join_text(row),
        x0,
        y0,
        x1,
        y1,
        main.font,
        main.size,
        bold,
        italic,
        main.rotation,
        column,
        main.hidden,
    )
