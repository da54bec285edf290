"""The profile of a parsed document: five zones out of the reading and its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

import pandas as pd

from pipeline.parsing.lines import REPLACED, Line, PageRead
from pipeline.parsing.reading import Reading
from pipeline.parsing.semantics import describe_subject
from pipeline.parsing.source import Source
from schemas.document import ContentZone, DocumentProfile, IdentityZone, RoutingZone, StructureZone
from schemas.tables import NOT_READ_STATUSES

MIN_USABLE_SECTIONS = 4  # sections from which a search by title makes sense (METHOD 1.2, has_usable_toc)


def make_profile(
    source: Source, reading: Reading, lines: Sequence[Line], tables: Mapping[str, pd.DataFrame]
) -> DocumentProfile:
    """The five zones of the document."""
    pages = reading.pages
    toc = tables["toc_df"]
    statuses = Counter(page.status for page in pages)
    visible_chars = sum(len(line.text) for line in lines if line.visible)
    return DocumentProfile(
        identity=_identify(source, reading),
        content=ContentZone(
            content_type=_content_type(statuses),
            has_text_layer=any(line.text for line in lines),
            has_hidden_text=any(not line.visible and line.hidden != REPLACED for line in lines),
            line_count=len(lines),
            char_count=visible_chars,
            image_count=sum(len(page.images) for page in pages),
        ),
        structure=StructureZone(
            has_toc=len(toc) > 0,
            toc_source=str(toc["source"].iloc[0]) if len(toc) else None,
            section_count=len(toc),
            object_count=len(tables["object_df"]),
            cross_ref_count=len(tables["cross_ref_df"]),
            page_status_counts={status: statuses[status] for status in sorted(statuses)},
            has_form_fields=reading.has_form,
            is_encrypted=reading.is_encrypted,
        ),
        routing=RoutingZone(
            usable_toc=len(toc) >= MIN_USABLE_SECTIONS,
            needs_ocr=any(map(_needs_ocr, pages)),
            pages_needing_ocr=tuple(page.page_num for page in pages if _needs_ocr(page)),
            pages_not_read=tuple(page.page_num for page in pages if page.status in NOT_READ_STATUSES),
        ),
        semantic=describe_subject(source.name, lines),
    )


def _needs_ocr(page: PageRead) -> bool:
    return page.needs_ocr or page.status == "scanned"


def _identify(source: Source, reading: Reading) -> IdentityZone:
    about = reading.metadata
    return IdentityZone(
        sha256=source.sha256,
        byte_count=len(source.data),
        page_unit=reading.page_unit,
        page_count=None if reading.page_unit == "none" else len(reading.pages),
        format_version=about.format_version,
        producer=about.producer,
        creator=about.creator,
        title=about.title,
        author=about.author,
        created=about.created,
    )


def _content_type(statuses: Mapping[str, int]) -> Literal["native", "scanned", "mixed", "empty"]:
    """What most pages with content are; 'mixed' where neither scans nor native pages are nearly all of them."""
    native = statuses.get("native", 0)
    scanned = statuses.get("scanned", 0) + statuses.get("ocr", 0)
    content = sum(statuses.values()) - statuses.get("empty", 0)
    if content == 0:
        return "empty"
    if native == content or (scanned == 0 and statuses.get("mixed", 0) <= native):
        return "native"
    return "scanned" if scanned == content else "mixed"
