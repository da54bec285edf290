"""Brick 3: detectors propose passages, one arbiter decides, and every candidate has a role and a reason.

`retrieve` is the face; `dispatch.py` chooses detectors, `arbiter` judges, `absence.py` proves that nothing is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.embeddings.protocols import CrossEncoder, Embedder, SparseEncoder
    from pipeline.llm.model import LanguageModel
    from pipeline.retrieval.settings import RetrievalSettings
    from pipeline.retrieval.timing import StageTimes
    from schemas.document import ParsedDocument
    from schemas.question import ParsedQuestion
    from schemas.retrieval import AuditedRetrievalResult

__all__ = ["retrieve"]


def retrieve(
    document: ParsedDocument,
    question: ParsedQuestion,
    *,
    llm: LanguageModel | None = None,
    settings: RetrievalSettings | None = None,
    embedder: Embedder | None = None,
    cross_encoder: CrossEncoder | None = None,
    sparse_encoder: SparseEncoder | None = None,
    times: StageTimes | None = None,
) -> AuditedRetrievalResult:
    """The passages of a document that may answer a question, primary first, or the proof that there are none.

    Without `llm` the rules arbiter judges; a model that gives no usable reply is replaced by it, on record. Embeddings
    run only where an `embedder` is given and nothing else fires or the words diverge. `settings.strategy` names another
    way of retrieving than the arbiter ('bm25_only', 'hybrid_rrf+cross_encoder' ...: `strategies/names.py`), which gives
    a record of the same type. `times` is told how long each stage took. The inputs stay as they were, and without a
    model the same inputs give the same bytes.

    Raises SettingsError for an unknown strategy, a strategy whose model is not given, and an embedder whose vectors
    cannot be used.
    """
    from pipeline.retrieval.settings import RetrievalSettings
    from pipeline.retrieval.timing import StageTimes

    settings, times = settings or RetrievalSettings(), times or StageTimes()
    if settings.strategy != "arbiter":
        from pipeline.retrieval.strategies import run_strategy

        return run_strategy(
            document, question, llm=llm, settings=settings, embedder=embedder, cross_encoder=cross_encoder,
            sparse_encoder=sparse_encoder, times=times,
        )  # fmt: skip
    from pipeline.retrieval.assembly import run_retrieval

    return run_retrieval(document, question, llm=llm, settings=settings, embedder=embedder, times=times)
