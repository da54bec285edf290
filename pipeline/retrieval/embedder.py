"""How retrieval uses an embedding model: cosines in one matrix product, of vectors that were checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.protocols import Embedder
from schemas.errors import SettingsError

__all__ = ["Embedder", "cosines"]

UNIT_NORM_TOLERANCE = 1e-3  # float32 rounding of a few hundred dimensions stays far below
DIGITS = 6  # decimals of a cosine: the last ones of a float32 depend on the machine


def cosines(embedder: Embedder, queries: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
    """The cosine of each text (rows) with each query (columns), -1 to 1, rounded to six decimals.

    Queries and texts are asked for apart, so that an embedder that keeps vectors computes only the queries when a
    document comes again.

    Raises SettingsError when the embedder gives vectors of the wrong shape or length.
    """
    text_vectors, query_vectors = _vectors(embedder, texts), _vectors(embedder, queries)
    if text_vectors.shape[1] != query_vectors.shape[1]:
        raise SettingsError(
            f"embedder {embedder.name}: vectors of {text_vectors.shape[1]} numbers, then of {query_vectors.shape[1]}"
        )
    return (text_vectors @ query_vectors.T).astype(np.float64).round(DIGITS)


def _vectors(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    vectors = embedder(texts)
    if vectors.ndim != 2 or vectors.shape[0] != len(texts):  # a matrix
        raise SettingsError(
            f"embedder {embedder.name}: {len(texts)} texts gave an array of shape {vectors.shape}; "
            "one row a text is needed"
        )
    norms = np.linalg.norm(vectors, axis=1)
    if not bool(np.all(np.abs(norms - 1.0) <= UNIT_NORM_TOLERANCE)):
        raise SettingsError(
            f"embedder {embedder.name}: vectors must be L2-normalised, found lengths up to {norms.max():.3f}"
        )
    return vectors
