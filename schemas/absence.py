"""The proof that a document does not hold what was asked: what was searched, in what, and what follows."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.places import PageUnit
from schemas.record import Part

AbsenceVerdict = Literal["proven_absent", "not_found", "inconclusive"]


class TermCount(Part):
    """How often one term was found."""

    term: str = Field(description="The term as searched.")
    concept: str | None = Field(description="Concept it belongs to; null for a word of the question.")
    hit_count: int = Field(ge=0, description="Lines where it stands.")


class NearestMiss(Part):
    """A passage that comes nearest and still is no answer."""

    candidate_id: str = Field(description="The candidate; empty when it was never one.")
    page_num: int = Field(description="Page; 1 where the format has none (`page_unit` of the proof).")
    line_id: int = Field(description="First line.")
    snippet: str = Field(description="The passage, shortened.")
    why_not: str = Field(description="Why it is no answer, in one sentence.")


class MissProbability(Part):
    """How often the words of a concept missed it where it was present: measured, not promised."""

    probability: float = Field(ge=0, le=1, description="Share of documents called 'not found' that held it after all.")
    low: float = Field(ge=0, le=1, description="Lower end of the 95 % interval (Wilson, JASA 1927).")
    high: float = Field(ge=0, le=1, description="Upper end of the 95 % interval.")
    sample_size: int = Field(ge=1, description="Documents called 'not found' that it was measured on.")
    measured_on: str = Field(description="Which documents and which concept, or all concepts together.")


class AbsenceProof(Part):
    """What was searched, in what, and what follows from finding nothing."""

    verdict: AbsenceVerdict = Field(
        description="proven_absent: exhaustive words, every page read, no hit; not_found: nothing answers; "
        "inconclusive: pages could not be read or references lead out."
    )
    level: Literal["document", "section", "retrieval", "arbiter", "generation"] = Field(
        description="Where the search ended: no document in scope, no section, nothing proposed, none kept, no value."
    )
    statement: str = Field(description="The finding in plain words.")
    terms: tuple[TermCount, ...] = Field(description="Every term searched with its hits.")
    dictionary_versions: dict[str, str] = Field(description="Version of each dictionary used.")
    exhaustive: bool = Field(description="The expert claims that the terms cover the topic.")
    lines_searched: int = Field(description="Lines searched.")
    page_unit: PageUnit = Field(default="page", description="What the pages are; none: the format has no pages.")
    pages_searched: int = Field(description="Pages with text searched.")
    pages_not_read: tuple[int, ...] = Field(description="Pages that could not be searched.")
    references_not_followed: tuple[str, ...] = Field(
        default=(), description="Mentions that lead out of what was searched."
    )
    nearest_misses: tuple[NearestMiss, ...] = Field(
        default=(), description="What came nearest, and why it does not count."
    )
    miss_probability: MissProbability | None = Field(
        default=None, description="How often such a finding was wrong; null where it was never measured."
    )
