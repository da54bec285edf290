"""What only the whole laid-out document shows: running text, headings, footnotes, paragraphs over page breaks."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.parsing.body_headings import find_headings
from pipeline.parsing.combining import combine_headings
from pipeline.parsing.contents_page import find_listed
from pipeline.parsing.layout_model import refine_headings
from pipeline.parsing.lines import Line
from pipeline.parsing.outline import Heading, match_outline
from pipeline.parsing.paragraphs import RUNNING, number_paragraphs
from pipeline.parsing.reading import Finding, Reading
from pipeline.parsing.roles import (
    mark_captions,
    mark_contents,
    mark_footnotes,
    mark_headings,
    mark_typographic_headings,
)
from pipeline.parsing.table_pages import mark_tables

MIN_OUTLINE_SHARE = (
    0.25  # share of outline entries whose heading must be found, for the outline to be worth more than none
)
MIN_OUTLINE_ENTRIES = 2  # a single entry is a bookmark on the file, not a table of contents
MAX_OUTLINE_FAULTS = 50  # findings on the outline listed one by one; the rest is counted


def read_layout(reading: Reading, lines: Sequence[Line]) -> list[Heading]:
    """Write roles and paragraphs into the numbered lines of a document with a layout; gives its headings.

    Running text is marked before, by `mark_running_text`: its lines come last on their page. Faults of the outline are
    added to the findings.
    """
    mark_contents(lines, reading.links)
    mark_captions(lines)
    reading.cells += mark_tables(reading.pages)
    headings, astray = _find_headings(reading, lines)
    reading.findings += _list_faults(astray)
    mark_headings(lines, headings)
    mark_typographic_headings(lines)
    mark_footnotes(lines, {page.page_num: page.height for page in reading.pages})
    number_paragraphs(lines)
    return headings


def _find_headings(reading: Reading, lines: Sequence[Line]) -> tuple[list[Heading], list[str]]:
    """The outline's headings, or those of the text's own numbering where no outline fits; and what is astray."""
    if not lines:
        return [], []
    by_page: dict[int, list[Line]] = {page.page_num: [] for page in reading.pages}
    heights = {page.page_num: page.height for page in reading.pages}
    for line in lines:
        if line.visible and line.role not in RUNNING and line.role != "toc_entry":
            by_page[line.page_num].append(line)
    native, faults = match_outline(reading.outline, by_page, heights)
    found = sum(heading.found for heading in native)
    if len(native) >= MIN_OUTLINE_ENTRIES and found >= MIN_OUTLINE_SHARE * len(native):
        return native, faults
    body = refine_headings(find_headings(lines), reading.pages)
    listed = find_listed(lines, by_page, heights, reading.links)
    if listed:
        return combine_headings(listed, body, {line.line_id: line for line in lines}), faults
    return (body if len(body) > len(native) or not found else native), faults


def _list_faults(faults: Sequence[str]) -> list[Finding]:
    listed = [Finding("outline", fault) for fault in faults[:MAX_OUTLINE_FAULTS]]
    if len(faults) > MAX_OUTLINE_FAULTS:
        listed.append(
            Finding("outline", f"{len(faults) - MAX_OUTLINE_FAULTS:,} more entries of the outline are broken.")
        )
    return listed
