# a row is read whole, on one line
"""Compound questions: independent, one after the other, on two topics at once, under a condition."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.question import parse_question

DICTIONARIES = load_dictionaries()


@pytest.mark.parametrize(
    ("text", "second", "stands_for"),
    [
        ("Who is the licensor and where is it incorporated?", "Where is the licensor incorporated?", "the licensor"),
        ("Find the effective date and say how long after it the term ends",
         "How long after the effective date does the term end?", "the effective date"),
        ("Which section covers termination and what does it say?",
         "What does the section that covers termination say?", "the section that covers termination"),
        ("Who is the supplier and what is its liability cap?", "What is the supplier's liability cap?", "the supplier"),
    ],
)  # fmt: skip
def test_a_part_that_needs_the_answer_before(text: str, second: str, stands_for: str) -> None:
    """The second part is complete, and says which of its words the answer to the first stands for."""
    found = parse_question(text, None, DICTIONARIES).decomposition
    assert found.pattern == "sequential"
    assert [part.text for part in found.sub_questions][1:] == [second]
    assert found.sub_questions[1].stands_for_answer == stands_for


@pytest.mark.parametrize(
    "text",
    ["When was the contract signed and when does it expire?", "Is there a non-compete, and for how long?",
     "What is the liability cap and who does it protect?", "¿Cuál es la ley aplicable y cuándo vence el contrato?",
     "Quelle est la loi applicable et quand expire le contrat ?"],
)  # fmt: skip
def test_parts_that_can_be_asked_apart(text: str) -> None:
    """'It' is the thing asked about, not the answer: the parts stand alone."""
    found = parse_question(text, None, DICTIONARIES).decomposition
    assert found.pattern == "independent"
    assert all(part.stands_for_answer is None for part in found.sub_questions)


def test_a_comparison_is_one_question_on_two_topics() -> None:
    """Both topics are searched at once."""
    parsed = parse_question("What is the difference between the liability cap and the price cap?", None, DICTIONARIES)
    assert parsed.decomposition.pattern == "unified"
    assert {concept.concept_id for concept in parsed.concepts} == {"liability_cap", "price_restrictions"}


@pytest.mark.parametrize(
    ("text", "condition", "word"),
    [("If the supplier delivers late, what is the penalty?", "If the supplier delivers late", "late"),
     ("Si el proveedor quiebra, ¿cuál es la indemnización?", "Si el proveedor quiebra", "quiebra"),
     ("Quelle est la pénalité en cas de retard ?", "en cas de retard", "retard")],
)  # fmt: skip
def test_a_condition_is_recorded_and_its_words_are_searched(text: str, condition: str, word: str) -> None:
    """The condition stands on record, and its words are words of the topic."""
    parsed = parse_question(text, None, DICTIONARIES)
    assert (parsed.decomposition.pattern, parsed.decomposition.condition) == ("conditional", condition)
    searched = [*(keyword.text for keyword in parsed.keywords), *(concept.matched_by for concept in parsed.concepts)]
    assert any(word in text for text in searched)
