"""Which places a text is limited to, against those of a question."""

from __future__ import annotations

import pytest

from pipeline.scope.reader import ScopeReader, tell_missed
from schemas.question import ScopeFilters


def reader(question: str, *places: str) -> ScopeReader:
    """The reader of a question limited to places."""
    return ScopeReader.of(question, ScopeFilters(jurisdictions=places))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("In Spain, the notice period is 3 months.", "Spain"),
        ("Germany: 30 days", "Germany"),
        ("Customers in Italy may cancel.", "Italy"),
        ("For German customers it is 30 days.", "German"),
        ("bajo la ley española el plazo es 30 días", "española"),
        ("The notice period is 2 months in France and 3 in Spain.", None),
        ("In the European Union the period is 30 days.", None),
        ("Acme, a company incorporated in Ireland, shall pay.", None),
        ("It applies everywhere except in Germany.", None),
        ("Use polish on it.", None),
        ("The notice period is 2 months.", None),
    ],
)
def test_a_text_on_another_place(text: str, other: str | None) -> None:
    """Only a text that other places limit, and none that is asked for, is on another place."""
    missed = reader("What is the notice period under French law?", "French").missed(text)
    assert [one.found for one in missed] == ([other] if other else [])


def test_parts_and_wholes() -> None:
    """A clause on the United States speaks of California, one on Texas does not."""
    asked = reader("What applies in California?", "California")
    assert asked.missed("In the United States it is 5.") == ()
    assert [tell_missed(one) for one in asked.missed("In Texas it is 5.")] == [
        "The passage speaks of 'Texas', the question of 'California'."
    ]


def test_a_heading_names_the_place() -> None:
    """What stands under the heading of the place asked for is of it."""
    asked = reader("What is the fee in Spain?", "Spain")
    assert asked.missed("The fee is 5.", "Terms for France") != ()
    assert asked.missed("The fee is 5, as in France.", "Terms for Spain") == ()


def test_a_place_that_is_left_out_is_no_limit() -> None:
    """'Outside Spain' asks for everything else, and an unknown place is none."""
    assert not reader("What applies outside Spain?", "Spain")
    assert not reader("What applies in Atlantis?", "Atlantis")
