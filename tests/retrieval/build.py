"""Questions for retrieval tests, built by hand: what question analysis would hand over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schemas.question import (
    Anchor,
    Concept,
    Decomposition,
    ExecutionPlan,
    Keyword,
    ParsedQuestion,
    ScopeFilters,
    StructuralHints,
)
from tests.builders import stamp


def concept(concept_id: str = "liability_cap", *, terms: Sequence[str] = ("liability cap",), **changes: Any) -> Concept:
    """A concept of the dictionary 'contracts'."""
    data: dict[str, Any] = {
        "concept_id": concept_id,
        "dictionary": "contracts",
        "dictionary_version": "1",
        "matched_by": concept_id,
        "exhaustive": False,
        "terms": tuple(terms),
    }
    return Concept(**{**data, **changes})


def question(
    text: str = "What is asked?",
    *,
    words: Sequence[str] = (),
    concepts: Sequence[Concept] = (),
    secondary: Sequence[tuple[str, str]] = (),
    anchors: Sequence[tuple[str, str, str]] = (),
    value_words: Sequence[str] = (),
    **changes: Any,
) -> ParsedQuestion:
    """A question of the given words, concepts (their terms become keywords) and anchors `(kind, text, target)`.

    `secondary` are `(term, concept_id)` pairs of weight 0.5; `changes` replace fields of the record.
    """
    keywords = [Keyword(text=anchor[1], source="anchor", weight=1.0) for anchor in anchors if anchor[0] != "page"]
    keywords += [
        Keyword(text=term, source="expert_dictionary", weight=1.0, concept=one.concept_id)
        for one in concepts
        for term in one.terms
    ]
    keywords += [Keyword(text=term, source="expert_dictionary", weight=0.5, concept=name) for term, name in secondary]
    keywords += [Keyword(text=word, source="direct", weight=1.0) for word in words]
    keywords += [Keyword(text=word, source="direct", weight=0.5, group="value") for word in value_words]
    data: dict[str, Any] = {
        "original_question": text,
        "corrected_question": text,
        "language": "en",
        "intent": "qa",
        "answer_shape": "single",
        "answer_type": "text",
        "keywords": tuple(keywords),
        "anchors": tuple(Anchor(kind=kind, text=said, target=target) for kind, said, target in anchors),
        "concepts": tuple(concepts),
        "hints": StructuralHints(),
        "decomposition": Decomposition(),
        "filters": ScopeFilters(),
        "exclusions": (),
        "format_wishes": (),
        "plan": ExecutionPlan(),
        "notes": (),
        "field_sources": {},
        "stamp": stamp(),
    }
    return ParsedQuestion(**{**data, **changes})
