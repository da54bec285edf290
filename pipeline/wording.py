"""Values and places in the words that people use; shared by the case and the command line."""

from __future__ import annotations

import unicodedata

from schemas.answer import Amount, BooleanValue, EvidenceSpan, Identifier, TextValue, Value


def words_of(value: Value) -> str:
    """The value as the document writes it; yes or no, with its exceptions, for a clause."""
    match value:
        case BooleanValue():
            told = "yes" if value.value else "no"
            return f"{told}, except: {'; '.join(value.exceptions)}" if value.exceptions else told
        case TextValue() | Identifier():
            return value.text
        case Amount():
            told = _with_currency(value)
            return f"{told} {value.basis}" if value.basis and value.basis not in told else told
        case _:
            return value.original


def place_of(span: EvidenceSpan) -> str:
    """Page and lines as people count them."""
    if span.page_start == span.page_end:
        return f"page {span.page_start}, {lines_of(span.page_line_start, span.page_line_end)}"
    return f"page {span.page_start} line {span.page_line_start} to page {span.page_end} line {span.page_line_end}"


def lines_of(start: int, end: int) -> str:
    """A range of lines on one page."""
    return f"line {start}" if start == end else f"lines {start}-{end}"


def _with_currency(amount: Amount) -> str:
    """The amount as written, after its currency where the figure stands alone, as in a column of a table."""
    stands_alone = not any(sign.isalpha() or unicodedata.category(sign) == "Sc" for sign in amount.original)
    return f"{amount.currency} {amount.original}" if amount.currency and stands_alone else amount.original
