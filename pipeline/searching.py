"""How a document is searched: the strategy, its options, and the models that take part; the same for all questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pipeline.embeddings.protocols import CrossEncoder, Embedder, SparseEncoder
from pipeline.retrieval import retrieve
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.names import ARBITER, parse_strategy

EMBEDDINGS = "embeddings"  # folder of the vectors in a store
BM25 = "bm25_only"  # the first stage that needs no vectors

if TYPE_CHECKING:
    import os

    from pipeline.llm.model import LanguageModel
    from schemas.document import ParsedDocument
    from schemas.question import ParsedQuestion
    from schemas.retrieval import AuditedRetrievalResult


@dataclass(frozen=True, slots=True)
class Searching:
    """The arbiter without an embedding model, unless told otherwise."""

    settings: RetrievalSettings = field(default_factory=RetrievalSettings)
    embedder: Embedder | None = None
    cross_encoder: CrossEncoder | None = None
    sparse_encoder: SparseEncoder | None = None

    def retrieve(
        self, document: ParsedDocument, question: ParsedQuestion, *, llm: LanguageModel | None
    ) -> AuditedRetrievalResult:
        """The passages of a document for a question; see `pipeline.retrieval.retrieve`."""
        return retrieve(
            document, question, llm=llm, settings=self.settings, embedder=self.embedder,
            cross_encoder=self.cross_encoder, sparse_encoder=self.sparse_encoder,
        )  # fmt: skip

    def told_apart(self) -> tuple[str, ...]:
        """What tells its runs from those of the default; empty for the default."""
        default = RetrievalSettings().model_dump(mode="json")
        changed = {
            name: value for name, value in self.settings.model_dump(mode="json").items() if value != default[name]
        }
        return (*(f"{name}:{value}" for name, value in sorted(changed.items())), *self.models())

    def models(self) -> tuple[str, ...]:
        """The models that take part beside the language model, 'role:name'; empty without any."""
        models = {"embedder": self.embedder, "cross_encoder": self.cross_encoder, "sparse": self.sparse_encoder}
        return tuple(f"{role}:{model.name}" for role, model in models.items() if model is not None)


def open_searching(strategy: str = ARBITER, *, store: str | os.PathLike[str] | None = "outputs") -> Searching:
    """The strategy of that name, with the models that the environment names (LINEPROOF_EMBEDDINGS ...).

    Vectors are kept in the store's `embeddings` folder, without a store in memory. A strategy that needs an embedding
    model gets the local one where it is installed; the arbiter is given one only where the environment names it, since
    it is slow on a long document and hardly ever needed.

    Raises SettingsError for an unknown strategy or a model that cannot be used.
    """
    from pipeline.embeddings import open_cross_encoder, open_embedder, open_sparse_encoder

    name = strategy if strategy == ARBITER else parse_strategy(strategy).name
    unset: Literal["local", "none"] = "none" if name == ARBITER or name.startswith(BM25) else "local"
    return Searching(
        RetrievalSettings(strategy=name),
        embedder=open_embedder(unset=unset, cache=None if store is None else Path(store) / EMBEDDINGS),
        cross_encoder=open_cross_encoder(),
        sparse_encoder=open_sparse_encoder(),
    )
