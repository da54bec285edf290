"""A picture of a page with its lines drawn on it: what was read, in which order, and what was made of it."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from pipeline.content import detect_format
from pipeline.mupdf import open_pdf, pymupdf
from schemas.errors import InputError

Color = tuple[float, float, float]

ZOOM = 2.0  # 144 dots an inch: the numbers, 6 points high, stay readable
MAX_PIXELS = 12_000_000  # pixels of the picture; a page larger than A2 is drawn smaller
LEGEND_WIDTH = 150.0  # points of the strip at the right
NUMBER_SIZE = 6.0  # points of the line numbers
MIN_SCALE = 400.0  # points of page width up to which numbers and strokes keep their size; they grow with larger pages
TINT_OPACITY = 0.18  # of the shade behind every second paragraph, so that the words stay readable

ROLE_COLORS: dict[str, Color] = {
    "heading": (0.80, 0.05, 0.50),
    "table": (0.55, 0.35, 0.05),
    "caption": (0.45, 0.15, 0.75),
    "footnote": (0.10, 0.50, 0.50),
    "toc_entry": (0.35, 0.45, 0.10),
    "form_field": (0.70, 0.45, 0.00),
    "comment": (0.60, 0.45, 0.20),
    "note": (0.60, 0.45, 0.20),
    "header": (0.55, 0.55, 0.55),
    "footer": (0.55, 0.55, 0.55),
    "page_number": (0.55, 0.55, 0.55),
}
COLUMN_COLORS: dict[str, Color] = {
    "single": (0.10, 0.30, 0.85),
    "left": (0.00, 0.55, 0.15),
    "right": (0.90, 0.45, 0.00),
    "multi": (0.00, 0.55, 0.75),
}
HIDDEN_COLOR: Color = (0.90, 0.0, 0.0)
TINTS: tuple[Color, Color] = ((1.0, 0.85, 0.2), (0.45, 0.75, 1.0))
_BLACK: Color = (0.0, 0.0, 0.0)
_WHITE: Color = (1.0, 1.0, 1.0)


def draw_page(
    data: bytes, lines: pd.DataFrame, page_num: int, *, name: str = "document", password: str | None = None
) -> bytes:
    """Page `page_num` (from 1) as a PNG with the rows of line_df drawn on it, and a legend at the right.

    Each line has its box and its `line_id`; the colour tells its role, or its column for body text; neighbouring
    paragraphs are shaded in turn; hidden lines are dashed red with the reason. `data` are the bytes of a PDF or image.

    Raises InputError for a page that does not exist or a format without pages that can be painted, and the errors of
    `open_pdf`.
    """
    kind = detect_format(data, name=name)
    if kind not in ("pdf", "image"):
        raise InputError(f"{name}: {kind.upper()} files have no pages that can be drawn; hand over a PDF or an image")
    with _open(data, kind, name, password) as document:
        if not 1 <= page_num <= document.page_count:
            raise InputError(
                f"{name}: page {page_num} was asked for, the document has pages 1 to {document.page_count}"
            )
        page = document[page_num - 1]
        width, height = float(page.rect.width), float(page.rect.height)
        zoom = min(ZOOM, math.sqrt(MAX_PIXELS / max((width + LEGEND_WIDTH) * height, 1.0)))
        painted = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom))
    scale = max(1.0, max(width, height) / (2 * MIN_SCALE))
    with pymupdf.open() as sheet:
        canvas = sheet.new_page(width=width + scale * LEGEND_WIDTH, height=max(height, scale * 300.0))
        canvas.insert_image((0, 0, width, height), pixmap=painted)
        rows = lines[(lines["page_num"] == page_num) & lines["x0"].notna()]
        shape = canvas.new_shape()
        _draw_tints(shape, rows)
        _draw_lines(shape, rows, scale)
        _draw_legend(shape, rows, (width + 8.0 * scale, page_num), scale)
        shape.commit()
        picture: bytes = canvas.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom)).tobytes("png")
    return picture


def _open(data: bytes, kind: str, name: str, password: str | None) -> Any:
    if kind == "pdf":
        return open_pdf(data, name=name, password=password)
    try:
        return pymupdf.open(stream=data)
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
        raise InputError(f"{name}: the image cannot be drawn ({error}); hand over a PNG, JPEG or TIFF") from error


def _draw_tints(shape: Any, rows: pd.DataFrame) -> None:
    """A shade behind the lines of each paragraph, in two colours in turn."""
    for turn, (_, group) in enumerate(rows[rows["visible"]].groupby("paragraph_id", sort=True)):
        for box in zip(group["x0"], group["y0"], group["x1"], group["y1"], strict=True):
            shape.draw_rect(pymupdf.Rect(box))
        shape.finish(color=None, fill=TINTS[turn % 2], fill_opacity=TINT_OPACITY)


def _draw_lines(shape: Any, rows: pd.DataFrame, scale: float) -> None:
    for row in rows.itertuples():
        color = _color(row)
        dashes = None if row.visible else f"[{3 * scale} {2 * scale}] 0"
        shape.draw_rect(pymupdf.Rect(row.x0, row.y0, max(row.x1, row.x0 + 0.5), max(row.y1, row.y0 + 0.5)))
        shape.finish(color=color, width=0.5 * scale, dashes=dashes)
        _draw_tag(shape, (row.x0, row.y0), str(row.line_id), color, scale)
        if not row.visible:
            _write(shape, (max(row.x0, 0.0), row.y1 + 5 * scale), str(row.hidden_reason), color, 5 * scale)


def _draw_tag(shape: Any, corner: tuple[float, float], text: str, color: Color, scale: float) -> None:
    """The line's number on a filled tag that ends where the line begins; inside the page for text at its edge."""
    size = NUMBER_SIZE * scale
    width = 0.56 * size * len(text) + 1.5 * scale  # Helvetica's digits are 0.556 em wide
    left, top = max(corner[0] - width, 0.0), max(corner[1], 0.0)
    shape.draw_rect(pymupdf.Rect(left, top, left + width, top + size + scale))
    shape.finish(color=None, fill=color)
    _write(shape, (left + 0.8 * scale, top + size - 0.2 * scale), text, _WHITE, size)


def _draw_legend(shape: Any, rows: pd.DataFrame, place: tuple[float, int], scale: float) -> None:
    x, page_num = place
    step = 13.0 * scale
    entries: list[tuple[str, Color, bool]] = []
    body = rows[rows["visible"] & ~rows["role"].isin(list(ROLE_COLORS))]
    for column, color in COLUMN_COLORS.items():
        count = int((body["column_position"] == column).sum())
        if count:
            entries.append((f"body, column {column} ({count})", color, False))
    for role, color in ROLE_COLORS.items():
        count = int((rows["visible"] & (rows["role"] == role)).sum())
        if count:
            entries.append((f"{role} ({count})", color, False))
    if not rows["visible"].all():
        entries.append((f"hidden ({int((~rows['visible']).sum())})", HIDDEN_COLOR, True))
    _write(shape, (x, 2 * step), f"Page {page_num}", _BLACK, 11 * scale)
    _write(shape, (x, 3 * step), "number = line_id, in reading order", _BLACK, 7 * scale)
    _write(shape, (x, 4 * step), "shades in turn = paragraphs", _BLACK, 7 * scale)
    for at, (text, color, is_dashed) in enumerate(entries, start=5):
        y = at * step
        shape.draw_rect(pymupdf.Rect(x, y - 7 * scale, x + 16 * scale, y + scale))
        dashes = f"[{3 * scale} {2 * scale}] 0" if is_dashed else None
        shape.finish(color=color, width=scale, dashes=dashes)
        _write(shape, (x + 21 * scale, y), text, color, 7 * scale)


def _write(shape: Any, place: tuple[float, float], text: str, color: Color, size: float) -> None:
    shape.insert_text(pymupdf.Point(place), text, fontsize=size, fontname="helv", color=color)


def _color(row: Any) -> Color:
    if not row.visible:
        return HIDDEN_COLOR
    return ROLE_COLORS.get(row.role) or COLUMN_COLORS[row.column_position]
