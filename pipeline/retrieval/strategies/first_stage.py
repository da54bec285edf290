"""The wide, cheap phase: one to three lists of passages, each by a method of its own, and their fusion by rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.protocols import Embedder, SparseEncoder
from pipeline.retrieval.detectors.bm25 import TermScores
from pipeline.retrieval.fusion import fuse
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.bm25 import terms_in
from pipeline.retrieval.strategies.corpus import Corpus
from pipeline.retrieval.strategies.dense import cosines
from pipeline.retrieval.strategies.names import Strategy
from pipeline.retrieval.strategies.sparse import sparse_scores
from pipeline.retrieval.strategies.wording import Wording
from pipeline.retrieval.timing import StageTimes
from schemas.retrieval import ScoreTerm

BM25, DENSE, SPARSE, RRF = "bm25", "dense", "sparse", "rrf"
SHOWN = {BM25: "BM25", DENSE: "embeddings", SPARSE: "learned sparse terms", RRF: "the fused list"}


@dataclass(frozen=True, slots=True)
class FirstStage:
    """What the lists proposed: passages by number, best first."""

    lists: Mapping[str, Mapping[int, float]]  # method -> passage -> score, best first
    ranks: Mapping[str, Mapping[int, int]]  # method -> passage -> rank from 1
    order: tuple[int, ...]  # every passage proposed, best first: fused where there are several lists
    fused: Mapping[int, float]  # passage -> RRF score; empty for one list
    terms: tuple[str, ...]  # terms of the lexical query, as indexed
    by_term: TermScores | None  # what each adds to each passage; None without BM25
    told: dict[tuple[str, int], ScoreTerm]  # explanations of the same passages that were given before

    def explain(self, number: int) -> tuple[ScoreTerm, ...]:
        """The BM25 score of a passage term by term; empty where BM25 did not propose it."""
        if self.by_term is None or number not in self.lists[BM25]:
            return ()
        return self.by_term.explain(number, self.terms, known=self.told)


def methods_of(strategy: Strategy) -> tuple[str, ...]:
    """The lists of a strategy, in the order they run."""
    own = {"bm25_only": (BM25,), "embedding_only": (DENSE,), "hybrid_rrf": (BM25, DENSE)}[strategy.first_stage]
    return (*own, SPARSE) if strategy.sparse else own


def search_passages(
    corpus: Corpus,
    strategy: Strategy,
    wording: Wording,
    *,
    settings: RetrievalSettings,
    embedder: Embedder | None,
    sparse_encoder: SparseEncoder | None,
    times: StageTimes,
) -> FirstStage:
    """The lists of a strategy over the passages, the first `list_limit` of each, and their fusion.

    BM25 and learned sparse terms propose what scores above zero; embeddings always have a nearest passage.
    """
    lists: dict[str, dict[int, float]] = {}
    terms, by_term = Counter(terms_in(wording.lexical)), None
    for method in methods_of(strategy):
        with times.stage(method):
            if method == BM25:
                by_term = corpus.bm25.search(terms)
                lists[method] = _first(by_term.scores, settings.list_limit, above=0.0)
            elif method == DENSE and embedder is not None:
                nearness = cosines(embedder, wording.dense, corpus.vectors(embedder))
                lists[method] = _first(nearness, settings.list_limit, above=None)
            elif method == SPARSE and sparse_encoder is not None:
                weights = sparse_scores(sparse_encoder, wording.lexical, corpus.sparse(sparse_encoder))
                lists[method] = _first(weights, settings.list_limit, above=0.0)
    ranks = {method: {number: rank for rank, number in enumerate(found, 1)} for method, found in lists.items()}
    fused: dict[int, float] = {}
    if len(lists) > 1:
        with times.stage("fuse"):
            fused = _fused(ranks, settings.rrf_k)
    order = tuple(fused) if fused else tuple(number for found in lists.values() for number in found)
    return FirstStage(lists, ranks, order, fused, tuple(terms), by_term, corpus.bm25.told if by_term else {})


def _first(scores: NDArray[np.float64], limit: int, *, above: float | None) -> dict[int, float]:
    """The best passages with their scores, best first; equal scores in document order."""
    best = np.argsort(-scores, kind="stable")[:limit].tolist()
    return {number: float(scores[number]) for number in best if above is None or scores[number] > above}


def _fused(ranks: Mapping[str, Mapping[int, int]], k: int) -> dict[int, float]:
    """RRF scores, best first; ties in document order."""
    names = {number: f"{number:09d}" for found in ranks.values() for number in found}
    rankings = [{names[number]: rank for number, rank in found.items()} for found in ranks.values()]
    return {int(name): round(score, 9) for name, score in fuse(rankings, k=k).items()}
