"""Percentages: '5 %', 'five percent (5%)', '1.5% per month', 'cinco por ciento', 'cinq pour cent'."""

from __future__ import annotations

import re

from pipeline.values.equality import same_value
from pipeline.values.found import FoundValue, fold
from pipeline.values.numerals import NUMBER, RANGE_START
from pipeline.values.pairs import merge_restated, written_number
from schemas.answer import Percentage, Value

_SIGN = r"(?:%|per[\s-]?cent(?:um)?\b|por\s+ciento\b|pour\s+cent\b)"
_PERIOD = r"(?:\s+(?:per\s+(?:annum|calendar\s+(?:month|year|quarter)|\w+)))?"
_PERCENTAGE = re.compile(rf"(?:{RANGE_START})?{NUMBER}\s*{_SIGN}(?P<period>{_PERIOD})", re.IGNORECASE)
_HAS_SIGN = re.compile(_SIGN, re.IGNORECASE)  # quickly told of the many texts without
_FRACTION_BEFORE = re.compile(
    r"\b(?:half|quarters?|thirds?|fourths?|fifths?|eighths?|tenths?)(?:\s*\([^)]{1,6}\))?\s+of\s+$", re.IGNORECASE
)
_MINUS_BEFORE = re.compile(r"(?:^|(?<=[\s(]))-$")


def find_percentages(text: str, language: str) -> tuple[FoundValue, ...]:
    """Percentages in `text`, left to right; the period of a rate is part of the original wording."""
    found: list[FoundValue] = []
    folded = fold(text)
    if not _HAS_SIGN.search(folded):
        return ()
    for match in _PERCENTAGE.finditer(folded):
        first = match.start("words") if match["words"] is not None else match.start("digits")
        if _FRACTION_BEFORE.search(folded, max(0, first - 30), first):
            continue  # 'one-half of one percent' is not one percent
        for start, end, number in written_number(match, text, language, group="," if language == "en" else ""):
            minus = _MINUS_BEFORE.search(folded, max(0, start - 2), start) is not None
            original = text[start - minus : end]
            value = Percentage(value=-number if minus else number, original=original)
            found.append(FoundValue(start - minus, end, value))
    return merge_restated(found, text, same_value, _reworded)


def _reworded(value: Value, original: str) -> Value:
    return value.model_copy(update={"original": original})
