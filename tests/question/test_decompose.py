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


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("¿Hay cláusula de no competencia y cuánto dura?",
         ["¿Hay cláusula de no competencia?", "¿Cuánto dura la cláusula de no competencia?"]),
        ("Hay clausula de no competencia y cuanto dura",
         ["¿Hay clausula de no competencia?", "¿Cuanto dura la clausula de no competencia?"]),
        ("¿Hay cláusula de no competencia y cuál es su duración?",
         ["¿Hay cláusula de no competencia?", "¿Cuál es la duración de la cláusula de no competencia?"]),
        ("¿Existe un límite de responsabilidad y cuál es?",
         ["¿Existe un límite de responsabilidad?", "¿Cuál es el límite de responsabilidad?"]),
        ("Y a-t-il une clause de non-concurrence et combien de temps dure-t-elle ?",
         ["Y a-t-il une clause de non-concurrence?", "Combien de temps la clause de non-concurrence dure-t-elle?"]),
        ("Y a-t-il un plafond de responsabilité et quel est-il ?",
         ["Y a-t-il un plafond de responsabilité?", "Quel est le plafond de responsabilité?"]),
        ("Existe-t-il une exclusivité et quelle est sa durée ?",
         ["Existe-t-il une exclusivité?", "Quelle est la durée de l'exclusivité?"]),
        ("What is the notice period for non-renewal and for termination for convenience?",
         ["What is the notice period for non-renewal?", "What is the notice period for termination for convenience?"]),
        ("What is the notice period for non-renewal and termination for convenience?",
         ["What is the notice period for non-renewal?", "What is the notice period for termination for convenience?"]),
        ("What happens in the event of breach, and within how many days must it be cured?",
         ["What happens in the event of breach?", "Within how many days must breach be cured?"]),
        ("Does the contract renew automatically and how much notice is needed to stop it?",
         ["Does the contract renew automatically?", "How much notice is needed to stop the contract?"]),
        ("Who owns the IP and can it be licensed?", ["Who owns the IP?", "Can the IP be licensed?"]),
    ],
)  # fmt: skip
def test_each_part_has_the_subject_that_it_left_to_the_one_before(text: str, parts: list[str]) -> None:
    """'¿Y cuánto dura?', 'dure-t-elle', 'and for termination': the subject and the head stand in every part."""
    found = parse_question(text, None, DICTIONARIES).decomposition
    assert [part.text for part in found.sub_questions] == parts


@pytest.mark.parametrize(
    "text",
    ["Quel est le plafond de l'assurance et non celui de la responsabilité ?",
     "¿Cuál es el límite del seguro y no el de la responsabilidad?",
     "What is the insurance limit and not that of the liability?"],
)  # fmt: skip
def test_what_it_is_not_is_no_part(text: str) -> None:
    """'And not that of ...' leaves something out; it asks for nothing more."""
    parsed = parse_question(text, None, DICTIONARIES)
    assert (parsed.decomposition.pattern, len(parsed.exclusions)) == ("single", 1)


def test_a_part_without_its_subject_is_not_asked_alone() -> None:
    """Where nothing shows what 'it' is, the question stays whole, with a note."""
    parsed = parse_question("By whom and when is it paid?", None, DICTIONARIES)
    assert (parsed.decomposition.pattern, parsed.decomposition.sub_questions) == ("single", ())
    assert any("'when is it paid'" in note for note in parsed.notes)


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
