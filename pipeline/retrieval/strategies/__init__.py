"""The retrieval that most teams run, under the same record as the arbiter's, so that one run compares them.

`names.py` has the names. A strategy cuts the document into passages (`chunks.py`), may put words before them that place
them (`situating.py`), searches them in one to three lists (`first_stage.py`), may rerank the first (`rerank.py`), and
hands over the first few (`handing_over.py`), each with its ranks as the reason (`record.py`).
"""

from __future__ import annotations

from pipeline.embeddings.protocols import CrossEncoder, Embedder, SparseEncoder
from pipeline.llm.model import LanguageModel
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.names import parse_strategy
from pipeline.retrieval.timing import StageTimes
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

__all__ = ["parse_strategy", "run_strategy"]


def run_strategy(
    document: ParsedDocument,
    question: ParsedQuestion,
    *,
    llm: LanguageModel | None,
    settings: RetrievalSettings,
    embedder: Embedder | None,
    cross_encoder: CrossEncoder | None,
    sparse_encoder: SparseEncoder | None,
    times: StageTimes,
) -> AuditedRetrievalResult:
    """The audited result of one question on one document by the strategy that `settings.strategy` names.

    Kept candidates are primary, in the order of the ranking, and their reasons quote the ranks; nothing is found only
    where no list proposes anything, or the reranker calls all of it unrelated.

    Raises SettingsError for an unknown strategy, one whose model is not given, and numbers of no use from one.
    """
    from pipeline.retrieval.strategies.running import Models, run

    models = Models(llm=llm, embedder=embedder, cross_encoder=cross_encoder, sparse_encoder=sparse_encoder)
    return run(document, question, models=models, settings=settings, times=times)
