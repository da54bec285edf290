"""Brick 3: detectors propose passages, one arbiter decides, and every candidate has a role and a reason.

`retrieve` is the face; `dispatch.py` chooses detectors, `arbiter` judges, `absence.py` proves that nothing is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel
    from pipeline.retrieval.embedder import Embedder
    from pipeline.retrieval.settings import RetrievalSettings
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
) -> AuditedRetrievalResult:
    """The passages of a document that may answer a question, primary first, or the proof that there are none.

    Without `llm` the rules arbiter judges; a model that gives no usable reply is replaced by it, on record. Embeddings
    run only where an `embedder` is given and nothing else fires or the words diverge. The inputs stay as they were, and
    without a model the same inputs give the same bytes.

    Raises SettingsError when the embedder gives vectors that cannot be used.
    """
    from pipeline.retrieval.assembly import run_retrieval
    from pipeline.retrieval.settings import RetrievalSettings

    return run_retrieval(document, question, llm=llm, settings=settings or RetrievalSettings(), embedder=embedder)
