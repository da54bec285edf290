"""Figures that typesetting tore apart: read where only one reading is possible, else no value."""

from __future__ import annotations

import pytest

from pipeline.values import find_values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a fee of $30, 000 a year", [30000]),
        ("thirty thousand dollars ($30, 000)", [30000]),
        ("for $5, 100 units are sold", []),
        ("for $5, 1000 units are sold", [5]),
        ("$5, and 100 units", [5]),
    ],
)
def test_thousands_torn_off_by_a_space(text: str, values: list[int]) -> None:
    """'$30, 000' is thirty thousand; where the second group may be another number, there is no value."""
    assert [one.value.value for one in find_values(text, "amount")] == values
