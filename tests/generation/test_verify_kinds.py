"""Verification of values of every kind: what stands in the lines passes, one changed field is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from pipeline.generation.checks.ground import Ground
from pipeline.generation.proposal import Method, Proposal, ProposedSpan
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.verify import Verified, verify
from pipeline.values import Example, ValueType, register_type, unregister_type
from schemas.answer import ComputedInput
from schemas.retrieval import RecognisedLine, RetrievedCandidate
from schemas.values import (
    Address,
    Amount,
    BooleanValue,
    Branch,
    ConditionalValue,
    Count,
    CustomValue,
    DateValue,
    Duration,
    Iban,
    Identifier,
    Jurisdiction,
    OpenEnd,
    Party,
    Percentage,
    RecordField,
    RecordValue,
    RelativeDate,
    TableValue,
    TextValue,
    TreeNode,
    TreeValue,
    Value,
)
from tests.generation.handed import candidate, found

LINES = """This Supply Agreement is made on 1 March 2024 between Alpha Pumps Inc. (the “Supplier”), of
12 Mill Road, Dublin, and Beta Foods Ltd. (the “Buyer”), organised under the law of Ireland.
2. Term
The term is five (5) years from the Effective Date, which is 1 March 2024.
Notice is given thirty (30) days after the Effective Date, or sixty (60) days if the Buyer is in default.
The agreement continues until terminated by either party.
The Supplier shall not assign its rights without the consent of the Buyer.
The annual fee is EUR 1,250,000 per year, and the rate is five per cent (5 %) of Net Sales.
Payments go to IBAN DE89 3704 0044 0532 0130 00 under order number PO-7731-A.
There are three (3) schedules.
Code  Product  Price (EUR)
DM-250  Motor  21.75
DM-300  Pump  34.00"""
FIRST = 10
CANDIDATE = candidate(LINES, first=FIRST, page=2)
SUPPLIER = Party(name="Alpha Pumps Inc.", legal_form="Inc.", role="Supplier", original="Alpha Pumps Inc.")
IBAN = Iban(iban="DE89370400440532013000", country="DE", original="DE89 3704 0044 0532 0130 00")
TERM = Duration(number=Decimal(5), unit="year", original="five (5) years")
CLAUSE = "The Supplier shall not assign its rights without the consent of the Buyer."
BRANCHES = ConditionalValue(
    branches=(
        Branch(
            condition="if the Buyer is in default",
            value=Duration(number=Decimal(60), unit="day", original="sixty (60) days"),
        ),
        Branch(condition=None, value=Duration(number=Decimal(30), unit="day", original="thirty (30) days")),
    ),
    original=LINES.split("\n")[4],
)
# kind: the value, its first and last line, and fields of which each alone makes it wrong
KINDS: Mapping[str, tuple[Value, int, int, Mapping[str, Any]]] = {
    "text": (TextValue(text="The agreement continues until terminated by either party."), 15, 15,
             {"text": "The agreement continues until ended by either party."}),
    "amount": (Amount(value=Decimal(1250000), currency="EUR", basis="per year", original="EUR 1,250,000"), 17, 17,
               {"value": Decimal(1350000), "currency": "USD", "basis": "per month", "original": "EUR 1,350,000"}),
    "date": (DateValue(iso=date(2024, 3, 1), original="1 March 2024"), 13, 13,
             {"iso": date(2024, 3, 2), "original": "2 March 2024"}),
    "relative_date": (RelativeDate(number=Decimal(30), unit="day", direction="after", anchor_event="the Effective Date",
                                   original="thirty (30) days after the Effective Date"), 14, 14,
                      {"number": Decimal(60), "unit": "business_day", "direction": "before",
                       "anchor_event": "the Closing"}),
    "duration": (TERM, 13, 13, {"number": Decimal(6), "unit": "month", "original": "six (6) years"}),
    "open_end": (OpenEnd(until="terminated by either party", original="until terminated by either party"), 15, 15,
                 {"until": "terminated by the Buyer"}),
    "number": (Count(number=Decimal(3), of="schedules", original="three (3) schedules"), 19, 19,
               {"number": Decimal(4), "of": "annexes"}),
    "percentage": (Percentage(value=Decimal(5), basis="of Net Sales", original="five per cent (5 %)"), 17, 17,
                   {"value": Decimal(6), "basis": "of Gross Sales"}),
    "boolean": (BooleanValue(value=False, negation="shall not", clause=CLAUSE), 16, 16,
                {"value": True, "negation": None, "clause": "The Supplier shall assign its rights."}),
    "identifier": (Identifier(text="PO-7731-A"), 18, 18, {"text": "PO-7731-B"}),
    "iban": (IBAN, 18, 18, {"iban": "DE89370400440532013001", "country": "FR"}),
    "party": (SUPPLIER, 10, 10, {"name": "Beta Foods Ltd.", "role": "Buyer", "legal_form": "Ltd."}),
    "address": (Address(street="12 Mill Road", city="Dublin", original="12 Mill Road, Dublin"), 10, 11,
                {"street": "21 Mill Road", "city": "Cork", "postal_code": "D02"}),
    "jurisdiction": (Jurisdiction(name="Ireland", country="IE", original="Ireland"), 10, 11,
                     {"original": "England", "name": "Spain", "country": "ES"}),
    "table": (TableValue(headers=("Code", "Product", "Price (EUR)"),
                         rows=(("DM-250", "Motor", "21.75"), ("DM-300", "Pump", "34.00"))), 20, 22,
              {"headers": ("Code", "Product", "Price (USD)"),
               "rows": (("DM-250", "Motor", "34.00"), ("DM-300", "Pump", "21.75"))}),
    "tree": (TreeValue(nodes=(TreeNode(label="Term", line_start=12, line_end=12, children=(
        TreeNode(label="five (5) years", line_start=13, line_end=13),)),)), 12, 13,
             {"nodes": (TreeNode(label="Term", line_start=13, line_end=13),)}),
    "record": (RecordValue(fields=(RecordField(name="term", value=TERM, line_start=13, line_end=13),)), 12, 14,
               {"fields": (RecordField(name="term", value=TERM, line_start=14, line_end=14),)}),
    "conditional": (BRANCHES, 14, 14, {"branches": (
        BRANCHES.branches[0].model_copy(update={"condition": "if the Supplier is in default"}), BRANCHES.branches[1])}),
    "custom": (CustomValue(type_name="order", fields={"number": "7731"}, original="PO-7731-A"), 18, 18,
               {"original": "PO-7731-B", "type_name": "invoice", "fields": {"number": "7732"}}),
}  # fmt: skip


class Order(BaseModel):
    """An order number."""

    number: str


def parse_orders(text: str, language: str) -> Iterator[tuple[int, int, BaseModel]]:
    """Every order number in the text."""
    for match in re.finditer(r"PO-(\d{4})-A", text):
        yield (*match.span(), Order(number=match[1]))


@pytest.fixture(autouse=True)
def order_type() -> Iterator[None]:
    """A type that a user registered, known for one test."""
    example = Example("order number PO-1234-A", ({"number": "1234"},), "en")
    register_type(ValueType("order", Order, parse_orders, ("order number",), (example,)))
    yield
    unregister_type("order")


def ground(answer_type: str, *, handed: RetrievedCandidate = CANDIDATE, question: str = "") -> Ground:
    """What values are checked against: the lines above."""
    return Ground(found(handed), question, answer_type)


def proposed(value: Value, first: int, last: int, **fields: Any) -> Proposal:
    """A value of a model with the lines it cites."""
    return Proposal(value, (ProposedSpan(CANDIDATE.candidate_id, first, last),), "words", "llm", **fields)


def check_kind(kind: str, value: Value, first: int, last: int) -> Verified:
    """What verification makes of the value."""
    method: Method = "inferred" if kind == "boolean" else "verbatim"
    asked = "order" if kind == "custom" else kind
    return verify(proposed(value, first, last, method=method), ground(asked, question="May the Supplier assign?"))


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_value_that_stands_in_its_lines_is_verified(kind: str) -> None:
    """Each kind passes every check, without a repair, and its item keeps it as it is."""
    value, first, last, _ = KINDS[kind]
    verified = check_kind(kind, value, first, last)
    assert verified.failed == ()
    assert verified.repairs == ()
    assert verified.as_item().value == value


@pytest.mark.parametrize(
    ("kind", "field"), [(kind, field) for kind, (_, _, _, changes) in KINDS.items() for field in changes]
)
def test_one_changed_field_is_refused(kind: str, field: str) -> None:
    """Whatever field is another than the lines say, nothing is given."""
    value, first, last, changes = KINDS[kind]
    assert check_kind(kind, value.model_copy(update={field: changes[field]}), first, last).failed


def test_every_kind_of_value_is_tested_here() -> None:
    """A kind that is added needs its checks and its lines in this file."""
    from schemas.values import Value as Union

    kinds = {model.model_fields["kind"].default for model in Union.__origin__.__args__}  # type: ignore[attr-defined]
    assert kinds == set(KINDS)


@pytest.mark.parametrize(("iso", "formula", "holds"), [
    (date(2029, 3, 1), "Effective Date + term (it ends on the anniversary)", True),
    (date(2029, 2, 28), "Effective Date + term, less one day", True),
    (date(2029, 2, 28), "Effective Date + term (it ends on the anniversary)", False),
    (date(2029, 3, 2), "Effective Date + term", False),
])  # fmt: skip
def test_a_computed_day_is_computed_again(iso: date, formula: str, holds: bool) -> None:
    """From its inputs, each in its cited line, and by the convention that the formula names."""
    start = ComputedInput(
        name="Effective Date",
        value=DateValue(iso=date(2024, 3, 1), original="1 March 2024"),
        line_start=13,
        line_end=13,
    )
    term = ComputedInput(name="term", value=TERM, line_start=13, line_end=13)
    value = DateValue(iso=iso, anchor_event="Effective Date", original="five (5) years")
    given = proposed(value, 13, 13, method="computed", inputs=(start, term), formula=formula)
    assert (verify(given, ground("date")).failed == ()) is holds
    elsewhere = proposed(value, 13, 13, method="computed", inputs=(start.model_copy(update={"line_start": 14, "line_end": 14}), term), formula=formula)  # fmt: skip # noqa: E501
    assert verify(elsewhere, ground("date")).failed


def test_the_short_name_of_another_party_is_refused() -> None:
    """Both names stand in the same lines; whose is whose is told by what follows each."""
    swapped = SUPPLIER.model_copy(update={"role": "Buyer"})
    assert verify(proposed(SUPPLIER, 10, 11), ground("party")).failed == ()
    failed = verify(proposed(swapped, 10, 11), ground("party")).failed
    assert [one.check for one in failed] == ["value_in_lines"]
    assert "'Buyer' is not what the lines call 'Alpha Pumps Inc.'" in failed[0].detail


@pytest.mark.parametrize(("confidence", "words", "passes"), [
    (0.95, "EUR 1,250,000", True), (0.6, "EUR 1,250,000", False), (None, "EUR 1,250,000", True),
])  # fmt: skip
def test_a_figure_of_a_poor_scan_is_refused(confidence: float | None, words: str, passes: bool) -> None:
    """Below the threshold on record; a reading without a confidence is given with a caveat by the caller."""
    handed = CANDIDATE.model_copy(update={"recognised_lines": (RecognisedLine(line_id=17, confidence=confidence),)})
    value = Amount(value=Decimal(1250000), currency="EUR", basis="per year", original=words)
    verified = verify(proposed(value, 17, 17), ground("amount", handed=handed))
    assert (verified.failed == ()) is passes
    assert (verified.spans[0].reading, verified.spans[0].ocr_confidence) == ("ocr", confidence)
    assert GenerationSettings().min_figure_confidence == 0.8


def test_a_letter_for_a_digit_on_a_recognised_line_is_refused() -> None:
    """'12O' is no figure, however sure the recogniser was; on native text it is what the author wrote."""
    handed = candidate("The order number is 12O-4417.", first=1)
    scanned = handed.model_copy(update={"recognised_lines": (RecognisedLine(line_id=1, confidence=0.99),)})
    proposal = Proposal(Identifier(text="12O-4417"), (ProposedSpan(handed.candidate_id, 1, 1),), "", "rules")
    assert verify(proposal, ground("identifier", handed=handed)).failed == ()
    assert [one.check for one in verify(proposal, ground("identifier", handed=scanned)).failed] == ["reading_is_sure"]
