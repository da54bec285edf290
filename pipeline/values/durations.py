"""Spans of time: 'five (5) years', 'sixty-day', 'treinta (30) días hábiles', 'dix-huit mois'."""

from __future__ import annotations

import re
from decimal import Decimal

from pipeline.values.equality import same_value
from pipeline.values.found import FoundValue, fold
from pipeline.values.numerals import NUMBER, NUMBER_WORDS, RANGE_START
from pipeline.values.pairs import merge_restated, written_number
from schemas.answer import Duration, DurationUnit, Value

_UNITS: tuple[tuple[str, DurationUnit], ...] = (
    (r"(?:business|working|banking|trading)[\s-]+days?", "business_day"),
    (r"dias?\s+(?:habil(?:es)?|laborables?|laboral(?:es)?|bancarios?)", "business_day"),
    (r"jours?\s+(?:ouvres?|ouvrables?)", "business_day"),
    (r"hours?|heures?|horas?", "hour"),
    (r"days?|dias?|jours?", "day"),
    (r"weeks?|semaines?|semanas?", "week"),
    (r"months?|mois|mes(?:es)?", "month"),
    (r"quarters?|trimestres?", "quarter"),
    (r"years?|ans?|annees?|anos?", "year"),
)
_UNIT = "(?P<unit>" + "|".join(pattern for pattern, _ in _UNITS) + r")(?![\w])"
_ADJECTIVE = (
    r"(?:(?:full|consecutive|successive|calendar|additional|further|complete|entire|whole|contract|fiscal|more|other"
    r"|continuous|uninterrupted|clear|prior)[\s-]+)"
)
_DURATION = re.compile(
    rf"(?:{RANGE_START})?{NUMBER}[\s-]{{1,6}}{_ADJECTIVE}{{0,2}}{_UNIT}",
    re.IGNORECASE,
)
# What every span of time has: a unit behind a blank or a hyphen, and a number. Quickly told of the many texts without.
_HAS_UNIT = re.compile("[\\s-]" + _UNIT, re.IGNORECASE)
_HAS_NUMBER = re.compile(rf"\d|{NUMBER_WORDS}", re.IGNORECASE)
_YEAR_NUMBERS = (Decimal(1900), Decimal(2100))  # '2020 years' is a calendar year beside a word, not a span of time


def find_durations(text: str, language: str) -> tuple[FoundValue, ...]:
    """Durations in `text`, left to right. Business days are their own unit; a bare 'a year' is no number."""
    found: list[FoundValue] = []
    folded = fold(text)
    if not (_HAS_UNIT.search(folded) and _HAS_NUMBER.search(folded)):
        return ()
    for match in _DURATION.finditer(folded):
        unit = _unit_of(match["unit"])
        for start, end, number in written_number(match, text, language):
            if number > 0 and not (unit == "year" and _YEAR_NUMBERS[0] <= number <= _YEAR_NUMBERS[1]):
                value = Duration(number=number, unit=unit, original=text[start:end])
                found.append(FoundValue(start, end, value))
    return merge_restated(found, text, same_value, _reworded)


def _reworded(value: Value, original: str) -> Value:
    return value.model_copy(update={"original": original})


def _unit_of(words: str) -> DurationUnit:
    for pattern, unit in _UNITS:
        if re.fullmatch(pattern, words, re.IGNORECASE):
            return unit
    raise ValueError(f"no unit of time is written {words!r}")
