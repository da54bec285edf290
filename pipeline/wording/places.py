"""Where a thing stands, as people count: pages, slides or sheets, and lines."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.wording.numbers import tell_number
from pipeline.wording.phrases import say
from schemas.answer import EvidenceSpan
from schemas.places import PageUnit


def place_of(span: EvidenceSpan, language: str = "en") -> str:
    """Page (slide, sheet) and lines as people count them; lines alone where the format has no pages."""
    pages = (span.page_start or 1, span.page_end or 1)
    return tell_place(span.page_unit, pages, (span.page_line_start, span.page_line_end), language)


def tell_place(unit: PageUnit, pages: tuple[int, int], lines: tuple[int, int], language: str = "en") -> str:
    """First and last page and line of a range, in words; `lines` count on their page."""
    if unit == "none":
        return lines_of(*lines, language)
    page = say(unit, language)
    if pages[0] == pages[1]:
        return f"{page} {pages[0]}, {lines_of(*lines, language)}"
    line = say("line", language)
    return f"{page} {pages[0]} {line} {lines[0]} {say('to', language)} {page} {pages[1]} {line} {lines[1]}"


def tell_line(unit: PageUnit, page: int, line: int, language: str = "en") -> str:
    """One line's place in running text: 'page 3 line 12', 'line 12' where the format has no pages."""
    told = f"{say('line', language)} {line}"
    return told if unit == "none" else f"{say(unit, language)} {page} {told}"


def tell_sweep(lines: int, pages: int, unit: PageUnit, language: str = "en") -> str:
    """How much was searched: '1,204 lines on 16 pages', '88 lines'."""
    count, word = tell_number(lines, language), say("line" if lines == 1 else "lines", language)
    if unit == "none":
        return f"{count} {word}"
    unit_word = say(unit if pages == 1 else f"{unit}s", language)
    return say("swept", language, lines=count, line_word=word, pages=tell_number(pages, language), unit=unit_word)


def lines_of(start: int, end: int, language: str = "en") -> str:
    """A range of lines on one page."""
    return f"{say('line', language)} {start}" if start == end else f"{say('lines', language)} {start}-{end}"


def pages_of(pages: Sequence[int]) -> str:
    """Page numbers, neighbours joined to a range: '2, 5-9'; empty for none."""
    told: list[list[int]] = []
    for page in sorted(set(pages)):
        if told and page == told[-1][1] + 1:
            told[-1][1] = page
        else:
            told.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in told)
