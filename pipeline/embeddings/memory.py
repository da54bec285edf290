"""Vectors kept in memory while a process lasts, where no folder is given for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.cache import text_key
from pipeline.embeddings.protocols import Embedder

MAX_VECTORS = 20_000  # vectors; ten documents of 300 pages, some 30 MB at 384 numbers each


class RememberingEmbedder:
    """An `Embedder` that asks another one only for texts that it was not asked for lately."""

    def __init__(self, embedder: Embedder, *, max_vectors: int = MAX_VECTORS) -> None:
        """Keeps the last `max_vectors` vectors that were asked for."""
        self._embedder = embedder
        self._max = max_vectors
        self._known: dict[bytes, NDArray[np.float32]] = {}  # the one asked for last stands last

    @property
    def name(self) -> str:
        """Name of the embedder behind."""
        return self._embedder.name

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One L2-normalised row a text, in order. Raises what the embedder behind raises."""
        if not texts:
            return self._embedder(texts)
        keys = [text_key(text) for text in texts]
        known = {key: self._known.pop(key) for key in dict.fromkeys(keys) if key in self._known}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            known.update(zip(missing, self._embedder(list(missing.values())), strict=True))
        self._known.update(known)
        while len(self._known) > self._max:
            del self._known[next(iter(self._known))]
        return np.stack([known[key] for key in keys])
