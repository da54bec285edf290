# ruff: noqa: E501  # patterns are read whole, on one line
"""Spans of time: 'five (5) years', 'sixty-day', 'treinta (30) días hábiles', 'dix-huit mois', 'month-to-month'."""

from __future__ import annotations

import re
from decimal import Decimal

from pipeline.values.equality import same_value
from pipeline.values.events import read_event
from pipeline.values.found import FoundValue, Taken, fold_cells
from pipeline.values.numerals import HALF, NUMBER, NUMBER_WORDS, RANGE_START
from pipeline.values.pairs import merge_restated, written_number
from schemas.values import Duration, DurationUnit, Value

_UNITS: tuple[tuple[str, DurationUnit], ...] = (
    (r"(?:business|working|banking|trading)[\s-]+days?", "business_day"),
    (r"dias?\s+(?:habil(?:es)?|laborables?|laboral(?:es)?|bancarios?|de\s+negocio)", "business_day"),
    (r"jours?\s+(?:ouvres?|ouvrables?|de\s+bourse|bancaires?)", "business_day"),
    (r"hours?|heures?|horas?", "hour"),
    (r"days?|dias?(?:\s+(?:naturales|corridos|calendario))?|jours?(?:\s+(?:calendaires?|francs?))?", "day"),
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
_AND_A_HALF = r"\s+(?:and\s+(?:a|one)\s+half|y\s+medi[oa]|et\s+demie?)\b"
# 'a year and a half', 'año y medio': one unit that no number counts, and half of it.
_ONE_AND_A_HALF = re.compile(
    rf"(?:\ban?\s+|(?<!\w\s)\b|(?<=\b(?:de|el)\s))(?P<unit>year|month|week|day|ano|mes|semana){_AND_A_HALF}",
    re.IGNORECASE,
)
_DURATION = re.compile(
    rf"(?:{RANGE_START})?{NUMBER}(?:[\s~-]{{1,6}}|(?<=\))[\s\0]{{1,6}}){_ADJECTIVE}{{0,2}}{_UNIT}(?P<and_half>{_AND_A_HALF})?",
    re.IGNORECASE,
)
# One unit that no number counts, where the words around make it a span: 'an additional year', 'month-to-month', 'annual
# periods'. A bare 'a year' ('once a year', '$5 a year') is a rate as a rule and counts only behind 'for', 'period of'.
_ONE_UNIT = r"(?P<{0}>years?|months?|quarters?|weeks?)"
_PERIODIC = {"annual": "year", "yearly": "year", "monthly": "month", "quarterly": "quarter", "weekly": "week", "anual": "year", "mensual": "month", "trimestral": "quarter", "annuel": "year", "mensuel": "month", "trimestriel": "quarter", "semestral": "half", "semi-annual": "half"}  # fmt: skip
_PERIODIC_WORD = r"(?P<{0}>semi-annual|annual|yearly|quarterly|monthly|weekly|anual(?=es)|anual|semestral|trimestral|mensual|annuel|trimestriel|mensuel)(?:es|les|le|s)?"
_UNCOUNTED = re.compile(
    r"\b(?:(?P<again>year|month|quarter|week)(?:\s*-\s*|\s+)to(?:\s*-\s*|\s+)(?P=again)"
    rf"|(?:an?|one|each|any)\s+(?:additional|further|extra|subsequent|successive)\s+{_ONE_UNIT.format('further')}"
    rf"|another\s+{_ONE_UNIT.format('another')}"
    rf"|(?:(?<=\bfor\s)|(?<=\bof\s)|(?<=\bwithin\s)|(?<=\bleast\s))a\s+(?:full\s+|whole\s+|calendar\s+)?{_ONE_UNIT.format('bare')}(?!\s+(?:ended|ending|end|in)\b)"
    r"|(?:a\s+)?half[\s-]+(?:of\s+)?(?:a\s+|one\s+)?(?P<half>year)(?!\s+(?:ended|results|report))"
    rf"|(?:successive|consecutive|additional|renewal|further)\s+{_PERIODIC_WORD.format('each_a')}(?:\s+(?:renewal|extension))?\s+(?:periods?|terms?|renewals?|extensions?)"
    rf"|{_PERIODIC_WORD.format('each_b')}\s+(?:(?:renewal|extension)\s+)?(?:periods|terms|renewals|extensions)"
    rf"|(?:periodos|plazos|prorrogas|renovaciones|periodes|renouvellements)\s+(?:(?:sucesiv[oa]s|successi(?:f|ve)s)\s+)?{_PERIODIC_WORD.format('each_c')}"
    r"|(?:de\s+)?(?P<every_es>ano)\s+en\s+ano|d'(?P<every_fr>annee)\s+en\s+annee"
    r"|(?:(?:renew|exten[ds]|prolong|renov|renuev|prorrog|renouvel|recondu)\w*\s+(?:\w+\s+){0,3}?)(?P<each_time>(?:(?:every|each)\s+(?P<every>year|month|quarter)|cada\s+(?P<each_es>ano|mes|trimestre)|chaque\s+(?P<each_fr>annee|mois|trimestre)))"
    rf"|(?:(?:renew|exten[ds]|continu|prolong)\w*\s+(?:\w+\s+){{0,4}}?on\s+)(?P<basis>an?\s+{_PERIODIC_WORD.format('each_d')}\s+basis))(?!\w)",
    re.IGNORECASE,
)
_RECURRING_BEFORE = re.compile(
    r"\b(?:(?:successive|consecutive|successively)\s+(?:\w+\s+){0,2}(?:(?:terms|periods)\s+of\s+(?:\w+\s+)?)?"
    r"|(?:periods|terms|renewals|extensions)\s+(?:of\s+)?(?:not\s+more\s+than\s+|up\s+to\s+)?(?:\w+\s+){0,1}"
    r"|(?:periodos|plazos|prorrogas|renovaciones)\s+(?:\w+\s+){0,3}de\s+|(?:periodes|renouvellements)\s+(?:\w+\s+){0,3}(?:de\s+|d')"
    r"|(?:sucesiv[oa]s|successi(?:f|ve)s)\s+(?:de\s+|d')?)$",
    re.IGNORECASE,
)
_RECURRING_AFTER = re.compile(
    r"[\s-]+(?:(?:renewal|extension|additional|successive|consecutive|option|further)\s+){0,2}(?:periods|terms|renewals|extensions|increments|intervals)\b|(?:\s+per[io]+ds?)?,?\s+(?:each|cada\s+un[oa]|chacune?)\b(?!\s+(?:party|of))|\s+basis\b",
    re.IGNORECASE,
)
_STARTS = re.compile(
    r"(?:\s+(?:period|term))?[\s,]*(?:(?:commencing|beginning|starting|running|counted|calculated|measured)\s+(?:from|on|upon|as\s+of|with|at)|from\s+and\s+after|from|after|following|since|as\s+of|a\s+partir\s+de(?:l\b)?|a\s+contar\s+desde|contad[oa]s?\s+(?:desde|a\s+partir\s+de(?:l\b)?)|desde|tras|a\s+compter\s+(?:de|du)|apres|suivant|des)\s+",
    re.IGNORECASE,
)
_EVERY = {"ano": "year", "annee": "year", "mes": "month", "mois": "month", "trimestre": "quarter"}
_EVERY_GROUPS = ("every", "every_es", "every_fr", "each_es", "each_fr")
# 'monthly periods' are the time of a report as well; only of a renewal are they a span that is agreed.
_OF_RENEWAL = re.compile(
    r"\b(?:renew|exten[ds]|prolong|continu|successive|consecutive|thereafter|automatic)\w*", re.IGNORECASE
)
_PERIODIC_GROUPS = ("each_a", "each_b", "each_c", "each_d")
_PERIOD_REACH = 60  # characters before a span of time in which 'successive', 'periods of' speak of it
# What every span of time has: a unit behind a blank or a hyphen, and a number. Quickly told of the many texts without.
_HAS_UNIT = re.compile("[\\s~-]" + _UNIT, re.IGNORECASE)
_HAS_NUMBER = re.compile(rf"\d|{NUMBER_WORDS}", re.IGNORECASE)
_YEAR_NUMBERS = (Decimal(1900), Decimal(2100))  # '2020 years' is a calendar year beside a word, not a span of time


def find_durations(text: str, language: str) -> tuple[FoundValue, ...]:
    """Durations in `text`, left to right. Business days are their own unit; a bare 'a year' is no number."""
    folded = fold_cells(text)
    counted = (*_counted(text, folded, language), *_one_and_a_half(text, folded))
    taken = Taken(counted)
    found = [*counted, *(one for one in _uncounted(text, folded) if not taken.touches(one.start, one.end))]
    found.sort(key=lambda one: one.start)
    return tuple(_placed(one, folded, text) for one in found)


def _counted(text: str, folded: str, language: str) -> tuple[FoundValue, ...]:
    """Spans with a number: 'five (5) years'."""
    found: list[FoundValue] = []
    if not (_HAS_UNIT.search(folded) and _HAS_NUMBER.search(folded)):
        return ()
    for match in _DURATION.finditer(folded):
        unit = _unit_of(match["unit"])
        for start, end, written in written_number(match, text, language):
            number = written + HALF if match["and_half"] and end == match.end() else written
            if number > 0 and not (unit == "year" and _YEAR_NUMBERS[0] <= number <= _YEAR_NUMBERS[1]):
                value = Duration(number=number, unit=unit, original=text[start:end])
                found.append(FoundValue(start, end, value))
    return merge_restated(found, text, same_value, _reworded)


def _one_and_a_half(text: str, folded: str) -> list[FoundValue]:
    """'a year and a half', 'año y medio', which no number counts."""
    found = []
    for match in _ONE_AND_A_HALF.finditer(folded):
        start, end = match.span()
        value = Duration(number=1 + HALF, unit=_unit_of(match["unit"]), original=text[start:end])
        found.append(FoundValue(start, end, value))
    return found


def _uncounted(text: str, folded: str) -> list[FoundValue]:
    """Spans of one unit without a number: 'month-to-month', 'an additional year', 'successive annual periods'."""
    found = []
    for match in _UNCOUNTED.finditer(folded):
        start, end = match.span(next((name for name in ("basis", "each_time") if match[name] is not None), 0))
        if match["each_b"] is not None and not _OF_RENEWAL.search(folded, max(0, start - _PERIOD_REACH), end):
            continue
        every = next((match[name].lower() for name in _EVERY_GROUPS if match[name] is not None), None)
        if match["half"] is not None:
            value = Duration(number=Decimal("0.5"), unit="year", original=text[start:end])
        else:
            periodic = next((match[name] for name in _PERIODIC_GROUPS if match[name] is not None), None)
            if every is not None:
                word = _EVERY.get(every, every)
            elif periodic is not None:
                word = _PERIODIC[periodic.lower()]
            else:
                word = match[match.lastgroup or "again"].lower()
            number, unit = (Decimal(6), "month") if word == "half" else (Decimal(1), word.rstrip("s"))
            again = every is not None or periodic is not None or match["again"] is not None
            value = Duration.model_validate(
                {"number": number, "unit": unit, "recurring": again, "original": text[start:end]}
            )
        found.append(FoundValue(start, end, value))
    return found


def _placed(one: FoundValue, folded: str, text: str) -> FoundValue:
    """The span with whether it repeats and what it runs from, as the words around it say."""
    value = one.value
    if not isinstance(value, Duration):
        return one
    repeats = value.recurring or (
        _RECURRING_BEFORE.search(folded, max(0, one.start - _PERIOD_REACH), one.start) is not None
        or _RECURRING_AFTER.match(folded, one.end) is not None
    )
    starts = None
    lead = _STARTS.match(folded, one.end)
    if lead is not None:
        event = read_event(folded, text, lead.end())
        starts = event[1] if event is not None else None
    return FoundValue(one.start, one.end, value.model_copy(update={"recurring": repeats, "starts": starts}))


def _reworded(value: Value, original: str) -> Value:
    return value.model_copy(update={"original": original})


def _unit_of(words: str) -> DurationUnit:
    for pattern, unit in _UNITS:
        if re.fullmatch(pattern, words, re.IGNORECASE):
            return unit
    raise ValueError(f"no unit of time is written {words!r}")
