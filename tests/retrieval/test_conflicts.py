"""Passages that say different things on one point are named; passages on different points are not."""

from __future__ import annotations

import pytest

from pipeline.retrieval import retrieve
from tests.builders import document, lines
from tests.retrieval.build import concept, question

FEE = concept("monthly_fee", terms=["monthly fee"], patterns=("entered into [^.]{0,40}",))


def conflicts(*texts, answer_type="amount"):
    """The conflicts of a small contract on the monthly fee."""
    asked = question("What is the monthly fee?", concepts=[FEE], answer_type=answer_type)
    return retrieve(document(lines(texts)), asked).conflicts


def test_two_sums_for_one_fee_are_named():
    """An amendment that changes the fee contradicts the clause that it leaves standing; both places are told."""
    found = conflicts("The monthly fee is USD 500.", "As amended, the monthly fee shall be USD 700.")
    assert len(found) == 1
    assert found[0].point == "amount for 'monthly fee'"
    assert "page 1 line 1 says 'USD 500'" in found[0].statement
    assert "page 1 line 2 says 'USD 700'" in found[0].statement


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The monthly fee is USD 500.", "The monthly fee equals USD 500.00."),
        ('"Agent Fee" means a monthly fee that is USD 500.', '"Trustee Fee" means a monthly fee that is USD 700.'),
        ("The monthly fee is USD 500.", "It is due with the monthly fee and shall be at most USD 700 in all."),
        ("The monthly fee is USD 500.", "The monthly fee is payable until the Client has paid USD 700."),
    ],
)
def test_different_points_are_no_conflict(one, other):
    """The same sum, two defined terms, and a value of something else in the sentence contradict nothing."""
    assert conflicts(one, other) == ()


def test_a_form_of_words_is_no_point():
    """Agreements that are named beside this one have dates of their own: an expert's pattern compares nothing."""
    dates = ("This lease is entered into on May 3, 2006.", "A loan is entered into on June 1, 2005.")
    assert conflicts(*dates, answer_type="date") == ()
