"""Numbers in table rows whose unit stands in the header above: 'Expedite Fee  2,400' under 'Amount (EUR)'."""

from __future__ import annotations

import re

from pipeline.generation.passages import Passage, Sentence
from pipeline.values import find_values
from pipeline.values.currencies import CODE
from schemas.answer import Amount, Value

MAX_HEADER_LINES = 40  # lines above a row in which its header is looked for
_CELL = re.compile(r"(?:(?<=\s)|^)\(?\d[\d.,' ]*\d\)?(?=\s{2,}|\s*$|\s)|(?:(?<=\s)|^)\d(?=\s*$)")
_CURRENCY = re.compile(rf"{CODE}|[€£$]")

RowValue = tuple[int, int, Value, tuple[int, int] | None]


def row_values(passage: Passage, sentence: Sentence, answer_type: str, language: str) -> list[RowValue]:
    """Amounts of a table row by the currency of the header above it; the first number only, with the header's place.

    A row with several numbers is left alone: which column was meant cannot be told from lines.
    """
    if answer_type != "amount":
        return []
    text = passage.text[sentence.start : sentence.end]
    cells = [match for match in _CELL.finditer(text) if re.search(r"\S\s", text[: match.start()])]
    header = _header_above(passage, sentence)
    if len(cells) != 1 or header is None:
        return []
    currency, place = header
    written = cells[0].group(0).strip()
    read = find_values(f"{currency} {written}", "amount", language=language)
    if len(read) != 1 or not isinstance(read[0].value, Amount):
        return []
    value = read[0].value.model_copy(update={"original": written})
    start = cells[0].start() + len(cells[0].group(0)) - len(cells[0].group(0).lstrip())
    return [(start, start + len(written), value, place)]


def _header_above(passage: Passage, sentence: Sentence) -> tuple[str, tuple[int, int]] | None:
    """Currency and place of the nearest row above that names one and holds no number of its own."""
    index = passage.sentences.index(sentence)
    for above in reversed(passage.sentences[max(0, index - MAX_HEADER_LINES) : index]):
        words = passage.text[above.start : above.end]
        if above.kind not in ("row", "caption"):
            return None
        named = _CURRENCY.search(words)
        if named is not None and not re.search(r"\d", words.replace(named.group(0), "")):
            return named.group(0), (above.start, above.end)
    return None
