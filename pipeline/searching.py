"""How a document is searched: the strategy, its options, and the models that take part; the same for all questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.embeddings.protocols import CrossEncoder, Embedder, SparseEncoder
from pipeline.retrieval import retrieve
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.names import ARBITER, parse_strategy

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
        models = {"embedder": self.embedder, "cross_encoder": self.cross_encoder, "sparse": self.sparse_encoder}
        told = [f"{role}:{model.name}" for role, model in models.items() if model is not None]
        default = RetrievalSettings().model_dump(mode="json")
        changed = {
            name: value for name, value in self.settings.model_dump(mode="json").items() if value != default[name]
        }
        return (*(f"{name}:{value}" for name, value in sorted(changed.items())), *told)


def open_searching(strategy: str = ARBITER, *, store: str | os.PathLike[str] = "outputs") -> Searching:  # noqa: ARG001
    """The strategy of that name, with the models that the environment names.

    Raises SettingsError for an unknown strategy.
    """
    name = strategy if strategy == ARBITER else parse_strategy(strategy).name
    return Searching(RetrievalSettings(strategy=name))
