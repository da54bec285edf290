"""BM25, written out so that a score can be explained term by term.

score(d, q) = sum over terms t of idf(t) * tf(t, d) * (k1 + 1) / (tf(t, d) + k1 * (1 - b + b * |d| / avgdl)), with
idf(t) = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5)). Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25
and Beyond, FnT IR 2009; the idf with 1 inside the logarithm (as Lucene writes it) is never negative.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

K1 = 1.5  # how fast repetition stops to count
B = 0.75  # how much a long text is discounted

Floats = NDArray[np.float64]


def bm25_scores(frequencies: Floats, lengths: Floats) -> Floats:
    """One score a text, 0 for a text without any term.

    `frequencies` has a row a text and a column a term: how often the term stands there. `lengths` counts the words of
    each text.
    """
    count = len(lengths)
    if not count or not frequencies.shape[1]:
        return np.zeros(count, dtype=np.float64)
    average = max(float(lengths.mean()), 1.0)
    holding = (frequencies > 0).sum(axis=0)
    idf = np.log(1.0 + (count - holding + 0.5) / (holding + 0.5))
    norm = K1 * (1.0 - B + B * lengths / average)
    saturated = frequencies * (K1 + 1.0) / (frequencies + norm[:, None])
    scores: Floats = saturated @ idf
    return scores
