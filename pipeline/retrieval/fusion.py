"""Reciprocal rank fusion: what we compare ourselves against, and the cut before an arbiter call that would not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def fuse(rankings: Sequence[Mapping[str, int]], *, k: int = 60) -> dict[str, float]:
    """The fused score of each candidate: the sum of 1/(k + rank) over the methods that rank it.

    `rankings` has one map a method, candidate -> rank from 1. Cormack, Clarke, Buettcher, Reciprocal Rank Fusion
    outperforms Condorcet, SIGIR 2009. Best first; ties in order of the id.
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for candidate_id, rank in ranking.items():
            scores[candidate_id] = scores.get(candidate_id, 0.0) + 1.0 / (k + rank)
    return dict(sorted(scores.items(), key=lambda row: (-row[1], row[0])))
