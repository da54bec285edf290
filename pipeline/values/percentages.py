# ruff: noqa: E501  # patterns are read whole, on one line
"""Percentages: '5 %', 'five percent (5%)', '1.5% per month', 'cinco por ciento', 'cinq pour cent'."""

from __future__ import annotations

import re

from pipeline.values.equality import same_value
from pipeline.values.found import FoundValue, fold
from pipeline.values.numerals import NUMBER, RANGE_START
from pipeline.values.pairs import merge_restated, written_number
from schemas.answer import Percentage, Value

_SIGN = r"(?:%|percentage\s+points?\b|puntos?\s+porcentuales\b|points?\s+de\s+pourcentage\b|(?P<hundredths>basis\s+points?\b|puntos?\s+basicos?\b|points?\s+de\s+base\b)|per[\s-]?cent(?:um)?\b|por\s+ciento\b|pour\s+cent\b)"
_BASIS_STOP = r"(?:and|or|if|for|from|in|on|by|to|that|which|shall|will|is|are|per|paid|payable|with|within|received|due|as|at|y|o|si|que|para|por|en|et|ou|pour|par|dans|sera)"
_BASIS_WORD = rf"(?!{_BASIS_STOP}\b)[A-Za-z][\w'-]*"
_PERIOD = r"(?:\s+(?:per\s+(?:annum|calendar\s+(?:month|year|quarter)|\w+)))?"
_PERCENTAGE = re.compile(
    rf"(?:{RANGE_START})?(?P<loss>\((?=[\d.,]+\)\s?%))?{NUMBER}(?(loss)\))\s*{_SIGN}(?P<period>{_PERIOD})",
    re.IGNORECASE,
)
_HAS_SIGN = re.compile(_SIGN, re.IGNORECASE)  # quickly told of the many texts without
_FRACTION_BEFORE = re.compile(
    r"\b(?:half|quarters?|thirds?|fourths?|fifths?|eighths?|tenths?)(?:\s*\([^)]{1,6}\))?\s+of\s+$", re.IGNORECASE
)
# What it is a share of, or comes on top of: 'of Net Sales', 'above the main refinancing rate of the ECB'.
_BASIS = re.compile(
    r"[\s)]{1,4}(?P<lead>of|above|over|below|in\s+excess\s+of|plus|(?:del|de\s+la|de\s+los|de\s+las|sobre|por\s+encima\s+de|mas)|(?:du|de\s+la|de\s+l'|des|au-dessus\s+de|sur))\s*"
    rf"(?P<what>(?:(?:the|its|such|all|any|each|el|la|los|las|le|les)\s+)*{_BASIS_WORD}(?:\s+(?:of\s+(?:the\s+)?|de\s+(?:la\s+)?|del\s+|du\s+)?{_BASIS_WORD}){{0,6}})",
    re.IGNORECASE,
)
_MINUS_BEFORE = re.compile(r"(?:^|(?<=[\s(]))-$")


def find_percentages(text: str, language: str) -> tuple[FoundValue, ...]:
    """Percentages in `text`, left to right; the period of a rate is part of the original wording.

    Basis points are hundredths of a percent; '(3.2)%' is negative, as accounts write a loss.
    """
    found: list[FoundValue] = []
    folded = fold(text)
    if not _HAS_SIGN.search(folded):
        return ()
    for match in _PERCENTAGE.finditer(folded):
        first = match.start("words") if match["words"] is not None else match.start("digits")
        if _FRACTION_BEFORE.search(folded, max(0, first - 30), first):
            continue  # 'one-half of one percent' is not one percent
        for begin, end, written in written_number(match, text, language, group="," if language == "en" else ""):
            start = match.start("loss") if match["loss"] else begin
            number = written / 100 if match["hundredths"] else written
            minus = _MINUS_BEFORE.search(folded, max(0, start - 2), start) is not None
            original = text[start - minus : end]
            value = Percentage(value=-number if minus or match["loss"] else number, original=original)
            found.append(FoundValue(start - minus, end, value))
    merged = merge_restated(found, text, same_value, _reworded)
    return tuple(FoundValue(one.start, one.end, _based(one, folded, text)) for one in merged)


def _based(one: FoundValue, folded: str, text: str) -> Value:
    """The percentage with what it is a share of, in the document's words."""
    behind = _BASIS.match(folded, one.end)
    if behind is None:
        return one.value
    words = " ".join(text[behind.start("lead") : behind.end("what")].split())
    return one.value.model_copy(update={"basis": words})


def _reworded(value: Value, original: str) -> Value:
    return value.model_copy(update={"original": original})
