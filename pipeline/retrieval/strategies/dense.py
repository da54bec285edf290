"""Passages by meaning: cosine as one matrix product over vectors of length one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.protocols import Embedder
from schemas.errors import SettingsError

UNIT_NORM_TOLERANCE = 1e-3  # float32 rounding of a few hundred dimensions stays far below
DECIMALS = 6  # of a cosine; the last bits of a product differ with the number of threads

Vectors = NDArray[np.float32]
Floats = NDArray[np.float64]


def embed(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """One row a text, of length one.

    Raises SettingsError when the embedder gives another number of rows, rows of another length, or no numbers.
    """
    vectors = np.asarray(embedder(texts), dtype=np.float32)
    if vectors.ndim != 2 or vectors.shape[0] != len(texts):
        raise SettingsError(
            f"embedder {embedder.name}: {len(texts)} texts gave an array of shape {vectors.shape}; one row a text is "
            "needed"
        )
    norms = np.linalg.norm(vectors, axis=1)
    if not bool(np.all(np.abs(norms - 1.0) <= UNIT_NORM_TOLERANCE)):
        raise SettingsError(
            f"embedder {embedder.name}: vectors must be L2-normalised, found lengths up to {norms.max():.3f}"
        )
    return vectors


def cosines(embedder: Embedder, queries: Sequence[str], passages: Vectors) -> Floats:
    """The cosine of each passage to the nearest of the queries, one number a passage.

    Several wordings of a question count by the nearest, not by the mean (METHOD 3.2): a wording that fails costs
    nothing.
    """
    if not len(passages):
        return np.zeros(0, dtype=np.float64)
    asked = embed(embedder, queries)
    if asked.shape[1] != passages.shape[1]:
        raise SettingsError(
            f"embedder {embedder.name}: the question has {asked.shape[1]} dimensions, the passages have "
            f"{passages.shape[1]}; clear the cache of vectors"
        )
    nearest: Floats = (passages @ asked.T).max(axis=1).astype(np.float64).round(DECIMALS)
    return nearest
