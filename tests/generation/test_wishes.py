"""Wishes for a form: told where the values do not have it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.generation.wishes import _convert
from pipeline.run import ask
from schemas.question import FormatConstraint
from schemas.values import Amount, DateValue, Duration, Value

TEXT = "1. Fees\n\nThe annual fee is EUR 120,000.\n\n2. Term\n\nThe warranty period is two (2) years.\n"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the annual fee in euros?", False),
        ("What is the annual fee in thousands?", False),
        ("What is the annual fee in USD?", True),
        ("What is the warranty period, in years?", False),
        ("What is the warranty period, in days?", True),
        ("What is the warranty period, in months?", False),
        ("What is the annual fee?", False),
    ],
)
def test_a_wish_that_is_not_carried_out_is_told(tmp_path: Path, question: str, told: bool) -> None:
    """No conversion is made up; a value that already has the form needs no remark."""
    (tmp_path / "terms.txt").write_text(TEXT)
    answer = ask(tmp_path / "terms.txt", question, store=tmp_path / "store").answer
    assert answer.items
    assert any("not carried out" in caveat for caveat in answer.caveats) is told


@pytest.mark.parametrize(
    ("question", "wished"),
    [
        ("What is the annual fee in thousands?", "EUR 120 thousand"),
        ("What is the warranty period, in months?", "24 months"),
        ("What is the warranty period, in days?", None),
        ("What is the warranty period, in years?", None),
    ],
)
def test_what_converts_exactly_stands_beside_the_value(tmp_path: Path, question: str, wished: str | None) -> None:
    """Two years are 24 months and no fixed number of days; the value itself stays as written."""
    (tmp_path / "terms.txt").write_text(TEXT)
    answer = ask(tmp_path / "terms.txt", question, store=tmp_path / "store").answer
    [item] = answer.items
    assert item.wished == wished or (wished and item.wished and item.wished.startswith(wished))
    assert (f"In the form asked for: {item.wished}" in answer.text) is (wished is not None)


DATE = DateValue(iso=date(2024, 3, 5), original="March 5, 2024")


@pytest.mark.parametrize(
    ("value", "form", "language", "told"),
    [
        (DATE, {"date_format": "ISO"}, "en", "2024-03-05"),
        (DATE, {"date_format": "DD/MM/YYYY"}, "es", "05/03/2024"),
        (DATE, {"date_format": "SOMETHING"}, "en", None),
        (Amount(value=Decimal(2500000), currency="EUR", original="x"), {"scale": "millions"}, "es", "EUR 2,5 millones"),
        (Amount(value=Decimal(2500000), currency="EUR", original="x"), {"currency": "USD"}, "en", None),
        (Amount(value=Decimal("12.345"), currency=None, original="x"), {"decimals": 1}, "fr", "12,3 (arrondi)"),
        (Amount(value=Decimal("12.30"), currency=None, original="x"), {"decimals": 1}, "en", "12.3"),
        (Duration(number=Decimal(18), unit="month", original="x"), {"period": "years"}, "fr", "1,5 an"),
        (Duration(number=Decimal(20), unit="month", original="x"), {"period": "years"}, "en", None),
        (Duration(number=Decimal(10), unit="business_day", original="x"), {"period": "days"}, "en", None),
    ],
)
def test_a_form_is_given_exactly_or_not_at_all(
    value: Value, form: dict[str, str], language: str, told: str | None
) -> None:
    """Dates by their parts, amounts by powers of ten, spans where the calendar allows it; rounding says so."""
    assert _convert(value, FormatConstraint.model_validate(form), language) == told
