"""The reader of plain text: its lines as they are, and where its paragraphs end."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from statistics import quantiles

from pipeline.parsing.lines import Line, PageRead, flow_line
from pipeline.parsing.numbering import LIST_ITEM, ends_sentence
from pipeline.parsing.reading import Finding, Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.text_encoding import decode_text
from schemas.errors import LimitExceededError

METHOD = "text"
MAX_WRAP_CHARS = 132  # characters of the widest line broken by hand or by a printer (line printers: 132)
MIN_WRAP_CHARS = 40  # a text whose lines are shorter is a list or a poem: each line stands for itself
WRAP_QUANTILE = 98  # per cent of the lines that end before the margin: a long address or link may stick out
SHORT_SHARE = 0.75  # of the margin: a line that ends before it, at a full stop, ends its paragraph
INDENT_CHARS = 2  # blanks more than the line above, from which a line begins a paragraph
TAB_WIDTH = 8  # columns between two stops of a typewriter's tabulator
_RULE = re.compile(r"[-=_*~#.\s]{3,}")  # a line drawn with characters
_BREAKS = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def read_text(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:
    """The text's lines on one page that stands for the whole; blank lines are left out, and end a paragraph.

    Raises LimitExceededError.
    """
    del password  # text is never locked
    decoded = decode_text(source.data)
    rows = split_rows(decoded.text)
    if len(rows) > settings.max_page_lines * settings.max_pages:
        raise LimitExceededError(
            f"{source.name}: {len(rows):,} lines, the limit is {settings.max_page_lines * settings.max_pages:,} "
            "(settings.max_page_lines x settings.max_pages); split the document, or raise a limit"
        )
    findings = [Finding("encoding", decoded.doubt)] if decoded.doubt else []
    return Reading("txt", "none", [flow_page(make_text_lines(rows), METHOD)], findings=findings)


def split_rows(text: str) -> list[str]:
    """The text's lines without what ends them, trailing blanks or tabulators; null characters are taken out."""
    return [row.expandtabs(TAB_WIDTH).rstrip() for row in _BREAKS.split(text.replace("\0", ""))]


def make_text_lines(rows: Sequence[str], *, method: str = METHOD, first_paragraph: int = 1) -> list[Line]:
    """A line for each row that is not blank, with paragraphs numbered from `first_paragraph`."""
    margin = _find_margin(rows)
    lines: list[Line] = []
    paragraph = first_paragraph - 1
    before = ""  # the row above, empty after a blank one
    for row in rows:
        if not row.strip():
            before = ""
            continue
        if not (before and margin and _goes_on(before, row, margin)):
            paragraph += 1
        lines.append(flow_line(row, method=method, paragraph_id=paragraph))
        before = row
    return lines


def flow_page(lines: list[Line], method: str) -> PageRead:
    """The one page that stands for a document without pages."""
    if any(line.text for line in lines):
        status, reason = "native", "Text as characters; the format has no pages."
    else:
        status, reason = "empty", "No text; the format has no pages."
    columns = 1 if any(line.visible for line in lines) else 0
    return PageRead(1, status, reason, columns=columns, method=method, lines=lines)


def _find_margin(rows: Sequence[str]) -> float:
    """Column at which the text's lines were broken; 0 where none was: each line is a paragraph then."""
    widths = sorted(len(row) for row in rows if row.strip())
    if len(widths) < 2:
        return 0.0
    margin = quantiles(widths, n=100, method="inclusive")[WRAP_QUANTILE - 1]
    return margin if MIN_WRAP_CHARS <= margin <= MAX_WRAP_CHARS else 0.0


def _goes_on(before: str, row: str, margin: float) -> bool:
    """The row continues the paragraph of the row above, in a text whose lines were broken at `margin`."""
    text, above = row.strip(), before.strip()
    if _RULE.fullmatch(text) or _RULE.fullmatch(above):
        return False
    if LIST_ITEM.match(text) and not _is_wrapped_number(above, text):
        return False
    indent, above_indent = len(row) - len(text), len(before) - len(above)
    if indent >= above_indent + INDENT_CHARS and not LIST_ITEM.match(above):
        return False
    if text.startswith(">") != above.startswith(">"):  # a quoted reply in a mail
        return False
    next_word = len(text.split(None, 1)[0])
    was_broken = len(before) + 1 + next_word > math.floor(margin)  # its next word had no room on the line above
    is_full = len(before) >= SHORT_SHARE * margin
    return was_broken or (is_full and not ends_sentence(above)) or (text[0].islower() and not ends_sentence(above))


def _is_wrapped_number(above: str, text: str) -> bool:
    """A row that begins with a number only because its sentence was broken there: 'Section / 3.5 and'."""
    rest = text.split(None, 1)
    return not ends_sentence(above) and text[0].isdigit() and len(rest) == 2 and rest[1][0].islower()
