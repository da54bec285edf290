"""The steps of the ablation that are no strategy of their own: real detectors, composed without what comes later.

Step 2, contents: title detector and vectors, always, on the question's own words (read without any dictionary).
Step 3, keywords: the same and the keyword detector, always, with the experts' dictionary.
Step 4, dispatcher: the detectors that `dispatch` chooses. Steps 2 to 4 order candidates by reciprocal rank fusion of
the detectors' ranks and keep them all; they say 'not found' only where nothing is proposed, and their confidence is the
fused score of the first candidate as a share of the highest one possible. Step 1 is the strategy `embedding_only`,
step 5 the arbiter, as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from pipeline.embeddings.protocols import Embedder
from pipeline.evaluation.outcome import Outcome, Passage, Proposal
from pipeline.evaluation.steps import Part
from pipeline.retrieval.candidates import Candidate, make_candidates
from pipeline.retrieval.detectors import DETECTORS, embeddings, keywords, titles
from pipeline.retrieval.dispatch import dispatch
from pipeline.retrieval.fusion import fuse
from pipeline.retrieval.search import Search, index_search
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.timing import StageTimes
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion

_ALWAYS: dict[Part, tuple[str, ...]] = {
    "contents": (titles.METHOD, embeddings.METHOD),
    "keywords": (titles.METHOD, keywords.METHOD, embeddings.METHOD),
}


def run_part(
    part: Part,
    search: Search,
    *,
    times: StageTimes,
) -> Outcome:
    """The outcome of one composition of detectors; for 'contents' the question was read without a dictionary."""
    methods, skipped = _methods(part, search, available=search.embedder is not None)
    hits = {}
    for method in methods:
        with times.stage(method):
            hits[method] = DETECTORS[method](search)
    with times.stage("candidates"):
        candidates = make_candidates(search, hits)
    with times.stage("fusion"):
        return _fused(search, candidates, methods, skipped)


def index(
    document: ParsedDocument,
    question: ParsedQuestion,
    *,
    settings: RetrievalSettings,
    embedder: Embedder | None,
    times: StageTimes,
) -> Search:
    """The search that the compositions read; those of one question share it."""
    with times.stage("index"):
        return index_search(document, question.retrieval_query(), settings, embedder)


def _methods(part: Part, search: Search, *, available: bool) -> tuple[tuple[str, ...], dict[str, str]]:
    if part in _ALWAYS:
        run = tuple(method for method in DETECTORS if method in _ALWAYS[part])
        run = run if available else tuple(method for method in run if method != embeddings.METHOD)
        return run, {method: "Not part of this step." for method in DETECTORS if method not in run}
    plan = dispatch(
        search.document, search.query, embedder_available=available, vocabulary_diverges=search.vocabulary_diverges
    )
    return tuple(method for method in DETECTORS if method in plan.run), dict(plan.reasons)


def _fused(
    search: Search, candidates: Sequence[Candidate], methods: tuple[str, ...], skipped: dict[str, str]
) -> Outcome:
    rankings = [
        {one.candidate_id: one.ranks[method] for one in candidates if method in one.ranks} for method in methods
    ]
    scores = fuse(rankings, k=search.settings.rrf_k)
    by_id = {one.candidate_id: one for one in candidates}
    ordered = [by_id[name] for name in scores]
    highest = len(methods) / (search.settings.rrf_k + 1)
    passages = tuple(_passage(search, one) for one in ordered)
    confidence = round(next(iter(scores.values())) / highest, 6) if scores else 0.0
    told = [[one.candidate_id, one.text] for one in passages]
    return Outcome(
        passages=passages,
        proposals=tuple(
            Proposal(one.candidate_id, passage.lines, passage.pages, "primary", None, "Kept by rank.", dict(one.ranks))
            for one, passage in zip(ordered, passages, strict=True)
        ),
        not_found=not passages,
        verdict=None if passages else "not_found",
        confidence=confidence,
        methods_run=methods,
        skipped=skipped,
        sha256=sha256(json.dumps([confidence, told]).encode()).hexdigest(),
    )


def _passage(search: Search, candidate: Candidate) -> Passage:
    lines, (first, last) = search.lines, candidate.anchor
    return Passage(
        candidate_id=candidate.candidate_id,
        text="\n".join(lines.texts[position] for position in candidate.context),
        pages=(lines.page_nums[first], lines.page_nums[last]),
        lines=(lines.line_ids[first], lines.line_ids[last]),
    )
