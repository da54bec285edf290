"""Models that turn texts into numbers: embedders, cross-encoders and learned sparse encoders, local or by endpoint.

None is part of the core, and no decision rests on one alone; `protocols.py` says what each must offer, `selection.py`
which ones take part.
"""

from __future__ import annotations

from pipeline.embeddings.selection import open_cross_encoder, open_embedder, open_sparse_encoder

__all__ = ["open_cross_encoder", "open_embedder", "open_sparse_encoder"]
