"""When two values say the same thing, however they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from schemas.values import (
    Address,
    Amount,
    ConditionalValue,
    Duration,
    DurationUnit,
    Jurisdiction,
    Percentage,
    RecordValue,
    RelativeDate,
    TableValue,
    TreeNode,
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
    return a.kind == b.kind and _SAME[a.kind](a, b)


def _same_amount(a: Amount, b: Amount) -> bool:
    same_basis = a.basis is None or b.basis is None or plain(a.basis) == plain(b.basis)
    return a.value == b.value and a.currency == b.currency and same_basis


def _same_share(a: Percentage, b: Percentage) -> bool:
    one, other = rate_basis(a.original), rate_basis(b.original)
    return a.value == b.value and (one is None or other is None or one == other)


def _same_place(a: Jurisdiction, b: Jurisdiction) -> bool:
    return (a.country, a.subdivision, plain(a.name)) == (b.country, b.subdivision, plain(b.name))


def _cells(table: TableValue) -> list[list[str]]:
    return [[plain(cell) for cell in row] for row in (table.headers, *table.rows)]


def _same_nodes(one: Sequence[TreeNode], other: Sequence[TreeNode]) -> bool:
    """True for the same labels in the same places of the tree, whatever lines they stand in."""
    return len(one) == len(other) and all(
        plain(a.label) == plain(b.label) and _same_nodes(a.children, b.children)
        for a, b in zip(one, other, strict=True)
    )


def _same_or_none(one: Value | None, other: Value | None) -> bool:
    return one is other if one is None or other is None else same_value(one, other)


def _same_fields(one: RecordValue, other: RecordValue) -> bool:
    return len(one.fields) == len(other.fields) and all(
        plain(a.name) == plain(b.name) and _same_or_none(a.value, b.value)
        for a, b in zip(one.fields, other.fields, strict=True)
    )


def _same_branches(one: ConditionalValue, other: ConditionalValue) -> bool:
    return len(one.branches) == len(other.branches) and all(
        plain(a.condition or "") == plain(b.condition or "") and same_value(a.value, b.value)
        for a, b in zip(one.branches, other.branches, strict=True)
    )


def _same_relative(a: RelativeDate, b: RelativeDate) -> bool:
    one, other = (Duration(number=each.number, unit=each.unit, original=each.original) for each in (a, b))
    same_span = (a.number == b.number == 0) or (a.direction == b.direction and exact_length(one) == exact_length(other))
    return same_span and _event(a.anchor_event) == _event(b.anchor_event)


def _event(words: str) -> str:
    """The event without its article: 'the Effective Date' is 'Effective Date'."""
    return re.sub(r"^(?:the|its|such|la|el|le|l'|l’)\s*", "", plain(words))


def _same_address(a: Address, b: Address) -> bool:
    """True where street, code and town agree and neither names another country or region."""
    pairs = [(a.street, b.street), (a.postal_code, b.postal_code), (a.city, b.city)]
    told = [(a.region, b.region), (a.country, b.country)]
    same = all(_letters(one or "") == _letters(other or "") for one, other in pairs)
    return same and all(not one or not other or _letters(one) == _letters(other) for one, other in told)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", plain(text))


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


_SAME: dict[str, Callable[[Any, Any], bool]] = {
    "text": lambda a, b: plain(a.text) == plain(b.text),
    "amount": _same_amount,
    "date": lambda a, b: a.iso == b.iso,
    "relative_date": _same_relative,
    "duration": lambda a, b: exact_length(a) == exact_length(b),
    "open_end": lambda a, b: plain(a.until or "") == plain(b.until or ""),
    "number": lambda a, b: a.number == b.number and bool(set(a.of.split()) & set(b.of.split())),
    "percentage": _same_share,
    "boolean": lambda a, b: a.value == b.value,
    "identifier": lambda a, b: "".join(a.text.split()) == "".join(b.text.split()),
    "iban": lambda a, b: a.iban == b.iban,
    # Names may differ in case, spaces, commas and points: 'ACME, INC.' is 'Acme Inc'.
    "party": lambda a, b: _letters(a.name) == _letters(b.name),
    "address": _same_address,
    "jurisdiction": _same_place,
    "table": lambda a, b: _cells(a) == _cells(b),
    "tree": lambda a, b: _same_nodes(a.nodes, b.nodes),
    "record": _same_fields,
    "conditional": _same_branches,
    "custom": lambda a, b: a.type_name == b.type_name and a.fields == b.fields,
}
