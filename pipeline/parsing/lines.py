"""The reader's own form of a line while the tables are built; `line_df` is made of these at the end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.parsing.page_text import Fragment, clean_text
from pipeline.parsing.rows import join_text
from pipeline.parsing.table_rules import Drawn

HIDDEN_REASONS = {
    "invisible": "painted with nothing (render mode 3) and no image behind it",
    "faint": "so transparent that it cannot be told from its background",
    "tiny": "smaller than 2 points",
    "light": "its colour cannot be told from its background (white on white)",
    "same": "its colour cannot be told from the box behind it",
    "covered": "covered by a filled box painted over it",
    "image": "covered by an image painted over it",
    "clipped": "cut away: it lies outside the part of the page that may be painted there",
    "replaced": "named in the file (ActualText) for a place where nothing is painted",
    "layer": "on a layer of the file that is switched off",
    "off-page": "outside the page",
}


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
    paragraph_id: int = 0  # from 1; a reader whose format has paragraphs sets it, else 0 until they are told
    method: str = "pymupdf"  # parsing_method of line_df
    confidence: float | None = None  # of recognised text, 0-1
    cell: int = 0  # cell of a wordy table on the page, from 1: text does not run on from one to the next
    change: str = ""  # '', 'inserted' or 'deleted': a tracked change
    pieces: tuple[Fragment, ...] = ()  # what stands apart in the line, as cells do; empty where it is all one

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


@dataclass(frozen=True, slots=True)
class Region:
    """A region of a page as a layout model sees it; `kind` in the model's words, `box` in points."""

    kind: str
    box: tuple[float, float, float, float]


REPLACED = "a text layer that cannot be trusted: the page was recognised anew"  # `hidden` of what it said


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
class SpanRead:
    """A run of one style in a line; `style` is font, size in points, bold, italic and colour as 0xRRGGBB."""

    line: Line
    text: str
    box: tuple[float, float, float, float]
    style: tuple[str, float, bool, bool, int]


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
    has_ocr_layer: bool = False
    needs_ocr: bool = False  # its pictures may hold words that no one has read
    method: str = "pymupdf"  # parsing_method of page_df
    images: list[ImageBox] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)  # of the layout model, where it is asked
    lines: list[Line] = field(default_factory=list)
    drawn: Drawn = field(default_factory=Drawn)
    spans: list[SpanRead] = field(default_factory=list)  # where they are asked for


FULL_PAGE_COVERAGE = 0.95  # share of the page under one image, from which it is a picture of the page (METHOD 1.2)


def area_share(image: ImageBox, page: PageRead) -> float:
    """Share of the page's area under the image, 0-1; 0 for a page without an area."""
    whole = page.width * page.height
    return (image.x1 - image.x0) * (image.y1 - image.y0) / whole if whole > 0 else 0.0


def is_full_page(image: ImageBox, page: PageRead) -> bool:
    """The displayed image covers at least 95 % of the page."""
    return area_share(image, page) >= FULL_PAGE_COVERAGE


def make_line(row: Sequence[Fragment], column: str, page_num: int, *, cell: int = 0) -> Line:
    """The line of a row of fragments, numbered 0 for now; font and size are those of most of its characters.

    `cell` numbers the cells of the page's wordy tables, 0 for none.
    """
    main = row[0]
    box, flat = main.box, main.upright
    bold, italic = main.bold, main.italic
    pieces: tuple[Fragment, ...] = ()
    text = main.text
    if len(row) > 1:
        text, pieces = join_text(row), tuple(row)
        main = max(row, key=lambda f: len(f.text))
        box, flat = _union([f.box for f in row]), _union([f.upright for f in row])
        half = sum(len(f.text) for f in row) / 2
        bold = sum(len(f.text) for f in row if f.bold) > half
        italic = sum(len(f.text) for f in row if f.italic) > half
    return Line(
        line_id=0,
        page_num=page_num,
        line_num=0,
        text=text,
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
        hidden=HIDDEN_REASONS.get(main.hidden, main.hidden) if main.hidden else "",
        flat=flat,
        cell=cell,
        pieces=pieces,
    )


def flow_line(
    text: str,
    *,
    method: str,
    page_num: int = 1,
    role: str = "body",
    paragraph_id: int = 0,
    style: tuple[str, float, bool, bool] = ("", 0.0, False, False),
) -> Line:
    """A line of a format without a layout: no box, one column; `text` on one line, trimmed.

    `style` is font name, size in points (0 where unknown), bold, italic. What hides it, a tracked change and the like
    are set on the line afterwards. `lay_out` gives the line its place for the rules that look at typography.
    """
    font, size, bold, italic = style
    return Line(
        0, page_num, 0, clean_text(text), *NOWHERE, font, size, bold, italic, 0, "single", "", NOWHERE,
        role=role, paragraph_id=paragraph_id, method=method,
    )  # fmt: skip


NOWHERE = (math.nan, math.nan, math.nan, math.nan)
FLOW_SIZE = 10.0  # points taken for lines whose format names no size
FLOW_WIDTH = 450.0  # points of a line of text on a page of usual margins
FLOW_CHAR = 0.5  # ems, mean width of a Latin letter


def lay_out(lines: Sequence[Line]) -> None:
    """Write a place on an endless page into the lines that have none, for rules that look at blanks and widths.

    Each line stands alone, with a blank line above, the way paragraphs do; nothing of it is saved.
    """
    y = 0.0
    for line in lines:
        if math.isnan(line.flat[0]):
            size = line.size or FLOW_SIZE
            width = min(FLOW_WIDTH, FLOW_CHAR * size * len(line.text))
            line.flat = (0.0, y, width, y + size)
            y += 2.0 * size


def _union(boxes: Sequence[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
