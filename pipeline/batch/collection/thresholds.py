"""What a question of a collection compares with: dates and periods, amounts, durations, percentages, numbers."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from pipeline.batch.collection.vocabulary import fold
from pipeline.values import find_values
from schemas.values import Amount, DateValue, Duration, Percentage

Kind = Literal["date", "amount", "duration", "percentage", "number"]
# Days of each unit by which lengths of time are compared; a month is the twelfth of a mean Gregorian year.
DAYS: dict[str, str] = {
    "hour": "0.041666666666666667", "day": "1", "week": "7", "month": "30.436875", "quarter": "91.310625",
    "year": "365.2425",
}  # fmt: skip
_MONTHS = (
    "january jan enero ene janvier", "february feb febrero fevrier", "march mar marzo mars", "april apr abril avril",
    "may mayo mai", "june jun junio juin", "july jul julio juillet", "august aug agosto aout",
    "september sep sept septiembre septembre", "october oct octubre octobre", "november nov noviembre novembre",
    "december dec diciembre decembre",
)  # fmt: skip
_YEAR = re.compile(
    r"(?<![\w.,-])(?:(?P<month>[^\W\d_]{3,10})\.?\s+(?:de\s+|del\s+)?)?(?P<year>(?:19|20)\d\d)(?![\w-]|[.,]\d)"
)
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:[.,  ]?\d{3})*(?![\w.,]*\d|\s*%)")


@dataclass(frozen=True, slots=True)
class Figure:
    """A value of a question, from `start` to `end`; of a date the first and the last day that it covers."""

    start: int
    end: int
    kind: Kind
    low: Decimal | date
    high: Decimal | date
    unit: str | None = None  # currency, or unit of a duration


def find_figures(text: str, language: str) -> tuple[Figure, ...]:
    """The values of a question that numbers and dates can be compared with, in order, none within another."""
    found: list[Figure] = []
    for each in (_typed(text, language), _periods(text), _bare(text)):
        found += [one for one in each if not any(one.start < other.end and other.start < one.end for other in found)]
    return tuple(sorted(found, key=lambda one: one.start))


def _typed(text: str, language: str) -> Iterator[Figure]:
    """Dates, amounts, durations and percentages as documents write them."""
    for kind in ("date", "amount", "duration", "percentage"):
        for one in find_values(text, kind, language=language):
            match one.value:
                case DateValue():
                    yield Figure(one.start, one.end, "date", one.value.iso, one.value.iso)
                case Amount():
                    yield Figure(one.start, one.end, "amount", one.value.value, one.value.value, one.value.currency)
                case Duration():
                    yield Figure(one.start, one.end, "duration", one.value.number, one.value.number, one.value.unit)
                case Percentage():
                    share = one.value.value / 100
                    yield Figure(one.start, one.end, "percentage", share, share)


def _periods(text: str) -> Iterator[Figure]:
    """Years, and months of a year."""
    for match in _YEAR.finditer(text):
        year, month = int(match["year"]), _month(match["month"]) if match["month"] else None
        first, last = (month or 1), (month or 12)
        yield Figure(
            match.start("month") if month else match.start("year"), match.end(), "date",
            date(year, first, 1), date(year, last, monthrange(year, last)[1]),
        )  # fmt: skip


def _bare(text: str) -> Iterator[Figure]:
    for match in _NUMBER.finditer(text):
        number = Decimal(re.sub(r"\D", "", match[0]))
        yield Figure(match.start(), match.end(), "number", number, number)


def _month(word: str) -> int | None:
    folded = fold(word)
    return next((at for at, names in enumerate(_MONTHS, 1) if folded in names.split()), None)
