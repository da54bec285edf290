"""The tables of schemas/tables.py, column by column, out of the reader's lines and pages."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.pages import is_full_page
from schemas.tables import FINDING_DF, IMAGE_DF, LINE_DF, PAGE_DF

METHOD = "pymupdf"
COORDINATE_DECIMALS = 2  # a hundredth of a point is below what any printer shows
MAX_DOCUMENT_FAULTS = 50  # findings on the outline listed one by one; the rest is counted
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
            "role": [line.role for line in lines],
            "section_id": [line.section_id for line in lines],
            "paragraph_id": [line.paragraph_id for line in lines],
            "column_position": [line.column for line in lines],
            "rotation": [line.rotation for line in lines],
            "confidence": [float("nan")] * len(lines),
            "parsing_method": [METHOD] * len(lines),
        }
    )


def make_page_df(pages: Sequence[PageRead]) -> pd.DataFrame:
    """page_df, a row a physical page."""
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
            "image_count": [len(page.images) for page in pages],
            "image_coverage_ratio": [round(page.coverage, 4) for page in pages],
            "column_count": [page.columns for page in pages],
            "text_quality_score": [float("nan") if page.quality is None else round(page.quality, 4) for page in pages],
            "parsing_method": [METHOD] * len(pages),
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
            "parsing_method": [METHOD] * len(images),
        }
    )


def make_finding_df(
    pages: Sequence[PageRead], lines: Sequence[Line], faults: Sequence[str], *, damage: str | None
) -> pd.DataFrame:
    """finding_df: damage of the file, faults of its outline, then page by page what is hidden or was not read."""
    rows: list[tuple[str, str, int | None, Line | None]] = [] if damage is None else [("damage", damage, None, None)]
    rows += [("outline", fault, None, None) for fault in faults[:MAX_DOCUMENT_FAULTS]]
    if len(faults) > MAX_DOCUMENT_FAULTS:
        rows.append(
            ("outline", f"{len(faults) - MAX_DOCUMENT_FAULTS:,} more entries of the outline are broken.", None, None)
        )
    hidden: dict[int, list[Line]] = {}
    for line in lines:
        if not line.visible:
            hidden.setdefault(line.page_num, []).append(line)
    for page in pages:
        if page.status not in ("native", "empty"):
            rows.append(("page", page.reason, page.page_num, None))
        unseen = hidden.get(page.page_num, [])
        for line in unseen[:MAX_PAGE_HIDDEN]:
            detail = (
                f"Text that a person does not see: {line.hidden}. It is kept, and never searched or shown to a model."
            )
            rows.append(("hidden_text", detail, page.page_num, line))
        if len(unseen) > MAX_PAGE_HIDDEN:
            rows.append(("hidden_text", f"{len(unseen) - MAX_PAGE_HIDDEN:,} more hidden lines.", page.page_num, None))
    return FINDING_DF.build(
        {
            "finding_id": list(range(1, len(rows) + 1)),
            "kind": [kind for kind, _, _, _ in rows],
            "detail": [detail for _, detail, _, _ in rows],
            "page_num": [page for _, _, page, _ in rows],
            "line_id": [None if line is None else line.line_id for _, _, _, line in rows],
            "x0": _round([None if line is None else line.x0 for _, _, _, line in rows]),
            "y0": _round([None if line is None else line.y0 for _, _, _, line in rows]),
            "x1": _round([None if line is None else line.x1 for _, _, _, line in rows]),
            "y1": _round([None if line is None else line.y1 for _, _, _, line in rows]),
        }
    )


def _round(values: Sequence[float | None]) -> list[float | None]:
    return [None if value is None else round(float(value), COORDINATE_DECIMALS) for value in values]
