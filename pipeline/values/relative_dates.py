# ruff: noqa: E501  # patterns are read whole, on one line
"""Days told by an event: '30 days after the Effective Date', 'the third anniversary of the Closing', 'upon signature'."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from pipeline.values.durations import find_durations
from pipeline.values.events import read_event
from pipeline.values.found import FoundValue, fold
from pipeline.values.ordinals import ORDINAL, read_ordinal
from schemas.values import Duration, DurationUnit, RelativeDate

Direction = Literal["before", "on", "after"]

_AFTER = r"(?:from\s+and\s+after|after|following|from|since|of|(?:as\s+)?counted\s+from|a\s+partir\s+de(?:l\b)?|a\s+contar\s+desde|contad[oa]s?\s+(?:desde|a\s+partir\s+de(?:l\b)?)|despues\s+de(?:l\b)?|desde|siguientes\s+a(?:l\b)?|tras|a\s+compter\s+(?:de|du)|apres|suivant|de)"
_BEFORE = r"(?:prior\s+to|before|in\s+advance\s+of|preceding|antes\s+de(?:l\b)?|previos\s+a(?:l\b)?|con\s+anterioridad\s+a(?:l\b)?|avant)"
_RELATION = re.compile(rf"\s*,?\s*(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))\s+", re.IGNORECASE)
_ANNIVERSARY = re.compile(
    rf"\b(?P<number>{ORDINAL})\s*(?:\(\s*\d{{1,2}}\s?(?:st|nd|rd|th|t\s?h)?\s*\)\s*)?(?:annual\s+)?(?:anniversary|aniversario|anniversaire)\s+(?:of|de(?:l\b|\s+la\b)?|du)\s*",
    re.IGNORECASE,
)
# The day of the event itself: only a defined term with a capital, or a signature, is an event and no other word.
_ON = re.compile(
    r"\b(?i:on|upon|as\s+of|on\s+or\s+after)\s+(?P<event>(?:the\s+|its\s+)?(?:[A-Z][\w'-]+\s+){1,3}Date\b|(?:the\s+)?(?:date\s+of\s+)?(?:(?:its|last|final|full|due)\s+)?(?:execution|signature|signing)(?:\s+(?:hereof|of\s+this\s+\w+|by\s+(?:both|all|the)\s+[Pp]arties))?)"
    r"|\b(?i:a\s+la|en\s+la)\s+(?P<event_es>(?:fecha\s+de\s+)?(?:la\s+)?firma(?:\s+del\s+(?:presente\s+)?\w+)?)|\b(?i:a|le\s+jour\s+de)\s+(?P<event_fr>la\s+(?:date\s+de\s+)?signature(?:\s+d[ue]\s+\w+(?:\s+\w+)?)?)",
)
_ON_GROUPS = ("event", "event_es", "event_fr")


def find_relative_dates(text: str, language: str) -> tuple[FoundValue, ...]:
    """Days in `text` that an event tells, left to right: a span before or after it, an anniversary, the event's own day."""
    folded = fold(text)
    found = [*_by_span(text, folded, language), *_anniversaries(text, folded), *_on_the_day(text, folded)]
    kept: list[FoundValue] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def _by_span(text: str, folded: str, language: str) -> list[FoundValue]:
    found = []
    for span in find_durations(text, language):
        relation = _RELATION.match(folded, span.end)
        if relation is None or not isinstance(span.value, Duration) or span.value.recurring:
            continue
        event = read_event(folded, text, relation.end())
        if event is None:
            continue
        direction: Direction = "before" if relation["before"] else "after"
        told = (span.value.number, span.value.unit, direction, event[1])
        found.append(_relative(text, span.start, event[0], told))
    return found


def _anniversaries(text: str, folded: str) -> list[FoundValue]:
    found = []
    for match in _ANNIVERSARY.finditer(folded):
        number, event = read_ordinal(match["number"]), read_event(folded, text, match.end())
        if number is not None and event is not None:
            found.append(_relative(text, match.start(), event[0], (Decimal(number), "year", "after", event[1])))
    return found


def _on_the_day(text: str, folded: str) -> list[FoundValue]:
    found = []
    for match in _ON.finditer(folded):
        start, end = next(match.span(name) for name in _ON_GROUPS if match[name] is not None)
        words = " ".join(text[start:end].split())
        found.append(_relative(text, match.start(), end, (Decimal(0), "day", "on", words)))
    return found


def _relative(text: str, start: int, end: int, told: tuple[Decimal, DurationUnit, Direction, str]) -> FoundValue:
    number, unit, direction, event = told
    value = RelativeDate(number=number, unit=unit, direction=direction, anchor_event=event, original=text[start:end])
    return FoundValue(start, end, value)
