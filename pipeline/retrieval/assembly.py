"""The way of one retrieval: dispatch, detect, aggregate, judge, and account for every candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version

from pipeline.kept import Kept
from pipeline.llm.model import LanguageModel
from pipeline.retrieval.absence import not_found_reason, prove_absence, tell_overdue
from pipeline.retrieval.arbiter import Case, Judgement, Verdict, judge
from pipeline.retrieval.arbiter.rules import rules_and_presence
from pipeline.retrieval.budget import characters_of, contexts_within
from pipeline.retrieval.candidates import Candidate, brief_of, line_refs, make_candidates, scope_of, surroundings_of
from pipeline.retrieval.confidence import confidence_of
from pipeline.retrieval.conflicts import find_conflicts
from pipeline.retrieval.contents import contents_of
from pipeline.retrieval.detectors import DETECTORS
from pipeline.retrieval.detectors.codes import METHOD as CODES
from pipeline.retrieval.detectors.codes import explain_codes
from pipeline.retrieval.discovered import discovered_keywords
from pipeline.retrieval.dispatch import REFERENCES, Dispatch, dispatch
from pipeline.retrieval.embedder import Embedder
from pipeline.retrieval.lines import KEPT_DOCUMENTS, Lines
from pipeline.retrieval.outline import outline_of
from pipeline.retrieval.search import Search, index_search
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.timing import StageTimes
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.record import Stamp
from schemas.retrieval import AuditedRetrievalResult, CandidateProvenance, Conflict, RetrievedCandidate, SectionMark
from schemas.tables import NOT_READ_STATUSES

_LISTINGS = ("listing", "table", "tree", "nested_json")
_LIBRARIES = ("ahocorasick-rs", "numpy", "pandas")
UNREAD_KINDS = ("damage", "placeholder", "reader", "image", "external", "format")  # findings: content may be missing
MIN_PICTURE = (100.0, 10.0)  # points, width and height of a picture that may hold a line of words
MAX_NAMED = 5  # attachments named in a sentence
_unread: Kept[tuple[int, ...]] = Kept(KEPT_DOCUMENTS)
_caveats: Kept[tuple[str, ...]] = Kept(KEPT_DOCUMENTS)


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
        return _result(search, question, plan, candidates, cases, verdict)


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


def _result(  # everything that was found out
    search: Search,
    question: ParsedQuestion,
    plan: Dispatch,
    candidates: Sequence[Candidate],
    cases: Sequence[Case],
    verdict: Verdict,
) -> AuditedRetrievalResult:
    by_id = {candidate.candidate_id: candidate for candidate in candidates}
    briefs = {case.brief.candidate_id: case.brief for case in cases}
    kept = [one for one in verdict.judgements.values() if one.role != "discarded"]
    primaries = [by_id[one.candidate_id] for one in kept if one.role == "primary"]
    budget = search.settings.budget_characters
    contexts = contexts_within(search.lines, [by_id[one.candidate_id] for one in kept], budget)
    titles = outline_of(search.document).title_of
    unread = pages_not_read(search.document)
    caveats = (*document_caveats(search.document), *tell_overdue(search))
    code = None if primaries else not_found_reason(search, candidates)
    rules, presence = rules_and_presence(cases)
    conflicts = (*verdict.conflicts, *_new_conflicts(find_conflicts(search, primaries), verdict))
    scores = explain_codes(search, {one.candidate_id: one.anchor for one in candidates if CODES in one.ranks})
    return AuditedRetrievalResult(
        doc_id=search.document.doc_id,
        question=question.original_question,
        candidates=tuple(
            _candidate(search, replace(by_id[one.candidate_id], context=context), one, titles)
            for one, context in zip(kept, contexts, strict=True)
        ),
        characters_handed_over=characters_of(search.lines, {position for context in contexts for position in context}),
        context_budget=budget,
        methods_used=(*plan.run, "llm_arbiter" if verdict.arbiter == "llm" else "rules_arbiter"),
        not_found=not primaries,
        not_found_reason=code,
        confidence=confidence_of(verdict.judgements.values(), rules, presence),
        conflicts=conflicts,
        absence=(
            None
            if code is None
            else prove_absence(search, candidates, verdict.judgements, code, unread=unread, caveats=caveats)
        ),
        pages_not_read=unread,
        document_caveats=caveats,
        provenances=tuple(
            CandidateProvenance(
                candidate_id=one.candidate_id,
                methods_that_found_it=by_id[one.candidate_id].methods,
                rank_per_method=dict(by_id[one.candidate_id].ranks),
                detector_reasons=dict(by_id[one.candidate_id].reasons),
                structural_context=briefs[one.candidate_id],
                anchor=scope_of(search.lines, *by_id[one.candidate_id].anchor),
                role=one.role,
                reason=one.reason,
                rule=one.rule,
                judged_by=one.judged_by,
                reference_path=_path(search, by_id[one.candidate_id]),
                score_per_method={CODES: scores[one.candidate_id][0]} if one.candidate_id in scores else {},
                score_terms=scores[one.candidate_id][1] if one.candidate_id in scores else (),
            )
            for one in verdict.judgements.values()
        ),
        methods_run=plan.run,
        methods_skipped=plan.skipped,
        skipped_reasons=plan.reasons,
        dispatch_rules=plan.rules,
        strategy=plan.strategy,
        arbiter=verdict.arbiter,
        discovered_keywords=discovered_keywords(search.query, verdict.noticed),
        model_uses=verdict.model_uses,
        downgrades=verdict.downgrades,
        stamp=_stamp(search, question, verdict),
    )


def _candidate(
    search: Search, candidate: Candidate, judgement: Judgement, titles: Mapping[str, str]
) -> RetrievedCandidate:
    lines = search.lines
    first, last = candidate.anchor
    return RetrievedCandidate(
        candidate_id=candidate.candidate_id,
        anchor=scope_of(lines, first, last),
        context=scope_of(lines, candidate.context[0], candidate.context[-1]),
        snippet=candidate.snippet,
        text="\n".join(lines.texts[position] for position in candidate.context),
        lines=line_refs(lines, candidate.context),
        sections=_section_marks(lines, candidate.context, titles),
        anchor_line_ids=tuple(lines.line_ids[at] for at in candidate.context if first <= at <= last),
        methods=candidate.methods,
        matched_keywords=candidate.keywords,
        missed_limits=candidate.signals.missed,
        section_title=titles.get(lines.section_ids[first] or ""),
        role=None if judgement.role == "discarded" else judgement.role,
        reason=judgement.reason,
        reference_path=_path(search, candidate),
    )


def _path(search: Search, candidate: Candidate) -> tuple[str, ...]:
    """The mentions that were followed to a candidate; empty where a detector found it by itself."""
    return search.followed.path_to(candidate.unit.block) if REFERENCES in candidate.methods else ()


def _section_marks(lines: Lines, context: Sequence[int], titles: Mapping[str, str]) -> tuple[SectionMark, ...]:
    """Where the section changes among the lines of a context."""
    marks: list[SectionMark] = []
    last: str | None = ""
    for position in context:
        section = lines.section_ids[position]
        if section != last:
            marks.append(SectionMark(line_id=lines.line_ids[position], title=titles.get(section or "")))
            last = section
    return tuple(marks)


def pages_not_read(document: ParsedDocument) -> tuple[int, ...]:
    """Pages of which no text could be trusted: as the profile says, and those whose status says so."""
    return _unread.get(document, lambda: _pages_not_read(document))


def _pages_not_read(document: ParsedDocument) -> tuple[int, ...]:
    pages = document.page_df
    unread = pages.loc[pages["status"].isin(NOT_READ_STATUSES), "page_num"].tolist()
    return tuple(sorted({*unread, *document.profile.routing.pages_not_read}))


def document_caveats(document: ParsedDocument) -> tuple[str, ...]:
    """What else keeps the document from being read in full: damage, words inside images, files inside it."""
    return _caveats.get(document, lambda: _document_caveats(document))


def _document_caveats(document: ParsedDocument) -> tuple[str, ...]:
    findings, pages = document.finding_df, document.page_df
    damage = findings.loc[findings["kind"].isin(UNREAD_KINDS), "detail"].tolist()
    unseen = document.profile.routing.pages_needing_ocr
    mixed = pages.loc[(pages["status"] == "mixed") & pages["page_num"].isin(unseen), "page_num"].tolist()
    if mixed:
        listed = ", ".join(map(str, mixed))
        damage.append(f"Words inside the images on page{'' if len(mixed) == 1 else 's'} {listed} were not read.")
    pictured = _pages_with_pictures(document)
    if pictured:
        listed = ", ".join(map(str, pictured[:MAX_NAMED])) + (" and others" if len(pictured) > MAX_NAMED else "")
        where = "page" if len(pictured) == 1 else "pages"
        damage.append(f"Pictures beside the text on {where} {listed} were not looked at.")
    changed = int((findings["kind"] == "tracked_change").sum())
    if changed:
        damage.append("The document has tracked changes; it was read as if all of them were accepted.")
    if document.attachments:
        names = ", ".join(about.name for about in document.attachments[:MAX_NAMED])
        more = f" and {len(document.attachments) - MAX_NAMED} more" if len(document.attachments) > MAX_NAMED else ""
        damage.append(f"Files inside the document are documents of their own, apart from this answer: {names}{more}.")
    return tuple(damage)


def _pages_with_pictures(document: ParsedDocument) -> list[int]:
    """Native pages with a picture that may hold words; one that recurs on several pages is a logo or an ornament."""
    images = document.image_df
    native = document.page_df.loc[document.page_df["status"] == "native", "page_num"]
    large = (images["x1"] - images["x0"] >= MIN_PICTURE[0]) & (images["y1"] - images["y0"] >= MIN_PICTURE[1])
    held = images[large & images["page_num"].isin(native)]
    pages = held.groupby(["width_px", "height_px"])["page_num"].transform("nunique")
    return sorted(set(held.loc[pages == 1, "page_num"].tolist()))


def _new_conflicts(found: Sequence[Conflict], verdict: Verdict) -> tuple[Conflict, ...]:
    """Conflicts by rules between passages that the model did not name already."""
    named = [set(conflict.candidate_ids) for conflict in verdict.conflicts]
    return tuple(one for one in found if not any(set(one.candidate_ids) <= ids for ids in named))


def _stamp(search: Search, question: ParsedQuestion, verdict: Verdict) -> Stamp:
    model = verdict.model_uses[0].model if verdict.model_uses else None
    settings: dict[str, object] = search.settings.model_dump(mode="json")
    settings["embedder"] = search.embedder.name if search.embedder is not None else None
    return Stamp(
        lineproof=_version("lineproof"),
        libraries={name: _version(name) for name in _LIBRARIES},
        input_sha256={"document": search.document.sha256, "question": question.content_sha256()},
        settings=settings,
        dictionary_versions={one.dictionary: one.dictionary_version for one in search.query.concepts},
        model=model,
        prompts={use.prompt_name: use.prompt_sha256 for use in verdict.model_uses},
    )


@cache
def _version(distribution: str) -> str:
    return version(distribution)
