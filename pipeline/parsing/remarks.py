"""Remarks pinned to the pages of a PDF (notes, marked passages, stamps): findings, for they are no part of its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.parsing.annotations import list_annotations
from pipeline.parsing.lines import PageRead
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.pages import PAGE_ERRORS
from pipeline.parsing.reading import Finding

MAX_REMARKS = 200  # remarks listed one by one; the rest is counted
MAX_WORDS = 300  # characters of a remark that are shown
# Markup annotations of ISO 32000-1, table 169, whose words stand in a pop-up; FreeText is text of the page itself.
KINDS = frozenset(
    {"/Text", "/Highlight", "/Underline", "/Squiggly", "/StrikeOut", "/Caret", "/Stamp", "/Ink", "/Square", "/Circle",
     "/Line", "/Polygon", "/PolyLine"}
)  # fmt: skip


def read_remarks(document: Any, pages: Sequence[PageRead]) -> list[Finding]:
    """A finding of kind 'comment' a remark with words, in the order of the pages; past MAX_REMARKS they are counted."""
    found: list[Finding] = []
    count = 0
    for page in pages:
        try:
            said = _read_page(document, page.page_num)
        except PAGE_ERRORS:
            continue  # the words of the page are read all the same
        count += len(said)
        found += said[: max(0, MAX_REMARKS - len(found))]
    if count > len(found):
        found.append(Finding("comment", f"{count - len(found):,} more remarks are pinned to pages."))
    return found


def _read_page(document: Any, page_num: int) -> list[Finding]:
    said = []
    for xref in list_annotations(document, page_num):
        if document.xref_get_key(xref, "Subtype")[1] not in KINDS:
            continue
        words = _text(document, xref, "Contents")
        if words:
            author = _text(document, xref, "T")
            by = f" by {author}" if author else ""
            detail = f"A remark{by}, pinned to the page and no part of its text: '{words[:MAX_WORDS]}'."
            said.append(Finding("comment", detail, page_num))
    return said


def _text(document: Any, xref: int, key: str) -> str:
    kind, value = document.xref_get_key(xref, key)
    return " ".join(clean_text(str(value)).split()) if kind == "string" else ""
