"""Several things asked for at once, and how many there are: each with its own lines, counted by code."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pipeline.generation import generate
from pipeline.generation.records import asks_record
from schemas.answer import Answer, Count, DateValue, Duration, Jurisdiction, Party, RecordValue
from tests.generation.handed import ask, candidate, concept, found

CONTRACT = (
    'This Agreement is made on March 1, 2024 (the "Agreement Date") by and between Alpha Components, Inc., a Delaware\n'
    'corporation ("Supplier"), and Beta Appliances Ltd., a company registered in Ireland (the "Buyer").\n'
    "2. Term\nThe initial term of this Agreement is five (5) years.\n"
    "9. Law\nThis Agreement is governed by the laws of the State of New York."
)
DATE = concept(["agreement date"], name="agreement_date", matched_by="agreement date")
LAW = concept(["governed by the laws"], name="governing_law", matched_by="governing law")
QUESTION = "Give me the parties, the agreement date, the governing law and the term"


@pytest.mark.parametrize("shape", ["nested_json", "listing"])
def test_each_field_is_read_by_the_rule_of_its_type(shape: str) -> None:
    """Two parties, a date, a law and a term, each with its own line, in the order of the question."""
    answer = generate(ask(QUESTION, shape=shape, concepts=[DATE, LAW]), found(candidate(CONTRACT)))
    (item,) = answer.items
    assert isinstance(item.value, RecordValue)
    told = [(field.name, type(field.value), field.line_start) for field in item.value.fields]
    assert told == [
        ("parties 1", Party, 1), ("parties 2", Party, 2), ("agreement date", DateValue, 1),
        ("governing law", Jurisdiction, 6), ("term", Duration, 4),
    ]  # fmt: skip
    assert (answer.status, answer.completeness.complete) == ("answered", True)


def test_a_field_that_is_not_there_is_null() -> None:
    """The law is not stated: null with a caveat, and the answer is in part."""
    answer = generate(
        ask(QUESTION, shape="nested_json", concepts=[DATE, LAW]),
        found(candidate("\n".join(CONTRACT.split("\n")[:4]))),
    )
    value = answer.items[0].value
    assert isinstance(value, RecordValue)
    (law,) = [field for field in value.fields if field.name == "governing law"]
    assert (law.value, law.line_start) == (None, None)
    assert law.caveat
    assert answer.status == "partial"


@pytest.mark.parametrize(
    ("text", "concepts", "is_record"),
    [
        (QUESTION, [DATE, LAW], True),
        ("What are the events of default?", [DATE, LAW], False),
        ("List the fees, costs and expenses", [DATE, LAW], False),
        ("List the obligations of the Supplier and the Buyer", [DATE, LAW], False),
    ],
)
def test_only_names_of_concepts_make_a_record(text: str, concepts: list, is_record: bool) -> None:
    """A list of words on one topic stays a list."""
    assert asks_record(ask(text, shape="listing", concepts=concepts).generation_brief()) is is_record


def counted(text: str, lines: str, terms: str) -> Answer:
    """The answer to 'how many'."""
    topic = concept([terms], name="parties" if "part" in terms else "topic", matched_by=terms)
    return generate(ask(text, "number", concepts=[topic]), found(candidate(lines)))


def test_a_list_is_counted_by_code() -> None:
    """Three items, each an input with its line; the formula says what was counted."""
    lines = "The events of default are:\n(a) breach;\n(b) insolvency; and\n(c) fraud.\n3. Term\nText."
    answer = counted("How many events of default are there?", lines, "events of default")
    (item,) = answer.items
    assert isinstance(item.value, Count)
    assert (item.value.number, item.extraction_method, item.formula) == (
        Decimal(3), "computed", "number of events listed"
    )  # fmt: skip
    assert [(one.name, one.line_start) for one in item.inputs] == [("(a)", 2), ("(b)", 3), ("(c)", 4)]


def test_the_parties_are_counted() -> None:
    """Two names in the sentence that names them."""
    answer = counted("How many parties are there?", CONTRACT, "parties")
    assert isinstance(answer.items[0].value, Count)
    assert answer.items[0].value.number == 2


def test_a_stated_number_is_compared_with_its_list() -> None:
    """Four are stated, three are listed: the stated number with a caveat, none is chosen in silence."""
    lines = (
        "There are four events of default, as follows:\n(a) breach;\n(b) insolvency; and\n(c) fraud.\n3. Term\nText."
    )
    answer = counted("How many events of default are there?", lines, "events of default")
    assert isinstance(answer.items[0].value, Count)
    assert answer.items[0].value.number == 4
    assert any("the list that was found has 3" in caveat for caveat in answer.caveats)
