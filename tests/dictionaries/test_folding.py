"""Folding: what it makes equal, and that every character can be traced back."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dictionaries.folding import fold, folded_text


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("RÉSILIATION", "resiliation"),
        ("oﬃce", "office"),
        ("Straße", "strasse"),
        ("cœur", "coeur"),
        ("“quoted” – l’art", '"quoted" - l\'art'),
        ("ter\u00admina\u200btion", "termination"),
        ("Obligacio\u0301n", "obligacion"),
        ("İstanbul", "istanbul"),
        ("", ""),
    ],
)
def test_folds_case_accents_and_typography(written: str, folded: str) -> None:
    """Case, accents, ligatures, quotes, dashes and invisible characters make no difference."""
    assert fold(written).text == folded
    assert folded_text(written) == folded


@given(st.text(max_size=60))
def test_offsets_trace_every_character(text: str) -> None:
    """Each folded character comes from a place in the original that folds to it; places ascend."""
    folded = fold(text)
    assert len(folded.text) == len(folded.offsets) == len(folded.ends)
    assert folded.text == folded_text(text)
    assert list(folded.offsets) == sorted(folded.offsets)
    for index, character in enumerate(folded.text):
        start, end = folded.original(index, index + 1)
        assert 0 <= start < end <= len(text)
        assert character in folded_text(text[start:end])


def test_an_accent_belongs_to_its_letter() -> None:
    """The range of a letter reaches over the combining accent that was dropped."""
    text = unicodedata.normalize("NFD", "né à")
    folded = fold(text)
    start, end = folded.original(1, 2)
    assert text[start:end] == "e\u0301"
