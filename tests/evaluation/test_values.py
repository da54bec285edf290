"""Labelled values against answers: each kind as what it is."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from pipeline.evaluation.datasets import ExpectedValue
from pipeline.evaluation.values import given_value, is_right, kind_of
from schemas.answer import (
    Amount,
    Answer,
    AnswerItem,
    BooleanValue,
    Completeness,
    DateValue,
    Duration,
    EvidenceSpan,
    Jurisdiction,
    OpenEnd,
    Party,
    TextValue,
    Value,
)  # fmt: skip
from tests.builders import stamp

SPAN = EvidenceSpan(
    candidate_id="p1_l1_l1", line_start=1, line_end=1, page_start=1, page_end=1, page_line_start=1, page_line_end=1,
    quote="perpetual term",
)  # fmt: skip


def _answer(*values: Value, status: str = "answered") -> Answer:
    data: dict[str, Any] = {
        "doc_id": "d", "question": "q", "status": status, "text": "", "answer_shape": "single", "answer_type": "text",
        "items": tuple(
            AnswerItem(value=value, spans=(SPAN,), extraction_method="verbatim", checks=()) for value in values
        ),
        "completeness": Completeness(complete=None, found_count=len(values), reason="-"),
        "confidence": 0.5, "answered_by": "rules", "stamp": stamp(),
    }  # fmt: skip
    return Answer(**data)


DAY = DateValue(iso=date(1999, 6, 21), original="June 21, 1999")
YEAR = Duration(number=Decimal(12), unit="month", original="12 months")
FEE = Amount(value=Decimal(1_577_000_000), currency="USD", original="$1,577 million")
LAW = TextValue(text="the State of New York")


@pytest.mark.parametrize(
    ("kind", "label", "values", "right"),
    [
        ("date", "1999-06-21", (DAY,), True),
        ("date", "21/06/1999", (DAY,), True),
        ("date", "1999-06-22", (DAY,), False),
        ("date", "1999-06-22", (), False),
        ("date", "soon", (DAY,), None),
        ("duration", "Successive 1 year", (YEAR,), True),
        ("duration", "2 years", (YEAR,), False),
        ("duration", "perpetual", (OpenEnd(original="in perpetuity"),), True),
        ("date", "perpetual", (OpenEnd(original="in perpetuity"),), True),
        ("date", "perpetual", (DAY,), False),
        ("duration", "perpetual", (TextValue(text="no end"),), False),
        ("number", "$1577.00", (FEE,), True),
        ("number", "1.6", (FEE,), True),
        ("number", "$1578.00", (FEE,), False),
        ("number", "unknown", (FEE,), None),
        ("place", "New York", (LAW,), True),
        ("place", "York", (TextValue(text="Yorkshire"),), False),
        ("place", "New York; Texas", (LAW,), False),
        ("place", "New York", (Jurisdiction(name="New York", original="New York State"),), True),
        ("name", 'Acme ("A"); (the "Parties")', (Party(name="Acme", original="Acme"),), True),
        ("name", 'Acme, Inc. ("Acme")', (TextValue(text="ACME INC"),), True),
        ("text", "Málaga", (TextValue(text="in malaga"),), True),
        ("boolean", "Yes", (BooleanValue(value=True),), True),
        ("boolean", "No", (BooleanValue(value=True),), False),
        ("boolean", "Yes", (LAW,), True),
        ("boolean", "perhaps", (LAW,), None),
    ],
)
def test_values_are_compared_by_kind(kind: Any, label: str, values: tuple[Value, ...], right: bool | None) -> None:
    """Dates as dates, durations in exact units, numbers at the label's scale and decimals, names as letters."""
    answer = _answer(*values) if values else _answer(status="refused")
    assert is_right(ExpectedValue(label, kind), answer) is right


def test_a_clause_for_a_person_to_read_says_neither_yes_nor_no() -> None:
    """Where yes or no was asked for and only the clause is given, no value is given: that is no right answer."""
    label = ExpectedValue("Yes", "boolean")
    clause = _answer(LAW).model_copy(update={"answer_type": "boolean"})
    assert given_value(label, clause) is None
    assert is_right(label, clause) is False


def test_a_refused_answer_says_neither_yes_nor_no() -> None:
    """Only 'not found' is a no; an answer that was refused says nothing and is not right."""
    label = ExpectedValue("No", "boolean")
    refused = _answer(status="refused")
    assert given_value(label, refused) is None
    assert is_right(label, refused) is False


def test_the_value_given_is_told_as_text() -> None:
    """What stands in the rows is what was compared."""
    assert given_value(ExpectedValue("x", "date"), _answer(LAW, DAY)) == "1999-06-21"
    assert given_value(ExpectedValue("x", "duration"), _answer(YEAR)) == "12 month"
    assert given_value(ExpectedValue("Yes", "boolean"), _answer(LAW)) == "Yes"
    assert given_value(ExpectedValue("x", "name"), _answer(LAW, TextValue(text="B"))) == "the State of New York; B"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("Yes", "boolean"), ("no", "boolean"), ("2020-03-01", "date"), ("March 3, 2020", "date"), ("31/12/2020", "date"),
     ("5", "number"), ("$8.70", "number"), ("EUR 1,250", "number"), ("10 %", "number"), ("30 days", "duration"),
     ("three (3) years", "duration"), ("New York", "text"), ("see clause 5", "text")],
)  # fmt: skip
def test_the_kind_of_a_workbook_value_is_read_from_it(text: str, kind: str) -> None:
    """A value is compared as what it can be read as; anything else as words."""
    assert kind_of(text) == kind
