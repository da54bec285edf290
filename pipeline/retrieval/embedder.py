"""What an embedding model must offer; none is part of the core."""

from __future__ import annotations

from pipeline.embeddings.protocols import Embedder

__all__ = ["Embedder"]
