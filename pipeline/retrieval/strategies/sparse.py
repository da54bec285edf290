"""Passages by learned sparse terms (SPLADE, Formal et al., SIGIR 2021): the dot product of weighted terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.protocols import SparseEncoder
from schemas.errors import SettingsError

DECIMALS = 6  # of a score

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SparseIndex:
    """For each term number the passages that hold it and its weight there."""

    count: int
    postings: dict[int, tuple[NDArray[np.int64], Floats]]


def encode(encoder: SparseEncoder, texts: Sequence[str]) -> SparseIndex:
    """The index of the passages, numbered from 0 in their order.

    Raises SettingsError when the encoder gives another number of maps or a weight that is no finite number.
    """
    rows: dict[int, list[tuple[int, float]]] = {}
    for at, weights in enumerate(_maps(encoder, texts)):
        for term, weight in weights.items():
            rows.setdefault(term, []).append((at, weight))
    postings = {
        term: (np.array([at for at, _ in row], dtype=np.int64), np.array([weight for _, weight in row]))
        for term, row in rows.items()
    }
    return SparseIndex(len(texts), postings)


def sparse_scores(encoder: SparseEncoder, query: str, index: SparseIndex) -> Floats:
    """One score a passage; 0 for a passage that shares no term with the query."""
    scores = np.zeros(index.count, dtype=np.float64)
    if not index.count:
        return scores
    for term, weight in sorted(_maps(encoder, [query])[0].items()):
        held = index.postings.get(term)
        if held is not None:
            scores[held[0]] += held[1] * weight
    rounded: Floats = scores.round(DECIMALS)
    return rounded


def _maps(encoder: SparseEncoder, texts: Sequence[str]) -> list[dict[int, float]]:
    maps = [dict(weights) for weights in encoder(texts)] if texts else []
    if len(maps) != len(texts):
        raise SettingsError(f"sparse encoder {encoder.name}: {len(texts)} texts gave {len(maps)} maps of terms")
    if not all(np.isfinite(weight) for weights in maps for weight in weights.values()):
        raise SettingsError(f"sparse encoder {encoder.name}: a weight is no finite number")
    return maps
