# ruff: noqa: E501  # patterns are read whole, on one line; word lists as text
"""Dates that a question sets as a limit: 'before 2020', 'after 1 March 2021', 'between 2018 and 2020', 'in Q3 2022'."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from pipeline.question.reading import Piece, Span
from pipeline.values import find_values
from schemas.answer import DateValue
from schemas.question import DateRange

_DAY = timedelta(days=1)
_OF = r"(?:\s+(?:of|de|del|du)|\s+d['’])?\s*"
_QUARTER_OF = {
    **dict.fromkeys(("1", "1st", "first", "primer", "premier", "1er", "1º"), 1),
    **dict.fromkeys(("2", "2nd", "second", "segundo", "deuxième", "2e", "2º"), 2),
    **dict.fromkeys(("3", "3rd", "third", "tercer", "troisième", "3e", "3º"), 3),
    **dict.fromkeys(("4", "4th", "fourth", "cuarto", "quatrième", "4e", "4º"), 4),
}
_NAMES = "|".join(sorted(_QUARTER_OF, key=len, reverse=True))
_QUARTER = re.compile(
    rf"(?<!\w)(?:[QT](?P<short>[1-4])|(?P<other>[1-4])T|(?P<name>{_NAMES})\s+(?:quarter|trimestre))[\s-]*{_OF}"
    r"(?:FY\s?)?['’]?(?P<year>(?:19|20)\d{2})(?![\w-])",
    re.IGNORECASE,
)
_MONTH = re.compile(r"(?<!\w)(?P<month>[^\W\d_]{3,10})\.?,?\s+(?:de\s+|del\s+|of\s+)?(?P<year>(?:19|20)\d{2})(?![\w-])")
_YEAR = re.compile(
    r"(?:(?<!\w)(?:the\s+)?(?:(?:fiscal|financial|calendar)\s+)?years?(?:\s+ended)?\s+|(?<!\w)(?:FY|CY)(?:\s|(?=\d))|"
    r"(?<!\w)(?:el\s+)?(?:año|ejercicio)(?:\s+fiscal)?\s+(?:de\s+)?|(?<!\w)(?:l['’])?(?:année|exercice)\s+)?"
    r"(?<![.,$€£/\d])(?<![A-Za-z_]{2}(?<!FY)(?<!CY))(?<!\D-)(?P<year>(?:19|20)\d{2})(?![\w/]|-(?!(?:19|20)\d{2}(?!\d))|[.,]\d|\s*(?:%|€|\$|euros?\b|dollars?\b|USD\b|EUR\b))",
    re.IGNORECASE,
)
_TO = r"(?:and|to|until|till|through|y|e|a|al|hasta|et|à|au|jusqu['’](?:à|au|en)|[-–—])"
_BEFORE = r"before|prior\s+to|earlier\s+than|antes\s+del?|anterior(?:es)?\s+al?|previ[oa]s?\s+al?|avant|antérieure?s?\s+(?:à|au)"
_UNTIL = (
    r"until|till|up\s+to(?:\s+and\s+including)?|no\s+later\s+than|on\s+or\s+before|hasta|a\s+más\s+tardar|"
    r"jusqu['’](?:à|au|en)|au\s+plus\s+tard"
)
_AFTER = r"after|later\s+than|después\s+del?|posterior(?:es)?\s+al?|tras|après|postérieure?s?\s+(?:à|au)"
_SINCE = (
    r"since|as\s+of|as\s+from|starting(?:\s+(?:in|from|on))?|on\s+or\s+after|from|desde|a\s+partir\s+del?|depuis|"
    r"à\s+partir\s+d[eu]|à\s+compter\s+d[eu]|dès"
)
_IN = r"in|during|within|throughout|for|over|en|durante|para|dans|pendant|pour|au\s+cours\s+d[eu]|lors\s+d[eu]|au"
_ARTICLE = r"(?:\s+(?:the|el|la|le|los|les|al|au|year|años?|année|fin(?:al)?\s+de|end\s+of)|\s+l['’])*\s*$"
_PREPOSITIONS = tuple(
    (name, re.compile(rf"(?<!\w)(?:{words}){_ARTICLE}", re.IGNORECASE))
    for name, words in (("before", _BEFORE), ("until", _UNTIL), ("after", _AFTER), ("since", _SINCE), ("in", _IN))
)
_PAIR_OPENS = re.compile(rf"(?<!\w)(?:between|from|entre|desde|del?|du){_ARTICLE}", re.IGNORECASE)
_PAIR_JOINS = re.compile(rf"\s*{_TO}\s*(?:the\s+|el\s+|le\s+|l['’])?", re.IGNORECASE)
_BARE = re.compile(r"(?:FY|CY|[QT][1-4]|[1-4]T)", re.IGNORECASE)  # these say by themselves what they are
# 'the lease signed in 2015': the date belongs to the lease, and the answer may be of any date.
_PARTICIPLE = re.compile(
    r"(?P<before>[^\W\d_]+)?\s*\b(?:[a-z]{3,}ed|made|given|begun|sold|[a-záéíóú]+[ai]d[oa]s?|hech[oa]s?|"
    r"[a-zà-ÿ]{2,}(?:é|ée|és|ées)|conclue?s?|faite?s?)\s*$",
    re.IGNORECASE,
)
_AUXILIARIES = frozenset(
    ["is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "get", "gets", "got", "es", "son", "fue", "fueron", "era", "eran", "ha", "han", "sido", "será", "serán", "est", "sont", "était", "étaient", "été", "a", "ont", "sera", "seront", "furent", "fut"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Period:
    """A limit in time: what it allows, and the words that say so.

    `is_topic` is True where the words also say what is looked for ('revenue in 2019'): they stay in the search.
    `is_attribute` is True where they describe a thing ('the lease signed in 2015') and not when the answer is.
    """

    range: DateRange
    piece: Piece
    is_topic: bool
    is_attribute: bool


@dataclass(frozen=True, slots=True)
class _Point:
    span: Span
    first: date
    last: date


def find_period(text: str) -> Period | None:
    """The first limit in time that a question sets; None where it sets none."""
    points = sorted(_points(text), key=lambda point: point.span)
    for one, other in pairwise(points):
        opens = _PAIR_OPENS.search(text[: one.span[0]])
        dashed = re.fullmatch(r"\s*[-–—]\s*", text[one.span[1] : other.span[0]])
        if (opens or dashed) and _PAIR_JOINS.fullmatch(text[one.span[1] : other.span[0]]) and one.first <= other.last:
            start = opens.start() if opens else one.span[0]
            return _period(text, (start, other.span[1]), one.first, other.last, is_topic=False)
    for point in points:
        for name, pattern in _PREPOSITIONS:
            found = pattern.search(text[: point.span[0]].rstrip() + " ")
            if found is None or (name == "in" and point.first == point.last):
                continue
            first, last = {
                "before": (None, point.first - _DAY if point.first > date.min else None),
                "until": (None, point.last),
                "after": (point.last + _DAY, None),
                "since": (point.first, None),
                "in": (point.first, point.last),
            }[name]
            return _period(text, (found.start(), point.span[1]), first, last, is_topic=name == "in")
    named = next((point for point in points if _BARE.match(text[slice(*point.span)])), None)
    return _period(text, named.span, named.first, named.last, is_topic=True) if named else None


def _period(text: str, span: Span, first: date | None, last: date | None, *, is_topic: bool) -> Period:
    said = _PARTICIPLE.search(text[: span[0]]) if any(map(str.isalnum, text[span[1] :])) else None
    return Period(
        range=DateRange(start=first.isoformat() if first else None, end=last.isoformat() if last else None),
        piece=Piece(*span, text[slice(*span)]),
        is_topic=is_topic,
        is_attribute=said is not None and (said["before"] or "").casefold() not in _AUXILIARIES,
    )


def _points(text: str) -> Iterator[_Point]:
    """Days, quarters, months and years, none inside another."""
    taken: list[Span] = []

    def is_free(span: Span) -> bool:
        if any(start < span[1] and span[0] < end for start, end in taken):
            return False
        taken.append(span)
        return True

    for found in find_values(text, "date"):
        if isinstance(found.value, DateValue) and is_free((found.start, found.end)):
            yield _Point((found.start, found.end), found.value.iso, found.value.iso)
    for match in _QUARTER.finditer(text):
        year, number = int(match["year"]), match["short"] or match["other"] or match["name"]
        if is_free(match.span()):
            month = 3 * _QUARTER_OF[number.casefold()]
            yield _Point(match.span(), date(year, month - 2, 1), date(year, month, monthrange(year, month)[1]))
    for match in _MONTH.finditer(text):
        first = find_values(f"1 {match['month']} {match['year']}", "date")
        if first and isinstance(first[0].value, DateValue) and is_free(match.span()):
            day = first[0].value.iso
            yield _Point(match.span(), day, day.replace(day=monthrange(day.year, day.month)[1]))
    for match in _YEAR.finditer(text):
        if is_free(match.span()):
            year = int(match["year"])
            yield _Point(match.span(), date(year, 1, 1), date(year, 12, 31))
