"""Dates, percentages and amounts in less common writings: words for years, last days, bases, ranges, negatives."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pipeline.values import find_values
from pipeline.values.scales import find_stated_scales
from schemas.values import Amount, DateValue, Percentage


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("the last day of February 2024", "2024-02-29"),
        ("end of February 2023", "2023-02-28"),
        ("this 5th day of May, in the year 2001", "2001-05-05"),
        ("the thirty-first day of December, two thousand and nineteen", "2019-12-31"),
        ("el día uno de enero de dos mil veinticuatro", "2024-01-01"),
        ("1er. de marzo de 2020", "2020-03-01"),
        ("a 3 de junio de 2.019", "2019-06-03"),
        ("el último día de marzo de 2024", "2024-03-31"),
        ("le premier janvier deux mille vingt-quatre", "2024-01-01"),
        ("le vingt-deux mars 2021", "2021-03-22"),
        ("Effective as of June 1, 1998", "1998-06-01"),
    ],
)
def test_a_date_in_words_is_read(text: str, iso: str) -> None:
    """Years in words, days in words and last days of a month, in three languages."""
    (found,) = find_values(text, "date")
    assert isinstance(found.value, DateValue)
    assert found.value.iso.isoformat() == iso


@pytest.mark.parametrize(
    "text", ["in 2019", "June 2019", "May 5, twelve copies", "year end of June 2020 results", "Q2 2020"]
)
def test_a_year_or_a_month_alone_is_no_date(text: str) -> None:
    """What names no day is no date, and a number in words behind a day is no year."""
    assert find_values(text, "date") == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("five percent (5%) of Net Sales", [("5", "of Net Sales")]),
        ("8 % above the main refinancing rate of the ECB.", [("8", "above the main refinancing rate of the ECB")]),
        ("el 10 % del precio", [("10", "del precio")]),
        ("5 % du chiffre d'affaires net", [("5", "du chiffre d'affaires net")]),
        ("between 5 % and 7 %", [("5", None), ("7", None)]),
        ("2 percentage points over the base rate", [("2", "over the base rate")]),
        ("50 basis points", [("0.5", None)]),
        ("a change of (3.2)%", [("-3.2", None)]),
        ("-4 %", [("-4", None)]),
    ],
)
def test_a_percentage_has_its_basis_and_its_sign(text: str, told: list[tuple[str, str | None]]) -> None:
    """What it is a share of or comes on top of; basis points are hundredths; brackets as accounts write them."""
    values = [found.value for found in find_values(text, "percentage")]
    assert [(str(value.value), value.basis) for value in values if isinstance(value, Percentage)] == told


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("between $5 and $7 million", ["5000000", "7000000"]),
        ("between $5 million and $7 million", ["5000000", "7000000"]),
        ("from $500,000 to $2 million", ["500000", "2000000"]),
        ("$5-7 million", ["5000000", "7000000"]),
        ("$5 to 7 million customers", []),
        ("a loss of -$500", ["-500"]),
        ("€ -500", ["-500"]),
        ("$(1,234)", ["-1234"]),
        ("3,5 M€", ["3500000"]),
        ("2 Md€", ["2000000000"]),
    ],
)
def test_ranges_and_negatives_of_money(text: str, values: list[str]) -> None:
    """A scale said once counts for both ends; what would be read wrongly is not read."""
    found = [one.value for one in find_values(text, "amount")]
    assert [str(one.value) for one in found if isinstance(one, Amount)] == values


def test_a_scale_that_is_stated_apart_is_found_with_its_exception() -> None:
    """'(in millions, except per share data)' is a factor, its words and what it leaves out."""
    (one,) = find_stated_scales("CONSOLIDATED BALANCE SHEETS\n(in millions, except per share data)")
    assert (one.factor, one.exception) == (Decimal(10**6), "except per share data")
    assert [scale.factor for scale in find_stated_scales("importes en miles de euros; en milliers d'euros")] == [
        1000,
        1000,
    ]
    assert find_stated_scales("$5 million in cash") == ()
