"""Small valid records and tables for tests, each with as few words as the schema allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from schemas.document import (
    ContentZone,
    DocumentProfile,
    IdentityZone,
    ParsedDocument,
    RoutingZone,
    SemanticZone,
    StructureZone,
)
from schemas.record import Stamp
from schemas.tables import DOCUMENT_TABLES, LINE_DF, PAGE_DF, TOC_DF

SHA = "0" * 64


def stamp(**changes: Any) -> Stamp:
    """A stamp without libraries."""
    return Stamp(**{"lineproof": "0", "libraries": {}, "input_sha256": {}, "settings": {}, **changes})


def lines(texts: Sequence[str], *, page: Sequence[int] | None = None, **columns: Sequence[Any]) -> pd.DataFrame:
    """A line_df with one visible body line a text, on page 1 unless `page` says so; `columns` replace columns."""
    pages = list(page or [1] * len(texts))
    nums: dict[int, int] = {}
    line_nums = []
    for page_num in pages:
        nums[page_num] = nums.get(page_num, 0) + 1
        line_nums.append(nums[page_num])
    count = len(texts)
    data: dict[str, Any] = {
        "line_id": list(range(1, count + 1)),
        "page_num": pages,
        "line_num": line_nums,
        "text": list(texts),
        "x0": [72.0] * count,
        "y0": [72.0 + 14 * num for num in line_nums],
        "x1": [500.0] * count,
        "y1": [84.0 + 14 * num for num in line_nums],
        "font_name": ["Times"] * count,
        "font_size": [11.0] * count,
        "is_bold": [False] * count,
        "is_italic": [False] * count,
        "visible": [True] * count,
        "hidden_reason": [None] * count,
        "change": [None] * count,
        "role": ["body"] * count,
        "section_id": [None] * count,
        "paragraph_id": list(range(1, count + 1)),
        "column_position": ["single"] * count,
        "rotation": [0] * count,
        "confidence": [None] * count,
        "parsing_method": ["test"] * count,
    }
    return LINE_DF.build({**data, **columns})


def pages(count: int, *, status: Sequence[str] | None = None) -> pd.DataFrame:
    """A page_df of `count` A4 pages, native unless `status` says otherwise."""
    return PAGE_DF.build(
        {
            "page_num": list(range(1, count + 1)),
            "status": list(status or ["native"] * count),
            "status_reason": ["test"] * count,
            "width": [595.0] * count,
            "height": [842.0] * count,
            "rotation": [0] * count,
            "label": [None] * count,
            "line_count": [1] * count,
            "char_count": [10] * count,
            "hidden_char_count": [0] * count,
            "ocr_char_count": [0] * count,
            "has_ocr_layer": [False] * count,
            "has_full_page_image": [False] * count,
            "table_count": [0] * count,
            "image_count": [0] * count,
            "image_coverage_ratio": [0.0] * count,
            "column_count": [1] * count,
            "text_quality_score": [1.0] * count,
            "parsing_method": ["test"] * count,
        }
    )


def toc(entries: Sequence[tuple[int, str, int, int]], line_df: pd.DataFrame) -> pd.DataFrame:
    """A toc_df of `(level, title, start_line_id, end_line_id)` entries over the lines of `line_df`."""
    page_of = dict(zip(line_df["line_id"], line_df["page_num"], strict=True))
    stack: list[tuple[int, str, str]] = []
    rows: dict[str, list[Any]] = {name: [] for name in TOC_DF.names()}
    for number, (level, title, start, end) in enumerate(entries, 1):
        stack = [entry for entry in stack if entry[0] < level]
        rows["section_id"].append(str(number))
        rows["level"].append(level)
        rows["parent_section_id"].append(stack[-1][1] if stack else None)
        rows["title"].append(title)
        stack.append((level, str(number), title))
        rows["breadcrumb"].append(" > ".join(entry[2] for entry in stack))
        rows["start_page"].append(page_of[start])
        rows["end_page"].append(page_of[end])
        rows["start_line_id"].append(start)
        rows["end_line_id"].append(end)
        rows["heading_found"].append(True)
        rows["source"].append("native_outline")
        rows["confidence"].append(1.0)
    return TOC_DF.build(rows)


def profile(*, page_count: int = 1, pages_not_read: Sequence[int] = (), section_count: int = 0) -> DocumentProfile:
    """A profile of a plain English document."""
    return DocumentProfile(
        identity=IdentityZone(
            sha256=SHA, byte_count=1, page_count=page_count, format_version="PDF 1.7", producer=None, creator=None,
            title=None, author=None, created=None,
        ),
        content=ContentZone(
            content_type="native", has_text_layer=True, has_hidden_text=False, line_count=1, char_count=10,
            image_count=0,
        ),
        structure=StructureZone(
            has_toc=section_count > 0, toc_source="native_outline" if section_count else None,
            section_count=section_count, object_count=0, cross_ref_count=0, page_status_counts={"native": page_count},
            has_form_fields=False, is_encrypted=False,
        ),
        routing=RoutingZone(
            usable_toc=section_count >= 4, needs_ocr=bool(pages_not_read),
            pages_needing_ocr=tuple(pages_not_read), pages_not_read=tuple(pages_not_read),
        ),
        semantic=SemanticZone(doc_type="contract", typical_fields=(), languages=("en",)),
    )  # fmt: skip


def document(line_df: pd.DataFrame, *, toc_df: pd.DataFrame | None = None, **tables: pd.DataFrame) -> ParsedDocument:
    """A document of the given lines and sections; every other table is empty unless given."""
    frames = {schema.name: schema.empty() for schema in DOCUMENT_TABLES} | tables
    frames["line_df"] = line_df
    page_count = int(line_df["page_num"].max()) if len(line_df) else 1
    if not len(frames["page_df"]):
        frames["page_df"] = pages(page_count)
    if toc_df is not None:
        frames["toc_df"] = toc_df
    return ParsedDocument(
        doc_id="doc_00000000",
        sha256=SHA,
        source_name="doc.pdf",
        format="pdf",
        profile=profile(page_count=page_count, section_count=len(frames["toc_df"])),
        stamp=stamp(),
        **frames,
    )
