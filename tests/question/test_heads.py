"""What is asked of a compound, and what is only supposed."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.question import parse_question


@pytest.mark.parametrize(
    "question",
    ["What is the delivery fee?", "¿Cuál es la tarifa de entrega?", "Quel est le prix de livraison ?"],
)
def test_the_head_of_a_compound_is_asked(question: str) -> None:
    """A delivery fee is a fee; which one comes second, in each language's own order."""
    parsed = parse_question(question, None, load_dictionaries())
    assert [concept.concept_id for concept in parsed.concepts] == ["fees", "delivery"]
    assert parsed.answer_type == "amount"


def test_what_is_supposed_is_not_asked() -> None:
    """'if the seller goes bankrupt' is the case, 'end the contract' the question."""
    question = "Can the buyer end the contract if the seller goes bankrupt?"
    assert parse_question(question, None, load_dictionaries()).concepts[0].concept_id == "termination"
