"""The narrow, dear phase: a few candidates in a better order. One face for every reranker.

Candidates in are candidates out, each once: kept in the new order, or dropped with the reason. Their ids stay, so that
no citation can shift.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.embeddings.protocols import CrossEncoder
from pipeline.llm.model import LanguageModel
from pipeline.retrieval.strategies.bm25 import fold
from pipeline.retrieval.strategies.names import Reranker
from pipeline.retrieval.strategies.passages import Passages
from schemas.audit import Downgrade, ModelUse
from schemas.question import RetrievalQuery

SKIP_RULE = "exact_code_in_one_passage"


@dataclass(frozen=True, slots=True)
class Item:
    """A candidate as a reranker reads it."""

    candidate_id: str
    text: str
    section: str | None = None


@dataclass(frozen=True, slots=True)
class Reranking:
    """What a reranker made of the items: `kept` best first and `dropped` with the reason hold each of them once."""

    kept: tuple[str, ...]
    dropped: Mapping[str, str] = field(default_factory=dict)
    grades: Mapping[str, int] = field(default_factory=dict)  # 0 to 3, of every item; empty for the other rerankers
    scores: Mapping[str, float] = field(default_factory=dict)  # of every item, on the cross-encoder's own scale
    reasons: Mapping[str, str] = field(default_factory=dict)  # why a kept item stands where it stands
    by_model: bool = False  # a language model decided the order
    model_uses: tuple[ModelUse, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()

    @property
    def abstained(self) -> bool:
        """True when nothing is worth handing over."""
        return bool(self.dropped) and not self.kept


def rerank(
    kind: Reranker,
    query: str,
    items: Sequence[Item],
    *,
    llm: LanguageModel | None,
    cross_encoder: CrossEncoder | None,
    count: int,
) -> Reranking:
    """The items (first-stage order) in the order of a reranker; `count` is how many of them will be handed over.

    Raises SettingsError for scores of a cross-encoder that cannot be used, RuntimeError when an item got lost, which is
    a bug.
    """
    from pipeline.retrieval.strategies.rerank_cross_encoder import rerank_by_score
    from pipeline.retrieval.strategies.rerank_llm import rerank_by_grade, rerank_by_ids

    if not items:
        return Reranking(())
    if kind == "cross_encoder" and cross_encoder is not None:
        done = rerank_by_score(query, items, cross_encoder)
    elif kind == "llm_rerank" and llm is not None:
        done = rerank_by_grade(query, items, llm)
    elif kind == "llm_rerank_ids" and llm is not None:
        done = rerank_by_ids(query, items, llm, count=count)
    else:
        raise RuntimeError(f"the reranker {kind!r} was started without its model")
    if sorted((*done.kept, *done.dropped)) != sorted(item.candidate_id for item in items):
        raise RuntimeError("a reranker lost or invented a candidate: candidates in must be candidates out")
    return done


def clear_first(query: RetrievalQuery, passages: Passages, order: Sequence[int]) -> str | None:
    """Why the first stage is clear already: an exact code of the question stands in one passage, and that one is first.

    None where it is not: no code, a code in several passages or in another one than the first.
    """
    found: list[str] = []
    for code in (anchor.target for anchor in query.anchors if anchor.kind == "code"):
        holding = _holding(passages, code)
        if holding and holding != list(order[:1]):
            return None
        found += [code] if holding else []
    return f"The exact code {found[0]!r} stands in a single passage, which ranks first already." if found else None


def _holding(passages: Passages, code: str) -> list[int]:
    """Passages that name a code, whatever its case, and not as a part of a longer one."""
    pattern = re.compile(rf"(?<![^\W_]){re.escape(fold(code))}(?![^\W_])")
    return [number for number, chunk in enumerate(passages.chunks) if pattern.search(fold(chunk.text))]
