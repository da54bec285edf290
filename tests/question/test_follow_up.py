# ruff: noqa: E501  # a row is read whole, on one line
"""Follow-ups: a fragment is the question before with something else in it; a complete question is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dictionaries import load_dictionaries
from pipeline.question import QuestionContext, parse_question
from pipeline.question.follow_up import complete_follow_up, follow_compound

DICTIONARIES = load_dictionaries()
CAP = "What is the liability cap for the supplier?"
COMPETE = "Is there a non-compete?"


@pytest.mark.parametrize(
    ("previous", "text", "complete"),
    [
        (CAP, "and for the customer?", "What is the liability cap for the customer?"),
        (CAP, "And the customer?", "What is the liability cap for the customer?"),
        (CAP, "and for Acme Corp?", "What is the liability cap for Acme Corp?"),
        (CAP, "and the insurance limit?", "What is the insurance limit for the supplier?"),
        (CAP, "and on page 5?", "What is the liability cap for the supplier on page 5?"),
        (CAP, "why?", "What is the reason for the liability cap for the supplier?"),
        (CAP, "what about termination?", "What does the document say about termination?"),
        (COMPETE, "and for the supplier?", "Is there a non-compete for the supplier?"),
        (COMPETE, "how long is it?", "How long is the non-compete?"),
        (COMPETE, "and for how long?", "For how long is there a non-compete?"),
        (COMPETE, "and in clause 7?", "Is there a non-compete in clause 7?"),
        (COMPETE, "what about exclusivity?", "Is there exclusivity?"),
        (COMPETE, "Does it survive termination?", "Does the non-compete survive termination?"),
        ("What does clause 5 say?", "and clause 7?", "What does clause 7 say?"),
        ("Can the supplier terminate for convenience?", "and for cause?", "Can the supplier terminate for cause?"),
        ("Can the supplier terminate for convenience?", "and the customer?", "Can the customer terminate for convenience?"),
        ("What is the notice period for renewal?", "and in days?", "What is the notice period for renewal in days?"),
        ("What is the notice period for renewal?", "what about termination?", "What is the notice period for termination?"),
        ("What was the revenue in 2022?", "and in 2021?", "What was the revenue in 2021?"),
        ("When are invoices due?", "and royalties?", "When are royalties due?"),
        ("How long does confidentiality survive?", "why?", "Why does confidentiality survive?"),
        ("Who are the parties?", "where are they incorporated?", "Where are the parties incorporated?"),
    ],
)  # fmt: skip
def test_a_fragment_takes_its_place_in_the_question_before(previous: str, text: str, complete: str) -> None:
    """Party, place, time, format, topic, question word and pronoun each go where they belong."""
    assert complete_follow_up(text, previous).text == complete


@pytest.mark.parametrize(
    ("previous", "text", "complete"),
    [
        ("¿Cuál es el límite de responsabilidad?", "¿y para el proveedor?",
         "¿Cuál es el límite de responsabilidad para el proveedor?"),
        ("¿Cuál es el límite de responsabilidad?", "¿por qué?", "¿Cuál es el motivo del límite de responsabilidad?"),
        ("¿Cuándo vence el contrato?", "¿y la garantía?", "¿Cuándo vence la garantía?"),
        ("Quel est le plafond de responsabilité du client ?", "et pour le fournisseur ?",
         "Quel est le plafond de responsabilité du fournisseur?"),
        ("Quel est le plafond de responsabilité du client ?", "qu'en est-il du fournisseur ?",
         "Quel est le plafond de responsabilité du fournisseur?"),
        ("Quel est le préavis ?", "et en jours ?", "Quel est le préavis en jours?"),
    ],
)  # fmt: skip
def test_in_spanish_and_french(previous: str, text: str, complete: str) -> None:
    """The same, articles and contractions kept right."""
    language = "es" if previous.startswith("¿") else "fr"
    assert complete_follow_up(text, previous, language=language).text == complete


WARRANTY = "How long is the warranty?"


@pytest.mark.parametrize(
    ("previous", "text", "complete"),
    [
        (WARRANTY, "and for confidentiality?", "How long is confidentiality?"),
        ("How long is confidentiality?", "and for non-solicitation?", "How long is non-solicitation?"),
        (WARRANTY, "and for the Supplier?", "How long is the warranty for the Supplier?"),
        ("How long is the warranty for the Supplier?", "and for confidentiality?", "How long is confidentiality for the Supplier?"),
        ("How long does the warranty last?", "and for confidentiality?", "How long does confidentiality last?"),
        ("How long is the warranty period?", "and for confidentiality?", "How long is the confidentiality period?"),
        ("What is the duration of the warranty?", "and for confidentiality?", "What is the duration of confidentiality?"),
        ("¿Cuánto dura la garantía?", "¿y para la confidencialidad?", "¿Cuánto dura la confidencialidad?"),
        ("Combien de temps dure la garantie ?", "et pour la confidentialité ?", "Combien de temps dure la confidentialité?"),
        ("Quelle est la durée de la garantie ?", "et pour la confidentialité ?", "Quelle est la durée de la confidentialité?"),
        ("¿Quién es el proveedor?", "¿y el comprador?", "¿Quién es el comprador?"),
        ("What is the notice period?", "and for renewal?", "What is the notice period for renewal?"),
        ("What is the liability cap?", "and for data breaches?", "What is the liability cap for data breaches?"),
        ("Is there a penalty?", "and for late delivery?", "Is there a penalty for late delivery?"),
        ("Is termination allowed?", "and for convenience?", "Is termination allowed for convenience?"),
        (WARRANTY, "and after termination?", "How long is the warranty after termination?"),
    ],
)  # fmt: skip
def test_another_topic_behind_a_preposition_takes_the_topics_place(previous: str, text: str, complete: str) -> None:
    """'For confidentiality' is another topic; a party, an event, and what a measure or a remedy is of, are added."""
    before = parse_question(previous, None, DICTIONARIES)
    parsed = parse_question(text, None, DICTIONARIES, context=QuestionContext(previous=before))
    assert parsed.resolved_question == complete


@pytest.mark.parametrize(
    "text",
    ["What is the governing law?", "And who pays the fees?", "governing law", "Can I terminate?", "yes",
     "and when does the term end?", "is it possible to terminate early?", "Summarize the document.", "GDPR?"],
)  # fmt: skip
def test_a_complete_question_is_left_alone(text: str) -> None:
    """A question that asks something of its own owes nothing to the one before."""
    follow = complete_follow_up(text, CAP)
    assert (follow.text, follow.is_resolved) == (text, False)


def test_a_pronoun_agrees_with_what_it_stands_for() -> None:
    """'It' is not the parties: the text speaks of something else, and is left as it is."""
    assert not complete_follow_up("When does it expire?", "Who are the parties?").is_resolved


def test_a_follow_up_holds_for_all_parts_of_the_question_before() -> None:
    """A party goes into each part; a question word is about the first."""
    parts = ["Is there a non-compete?", "For how long is there a non-compete?"]
    assert follow_compound("and for the buyer?", parts).text == (
        "Is there a non-compete for the buyer? And for how long is there a non-compete for the buyer?"
    )
    assert follow_compound("why?", parts).text == "Why is there a non-compete?"


def test_the_record_holds_the_question_before_and_the_complete_one() -> None:
    """Both are on record beside the user's own words, and the complete one is what is searched and answered."""
    previous = parse_question("What is the liability cap?", None, DICTIONARIES)
    parsed = parse_question("and for the buyer?", None, DICTIONARIES, context=QuestionContext(previous=previous))
    assert parsed.original_question == "and for the buyer?"
    assert parsed.previous_question == "What is the liability cap?"
    assert parsed.resolved_question == "What is the liability cap for the buyer?"
    assert parsed.retrieval_query().text.startswith("What is the liability cap")
    assert parsed.generation_brief().question == parsed.resolved_question
    assert parsed.concepts[0].concept_id == "liability_cap"


@pytest.mark.parametrize(
    "text", ["and for the supplier?", "And the customer?", "¿y para el proveedor?", "et pour le client ?"]
)
def test_a_fragment_without_a_question_before_it_is_asked_back(text: str) -> None:
    """Nothing is guessed: the user is asked, with complete questions that hold the fragment."""
    asked = parse_question(text, None, DICTIONARIES).clarification
    assert asked is not None
    assert asked.target_field == "previous_question"
    assert 2 <= len(asked.choices) <= 3


@given(st.text(min_size=1, max_size=80), st.sampled_from([CAP, COMPETE, "¿Cuándo vence el contrato?", "x", "Why?"]))
def test_any_text_is_left_or_completed(text: str, previous: str) -> None:
    """Whatever is said in a session: a complete text comes out, never an error."""
    follow = complete_follow_up(text, previous)
    assert follow.is_resolved or follow.text == text
    assert follow.text


@pytest.mark.parametrize(
    ("before", "said", "resolved"),
    [
        (
            "What is the premium, not the deductible?",
            "and for theft?",
            "What is the premium for theft, not the deductible?",
        ),
        (
            "How many days notice to terminate, not for non-renewal?",
            "and for insurance?",
            "How many days notice to terminate for insurance, not for non-renewal?",
        ),
        ("What is the premium, not the deductible?", "what about the coverage limit?", "What is the coverage limit?"),
    ],
)
def test_what_was_excluded_is_not_taken_for_the_topic(before: str, said: str, resolved: str) -> None:
    """'not for non-renewal' is no place for the new words; it stays with the old topic and goes with it."""
    assert complete_follow_up(said, before).text == resolved
