"""Questions whose words no phrase foresees: the weight of their single words chooses, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictionaries import Dictionaries, load_dictionaries
from dictionaries.word_weights import count_words
from pipeline.question import parse_question
from pipeline.question.nearest import weigh_words
from pipeline.question.topics import find_topics, is_phrase

DICTIONARY = """
owner = "desk"
version = "1.0.0"
date = 2026-01-01
source = "test"
languages = ["en"]

[concepts.escrow]
definition = "Deposit of the sources."
answer_type = "text"
exhaustive = false
[concepts.escrow.words.en]
primary = ["escrow"]
examples = ["Where are the sources deposited for our protection?"]

[concepts.sum_lent]
definition = "What is lent."
answer_type = "amount"
exhaustive = false
[concepts.sum_lent.words.en]
primary = ["loan", "LN 44"]
questions = ["money lent"]

[concepts.lease]
definition = "Letting of premises."
answer_type = "text"
exhaustive = false
[concepts.lease.words.en]
primary = ["lease"]

[concepts.taxes]
definition = "Duties."
answer_type = "text"
exhaustive = false
[concepts.taxes.words.en]
primary = ["tax"]
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Dictionaries:
    """A dictionary of four concepts, one with an example."""
    folder: Path = tmp_path_factory.mktemp("dictionaries")
    (folder / "desk.toml").write_text(DICTIONARY, encoding="utf-8")
    return load_dictionaries(folder)


def test_the_words_of_an_example_choose_in_any_order(small: Dictionaries) -> None:
    """Words that stand in an example and in no phrase choose its concept, and the record names them."""
    parsed = parse_question("Is there protection by which sources get deposited?", None, small)
    assert [one.concept_id for one in parsed.concepts] == ["escrow"]
    assert parsed.concepts[0].matched_by == "protection + sources + deposited"
    assert any("by the weight of the words" in note for note in parsed.notes)


def test_a_question_of_mostly_unknown_words_chooses_nothing(small: Dictionaries) -> None:
    """Words that no concept knows count against: the question is about something else."""
    question = "Which sources and which deposited sediments shaped the valley during glacial retreat?"
    assert find_topics(question, small, limit=3) == ()


def test_one_word_alone_chooses_nothing(small: Dictionaries) -> None:
    """A single word of an example is no evidence."""
    assert find_topics("What protection?", small, limit=3) == ()


def test_a_phrase_says_it_without_a_note(small: Dictionaries) -> None:
    """Where a phrase stands in the question, it is the reason on record."""
    parsed = parse_question("What money lent is outstanding?", None, small)
    assert parsed.concepts[0].matched_by == "money lent"
    assert not any("weight of the words" in note for note in parsed.notes)


def test_a_code_of_the_dictionary_is_anchor_and_topic(small: Dictionaries) -> None:
    """A code that an expert lists chooses its concept and stays an anchor; another code is an anchor alone."""
    parsed = parse_question("What does LN 44 say?", None, small)
    assert is_phrase("LN 44", small)
    assert [one.concept_id for one in parsed.concepts] == ["sum_lent"]
    assert not is_phrase("ID.AM-1", small)


def test_a_longer_phrase_wins_across_dictionaries() -> None:
    """'sum insured' is not 'insured', whatever dictionary it stands in."""
    found = find_topics("What is the sum insured?", load_dictionaries(), limit=3)
    assert [topic.entry.concept_id for topic in found][:1] == ["sum_insured"]


def test_what_lasts_is_the_topic_not_that_it_lasts() -> None:
    """'survive' chooses nothing beside a clear topic."""
    found = find_topics("How long does confidentiality survive?", load_dictionaries(), limit=3)
    assert [topic.entry.concept_id for topic in found] == ["confidentiality"]


def test_scattered_words_of_another_kind_of_document_choose_nothing() -> None:
    """In a contract 'Where ... incorporated' is no question of an annual report."""
    found = find_topics("Where is Acme incorporated?", load_dictionaries(), limit=3, doc_type="contract")
    assert not any(topic.entry.dictionary == "finance" for topic in found)


def test_what_drove_a_figure_is_told_in_words() -> None:
    """A cause is no percentage."""
    assert parse_question("What drove operating margin?", None, load_dictionaries()).answer_type == "text"


def test_rarer_words_and_pairs_weigh_more() -> None:
    """A word of one concept weighs more than one of several; a pair in order adds to it."""
    known = count_words([["deposit account", "escrow"], ["account"], ["lease"]])
    assert known.weights("escro")[0] > known.weights("accou")[0] > 0
    assert known.weights("depos accou") == {0: known.weights("escro")[0]}


def test_words_are_weighed_alike_in_every_run(small: Dictionaries) -> None:
    """The same text gives the same weights, and a text without known words gives none."""
    assert weigh_words("sources deposited", small) == weigh_words("sources deposited", small)
    assert weigh_words("zyx", small) == {}
