"""A computed value once more from its inputs: days from a date and terms, figures by the formula's own operations."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext

from pipeline.generation.checks.readings import scale_of
from pipeline.generation.tables.formulas import work_out
from schemas.answer import ComputedInput
from schemas.values import Amount, Count, DateValue, Duration, Percentage, RelativeDate, Value

_MONTHS = {"month": 1, "quarter": 3, "year": 12}  # calendar units: a month is no number of days
_DAYS = {"day": 1, "week": 7}
# As `pipeline.values.calendar` tells the other reading of a term.
_DAY_BEFORE = re.compile(r"\b(?:less|minus) (?:one|1|a) day\b|[-−–] ?1 day\b", re.IGNORECASE)
_BACKWARDS = re.compile(r"\b(?:minus|less|before)\b|\s[-−–]\s", re.IGNORECASE)
_COUNTING = re.compile(r"\b(?:count|number)\b", re.IGNORECASE)
MAX_FORMULA = 1_000  # characters of a formula that is read
HUNDRED = Decimal(100)


def recompute(value: Value, inputs: Sequence[ComputedInput], formula: str) -> str | None:
    """Why the value does not follow from its inputs; None where it does."""
    if isinstance(value, DateValue):
        return _misfit_of_day(value.iso, inputs, formula)
    given = _number(value)
    if given is None:
        same = any(
            one.value.model_dump(exclude={"original"}) == value.model_dump(exclude={"original"}) for one in inputs
        )
        return None if same else f"no {value.kind} can be computed from {len(inputs)} inputs"
    units = {one.value.currency for one in inputs if isinstance(one.value, Amount)}
    if isinstance(value, Amount) and (len(units) > 1 or value.currency not in units):
        return "amounts of several currencies, or of another one, are not added up"
    results = list(_results(value, inputs, formula))
    if any(_same(given, result) for result in results):
        return None
    told = f"{results[0].normalize():f}"[:30] if results else "nothing"
    return f"the formula gives {told}, not {given.normalize():f}"


def _misfit_of_day(day: date, inputs: Sequence[ComputedInput], formula: str) -> str | None:
    """Why a day is not the start and the terms added to it, or the day before where the formula says so."""
    starts = [one.value.iso for one in inputs if isinstance(one.value, DateValue)]
    terms = [term for one in inputs if (term := _term(one.value)) is not None]
    if not starts:
        return "no input is a date"
    if not terms:
        return None if day in starts else "the day is none of the inputs, and no term is added"
    is_day_before = _DAY_BEFORE.search(formula) is not None
    sign = (
        -1
        if not is_day_before and _BACKWARDS.search(formula) and not re.search(r"\+|\bplus\b|\bafter\b", formula)
        else 1
    )
    ends = [end for start in starts if (end := _added(start, terms, sign)) is not None]
    if not ends:
        return "the terms cannot be added to a date: business days and hours depend on a calendar"
    expected = [end - timedelta(days=1) if is_day_before else end for end in ends]
    return None if day in expected else f"the formula gives {expected[0].isoformat()}, not {day.isoformat()}"


def _term(value: Value) -> Duration | None:
    """A span of time, or the one by which a day lies behind its event: 'the third anniversary of'."""
    if isinstance(value, RelativeDate) and value.direction == "after":
        return Duration(number=value.number, unit=value.unit, original=value.original)
    return value if isinstance(value, Duration) else None


def _added(start: date, terms: Sequence[Duration], sign: int) -> date | None:
    day = start
    for term in terms:
        number = term.number * sign
        if number != number.to_integral_value() and term.unit not in _MONTHS:
            return None
        if term.unit in _MONTHS:
            months = number * _MONTHS[term.unit]
            if months != months.to_integral_value():
                return None
            moved = _moved(day, int(months))
        elif term.unit in _DAYS:
            moved = _shifted(day, int(number) * _DAYS[term.unit])
        else:
            return None
        if moved is None:
            return None
        day = moved
    return day


def _moved(day: date, months: int) -> date | None:
    """So many months on, at the end of a shorter month: 31 January and a month are the end of February."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not date.min.year <= year <= date.max.year:
        return None
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _shifted(day: date, days: int) -> date | None:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def _number(value: Value) -> Decimal | None:
    match value:
        case Amount() | Percentage():
            return value.value
        case Count() | Duration():
            return value.number
    return None


def _results(value: Value, inputs: Sequence[ComputedInput], formula: str) -> Iterator[Decimal]:
    """What the formula makes of the inputs; where it is told in words only, the operation that its words name."""
    numbers = [number for one in inputs if (number := _number(one.value)) is not None]
    try:
        with localcontext() as context:
            context.prec = 50
            evaluated = _evaluate(formula, inputs)
            if evaluated is not None:
                yield evaluated
                if isinstance(value, Percentage):
                    yield evaluated * HUNDRED
                return
            yield from _named(formula, inputs, numbers)
    except (InvalidOperation, DivisionByZero):
        return


def _named(formula: str, inputs: Sequence[ComputedInput], numbers: Sequence[Decimal]) -> Iterator[Decimal]:
    words = formula.lower()
    if _COUNTING.search(words):
        yield Decimal(len(inputs))
    if numbers and re.search(r"\b(?:sum|total|added|plus)\b|\+", words):
        yield sum(numbers, Decimal(0))
    if len(numbers) > 1 and re.search(r"\b(?:average|mean)\b", words):
        yield sum(numbers, Decimal(0)) / len(numbers)
    if len(numbers) == 2 and numbers[1] and re.search(r"\b(?:growth|change|increase|decrease)\b", words):
        yield (numbers[0] - numbers[1]) / numbers[1] * HUNDRED
        if numbers[0]:
            yield (numbers[1] - numbers[0]) / numbers[0] * HUNDRED
    if len(numbers) == 2 and re.search(r"\b(?:minus|less|difference)\b|[-−–]", words):
        yield numbers[0] - numbers[1]
    if len(numbers) == 2 and numbers[1] and re.search(r"\b(?:ratio|divided|share|per)\b|/", words):
        yield numbers[0] / numbers[1]
        yield numbers[0] / numbers[1] * HUNDRED


def _evaluate(formula: str, inputs: Sequence[ComputedInput]) -> Decimal | None:
    """The formula with the inputs' numbers for their names; None where it is no arithmetic of them and of constants."""
    known = {one.name: number for one in inputs if (number := _number(one.value)) is not None}
    text = formula[:MAX_FORMULA].rsplit("=", maxsplit=1)[-1].replace(" x ", " * ")
    return work_out(text, known) if known else None


def _same(given: Decimal, result: Decimal) -> bool:
    """Equal to the digits that are given: 0.53 is 0.5291, 52.9 is 52.91."""
    exponent = given.as_tuple().exponent
    step = Decimal(1).scaleb(exponent) if isinstance(exponent, int) and exponent < 0 else Decimal(1)
    is_exact = given == result
    return is_exact or (isinstance(exponent, int) and exponent < 0 and abs(given - result) <= step / 2)


def tells_number(words: str, value: Value) -> bool:
    """True where the words tell the number of the value, in the scale that they name and to the digits they give."""
    given = _number(value)
    found = re.search(r"-?\d[\d,]*(?:\.\d+)?", words)
    if given is None or found is None:
        return given is None
    number = Decimal(found.group().replace(",", ""))
    scale = scale_of(words)
    exponent = number.as_tuple().exponent
    step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) * scale
    return any(abs(number * scale - told) <= step / 2 for told in (given, given * HUNDRED))
