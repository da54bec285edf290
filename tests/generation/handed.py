"""Hand-made questions and retrieval results for the tests of generation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schemas.question import (
    Clarification,
    Concept,
    Decomposition,
    ExecutionPlan,
    Keyword,
    ParsedQuestion,
    ScopeFilters,
    StructuralHints,
)
from schemas.retrieval import (
    AbsenceProof,
    CandidateScope,
    LineRef,
    RetrievalResult,
    RetrievedCandidate,
    TermCount,
)
from tests.builders import stamp

LIABILITY = Concept(
    concept_id="liability_cap",
    dictionary="contracts",
    dictionary_version="1",
    matched_by="liability cap",
    exhaustive=False,
    terms=("aggregate liability", "limitation of liability", "liability cap"),
    distractors=("insurance",),
)


def concept(terms: Sequence[str], *, name: str = "topic", matched_by: str = "", **fields: Any) -> Concept:
    """A concept with these terms, all primary."""
    return Concept(
        concept_id=name, dictionary="contracts", dictionary_version="1", matched_by=matched_by, exhaustive=False,
        terms=tuple(terms), **fields,
    )  # fmt: skip


def ask(
    text: str,
    answer_type: str = "text",
    *,
    shape: str = "single",
    concepts: Sequence[Concept] = (),
    language: str = "en",
    intent: str = "qa",
    anchors: Sequence[str] = (),
    exclusions: Sequence[str] = (),
    clarification: Clarification | None = None,
) -> ParsedQuestion:
    """A question as brick 2 would hand it over."""
    keywords = [Keyword(text=word, source="anchor", weight=1) for word in anchors]
    keywords += [
        Keyword(text=term, source="expert_dictionary", weight=1, concept=one.concept_id)
        for one in concepts
        for term in one.terms
    ]
    return ParsedQuestion.model_validate(
        {
            "original_question": text, "corrected_question": text, "language": language, "intent": intent,
            "answer_shape": shape, "answer_type": answer_type, "keywords": tuple(keywords), "anchors": (),
            "concepts": tuple(concepts), "hints": StructuralHints(), "decomposition": Decomposition(),
            "filters": ScopeFilters(), "exclusions": tuple(exclusions), "format_wishes": (), "plan": ExecutionPlan(),
            "notes": (), "clarification": clarification, "field_sources": {}, "stamp": stamp(),
        }
    )  # fmt: skip


def candidate(
    text: str, *, first: int = 1, page: int = 1, role: str = "primary", title: str | None = None, anchor: int = 0
) -> RetrievedCandidate:
    """A candidate whose context is `text`, its lines numbered from `first` in the document and from 1 on their page."""
    count = text.count("\n") + 1
    refs = tuple(LineRef(line_id=first + n, page_num=page, line_num=1 + n) for n in range(count))
    scope = CandidateScope(page_start=page, page_end=page, line_start=1, line_end=count)
    return RetrievedCandidate.model_validate(
        {
            "candidate_id": f"p{page}_l{first}", "anchor": scope, "context": scope, "snippet": text, "text": text,
            "lines": refs, "anchor_line_ids": (first + anchor,), "methods": ("content_keyword_match",),
            "matched_keywords": (), "section_title": title, "role": role, "reason": "holds the words",
        }
    )  # fmt: skip


def found(*candidates: RetrievedCandidate, **fields: Any) -> RetrievalResult:
    """A retrieval result with these candidates."""
    return RetrievalResult(
        doc_id="doc_1", question="q", candidates=candidates, methods_used=("content_keyword_match",), not_found=False,
        confidence=0.9, **fields,
    )  # fmt: skip


def absent() -> RetrievalResult:
    """A retrieval result that found nothing, with its proof."""
    proof = AbsenceProof(
        verdict="proven_absent", level="retrieval", statement="Absent.", exhaustive=True, lines_searched=120,
        terms=(TermCount(term="escrow", concept="escrow", hit_count=0),), dictionary_versions={"contracts": "1"},
        pages_searched=3, pages_not_read=(),
    )  # fmt: skip
    return RetrievalResult(
        doc_id="doc_1", question="q", candidates=(), methods_used=(), not_found=True, confidence=0,
        not_found_reason="no_keyword_match", absence=proof,
    )  # fmt: skip


def reply(*items: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A reply with these items; what is not said is empty, and a schema takes of it what it asks."""
    blank = {"yes_no": "not_asked", "negation": "", "exceptions": [], "label": "", "condition": "", "part": "answer"}
    return {
        "answer_found": bool(items), "items": [{**blank, **item} for item in items], "complete": True,
        "conflicting": False, "caveat": "", **fields,
    }  # fmt: skip
