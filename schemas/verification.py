"""What a verification says: what was checked, and every mismatch with its kind."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from schemas.record import Part, Record

MismatchKind = Literal[
    "ledger_altered",  # a line does not hash to what it says, or is no line
    "ledger_line_missing",  # the chain jumps: lines were deleted
    "ledger_reordered",  # lines stand in another order than they were written in
    "ledger_inserted",  # a line that the chain does not lead to
    "ledger_truncated",  # a folder or an anchor names a line beyond the end
    "ledger_torn",  # bytes of an unfinished line that no later line declares: a process died, or bytes were added
    "anchor_mismatch",  # a signed head names another hash than the chain has at that line
    "signature_invalid",  # the signature of a head or a review does not fit its key and fields
    "record_altered",  # a stored file is not the one that was sealed
    "record_missing",  # a sealed file or folder is not there
    "record_added",  # a file or folder that nothing recorded
    "record_invalid",  # a record does not fit its schema, or breaks its own rules
    "seal_altered",  # the seal of a folder is not the one in the ledger
    "source_changed",  # the document is not the one that was read
    "source_missing",  # the document is not there
    "quote_not_found",  # a cited line does not say what is quoted, read anew from the document
    "answer_inconsistent",  # the answer does not follow from its own evidence
    "parsing_differs",  # parsing the document again gives other tables
    "question_differs",  # the same for the question,
    "retrieval_differs",  # the search,
    "answer_differs",  # the answer,
    "papers_differ",  # and the sheets and the marked document
    "transcript_altered",  # a model's reply on record does not belong to the request on record
    "transcript_incomplete",  # a call that today's code would make is not on record
    "erasure_unfinished",  # what was announced as erased is still there, or on its way out
    "not_upgradable",  # a saved format that this version does not read
]
Cause = Literal["source", "record", "code", "dictionary", "library", "model_settings", "declared_types", "unknown"]


RemarkKind = Literal[
    "not_checked",  # a check could not be made, with the reason
    "unsealed",  # made before there was a ledger
    "unfinished",  # left by a process that died before it reported
    "superseded",  # a later run took its place
    "forgotten",  # erased on request
    "no_anchor",  # nothing outside the store vouches for it
    "versions",  # today's code, libraries or dictionaries are others, and the result is the same
]


class Mismatch(Part):
    """One thing that is not as it was recorded."""

    kind: MismatchKind = Field(description="What is wrong.")
    place: str = Field(description="Where: a file or folder in the store, or 'ledger.jsonl line 12'.")
    detail: str = Field(description="What was expected and what was found, in one sentence.")
    causes: tuple[Cause, ...] = Field(
        default=(), description="Of a stage that gives something else today: what differs from then. Empty for others."
    )
    seq: int | None = Field(default=None, description="Line of the ledger that it concerns; null without one.")


class Remark(Part):
    """Something a reader should know that is no mismatch."""

    kind: RemarkKind = Field(description="What kind of thing.")
    place: str = Field(description="Where.")
    detail: str = Field(description="What, in one sentence.")


class Verification(Record):
    """The result of `lineproof verify`. No clock in it: two checks of the same store give the same bytes."""

    SCHEMA_NAME: ClassVar[str] = "verification"
    SCHEMA_VERSION: ClassVar[int] = 1

    passed: bool = Field(description="No mismatch at all.")
    ledger: str | None = Field(description="Id of the ledger; null where there is none.")
    entry_count: int = Field(ge=0, description="Lines of the ledger.")
    head: str | None = Field(description="Hash of its last line; null without one.")
    anchored_to: int | None = Field(description="Last line that a valid signed head vouches for; null without one.")
    signed_by: tuple[str, ...] = Field(default=(), description="Ids of the keys whose signatures were valid.")
    run_count: int = Field(ge=0, description="Runs that were checked.")
    checks: dict[str, int] = Field(description="How often each check was made, by its name.")
    mismatches: tuple[Mismatch, ...] = Field(description="By place, then by kind.")
    remarks: tuple[Remark, ...] = Field(default=(), description="By place.")
    detects: tuple[str, ...] = Field(description="What this verification can detect, in plain words.")
    cannot_detect: tuple[str, ...] = Field(description="What it cannot, in plain words.")
