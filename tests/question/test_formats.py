"""How the answer is wanted and what it is not: read from the question, kept from retrieval, heeded by generation."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.generation import generate
from pipeline.question import QuestionContext, parse_question
from pipeline.retrieval import retrieve
from schemas.answer import Amount, TextValue
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from tests.builders import document, lines

DICTIONARIES = load_dictionaries()


def read(text: str, asked: ParsedDocument | None = None) -> ParsedQuestion:
    """The question by rules alone."""
    known = asked.profile if asked else None
    return parse_question(text, known, DICTIONARIES, context=QuestionContext(document=asked))


@pytest.fixture(scope="module")
def policy() -> ParsedDocument:
    """A policy whose deductible stands before its premium."""
    return document(
        lines(
            ["INSURANCE POLICY", "The deductible is EUR 500 per claim.",
             "The annual premium is EUR 1,200, payable in advance.", "The coverage limit is EUR 100,000."]
        )
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("What is the notice period, in days?", {"period": "days"}),
        ("How much is the fee in EUR?", {"currency": "EUR"}),
        ("What is the net income? Answer in USD billions.", {"currency": "USD", "scale": "billions"}),
        ("What is the fee in thousands of dollars, rounded to two decimals?",
         {"currency": "USD", "scale": "thousands", "decimals": 2}),
        ("When does it start (DD/MM/YYYY)?", {"date_format": "DD/MM/YYYY"}),
        ("When does it start, in ISO format?", {"date_format": "ISO"}),
        ("What is the cap? Answer in Spanish.", {"language": "es"}),
        ("Summarize the contract in one sentence.", {"layout": "sentence", "max_sentences": 1}),
        ("What are the obligations, as bullet points?", {"layout": "bullets"}),
        ("Compare the fees in a table.", {"layout": "table"}),
        ("What is the fee per year?", {"period": "years"}),
        ("¿Cuál es el plazo en días?", {"period": "days"}),
        ("¿Cuál es el importe en millones de euros, con dos decimales?",
         {"currency": "EUR", "scale": "millions", "decimals": 2}),
        ("¿Cuál es el tope? Responde en inglés.", {"language": "en"}),
        ("Quelle est la date d'effet, au format JJ/MM/AAAA ?", {"date_format": "DD/MM/YYYY"}),
        ("Résume le contrat en deux phrases.", {"max_sentences": 2}),
        ("Quel est le prix en milliers d'euros ?", {"currency": "EUR", "scale": "thousands"}),
    ],
)  # fmt: skip
def test_wishes_are_understood(text: str, fields: dict[str, object]) -> None:
    """Currency, scale, period, date format, decimals, language, layout, length; the words reach no search."""
    parsed = read(text)
    assert parsed.format_constraint.model_dump(exclude_none=True) == fields
    assert parsed.generation_brief().format_constraint == parsed.format_constraint
    query = parsed.retrieval_query()
    assert all(wish not in query.text for wish in parsed.format_wishes)


@pytest.mark.parametrize(
    "text",
    ["Must notices be given in English?", "Are invoices paid in euros?", "Is the contract in French?",
     "What is the English law clause?", "What grew in 2 years?"],
)  # fmt: skip
def test_what_is_asked_about_is_no_wish(text: str) -> None:
    """The language of notices and the currency of payments are what is asked."""
    assert read(text).format_wishes == ()


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("What is the premium, not the deductible?", "the deductible"),
        ("What is the premium, not deductibles?", "deductibles"),
        ("What is the premium rather than the deductible?", "the deductible"),
        ("What is not the deductible but the premium?", "the deductible"),
        ("What is the premium (not the deductible)?", "the deductible"),
        ("¿Cuál es la prima, no la franquicia?", "la franquicia"),
        ("¿Cuál es la prima y no la franquicia?", "la franquicia"),
        ("¿Cuál es la prima en lugar de la franquicia?", "la franquicia"),
        ("Quelle est la prime et non la franchise ?", "la franchise"),
        ("Quelle est la prime plutôt que la franchise ?", "la franchise"),
    ],
)
def test_two_things_are_told_apart(policy: ParsedDocument, text: str, unwanted: str) -> None:
    """The excluded thing comes with the experts' words for it, is not searched, and does not answer."""
    question = read(text, policy)
    pair = question.must_distinguish[0]
    assert pair.unwanted == unwanted
    assert "prem" in pair.wanted or "prim" in pair.wanted
    assert "deductible" in pair.terms
    query = question.retrieval_query()
    assert [one.concept_id for one in query.concepts] == ["premium"]
    assert not {"deductible", "franquicia", "franchise"} & {word.text for word in query.keywords}
    answer = generate(question, retrieve(policy, question))
    values = [item.value for item in answer.items]
    assert [str(value.value) for value in values if isinstance(value, Amount)] == ["1200"]


def test_words_are_told_apart_too(policy: ParsedDocument) -> None:
    """A clause on the excluded thing is no answer in words."""
    question = read("What does the policy say about the premium, not the deductible?", policy)
    answer = generate(question, retrieve(policy, question))
    assert isinstance(answer.items[0].value, TextValue)
    assert "premium" in answer.items[0].value.text
    assert "deductible" not in answer.text


def test_an_exclusion_without_an_article() -> None:
    """'not for non-renewal' excludes; 'no later than' and 'may not' do not."""
    parsed = read("What is the notice period for termination, not for non-renewal?")
    assert parsed.exclusions == ("not for non-renewal",)
    for text in ("What is due, no later than May?", "May the buyer not terminate?", "Is it not paid, not even late?"):
        assert read(text).exclusions == (), text
