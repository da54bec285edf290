# ruff: noqa: E501  # patterns are read whole, on one line
"""Dates in figures alone whose order is unsure ('7/1/98'), and what in a document settles the order.

July 1st and January 7th are the same writing in two countries. A date of the same document that has one order only
(29/3/18) settles it, and so does a place in the United States, the one country that writes the month first by custom
(Unicode CLDR 45, short date patterns of the locales).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from pipeline.values.found import fold
from schemas.values import DateValue

Order = Literal["month_first", "day_first"]

CENTURY_PIVOT = 69  # two-digit years: 00-68 are 20xx, 69-99 are 19xx, as in POSIX
_NUMERIC = re.compile(
    r"(?<![\w./,-])(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?P=sep)(?P<year>\d{4}(?![\d/-]|\.\d)|(?<=/)\d{2}(?![\d/-]|\.\d))"
)
_HAS_NUMERIC = re.compile(r"\d[/.-]\d{1,2}[/.-]\d\d")
_STATES = "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY"
_NAMES = "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming"
# A postal code behind its state, the law of a state, a company of a state.
_UNITED_STATES = re.compile(
    rf"\b(?:{_STATES}|{_NAMES})\.?,?\s{{1,20}}\d{{5}}(?:-\d{{4}})?(?!\w)|\b(?:State|Commonwealth)\s+of\s+(?:{_NAMES})\b"
    rf"|\b(?:{_NAMES})\s+(?:corporation|limited\s+liability|limited\s+partnership|general\s+partnership|not-for-profit|non-?profit)"
)


@dataclass(frozen=True, slots=True)
class NumericDate:
    """Figures that are two dates, at `text[start:end]`: the month read first, and the day read first."""

    start: int
    end: int
    month_first: DateValue
    day_first: DateValue

    def read(self, order: Order) -> DateValue:
        """The date in this order."""
        return self.month_first if order == "month_first" else self.day_first


def find_unsure_dates(text: str) -> tuple[NumericDate, ...]:
    """Dates in figures that two orders read as two days, left to right; empty without any."""
    found = []
    for match, month_first, day_first in _numeric(text):
        if month_first is not None and day_first is not None and month_first != day_first:
            start, end = match.span()
            words = text[start:end]
            both = (DateValue(iso=month_first, original=words), DateValue(iso=day_first, original=words))
            found.append(NumericDate(start, end, *both))
    return tuple(found)


def told_order(texts: Sequence[str]) -> tuple[Order, int] | None:
    """The order in which these texts write dates, and the number of the first that tells; None where none or both do.

    Dates of one order only decide; without any, a place in the United States does.
    """
    orders: dict[Order, int] = {}
    for at, text in enumerate(texts):
        for _, month_first, day_first in _numeric(text):
            if (month_first is None) != (day_first is None):
                orders.setdefault("day_first" if month_first is None else "month_first", at)
    if orders:
        return next(iter(orders.items())) if len(orders) == 1 else None
    at_home = next((at for at, text in enumerate(texts) if _UNITED_STATES.search(text)), None)
    return None if at_home is None else ("month_first", at_home)


def is_told_by(value: DateValue, texts: Sequence[str]) -> bool:
    """True where the figures of a date are unsure by themselves, and the texts read them as this day."""
    unsure = find_unsure_dates(value.original)
    told = told_order(texts) if unsure else None
    return told is not None and unsure[0].read(told[0]).iso == value.iso


def _numeric(text: str) -> list[tuple[re.Match[str], date | None, date | None]]:
    if not _HAS_NUMERIC.search(text):
        return []
    found = []
    for match in _NUMERIC.finditer(fold(text)):
        one, two, year = int(match["a"]), int(match["b"]), full_year(match["year"])
        found.append((match, _calendar(year, one, two), _calendar(year, two, one)))
    return found


def full_year(written: str) -> int:
    """The year of four figures, or of two by the pivot of POSIX."""
    year = int(written)
    return year if len(written) == 4 else year + (2000 if year < CENTURY_PIVOT else 1900)


def _calendar(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
