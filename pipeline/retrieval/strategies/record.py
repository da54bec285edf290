"""The audited record of a strategy: every passage that any list proposed, with its ranks, scores, role and reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.retrieval.candidates import line_refs, scope_of
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.absence import MAX_MISSES, prove_absence, why_not_found
from pipeline.retrieval.strategies.confidence import confidence_of
from pipeline.retrieval.strategies.corpus import Corpus
from pipeline.retrieval.strategies.first_stage import BM25, DENSE, RRF, SHOWN, SPARSE, FirstStage, methods_of
from pipeline.retrieval.strategies.handing_over import Handed, HandingOver
from pipeline.retrieval.strategies.names import Strategy
from pipeline.retrieval.strategies.passages import Passages
from pipeline.retrieval.strategies.rerank import Reranking
from pipeline.retrieval.strategies.wording import Wording
from schemas.audit import Downgrade, ModelUse
from schemas.question import ParsedQuestion, RetrievalQuery
from schemas.record import Stamp
from schemas.retrieval import (
    AuditedRetrievalResult,
    CandidateBrief,
    CandidateProvenance,
    RetrievedCandidate,
    ScoreTerm,
    SectionMark,
)


@dataclass(frozen=True, slots=True)
class Course:
    """All that happened in one run of a strategy."""

    strategy: Strategy
    query: RetrievalQuery
    passages: Passages
    corpus: Corpus
    wording: Wording
    first: FirstStage
    order: tuple[int, ...]  # every passage proposed, best first: reranked ones, then the rest, then those dropped
    reranking: Reranking | None  # null: no reranker ran
    skipped: str | None  # why the reranker of the strategy was skipped
    giving: HandingOver

    @property
    def reranked_by(self) -> str | None:
        """The reranker that decided the order; None where none ran, or its reply was of no use."""
        ran = self.reranking is not None and not self.reranking.downgrades
        return self.strategy.reranker if ran else None

    @property
    def model_uses(self) -> tuple[ModelUse, ...]:
        """Calls behind the record, in the order of the stages."""
        uses = (*self.corpus.model_uses, *self.wording.model_uses)
        return (*uses, *self.reranking.model_uses) if self.reranking else uses

    @property
    def downgrades(self) -> tuple[Downgrade, ...]:
        """What was done by lesser means."""
        told = (*self.corpus.downgrades, *self.wording.downgrades)
        return (*told, *(self.reranking.downgrades if self.reranking else ()), *self.giving.downgrades)


def record_of(
    course: Course, question: ParsedQuestion, settings: RetrievalSettings, stamp: Stamp
) -> AuditedRetrievalResult:
    """The record of a run. Kept candidates are primary, in order; all others are discarded, each with the reason."""
    passages, strategy, giving = course.passages, course.strategy, course.giving
    handed = {one.number: one for one in giving.handed}
    place = {number: at for at, number in enumerate(course.order, 1)}
    merged = {hit: one.number for one in giving.handed for hit in one.merged}
    provenances = {
        number: _provenance(course, number, place[number], handed.get(number), merged.get(number))
        for number in (*handed, *(number for number in course.order if number not in handed))
    }
    best = next(iter(handed), None)
    code = why_not_found(passages, course.first) if best is None else None
    misses = [(number, provenances[number].reason) for number in course.order[:MAX_MISSES]]
    lists, rules = methods_of(strategy), _rules(course)
    skipped = _skipped(course)
    candidates = tuple(_candidate(passages, handed[number], provenances[number]) for number in handed)
    return AuditedRetrievalResult(
        doc_id=passages.doc_id,
        question=question.original_question,
        candidates=candidates,
        methods_used=(*lists, *((RRF,) if course.first.fused else ()), course.reranked_by or "ranking"),
        not_found=best is None,
        not_found_reason=code,
        confidence=0.0 if best is None else _confidence(course, best),
        absence=None if code is None else prove_absence(passages, course.query, course.first, code, misses),
        pages_not_read=passages.unread,
        document_caveats=passages.caveats,
        provenances=tuple(provenances.values()),
        methods_run=lists,
        methods_skipped=tuple(skipped),
        skipped_reasons=skipped,
        dispatch_rules=rules,
        strategy=tuple(strategy.name.split("+")),
        arbiter="ranking",
        strategy_name=strategy.name,
        characters_handed_over=sum(len(one.text) for one in candidates),  # no line is in two of them
        context_budget=settings.budget_characters,
        model_uses=course.model_uses,
        downgrades=course.downgrades,
        stamp=stamp,
    )


def _provenance(
    course: Course, number: int, place: int, handed: Handed | None, merged_into: int | None
) -> CandidateProvenance:
    first, passages, reranking = course.first, course.passages, course.reranking
    chunk = passages.chunks[number]
    children = (number, *(handed.merged if handed is not None else ()))
    ranks, scores, reasons, terms = _found_by(first, children)
    if number in first.fused:
        scores[RRF] = first.fused[number]
    if reranking is not None and chunk.candidate_id in reranking.scores:
        scores["cross_encoder"] = reranking.scores[chunk.candidate_id]
    methods, said = tuple(ranks), {one.term for one in terms}
    return CandidateProvenance(
        candidate_id=chunk.candidate_id,
        methods_that_found_it=methods,
        rank_per_method=ranks,
        detector_reasons=reasons,
        structural_context=CandidateBrief(
            candidate_id=chunk.candidate_id,
            methods=methods,
            section=passages.breadcrumb(number),
            matched_keywords=tuple(term for term in first.terms if term in said),
            snippet=passages.snippet(number),
        ),
        anchor=passages.scope(number),
        role="discarded" if handed is None else "primary",
        reason=_reason(course, number, place, handed, merged_into),
        judged_by="llm" if reranking is not None and _was_judged(reranking, chunk.candidate_id) else "ranking",
        score_per_method=scores,
        score_terms=terms,
        relevance=reranking.grades.get(chunk.candidate_id) if reranking is not None else None,
        situating_context=course.corpus.contexts[number],
    )


def _found_by(
    first: FirstStage, children: tuple[int, ...]
) -> tuple[dict[str, int], dict[str, float], dict[str, str], tuple[ScoreTerm, ...]]:
    """Ranks, scores, reasons by method and the terms of the BM25 score; a method that found only a child counts too."""
    ranks: dict[str, int] = {}
    scores: dict[str, float] = {}
    reasons: dict[str, str] = {}
    terms: tuple[ScoreTerm, ...] = ()
    for method, found in first.ranks.items():
        number = next((child for child in children if child in found), None)
        if number is None:
            continue
        ranks[method], scores[method] = found[number], first.lists[method][number]
        if method == BM25:
            terms = first.explain(number)
        reasons[method] = _list_reason(method, found[number], scores[method], terms)
    return ranks, scores, reasons, terms


def _list_reason(method: str, rank: int, score: float, terms: tuple[ScoreTerm, ...]) -> str:
    if method == DENSE:
        return f"Rank {rank} of embeddings: cosine {score:.3f}; no word of the question need stand here."
    if method == SPARSE:
        return f"Rank {rank} of learned sparse terms: score {score:.3f}."
    top = list(dict.fromkeys(term.term for term in terms))
    more = f" and {len(top) - 3} more" if len(top) > 3 else ""
    return f"Rank {rank} of BM25: score {score:.3f}, most of it from {', '.join(map(repr, top[:3]))}{more}."


def _reason(course: Course, number: int, place: int, handed: Handed | None, merged_into: int | None) -> str:
    reranking, one = course.reranking, course.passages.chunks[number].candidate_id
    ranks = _ranks_told(course.first, number)
    if reranking is not None and one in reranking.dropped:
        return f"{reranking.dropped[one]} It was {ranks}."
    if merged_into is not None:
        return f"Read with {course.passages.chunks[merged_into].candidate_id}, the same section; it was {ranks}."
    why = ranks
    if reranking is not None and reranking.abstained:
        return f"Not read by the reranker, which abstained; it was {ranks}."
    if reranking is not None and one in reranking.reasons:
        why = f"{reranking.reasons[one]}; before that {ranks}"
    elif reranking is not None and one not in reranking.kept:
        why = f"not read by the reranker; {ranks}"
    if handed is not None:
        merged = f", with {len(handed.merged)} more of its section" if handed.merged else ""
        return f"{_capital(why)}{merged}."
    if number in course.giving.over_budget:
        return f"Beyond the context budget; place {place}, {why}."
    return f"Beyond the first {len(course.giving.handed)}: place {place}, {why}."


def _ranks_told(first: FirstStage, number: int) -> str:
    """'rank 2 of BM25, rank 7 of embeddings'."""
    told = ", ".join(
        f"rank {found[number]} of {SHOWN[method]}" for method, found in first.ranks.items() if number in found
    )
    absent = [SHOWN[method] for method, found in first.ranks.items() if number not in found]
    return f"{told}, not in {' and '.join(absent)}" if absent else told


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _was_judged(reranking: Reranking, candidate_id: str) -> bool:
    return reranking.by_model and (candidate_id in reranking.reasons or candidate_id in reranking.dropped)


def _confidence(course: Course, number: int) -> float:
    one = course.passages.chunks[number].candidate_id
    reranking = course.reranking or Reranking(())
    return confidence_of(course.first, number, grade=reranking.grades.get(one), score=reranking.scores.get(one))


def _rules(course: Course) -> dict[str, str]:
    """By which rule each stage ran, was skipped or was done."""
    strategy, lists = course.strategy, methods_of(course.strategy)
    rules = {method: "part_of_strategy" if method in lists else "not_in_strategy" for method in (BM25, DENSE, SPARSE)}
    if course.corpus.rule is not None:
        rules["contextual"] = course.corpus.rule
    if course.wording.rule is not None:
        rules["hyde"] = course.wording.rule
    if strategy.parent:
        rules["parent"] = "several_passages_of_one_section"
    if strategy.reranker is not None:
        from pipeline.retrieval.strategies.rerank import SKIP_RULE

        rules[strategy.reranker] = SKIP_RULE if course.skipped else "part_of_strategy"
    return rules


def _skipped(course: Course) -> dict[str, str]:
    strategy = course.strategy
    lists = methods_of(strategy)
    told = {
        method: f"The strategy {strategy.name!r} has no list of {SHOWN[method]}."
        for method in (BM25, DENSE, SPARSE)
        if method not in lists
    }
    if strategy.reranker is not None and course.skipped:
        told[strategy.reranker] = course.skipped
    return told


def _candidate(passages: Passages, handed: Handed, about: CandidateProvenance) -> RetrievedCandidate:
    lines, anchor = passages.lines, passages.chunks[handed.number].positions
    context = tuple(position for number in handed.read for position in passages.chunks[number].positions)
    return RetrievedCandidate(
        candidate_id=about.candidate_id,
        anchor=about.anchor,
        context=about.anchor if len(handed.read) == 1 else scope_of(lines, context[0], context[-1]),
        snippet=about.structural_context.snippet,
        text="\n".join(lines.texts[position] for position in context),
        lines=line_refs(lines, context),
        sections=_section_marks(passages, context),
        anchor_line_ids=tuple(lines.line_ids[position] for position in anchor),
        methods=about.methods_that_found_it,
        matched_keywords=about.structural_context.matched_keywords,
        section_title=passages.titles.get(passages.chunks[handed.number].section_id or ""),
        role="primary",
        reason=about.reason,
    )


def _section_marks(passages: Passages, context: tuple[int, ...]) -> tuple[SectionMark, ...]:
    marks: list[SectionMark] = []
    last: str | None = ""
    titles: Mapping[str, str] = passages.titles
    for position in context:
        section = passages.lines.section_ids[position]
        if section != last:
            marks.append(SectionMark(line_id=passages.lines.line_ids[position], title=titles.get(section or "")))
            last = section
    return tuple(marks)
