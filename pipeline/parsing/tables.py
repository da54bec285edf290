"""The tables of schemas/tables.py, column by column, out of the reader's lines and pages."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from pipeline.parsing.lines import REPLACED, Line, PageRead, is_full_page
from pipeline.parsing.reading import CellRead, FieldRead, Finding
from schemas.tables import FIELD_DF, FINDING_DF, IMAGE_DF, LINE_DF, PAGE_DF, TABLE_DF

COORDINATE_DECIMALS = 2  # a hundredth of a point is below what any printer shows
MAX_PAGE_HIDDEN = 20  # hidden lines listed one by one a page; the rest is counted


def make_line_df(lines: Sequence[Line]) -> pd.DataFrame:
    """line_df, a row a line."""
    return LINE_DF.build(
        {
            "line_id": [line.line_id for line in lines],
            "page_num": [line.page_num for line in lines],
            "line_num": [line.line_num for line in lines],
            "text": [line.text for line in lines],
            "x0": _round([line.x0 for line in lines]),
            "y0": _round([line.y0 for line in lines]),
            "x1": _round([line.x1 for line in lines]),
            "y1": _round([line.y1 for line in lines]),
            "font_name": [line.font for line in lines],
            "font_size": _round([line.size for line in lines]),
            "is_bold": [line.bold for line in lines],
            "is_italic": [line.italic for line in lines],
            "visible": [line.visible for line in lines],
            "hidden_reason": [line.hidden or None for line in lines],
            "change": [line.change or None for line in lines],
            "role": [line.role for line in lines],
            "section_id": [line.section_id for line in lines],
            "paragraph_id": [line.paragraph_id for line in lines],
            "column_position": [line.column for line in lines],
            "rotation": [line.rotation for line in lines],
            "confidence": [math.nan if line.confidence is None else round(line.confidence, 4) for line in lines],
            "parsing_method": [line.method for line in lines],
        }
    )


def make_page_df(pages: Sequence[PageRead], cells: Sequence[CellRead]) -> pd.DataFrame:
    """page_df, a row a physical page, slide or sheet."""
    tables: dict[int, set[int]] = {}
    for cell in cells:
        tables.setdefault(cell.page_num, set()).add(cell.table_id)
    return PAGE_DF.build(
        {
            "page_num": [page.page_num for page in pages],
            "status": [page.status for page in pages],
            "status_reason": [page.reason for page in pages],
            "width": _round([page.width for page in pages]),
            "height": _round([page.height for page in pages]),
            "rotation": [page.rotation for page in pages],
            "label": [page.label for page in pages],
            "line_count": [sum(line.visible for line in page.lines) for page in pages],
            "char_count": [sum(len(line.text) for line in page.lines if line.visible) for page in pages],
            "hidden_char_count": [sum(len(line.text) for line in page.lines if not line.visible) for page in pages],
            "ocr_char_count": [_recognised_chars(page) for page in pages],
            "has_ocr_layer": [page.has_ocr_layer for page in pages],
            "has_full_page_image": [any(is_full_page(image, page) for image in page.images) for page in pages],
            "table_count": [len(tables.get(page.page_num, ())) for page in pages],
            "image_count": [len(page.images) for page in pages],
            "image_coverage_ratio": [round(page.coverage, 4) for page in pages],
            "column_count": [page.columns for page in pages],
            "text_quality_score": [math.nan if page.quality is None else round(page.quality, 4) for page in pages],
            "parsing_method": [page.method for page in pages],
        }
    )


def make_image_df(pages: Sequence[PageRead]) -> pd.DataFrame:
    """image_df, a row a displayed image, from the page's top down."""
    images = [(page, number, image) for page in pages for number, image in enumerate(page.images, start=1)]
    return IMAGE_DF.build(
        {
            "page_num": [page.page_num for page, _, _ in images],
            "image_num": [number for _, number, _ in images],
            "x0": _round([image.x0 for _, _, image in images]),
            "y0": _round([image.y0 for _, _, image in images]),
            "x1": _round([image.x1 for _, _, image in images]),
            "y1": _round([image.y1 for _, _, image in images]),
            "width_px": [image.width_px for _, _, image in images],
            "height_px": [image.height_px for _, _, image in images],
            "is_full_page": [is_full_page(image, page) for page, _, image in images],
            "parsing_method": [page.method for page, _, _ in images],
        }
    )


def make_table_df(cells: Sequence[CellRead]) -> pd.DataFrame:
    """table_df, a row a cell, by table, row and column."""
    ordered = sorted(cells, key=lambda cell: (cell.table_id, cell.row_num, cell.column_num))
    return TABLE_DF.build(
        {
            "table_id": [cell.table_id for cell in ordered],
            "page_num": [cell.page_num for cell in ordered],
            "row_num": [cell.row_num for cell in ordered],
            "column_num": [cell.column_num for cell in ordered],
            "row_span": [cell.row_span for cell in ordered],
            "column_span": [cell.column_span for cell in ordered],
            "is_header": [cell.is_header for cell in ordered],
            "header": [cell.header for cell in ordered],
            "text": [cell.text for cell in ordered],
            "line_start": [min((line.line_id for line in cell.lines), default=None) for cell in ordered],
            "line_end": [max((line.line_id for line in cell.lines), default=None) for cell in ordered],
            "caption_line_id": [None if cell.caption is None else cell.caption.line_id for cell in ordered],
            **_boxes([cell.box for cell in ordered]),
            "parsing_method": [cell.method for cell in ordered],
        }
    )


def make_field_df(fields: Sequence[FieldRead]) -> pd.DataFrame:
    """field_df, a row a form field, in the reader's order."""
    return FIELD_DF.build(
        {
            "field_num": list(range(1, len(fields) + 1)),
            "page_num": [field.page_num for field in fields],
            "name": [field.name for field in fields],
            "kind": [field.kind for field in fields],
            "value": [field.value for field in fields],
            "is_checked": [field.is_checked for field in fields],
            "line_id": [None if field.line is None else field.line.line_id for field in fields],
            **_boxes([field.box for field in fields]),
        }
    )


def make_finding_df(pages: Sequence[PageRead], lines: Sequence[Line], findings: Sequence[Finding]) -> pd.DataFrame:
    """finding_df: what the reader found, then page by page what is hidden or was not read."""
    rows = list(findings)
    hidden: dict[int, list[Line]] = {}
    for line in lines:
        if not line.visible and line.change != "deleted" and line.hidden != REPLACED:
            hidden.setdefault(line.page_num, []).append(line)
    for page in pages:
        if page.status not in ("native", "empty"):
            rows.append(Finding("page", page.reason, page.page_num))
        unseen = hidden.get(page.page_num, [])
        for line in unseen[:MAX_PAGE_HIDDEN]:
            detail = (
                f"Text that a person does not see: {line.hidden}. It is kept, and never searched or shown to a model."
            )
            rows.append(Finding("hidden_text", detail, page.page_num, line))
        if len(unseen) > MAX_PAGE_HIDDEN:
            rows.append(Finding("hidden_text", f"{len(unseen) - MAX_PAGE_HIDDEN:,} more hidden lines.", page.page_num))
    return FINDING_DF.build(
        {
            "finding_id": list(range(1, len(rows) + 1)),
            "kind": [row.kind for row in rows],
            "detail": [row.detail for row in rows],
            "page_num": [row.page_num for row in rows],
            "line_id": [None if row.line is None else row.line.line_id for row in rows],
            **_boxes([row.box or _box_of(row.line) for row in rows]),
        }
    )


def _recognised_chars(page: PageRead) -> int:
    """Visible characters that a recogniser wrote: here, with a confidence, or before, in a layer that was kept."""
    return sum(
        len(line.text) for line in page.lines if line.visible and (page.has_ocr_layer or line.confidence is not None)
    )


def _box_of(line: Line | None) -> tuple[float, float, float, float] | None:
    return None if line is None else (line.x0, line.y0, line.x1, line.y1)


def _boxes(boxes: Sequence[tuple[float, float, float, float] | None]) -> dict[str, list[float]]:
    """The four columns of the boxes; not a number where there is none."""
    return {
        name: [math.nan if box is None else round(float(box[at]), COORDINATE_DECIMALS) for box in boxes]
        for at, name in enumerate(("x0", "y0", "x1", "y1"))
    }


def _round(values: Sequence[float]) -> list[float]:
    return [round(float(value), COORDINATE_DECIMALS) for value in values]
