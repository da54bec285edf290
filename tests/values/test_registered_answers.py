"""A registered type from question to answer: extracted, checked, downgraded where its parser breaks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipeline.generation import generate
from pipeline.generation.verify import find_faults
from pipeline.values import register_type, unregister_type
from schemas.values import CustomValue
from tests.generation.handed import ask, candidate, found
from tests.values.test_registry import CADASTRAL, FIELDS, TEXT

QUESTION = ask("What is the cadastral reference of the finca?", "cadastral_reference", anchors=("finca",))


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    """The type, known for one test."""
    register_type(CADASTRAL)
    yield
    unregister_type(CADASTRAL.name)


def test_a_registered_type_is_answered_and_holds_for_an_auditor() -> None:
    """The value is published with its fields and passes every check again."""
    handed = found(candidate(TEXT))
    answer = generate(QUESTION, handed)
    (item,) = answer.items
    assert isinstance(item.value, CustomValue)
    assert item.value.fields == FIELDS
    assert find_faults(answer, handed) == ()


def test_a_changed_field_of_a_registered_type_is_a_fault() -> None:
    """The parser reads the lines again: a field that it does not give there is refused."""
    handed = found(candidate(TEXT))
    answer = generate(QUESTION, handed)
    value = answer.items[0].value.model_copy(update={"fields": {**FIELDS, "unit": "0002"}})
    forged = answer.model_copy(update={"items": (answer.items[0].model_copy(update={"value": value}),)})
    assert any("its fields are not what its parser reads" in fault for fault in find_faults(forged, handed))


def test_a_parser_that_breaks_is_a_downgrade_of_the_answer() -> None:
    """Nothing is answered from that sentence, and the record says which type failed and why."""
    answer = generate(QUESTION, found(candidate(TEXT.replace("linda", "is on fire, linda"))))
    assert answer.items == ()
    (told,) = answer.downgrades
    assert told.wanted == "values of the type cadastral_reference"
    assert "RuntimeError: no ladder here" in told.reason
