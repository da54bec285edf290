"""Days computed from days and spans of time, each with the convention by which it was counted.

A term of N years from a date is read in two ways, and contracts mean both: its last day is the day before the
anniversary (a lease from 1 January 2020 for one year ends on 31 December), or it ends on the anniversary itself
(Regulation (EEC, Euratom) 1182/71, article 3; Spanish Civil Code, article 5; 'until the first anniversary'). Both are
given. A month without the day ends on its last day: 31 January plus one month is 28 or 29 February (the same rules).
"""

from __future__ import annotations

import calendar as months
import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from pipeline.values.arithmetic import Computed, Named
from pipeline.values.equality import exact_length
from schemas.values import DateValue, Duration, DurationUnit, RelativeDate

ANNIVERSARY = "it ends on the anniversary of the day from which it is counted"
DAY_BEFORE = "its last day is the day before the anniversary, the day from which it is counted being its first"
MONTH_END = "the month has no such day; its last day is taken"


@dataclass(frozen=True, slots=True)
class TermEnds:
    """Both readings of when a term ends; the formulas and inputs are the same."""

    anniversary: Computed
    day_before: Computed


def end_term(start: Named, length: Named) -> TermEnds:
    """When a term that runs from a date ends: on the anniversary, and the day before it, each with its convention."""
    last = add_duration(start, length)
    if not isinstance(last.value, DateValue) or last.value.iso == date.min:
        return TermEnds(last, last)
    is_capped = last.convention is not None
    eve = last.value.iso - timedelta(days=0 if is_capped else 1)
    before = _day(eve, start)
    noted = f"{ANNIVERSARY}; {MONTH_END}" if is_capped else ANNIVERSARY
    return TermEnds(
        Computed(last.value, last.formula, last.inputs, None, noted),
        Computed(
            before,
            f"{last.formula}, less one day",
            last.inputs,
            None,
            f"{DAY_BEFORE}; {MONTH_END}" if is_capped else DAY_BEFORE,
        ),
    )


def add_duration(start: Named, length: Named, *, before: bool = False) -> Computed:
    """The day that lies a span of time after another (`before`: earlier), in calendar days, weeks, months or years."""
    formula, inputs = f"{start.name} {'-' if before else '+'} {length.name}", (start, length)
    if not isinstance(start.value, DateValue) or not isinstance(length.value, Duration):
        return Computed(None, formula, inputs, "a date and a span of time are needed")
    unit, number = exact_length(length.value)
    if unit in ("business_day", "hour"):
        why = "business days depend on a calendar of holidays that the document does not give"
        return Computed(None, formula, inputs, why if unit == "business_day" else "hours give no calendar day")
    if number != number.to_integral_value():
        return Computed(None, formula, inputs, f"{number.normalize():f} {unit}s are no whole number of {unit}s")
    count = -int(number) if before else int(number)
    try:
        if unit == "day":
            return Computed(_day(start.value.iso + timedelta(days=count), start), formula, inputs)
        moved, is_capped = _add_months(start.value.iso, count)
    except (ValueError, OverflowError):
        return Computed(None, formula, inputs, "the day lies outside the years 1 to 9999")
    return Computed(_day(moved, start), formula, inputs, None, MONTH_END if is_capped else None)


def resolve_date(relative: RelativeDate, event: Named) -> Computed:
    """The day that a relative date tells, once the day of its event is known."""
    length = Duration(number=relative.number, unit=relative.unit, original=relative.original)
    name = f"{relative.number.normalize():f} {relative.unit.replace('_', ' ')}{'' if relative.number == 1 else 's'}"
    if relative.number == 0:
        return Computed(event.value, event.name, (event,))
    told = add_duration(event, Named(name, length), before=relative.direction == "before")
    if isinstance(told.value, DateValue):
        value = told.value.model_copy(update={"anchor_event": relative.anchor_event})
        return Computed(value, told.formula, told.inputs, told.reason, told.convention)
    return told


def count_between(first: Named, last: Named, unit: DurationUnit = "day") -> Computed:
    """The time from one day to another, the first not counted; months and years only where they come out even."""
    formula, inputs = f"from {first.name} to {last.name} in {unit.replace('_', ' ')}s", (first, last)
    if not isinstance(first.value, DateValue) or not isinstance(last.value, DateValue):
        return Computed(None, formula, inputs, "two dates are needed")
    one, other = first.value.iso, last.value.iso
    if other < one:
        return Computed(None, formula, inputs, f"{last.name} lies before {first.name}")
    if unit in ("business_day", "hour"):
        return Computed(None, formula, inputs, "only calendar days, weeks, months and years are counted between days")
    if unit in ("day", "week"):
        size = 7 if unit == "week" else 1
        count, rest = divmod((other - one).days, size)
    else:
        size = {"month": 1, "quarter": 3, "year": 12}[unit]
        whole = (other.year - one.year) * 12 + other.month - one.month
        count, rest = divmod(whole, size)
        rest = rest or int(_add_months(one, whole)[0] != other)
    if rest:
        return Computed(None, formula, inputs, f"it is no whole number of {unit}s")
    words = f"{count} {unit}{'' if count == 1 else 's'}"
    return Computed(Duration(number=Decimal(count), unit=unit, original=words), formula, inputs)


def end_of_period(words: str) -> date | None:
    """The last day of a quarter or half of a calendar year: 'Q3 2024', 'second quarter of 2023', 'S1 2024'."""
    match = _QUARTER.fullmatch(" ".join(words.lower().split()))
    if match is None:
        return None
    number, year = next(match[name] for name in ("q", "h", "t", "word") if match[name]), int(match["year"])
    ordinal = _ORDER.get(number) or int(number)
    month = ordinal * (6 if match["h"] else 3)
    return date(year, month, months.monthrange(year, month)[1]) if 1 <= month <= 12 and year >= 1 else None


_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_QUARTER = re.compile(
    r"(?:q(?P<q>[1-4])|[hs](?P<h>[12])|(?:t(?=\d))?(?P<t>[1-4])(?:t|q)?"
    r"|(?P<word>first|second|third|fourth) (?:calendar )?quarter(?: of)?)"
    r"[ /-]?(?P<year>\d{4})"
)


def _add_months(start: date, count: int) -> tuple[date, bool]:
    """The same day some months on, and whether the month has no such day, so that its last one is taken."""
    index = start.year * 12 + start.month - 1 + count
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        raise ValueError("year out of range")
    last = months.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(start.day, last)), start.day > last


def _day(when: date, start: Named) -> DateValue:
    return DateValue(iso=when, anchor_event=start.name, original=when.isoformat())
