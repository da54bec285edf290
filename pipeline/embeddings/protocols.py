"""What a model must offer to take part in retrieval. Every one gives the same for a text whatever stands beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Texts in, vectors out. The same text must give the same vector whatever stands beside it in the batch."""

    @property
    def name(self) -> str:
        """Name and version of the model, for the record."""
        ...

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One L2-normalised row a text, in order, so that a dot product is a cosine."""
        ...


class CrossEncoder(Protocol):
    """A query and texts in, one score a text out: the two are read together."""

    @property
    def name(self) -> str:
        """Name and version of the model, for the record."""
        ...

    def __call__(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text, in the order of the texts; larger is better, on the model's own scale."""
        ...


class SparseEncoder(Protocol):
    """Texts in, weighted terms out (SPLADE, Formal et al., SIGIR 2021)."""

    @property
    def name(self) -> str:
        """Name and version of the model, for the record."""
        ...

    def __call__(self, texts: Sequence[str]) -> Sequence[Mapping[int, float]]:
        """One map a text, in order: term number -> weight above zero; the score of a pair is the dot product."""
        ...
