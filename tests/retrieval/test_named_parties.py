# ruff: noqa: E501  # documents are read whole, on one line
"""The words that name the parties are handed over to their end: past the passage that begins them, to the recitals."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.retrieval import retrieve
from tests.builders import document, lines
from tests.retrieval.build import concept, question

PARTIES = concept("parties", terms=["by and between"])
HEAD = "This Agreement is made by and between:"
SIDES = ("KALLO Inc., with offices in Markham (“KALLO”)", "and", "Gateway Fabrication Ltd. of Lagos (“Gateway”)")
RECITAL = "WHEREAS, KALLO develops a mobile clinic and Gateway wishes to sell it."


def read(texts: Sequence[str], answer_type: str = "party") -> str:
    """The first passage that is handed over."""
    parsed = document(lines(texts, paragraph_id=list(range(1, len(texts) + 1))))
    asked = question("Who are the parties?", concepts=[PARTIES], answer_type=answer_type, answer_shape="listing")
    return retrieve(parsed, asked).candidates[0].text


def test_every_side_is_handed_over_and_no_recital() -> None:
    """One passage a party, up to the recitals."""
    assert read([HEAD, *SIDES, RECITAL]) == "\n".join((HEAD, *SIDES))


def test_a_sentence_that_names_both_is_enough() -> None:
    """What follows an opening that is whole names nobody."""
    whole = "This Agreement is made by and between KALLO Inc. (“KALLO”), having its principal offices at 15 Allstate Parkway, Suite 600, Markham, Ontario, and Gateway Ltd. (“Gateway”)."
    assert read([whole, "The parties sell clinics.", RECITAL]) == whole
