"""Dates in figures: those of one order, those of two, and what settles the order."""

from __future__ import annotations

from datetime import date

import pytest

from pipeline.values import find_values
from pipeline.values.date_orders import find_unsure_dates, is_told_by, told_order


def read(text: str) -> list[date]:
    """Days that are found."""
    return [found.value.iso for found in find_values(text, "date")]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("29/3/18", date(2018, 3, 29)),
        ("5/17/12", date(2012, 5, 17)),
        ("9/9/97", date(1997, 9, 9)),
        ("April. 1st 2019", date(2019, 4, 1)),
        ("the last day in February, 2023", date(2023, 2, 28)),
        ("1st day of\n --- November, 2003", date(2003, 11, 1)),
    ],
)
def test_dates_of_one_reading(text: str, expected: date) -> None:
    """Two-digit years behind a stroke, a day above twelve, equal figures, days of a month's end."""
    assert read(text) == [expected]


@pytest.mark.parametrize("text", ["7/1/98", "3/4/11", "03/04/2024"])
def test_dates_of_two_readings_are_no_date(text: str) -> None:
    """They are found as unsure, with both."""
    assert read(text) == []
    unsure = find_unsure_dates(text)[0]
    assert unsure.month_first.iso != unsure.day_first.iso


def test_what_settles_the_order() -> None:
    """Another date of one order, else a place in the United States; dates of both orders settle nothing."""
    assert told_order(["29/3/18"]) == ("day_first", 0)
    assert told_order(["x", "5/17/12"]) == ("month_first", 1)
    assert told_order(["Santa Clara, CA 95054"]) == ("month_first", 0)
    assert told_order(["a Delaware corporation", "29/3/18"]) == ("day_first", 1)
    assert told_order(["29/3/18", "5/17/12"]) is None
    assert told_order(["Sydney, NSW 2066"]) is None


def test_a_reading_needs_the_words_that_tell_it() -> None:
    """The same figures are another day, or none, in other lines."""
    july = find_unsure_dates("7/1/98")[0].month_first
    assert is_told_by(july, ["7/1/98", "Austin, TX 78746"])
    assert not is_told_by(july, ["7/1/98", "29/3/18"])
    assert not is_told_by(july, ["7/1/98"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dated  January  28,  2005,", [date(2005, 1, 28)]),
        ("signed on this 31st day of  March 2001", [date(2001, 3, 31)]),
        ("this 30 \u00a0day of June 2016", [date(2016, 6, 30)]),
        ("Design  30  June 2022", []),
    ],
)
def test_gaps_of_justified_prose_do_not_tear_a_date(text: str, expected: list[date]) -> None:
    """A comma or 'day of' holds it together; a number and a month in two cells are no date."""
    assert read(text) == expected
