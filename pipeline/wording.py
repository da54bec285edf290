"""Values and places in the words that people use; shared by the case and the command line."""

from __future__ import annotations

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
            return (
                f"{value.original}, {value.basis}"
                if value.basis and value.basis not in value.original
                else value.original
            )
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
