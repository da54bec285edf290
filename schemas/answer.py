"""What generation hands over: typed values with their lines, each checked, or an honest refusal.

Four layers: a value, an item (value and evidence), the answer (items and status), and its completeness.
"""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from schemas.audit import Downgrade, ModelUse
from schemas.evidence import AnswerItem, ComputedInput, EvidenceCheck, EvidenceSpan, RefusedItem, Repair
from schemas.question import AnswerShape
from schemas.record import Part, Record, Stamp
from schemas.retrieval import AbsenceProof, Conflict
from schemas.values import (
    Address,
    Amount,
    BooleanValue,
    Branch,
    ConditionalValue,
    Count,
    CustomValue,
    DateValue,
    Duration,
    DurationUnit,
    Iban,
    Identifier,
    Jurisdiction,
    OpenEnd,
    Party,
    Percentage,
    RecordField,
    RecordValue,
    RelativeDate,
    TableValue,
    TextValue,
    TreeNode,
    TreeValue,
    Value,
)

__all__ = [
    "Address",
    "Amount",
    "Answer",
    "AnswerItem",
    "AnswerStatus",
    "BooleanValue",
    "Branch",
    "CaseAnswer",
    "Completeness",
    "CompletenessCheck",
    "ComputedInput",
    "ConditionalValue",
    "Count",
    "CustomValue",
    "DateValue",
    "DocumentAnswer",
    "Duration",
    "DurationUnit",
    "EvidenceCheck",
    "EvidenceSpan",
    "Finding",
    "Iban",
    "Identifier",
    "Iteration",
    "Jurisdiction",
    "OpenEnd",
    "PartAnswer",
    "Party",
    "Percentage",
    "RecordField",
    "RecordValue",
    "RefusedItem",
    "RelativeDate",
    "Repair",
    "TableValue",
    "TextValue",
    "TreeNode",
    "TreeValue",
    "Value",
]

AnswerStatus = Literal["answered", "partial", "not_found", "needs_clarification", "refused"]


class CompletenessCheck(Part):
    """One sign of whether an answer is whole."""

    check: Literal["stated_count", "structure", "next_page", "references", "model"] = Field(
        description="stated_count: the number that the document says; structure: the list or section was seen to end; "
        "next_page: what follows the passages begins something new; references: none that leads out was left "
        "unfollowed; model: the model says so."
    )
    passed: bool | None = Field(description="True: whole; false: cut or missing; null: it cannot be told.")
    detail: str = Field(description="What was seen, in one sentence.")


class Iteration(Part):
    """One more pass over the document, and what it brought."""

    number: int = Field(ge=1, description="The first further pass is 1.")
    trigger: str = Field(description="Why: 'the list runs on past the passages'.")
    action: Literal["widen", "other_terms", "two_hop", "reparse"] = Field(description="What was changed.")
    detail: str = Field(description="What exactly: terms, pages, references.")
    result: str = Field(description="What came of it, in one sentence.")
    kept: bool = Field(description="Its answer took the place of the one before.")
    confidence_before: float = Field(ge=0, le=1, description="Confidence of retrieval before.")
    confidence_after: float = Field(ge=0, le=1, description="Confidence of retrieval after.")


class Finding(Part):
    """Text of the document that tries to steer its reader, or that no person sees: reported, never followed."""

    kind: Literal["embedded_instruction", "hidden_text"] = Field(
        description="embedded_instruction: words addressed to a model; hidden_text: the same where no person sees it."
    )
    page_num: int = Field(ge=1, description="Page; 1 where the format has none.")
    line_id: int = Field(ge=1, description="The line.")
    box: tuple[float, float, float, float] | None = Field(
        default=None, description="Left, top, right, bottom in points from the page's top left; null without a layout."
    )
    quote: str = Field(description="The line, verbatim, shortened.")
    detail: str = Field(description="What was noticed, in one sentence.")


class Completeness(Part):
    """Whether all that was asked for has been given; computed by code."""

    complete: bool | None = Field(description="True, false, or null when it cannot be told.")
    stated_count: int | None = Field(
        default=None, description="How many the document says there are; null where it does not."
    )
    found_count: int = Field(ge=0, description="How many are given.")
    reason: str = Field(description="On what the judgement rests, in one sentence.")
    checks: tuple[CompletenessCheck, ...] = Field(default=(), description="The signs that were looked at, in order.")


class PartAnswer(Part):
    """What became of one part of a compound question."""

    question: str = Field(description="The part as it was asked, complete in itself.")
    status: AnswerStatus | Literal["not_asked"] = Field(
        description="Its status; not_asked: it needs the answer to a part that found nothing."
    )
    text: str = Field(description="Its answer in plain words; for a part not asked, why.")
    run: str | None = Field(description="Folder name of its run, beside that of the whole; null when not asked.")


class Answer(Record):
    """The answer to one question on one document."""

    SCHEMA_NAME: ClassVar[str] = "answer"
    SCHEMA_VERSION: ClassVar[int] = 5

    doc_id: str = Field(description="The document.")
    question: str = Field(description="The question, verbatim.")
    status: AnswerStatus = Field(description="What became of the question.")
    text: str = Field(
        description="The answer in plain words, built by code from the items, in the question's language."
    )
    answer_shape: AnswerShape = Field(description="How many values were asked for.")
    answer_type: str = Field(description="What kind of value was asked for.")
    items: tuple[AnswerItem, ...] = Field(description="The values, best first; empty unless answered or partial.")
    refused_items: tuple[RefusedItem, ...] = Field(default=(), description="Values that failed a check.")
    conflicts: tuple[Conflict, ...] = Field(default=(), description="Passages that differ; all their values are items.")
    completeness: Completeness = Field(description="Whether all that was asked for has been given.")
    caveats: tuple[str, ...] = Field(default=(), description="What a reader must know, a sentence each.")
    findings: tuple[Finding, ...] = Field(
        default=(), description="Text that tries to steer its reader, in the order of the document."
    )
    history: tuple[Iteration, ...] = Field(
        default=(), description="Further passes over the document, in order; empty when the first one was enough."
    )
    exhausted: bool = Field(
        default=False, description="The passes ended at their limit, not because nothing was left to try."
    )
    absence: AbsenceProof | None = Field(default=None, description="The proof when nothing was found; else null.")
    clarification: str | None = Field(default=None, description="The question back to the user; null without one.")
    parts: tuple[PartAnswer, ...] = Field(
        default=(), description="Of a compound question, what became of each part, in order; their items are its items."
    )
    confidence: float = Field(ge=0, le=1, description="Confidence of retrieval; for triage only.")
    answered_by: Literal["llm", "rules"] = Field(description="Who proposed the values.")
    pages_not_read: tuple[int, ...] = Field(default=(), description="Pages of the document that could not be read.")
    model_uses: tuple[ModelUse, ...] = Field(default=(), description="Model calls made for this record.")
    downgrades: tuple[Downgrade, ...] = Field(
        default=(), description="Steps that were done by lesser means than asked for."
    )
    stamp: Stamp = Field(description="By what it was generated.")

    @model_validator(mode="after")
    def _status_fits(self) -> Self:
        if (self.status in ("answered", "partial")) != bool(self.items):
            raise ValueError(f"status {self.status} does not go with {len(self.items)} items")
        if self.status == "not_found" and self.absence is None:
            raise ValueError("a not-found answer carries its absence proof")
        for item in self.items:
            if not all(check.passed for check in item.checks):
                raise ValueError("an item with a failed check cannot be published")
        return self


class DocumentAnswer(Part):
    """The answer of one document in a case."""

    doc_id: str = Field(description="The document.")
    source_name: str = Field(description="Name of the file without its folders.")
    answer: Answer = Field(description="What it answers.")


class CaseAnswer(Record):
    """One question put to several documents that belong together, such as a contract and its amendments."""

    SCHEMA_NAME: ClassVar[str] = "case_answer"
    SCHEMA_VERSION: ClassVar[int] = 5

    question: str = Field(description="The question, verbatim.")
    answers: tuple[DocumentAnswer, ...] = Field(description="One a document, in the order given.")
    conflicts: tuple[Conflict, ...] = Field(
        description="Documents that answer differently; `candidate_ids` are 'doc_id/candidate_id'."
    )
    text: str = Field(description="The outcome in plain words; a conflict is stated, never settled.")
