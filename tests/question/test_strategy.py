"""How passages are read, by which model, and in whose words: the question's own words first, defaults last."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.question import QuestionSettings, parse_question
from pipeline.question.analysis import _BY_RULES
from pipeline.retrieval import retrieve
from schemas.question import ParsedQuestion
from tests.builders import document, lines, profile, toc

DICTIONARIES = load_dictionaries()


def read(text: str, **changes: object) -> ParsedQuestion:
    """The question by rules alone, under changed settings."""
    return parse_question(text, None, DICTIONARIES, settings=QuestionSettings.model_validate(changes))


@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        ("What is the governing law?", "sequential"),
        ("Who are the parties?", "combined"),
        ("Is there a non-compete?", "combined"),
        ("Summarize this document.", "combined"),
        ("What is the governing law, compared with the seat of arbitration?", "combined"),
    ],
)
def test_strategy(text: str, strategy: str) -> None:
    """One value is looked for passage by passage; lists, yes or no, summaries and comparisons need all of them."""
    assert read(text).chunk_strategy == strategy


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("Summarize this document.", "document"),
        ("Summarize chapter 3.", "chapter"),
        ("Summarize the Training section.", "section"),
        ("¿Qué dice el capítulo 2?", "section"),
        ("Resume el capítulo 2.", "chapter"),
        ("Where is personal data mentioned throughout the document?", "document"),
        ("What is the governing law?", "section"),
    ],
)
def test_reading_context(text: str, context: str) -> None:
    """The question's own words say how much is read, else concept, shape and type."""
    assert read(text).hints.answer_context in {context, "paragraph" if text.startswith("What is the gov") else context}


def test_words_that_must_stand_together() -> None:
    """'in the same sentence' is a hint, and no words to search for."""
    parsed = read("Is escrow mentioned in the same sentence as source code?")
    assert parsed.hints.detection_context == "sentence"
    assert "sentence" not in {word.text for word in parsed.keywords}


def test_models_are_suggested_by_the_settings() -> None:
    """Concept before type before shape before default; nothing without settings."""
    models = {"governing_law": "large", "amount": "small", "listing": "long", "default": "usual"}
    assert read("What is the governing law?", models=models).suggested_model == "large"
    assert read("What is the liability cap?", models=models).suggested_model == "small"
    assert read("Who are the parties?", models=models).suggested_model == "long"
    assert read("Is there an escrow?", models=models).suggested_model == "usual"
    assert read("Is there an escrow?").suggested_model is None


def test_what_the_format_cannot_give_is_switched_off_with_a_note() -> None:
    """A format without pages cites none; a document without references follows none."""
    known = profile()
    bare = known.model_copy(update={"identity": known.identity.model_copy(update={"page_unit": "none"})})
    parsed = parse_question("What is the governing law?", bare, DICTIONARIES)
    assert not parsed.plan.page_numbers
    assert any("without pages" in note for note in parsed.notes)
    assert not parsed.plan.follow_references
    assert parse_question("What is the governing law?", None, DICTIONARIES).plan.page_numbers


def test_the_present_is_the_documents_own_date() -> None:
    """'currently' is noted: a file says what holds as of its date."""
    assert any("as of its own date" in note for note in read("Who is currently the agent?").notes)


def test_rewrites_are_in_the_documents_words() -> None:
    """The experts' leading terms in the document's language, for retrieval only."""
    parsed = parse_question("¿Cuál es la ley aplicable?", profile(), DICTIONARIES)
    assert "governing law" in parsed.rewrites
    assert all("ley" not in text for text in parsed.rewrites)
    assert parsed.retrieval_query().rewrites == parsed.rewrites
    assert "rewrites" not in type(parsed.generation_brief()).model_fields
    assert read("How does multi-head attention work?").rewrites == ()


def test_every_new_field_says_who_set_it() -> None:
    """Fields that rules alone set are listed as theirs."""
    parsed = read("What is the premium, not the deductible, in euros?")
    assert set(_BY_RULES) <= set(parsed.field_sources)
    assert set(parsed.field_sources.values()) == {"rules"}


def test_chapter_and_document_contexts_are_read() -> None:
    """A chapter is the outermost section around the match; the document is all of it."""
    text_df = lines(["1. Data", "Data is held.", "1.1 Period", "Data is kept for 5 years.", "2. Law", "French."])
    outline = [(1, "Data", 1, 4), (2, "Period", 3, 4), (1, "Law", 5, 6)]
    asked = document(text_df, toc_df=toc(outline, text_df))
    for context, last in (("chapter", 4), ("document", 6)):
        question = parse_question("What is kept for 5 years?", asked.profile, DICTIONARIES)
        hints = question.hints.model_copy(update={"answer_context": context})
        found = retrieve(asked, question.model_copy(update={"hints": hints}))
        assert (found.candidates[0].context.line_start, found.candidates[0].context.line_end) == (1, last)
