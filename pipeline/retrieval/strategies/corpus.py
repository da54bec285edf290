"""The texts that are searched, with every index over them, each built when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.embeddings.protocols import Embedder, SparseEncoder
from pipeline.retrieval.strategies.bm25 import Bm25Index, index_texts
from pipeline.retrieval.strategies.dense import Vectors, embed
from pipeline.retrieval.strategies.sparse import SparseIndex, encode
from schemas.audit import Downgrade, ModelUse


@dataclass
class Corpus:
    """The passages as they are searched: their own words, with the words that place them before them, if any."""

    texts: tuple[str, ...]
    contexts: tuple[str | None, ...]  # what was put before each passage; null: nothing
    rule: str | None = None  # how the contexts were made
    model_uses: tuple[ModelUse, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()
    maker: object = None  # the model behind the contexts, held so that its identity stays its own
    _vectors: tuple[Embedder, Vectors] | None = None  # of the last embedder; the model is held for its identity
    _sparse: tuple[SparseEncoder, SparseIndex] | None = None

    @cached_property
    def bm25(self) -> Bm25Index:
        """The index by term."""
        return index_texts(self.texts)

    def vectors(self, embedder: Embedder) -> Vectors:
        """One row a passage. Raises SettingsError for vectors that cannot be used."""
        if self._vectors is None or self._vectors[0] is not embedder:
            rows = embed(embedder, self.texts) if self.texts else np.zeros((0, 0), dtype=np.float32)
            self._vectors = embedder, rows
        return self._vectors[1]

    def sparse(self, encoder: SparseEncoder) -> SparseIndex:
        """The passages by weighted term."""
        if self._sparse is None or self._sparse[0] is not encoder:
            self._sparse = encoder, encode(encoder, self.texts)
        return self._sparse[1]


def plain_corpus(texts: Sequence[str]) -> Corpus:
    """The passages in their own words."""
    return Corpus(tuple(texts), (None,) * len(texts))


def situated_corpus(
    texts: Sequence[str],
    contexts: Mapping[int, str],
    *,
    rule: str,
    model_uses: tuple[ModelUse, ...] = (),
    downgrades: tuple[Downgrade, ...] = (),
    maker: object = None,
) -> Corpus:
    """The passages, each with its context before it where it has one; the options say how the contexts were made."""
    joined = tuple(f"{contexts[at]}\n\n{text}" if contexts.get(at) else text for at, text in enumerate(texts))
    placed = tuple(contexts.get(at) or None for at in range(len(texts)))
    return Corpus(joined, placed, rule=rule, model_uses=model_uses, downgrades=downgrades, maker=maker)
