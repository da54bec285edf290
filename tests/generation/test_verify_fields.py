"""Rules across fields and items, the subject of the cited lines, and which lines were recognised."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from pipeline.generation.checks.ground import ground_of
from pipeline.generation.checks.together import check_fields, check_items, doubts_of
from pipeline.generation.proposal import Proposal, ProposedSpan
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.verify import verify
from pipeline.retrieval.recognised import recognised_lines
from schemas.answer import AnswerItem, EvidenceSpan
from schemas.values import (
    Amount,
    Branch,
    ConditionalValue,
    DateValue,
    Duration,
    Jurisdiction,
    Party,
    Percentage,
    RecordField,
    RecordValue,
    TableValue,
    Value,
)
from tests.generation.handed import LIABILITY, ask, candidate, found


def item(value: Value, *, label: str | None = None, quote: str = "as the lines say") -> AnswerItem:
    """An item with one span."""
    span = EvidenceSpan(
        candidate_id="p1_l1", line_start=1, line_end=1, page_start=1, page_end=1, page_line_start=1, page_line_end=1,
        quote=quote,
    )  # fmt: skip
    return AnswerItem(value=value, spans=(span,), label=label, extraction_method="verbatim", checks=())


def day(year: int) -> DateValue:
    """New Year of a year."""
    return DateValue(iso=date(year, 1, 1), original=f"1 January {year}")


def test_a_party_is_given_once() -> None:
    """The same name twice is one party; the second is refused."""
    one = Party(name="Alpha Inc.", role="Supplier", original="Alpha Inc.")
    outcomes = check_items([item(one), item(one.model_copy(update={"role": "Seller"}))])
    assert [outcome.passed for outcome in outcomes.values()] == [False]
    assert check_items([item(one), item(Party(name="Beta Ltd.", original="Beta Ltd."))]) == {}


@pytest.mark.parametrize(("start", "end", "fits"), [(2024, 2029, True), (2029, 2024, False)])
def test_a_start_is_not_after_its_end(start: int, end: int, fits: bool) -> None:
    """In one record, and between items that are labelled so."""
    fields = (
        RecordField(name="Effective Date", value=day(start), line_start=1, line_end=1),
        RecordField(name="Expiration Date", value=day(end), line_start=1, line_end=1),
    )
    inside = check_fields(RecordValue(fields=fields))
    assert inside is not None
    assert inside.passed is fits
    between = check_items([item(day(start), label="start date"), item(day(end), label="end date")])
    assert [outcome.passed for outcome in between.values()] == [fits, fits]


def test_what_applies_otherwise_comes_last_and_once() -> None:
    """Two branches without a condition contradict each other."""
    term = Duration(number=Decimal(30), unit="day", original="30 days")
    wrong = ConditionalValue(
        branches=(Branch(condition=None, value=term), Branch(condition="if A", value=term)), original="x"
    )
    outcome = check_fields(wrong)
    assert outcome is not None
    assert not outcome.passed


def test_values_of_two_conditions_are_not_swapped() -> None:
    """Each value belongs to the condition that it stands with."""
    text = "Notice is thirty (30) days, or sixty (60) days if the Buyer is in default."
    short, long = (
        Duration(number=Decimal(n), unit="day", original=w)
        for n, w in ((30, "thirty (30) days"), (60, "sixty (60) days"))
    )
    handed = ground_of(ask("What notice is given?", "duration"), found(candidate(text)), GenerationSettings())
    for first, second, passes in ((long, short, True), (short, long, False)):
        branches = (Branch(condition="if the Buyer is in default", value=first), Branch(condition=None, value=second))
        value = ConditionalValue(branches=branches, original=text)
        verified = verify(Proposal(value, (ProposedSpan("p1_l1", 1, 1),), "", "llm"), handed)
        assert (verified.failed == ()) is passes


def test_a_subdivision_lies_in_its_country() -> None:
    """US-NY is no part of Canada."""
    law = Jurisdiction(name="New York", country="US", subdivision="US-NY", original="New York")
    for country, fits in (("US", True), ("CA", False)):
        outcome = check_fields(law.model_copy(update={"country": country}))
        assert outcome is not None
        assert outcome.passed is fits


def test_shares_and_totals_that_do_not_add_up_are_told() -> None:
    """They are as the document has them: a caveat, no refusal."""
    shares = [
        item(Percentage(value=Decimal(number), original=f"{number} %"), quote="The profit is split as follows.")
        for number in (60, 30)
    ]
    assert doubts_of(shares) == ("The shares add up to 90 %, not to 100 %.",)
    table = TableValue(headers=("Item", "EUR"), rows=(("A", "10"), ("B", "20"), ("Total", "31")))
    assert doubts_of([item(table)]) == ("The row 'Total' says 31, the rows above it add up to 30.",)
    right = table.model_copy(update={"rows": (*table.rows[:2], ("Total", "30"))})
    assert doubts_of([item(right)]) == ()


def test_a_value_of_another_clause_is_refused() -> None:
    """The figure stands in its line; but neither line, heading nor opening speaks of what was asked."""
    text = (
        "7.2 Liability cap\nThe aggregate liability of either Party shall not exceed EUR 2,500,000.\n"
        "It is computed once.\nIt holds for all.\nRent is paid.\nThe deposit for the warehouse is EUR 90,000."
    )
    handed = found(candidate(text, anchor=1))
    ground = ground_of(ask("What is the liability cap?", "amount", concepts=[LIABILITY]), handed, GenerationSettings())
    cap = Amount(value=Decimal(2500000), currency="EUR", original="EUR 2,500,000")
    deposit = Amount(value=Decimal(90000), currency="EUR", original="EUR 90,000")
    assert verify(Proposal(cap, (ProposedSpan("p1_l1", 2, 2),), "", "llm"), ground).failed == ()
    other = handed.candidates[0].model_copy(update={"section_title": None})
    elsewhere = ground_of(
        ask("What is the liability cap?", "amount", concepts=[LIABILITY]),
        found(candidate("Rent is paid.\nThe deposit for the warehouse is EUR 90,000.", first=5).model_copy(
            update={"anchor_line_ids": (5,)})),
        GenerationSettings(),
    )  # fmt: skip
    assert other.section_title is None
    failed = verify(Proposal(deposit, (ProposedSpan("p1_l5", 6, 6),), "", "llm"), elsewhere).failed
    assert [one.check for one in failed] == ["lines_speak_of_it"]


def test_the_party_asked_for_by_its_role_is_no_other() -> None:
    """'Who is the buyer?' is not answered by the supplier."""
    text = "Alpha Inc. (the “Supplier”) sells to Beta Ltd. (the “Buyer”)."
    ground = ground_of(ask("Who is the buyer?", "party"), found(candidate(text)), GenerationSettings())
    outcomes = []
    for name, role in (("Alpha Inc.", "Supplier"), ("Beta Ltd.", "Buyer")):
        party = Party(name=name, role=role, original=name)
        outcomes.append(
            [one.check for one in verify(Proposal(party, (ProposedSpan("p1_l1", 1, 1),), "", "rules"), ground).failed]
        )
    assert outcomes == [["lines_speak_of_it"], []]


def test_recognised_lines_are_handed_over_with_their_confidence() -> None:
    """Of a page that was read by a recogniser, and of one whose file brought the text along; native lines are none."""
    document: Any = SimpleNamespace(
        line_df=pd.DataFrame(
            {"line_id": [1, 2, 3], "page_num": [1, 2, 3], "confidence": [float("nan"), 0.91, float("nan")]}
        ),
        page_df=pd.DataFrame({"page_num": [1, 2, 3], "has_ocr_layer": [False, False, True]}),
    )
    told = [(one.line_id, one.confidence) for one in recognised_lines(document, [0, 1, 2])]
    assert told == [(2, 0.91), (3, None)]
    assert recognised_lines(document, [0]) == ()
