"""Experts' patterns and misread words on the way through retrieval."""

from __future__ import annotations

import pytest

from dictionaries import patterns
from pipeline.retrieval import retrieve
from tests.builders import document, lines
from tests.retrieval.build import concept, question

TEXTS = [
    "1. Fees. The Customer pays the fees set out in Schedule 1.",
    "2. Stated maximum. In no event shall the Supplier be liable for more than EUR 5,000 in all.",
    "3. Notices. Notices are given in writing.",
]
CEILING = concept(
    "liability_cap", terms=("liability cap",), patterns=(r"\bbe liable for more than\b",), exhaustive=True
)


def test_a_pattern_proves_its_topic() -> None:
    """A passage that only a pattern finds is a primary candidate, and the pattern is on record among its keywords."""
    found = retrieve(document(lines(TEXTS)), question(concepts=[CEILING], answer_type="amount"))
    assert "EUR 5,000" in found.candidates[0].text
    assert found.candidates[0].role == "primary"
    assert CEILING.patterns[0] in found.candidates[0].matched_keywords
    assert "a wording of liability cap" in (found.candidates[0].reason or "")
    assert CEILING.patterns[0] not in (found.candidates[0].reason or "")


def test_a_pattern_without_a_hit_counts_in_the_proof_of_absence() -> None:
    """Absence is proven over the patterns too: each stands in the proof with its hits."""
    found = retrieve(document(lines(TEXTS[:1] + TEXTS[2:])), question(concepts=[CEILING]))
    assert found.absence is not None
    assert found.absence.verdict == "proven_absent"
    assert {term.term for term in found.absence.terms} == {"liability cap", CEILING.patterns[0]}


def test_a_pattern_out_of_time_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known of such a pattern: the proof names it and is none."""
    monkeypatch.setattr("dictionaries.matching.find_pattern", lambda *_: None)
    found = retrieve(document(lines(TEXTS[:1] + TEXTS[2:])), question(concepts=[CEILING]))
    assert found.absence is not None
    assert found.absence.verdict == "inconclusive"
    assert "ran out of time" in found.absence.statement
    answered = retrieve(document(lines([*TEXTS, "4. The liability cap is EUR 5."])), question(concepts=[CEILING]))
    assert any("ran out of time" in caveat for caveat in answered.document_caveats)
    assert patterns.SECONDS > 0


def test_a_misread_word_of_a_recognised_page_is_found_and_said() -> None:
    """'liabllity cap' on a scan is the liability cap, marked as approximate; on a native page it is another word."""
    texts = ["1. Fees. The fees are due.", "2. The liabllity cap is EUR 5,000."]
    topic = concept("liability_cap", terms=("liability cap",), exhaustive=True)
    scanned = retrieve(document(lines(texts, confidence=[0.9, 0.8])), question(concepts=[topic], answer_type="amount"))
    assert "EUR 5,000" in scanned.candidates[0].text
    assert "Approximate" in scanned.candidates[0].reason
    native = retrieve(document(lines(texts)), question(concepts=[topic], answer_type="amount"))
    assert native.not_found


@pytest.mark.parametrize(
    "pattern", [r"[^.]*", r"^.*$", r"(?s).*", r"\bliable[^.]*", r"[\s\S]{1,400}EUR", r"(?m)^.*\n.*$"]
)
def test_a_pattern_that_runs_on_stays_in_its_paragraph(pattern: str) -> None:
    """Patterns that match over everything neither fail nor reach over the end of a paragraph, headings included."""
    texts = ["1. Fees", "The Customer pays the fees", "set out in Schedule 1", "2. Cap", "Liable for EUR 5,000 in all"]
    line_df = lines(texts, role=["heading", "body", "body", "heading", "body"], paragraph_id=[1, 2, 2, 3, 4])
    hostile = concept("liability_cap", terms=("liability cap",), patterns=(pattern,))
    found = retrieve(document(line_df), question(concepts=[hostile], answer_type="amount"))
    assert {one.candidate_id for one in found.provenances} == {
        one.candidate_id for one in (*found.candidates, *(p for p in found.provenances if p.role == "discarded"))
    }
    for one in found.candidates:
        assert one.anchor.line_start in (2, 3, 5)
        assert (one.anchor.line_end <= 3) == (one.anchor.line_start <= 3)
