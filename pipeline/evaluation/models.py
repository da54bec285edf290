"""The models that take part in a run: those of the environment, opened once a process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.errors import SettingsError

if TYPE_CHECKING:
    from pipeline.embeddings.protocols import CrossEncoder, Embedder, SparseEncoder
    from pipeline.llm.model import LanguageModel

VECTORS = "vectors"  # folder of the cache of vectors, in the output folder


@dataclass(frozen=True, slots=True)
class ModelNames:
    """Names of the models at hand; None for what is not there."""

    llm: str | None = None
    embedder: str | None = None
    cross_encoder: str | None = None
    sparse_encoder: str | None = None


@dataclass(frozen=True, slots=True)
class Models:
    """The models at hand."""

    llm: LanguageModel | None
    embedder: Embedder | None
    cross_encoder: CrossEncoder | None
    sparse_encoder: SparseEncoder | None
    arbiter_embedder: Embedder | None = None  # what `ask` gives the arbiter: only one that the environment names

    def names(self) -> ModelNames:
        """Their names."""
        given = (self.llm, self.embedder, self.cross_encoder, self.sparse_encoder)
        return ModelNames(*(one.name if one is not None else None for one in given))


def open_models(folder: Path, *, with_llm: bool) -> Models:
    """The models that the environment names; their caches are kept in `folder`.

    Raises SettingsError where it names one that cannot be used, and where `with_llm` finds no model named.
    """
    from pipeline.embeddings import open_cross_encoder, open_embedder, open_sparse_encoder
    from pipeline.run import open_model

    llm = open_model(folder) if with_llm else None
    if with_llm and llm is None:
        raise SettingsError("--llm needs a model: set LINEPROOF_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL")
    vectors = folder / VECTORS
    return Models(
        llm,
        open_embedder(cache=vectors),
        open_cross_encoder(),
        open_sparse_encoder(),
        arbiter_embedder=open_embedder(unset="none", cache=vectors),
    )
