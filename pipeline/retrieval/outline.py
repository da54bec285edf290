"""The table of contents of a document in lists, made once: single columns of a frame are slow to take."""

from __future__ import annotations

from dataclasses import dataclass

from dictionaries.searchable import SearchableText
from pipeline.kept import Kept
from pipeline.retrieval.lines import KEPT_DOCUMENTS
from schemas.document import ParsedDocument


@dataclass(frozen=True)
class Outline:
    """Columns of toc_df, and what is looked up in them; treat as read-only."""

    section_ids: list[str]
    titles: list[str]
    levels: list[int]
    starts: list[int]  # line_id of each section's first line
    ends: list[int]  # and of its last
    title_of: dict[str, str]  # by section_id
    breadcrumb_of: dict[str, str]
    bounds_of: dict[str, tuple[int, int]]
    searchable: SearchableText  # the titles made ready for the matcher


_outlines: Kept[Outline] = Kept(KEPT_DOCUMENTS)


def outline_of(document: ParsedDocument) -> Outline:
    """The outline of a document; empty lists without one."""
    return _outlines.get(document, lambda: _read(document))


def _read(document: ParsedDocument) -> Outline:
    toc = document.toc_df
    ids: list[str] = toc["section_id"].tolist()
    titles: list[str] = toc["title"].tolist()
    starts: list[int] = toc["start_line_id"].tolist()
    ends: list[int] = toc["end_line_id"].tolist()
    return Outline(
        section_ids=ids,
        titles=titles,
        levels=toc["level"].tolist(),
        starts=starts,
        ends=ends,
        title_of=dict(zip(ids, titles, strict=True)),
        breadcrumb_of=dict(zip(ids, toc["breadcrumb"].tolist(), strict=True)),
        bounds_of=dict(zip(ids, zip(starts, ends, strict=True), strict=True)),
        searchable=SearchableText.of(titles),
    )
