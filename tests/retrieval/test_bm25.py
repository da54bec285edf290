"""BM25: the scores agree with the formula computed in another way, and every score is told term by term."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.retrieval import retrieve
from pipeline.retrieval.strategies.bm25 import index_texts, terms_in
from tests.builders import document, lines
from tests.retrieval.build import question

WORDS = st.lists(
    st.sampled_from(["law", "governs", "agreement", "term", "fee", "party", "Ünïcode", "3.5", "INC-7"]), max_size=12
)


def by_the_book(texts, query):
    """BM25 as the source text writes it: a loop over the question's words, repetitions counted."""
    corpus = [terms_in(text) for text in texts]
    average = sum(map(len, corpus)) / max(len(corpus), 1)
    scores = []
    for words in corpus:
        counts, score = Counter(words), 0.0
        for term in terms_in(query):
            count = counts[term]
            if count:
                holding = sum(term in other for other in corpus)
                idf = math.log(1 + (len(corpus) - holding + 0.5) / (holding + 0.5))
                score += idf * count * 2.5 / (count + 1.5 * (0.25 + 0.75 * len(words) / max(average, 1.0)))
        scores.append(score)
    return scores


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=8), WORDS.map(" ".join))
def test_scores_are_those_of_the_formula(texts, query):
    """The index by term gives what a plain loop over the formula gives."""
    found = index_texts(texts).search(Counter(terms_in(query))).scores
    assert found.tolist() == pytest.approx(by_the_book(texts, query), abs=1e-4)


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=8), WORDS.map(" ".join))
def test_the_terms_add_up_to_the_score(texts, query):
    """Contributions sum to the score; each follows from the figures told beside it; the largest comes first."""
    terms = Counter(terms_in(query))
    found = index_texts(texts).search(terms)
    for number, score in enumerate(found.scores.tolist()):
        told = found.explain(number, tuple(terms))
        assert sum(term.contribution for term in told) == pytest.approx(score, abs=1e-6)
        assert [term.contribution for term in told] == sorted((term.contribution for term in told), reverse=True)
        for term in told:
            expected = term.idf * term.frequency * 2.5 / (term.frequency + 1.5 * term.length_norm)
            assert term.contribution == pytest.approx(expected, abs=1e-4)


def test_a_code_is_a_term_beside_its_pieces():
    """The exact code outweighs its pieces scattered elsewhere; case and accents make no difference."""
    texts = ["inc 2023 q4 011 011 2023", "See INC-2023-Q4-011 for it.", "nothing"]
    scores = index_texts(texts).search(Counter(terms_in("inc-2023-q4-011"))).scores.tolist()
    assert scores[1] > scores[0] > scores[2] == 0.0
    assert terms_in("CLÁUSULA") == terms_in("clausula")


def test_an_endless_word_costs_no_more_than_its_length():
    """A hostile document's unbroken run of letters, or chain of signs, is read once, not once a letter."""
    assert terms_in("x" * 300_000) == ["x" * 300_000]
    assert len(terms_in("1-" * 100_000)) == 100_001
    assert len(terms_in("x" * 300_000 + "-")) == 1


def test_no_text_and_no_term_are_no_error():
    """Nothing to search in and nothing to search for give no score at all."""
    assert index_texts([]).search(Counter(["a"])).scores.tolist() == []
    assert index_texts(["a b"]).search(Counter()).scores.tolist() == [0.0]
    assert index_texts([""]).search(Counter(["a"])).scores.tolist() == [0.0]


def test_the_arbiter_record_explains_codes():
    """A candidate that the detector of exact codes found carries the score with the terms that add up to it."""
    parsed = document(lines(["Order INC-7 is late.", "Order INC-8 and order INC-7.", "Nothing here."]))
    found = retrieve(parsed, question(words=["order"], anchors=[("code", "INC-7", "INC-7")]))
    explained = [one for one in found.provenances if "bm25" in one.methods_that_found_it]
    assert len(explained) == 2
    for one in explained:
        assert sum(term.contribution for term in one.score_terms) == pytest.approx(one.score_per_method["bm25"])
        assert "INC-7" in {term.term for term in one.score_terms}
    for one in found.provenances:
        assert bool(one.score_terms) == ("bm25" in one.methods_that_found_it)
