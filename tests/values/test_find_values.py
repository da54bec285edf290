"""Values in running text: what is read, and what must never be."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values import VALUE_TYPES, find_values, same_value
from schemas.answer import Amount, DateValue, Duration, Identifier, Percentage, TextValue


def read(text: str, kind: str, language: str = "en") -> list[tuple[str, ...]]:
    """The values in short: number and unit as texts."""
    short = []
    for found in find_values(text, kind, language=language):
        match found.value:
            case Amount() as value:
                short.append((str(value.value), str(value.currency)))
            case DateValue() as value:
                short.append((value.iso.isoformat(),))
            case Duration() as value:
                short.append((str(value.number), value.unit))
            case Percentage() as value:
                short.append((str(value.value),))
            case Identifier() as value:
                short.append((value.text,))
    return short


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("USD 1,250,000.00", "1250000.00", "USD"),
        ("$8.06M", "8060000", "USD"),
        ("EUR 1.234.567,89", "1234567.89", "EUR"),
        ("£3.5 million", "3500000", "GBP"),
        ("two million dollars ($2,000,000)", "2000000", "USD"),
        ("two million\ndollars ($2,000,000)", "2000000", "USD"),
        ("Two Million and 00/100 Dollars ($2,000,000.00)", "2000000", "USD"),
        ("Five Million ($5,000,000)", "5000000", "USD"),
        ("one hundred and fifty thousand dollars", "150000", "USD"),
        ("45k", "45000", "None"),
        ("US$ 45k", "45000", "USD"),
        ("CAD $500", "500", "CAD"),
        ("$500 CAD", "500", "CAD"),
        ("1 234 567,89 €", "1234567.89", "EUR"),
        ("3,5 millions d'euros", "3500000", "EUR"),
        ("5 mil millones de dólares", "5000000000", "USD"),
        ("dos millones de euros (2.000.000 EUR)", "2000000", "EUR"),
        ("$(1,234)", "-1234", "USD"),
        ("USD1,000", "1000", "USD"),
        ("$1.125 per share", "1.125", "USD"),
        ("€1.500", "1500", "EUR"),
        ("$\n1,250", "1250", "USD"),
        ("Rs. 1,00,000", "100000", "INR"),
        ("2,500 US Dollars", "2500", "USD"),
        ("$500/month", "500", "USD"),
        ("€ 2,5 Mrd", "2500000000", "EUR"),
    ],
)
def test_an_amount_is_read_with_its_currency(text: str, value: str, currency: str) -> None:
    """Signs, codes, words, scales and both conventions of separators give one exact amount."""
    assert read(text, "amount") == [(value, currency)]


def test_a_bare_dollar_is_usd_unless_another_dollar_is_near() -> None:
    """'$' means USD; beside CAD, Canadian dollars or pesos the currency is left open."""
    assert read("a fee of $500", "amount") == [("500", "USD")]
    assert read("$500 (about CAD 600)", "amount") == [("500", "None"), ("600", "CAD")]
    assert read("in Canadian dollars, a fee of $500", "amount") == [("500", "None")]


@pytest.mark.parametrize(
    ("text", "basis"),
    [
        ("$5,000 per year", "per year"),
        ("$5,000 per claim", "per claim"),
        ("$5,000 per month", "per month"),
        ("$5,000 annually", "annually"),
        ("$5,000/month", "per month"),
        ("a monthly fee of $5,000", "monthly"),
        ("$5,000 in the aggregate", "in the aggregate"),
        ("100.000 € al año", "al año"),
        ("five thousand dollars ($5,000) per calendar month", "per calendar month"),
        ("$5,000 is due", None),
    ],
)
def test_the_basis_of_an_amount_is_kept(text: str, basis: str | None) -> None:
    """What an amount is counted by stands beside it."""
    (found,) = find_values(text, "amount")
    assert isinstance(found.value, Amount)
    assert found.value.basis == basis


@pytest.mark.parametrize(
    "text",
    [
        "Section 14.2 applies",
        "in the year 2024",
        "500 pounds of steel",
        "ARTICLE 5",
        "a Form 10-K or 10k",
        "$1,2345",
        "$5 mil",
        "401k plan",
        "100 shares",
        "June 30, 2024",
    ],
)
def test_what_is_no_amount_is_not_read(text: str) -> None:
    """Section numbers, years, weights, forms, counts and unclear writings are no amounts."""
    assert read(text, "amount") == []


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("1 March 2024", "2024-03-01"),
        ("March 1, 2024", "2024-03-01"),
        ("March 1st, 2024", "2024-03-01"),
        ("1st day of March, 2024", "2024-03-01"),
        ("twenty-first day of June, 2011", "2011-06-21"),
        ("1 de marzo de 2024", "2024-03-01"),
        ("1º de abril del 2022", "2022-04-01"),
        ("primero de enero de 2024", "2024-01-01"),
        ("1er mars 2024", "2024-03-01"),
        ("12 août 2023", "2023-08-12"),
        ("2024-03-01", "2024-03-01"),
        ("31/12/2024", "2024-12-31"),
        ("12/31/2024", "2024-12-31"),
        ("03/03/2024", "2024-03-03"),
        ("December\n31, 2020", "2020-12-31"),
        ("1-Mar-24", "2024-03-01"),
    ],
)
def test_a_date_is_read(text: str, iso: str) -> None:
    """ISO, English, Spanish and French dates, with a line break inside too."""
    (found,) = find_values(f"signed {text}.", "date")
    assert found.value == DateValue(iso=iso, original=text)


@pytest.mark.parametrize(
    "text", ["03/04/2024", "February 30, 2020", "May __, 2020", "May 2019", "1.2.2024", "31/04/24"]
)
def test_an_unsure_or_impossible_date_is_not_read(text: str) -> None:
    """Where two readings are possible, or none, there is no date."""
    assert read(text, "date") == []


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("five (5) years", "5", "year"),
        ("thirty (30) business days", "30", "business_day"),
        ("18 months", "18", "month"),
        ("dix-huit mois", "18", "month"),
        ("quatre-vingt-dix jours", "90", "day"),
        ("soixante-dix jours ouvrés", "70", "business_day"),
        ("treinta (30) dias habiles", "30", "business_day"),
        ("noventa y dos días", "92", "day"),
        ("sixty-day", "60", "day"),
        ("thirty\n(30) days", "30", "day"),
        ("twenty-five days", "25", "day"),
        ("one hundred and fifty days", "150", "day"),
        ("two and one-half (2.5) years", "2.5", "year"),
        ("30 (thirty) days", "30", "day"),
        ("twelve (12)-month", "12", "month"),
        ("90 consecutive calendar days", "90", "day"),
        ("24 months (2 years)", "24", "month"),
        ("un año", "1", "year"),
    ],
)
def test_a_duration_is_read(text: str, number: str, unit: str) -> None:
    """Words, digits or both, in three languages; business days are their own unit."""
    (found,) = find_values(text, "duration")
    assert found.value == Duration(number=number, unit=unit, original=text)


def test_words_and_digits_that_contradict_are_both_given() -> None:
    """Neither 'thirty' nor '(60)' is chosen: the reader must see that the document contradicts itself."""
    assert read("thirty (60) days", "duration") == [("30", "day"), ("60", "day")]
    assert read("Five Million ($6,000,000)", "amount") == [("5000000", "USD"), ("6000000", "USD")]
    assert read("ten percent (12%)", "percentage") == [("10",), ("12",)]


def test_a_range_gives_both_ends() -> None:
    """The unit is written once and belongs to both."""
    assert read("between thirty (30) and sixty (60) days", "duration") == [("30", "day"), ("60", "day")]
    assert read("10-15 days", "duration") == [("10", "day"), ("15", "day")]
    assert read("5% to 10%", "percentage") == [("5",), ("10",)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5 %", "5"),
        ("five percent (5%)", "5"),
        ("five (5) percent", "5"),
        ("1.5% per month", "1.5"),
        ("12.5 per cent per annum", "12.5"),
        ("cinco por ciento (5%)", "5"),
        ("cinq pour cent (5 %)", "5"),
        ("-3.2%", "-3.2"),
        ("12.345%", "12.345"),
        ("0,5 %", "0.5"),
    ],
)
def test_a_percentage_is_read(text: str, value: str) -> None:
    """Sign or words; the period of a rate stays in the original, and is its basis."""
    (found,) = find_values(text, "percentage")
    period = next((words for words in ("per month", "per annum") if text.endswith(words)), None)
    assert found.value == Percentage(value=value, basis=period, original=text)


def test_a_fraction_of_a_percent_is_not_one_percent() -> None:
    """'One-half of one percent (0.5%)' is 0.5 %."""
    assert read("one-half of one percent (0.5%)", "percentage") == [("0.5",)]


def test_identifiers_are_codes_letter_by_letter() -> None:
    """Codes, standards and labelled numbers; dates and ordinals are none."""
    assert read("Policy No. ABC-123456 under ISO 27001 of 2024-03-01, the 1st", "identifier") == [
        ("ABC-123456",),
        ("ISO 27001",),
    ]
    assert read("Contract Number: 4500012345", "identifier") == [("4500012345",)]


def test_a_type_without_pattern_has_no_values() -> None:
    """Text, boolean and unknown types give an empty tuple."""
    assert [find_values("five (5) years, $5", kind) for kind in ("text", "boolean", "party")] == [(), (), ()]


@pytest.mark.parametrize(
    ("one", "other", "kind", "same"),
    [
        ("five (5) years", "5 years", "duration", True),
        ("5 years", "60 months", "duration", True),
        ("30 days", "30 business days", "duration", False),
        ("one month", "30 days", "duration", False),
        ("$2,000,000", "two million dollars", "amount", True),
        ("$2,000,000", "€2,000,000", "amount", False),
        ("$500 per month", "$500 per year", "amount", False),
        ("$500 per month", "$500", "amount", True),
        ("1 March 2024", "2024-03-01", "date", True),
        ("1.5% per month", "1.5% per year", "percentage", False),
    ],
)
def test_values_are_equal_by_meaning(one: str, other: str, kind: str, same: bool) -> None:
    """Writing does not matter, unit, currency and basis do."""
    (first,), (second,) = find_values(one, kind), find_values(other, kind)
    assert same_value(first.value, second.value) is same


def test_values_of_two_kinds_are_never_equal() -> None:
    """A text '5' is no amount of 5."""
    assert not same_value(TextValue(text="5"), Amount(value=Decimal(5), original="5"))


@given(
    st.text(alphabet="0123456789 ,.()$€%-\n/aéfivethousandyr(m)D", max_size=120),
    st.sampled_from(VALUE_TYPES),
    st.sampled_from(["en", "es", "fr"]),
)
def test_every_value_points_at_its_words(text: str, kind: str, language: str) -> None:
    """On any text: no crash, places in order, not overlapping, and the original is the text at the place."""
    end = 0
    for found in find_values(text, kind, language=language):
        assert end <= found.start < found.end
        end = found.end
        original = getattr(found.value, "original", None) or getattr(found.value, "text", "")
        assert text[found.start : found.end] == original
