"""Causes of failure: each one told apart, with a sentence that names what happened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.evaluation.coverage import clause_coverage, page_coverage
from pipeline.evaluation.datasets import LabelledQuestion
from pipeline.evaluation.failures import Failure, find_failure
from pipeline.evaluation.gold import DocumentWords
from pipeline.evaluation.outcome import Outcome, Passage, Proposal
from pipeline.evaluation.rows import FAILURE_CAUSES
from pipeline.parsing import parse_document
from schemas.document import ParsedDocument

CLAUSE = "Neither party may compete with the other for two years after the end."
OTHER = "The buyer pays the price within thirty days of each invoice."
TEXT = f"PREAMBLE OF THE AGREEMENT\n\n{OTHER}\n\nSome other words stand here.\n\n{CLAUSE}\n\nThe end."


@pytest.fixture
def document(tmp_path: Path) -> ParsedDocument:
    """Five paragraphs, the labelled one the fourth."""
    path = tmp_path / "a.txt"
    path.write_text(TEXT)
    return parse_document(path)


def _line(document: ParsedDocument, text: str) -> int:
    lines = document.line_df
    return int(lines.loc[lines["text"] == text, "line_id"].iloc[0])


def _proposal(name: str, line: int, *, role: str = "discarded", **changes: Any) -> Proposal:
    data: dict[str, Any] = {
        "lines": (line, line), "pages": (1, 1), "rule": "boilerplate", "reason": "Boilerplate.", "ranks": {"bm25": 2},
    }  # fmt: skip
    return Proposal(candidate_id=name, role=role, **{**data, **changes})


def _passage(name: str, line: int, text: str) -> Passage:
    return Passage(name, text, (1, 1), (line, line))


def _failure(
    document: ParsedDocument, *, present: bool = True, pages: tuple[int, ...] = (), **given: Any
) -> Failure | None:
    question = LabelledQuestion(
        "q", given.pop("text", "Is there a non-compete?"), "t", present, "pages" if pages else "clauses",
        clauses=(given.pop("clause", CLAUSE),) if present and not pages else (), pages=pages,
    )  # fmt: skip
    data: dict[str, Any] = {
        "passages": (), "proposals": (), "not_found": False, "verdict": None, "confidence": 0.5,
        "methods_run": ("content_keyword_match",), "skipped": {}, "sha256": "0",
    }  # fmt: skip
    outcome = Outcome(**{**data, **given})
    texts = [one.text for one in outcome.passages]
    coverage = (
        page_coverage(pages, [one.pages for one in outcome.passages], texts)
        if pages
        else clause_coverage(question.clauses, texts)
    )
    return find_failure(question, outcome, coverage, DocumentWords(document))


def _told(failure: Failure | None, cause: str, *words: str) -> None:
    assert failure is not None
    assert failure.cause == cause
    assert cause in FAILURE_CAUSES
    for word in words:
        assert word in failure.detail


def test_no_failure_where_the_label_is_met(document: ParsedDocument) -> None:
    """Covered and found; not labelled and not found."""
    assert _failure(document, passages=(_passage("p", 1, CLAUSE),)) is None
    assert _failure(document, present=False, not_found=True, verdict="not_found") is None


def test_never_proposed(document: ParsedDocument) -> None:
    """No proposal meets the labelled lines: the sentence names the detectors and the distance."""
    at = _line(document, OTHER)
    _told(_failure(document, proposals=(_proposal("p1", at),)), "never_proposed", "content_keyword_match", "lines away")
    _told(_failure(document), "never_proposed", "Nothing was proposed")


def test_a_label_that_was_not_read(document: ParsedDocument) -> None:
    """Words that do not stand in the parsed lines are told as such: a fault of parsing, not of retrieval."""
    _told(_failure(document, clause="Wholly absent words of a scanned page."), "never_proposed", "that were read")


def test_discarded(document: ParsedDocument) -> None:
    """Proposed and discarded: candidate, method, rank, rule and reason are named."""
    at = _line(document, CLAUSE)
    failure = _failure(document, proposals=(_proposal("p9", at),), not_found=True, verdict="not_found")
    _told(failure, "discarded", "p9", "bm25 rank 2", "'boilerplate'", "not found")


def test_cut(document: ParsedDocument) -> None:
    """Kept, but the context does not hold enough of the clause."""
    at = _line(document, CLAUSE)
    kept = _proposal("p9", at, role="primary")
    _told(
        _failure(document, proposals=(kept,), passages=(_passage("p9", at, "Neither party"),)), "cut", "13 characters"
    )


def test_wrong_order(document: ParsedDocument) -> None:
    """Kept below the fifth."""
    passages = (*(_passage(f"x{n}", 1, "other") for n in range(6)), _passage("p9", _line(document, CLAUSE), CLAUSE))
    _told(_failure(document, passages=passages), "wrong_order", "candidate 7")


def test_ranked_out(document: ParsedDocument) -> None:
    """A strategy that goes by rank discards nothing: what it does not hand over stood too low; a grade of 0 does."""
    at = _line(document, CLAUSE)
    low = _failure(document, by_rank=True, proposals=(_proposal("p9", at),), passages=(_passage("x", 1, "other"),))
    _told(low, "wrong_order", "bm25 rank 2", "below the 1")
    graded = _failure(document, by_rank=True, proposals=(_proposal("p9", at, relevance=0),))
    _told(graded, "discarded")


def test_said_absent(document: ParsedDocument) -> None:
    """Covered by a kept candidate, yet called not found: its role and rule are named."""
    at = _line(document, CLAUSE)
    failure = _failure(
        document, passages=(_passage("p9", at, CLAUSE),), proposals=(_proposal("p9", at, role="supporting"),),
        not_found=True, verdict="proven_absent",
    )  # fmt: skip
    _told(failure, "said_absent", "proven_absent", "candidate 1", "supporting", "boilerplate")


def test_said_present(document: ParsedDocument) -> None:
    """Not labelled, yet given: the first candidate and its rule are named."""
    at = _line(document, OTHER)
    failure = _failure(
        document, present=False, passages=(_passage("p9", at, OTHER),),
        proposals=(_proposal("p9", at, role="primary", rule="exact_title"),),
    )  # fmt: skip
    _told(failure, "said_present", "p9", "'exact_title'")


def test_pages_are_met_by_page(document: ParsedDocument) -> None:
    """For page labels the page of the anchor decides."""
    _told(_failure(document, pages=(4,), proposals=(_proposal("p1", 1),)), "never_proposed", "page 4")
    _told(_failure(document, pages=(1,), proposals=(_proposal("p1", 1),)), "discarded")


def test_vocabulary_or_ambiguity_by_words(document: ParsedDocument) -> None:
    """With one list, the words of the question decide whether it was vocabulary or ambiguity."""
    alike, foreign = (
        _failure(document, text=text, proposals=(_proposal("p1", 1),))
        for text in ("May either party compete after the end?", "Exclusivity covenant duration?")
    )
    assert alike is not None
    assert alike.kind == "ambiguity"
    assert foreign is not None
    assert foreign.kind == "vocabulary"


def test_vocabulary_or_ambiguity_by_two_lists(document: ParsedDocument) -> None:
    """With a sparse and a dense list, a passage that only the dense one found was said in other words."""
    at = _line(document, CLAUSE)
    both = ("bm25", "chunk_embedding_match")
    dense, either = (
        _failure(document, methods_run=both, proposals=(_proposal("p1", at, ranks=ranks),))
        for ranks in ({"chunk_embedding_match": 3}, {"bm25": 9, "chunk_embedding_match": 3})
    )
    assert dense is not None
    assert dense.kind == "vocabulary"
    assert either is not None
    assert either.kind == "ambiguity"


def test_a_label_is_found_where_it_stands_more_than_once(tmp_path: Path) -> None:
    """Any occurrence counts, also one that is broken over lines."""
    path = tmp_path / "a.txt"
    broken = CLAUSE.replace("compete with", "compete\nwith")
    path.write_text("\n\n".join([CLAUSE, OTHER, OTHER + " Again.", broken]))
    places = DocumentWords(parse_document(path)).places(CLAUSE)
    assert len(places) == 2
    assert all(place.share == 1.0 for place in places)
    assert DocumentWords(parse_document(path)).places("Nothing of this is there at all.") == ()
