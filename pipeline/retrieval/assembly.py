"""The way of one retrieval: dispatch, detect, aggregate, judge, and account for every candidate."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.llm.model import LanguageModel
from pipeline.retrieval.arbiter import Case, judge
from pipeline.retrieval.candidates import Candidate, brief_of, make_candidates, surroundings_of
from pipeline.retrieval.contents import contents_of
from pipeline.retrieval.detectors import DETECTORS
from pipeline.retrieval.dispatch import Dispatch, dispatch
from pipeline.retrieval.embedder import Embedder
from pipeline.retrieval.outline import outline_of
from pipeline.retrieval.record import Found, record_of
from pipeline.retrieval.search import Search, index_search
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.timing import StageTimes
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

_LISTINGS = ("listing", "table", "tree", "nested_json")


def run_retrieval(
    document: ParsedDocument,
    question: ParsedQuestion,
    *,
    llm: LanguageModel | None,
    settings: RetrievalSettings,
    embedder: Embedder | None,
    times: StageTimes,
) -> AuditedRetrievalResult:
    """The audited result of one question on one document; see `pipeline.retrieval.retrieve`."""
    search, plan, candidates, cases = find_cases(document, question, settings=settings, embedder=embedder, times=times)
    with times.stage("arbiter"):
        verdict = judge(
            search.query.text,
            cases,
            ranks=_ranks(candidates, plan),
            llm=llm,
            settings=settings,
            listing=_is_listing(search),
            contents=contents_of(document, search.lines, candidates) if llm is not None else None,
        )
    with times.stage("record"):
        return record_of(Found(search, plan, candidates, cases, verdict), question)


def find_cases(
    document: ParsedDocument,
    question: ParsedQuestion,
    *,
    settings: RetrievalSettings,
    embedder: Embedder | None,
    times: StageTimes,
) -> tuple[Search, Dispatch, tuple[Candidate, ...], list[Case]]:
    """What the detectors propose, aggregated and made ready for the arbiter."""
    with times.stage("index"):
        search = index_search(document, question.retrieval_query(), settings, embedder)
    plan = dispatch(
        document,
        search.query,
        embedder_available=embedder is not None,
        vocabulary_diverges=search.vocabulary_diverges,
        titles_match=bool(search.titles),
        refers_elsewhere=bool(search.followed.targets),
    )
    hits = {}
    for method in (method for method in DETECTORS if method in plan.run):
        with times.stage(method):
            hits[method] = DETECTORS[method](search)
    with times.stage("candidates"):
        candidates = make_candidates(search, hits)
        cases = _cases(search, candidates)
    return search, plan, candidates, cases


def _is_listing(search: Search) -> bool:
    return (
        search.query.answer_shape in _LISTINGS
        or search.query.intent in ("listing", "summarization")
        or search.query.hints.needs_summary
    )


def _cases(search: Search, candidates: Sequence[Candidate]) -> list[Case]:
    breadcrumbs = outline_of(search.document).breadcrumb_of
    return [
        Case(
            brief=brief_of(candidate, breadcrumbs, search.lines),
            signals=candidate.signals,
            place=(min(candidate.ranks.values()), candidate.anchor[0]),
            context_key=(search.lines.line_ids[candidate.context[0]], search.lines.line_ids[candidate.context[-1]]),
            where=surroundings_of(search, candidate),
        )
        for candidate in candidates
    ]


def _ranks(candidates: Sequence[Candidate], plan: Dispatch) -> list[dict[str, int]]:
    return [{one.candidate_id: one.ranks[method] for one in candidates if method in one.ranks} for method in plan.run]
