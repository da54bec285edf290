"""How sure a strategy is that the document answers: a figure from the first passage's scores, for ordering alone.

Uncalibrated: a share of the question's words, a cosine or a grade is no probability, and no table makes one of it here.
"""

from __future__ import annotations

import math

from pipeline.retrieval.strategies.first_stage import BM25, DENSE, FirstStage
from pipeline.retrieval.strategies.rerank_llm import TOP_GRADE


def confidence_of(first: FirstStage, number: int, *, grade: int | None, score: float | None) -> float:
    """0 to 1, from the first passage handed over.

    `grade`: its share of the top grade. `score` of a cross-encoder: the logistic function of it, which is how such
    models are trained. Else the mean of what the lists say: for BM25 the share of the question's words that stand in
    the passage, each by its idf, so that a rare word that is missing counts most; for embeddings the cosine.
    """
    if grade is not None:
        return round(grade / TOP_GRADE, 6)
    if score is not None:
        return round(1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, score)))), 6)
    shares: list[float] = []
    if first.by_term is not None:
        weights = first.by_term.idf * first.by_term.times
        held = float(weights[first.by_term.frequencies[number] > 0].sum())
        shares.append(held / max(float(weights.sum()), 1e-9) if number in first.lists[BM25] else 0.0)
    if DENSE in first.lists:
        shares.append(max(0.0, min(1.0, first.lists[DENSE].get(number, 0.0))))
    return round(sum(shares) / len(shares), 6) if shares else 0.0
