"""Counts of things: 'five (5) directors', 'up to 100 named users', 'doce tiendas', 'trois exemplaires'."""

from __future__ import annotations

import re

from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.values.amounts import find_amounts
from pipeline.values.dates import find_dates
from pipeline.values.durations import find_durations
from pipeline.values.equality import same_value
from pipeline.values.found import FoundValue, Taken, fold_cells
from pipeline.values.numerals import NUMBER, RANGE_START
from pipeline.values.pairs import merge_restated, written_number
from pipeline.values.percentages import find_percentages
from schemas.answer import Count, Value

MAX_NOUN_WORDS = 4  # words of what is counted: '100 concurrent named users'
# What is counted follows: words that are no function words, the first of them on the same line or the next.
_NOUN = re.compile(r"\s+(?:de\s+|d')?(?P<words>[^\W\d_]+(?:[\s-]+[^\W\d_]+){0,3})")
_NUMBERS = re.compile(rf"(?:{RANGE_START})?{NUMBER}", re.IGNORECASE)
_OTHER_KINDS = (find_amounts, find_dates, find_durations, find_percentages)
_BEHIND_NUMBER = re.compile(r"[ .)]{0,40}(?P<next>.)")
# A number that names a place or an order, and counts nothing: 'Section 5 applies', 'page 3 of', 'no. 12'.
_LABEL_BEFORE = re.compile(
    r"(?:section|article|clause|schedule|exhibit|annex|appendix|paragraph|part|chapter|page|table|figure|form|no|number|item"
    r"|seccion|articulo|clausula|anexo|apartado|pagina|tabla|numero|num|chapitre|annexe|tableau|numero|n[°º])s?[.\s]*$",
    re.IGNORECASE,
)


def find_counts(text: str, language: str) -> tuple[FoundValue, ...]:
    """Numbers of things in `text`, left to right, with the words of what is counted.

    No sum of money, date, span of time, percentage, number of a section or of a list item. A number without a noun
    behind it counts nothing.
    """
    folded = fold_cells(text)
    taken = Taken(other for find in _OTHER_KINDS for other in find(text, language))
    found: list[FoundValue] = []
    for match in _NUMBERS.finditer(folded):
        if taken.touches(*match.span()):
            continue
        if _LABEL_BEFORE.search(folded, max(0, match.start() - 20), match.start()) or _is_numbering(text, match):
            continue
        noun = _noun_behind(folded, match.end())
        if noun is None:
            continue
        end, words = noun
        for start, number_end, number in written_number(match, text, language):
            if number != number.to_integral_value():
                continue  # things are counted in whole numbers; '15.4' numbers a clause
            reach = end if number_end == match.end() else number_end
            found.append(FoundValue(start, reach, Count(number=number, of=words, original=text[start:reach])))
    return merge_restated(found, text, same_value, _reworded)


def _is_numbering(text: str, match: re.Match[str]) -> bool:
    """True for digits that end a code ('CB-4 board') or number a title at the start of a line ('3 Products')."""
    start = match.start()
    if not text[start : start + 1].isdigit():
        return False
    if start and text[start - 1] == "-":
        return True
    at_line_start = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    behind = _BEHIND_NUMBER.match(text, match.end())
    return at_line_start and behind is not None and behind["next"].isupper()


def _noun_behind(folded: str, at: int) -> tuple[int, str] | None:
    """End and words of what is counted, cut before the first function word; None where none follows."""
    match = _NOUN.match(folded, at)
    if match is None:
        return None
    end = match.start("words")
    kept: list[str] = []
    for part in re.finditer(r"[^\W\d_]+", match["words"]):
        if part.group().lower() in ALL_STOP_WORDS or len(kept) == MAX_NOUN_WORDS:
            break
        kept.append(part.group().lower())
        end = match.start("words") + part.end()
    if not kept or all(len(word) < 3 for word in kept):
        return None
    return end, " ".join(kept)


def _reworded(value: Value, original: str) -> Value:
    return value.model_copy(update={"original": original})
