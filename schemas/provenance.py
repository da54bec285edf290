"""Where a candidate stands, what the arbiter saw of it, and why it was proposed and judged as it was."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field

from schemas.places import PageUnit
from schemas.record import Part

Role = Literal["primary", "supporting", "tangential"]
ArbiterRole = Literal["primary", "supporting", "tangential", "discarded"]
Arbiter = Literal["llm", "rules", "rules_after_llm", "ranking"]  # ranking: a strategy without an arbiter, by rank alone


class CandidateScope(Part):
    """A range of lines with its pages and section; both ends inclusive.

    `line_start` and `line_end` are numbers on their page, as people count them; the global `line_id`s of a context
    stand in `RetrievedCandidate.lines`.
    """

    page_unit: PageUnit = Field(
        default="page", description="What the pages are; none: the format has no pages, and lines are counted through."
    )
    page_start: int = Field(ge=1, description="Page of the first line; 1 throughout where the format has no pages.")
    page_end: int = Field(ge=1, description="Page of the last line.")
    line_start: int = Field(ge=1, description="First line, counted on page_start.")
    line_end: int = Field(ge=1, description="Last line, counted on page_end.")
    section_id: str | None = Field(
        default=None, description="Section of the first line; null before the first heading."
    )

    def contains(self, other: Self) -> bool:
        """True when the other range lies inside this one."""
        return (self.page_start, self.line_start) <= (other.page_start, other.line_start) and (
            other.page_end,
            other.line_end,
        ) <= (self.page_end, self.line_end)


class CandidateBrief(Part):
    """What the arbiter sees of one candidate, and nothing else."""

    candidate_id: str = Field(description="Opaque id made of page and lines, e.g. 'p5_l12_l14'.")
    methods: tuple[str, ...] = Field(description="Methods that proposed it, in dispatch order.")
    section: str | None = Field(description="Breadcrumb of its section; null without one.")
    matched_keywords: tuple[str, ...] = Field(description="Keywords found in the anchor, in the question's order.")
    snippet: str = Field(description="Three to five lines around the match, running headers left out.")


class ScoreTerm(Part):
    """What one term adds to a BM25 score: idf * frequency * (k1 + 1) / (frequency + k1 * length_norm)."""

    term: str = Field(description="The term as indexed.")
    frequency: int = Field(ge=0, description="Times it stands in the passage.")
    passages_with_term: int = Field(ge=0, description="Passages of the document that hold it.")
    idf: float = Field(description="ln(1 + (N - n + 0.5) / (n + 0.5)), N passages in all, n of them with the term.")
    length_norm: float = Field(description="1 - b + b * length / mean length of a passage, in terms.")
    contribution: float = Field(description="What it adds; the score is the sum over the terms.")


class CandidateProvenance(Part):
    """Why one candidate was proposed and what the arbiter made of it; kept for discarded ones too."""

    candidate_id: str = Field(description="The candidate.")
    methods_that_found_it: tuple[str, ...] = Field(description="Methods that proposed it, in dispatch order.")
    rank_per_method: dict[str, int] = Field(description="Its best rank in each of them, from 1.")
    detector_reasons: dict[str, str] = Field(description="Why each of them proposed it.")
    structural_context: CandidateBrief = Field(description="What the arbiter was shown.")
    anchor: CandidateScope = Field(description="Where the match is.")
    role: ArbiterRole = Field(description="What the arbiter made of it.")
    reason: str = Field(description="Why, in one line.")
    rule: str | None = Field(default=None, description="Name of the rule, where the rules arbiter judged; else null.")
    judged_by: Arbiter = Field(description="Who judged: the model, the rules, or the rules because the model did not.")
    score_per_method: dict[str, float] = Field(
        default_factory=dict, description="Its score in each method, on that method's own scale; never added up."
    )
    score_terms: tuple[ScoreTerm, ...] = Field(
        default=(), description="The BM25 score term by term, largest first; empty where BM25 did not find it."
    )
    relevance: int | None = Field(
        default=None,
        ge=0,
        le=3,
        description="A reranker's grade: 3 holds the whole answer, 2 part of it, 1 on topic, 0 unrelated; else null.",
    )
    situating_context: str | None = Field(
        default=None, description="Words put before the passage for the search alone; never shown as the document's."
    )
    reference_path: tuple[str, ...] = Field(
        default=(), description="Mentions that were followed to it, in order, e.g. 'as defined in 1.1'; empty: none."
    )
