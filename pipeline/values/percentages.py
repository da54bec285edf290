# ruff: noqa: E501  # patterns are read whole, on one line
"""Percentages: '5 %', 'five percent (5%)', '1.5% per month', 'cinco por ciento', 'cinq pour cent'."""

from __future__ import annotations

import re
from decimal import Decimal

from pipeline.values.equality import same_value
from pipeline.values.found import FoundValue, Taken, fold_cells
from pipeline.values.numerals import HALF, NUMBER, RANGE_START, read_fraction
from pipeline.values.pairs import merge_restated, written_number
from schemas.answer import Percentage, Value

_OF_HUNDRED = r"(?:p\.\s?100|(?:por|pour)\s+100)(?![\d.,]\d)(?=\s*(?:$|[.,;:()]|(?:de|del|du|des|d'|anual|annuel|sobre|sur|par|y|o|a|et|ou)\b))"
_SIGN = (
    r"(?:%|percentage\s+points?\b|puntos?\s+porcentuales\b|points?\s+de\s+pourcentage\b"
    r"|(?P<hundredths>basis\s+points?\b|puntos?\s+basicos?\b|points?\s+de\s+base\b|(?-i:bps?|pbs?)(?![\w]))"
    rf"|per[\s-]?cent(?:um)?\b|por\s+ciento\b|pour[\s-]+cent\b|{_OF_HUNDRED})"
)
_BASIS_STOP = r"(?:and|or|if|for|from|in|on|by|to|that|which|shall|will|is|are|per|paid|payable|with|within|received|due|as|at|y|o|si|que|para|por|en|et|ou|pour|par|dans|sera)"
_BASIS_WORD = rf"(?!{_BASIS_STOP}\b)[A-Za-z][\w'-]*"
# The period of a rate: 'per month', 'p.a.', 'a year', 'anual', 'al mes', 'par mois', 'l'an'.
_RATE = (
    r"(?:per\s+(?!cent)(?:annum|calendar\s+(?:month|year|quarter)|\w+)|p\.\s?a\.|p\.\s?m\.|an?\s+(?:year|month|week|day)\b(?!\s+(?:and|later|after))"
    r"|(?:annually|monthly|quarterly|yearly|anual(?:es)?|mensual(?:es)?|trimestral(?:es)?|annuels?|mensuels?|trimestriels?)\b"
    r"|al\s+(?:ano|mes|dia|trimestre)\b|por\s+(?:ano|mes|dia|trimestre)\b|par\s+(?:an|mois|jour|trimestre|annee)\b|l'an\b)"
)
_OF_INTEREST = r"(?:\s+(?:de\s+interes(?:es)?|d'interets?|(?:in\s+)?interest))?"
_PERIOD = rf"(?:{_OF_INTEREST}\s+{_RATE})?"
_PERCENTAGE = re.compile(
    rf"(?:{RANGE_START})?(?P<loss>\((?=[\d.,]+\)\s?%))?{NUMBER}(?(loss)\))[\s\0]*{_SIGN}(?P<period>{_PERIOD})",
    re.IGNORECASE,
)
_RATE_INSIDE = re.compile(rf"(?<=\s)(?P<rate>{_RATE})$", re.IGNORECASE)
_PERIOD_BEHIND = re.compile(rf"[\s,]{{0,2}}{_OF_INTEREST}\s+(?P<rate>{_RATE})", re.IGNORECASE)
# A part of one percent: '1/2%', '½ %', 'one half of one percent', 'medio por ciento', 'un quart de point ...' is none.
_SHARES = {"half": 2, "halves": 2, "quarter": 4, "fourth": 4, "fifth": 5, "eighth": 8, "tenth": 10}
_SHARE = (
    r"(?:(?P<times>an?|one|two|three|four|five|seven|nine)[\s-]+)?(?P<share>half|quarter|fourth|fifth|eighth|tenth)s?"
)
_ONE = r"(?:\s+of\s+(?:one|an?|1)(?:\s*\((?:1|one)\))?)"
_IN_FIGURES = r"(?<![\w.,/])(?<!\d[\s-])(?P<figures>\d{1,2}/(?:2|4|5|8|10|16|20|32|100)(?!\d)|[½¼¾⅛⅜⅝⅞])"
_PART_OF_ONE = re.compile(
    rf"(?:{_IN_FIGURES}{_ONE}?|(?<![\w-])(?<!\band[\s-])(?<!\by\s)(?<!\bet[\s-])(?:{_SHARE}(?:\s*\([^)]{{1,6}}\))?(?:{_ONE}|\s+an?(?=\s+percent))?|(?P<half>medio|un\s+demi)))"
    rf"[\s-]*{_SIGN}(?P<period>{_PERIOD})",
    re.IGNORECASE,
)
_TIMES = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "seven": 7, "nine": 9}
_EITHER_WAY = re.compile(r"(?:±|\+\s?/\s?-|\+-)\s?$")  # a tolerance is no share
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
    folded = fold_cells(text)
    if not _HAS_SIGN.search(folded):
        return ()
    parts = _parts_of_one(folded, text)
    taken = Taken(parts)
    found = [*parts, *(one for one in _whole_numbers(folded, text, language) if not taken.touches(one.start, one.end))]
    found.sort(key=lambda one: one.start)
    merged = merge_restated(found, text, same_value, _reworded)
    return tuple(FoundValue(one.start, one.end, _based(one, folded, text)) for one in merged)


def _whole_numbers(folded: str, text: str, language: str) -> list[FoundValue]:
    found: list[FoundValue] = []
    for match in _PERCENTAGE.finditer(folded):
        first = match.start("words") if match["words"] is not None else match.start("digits")
        if _FRACTION_BEFORE.search(folded, max(0, first - 30), first):
            continue  # 'one-third of one percent' is not one percent
        if _EITHER_WAY.search(folded, max(0, match.start() - 4), match.start()):
            continue
        for begin, end, written in written_number(match, text, language, group="," if language == "en" else ""):
            start = match.start("loss") if match["loss"] else begin
            number = written / 100 if match["hundredths"] else written
            minus = _MINUS_BEFORE.search(folded, max(0, start - 2), start) is not None
            original = text[start - minus : end]
            value = Percentage(value=-number if minus or match["loss"] else number, original=original)
            found.append(FoundValue(start - minus, end, value))
    return found


def _parts_of_one(folded: str, text: str) -> list[FoundValue]:
    """Halves, quarters, eighths and tenths of one percent; a third has no exact number and is none."""
    found = []
    for match in _PART_OF_ONE.finditer(folded):
        start, end = match.span()
        if _EITHER_WAY.search(folded, max(0, start - 4), start):
            continue
        if match["figures"] is not None:
            number = read_fraction(match["figures"])
        elif match["share"] is not None:
            number = Decimal(_TIMES[(match["times"] or "one").lower()]) / _SHARES[match["share"].lower()]
        else:
            number = HALF
        number = number / 100 if match["hundredths"] else number
        found.append(FoundValue(start, end, Percentage(value=number, original=text[start:end])))
    return found


def _based(one: FoundValue, folded: str, text: str) -> Value:
    """The percentage with the period of its rate and what it is a share of, in the document's words."""
    inside = _RATE_INSIDE.search(folded, one.start, one.end)
    behind = _PERIOD_BEHIND.match(folded, one.end) if inside is None else None
    told = [" ".join(text[slice(*each.span("rate"))].split()) for each in (inside, behind) if each is not None]
    share = _BASIS.match(folded, behind.end() if behind is not None else one.end)
    if share is not None:
        told.append(" ".join(text[share.start("lead") : share.end("what")].split()))
    return one.value.model_copy(update={"basis": " ".join(told)}) if told else one.value


def _reworded(value: Value, original: str) -> Value:
    return value.model_copy(update={"original": original})
