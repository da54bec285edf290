"""chunk_embedding_match: passages near the question's meaning; runs only when an embedder is given, and is last."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.embedder import Embedder
from pipeline.retrieval.search import Search
from schemas.errors import SettingsError

__all__ = ["METHOD", "Embedder", "find_similar"]

METHOD = "chunk_embedding_match"
MIN_CHUNK_CHARACTERS = 30  # a heading alone has too few words for its vector to mean anything
UNIT_NORM_TOLERANCE = 1e-3  # float32 rounding of a few hundred dimensions stays far below


def find_similar(search: Search) -> pd.DataFrame:
    """HIT_DF: the few passages nearest to the question by cosine; the score is the cosine.

    There is always a nearest passage, so that a hit proves nothing by itself. Empty without an embedder.

    Raises SettingsError when the embedder gives vectors of the wrong shape or length.
    """
    lines = search.lines
    blocks = [block for block in range(lines.block_count) if len(lines.block_text(block)) >= MIN_CHUNK_CHARACTERS]
    if search.embedder is None or not blocks:
        return hit_table(METHOD, [], lines, limit=1)
    vectors = search.embedder([search.query.text, *(lines.block_text(block) for block in blocks)])
    _check(vectors, len(blocks) + 1, search.embedder.name)
    cosines = (vectors[1:] @ vectors[0]).astype(np.float64).round(6).tolist()
    hits = [
        Hit(
            lines.block_positions(block)[0],
            lines.block_positions(block)[-1],
            cosine,
            (),
            f"Near the question's meaning (cosine {cosine:.3f}); no word of it need stand here.",
        )
        for block, cosine in zip(blocks, cosines, strict=True)
    ]
    return hit_table(METHOD, hits, lines, limit=search.settings.embedding_hits)


def _check(vectors: np.ndarray, count: int, name: str) -> None:
    if vectors.ndim != 2 or vectors.shape[0] != count:  # a matrix
        raise SettingsError(
            f"embedder {name}: {count} texts gave an array of shape {vectors.shape}; one row a text is needed"
        )
    norms = np.linalg.norm(vectors, axis=1)
    if not bool(np.all(np.abs(norms - 1.0) <= UNIT_NORM_TOLERANCE)):
        raise SettingsError(f"embedder {name}: vectors must be L2-normalised, found lengths up to {norms.max():.3f}")
