"""A cross-encoder as reranker: (query, texts) -> one score a text, the two read together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pipeline.embeddings.protocols import CrossEncoder
from pipeline.retrieval.strategies.rerank import Item, Reranking
from schemas.errors import SettingsError

DECIMALS = 6  # of a score; the last bits differ with the number of threads


def rerank_by_score(query: str, items: Sequence[Item], cross_encoder: CrossEncoder) -> Reranking:
    """All items by score, best first; equal scores keep their first-stage order.

    Nothing is dropped: the scores of a cross-encoder have no zero that means 'unrelated'.

    Raises SettingsError when there is not one finite number a text.
    """
    given = [round(float(score), DECIMALS) for score in cross_encoder(query, [item.text for item in items])]
    if len(given) != len(items) or not all(math.isfinite(score) for score in given):
        raise SettingsError(
            f"cross-encoder {cross_encoder.name}: {len(items)} texts gave {len(given)} scores, or one that is no "
            "finite number; one a text is needed"
        )
    scores = {item.candidate_id: score for item, score in zip(items, given, strict=True)}
    kept = tuple(sorted(scores, key=lambda one: -scores[one]))  # sorted is stable
    return Reranking(kept, scores=scores, reasons={one: f"cross-encoder score {scores[one]:.3f}" for one in kept})
