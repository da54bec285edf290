"""What retrieval hands over: candidates with a role and a reason each, or the proof that there is nothing."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from schemas.absence import AbsenceProof, AbsenceVerdict, MissProbability, NearestMiss, TermCount
from schemas.audit import Downgrade, ModelUse
from schemas.conflicts import Conflict, ConflictSide, Precedence
from schemas.handed_tables import HandedCell, HandedColumn, HandedNote, HandedRow, HandedTable
from schemas.places import LineRef
from schemas.provenance import (
    Arbiter,
    ArbiterRole,
    CandidateBrief,
    CandidateProvenance,
    CandidateScope,
    Role,
    ScoreTerm,
)
from schemas.record import Part, Record, Stamp

__all__ = [
    "AbsenceProof",
    "AbsenceVerdict",
    "Arbiter",
    "ArbiterRole",
    "AuditedRetrievalResult",
    "CandidateBrief",
    "CandidateProvenance",
    "CandidateScope",
    "Conflict",
    "ConflictSide",
    "Continuation",
    "DiscoveredKeyword",
    "HandedCell",
    "HandedColumn",
    "HandedNote",
    "HandedRow",
    "HandedTable",
    "LineRef",
    "MissProbability",
    "MissedLimit",
    "NearestMiss",
    "Precedence",
    "RecognisedLine",
    "RetrievalResult",
    "RetrievedCandidate",
    "Role",
    "ScoreTerm",
    "SectionMark",
    "TermCount",
]


class SectionMark(Part):
    """From which line of a context on a section runs."""

    line_id: int = Field(ge=1, description="First line of the context that lies in the section.")
    title: str | None = Field(description="Title of the section; null before the first heading.")


class RecognisedLine(Part):
    """A line of a context that was recognised from an image."""

    line_id: int = Field(ge=1, description="The line.")
    confidence: float | None = Field(ge=0, le=1, description="Recognition confidence; null where the engine told none.")


class Continuation(Part):
    """What stands right after a context: looked at to tell whether it was cut, never an answer, never shown to a model.

    Without lines the document ends where the context ends.
    """

    lines: tuple[LineRef, ...] = Field(description="The lines, in order; hidden ones and running headers left out.")
    text: str = Field(description="The lines, verbatim, joined by newlines; empty without lines.")
    is_new_section: bool = Field(description="The first of them is a heading or lies in another section.")
    section_title: str | None = Field(default=None, description="Title of the section of the first of them.")


class MissedLimit(Part):
    """A limit that the question sets and a passage does not meet; such a passage is kept, behind those that do."""

    limit: Literal["party", "jurisdiction", "section", "together"] = Field(
        description="What was limited; together: how near the words of the question must stand."
    )
    asked: str = Field(description="What the question names; for 'together' the words.")
    found: str = Field(description="What the passage has instead; for 'together' the line or sentence asked for.")


class RetrievedCandidate(Part):
    """A passage that may hold the answer: where the match is (anchor) and what is read (context)."""

    candidate_id: str = Field(description="Opaque id made of page and lines, e.g. 'p5_l12_l14'.")
    anchor: CandidateScope = Field(description="Where the match is: narrow, what is cited.")
    context: CandidateScope = Field(description="What is read: wide, always contains the anchor.")
    snippet: str = Field(description="Three to five lines around the match.")
    text: str = Field(description="The context's lines, verbatim, joined by newlines, one for each of `lines`.")
    lines: tuple[LineRef, ...] = Field(
        description="The context's lines in order; hidden lines and running headers left out."
    )
    sections: tuple[SectionMark, ...] = Field(
        default=(), description="Deepest sections of the context's lines, in order; a mark where the section changes."
    )
    anchor_line_ids: tuple[int, ...] = Field(description="line_ids of the anchor.")
    methods: tuple[str, ...] = Field(description="Methods that proposed it, in dispatch order.")
    matched_keywords: tuple[str, ...] = Field(description="Keywords found in the anchor, in the question's order.")
    section_title: str | None = Field(default=None, description="Title of its section.")
    role: Role | None = Field(default=None, description="What the arbiter made of it.")
    reason: str | None = Field(default=None, description="Why, in one line.")
    missed_limits: tuple[MissedLimit, ...] = Field(
        default=(), description="Limits of the question that the passage does not meet; empty: it meets them all."
    )
    reference_path: tuple[str, ...] = Field(
        default=(), description="Mentions that were followed to it, in order, e.g. 'as defined in 1.1'; empty: none."
    )
    recognised_lines: tuple[RecognisedLine, ...] = Field(
        default=(), description="Lines of the context that were recognised from an image; empty for native text."
    )
    continuation: Continuation | None = Field(
        default=None, description="What stands right after the context; null where it was not looked at."
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.context.contains(self.anchor):
            raise ValueError(f"candidate {self.candidate_id}: the context does not contain the anchor")
        if len(self.lines) != self.text.count("\n") + 1:
            raise ValueError(
                f"candidate {self.candidate_id}: {len(self.lines)} lines named, the text has another number"
            )
        if not set(self.anchor_line_ids) <= {line.line_id for line in self.lines}:
            raise ValueError(f"candidate {self.candidate_id}: an anchor line is not among the context's lines")
        return self


class DiscoveredKeyword(Part):
    """Words of an accepted passage that speak of the topic and were not searched for; a proposal for the experts."""

    text: str = Field(description="The words, verbatim as they stand in the passage, on one line.")
    candidate_id: str = Field(description="The primary passage that holds them.")
    concept: str | None = Field(
        default=None, description="Concept of the question they speak of; null where the question has none or several."
    )
    dictionary: str | None = Field(default=None, description="Dictionary of that concept; null without one.")
    found_by: Literal["llm"] = Field(default="llm", description="Who noticed.")


class RetrievalResult(Record):
    """The contract between retrieval and generation: one object for each (document, question) pair.

    Keep it, and generation can be run again on the same evidence without paying for retrieval.
    """

    SCHEMA_NAME: ClassVar[str] = "retrieval_result"
    SCHEMA_VERSION: ClassVar[int] = 4

    doc_id: str = Field(description="The document.")
    question: str = Field(description="The question, verbatim.")
    candidates: tuple[RetrievedCandidate, ...] = Field(
        description="Kept candidates, primary first; discarded ones are not here."
    )
    methods_used: tuple[str, ...] = Field(description="Detectors that ran and the arbiter, in order.")
    not_found: bool = Field(description="Nothing in the document answers.")
    not_found_reason: str | None = Field(
        default=None, description="Short code of why, e.g. 'no_keyword_match'; null if found."
    )
    confidence: float = Field(ge=0, le=1, description="How sure it is that the document holds an answer, 0-1.")
    conflicts: tuple[Conflict, ...] = Field(
        default=(), description="Passages that say different things on the same point."
    )
    absence: AbsenceProof | None = Field(default=None, description="The proof, whenever nothing was found; else null.")
    pages_not_read: tuple[int, ...] = Field(default=(), description="Pages of the document that could not be read.")
    tables: tuple[HandedTable, ...] = Field(
        default=(), description="Tables that the candidates stand in, each once, in the document's order; bounded."
    )
    document_caveats: tuple[str, ...] = Field(
        default=(),
        description="What else keeps the document from being read in full, a sentence each: then no absence is proven.",
    )

    @model_validator(mode="after")
    def _not_found_is_explained(self) -> Self:
        if self.not_found != (self.not_found_reason is not None):
            raise ValueError("not_found and not_found_reason must be set together")
        if self.not_found and self.absence is None:
            raise ValueError("a result that found nothing carries its absence proof")
        if self.not_found and any(candidate.role == "primary" for candidate in self.candidates):
            raise ValueError("a result that found nothing has no primary candidate")
        order = ["primary", "supporting", "tangential", None]
        ranks = [order.index(candidate.role) for candidate in self.candidates]
        if ranks != sorted(ranks):
            raise ValueError("candidates must stand primary first, then supporting, then tangential")
        return self


class AuditedRetrievalResult(RetrievalResult):
    """A retrieval result with the account of every candidate that any detector proposed."""

    SCHEMA_NAME: ClassVar[str] = "audited_retrieval_result"
    SCHEMA_VERSION: ClassVar[int] = 5

    provenances: tuple[CandidateProvenance, ...] = Field(
        description="One a candidate proposed, kept ones first, then discarded."
    )
    methods_run: tuple[str, ...] = Field(description="Detectors that ran, in dispatch order.")
    methods_skipped: tuple[str, ...] = Field(description="Detectors that did not run, in dispatch order.")
    skipped_reasons: dict[str, str] = Field(description="Why each was skipped.")
    dispatch_rules: dict[str, str] = Field(description="Name of the rule that ran or skipped each detector.")
    strategy: tuple[str, ...] = Field(description="Strategy labels of the source text for this question.")
    arbiter: Arbiter = Field(description="Who judged.")
    strategy_name: str = Field(
        default="arbiter", description="The retrieval strategy by name, e.g. 'hybrid_rrf+cross_encoder'."
    )
    characters_handed_over: int = Field(
        default=0, ge=0, description="Characters of all kept contexts, lines that several share counted once."
    )
    context_budget: int | None = Field(
        default=None, ge=1, description="Most characters that may be handed over; null where none was set."
    )
    discovered_keywords: tuple[DiscoveredKeyword, ...] = Field(
        default=(),
        description="Words that the model arbiter noticed in primary passages and that were not searched for; "
        "checked by code to stand there. `lineproof dict suggest` makes proposals of them.",
    )
    model_uses: tuple[ModelUse, ...] = Field(default=(), description="Model calls made for this record.")
    downgrades: tuple[Downgrade, ...] = Field(
        default=(), description="Steps that were done by lesser means than asked for."
    )
    stamp: Stamp = Field(description="By what it was retrieved.")

    @model_validator(mode="after")
    def _every_candidate_is_accounted_for(self) -> Self:
        judged = [provenance.candidate_id for provenance in self.provenances]
        if len(judged) != len(set(judged)):
            raise ValueError("a candidate is accounted for more than once")
        roles = {provenance.candidate_id: provenance.role for provenance in self.provenances}
        kept = {candidate.candidate_id: candidate.role for candidate in self.candidates}
        if len(kept) != len(self.candidates):
            raise ValueError("a candidate is kept more than once")
        expected = {candidate_id: role for candidate_id, role in roles.items() if role != "discarded"}
        if kept != expected:
            raise ValueError("the candidates kept are not those that the arbiter kept, with the roles it gave")
        if set(self.skipped_reasons) != set(self.methods_skipped):
            raise ValueError("every skipped method needs its reason")
        return self
