"""BM25 over passages: an index by term in flat arrays, built once a document; the formula stands in `detectors/bm25`.

Terms are runs of letters and digits, case and diacritics folded. A code that is written with signs inside
('INC-2023-Q4-011', '3.5') counts as one more term, so that the exact code weighs more than its pieces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pipeline.retrieval.detectors.bm25 import Floats, TermScores, term_scores
from schemas.retrieval import ScoreTerm

_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile(r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")  # combining marks
# Only from the start of a word and without going back, so that a document's endless word costs no more than its length.
_CODE = re.compile(r"(?<![^\W_])[^\W_]++(?:[-./_][^\W_]++)+")

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bm25Index:
    """Which passages hold a term and how often: `passages[starts[t]:starts[t + 1]]` for the term number t."""

    numbers: dict[str, int]
    starts: list[int]
    passages: Ints
    counts: Floats
    lengths: Floats  # terms of each passage
    told: dict[tuple[str, int], ScoreTerm] = field(default_factory=dict)  # explanations given before

    def search(self, terms: Mapping[str, int]) -> TermScores:
        """What each term adds to each passage; a term that stands nowhere adds nothing.

        `terms` says how often the question has each.
        """
        frequencies = np.zeros((len(terms), len(self.lengths)), dtype=np.float64)
        holding = np.zeros(len(terms), dtype=np.float64)
        for row, term in enumerate(terms):
            number = self.numbers.get(term)
            if number is not None:
                span = slice(self.starts[number], self.starts[number + 1])
                frequencies[row, self.passages[span]] = self.counts[span]
                holding[row] = span.stop - span.start
        times = np.array(list(terms.values()), dtype=np.float64)
        return term_scores(frequencies.T, self.lengths, holding=holding, times=times)


def index_texts(texts: Sequence[str]) -> Bm25Index:
    """The index of the passages, numbered from 0 in their order."""
    numbers: dict[str, int] = {}
    lengths = np.zeros(len(texts), dtype=np.float64)
    flat: list[int] = []
    for at, text in enumerate(texts):
        terms = terms_in(text)
        lengths[at] = len(terms)
        flat += [numbers.setdefault(term, len(numbers)) for term in terms]
    passage_of = np.repeat(np.arange(len(texts), dtype=np.int64), lengths.astype(np.int64))
    pairs, counts = np.unique(np.array(flat, dtype=np.int64) * max(len(texts), 1) + passage_of, return_counts=True)
    held, passages = np.divmod(pairs, max(len(texts), 1))
    starts = np.searchsorted(held, np.arange(len(numbers) + 1)).tolist()
    return Bm25Index(numbers, starts, passages, counts.astype(np.float64), lengths)


def terms_in(text: str) -> list[str]:
    """The terms of a text in order, repetitions included."""
    folded = fold(text)
    terms: list[str] = _WORD.findall(folded)
    terms += [code for code in _CODE.findall(folded) if any(sign.isdigit() for sign in code)]
    return terms


def fold(text: str) -> str:
    """The text without case and diacritics."""
    lowered = text.casefold()
    if lowered.isascii():
        return lowered
    return _MARKS.sub("", unicodedata.normalize("NFKD", lowered))
