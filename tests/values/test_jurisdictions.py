"""Whose law or courts a text names, and what is only a place."""

from __future__ import annotations

import pytest

from pipeline.values import find_values, same_value
from pipeline.values.jurisdictions import find_named_jurisdictions
from schemas.values import Jurisdiction


def read(text: str) -> list[tuple[str, str | None]]:
    """Name and code of each jurisdiction."""
    values = [found.value for found in find_values(text, "jurisdiction")]
    return [(value.name, value.subdivision or value.country) for value in values if isinstance(value, Jurisdiction)]


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("governed by the laws of the State of New York, without regard to conflicts of laws", "New York", "US-NY"),
        ("governed by the internal laws State of New York.", "New York", "US-NY"),
        ("IN ACCORDANCE WITH THE LAWS OF THE STATE OF TEXAS, WITHOUT REGARD", "Texas", "US-TX"),
        ("the laws, other than choice of law rules, of the state of Florida", "Florida", "US-FL"),
        ("the laws and judicial decisions of the State of Georgia", "Georgia", "US-GA"),
        ("the laws of the Commonwealth\nof Massachusetts", "Massachusetts", "US-MA"),
        ("the laws of England and Wales", "England and Wales", "GB-EAW"),
        ("This Agreement is governed by English law.", "England", "GB-ENG"),
        ("the law of the Federal Republic of Germany applies", "Germany", "DE"),
        ("the laws of the Province of Ontario, Canada", "Ontario", "CA-ON"),
        ("the laws of the Hong Kong SAR", "Hong Kong", "HK"),
        ("the laws of the PRC (excluding Hong Kong, Macau and Taiwan)", "China", "CN"),
        ("laws of the Canton of Zurich, Switzerland", "Zürich", "CH-ZH"),
        ("in accordance with New York law", "New York", "US-NY"),
        ("conforme a las leyes del Reino de España", "Spain", "ES"),
        ("se regirá por la legislación española", "Spain", "ES"),
        ("la ley de Nueva York", "New York", "US-NY"),
        ("régi par le droit français", "France", "FR"),
        ("les lois de la Province de Québec", "Quebec", "CA-QC"),
        ("courts located in Santa Clara County, California", "California", "US-CA"),
        ("the federal courts sitting in New York, New York", "New York", "US-NY"),
        ("made in the State of Nevada and construed in accordance with the laws thereof", "Nevada", "US-NV"),
        ("Delaware", "Delaware", "US-DE"),
        ("Reino de España", "Spain", "ES"),
    ],
)
def test_law_and_courts_tell_a_jurisdiction(text: str, name: str, code: str) -> None:
    """A name beside law or courts, and a text that is a name, give the place with its ISO code."""
    assert read(text) == [(name, code)]


@pytest.mark.parametrize(
    "text",
    [
        "with offices at 5 Main Street, New York, NY 10001",
        "a Delaware corporation with offices in Texas",
        "the laws of physics; contact us",
        "to the extent governed by the United States Trademark Act of 1946",
        "the laws of the [***]",
        "the City of New York courts",
        "a law firm of New York",
    ],
)
def test_a_place_is_no_jurisdiction(text: str) -> None:
    """Addresses, seats, statutes by name and blanks name no law."""
    assert read(text) == []


def test_two_laws_and_the_courts_are_kept_apart() -> None:
    """Each is given, with whether its law or its courts are named."""
    text = "the laws of the United States and of the State of Texas; the courts of Dallas, Texas"
    assert [(found.value.name, cue) for found, cue in find_named_jurisdictions(text)] == [
        ("United States", "law"),
        ("Texas", "law"),
        ("Texas", "courts"),
    ]


def test_georgia_alone_is_named_and_not_coded() -> None:
    """A country and a state share the name: the code is left open rather than guessed."""
    assert read("the laws of Georgia") == [("Georgia", None)]
    assert read("the laws of Georgia, USA") == [("Georgia", "US-GA")]


def test_writings_of_one_jurisdiction_are_equal() -> None:
    """'State of New York' is 'New York', and England is not England and Wales."""
    (one,), (other,), (third,) = (
        find_values(text, "jurisdiction") for text in ("State of New York", "laws of New York", "laws of England")
    )
    assert same_value(one.value, other.value)
    assert not same_value(one.value, third.value)
