"""From a reading to the record, for every format: numbers, roles, sections, paragraphs, references and the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pandas as pd

from pipeline.parsing.body_headings import find_headings
from pipeline.parsing.combining import combine_headings
from pipeline.parsing.layout import read_layout
from pipeline.parsing.layout_model import mark_regions
from pipeline.parsing.lines import Line, PageRead, lay_out
from pipeline.parsing.numbering import read_mark
from pipeline.parsing.outline import Heading
from pipeline.parsing.paragraphs import RUNNING, number_paragraphs
from pipeline.parsing.profile import make_profile
from pipeline.parsing.reading import SUBJECT, GivenHeading, Reading
from pipeline.parsing.references import find_objects, find_references
from pipeline.parsing.roles import mark_captions, mark_contents, mark_headings
from pipeline.parsing.running_text import mark_running_text
from pipeline.parsing.sections import make_toc
from pipeline.parsing.selection_marks import read_marks
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.spans import make_span_df
from pipeline.parsing.tables import (
    make_field_df,
    make_finding_df,
    make_image_df,
    make_line_df,
    make_page_df,
    make_table_df,
)
from schemas.document import Attachment, ParsedDocument
from schemas.record import Stamp

MIN_NAMED_HEADINGS = 3  # headings that the format names, from which they are the contents: fewer may be titles alone
MIN_SHARED_HEADINGS = 0.6  # share of them that numbering must find too, for it to tell more of the same
TITLED_FORMATS = ("html", "md")  # formats that have no other way to set a title than as the first heading
MIN_UNDER_TITLE = 2  # headings under the title; with a single one it may be a section as well
GIVEN_CONFIDENCE = 0.95  # of a heading that the format itself names: a style may still be used for its looks


def make_document(
    source: Source,
    settings: ParsingSettings,
    reading: Reading,
    *,
    attachments: Sequence[Attachment] = (),
    children: Sequence[ParsedDocument] = (),
) -> ParsedDocument:
    """The record of a document as its reader left it; writes into the reading's lines."""
    if reading.has_layout:
        mark_running_text(reading.pages)
        mark_regions(reading.pages)
        lines = number_lines(reading.pages)
        headings = read_layout(reading, lines)
    else:
        lines = number_lines(reading.pages)
        headings = _read_flow(reading, lines)
    reading.fields += read_marks(lines)
    return _build_record(source, settings, reading, lines, headings, attachments=attachments, children=children)


def _read_flow(reading: Reading, lines: Sequence[Line]) -> list[Heading]:
    """Headings of a document without a layout; writes what roles and paragraphs the reader left open."""
    lay_out(lines)
    mark_contents(lines, reading.links)
    mark_captions(lines)
    headings = merge_headings(reading.headings or (), lines, is_paged=reading.page_unit in ("sheet", "slide"))
    mark_headings(lines, headings)
    if reading.format in TITLED_FORMATS:
        headings = _without_title(headings)
    if any(line.paragraph_id == 0 for line in lines):
        number_paragraphs(lines)
    return headings


def _without_title(headings: Sequence[Heading]) -> list[Heading]:
    """The headings without the one at the top that numbered sections all stand under: a title, which is no section."""
    ordered = sorted(headings, key=lambda heading: heading.line_id)
    lower = ordered[1:]
    numbered = sum(read_mark(heading.title) is not None for heading in lower)
    is_title = len(lower) >= MIN_UNDER_TITLE and all(heading.level > ordered[0].level for heading in lower)
    return lower if is_title and 2 * numbered > len(lower) and read_mark(ordered[0].title) is None else ordered


def number_lines(pages: Sequence[PageRead]) -> list[Line]:
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


def merge_headings(given: Sequence[GivenHeading], lines: Sequence[Line], *, is_paged: bool = False) -> list[Heading]:
    """The headings that the format names, and where it names none, those that the text's numbering shows.

    Numbers that go deeper than named headings count where they hold most of those too; else they number other things:
    the items of lists. `is_paged`: a sheet or slide is a section by itself, and numbers on it are items or cells.
    """
    native = [
        Heading(
            heading.level, heading.title, heading.line.line_id, (heading.last or heading.line).line_id, heading.found,
            heading.source, GIVEN_CONFIDENCE,
        )
        for heading in given
        if heading.title.strip()
    ]  # fmt: skip
    if is_paged and native:
        return native
    body = find_headings(lines)
    if len(body) <= len(native):
        return native
    numbered = {heading.line_id for heading in body}
    shared = sum(heading.line_id in numbered for heading in native)
    is_named = len(native) >= MIN_NAMED_HEADINGS and shared < MIN_SHARED_HEADINGS * len(native)
    if is_named:
        return native
    subject = [heading for heading in native if heading.source == SUBJECT]  # of a message: all else stands below it
    if native and not subject:
        return combine_headings(native, body, {line.line_id: line for line in lines}, is_list=False)
    return subject + [replace(heading, level=heading.level + len(subject)) for heading in body]


def _build_record(
    source: Source,
    settings: ParsingSettings,
    reading: Reading,
    lines: Sequence[Line],
    headings: Sequence[Heading],
    *,
    attachments: Sequence[Attachment] = (),
    children: Sequence[ParsedDocument] = (),
) -> ParsedDocument:
    """The record out of numbered lines with roles and paragraphs, and the headings."""
    tables = _make_tables(reading, lines, headings)
    return ParsedDocument(
        doc_id=source.doc_id,
        sha256=source.sha256,
        source_name=source.name,
        format=reading.format,
        profile=make_profile(source, reading, lines, tables),
        stamp=Stamp(
            lineproof=own_version(),
            libraries={"pandas": pd.__version__, **reading.libraries},
            input_sha256={"document": source.sha256},
            settings=settings.model_dump(mode="json"),
        ),
        attachments=tuple(attachments),
        children=tuple(children),
        **tables,
    )


@cache
def own_version() -> str:
    """Version of the installed distribution; 'uninstalled' where the code runs from a bare checkout."""
    try:
        return version("lineproof")
    except PackageNotFoundError:
        return "uninstalled"


def _make_tables(reading: Reading, lines: Sequence[Line], headings: Sequence[Heading]) -> dict[str, Any]:
    toc = make_toc(headings, lines)  # before line_df: it writes the lines' sections
    objects = find_objects(lines)
    return {
        "line_df": make_line_df(lines),
        "page_df": make_page_df(reading.pages, reading.cells),
        "toc_df": toc,
        "object_df": objects,
        "cross_ref_df": find_references(lines, objects, toc, reading.links),
        "image_df": make_image_df(reading.pages),
        "span_df": make_span_df(reading.pages),
        "table_df": make_table_df(reading.cells),
        "field_df": make_field_df(reading.fields),
        "finding_df": make_finding_df(reading.pages, lines, reading.findings),
    }
