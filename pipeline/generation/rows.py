"""Numbers in table rows whose unit stands in the header above: 'Expedite Fee  2,400' under 'Amount (EUR)'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.generation.passages import Passage, Sentence, is_caption, is_row
from pipeline.generation.proposal import ProposedSpan
from pipeline.generation.topic import Topic
from pipeline.scope.sentences import is_sentence
from pipeline.values import find_values
from pipeline.values.currencies import CODE
from schemas.answer import Amount, Value

MAX_HEADER_LINES = 60  # lines above a row in which its header is looked for: a page
_CURRENCY = re.compile(rf"{CODE}|[€£$]")
_CELLS = re.compile(r"\s{2,}|\t")
_HEADER_CELLS = re.compile(r"\s{2,}|\t|(?<=\))\s+")  # a unit in brackets ends a column's title
_SIGNS = {"EUR": "€", "GBP": "£", "USD": "$", "JPY": "¥"}
_NUMBER = re.compile(r"\(?\d[\d.,']*\)?")


@dataclass(frozen=True, slots=True)
class Row:
    """A line that may be the header of a table: it names a currency and holds no number."""

    line_id: int
    span: ProposedSpan
    text: str


RowValue = tuple[int, int, Value, ProposedSpan | None]


def find_headers(passages: Sequence[Passage]) -> tuple[Row, ...]:
    """Header rows of all passages, in the document's order, each line once."""
    rows: dict[int, Row] = {}
    for passage in passages:
        for sentence in passage.sentences:
            text = passage.text[sentence.start : sentence.end]
            named = _CURRENCY.search(text)
            if sentence.kind not in ("row", "caption") or named is None or re.search(r"\d", text):
                continue
            first, last = passage.line_range(sentence.start, sentence.end)
            rows.setdefault(first, Row(first, ProposedSpan(passage.candidate.candidate_id, first, last), text))
    return tuple(rows[line_id] for line_id in sorted(rows))


def row_values(passage: Passage, sentence: Sentence, headers: Sequence[Row], topic: Topic) -> list[RowValue]:
    """The amount of a table row, in the currency of its column's header, with the header's place; at most one.

    Numbers and column titles are matched from the right. A row with several amounts gives the one whose title holds
    most of the question's words, and none where titles do not tell.
    """
    text = passage.text[sentence.start : sentence.end]
    cells = _cells(text)
    numbers = [cell for cell in cells[1:] if _NUMBER.fullmatch(cell[1])]
    line_id = passage.line_range(sentence.start, sentence.end)[0]
    header = next((row for row in reversed(headers) if 0 < line_id - row.line_id <= MAX_HEADER_LINES), None)
    if not numbers or header is None:
        return []
    titles = [title for title in _HEADER_CELLS.split(header.text.strip()) if title]
    columns = list(zip(reversed(numbers), reversed(titles), strict=False))
    priced = [(cell, title) for cell, title in columns if _CURRENCY.search(title)]
    if len(priced) > 1:
        ranked = sorted(priced, key=lambda pair: -topic.coverage(pair[1]))
        if topic.coverage(ranked[0][1]) == topic.coverage(ranked[1][1]):
            return []
        priced = ranked[:1]
    if not priced:
        return []
    (start, written), title = priced[0]
    currency = _CURRENCY.search(title)
    read = find_values(f"{currency.group(0) if currency else ''} {written}", "amount", language=topic.brief.language)
    if len(read) != 1 or not isinstance(read[0].value, Amount):
        return []
    value = read[0].value.model_copy(update={"original": written, "basis": None})
    return [(start, start + len(written), value, header.span)]


def has_header_with(number: str, currency: str, texts: Sequence[str]) -> bool:
    """True when a table's row among the cited lines holds the bare number, and a header above it names the currency.

    `texts` in the document's order. A header is a row, a caption or a title, no sentence, and holds no amount itself.
    """
    if names_currency(number, currency):
        return False
    written = re.compile(rf"(?<![\w.,]){re.escape(' '.join(number.split()))}(?![\d]|[.,]\d)")
    heads = [at for at, text in enumerate(texts) if names_currency(text, currency) and _is_head(text)]
    return any(
        is_row(text.strip()) and written.search(" ".join(text.split())) and any(head < at for head in heads)
        for at, text in enumerate(texts)
    )


def names_currency(text: str, code: str) -> bool:
    """True when the currency's code or sign stands in the text."""
    return re.search(rf"(?<![A-Za-z]){re.escape(code)}(?![A-Za-z])", text) is not None or _SIGNS.get(code, "\0") in text


def _is_head(text: str) -> bool:
    flat = text.strip()
    return not find_values(flat, "amount") and (is_row(flat) or is_caption(flat) or not is_sentence(flat))


def _cells(text: str) -> list[tuple[int, str]]:
    """Cells of a row with their offsets."""
    cells: list[tuple[int, str]] = []
    at = 0
    for gap in _CELLS.finditer(text):
        cells.append((at, text[at : gap.start()]))
        at = gap.end()
    cells.append((at, text[at:].rstrip()))
    return [(start, cell) for start, cell in cells if cell]
