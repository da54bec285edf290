"""Words that experts may want in a dictionary: proposed from what a store holds, decided by a person, never by code."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from schemas.record import Part, Record

ProposalKind = Literal["primary", "secondary", "questions"]
ProposalStatus = Literal["pending", "accepted", "rejected"]
ProposalSource = Literal[
    "missed_question", "clarification", "arbiter", "llm_expansion", "recurring_phrase", "correction"
]


class EvidenceLine(Part):
    """A line of a document that holds the words, or the passage that answered."""

    doc_id: str = Field(description="The document.")
    page_num: int = Field(ge=1, description="Page; 1 where the format has none.")
    line_id: int = Field(ge=1, description="Number of the line in the document.")
    text: str = Field(description="The line, shortened.")


class ProposalEvidence(Part):
    """What speaks for a proposal; counts are complete, lists are cut."""

    run_count: int = Field(ge=0, description="Runs that speak for it.")
    document_count: int = Field(ge=0, description="Documents of these runs, or that hold the words.")
    documents: tuple[str, ...] = Field(default=(), description="The first of them, sorted.")
    question_count: int = Field(ge=0, description="Different questions of these runs.")
    questions: tuple[str, ...] = Field(default=(), description="The most frequent of them, shortened.")
    passage_count: int = Field(
        default=0, ge=0, description="Paragraphs with an accepted passage of the concept that hold the words."
    )
    elsewhere_count: int = Field(
        default=0, ge=0, description="Other paragraphs of the same documents that hold the words."
    )
    lines: tuple[EvidenceLine, ...] = Field(default=(), description="The first lines, by document and place.")
    score: float | None = Field(
        default=None,
        description="Log-likelihood ratio (Dunning 1993) of the words in the concept's passages against all others; "
        "null where they were not counted.",
    )
    lift: float | None = Field(
        default=None, description="How many times as often they stand in the concept's passages as in all paragraphs."
    )


class Proposal(Part):
    """Words for one concept, or for a concept that a person has yet to name."""

    proposal_id: str = Field(description="Hash of dictionary, concept, sort of words, language and words; stable.")
    dictionary: str | None = Field(description="Dictionary that would take them; null: a person names it.")
    concept: str | None = Field(description="Concept that would take them; null: a person names it.")
    kind: ProposalKind = Field(
        description="primary, secondary: a term for documents; questions: a phrase that questions mean the concept by."
    )
    text: str = Field(description="The words.")
    language: str = Field(description="ISO 639-1 code.")
    found_by: tuple[ProposalSource, ...] = Field(min_length=1, description="What they were noticed by, sorted.")
    reason: str = Field(description="Why they are proposed, in one sentence.")
    evidence: ProposalEvidence = Field(description="What speaks for them.")
    status: ProposalStatus = Field(default="pending", description="pending until a person decides.")
    decided_as: str | None = Field(
        default=None, description="What was added on acceptance: dictionary, concept, kind, language and words."
    )


class Proposals(Record):
    """All proposals of a store: those that wait, and those decided, so that nothing rejected is proposed again."""

    SCHEMA_NAME: ClassVar[str] = "proposals"
    SCHEMA_VERSION: ClassVar[int] = 2

    proposals: tuple[Proposal, ...] = Field(description="By dictionary, concept, kind, language, text; each id once.")

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        ids = [proposal.proposal_id for proposal in self.proposals]
        if len(set(ids)) != len(ids):
            raise ValueError("a proposal stands there twice")
        return self

    def find(self, proposal_id: str) -> Proposal | None:
        """The proposal of that id; None without it."""
        return next((one for one in self.proposals if one.proposal_id == proposal_id), None)
