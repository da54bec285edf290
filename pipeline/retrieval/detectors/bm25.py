"""BM25, written out so that a score can be explained term by term.

score(d, q) = sum over terms t of idf(t) * tf(t, d) * (k1 + 1) / (tf(t, d) + k1 * (1 - b + b * |d| / avgdl)), with
idf(t) = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5)). Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25
and Beyond, FnT IR 2009; the idf with 1 inside the logarithm (as Lucene writes it) is never negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.retrieval import ScoreTerm

K1 = 1.5  # how fast repetition stops to count
B = 0.75  # how much a long text is discounted
DECIMALS = 6  # of what is recorded and ranked by: the last bits of a logarithm differ between machines

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TermScores:
    """What every term adds to the score of every text, and the figures it is computed from."""

    frequencies: Floats  # a row a text, a column a term
    holding: Floats  # texts with the term, one a term
    idf: Floats  # one a term
    norm: Floats  # one a text
    contributions: Floats  # a row a text, a column a term; rounded
    times: Floats  # how often the question says each term; what it says twice counts twice

    @property
    def scores(self) -> Floats:
        """One score a text: the sum of its contributions; 0 for a text without any term."""
        total: Floats = (self.contributions * self.times).sum(axis=1).round(DECIMALS)
        return total

    def explain(
        self, text: int, terms: Sequence[str], *, known: dict[tuple[str, int], ScoreTerm] | None = None
    ) -> tuple[ScoreTerm, ...]:
        """The terms that a text holds, largest contribution first; `terms` names the columns.

        A term that the question says twice is listed twice, so that the score is the sum of what is listed. `known`
        keeps what was told before, by term and text: it is the same for every question put to the same texts.
        """
        known = {} if known is None else known
        row, counts = self.contributions[text].tolist(), self.frequencies[text].tolist()
        columns = sorted((column for column, count in enumerate(counts) if count), key=lambda column: -row[column])
        told: list[ScoreTerm] = []
        for column in columns:
            key = terms[column], text
            if key not in known:
                known[key] = ScoreTerm(
                    term=terms[column],
                    frequency=int(counts[column]),
                    passages_with_term=int(self.holding[column]),
                    idf=round(float(self.idf[column]), DECIMALS),
                    length_norm=round(float(self.norm[text]), DECIMALS),
                    contribution=row[column],
                )
            told += [known[key]] * int(self.times[column])
        return tuple(told)


def term_scores(
    frequencies: Floats, lengths: Floats, *, holding: Floats | None = None, times: Floats | None = None
) -> TermScores:
    """The contributions of terms to texts.

    `frequencies` has a row a text and a column a term: how often the term stands there. `lengths` counts the words of
    each text. `holding` (texts with each term) is counted here unless it is known; `times` says how often the question
    has each term, once unless given.
    """
    count = len(lengths)
    if holding is None:
        holding = (frequencies > 0).sum(axis=0).astype(np.float64)
    if times is None:
        times = np.ones(frequencies.shape[1], dtype=np.float64)
    average = float(lengths.mean()) if count else 0.0
    idf = np.log(1.0 + (count - holding + 0.5) / (holding + 0.5))
    norm = 1.0 - B + B * lengths / max(average, 1.0)
    with np.errstate(invalid="ignore"):  # no text at all
        contributions = frequencies * (K1 + 1.0) / (frequencies + K1 * norm[:, None]) * idf
    return TermScores(frequencies, holding, idf, norm, contributions.round(DECIMALS), times)


def bm25_scores(frequencies: Floats, lengths: Floats) -> Floats:
    """One score a text, 0 for a text without any term; see `term_scores`."""
    return term_scores(frequencies, lengths).scores
