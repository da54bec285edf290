# ruff: noqa: E501  # a row is read whole, on one line
"""Open questions: what the document leaves to choose from, what earlier replies say, what is never asked."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.question import QuestionContext, parse_question
from pipeline.question.clarify import memory_key, next_default, settle
from pipeline.question.replies import read_reply
from schemas.document import ParsedDocument
from schemas.question import Clarification, ParsedQuestion, Settled
from tests import builders

DICTIONARIES = load_dictionaries()
LIABILITY = "The liability cap is EUR 2,000,000 for all claims."
PRICE = "The price cap is four per cent (4 %) a year."
ASKED = Clarification(
    target_field="concept", question_to_user="Which cap do you mean?", reason="two",
    choices=("What is the liability cap?", "What is the price cap?"), default="What is the liability cap?",
    candidate_values=("liability_cap", "price_restrictions"), form="cap",
)  # fmt: skip


def read(text: str, *sentences: str, **context: object) -> ParsedQuestion:
    """The question on a document of these paragraphs."""
    document: ParsedDocument = builders.document(builders.lines(sentences))
    return parse_question(text, document.profile, DICTIONARIES, context=QuestionContext(document=document, **context))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["What's the cap?", "What is the limit?", "¿Cuál es el tope?", "Quel est le plafond ?"]
)
def test_the_document_gives_the_choices(text: str) -> None:
    """Two caps in the document are two complete questions, in the question's language."""
    asked = read(text, LIABILITY, PRICE).clarification
    assert asked is not None
    assert set(asked.candidate_values) == {"liability_cap", "price_restrictions"}
    assert len(asked.choices) == 2
    assert asked.default in asked.choices


def test_one_option_is_taken_with_a_note_and_none_is_not_asked_about() -> None:
    """The only cap of the document is the one that is meant; a document without one is searched as it is."""
    only = read("What's the cap?", PRICE)
    assert only.clarification is None
    assert only.resolved_question == "What's the price cap?"
    assert only.settled is not None
    assert only.settled.by == "only_option"
    assert any("price cap" in note for note in only.notes)
    none = read("What's the cap?", "The parties meet every month.")
    assert (none.clarification, none.settled, none.resolved_question) == (None, None, None)


@pytest.mark.parametrize(
    "text",
    ["What is the liability cap?", "What is the cap in section 9?", "Is there a cap?", "What are the caps and the fees?",
     'What is the "cap"?', "Summarize the document."],
)  # fmt: skip
def test_what_is_clear_is_not_asked_about(text: str) -> None:
    """A qualified word, a place, a yes-or-no question, a quoted word and a list go on."""
    assert read(text, LIABILITY, PRICE).clarification is None


def test_the_party_is_one_of_the_roles_that_the_document_defines() -> None:
    """'The party' is asked about where there are two of them; 'either party' is not."""
    head = 'Between Acme Limited (the "Supplier") and Beta Limited (the "Customer").'
    asked = read("When can the party terminate?", head).clarification
    assert asked is not None
    assert asked.choices == ("When can the Supplier terminate?", "When can the Customer terminate?")
    assert read("When can either party terminate?", head).clarification is None


def test_votes_decide_when_they_are_many_and_agree() -> None:
    """Below 0.6 nothing changes, above 0.85 the choice is applied, between the default moves; order stays."""
    assert settle(ASKED, {"price_restrictions": 1}) == ASKED
    between = settle(ASKED, {"price_restrictions": 3})
    assert isinstance(between, Clarification)
    assert (between.choices, between.default) == (ASKED.choices, "What is the price cap?")
    silent = settle(ASKED, {"price_restrictions": 6})
    assert isinstance(silent, Settled)
    assert (silent.by, silent.votes, silent.confidence) == ("votes", 6, 0.8571)
    assert settle(ASKED, {"insurance": 40}) == ASKED  # not in this document: no vote for or against


def test_the_same_memory_gives_the_same_record() -> None:
    """Memory is handed over, not looked up: equal context, equal bytes, and the votes stand in the record."""
    choices = {memory_key("concept", "contract", "cap"): {"price_restrictions": 9.0}}
    first, second = (read("What's the cap?", LIABILITY, PRICE, choices=choices) for _ in range(2))
    assert first.to_json() == second.to_json()
    assert first.settled is not None
    assert (first.settled.by, first.settled.votes) == ("votes", 9)


@pytest.mark.parametrize(
    ("text", "reply"),
    [("2", 2), ("2.", 2), ("option 1", 1), ("the second one", 2), ("last", 2), ("yes", "yes"), ("sí", "yes"), ("non", "none"),
     ("price", 2), ("the liability one please", 1), ("What is the price cap?", 2), ("the cap", None),
     ("What is the governing law?", None), ("no, the price cap", 2)],
)  # fmt: skip
def test_replies(text: str, reply: object) -> None:
    """A number, an ordinal, yes, no, the words of one choice; everything else is a question of its own."""
    assert read_reply(text, ASKED, was_asked=True) == reply


@pytest.mark.parametrize(
    "text", ["9", "7", "0", "option 9", "(4)", "#12", "2.5", "1 and 2", "both", "the fourth one", "nine", "b", "maybe", "I don't know", "no, 9",
             "ambas", "opción 8", "les deux", "je ne sais pas"],
)  # fmt: skip
def test_a_bare_reply_that_names_no_choice_is_none_of_them(text: str) -> None:
    """A number beyond the choices, several, 'both', 'I don't know': a reply, of no choice, and never a question."""
    reply = read_reply(text, ASKED, was_asked=True)
    assert isinstance(reply, int)
    assert not 1 <= reply <= len(ASKED.choices)


@pytest.mark.parametrize(("text", "reply"), [("two", 2), ("option one", 1), ("dos", 2), ("la opción 2", 2), ("#2", 2)])
def test_a_number_may_be_a_word(text: str, reply: int) -> None:
    """Digits or words, with or without 'option'."""
    assert read_reply(text, ASKED, was_asked=True) == reply


def test_the_next_default_is_another_choice_with_a_reason() -> None:
    """After a no the choice of most votes comes next, else the first; order and numbers stay."""
    three = ASKED.model_copy(
        update={
            "choices": (*ASKED.choices, "What is the insurance limit?"),
            "candidate_values": (*ASKED.candidate_values, "coverage_limit"),
        }
    )
    first = next_default(three, {}, language="en")
    assert (first.default, first.choices) == ("What is the price cap?", three.choices)
    assert "turned down" in first.default_reason
    voted = next_default(three, {"liability_cap": 5, "coverage_limit": 2}, language="en")
    assert voted.default == "What is the insurance limit?"
    assert "2 of 2" in voted.default_reason


def test_what_is_excluded_is_no_choice() -> None:
    """'Not for non-renewal' takes that notice period from the choices."""
    clauses = (
        "This Agreement is renewed unless a party gives notice of non-renewal at least ninety (90) days before.",
        "The Customer may terminate for convenience on sixty (60) days' written notice.",
        "Either party may terminate for cause on thirty (30) days' written notice of a material breach.",
    )
    every = read("What is the notice period?", *clauses).clarification
    assert every is not None
    assert "notice_period_to_terminate_renewal" in every.candidate_values
    parsed = read("What is the notice period, not for non-renewal?", *clauses)
    left = parsed.clarification or parsed.settled
    assert left is None or "notice_period_to_terminate_renewal" not in left.candidate_values


@pytest.mark.parametrize("text", ["How many fees are there?", "¿Cuántas tarifas hay?", "Combien de frais y a-t-il ?"])
def test_what_is_counted_is_not_open(text: str) -> None:
    """'How many fees' counts them all: nobody is asked which."""
    parsed = read(text, "The monthly fee is EUR 100.", "The late payment fee is EUR 5.", "The licence fee is EUR 900.")
    assert (parsed.clarification, parsed.settled) == (None, None)
