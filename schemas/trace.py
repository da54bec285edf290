"""The trace of a whole run: what every stage took and gave, every candidate, every exchange with a model."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from schemas.answer import AnswerStatus
from schemas.audit import Downgrade, ModelCall, ModelUse, StageTrace
from schemas.provenance import Arbiter, CandidateProvenance
from schemas.record import Part, Record


class MethodTrace(Part):
    """One detector, and why it ran or did not."""

    method: str = Field(description="Name of the detector.")
    ran: bool = Field(description="False: it was skipped.")
    rule: str | None = Field(default=None, description="Name of the dispatcher's rule that decided; null without one.")
    reason: str | None = Field(default=None, description="Why it was skipped; null for one that ran.")
    candidate_count: int = Field(default=0, ge=0, description="Candidates that it proposed.")


class PromptTrace(Part):
    """A prompt that was sent, before the question and the passages were filled in."""

    name: str = Field(description="Name; its ending tells the version, as in 'generation_v2'.")
    sha256: str = Field(description="Hex SHA-256 of the template.")
    template: str = Field(description="The template, in full.")


class CostTrace(Part):
    """What the model was paid for in this run; a call read from the transcript costs nothing."""

    calls_sent: int = Field(ge=0, description="Exchanges that were sent, failed ones included.")
    calls_from_cache: int = Field(ge=0, description="Exchanges that the transcript already held.")
    input_tokens: int = Field(ge=0, description="Tokens read in the calls that were sent.")
    cached_tokens: int = Field(ge=0, description="Of these, tokens that the provider's prompt cache served.")
    output_tokens: int = Field(ge=0, description="Tokens written in the calls that were sent.")
    amount: float | None = Field(default=None, ge=0, description="Price; null where no price is set.")
    currency: str | None = Field(default=None, description="ISO 4217 code of the price.")


class Outcome(Part):
    """What came of the run."""

    status: AnswerStatus = Field(description="Status of the answer.")
    text: str = Field(description="The answer in plain words.")
    refused_count: int = Field(default=0, ge=0, description="Values that failed a check.")
    repaired_count: int = Field(default=0, ge=0, description="Values whose evidence was put right by code.")


class Trace(Record):
    """The whole run of one question on one document, built from what the bricks gave: the only record with times."""

    SCHEMA_NAME: ClassVar[str] = "trace"
    SCHEMA_VERSION: ClassVar[int] = 3

    doc_id: str = Field(description="The document.")
    source_name: str = Field(description="Name of the file without its folders.")
    question: str = Field(description="The question, verbatim.")
    started: str = Field(description="Start in UTC, ISO 8601.")
    stages: tuple[StageTrace, ...] = Field(description="Stages in the order they ran.")
    methods: tuple[MethodTrace, ...] = Field(default=(), description="Every detector, in dispatch order.")
    strategy_name: str = Field(default="arbiter", description="How the document was searched.")
    arbiter: Arbiter | None = Field(default=None, description="Who judged the candidates; null in older records.")
    candidates: tuple[CandidateProvenance, ...] = Field(
        default=(), description="Every candidate with what found it, its role and the reason, discarded ones included."
    )
    outcome: Outcome | None = Field(default=None, description="What came of it; null in older records.")
    prompts: tuple[PromptTrace, ...] = Field(default=(), description="Prompts that were sent, in order of first use.")
    model_uses: tuple[ModelUse, ...] = Field(default=(), description="What the model was used for, with repairs.")
    model_calls: tuple[ModelCall, ...] = Field(description="Exchanges with the model, in order; empty without one.")
    cost: CostTrace | None = Field(default=None, description="Tokens and price; null in older records.")
    downgrades: tuple[Downgrade, ...] = Field(description="All downgrades of the run.")
    pages_not_read: tuple[int, ...] = Field(description="Pages of which no text could be trusted.")
    settings: dict[str, Any] = Field(description="Effective settings of every stage and of the model, in full.")
    versions: dict[str, str] = Field(
        description="Versions of Lineproof, the libraries and the dictionaries; 'lineproof code': hash of its sources."
    )

    notes: tuple[str, ...] = Field(
        default=(), description="What the run met and mended, a sentence each, e.g. a damaged cached parsing."
    )
    parts: tuple[str, ...] = Field(
        default=(), description="Folder names of the runs of its sub-questions, in order; beside its own folder."
    )
