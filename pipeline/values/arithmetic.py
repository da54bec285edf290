"""What code computes from typed values: sums, differences, shares, growth, conversions, comparisons.

Every function gives a `Computed` with its formula in words and its inputs; where the inputs do not allow an exact
result, it gives no value and says why. Days and terms are counted in `calendar.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Literal

from pipeline.values.equality import EXACT_UNITS, exact_length
from schemas.values import Amount, BooleanValue, Count, Duration, DurationUnit, Percentage, Value

Comparison = Literal["more than", "at least", "less than", "at most", "equal to"]
ROUNDED_TO = Decimal("0.0001")  # of a share or ratio that does not come out even: finer than any report states
DIGITS = 80  # computed with: twice what a number of a document may have (`numerals.MAX_DIGITS`), so that none is lost


@dataclass(frozen=True, slots=True)
class Named:
    """An input with the name by which the formula calls it."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed value; `value` is None where the inputs allow none, and `reason` says why.

    `convention` names a choice that others could make differently: the end of a month, rounding.
    """

    value: Value | None
    formula: str
    inputs: tuple[Named, ...]
    reason: str | None = None
    convention: str | None = None


def add_amounts(parts: Sequence[Named]) -> Computed:
    """The sum of amounts in one currency."""
    formula, inputs = " + ".join(part.name for part in parts), tuple(parts)
    amounts, reason = _amounts(inputs)
    if reason is not None:
        return Computed(None, formula, inputs, reason)
    return Computed(_money(sum((one.value for one in amounts), Decimal(0)), amounts[0]), formula, inputs)


def subtract_amounts(first: Named, second: Named) -> Computed:
    """The first amount less the second, in one currency; negative where the second is larger."""
    formula, inputs = f"{first.name} - {second.name}", (first, second)
    amounts, reason = _amounts(inputs)
    if reason is not None:
        return Computed(None, formula, inputs, reason)
    return Computed(_money(amounts[0].value - amounts[1].value, amounts[0]), formula, inputs)


def divide_amounts(first: Named, second: Named) -> Computed:
    """How many times the second amount goes into the first, as a number of 'times'."""
    formula, inputs = f"{first.name} / {second.name}", (first, second)
    amounts, reason = _amounts(inputs, divisor=second)
    if reason is not None:
        return Computed(None, formula, inputs, reason)
    number, convention = _quotient(amounts[0].value, amounts[1].value)
    return Computed(Count(number=number, of="times", original=f"{number:f}"), formula, inputs, None, convention)


def share_of(part: Named, whole: Named) -> Computed:
    """The first amount in percent of the second."""
    formula, inputs = f"{part.name} / {whole.name} x 100", (part, whole)
    amounts, reason = _amounts(inputs, divisor=whole)
    if reason is not None:
        return Computed(None, formula, inputs, reason)
    number, convention = _quotient(100 * amounts[0].value, amounts[1].value)
    return Computed(_percent(number, f"of {whole.name}"), formula, inputs, None, convention)


def growth(before: Named, after: Named) -> Computed:
    """The change from one amount to a later one in percent of the first; none from a loss or from zero."""
    formula, inputs = f"({after.name} - {before.name}) / {before.name} x 100", (before, after)
    amounts, reason = _amounts(inputs, divisor=before)
    if reason is None and amounts[0].value < 0:
        reason = f"{before.name} is negative: growth in percent of a loss has no meaning; give the difference instead"
    if reason is not None:
        return Computed(None, formula, inputs, reason)
    number, convention = _quotient(100 * (amounts[1].value - amounts[0].value), amounts[0].value)
    return Computed(_percent(number, f"on {before.name}"), formula, inputs, None, convention)


def part_of_amount(share: Named, whole: Named) -> Computed:
    """The amount that a percentage of another one is."""
    formula, inputs = f"{share.name} x {whole.name} / 100", (share, whole)
    if not isinstance(share.value, Percentage) or not isinstance(whole.value, Amount):
        return Computed(None, formula, inputs, "a percentage and an amount are needed")
    return Computed(_money(share.value.value * whole.value.value / 100, whole.value), formula, inputs)


def convert_duration(length: Named, unit: DurationUnit) -> Computed:
    """The span in another unit, where that is exact for every calendar: years, quarters, months; weeks, days."""
    formula, inputs = f"{length.name} in {unit.replace('_', ' ')}s", (length,)
    if not isinstance(length.value, Duration):
        return Computed(None, formula, inputs, f"{length.name} is no span of time")
    base, number = exact_length(length.value)
    wanted, factor = EXACT_UNITS[unit]
    if base != wanted:
        return Computed(None, formula, inputs, _why_inexact(length.value.unit, unit))
    converted, convention = _quotient(number, Decimal(factor))
    if convention is not None:
        return Computed(None, formula, inputs, f"it is no number of {unit}s that can be written exactly")
    words = f"{converted:f} {unit.replace('_', ' ')}{'' if converted == 1 else 's'}"
    value = length.value.model_copy(update={"number": converted, "unit": unit, "original": words})
    return Computed(value, formula, inputs)


def compare(value: Named, how: Comparison, threshold: Named) -> Computed:
    """Yes or no: whether the value is more than, at least ... the threshold; none where the two cannot be compared."""
    formula, inputs = f"{value.name} is {how} {threshold.name}", (value, threshold)
    one, other, reason = _magnitudes(value, threshold)
    if one is None or other is None:
        return Computed(None, formula, inputs, reason)
    holds = {
        "more than": one > other, "at least": one >= other, "less than": one < other, "at most": one <= other,
        "equal to": one == other,
    }[how]  # fmt: skip
    return Computed(BooleanValue(value=holds), formula, inputs)


def _magnitudes(value: Named, threshold: Named) -> tuple[Decimal | int | None, Decimal | int | None, str | None]:
    """Numbers that compare as the values do, or why there are none."""
    one, other = value.value, threshold.value
    if isinstance(one, Amount) and isinstance(other, Amount):
        _, reason = _amounts((value, threshold))
        return (None, None, reason) if reason is not None else (one.value, other.value, None)
    if isinstance(one, Duration) and isinstance(other, Duration):
        (unit, number), (other_unit, other_number) = exact_length(one), exact_length(other)
        if unit != other_unit:
            return None, None, _why_inexact(one.unit, other.unit)
        return number, other_number, None
    if isinstance(one, Percentage) and isinstance(other, Percentage):
        return one.value, other.value, None
    if isinstance(one, Count) and isinstance(other, Count):
        return one.number, other.number, None
    days = [getattr(each, "iso", None) for each in (one, other)]
    if days[0] is not None and days[1] is not None:
        return days[0].toordinal(), days[1].toordinal(), None
    return None, None, f"a {one.kind} and a {other.kind} cannot be compared"


def _amounts(inputs: Sequence[Named], *, divisor: Named | None = None) -> tuple[tuple[Amount, ...], str | None]:
    """The amounts, or the reason why they cannot be computed with."""
    amounts = tuple(one.value for one in inputs if isinstance(one.value, Amount))
    if not inputs or len(amounts) < len(inputs):
        others = ", ".join(one.name for one in inputs if not isinstance(one.value, Amount))
        return (), f"{others or 'nothing'} is no amount of money"
    currencies = sorted({one.currency or "a currency that is not named" for one in amounts})
    if len(currencies) > 1:
        return (), f"the amounts are in {' and '.join(currencies)}; no rate of exchange is stated"
    bases = sorted({" ".join(one.basis.split()).casefold() for one in amounts if one.basis})
    if len(bases) > 1:
        return (), f"the amounts have different bases: {' and '.join(bases)}"
    if divisor is not None and isinstance(divisor.value, Amount) and divisor.value.value == 0:
        return (), f"{divisor.name} is zero"
    return amounts, None


def _money(number: Decimal, like: Amount) -> Amount:
    words = f"{like.currency} {number:,f}" if like.currency else f"{number:,f}"
    return Amount(value=number, currency=like.currency, basis=like.basis, original=words)


def _percent(number: Decimal, basis: str) -> Percentage:
    return Percentage(value=number, basis=basis, original=f"{number:f} %")


def _quotient(number: Decimal, by: Decimal) -> tuple[Decimal, str | None]:
    """The quotient, and how it was rounded where it does not come out even."""
    with localcontext(prec=DIGITS):
        rounded = (number / by).quantize(ROUNDED_TO)
        if rounded * by == number:
            is_whole = rounded == rounded.to_integral_value()
            return rounded.quantize(Decimal(1)) if is_whole else rounded.normalize(), None
    return rounded, f"rounded to {-int(ROUNDED_TO.as_tuple().exponent)} decimals, halves to even"


def _why_inexact(unit: str, other: str) -> str:
    units = {unit, other}
    if "business_day" in units:
        return "business days depend on a calendar of holidays that the document does not give"
    if "hour" in units:
        return "hours are not converted to calendar days: 24 hours may touch two of them"
    return f"a {unit} is no fixed number of {other}s"
