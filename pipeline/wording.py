"""Values and places in the words that people use; shared by the case and the command line."""

from __future__ import annotations

import unicodedata

from schemas.answer import EvidenceSpan
from schemas.places import PageUnit
from schemas.values import Amount, BooleanValue, Value, wording_of


def words_of(value: Value) -> str:
    """The value as the document writes it; yes or no, with its exceptions, for a clause."""
    match value:
        case BooleanValue():
            told = "yes" if value.value else "no"
            return f"{told}, except: {'; '.join(value.exceptions)}" if value.exceptions else told
        case Amount():
            told = _with_currency(value)
            return f"{told} {value.basis}" if value.basis and value.basis not in told else told
        case _:
            return wording_of(value)


def place_of(span: EvidenceSpan) -> str:
    """Page (slide, sheet) and lines as people count them; lines alone where the format has no pages."""
    pages = (span.page_start or 1, span.page_end or 1)
    return tell_place(span.page_unit, pages, (span.page_line_start, span.page_line_end))


def tell_place(unit: PageUnit, pages: tuple[int, int], lines: tuple[int, int]) -> str:
    """First and last page and line of a range, in words; `lines` count on their page."""
    if unit == "none":
        return lines_of(*lines)
    if pages[0] == pages[1]:
        return f"{unit} {pages[0]}, {lines_of(*lines)}"
    return f"{unit} {pages[0]} line {lines[0]} to {unit} {pages[1]} line {lines[1]}"


def tell_line(unit: PageUnit, page: int, line: int) -> str:
    """One line's place in running text: 'page 3 line 12', 'line 12' where the format has no pages."""
    return f"line {line}" if unit == "none" else f"{unit} {page} line {line}"


def tell_sweep(lines: int, pages: int, unit: PageUnit) -> str:
    """How much was searched: '1,204 lines on 16 pages', '88 lines'."""
    swept = f"{lines:,} line{'' if lines == 1 else 's'}"
    return swept if unit == "none" else f"{swept} on {pages:,} {unit}{'' if pages == 1 else 's'}"


def lines_of(start: int, end: int) -> str:
    """A range of lines on one page."""
    return f"line {start}" if start == end else f"lines {start}-{end}"


def _with_currency(amount: Amount) -> str:
    """The amount as written, after its currency where the figure stands alone, as in a column of a table."""
    stands_alone = not any(sign.isalpha() or unicodedata.category(sign) == "Sc" for sign in amount.original)
    return f"{amount.currency} {amount.original}" if amount.currency and stands_alone else amount.original
