"""An auditor's check of a saved answer: any change to value, quote or place shows."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from pipeline.generation import generate
from pipeline.generation.verify import find_faults
from schemas.answer import Answer
from tests.generation.handed import LIABILITY, ask, candidate, found
from tests.told_model import ToldModel

TEXT = "The aggregate liability of either Party\nshall not exceed EUR 2,500,000."
RESULT = found(candidate(TEXT, first=5, page=3))
ANSWER = generate(ask("What is the liability cap?", "amount", concepts=[LIABILITY]), RESULT)


def changed(**span_or_value: Any) -> Answer:
    """The answer with fields of its first span or value replaced, as a forger would."""
    item = ANSWER.items[0]
    span_fields = {name: value for name, value in span_or_value.items() if name in type(item.spans[0]).model_fields}
    value_fields = {name: value for name, value in span_or_value.items() if name not in span_fields}
    forged = item.model_copy(
        update={
            "spans": (item.spans[0].model_copy(update=span_fields),),
            "value": item.value.model_copy(update=value_fields),
        }
    )
    return ANSWER.model_copy(update={"items": (forged,)})


def test_an_untouched_answer_has_no_faults() -> None:
    """All checks hold on what generation wrote."""
    assert ANSWER.status == "answered"
    assert find_faults(ANSWER, RESULT) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"value": Decimal(2600000)},
        {"currency": "USD"},
        {"original": "EUR 2,500,001"},
        {"quote": TEXT.replace("2,5", "2,6")},
        {"quote": TEXT.replace("shall not", "shall")},
        {"line_start": 6},
        {"line_end": 7},
        {"page_start": 4},
        {"page_line_end": 9},
        {"candidate_id": "p9_l9"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_forgery_shows(change: dict[str, Any]) -> None:
    """One digit, word, line or page is enough."""
    assert find_faults(changed(**change), RESULT)


def check_of_value(answer: Answer) -> list[str]:
    """What the check of each item's value says."""
    return [check.detail for item in answer.items for check in item.checks if check.check == "value_in_lines"]


def test_a_sentence_is_no_row_of_a_table() -> None:
    """Amounts with their currency in a text without a table are checked as such, no column header is spoken of."""
    text = "The liability cap is EUR 900,000.\nThe cap is EUR 1."
    given = generate(ask("What is the liability cap?", "amount", concepts=[LIABILITY]), found(candidate(text)))
    assert given.items
    assert all("an amount equal to" in detail or "a amount equal to" in detail for detail in check_of_value(given))


def test_the_currency_of_a_row_comes_from_a_header_of_its_table_alone() -> None:
    """A bare number takes its currency from a cited header above its row, and from no sentence."""
    header, row = "Code  Product  Unit Price (EUR)", "DM-250  Motor  21.75"
    question = ask("What is the unit price of DM-250?", "amount", anchors=["DM-250"])
    result = found(candidate(f"{header}\n{row}"))
    given = generate(question, result)
    assert check_of_value(given) == ["'21.75' stands in the row, the currency in the column header"]
    assert find_faults(given, result) == ()
    said = "All that is written here is about EUR in general and no price."
    other = found(candidate(f"{said}\n{row}"))
    spans = tuple(
        span.model_copy(update={"quote": said if span.quote == header else span.quote}) for span in given.items[0].spans
    )
    forged = given.model_copy(update={"items": (given.items[0].model_copy(update={"spans": spans}),)})
    assert any("value_in_lines" in fault for fault in find_faults(forged, other))


@pytest.mark.parametrize(
    "change",
    [
        {"text": "The cap is unlimited."},
        {"question": "What is the fee?"},
        {"confidence": 0.11},
        {"answer_type": "text"},
    ],
    ids=["text", "question", "confidence", "type"],
)
def test_an_altered_field_of_the_whole_shows_beside_the_question(change: dict[str, Any]) -> None:
    """With the parsed question the answer of the rules is made again, and every field compared."""
    question = ask("What is the liability cap?", "amount", concepts=[LIABILITY])

    assert find_faults(ANSWER, RESULT, question=question) == ()
    assert find_faults(ANSWER.model_copy(update=change), RESULT, question=question)


def test_an_altered_proof_of_absence_shows() -> None:
    """What was searched cannot be made to look like more than it was."""
    question = ask("What is the liability cap?", "amount", concepts=[LIABILITY])
    nothing = generate(question, found(candidate("Notices are in writing.", first=5)))
    assert nothing.absence is not None
    forged = nothing.absence.model_copy(update={"exhaustive": True, "lines_searched": 9_000})
    result = found(candidate("Notices are in writing.", first=5))

    assert find_faults(nothing, result, question=question) == ()
    assert find_faults(nothing.model_copy(update={"absence": forged}), result, question=question)


def test_what_an_answer_tells_of_a_model_belongs_to_a_run_with_one() -> None:
    """Rules that answered after a failed model are held against rules; told of a model that was not there, it shows."""
    question = ask("What is the liability cap?", "amount", concepts=[LIABILITY])
    by_rules = generate(question, RESULT)
    after = generate(question, RESULT, llm=ToldModel(None))
    assert after.downgrades
    assert find_faults(after, RESULT, question=question) == ()
    for change in ({"downgrades": after.downgrades}, {"model_uses": after.model_uses}):
        assert find_faults(by_rules.model_copy(update=change), RESULT, question=question)
