# ruff: noqa: E501  # documents are read whole, on one line
"""Which law governs: the state or country that the clause names, never the venue or a law that is only mentioned."""

from __future__ import annotations

import pytest

from pipeline.generation import generate
from schemas.answer import Answer, Jurisdiction
from tests.generation.handed import ask, candidate, concept, found

LAW = concept(["governed by", "governing law", "se regirá por", "régi par"], name="governing_law")


def governed(*texts: str) -> Answer:
    """The answer of a document whose handed passages are these."""
    passages = [candidate(text, first=1 + 100 * n, page=n + 1) for n, text in enumerate(texts)]
    return generate(ask("Which law governs the contract?", "jurisdiction", concepts=[LAW]), found(*passages))


def names(answer: Answer) -> list[str]:
    """The jurisdictions given."""
    return [item.value.name for item in answer.items if isinstance(item.value, Jurisdiction)]


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("This Agreement shall be governed by the laws of the State of New York, without regard to its conflict of laws rules.", "New York"),
        ("This Agreement is governed by the laws, other than choice of law rules, of the\nState of Florida.", "Florida"),
        ("This Agreement shall be governed by the laws of Texas. The courts of California have jurisdiction.", "Texas"),
        ("The validity of this Agreement shall be determined under English law and disputes go to the courts of Paris, France.", "England"),
        ("This Agreement, entered into in New Jersey, shall be construed in accordance with the laws of the State of New Jersey.", "New Jersey"),
        ("El presente contrato se regirá por la ley española.", "Spain"),
        ("Le présent contrat est régi par le droit français.", "France"),
        ("7.4      This Agreement shall be construed and governed in accordance\nwith the laws of the State of Maryland regardless of the place\nor places of its execution.", "Maryland"),
    ],
)  # fmt: skip
def test_the_law_is_named_and_coded(text: str, law: str) -> None:
    """Conflict rules are left out, venue is no law, broken lines are read whole; the wording stays the document's."""
    given = governed(text)
    assert names(given) == [law]
    assert not given.conflicts
    assert given.status == "answered"


def test_the_law_a_party_is_organised_under_does_not_govern() -> None:
    """Neither does one that must be complied with."""
    text = (
        "Alpha is a corporation duly organized under the laws of Delaware. It is governed by its board.\n"
        "The Supplier shall comply with the laws of Ohio."
    )
    assert names(governed(text)) == []


def test_a_state_goes_before_its_country_beside_it() -> None:
    """Both are named by one clause: the state is given, the country told."""
    given = governed("This Agreement is governed by the laws of the United States and of the State of Pennsylvania.")
    assert names(given) == ["Pennsylvania"]
    assert any("United States" in caveat for caveat in given.caveats)


def test_two_laws_for_two_subjects_are_both_given() -> None:
    """Each with what it is for; none is chosen in silence."""
    given = governed(
        "This Agreement shall be governed by the laws of Japan.\n"
        "The license grant under this Agreement shall be governed by the laws of the State of New York."
    )
    assert names(given) == ["Japan", "New York"]
    assert [item.label for item in given.items] == ["This Agreement", "The license grant under this Agreement"]
    assert given.conflicts


def test_a_law_told_by_a_rule_is_refused_with_its_clause() -> None:
    """'The jurisdiction where the Customer is located' is no name."""
    given = governed("This Agreement is governed by the laws of the jurisdiction where the Customer is located.")
    assert given.status == "not_found"
    assert not given.items
