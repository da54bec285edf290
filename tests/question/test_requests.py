"""A request for several named things: a question each with its own type; a list that is one topic stays one."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.question import QuestionContext, parse_question
from pipeline.question.language import detect_language

DICTIONARIES = load_dictionaries()


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Give me the parties, the effective date, the governing law and the term",
         [("parties", "party"), ("effective date", "date"), ("governing law", "jurisdiction"), ("term", "duration")]),
        ("Key terms: parties; effective date; governing law; term",
         [("parties", "party"), ("effective date", "date"), ("governing law", "jurisdiction"), ("term", "duration")]),
        ("Give me the lender, the borrower, the facility amount and the maturity date",
         [("lender", "party"), ("borrower", "party"), ("facility amount", "amount"), ("maturity date", "date")]),
        ("Dame las partes, la fecha, la ley aplicable y la duración",
         [("partes", "party"), ("fecha", "date"), ("ley aplicable", "jurisdiction"), ("duración", "duration")]),
        ("Donne-moi les parties, la date d'effet, le droit applicable et la durée",
         [("parties", "party"), ("date d'effet", "date"), ("droit applicable", "jurisdiction"), ("durée", "duration")]),
        ("Quels sont la date d'effet, la durée et le droit applicable ?",
         [("date d'effet", "date"), ("durée", "duration"), ("droit applicable", "jurisdiction")]),
    ],
)  # fmt: skip
def test_each_thing_is_a_question_of_its_own(text: str, fields: list[tuple[str, str]]) -> None:
    """The shape is a record, and each field has the type of what it names."""
    parsed = parse_question(text, None, DICTIONARIES)
    assert (parsed.answer_shape, parsed.decomposition.pattern) == ("nested_json", "independent")
    assert [(one.name, one.answer_type) for one in parsed.decomposition.sub_questions] == fields


@pytest.mark.parametrize(
    "text",
    ["List the obligations of the Supplier and the Buyer", "List the fees, costs and expenses",
     "List the representations and warranties", "Give me the names and addresses of the parties",
     "List the milestones with their due dates and fees", "What are the terms and conditions of payment?",
     "What are the exceptions to confidentiality, non-compete and exclusivity?"],
)  # fmt: skip
def test_a_list_on_one_topic_is_one_question(text: str) -> None:
    """Roles behind one head, kinds of one thing and rows with several cells are no fields."""
    parsed = parse_question(text, None, DICTIONARIES)
    assert (parsed.answer_shape == "nested_json", parsed.decomposition.sub_questions) == (False, ())


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("What were revenue, net income and operating margin in 2023?",
         ["What is the revenue in 2023?", "What is the net income in 2023?", "What is the operating margin in 2023?"]),
        ("Give me the name, address and IBAN of the Provider",
         ["What is the name of the Provider?", "What is the address of the Provider?",
          "What is the IBAN of the Provider?"]),
        ("What is the initial term and what is it in months?",
         ["What is the initial term?", "What is the initial term in months?"]),
        ("Who are the parties, and which law governs, and when does it end?",
         ["Who are the parties?", "Which law governs?", "When does the agreement end?"]),
        ("¿Quiénes son las partes y cuándo termina?", ["¿Quiénes son las partes?", "¿Cuándo termina el contrato?"]),
        ("Give me the parties, the date, and tell me which law governs",
         ["Who are the parties?", "What is the date of the agreement?", "Which law governs?"]),
    ],
)  # fmt: skip
def test_what_is_said_once_holds_for_the_part_it_belongs_to(text: str, questions: list[str]) -> None:
    """A year, an owner, a wish for another unit, and what 'it' is: the contract, not its parties."""
    parsed = parse_question(text, None, DICTIONARIES)
    assert [one.text for one in parsed.decomposition.sub_questions] == questions


@pytest.mark.parametrize(
    ("text", "language"),
    [("Les parties doivent-elles garder le secret ?", "fr"), ("Que mangent les canards ?", "fr"),
     ("Que faut-il payer ?", "fr"), ("Donne-moi la duree", "fr"), ("Que comen los patos?", "es"),
     ("Que paga el cliente?", "es"), ("Deben las partes guardar el secreto", "es"), ("Notice period?", "en")],
)  # fmt: skip
def test_french_is_told_from_spanish(text: str, language: str) -> None:
    """Where the small words are of both, the build of the sentence and the endings tell."""
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text",
    ["¿Cuál es la duración de la confidencialidad?", "Quelle est la durée de la confidentialité ?",
     "What is the term of the confidentiality obligations?", "When does the confidentiality expire?"],
)  # fmt: skip
def test_how_long_a_duty_runs_is_not_the_term_of_the_contract(text: str) -> None:
    """The words that measure choose no concept where they measure a duty with a time of its own."""
    found = parse_question(text, None, DICTIONARIES)
    assert [one.concept_id for one in found.concepts] == ["confidentiality"]


@pytest.mark.parametrize(
    ("previous", "resolved"),
    [
        ("How long is the initial term?", "How long is the confidentiality period?"),
        ("What is the term of the agreement?", "What is the confidentiality period?"),
        ("How long does the agreement last?", "How long does confidentiality last?"),
    ],
)
def test_a_follow_up_to_the_term_asks_for_the_other_period(previous: str, resolved: str) -> None:
    """'And for confidentiality?': a duty has a period, and no initial term."""
    before = parse_question(previous, None, DICTIONARIES)
    after = parse_question(
        "and for confidentiality?", None, DICTIONARIES, context=QuestionContext(previous=before)
    )  # fmt: skip
    assert after.resolved_question == resolved
