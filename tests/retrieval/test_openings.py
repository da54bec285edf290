"""A day that is counted from the contract's own date: the opening that states it is handed over too, as support."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.retrieval import retrieve
from pipeline.retrieval.openings import counts_from_opening
from schemas.retrieval import AuditedRetrievalResult
from tests.builders import document, lines
from tests.retrieval.build import concept, question

TERM = concept("expiration_date", terms=["term of this agreement", "shall continue"])
OPENING = 'This Supply Agreement is made as of March 1, 2020 (the "Effective Date") by and between A Inc. and B Inc.'
BETWEEN = "The Supplier sells goods."
CLAUSE = "The term of this Agreement shall continue for three (3) years from the Effective Date."


def ask(texts: Sequence[str], answer_type: str = "date") -> AuditedRetrievalResult:
    """What is found about the end of the contract."""
    parsed = document(lines(texts, paragraph_id=list(range(1, len(texts) + 1))))
    return retrieve(parsed, question("When does it end?", concepts=[TERM], answer_type=answer_type))


def test_the_opening_is_handed_over_behind_the_clause_that_counts_from_it() -> None:
    """'three years from the Effective Date' needs the passage that dates it, which is no answer itself."""
    found = ask([OPENING, BETWEEN, CLAUSE])
    assert [(one.role, one.anchor_line_ids[0]) for one in found.candidates] == [("primary", 3), ("supporting", 1)]
    assert found.candidates[1].reason == "Holds a date of the contract itself, from which a day on the topic is told."
    assert found.candidates[1].reference_path == ("a day told from the contract's own date",)


def test_nothing_is_added_where_the_clause_says_the_day_or_where_a_length_is_asked() -> None:
    """A day that is written needs no other; a question for a length counts nothing."""
    written = CLAUSE.replace("for three (3) years from the Effective Date", "until May 31, 2021")
    assert [one.anchor_line_ids for one in ask([OPENING, BETWEEN, written]).candidates] == [(3,)]
    assert all(one.anchor_line_ids != (1,) for one in ask([OPENING, BETWEEN, CLAUSE], "duration").candidates)


def test_a_day_is_counted_from_the_contract_in_three_languages() -> None:
    """The date hereof, la firma, les présentes: each tells a day from the contract's own."""
    assert counts_from_opening(["It ends two years after the date hereof, on May 3, 2020."])
    assert counts_from_opening(["El contrato tendrá una duración de dos años desde su firma."])
    assert counts_from_opening(["Le contrat est conclu pour une durée de trois ans à compter de sa signature."])
    assert not counts_from_opening(["It ends on May 3, 2020.", "It may be renewed."])
