"""Sums, shares, terms and comparisons that code makes, and the ones it must not make."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from pipeline.values.arithmetic import (
    Named,
    add_amounts,
    compare,
    convert_duration,
    divide_amounts,
    growth,
    part_of_amount,
    share_of,
    subtract_amounts,
)
from pipeline.values.calendar import add_duration, count_between, end_of_period, end_term, resolve_date
from schemas.values import Amount, BooleanValue, DateValue, Duration, Percentage, RelativeDate, wording_of


def money(name: str, value: str, currency: str | None = "USD", basis: str | None = None) -> Named:
    """An amount with a name."""
    return Named(name, Amount(value=Decimal(value), currency=currency, basis=basis, original=value))


def day(iso: str, name: str = "Effective Date") -> Named:
    """A date with a name."""
    return Named(name, DateValue(iso=date.fromisoformat(iso), original=iso))


def span(number: str, unit: str) -> Named:
    """A span of time named 'initial term'."""
    return Named("initial term", Duration.model_validate({"number": number, "unit": unit, "original": "as written"}))


@pytest.mark.parametrize(
    ("start", "number", "unit", "anniversary", "eve"),
    [
        ("2020-01-01", "1", "year", "2021-01-01", "2020-12-31"),
        ("2020-02-29", "1", "year", "2021-02-28", "2021-02-28"),
        ("2020-01-31", "1", "month", "2020-02-29", "2020-02-29"),
        ("2020-03-10", "2", "quarter", "2020-09-10", "2020-09-09"),
        ("2020-03-10", "30", "day", "2020-04-09", "2020-04-08"),
        ("2020-03-10", "0.5", "year", "2020-09-10", "2020-09-09"),
    ],
)
def test_a_term_ends_in_two_readings(start: str, number: str, unit: str, anniversary: str, eve: str) -> None:
    """The anniversary and the day before it are given, each with its convention, formula and inputs."""
    ends = end_term(day(start), span(number, unit))
    assert [wording_of(one.value) for one in (ends.anniversary, ends.day_before) if one.value] == [anniversary, eve]
    assert ends.anniversary.formula == "Effective Date + initial term"
    assert [one.name for one in ends.anniversary.inputs] == ["Effective Date", "initial term"]
    assert ends.anniversary.convention
    assert ends.day_before.convention


@pytest.mark.parametrize(
    ("number", "unit", "why"),
    [
        ("5", "business_day", "holidays"),
        ("12", "hour", "no calendar day"),
        ("1.5", "month", "whole number"),
        ("9000", "year", "outside"),
        ("1e30", "day", "outside"),
    ],
)
def test_a_day_that_cannot_be_counted_is_not(number: str, unit: str, why: str) -> None:
    """Business days without a calendar, hours, broken months and years without end give a reason and no day."""
    told = add_duration(day("2020-03-10"), span(number, unit))
    assert told.value is None
    assert why in str(told.reason)


def test_a_relative_date_is_resolved_once_its_event_is_known() -> None:
    """'30 days before the Closing Date' becomes a day that names its event."""
    relative = RelativeDate(
        number=Decimal(30), unit="day", direction="before", anchor_event="the Closing Date", original="30 days before"
    )
    told = resolve_date(relative, day("2024-03-31", "Closing Date"))
    assert isinstance(told.value, DateValue)
    assert (told.value.iso.isoformat(), told.value.anchor_event) == ("2024-03-01", "the Closing Date")
    assert told.formula == "Closing Date - 30 days"


def test_time_between_two_days_is_counted_only_where_it_comes_out_even() -> None:
    """Days always, months and years where the day of the month agrees."""
    assert wording_of(count_between(day("2020-01-01"), day("2024-01-01", "end"), "year").value) == "4 years"  # type: ignore[arg-type]
    assert wording_of(count_between(day("2020-01-01"), day("2020-01-31", "end")).value) == "30 days"  # type: ignore[arg-type]
    assert count_between(day("2020-01-01"), day("2020-02-15", "end"), "month").value is None
    assert count_between(day("2020-02-01"), day("2020-01-15", "end")).reason == "end lies before Effective Date"


@pytest.mark.parametrize(
    ("number", "unit", "other", "words"),
    [
        ("18", "month", "year", "1.5 years"),
        ("2", "week", "day", "14 days"),
        ("1", "year", "quarter", "4 quarters"),
        ("1", "month", "day", None),
        ("10", "day", "week", None),
        ("5", "business_day", "day", None),
        ("24", "hour", "day", None),
    ],
)
def test_units_convert_only_where_exact(number: str, unit: str, other: str, words: str | None) -> None:
    """A month is no number of days; what has no exact conversion has a reason."""
    told = convert_duration(span(number, unit), other)  # type: ignore[arg-type]
    assert (wording_of(told.value) if told.value else None) == words
    assert (told.reason is None) == (words is not None)


def test_money_is_computed_in_one_currency() -> None:
    """Sums, differences, shares, ratios and growth are exact, or rounded and say so."""
    one, other = money("2019", "30"), money("2020", "40")
    assert wording_of(add_amounts([one, other]).value) == "USD 70"  # type: ignore[arg-type]
    assert wording_of(subtract_amounts(one, other).value) == "USD -10"  # type: ignore[arg-type]
    grown = growth(one, other)
    assert isinstance(grown.value, Percentage)
    assert (grown.value.value, grown.formula) == (Decimal("33.3333"), "(2020 - 2019) / 2019 x 100")
    assert "rounded" in str(grown.convention)
    assert share_of(one, money("total", "120")).value == Percentage(
        value=Decimal(25), basis="of total", original="25 %"
    )
    assert wording_of(divide_amounts(other, one).value) == "1.3333"  # type: ignore[arg-type]
    rate = Named("royalty", Percentage(value=Decimal(5), original="5%"))
    assert wording_of(part_of_amount(rate, money("Net Sales", "1000")).value) == "USD 50"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (add_amounts([money("a", "1"), money("b", "1", "EUR")]), "EUR and USD"),
        (add_amounts([money("a", "1"), money("b", "1", None)]), "not named"),
        (add_amounts([money("a", "1", basis="per year"), money("b", "1", basis="per month")]), "different bases"),
        (share_of(money("a", "1"), money("b", "0")), "b is zero"),
        (growth(money("loss", "-1"), money("b", "2")), "loss is negative"),
        (add_amounts([]), "no amount"),
    ],
)
def test_what_cannot_be_computed_says_why(told: object, why: str) -> None:
    """No rate of exchange, no common basis, a zero below: a reason instead of a number."""
    assert getattr(told, "value", "") is None
    assert why in str(getattr(told, "reason", ""))


def test_a_threshold_is_compared_by_code() -> None:
    """Values of one kind and currency compare; others give a reason."""
    assert compare(money("fee", "100"), "at least", money("limit", "100")).value == BooleanValue(value=True)
    assert compare(span("2", "year"), "more than", span("24", "month")).value == BooleanValue(value=False)
    assert compare(day("2020-01-01"), "less than", day("2020-01-02", "end")).value == BooleanValue(value=True)
    assert compare(money("fee", "1"), "more than", money("limit", "1", "EUR")).value is None
    assert compare(span("1", "month"), "more than", span("29", "day")).value is None


@pytest.mark.parametrize(
    ("words", "iso"),
    [("Q3 2024", "2024-09-30"), ("first quarter of 2023", "2023-03-31"), ("H1 2024", "2024-06-30"), ("Q5 2024", None)],
)
def test_the_end_of_a_quarter_is_known(words: str, iso: str | None) -> None:
    """Quarters and halves of a calendar year end on their last day."""
    told = end_of_period(words)
    assert (told.isoformat() if told else None) == iso
