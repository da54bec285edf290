"""The reader of PDF files: pages one by one, then what only the whole document shows, then the tables."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pandas as pd

from pipeline.mupdf import open_pdf, pymupdf
from pipeline.parsing.body_headings import find_headings
from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.outline import Heading, match_outline, read_outline
from pipeline.parsing.pages import PAGE_ERRORS, read_page
from pipeline.parsing.paragraphs import RUNNING, number_paragraphs
from pipeline.parsing.profile import make_profile
from pipeline.parsing.references import find_objects, find_references
from pipeline.parsing.roles import (
    mark_captions,
    mark_contents,
    mark_footnotes,
    mark_headings,
    mark_typographic_headings,
)
from pipeline.parsing.running_text import mark_running_text
from pipeline.parsing.sections import make_toc
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.tables import make_finding_df, make_image_df, make_line_df, make_page_df
from schemas.document import ParsedDocument
from schemas.errors import LimitExceededError
from schemas.record import Stamp
from schemas.tables import SPAN_DF, TABLE_DF

MIN_OUTLINE_SHARE = (
    0.25  # share of outline entries whose heading must be found, for the outline to be worth more than none
)
MIN_OUTLINE_ENTRIES = 2  # a single entry is a bookmark on the file, not a table of contents


def read_pdf(source: Source, settings: ParsingSettings) -> ParsedDocument:
    """The PDF as a document; a page that fails is marked, the others are read.

    Raises EmptyDocumentError, UnsupportedFormatError, EncryptedDocumentError, DamagedDocumentError, LimitExceededError.
    """
    with open_pdf(source.data, name=source.name) as document:
        if document.page_count > settings.max_pages:
            raise LimitExceededError(
                f"{source.name}: {document.page_count:,} pages, the limit is {settings.max_pages:,} "
                "(settings.max_pages); split the document, or raise the limit"
            )
        pages = _read_pages(document, settings)
        entries, faults = read_outline(document, settings.max_sections)
        metadata = dict(document.metadata or {})
        has_form = _has_form(document)
        damage = REPAIRED if document.is_repaired else None
    if damage:
        _mark_lost(pages)
    mark_running_text(pages)
    lines = _number_lines(pages)
    mark_contents(lines)
    mark_captions(lines)
    headings, astray = _find_headings(entries, pages, lines)
    faults += astray
    mark_headings(lines, headings)
    mark_typographic_headings(lines)
    mark_footnotes(lines, {page.page_num: page.height for page in pages})
    number_paragraphs(lines)
    tables = _make_tables(pages, lines, headings, faults, damage)
    return ParsedDocument(
        doc_id=source.doc_id,
        sha256=source.sha256,
        source_name=source.name,
        format="pdf",
        profile=make_profile(source, metadata, pages, lines, tables, has_form=has_form),
        stamp=Stamp(
            lineproof=_own_version(),
            libraries={"pandas": pd.__version__, "pymupdf": str(pymupdf.VersionBind)},
            input_sha256={"document": source.sha256},
            settings=settings.model_dump(mode="json"),
        ),
        **tables,
    )


REPAIRED = "The file's structure was broken and was rebuilt on opening; content may be missing."


def _mark_lost(pages: Sequence[PageRead]) -> None:
    """In a file that was rebuilt, a page without anything on it may have lost all of it: that is no empty page."""
    for page in pages:
        if page.status == "empty":
            page.status = "failed"
            page.reason = "Neither text nor image, in a file whose structure was broken: what stood here may be lost."


def _own_version() -> str:
    """Version of the installed distribution; 'uninstalled' where the code runs from a bare checkout."""
    try:
        return version("lineproof")
    except PackageNotFoundError:
        return "uninstalled"


def _read_pages(document: Any, settings: ParsingSettings) -> list[PageRead]:
    has_labels = bool(_try(document.get_page_labels, default=()))
    wanted = None if settings.pages is None else set(settings.pages)
    pages = []
    for page_num in range(1, document.page_count + 1):
        if wanted is None or page_num in wanted:
            pages.append(read_page(document, page_num, settings, has_labels=has_labels))
        else:
            pages.append(PageRead(page_num, "unreadable", "Not read: the settings ask for other pages."))
    return pages


def _has_form(document: Any) -> bool:
    return bool(_try(lambda: document.is_form_pdf, default=False))


def _try(read: Any, *, default: Any) -> Any:
    """What `read` gives, or `default` where a damaged file makes MuPDF fail: only for facts that decide nothing."""
    try:
        return read()
    except PAGE_ERRORS:
        return default


def _number_lines(pages: Sequence[PageRead]) -> list[Line]:
    """All lines with their numbers; running text comes last on its page.

    It is no part of the text's flow, and so a section that ends with a page does not reach into the next page's header.
    """
    lines: list[Line] = []
    for page in pages:
        page.lines.sort(key=lambda line: line.role in RUNNING)
        for line_num, line in enumerate(page.lines, start=1):
            line.line_id, line.line_num = len(lines) + 1, line_num
            lines.append(line)
    return lines


def _find_headings(
    entries: Sequence[Any], pages: Sequence[PageRead], lines: Sequence[Line]
) -> tuple[list[Heading], list[str]]:
    """The outline's headings, or those of the text's own numbering where no outline fits; and what is astray."""
    if not lines:
        return [], []
    by_page: dict[int, list[Line]] = {page.page_num: [] for page in pages}
    for line in lines:
        if line.visible and line.role not in RUNNING and line.role != "toc_entry":
            by_page[line.page_num].append(line)
    native, faults = match_outline(entries, by_page, {page.page_num: page.height for page in pages})
    found = sum(heading.found for heading in native)
    if len(native) >= MIN_OUTLINE_ENTRIES and found >= MIN_OUTLINE_SHARE * len(native):
        return native, faults
    body = find_headings(lines)
    return (body if len(body) > len(native) or not found else native), faults


def _make_tables(
    pages: Sequence[PageRead],
    lines: Sequence[Line],
    headings: Sequence[Heading],
    faults: Sequence[str],
    damage: str | None,
) -> dict[str, pd.DataFrame]:
    toc = make_toc(headings, lines)  # before line_df: it writes the lines' sections
    objects = find_objects(lines)
    return {
        "line_df": make_line_df(lines),
        "page_df": make_page_df(pages),
        "toc_df": toc,
        "object_df": objects,
        "cross_ref_df": find_references(lines, objects, toc),
        "image_df": make_image_df(pages),
        "span_df": SPAN_DF.empty(),
        "table_df": TABLE_DF.empty(),
        "finding_df": make_finding_df(pages, lines, faults, damage=damage),
    }
