"""The lines that a reviewer points at, copied from the document by code, and what is odd about the value they give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dictionaries.folding import folded_text
from dictionaries.workbook_cells import NO, YES
from pipeline.values import find_values, same_value
from schemas.document import ParsedDocument
from schemas.errors import InputError
from schemas.retrieval import AuditedRetrievalResult
from schemas.tables import NOT_TEXT_ROLES
from schemas.values import wording_of

MAX_LINES = 200  # lines of one correction, some four pages: more is no quote of a value
_TYPES = ("date", "duration", "amount", "percentage", "iban")  # whose value must stand in the lines
_FIGURE = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
RoleThen = Literal["primary", "supporting", "tangential", "discarded", "not_proposed"]
_ROLES: tuple[RoleThen, ...] = ("primary", "supporting", "tangential", "discarded")  # best first


@dataclass(frozen=True, slots=True)
class Quoted:
    """Lines of a page as they stand in the document."""

    page_num: int
    line_start: int
    line_end: int
    text: str
    line_ids: tuple[int, ...]
    notes: tuple[str, ...]  # of lines that no reader sees, or that belong to no text


def copy_lines(document: ParsedDocument, page: int, first: int, last: int) -> Quoted:
    """Lines `first` to `last` of a page, numbered as the answer cites them; joined by line breaks, verbatim.

    Raises InputError where the page or one of the lines is not there, saying what is.
    """
    if not 1 <= first <= last:
        raise InputError(f"lines {first}-{last}: the first comes before the last, and lines count from 1")
    if last - first >= MAX_LINES:
        raise InputError(f"lines {first}-{last}: more than {MAX_LINES} lines; name those that hold the value")
    lines = document.line_df
    on_page = lines[lines["page_num"] == page]
    if not len(on_page):
        pages = sorted({int(number) for number in lines["page_num"]})
        known = f"pages {pages[0]} to {pages[-1]}" if pages else "none"
        raise InputError(f"{document.source_name}: page {page} has no lines; lines were read from {known}")
    chosen = on_page[(on_page["line_num"] >= first) & (on_page["line_num"] <= last)].sort_values("line_num")
    if len(chosen) != last - first + 1:
        raise InputError(
            f"{document.source_name}, page {page}: lines {first}-{last} are not all there; the page has lines "
            f"{int(on_page['line_num'].min())} to {int(on_page['line_num'].max())}"
        )
    notes = []
    if not chosen["visible"].all():
        notes.append("One of the lines is hidden text, which no reader of the document sees.")
    if chosen["role"].isin(NOT_TEXT_ROLES).all():
        notes.append("The lines are running headers or footers, which are not searched.")
    text = "\n".join(str(each) for each in chosen["text"])
    return Quoted(page, first, last, text, tuple(int(each) for each in chosen["line_id"]), tuple(notes))


def notes_on(value: str, quote: str) -> tuple[str, ...]:
    """What of a value does not stand in the lines it is said to come from, a sentence each; () for nothing.

    The reviewer may be right all the same: text recognition misreads figures, and a value may be computed.
    """
    words = re.escape(folded_text(" ".join(value.split())))
    if re.search(rf"(?<!\w){words}(?!\w)", folded_text(" ".join(quote.split()))):
        return ()
    return tuple(dict.fromkeys(_missing(value, quote)))


def role_then(found: AuditedRetrievalResult, quoted: Quoted) -> RoleThen:
    """The best role that the run gave to a passage with one of the lines; 'not_proposed' for none.

    Of a kept candidate all lines count that were handed on, of a discarded one those of its match.
    """
    lines, first, last = set(quoted.line_ids), (quoted.page_num, quoted.line_start), (quoted.page_num, quoted.line_end)
    roles: set[str | None] = {one.role for one in found.candidates if any(line.line_id in lines for line in one.lines)}
    for one in found.provenances:
        anchor = one.anchor
        if (anchor.page_start, anchor.line_start) <= last and (anchor.page_end, anchor.line_end) >= first:
            roles.add(one.role)
    return next((role for role in _ROLES if role in roles), "not_proposed")


def _missing(value: str, quote: str) -> Iterator[str]:
    typed = False
    for name in _TYPES:
        stated = [one.value for one in find_values(quote, name)]
        for one in find_values(value, name):
            typed = True
            if not any(same_value(one.value, each) for each in stated):
                yield f"The {name} {wording_of(one.value)!r} does not stand in the quoted lines."
    if typed:
        return
    figures = set(_FIGURE.findall(quote))
    absent = [figure for figure in _FIGURE.findall(value) if figure not in figures]
    if absent:
        yield f"The figure {', '.join(dict.fromkeys(absent))} does not stand in the quoted lines."
    elif not _FIGURE.search(value):
        words = set(_WORD.findall(folded_text(value)))
        if words and not words <= YES | NO and not words & set(_WORD.findall(folded_text(quote))):
            yield "None of the words of the value stand in the quoted lines."
