"""Patterns of what goes with a topic without proving it, from the dictionary file to the candidates."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictionaries import load_dictionaries
from pipeline.question import parse_question
from pipeline.retrieval import retrieve
from schemas.question import ParsedQuestion
from tests.builders import document, lines
from tests.dictionaries.files import SMALL

PROVING, GOING_WITH = r"\bRAL \d{4}\b", r"\b\d{4} gloss\b"  # the patterns of the small dictionary
ELSEWHERE = "Delivery takes ten days."


@pytest.fixture
def question(tmp_path: Path) -> ParsedQuestion:
    """A question on the colour, asked with the small dictionary."""
    (tmp_path / "things.toml").write_text(SMALL, encoding="utf-8")
    return parse_question("Which is the colour?", None, load_dictionaries(tmp_path))


def test_it_is_searched_and_weighs_half(question: ParsedQuestion) -> None:
    """It stands among the keywords as a pattern, with the weight of a secondary term, behind those that prove."""
    patterns = [(word.text, word.weight) for word in question.keywords if word.is_regex]
    assert patterns == [(PROVING, 1.0), (GOING_WITH, 0.5)]
    assert question.concepts[0].patterns == (PROVING,)


def test_it_finds_a_passage_and_is_on_record(question: ParsedQuestion) -> None:
    """A passage that only such a pattern finds is a candidate, with the pattern among what it matched."""
    found = retrieve(document(lines([ELSEWHERE, "Painted in 9010 gloss.", ELSEWHERE])), question)
    assert any(GOING_WITH in candidate.matched_keywords for candidate in found.candidates)


def test_it_proves_nothing(question: ParsedQuestion) -> None:
    """Beside a passage with a primary term, one with such a pattern stands behind."""
    found = retrieve(document(lines(["Painted in 9010 gloss.", ELSEWHERE, "The hue is red."])), question)
    assert "hue" in found.candidates[0].text
