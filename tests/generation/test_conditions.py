"""Values that depend on a case: every branch with its condition, never one value; and what is no such value."""

from __future__ import annotations

import pytest

from pipeline.generation import generate
from pipeline.generation.conditions import conditional_value
from schemas.answer import ConditionalValue
from schemas.values import wording_of
from tests.generation.handed import ask, candidate, concept, found

DEPENDS = [
    (
        "duration",
        "The notice period is thirty (30) days, or sixty (60) days if the notice is given by the Supplier.",
        [("if the notice is given by the Supplier", "sixty (60) days"), (None, "thirty (30) days")],
    ),
    (
        "duration",
        "A Party may end it on thirty (30) days' notice, or ninety (90) days if the Supplier, or any affiliate, does.",
        [("if the Supplier, or any affiliate, does", "ninety (90) days"), (None, "thirty (30) days")],
    ),
    (
        "duration",
        "If the Client terminates, the notice period is 30 days; in all other cases, it is 60 days.",
        [("If the Client terminates", "30 days"), (None, "60 days")],
    ),
    (
        "duration",
        "El preaviso será de treinta (30) días si lo comunica el Cliente y, en caso contrario, de sesenta (60) días.",
        [("si lo comunica el Cliente", "treinta (30) días"), (None, "sesenta (60) días")],
    ),
    (
        "duration",
        "Le préavis est de trois mois si le salarié a plus de deux ans d'ancienneté, sinon d'un mois.",
        [("si le salarié a plus de deux ans d'ancienneté", "trois mois"), (None, "un mois")],
    ),
    (
        "duration",
        "The notice is: (a) one week for staff with less than two years of service; and (b) one month for all above.",
        [
            ("for staff with less than two years of service", "one week"),
            ("for all above", "one month"),
        ],
    ),
    (
        "duration",
        "Less than two years of service: one month; two years of service or more: three months.",
        [("Less than two years of service", "one month"), ("two years of service or more", "three months")],
    ),
    (
        "amount",
        "The cap is EUR 1,000,000 unless the Client pays the premium, in which case it is EUR 2,000,000.",
        [("the Client pays the premium", "EUR 2,000,000"), (None, "EUR 1,000,000")],
    ),
    (
        "percentage",
        "Up to EUR 10,000: 5%; above EUR 10,000: 3%.",
        [("Up to EUR 10,000", "5%"), ("above EUR 10,000", "3%")],
    ),
    (
        "date",
        "The Agreement expires on December 31, 2025 or, if extended, on December 31, 2027.",
        [("if extended", "December 31, 2027"), (None, "December 31, 2025")],
    ),
]


@pytest.mark.parametrize(("kind", "text", "branches"), DEPENDS, ids=[row[1][:40] for row in DEPENDS])
def test_each_case_has_its_condition(kind: str, text: str, branches: list[tuple[str | None, str]]) -> None:
    """Conditions are verbatim, values typed, what applies otherwise stands last."""
    value = conditional_value(text, kind)
    assert value is not None
    assert [(branch.condition, wording_of(branch.value)) for branch in value.branches] == branches
    assert all(condition is None or condition in text for condition, _ in branches)


@pytest.mark.parametrize(
    "text",
    [
        "The term is five years unless terminated earlier on 90 days' notice.",
        "Invoices are payable within 30 days; if payment is late, interest accrues after 10 days.",
        "If Supplier fails to cure within ten (10) days after notice, Buyer may terminate on thirty (30) days notice.",
        "It continues for five years and renews for periods of one year unless ninety (90) days notice is given.",
        "This contract is effective for two years, unless modified as per Exhibit B, and for three years thereafter.",
        "The period is 30 days.",
    ],
)
def test_values_of_different_things_are_no_cases(text: str) -> None:
    """A deadline, a notice or a reservation beside a value makes no case of it."""
    assert conditional_value(text, "duration") is None


def test_a_conditional_notice_period_is_never_one_value() -> None:
    """The answer is one conditional value with both cases, verified; there is no conflict and no caveat of another."""
    text = (
        "9.2 Notice\nEither Party may end this Agreement. The notice period is thirty (30) days, or sixty (60)\n"
        "days if the notice is given by the Supplier."
    )
    question = ask("What is the notice period?", "duration", concepts=[concept(["notice period"])])
    answer = generate(question, found(candidate(text)))
    (item,) = answer.items
    assert answer.status == "answered"
    assert isinstance(item.value, ConditionalValue)
    assert [branch.condition for branch in item.value.branches] == ["if the notice is given by the Supplier", None]
    assert (item.spans[0].line_start, item.spans[0].line_end) == (2, 3)
    assert not answer.conflicts
    assert all(check.passed for check in item.checks)


def test_tiers_of_a_list_are_one_conditional_value() -> None:
    """Length of service decides: three cases, each from its own line, cited together."""
    text = (
        "7. Notice\nThe notice period depends on the length of service and is:\n"
        "(a) one week for employees with less than one year of service;\n"
        "(b) one month for employees with one to five years of service; and\n"
        "(c) three months for employees with more than five years of service."
    )
    question = ask("What is the notice period?", "duration", concepts=[concept(["notice period"])])
    answer = generate(question, found(candidate(text)))
    value = answer.items[0].value
    assert isinstance(value, ConditionalValue)
    assert [wording_of(branch.value) for branch in value.branches] == ["one week", "one month", "three months"]
