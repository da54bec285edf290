"""The audited record out of what was found: every candidate kept, every one judged, and how sure all of it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version

from pipeline.retrieval.absence import not_found_reason, prove_absence, tell_overdue
from pipeline.retrieval.arbiter import Case, Judgement, Verdict
from pipeline.retrieval.arbiter.rules import rules_and_presence
from pipeline.retrieval.budget import characters_of, contexts_within
from pipeline.retrieval.candidates import Candidate, line_refs, scope_of
from pipeline.retrieval.confidence import confidence_of
from pipeline.retrieval.conflicts import find_conflicts
from pipeline.retrieval.continuation import continuation_of
from pipeline.retrieval.detectors.codes import METHOD as CODES
from pipeline.retrieval.detectors.codes import explain_codes
from pipeline.retrieval.discovered import discovered_keywords
from pipeline.retrieval.dispatch import REFERENCES, Dispatch
from pipeline.retrieval.handed_tables import hand_tables
from pipeline.retrieval.lines import Lines
from pipeline.retrieval.outline import outline_of
from pipeline.retrieval.reading_limits import document_caveats, pages_not_read
from pipeline.retrieval.recognised import recognised_lines
from pipeline.retrieval.search import Search
from schemas.question import ParsedQuestion
from schemas.record import Stamp
from schemas.retrieval import (
    AuditedRetrievalResult,
    CandidateProvenance,
    Conflict,
    RetrievedCandidate,
    SectionMark,
)

_LIBRARIES = ("ahocorasick-rs", "numpy", "pandas")


@dataclass(frozen=True, slots=True)
class Found:
    """All that one retrieval found out: the search, the methods chosen, the candidates and what the arbiter said."""

    search: Search
    plan: Dispatch
    candidates: Sequence[Candidate]
    cases: Sequence[Case]
    verdict: Verdict

    @property
    def by_id(self) -> dict[str, Candidate]:
        """The candidates by their id."""
        return {candidate.candidate_id: candidate for candidate in self.candidates}

    @property
    def kept(self) -> list[Judgement]:
        """The judgements of the candidates that are handed over, in the verdict's order."""
        return [one for one in self.verdict.judgements.values() if one.role != "discarded"]


def record_of(found: Found, question: ParsedQuestion) -> AuditedRetrievalResult:
    """The audited record of one question on one document."""
    search, plan, verdict, by_id = found.search, found.plan, found.verdict, found.by_id
    primaries = [by_id[one.candidate_id] for one in found.kept if one.role == "primary"]
    budget = search.settings.budget_characters
    contexts = contexts_within(search.lines, [by_id[one.candidate_id] for one in found.kept], budget)
    unread = pages_not_read(search.document)
    caveats = (*document_caveats(search.document), *tell_overdue(search))
    code = None if primaries else not_found_reason(search, found.candidates)
    rules, presence = rules_and_presence(found.cases)
    return AuditedRetrievalResult(
        doc_id=search.document.doc_id,
        question=question.original_question,
        candidates=_retrieved(found, contexts),
        tables=hand_tables(
            search.document,
            search.lines,
            search.query,
            {one.candidate_id: context for one, context in zip(found.kept, contexts, strict=True)},
        ),
        characters_handed_over=characters_of(search.lines, {position for context in contexts for position in context}),
        context_budget=budget,
        methods_used=(*plan.run, "llm_arbiter" if verdict.arbiter == "llm" else "rules_arbiter"),
        not_found=not primaries,
        not_found_reason=code,
        confidence=confidence_of(verdict.judgements.values(), rules, presence),
        conflicts=(*verdict.conflicts, *_new_conflicts(find_conflicts(search, primaries), verdict)),
        absence=(
            None
            if code is None
            else prove_absence(search, found.candidates, verdict.judgements, code, unread=unread, caveats=caveats)
        ),
        pages_not_read=unread,
        document_caveats=caveats,
        provenances=_provenances(found),
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


def section_marks(lines: Lines, context: Sequence[int], titles: Mapping[str, str]) -> tuple[SectionMark, ...]:
    """Where the section changes among the lines of a context."""
    marks: list[SectionMark] = []
    last: str | None = ""
    for position in context:
        section = lines.section_ids[position]
        if section != last:
            marks.append(SectionMark(line_id=lines.line_ids[position], title=titles.get(section or "")))
            last = section
    return tuple(marks)


def _retrieved(found: Found, contexts: Sequence[tuple[int, ...]]) -> tuple[RetrievedCandidate, ...]:
    """The candidates that are handed over, each with the context that the budget leaves it."""
    titles, by_id = outline_of(found.search.document).title_of, found.by_id
    return tuple(
        _candidate(found.search, replace(by_id[one.candidate_id], context=context), one, titles)
        for one, context in zip(found.kept, contexts, strict=True)
    )


def _provenances(found: Found) -> tuple[CandidateProvenance, ...]:
    """The account of every candidate, kept or discarded, in the verdict's order."""
    search, by_id = found.search, found.by_id
    briefs = {case.brief.candidate_id: case.brief for case in found.cases}
    scores = explain_codes(search, {one.candidate_id: one.anchor for one in found.candidates if CODES in one.ranks})
    return tuple(
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
        for one in found.verdict.judgements.values()
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
        sections=section_marks(lines, candidate.context, titles),
        anchor_line_ids=tuple(lines.line_ids[at] for at in candidate.context if first <= at <= last),
        methods=candidate.methods,
        matched_keywords=candidate.keywords,
        missed_limits=candidate.signals.missed,
        section_title=titles.get(lines.section_ids[first] or ""),
        role=None if judgement.role == "discarded" else judgement.role,
        reason=judgement.reason,
        reference_path=_path(search, candidate),
        recognised_lines=recognised_lines(search.document, candidate.context),
        continuation=continuation_of(lines, candidate.context, titles),
    )


def _path(search: Search, candidate: Candidate) -> tuple[str, ...]:
    """The mentions that were followed to a candidate; empty where a detector found it by itself."""
    return search.followed.path_to(candidate.unit.block) if REFERENCES in candidate.methods else ()


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
