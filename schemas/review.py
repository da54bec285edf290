"""What people say of a run: accepted, rejected, corrected, with who and why."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from schemas.provenance import ArbiterRole
from schemas.record import Part, Record

Verdict = Literal["accept", "reject", "correct"]


class RoleCorrection(Part):
    """Another role for a candidate."""

    candidate_id: str = Field(description="The candidate.")
    role: ArbiterRole = Field(description="The role it should have.")


class Correction(Part):
    """What the answer should have been; with the document and the question, a case for later checks."""

    doc_id: str = Field(description="The document.")
    document_sha256: str = Field(description="Hex SHA-256 of its source.")
    question: str = Field(description="The question, complete in itself: as it was put, or what it was resolved to.")
    text: str | None = Field(default=None, description="The right value in words; null: the document does not say.")
    page_num: int | None = Field(default=None, ge=1, description="Page where it stands; null without one.")
    line_start: int | None = Field(default=None, ge=1, description="First line on that page.")
    line_end: int | None = Field(default=None, ge=1, description="Last line on that page.")
    quote: str | None = Field(default=None, description="These lines, verbatim, copied from the document by code.")
    line_ids: tuple[int, ...] = Field(default=(), description="Their numbers in the document, in its order.")
    role_then: Literal["primary", "supporting", "tangential", "discarded", "not_proposed"] | None = Field(
        default=None, description="Best role that the run gave to a passage with one of the lines; null without lines."
    )
    notes: tuple[str, ...] = Field(
        default=(), description="What code found at odds with the correction, a sentence each; taken nonetheless."
    )


class Review(Record):
    """`review.json`: one person's verdict on an answer or on the role of a candidate."""

    SCHEMA_NAME: ClassVar[str] = "review"
    SCHEMA_VERSION: ClassVar[int] = 1

    run: str = Field(description="Place of the run.")
    run_seal: str = Field(description="Its seal: the verdict is on these records and no others.")
    reviewer: str = Field(description="Who, as the organisation knows them.")
    verdict: Verdict = Field(description="What they say.")
    reason: str = Field(description="Why, in their words; never empty.")
    subject: Literal["answer", "candidate"] = Field(description="On what.")
    roles: tuple[RoleCorrection, ...] = Field(default=(), description="Other roles, where the subject is a candidate.")
    correction: Correction | None = Field(default=None, description="The right answer, where it was corrected.")
    at: str = Field(description="When, in UTC, ISO 8601.")
    key_id: str | None = Field(default=None, description="Id of the key it is signed with; null for an unsigned one.")
    public_key: str | None = Field(default=None, description="Ed25519 public key, base64; null for an unsigned one.")
    signature: str | None = Field(
        default=None,
        description="Ed25519 over the canonical JSON (RFC 8785) of all other fields of the file, base64.",
    )


class RegressionCase(Part):
    """A question, a document, and what is right: a correction, kept for checks to come."""

    case_id: str = Field(description="Folder name of the review that it was made of.")
    run: str = Field(description="Place of the run that was corrected.")
    reviewers: tuple[str, ...] = Field(description="Who corrected it, alike; sorted.")
    right: Correction = Field(description="Document, question, value and lines.")


class RegressionCases(Record):
    """`cases.json`: the cases that the corrections of a store make, and what people do not agree on."""

    SCHEMA_NAME: ClassVar[str] = "regression_cases"
    SCHEMA_VERSION: ClassVar[int] = 1

    cases: tuple[RegressionCase, ...] = Field(description="By document and question.")
    disputed: tuple[str, ...] = Field(description="Left out, since people say different things: a sentence each.")
