"""The erasure of a document: what is to be erased, written down before it begins, and what came of it."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from schemas.ledger import HEX_256
from schemas.record import Part, Record


class ErasureCounts(Part):
    """How much is erased, by kind."""

    documents: int = Field(default=0, ge=0, description="Documents, files inside them included.")
    runs: int = Field(default=0, ge=0, description="Runs, those that were replaced by later ones included.")
    cases: int = Field(default=0, ge=0, description="Answers over several documents, of which it was one.")
    replays: int = Field(default=0, ge=0, description="Runs done again.")
    reviews: int = Field(default=0, ge=0, description="Verdicts of people on these.")
    calls: int = Field(default=0, ge=0, description="Exchanges with a model.")
    vectors: int = Field(default=0, ge=0, description="Vectors of its passages and questions.")
    turns: int = Field(default=0, ge=0, description="Turns of conversations.")
    choices: int = Field(default=0, ge=0, description="Remembered replies that name a party of it.")
    proposals: int = Field(default=0, ge=0, description="Proposals for the dictionaries that quote it.")


class Forgetting(Record):
    """`forgetting.json` in a store: an erasure that was announced in the ledger and has not ended yet.

    It is written before the line in the ledger and deleted when all is erased, so that an erasure whose process died
    is finished by the next one. It names the document, which the ledger never does.
    """

    SCHEMA_NAME: ClassVar[str] = "forgetting"
    SCHEMA_VERSION: ClassVar[int] = 1

    nonce: str = Field(pattern=HEX_256, description="Random: the hash of this record in the ledger tells nothing.")
    documents: tuple[str, ...] = Field(description="doc_ids whose folders are erased, sorted.")
    folders: tuple[str, ...] = Field(description="Other folders of the store that are erased, by place, sorted.")
    seqs: str = Field(description="Lines of the ledger whose folders are erased, as in '3-5,9'; empty for none.")
    calls: tuple[int, ...] = Field(default=(), description="Rows of the transcript of model calls, ascending.")
    vectors: tuple[str, ...] = Field(default=(), description="SHA-256 of the texts whose vectors are erased, sorted.")
    all_vectors: bool = Field(
        default=False, description="All kept vectors go: which of them are its own cannot be told any more."
    )
    questions: tuple[str, ...] = Field(default=(), description="Questions that were put to it alone, sorted.")
    choices: tuple[tuple[str, str, str], ...] = Field(
        default=(), description="Remembered replies that go: field, type of document, words; sorted."
    )
    reason_hash: str | None = Field(
        default=None, pattern=HEX_256, description="SHA-256 of salt and reason; null without a reason."
    )
    continues: int | None = Field(
        default=None,
        ge=1,
        description="Line of the ledger that announced it first, where the document was asked again before it ended; "
        "null: this record is announced by a line of its own.",
    )
    counts: ErasureCounts = Field(description="How much is erased.")
    remains: tuple[str, ...] = Field(default=(), description="What stays, and why, a sentence each.")


class Forgotten(Record):
    """The result of `lineproof forget`; shown, not kept: the store must not name what was erased."""

    SCHEMA_NAME: ClassVar[str] = "forgotten"
    SCHEMA_VERSION: ClassVar[int] = 1

    documents: tuple[str, ...] = Field(description="doc_ids that were erased, sorted.")
    seq: int = Field(ge=1, description="Line of the ledger that says so.")
    erased: str = Field(description="Lines of the ledger whose folders were erased, as in '3-5,9'.")
    counts: ErasureCounts = Field(description="How much was erased.")
    resumed: bool = Field(description="An erasure whose process had died was finished.")
    reason: str | None = Field(default=None, description="The reason as it was given; it stands nowhere in the store.")
    reason_salt: str | None = Field(
        default=None,
        description="Hex; SHA-256 of these bytes and the reason in UTF-8 is `reason` in the line of the ledger. Keep "
        "both where requests are filed: they prove later which reason was given.",
    )
    remains: tuple[str, ...] = Field(description="What is not erased, and why, a sentence each.")
    still_named_in: tuple[str, ...] = Field(
        default=(), description="Places in the store that still name the document; empty when it was erased whole."
    )
