"""What a clause says to a yes/no question, and when it says nothing: no yes from another party, noun or cause."""

from __future__ import annotations

import pytest

from pipeline.generation.polarity import polarity_of
from pipeline.generation.senses import fits_question, sense_of
from pipeline.values import find_values

CONVENIENCE = "Can the Supplier terminate for convenience?"


@pytest.mark.parametrize(
    ("question", "clause", "value"),
    [
        (CONVENIENCE, "The Buyer may terminate this Agreement at any time on 30 days' notice.", None),
        (CONVENIENCE, "The Supplier may terminate this Agreement at any time on 30 days' notice.", True),
        (CONVENIENCE, "Either Party may terminate this Agreement at any time on 30 days' notice.", True),
        (
            "Can a party terminate without cause?",
            "Licensor may terminate this Agreement for any one of the following causes: insolvency of Licensee.",
            None,
        ),
        (
            "Are there third party beneficiaries?",
            "No third party is intended to be a beneficiary of this Agreement.",
            False,
        ),
        (
            "Are there third party beneficiaries?",
            "This Agreement does not confer any rights or remedies on any third party.",
            False,
        ),
    ],
)
def test_the_subject_the_noun_and_the_cause_decide(question: str, clause: str, value: bool | None) -> None:
    """Another party's right, a right for cause and a denied noun are no yes."""
    told = polarity_of(clause, question)
    assert (None if told is None else told.value) == value


def test_a_limit_is_no_prohibition() -> None:
    """'may not occur more often than once a year' allows audits."""
    told = polarity_of("Audits may not occur more often than once a year.", "May the books be audited?")
    assert told is None or told.value is not False


@pytest.mark.parametrize(
    ("sentence", "question", "fits"),
    [
        ("The term shall be five (5) years following the Effective Date.", "How long is the initial term?", True),
        ("Invoices are due thirty (30) days from receipt of the invoice.", "How long is the initial term?", False),
        ("Invoices are due thirty (30) days from receipt of the invoice.", "What is the payment term?", True),
        ("The breach must be cured within ninety (90) days of notice.", "What is the cure period?", True),
        ("The term shall be five (5) years from the Commencement Date.", "What is the cure period?", False),
    ],
)
def test_what_a_duration_is_for(sentence: str, question: str, fits: bool) -> None:
    """A length counts from the contract's own start; a deadline from an event; each answers only its own question."""
    found = find_values(sentence, "duration")[0]
    sense = sense_of(sentence[: found.start], sentence[found.end :])
    assert fits_question(sense, found.value, question) is fits


@pytest.mark.parametrize(
    ("sentence", "question", "fits"),
    [
        ("The term runs from February 1, 2019 through January 31, 2024.", "When does it expire?", [False, True]),
        ("The term runs from February 1, 2019 through January 31, 2024.", "When does it commence?", [True, False]),
        ("Expiration Date: January 31, 2024", "What is the expiration date?", [True]),
        ("This Agreement is effective as of March 1, 2024.", "What is the effective date?", [True]),
        ("the agreement dated as of September 19, 2004 shall remain in force", "When does it end?", [False]),
    ],
)
def test_a_beginning_is_no_end(sentence: str, question: str, fits: list[bool]) -> None:
    """The words before a date say whether a period begins or ends there; the two are never swapped."""
    told = [
        fits_question(sense_of(sentence[: one.start], sentence[one.end :], one.value), one.value, question)
        for one in find_values(sentence, "date")
    ]
    assert told == fits


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("May the Supplier subcontract final assembly?", False),
        ("May the Supplier subcontract the manufacture of parts?", True),
    ],
)
def test_what_is_carved_out_is_not_allowed(question: str, value: bool) -> None:
    """'but not the final assembly' is a no to the final assembly, and leaves the parts allowed."""
    clause = "The Supplier may subcontract the manufacture of parts but not the final assembly or testing of a Product."
    said = polarity_of(clause, question)
    assert said is not None
    assert said.value is value


def test_one_partys_right_is_not_both_parties() -> None:
    """'Can either party ...?' is not settled by what the Buyer alone may do."""
    clause = "The Buyer may terminate this Agreement at any time on 180 days' notice."
    for question in ("Can either party terminate at any time?", "Can both parties terminate at any time?"):
        said = polarity_of(clause, question)
        assert said is None or said.value is None
    said = polarity_of(
        "Either party may terminate this Agreement at any time.", "Can either party terminate at any time?"
    )
    assert said is not None
    assert said.value is True
