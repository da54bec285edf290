"""What an embedding model must offer; none is part of the core."""

from __future__ import annotations

from collections.abc import Sequence
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
