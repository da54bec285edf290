"""Counts of things in running text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pipeline.values import find_values, same_value
from schemas.answer import Count


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("five (5) directors and up to 100 named users", "en", [("5", "directors"), ("100", "named users")]),
        ("no fewer than 1,200 full-time employees", "en", [("1200", "full time employees")]),
        ("between 5 and 10 licensed users", "en", [("5", "licensed users"), ("10", "licensed users")]),
        ("en dos ejemplares originales", "es", [("2", "ejemplares originales")]),
        ("1.500 empleados", "es", [("1500", "empleados")]),
        ("en trois (3) exemplaires", "fr", [("3", "exemplaires")]),
        ("Section 5 applies for 30 days, EUR 500 and 5% on 12 stores", "en", [("12", "stores")]),
        ("1. Definitions", "en", []),
        ("one of the parties", "en", []),
        ("15.4 Independent parties", "en", []),
        ("3 Products and services", "en", []),
        ("the CB-4 control board with 4 channels", "en", [("4", "channels")]),
        ("page 3 follows, Article 7 remains, No. 12 stands", "en", []),
        ("on March 1, 2020 both parties", "en", []),
    ],
)
def test_counts_with_what_is_counted(text: str, language: str, expected: list[tuple[str, str]]) -> None:
    """Number and noun; no sum, date, span of time, share or number of a place."""
    found = [one.value for one in find_values(text, "number", language=language)]
    assert [(str(value.number), value.of) for value in found if isinstance(value, Count)] == expected


def test_words_and_digits_of_one_count_are_one_value() -> None:
    """'five (5) directors' is one count, written so."""
    (found,) = find_values("a board of five (5) directors.", "number")
    assert found.value == Count(number=Decimal(5), of="directors", original="five (5) directors")


def test_counts_of_other_things_differ() -> None:
    """Five users are not five stores; five directors are five independent directors' number."""
    users, stores, named = (
        Count(number=Decimal(5), of=of, original=f"5 {of}") for of in ("users", "stores", "named users")
    )
    assert same_value(users, named)
    assert not same_value(users, stores)
