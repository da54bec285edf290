"""When two values say the same thing, however they are written."""

from __future__ import annotations

from decimal import Decimal

from schemas.values import (
    Amount,
    BooleanValue,
    Count,
    CustomValue,
    DateValue,
    Duration,
    DurationUnit,
    Identifier,
    Jurisdiction,
    OpenEnd,
    Percentage,
    TextValue,
    Value,
)

# Only conversions that hold for every contract: a month is no fixed number of days, 24 hours are not a calendar day.
EXACT_UNITS: dict[DurationUnit, tuple[str, int]] = {
    "year": ("month", 12),
    "quarter": ("month", 3),
    "month": ("month", 1),
    "week": ("day", 7),
    "day": ("day", 1),
    "business_day": ("business_day", 1),
    "hour": ("hour", 1),
}


def same_value(a: Value, b: Value) -> bool:
    """True when both values are equal as what they are: 'five (5) years' equals '60 months', USD is not EUR.

    An amount's basis counts only where both name one; an unknown currency equals only an unknown one.
    """
    match a, b:
        case Amount(), Amount():
            same_basis = a.basis is None or b.basis is None or plain(a.basis) == plain(b.basis)
            return a.value == b.value and a.currency == b.currency and same_basis
        case DateValue(), DateValue():
            return a.iso == b.iso
        case Duration(), Duration():
            return exact_length(a) == exact_length(b)
        case Count(), Count():
            return a.number == b.number and bool(set(a.of.split()) & set(b.of.split()))
        case Percentage(), Percentage():
            one, other = rate_basis(a.original), rate_basis(b.original)
            return a.value == b.value and (one is None or other is None or one == other)
        case Jurisdiction(), Jurisdiction():
            return (a.country, a.subdivision, plain(a.name)) == (b.country, b.subdivision, plain(b.name))
        case OpenEnd(), OpenEnd():
            return plain(a.until or "") == plain(b.until or "")
        case CustomValue(), CustomValue():
            return a.type_name == b.type_name and a.fields == b.fields
        case BooleanValue(), BooleanValue():
            return a.value == b.value
        case TextValue(), TextValue():
            return plain(a.text) == plain(b.text)
        case Identifier(), Identifier():
            return "".join(a.text.split()) == "".join(b.text.split())
    return False


def exact_length(duration: Duration) -> tuple[str, Decimal]:
    """The duration in the smallest unit it can be converted to exactly: 2 years are 24 months, never 730 days."""
    unit, factor = EXACT_UNITS[duration.unit]
    return unit, duration.number * factor


def rate_basis(original: str) -> str | None:
    """The period of a rate such as '1.5% per month', in plain words; null where none is written."""
    _, sign, rest = plain(original).replace("per cent", "percent").partition(" per ")
    return rest if sign else None


def plain(text: str) -> str:
    """The words with runs of white space made one space and case folded."""
    return " ".join(text.split()).casefold()
