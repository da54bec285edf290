"""The ledger: one line an event, each with the hash of the line before; what a line seals; a signed head."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from schemas.record import Part, Record

LEDGER_FORMAT = 1  # of a line; raised by one with each change of its fields
NO_HASH = "0" * 64  # what the first line names as the line before
HEX_256 = r"^[0-9a-f]{64}$"

EntryKind = Literal["run", "case", "replay", "review", "dictionary", "anchor", "forget", "batch"]
Fact = str | int | bool | None  # no float: RFC 8785 writes floats in a way of its own
SealedKind = Literal["run", "case", "replay", "review"]


class TornTail(Part):
    """A line that a process did not finish before it died: it was never reported done, and stays where it is."""

    byte_count: int = Field(ge=1, description="Bytes of the unfinished line.")
    sha256: str = Field(pattern=HEX_256, description="Hex SHA-256 of these bytes.")


class LedgerEntry(Part):
    """One line of `ledger.jsonl`: canonical JSON (RFC 8785) of these fields, nulls included, and a newline.

    Holds no text of a document, a question or an answer, and no name of a file: those lie behind `seal`, a salted hash,
    so that a text can be erased and the chain still verifies.
    """

    format: int = Field(default=LEDGER_FORMAT, ge=1, le=LEDGER_FORMAT, description="Version of the line's fields.")
    ledger: str = Field(pattern=r"^[0-9a-f]{32}$", description="Random id of the ledger, the same in all its lines.")
    seq: int = Field(ge=1, description="Number of the line, from 1, without gaps.")
    kind: EntryKind = Field(description="What happened.")
    at: str = Field(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}\+00:00$",
        description="When, in UTC, ISO 8601 with milliseconds; the clock of the machine that wrote it.",
    )
    seal: str | None = Field(
        default=None, pattern=HEX_256, description="Root of the sealed record (`Seal`) of this event; null without one."
    )
    facts: dict[str, Fact] = Field(
        default_factory=dict, description="What else is to be held fast: numbers of lines, hashes, outcomes."
    )
    torn: TornTail | None = Field(default=None, description="The unfinished line before this one; null without one.")
    prev: str = Field(pattern=HEX_256, description="`hash` of the line before; zeros for the first.")
    hash: str = Field(pattern=HEX_256, description="Hex SHA-256 of the canonical JSON of all other fields.")


class Receipt(Part):
    """`entry.json` in a folder of the store: the line of the ledger that recorded it."""

    ledger: str = Field(description="Id of the ledger.")
    seq: int = Field(ge=1, description="Number of the line.")
    hash: str = Field(pattern=HEX_256, description="Hash of the line.")


class Seal(Record):
    """`seal.json` in a folder of the store: what its line in the ledger holds fast, with the salt.

    The root of a JSON value is a salted hash over all its fields (`pipeline.commitments`), so that any of them can be
    left out later and the rest still be proven. `LedgerEntry.seal` is the root of this record without its salt.
    """

    SCHEMA_NAME: ClassVar[str] = "seal"
    SCHEMA_VERSION: ClassVar[int] = 1

    salt: str = Field(pattern=HEX_256, description="Random; without it no field can be guessed from its hash.")
    kind: SealedKind = Field(description="What is sealed.")
    place: str = Field(description="Folder in the store, with '/' between its parts.")
    files: dict[str, str] = Field(description="Hex SHA-256 of each other file of the folder, by name.")
    roots: dict[str, str] = Field(description="Root of each JSON record of the folder, by file name.")
    documents: dict[str, str] = Field(
        default_factory=dict, description="Hex SHA-256 of the source of each document that it rests on, by doc_id."
    )
    parsings: dict[str, str] = Field(
        default_factory=dict,
        description="Hex SHA-256 of `complete.json` of the parsing that each document was read from, by doc_id.",
    )
    runs: dict[str, str] = Field(
        default_factory=dict,
        description="Seals of the runs that it rests on (the parts of a question, the documents of a case), by place.",
    )


class SignedHead(Record):
    """The last line of a ledger, signed: kept outside the store, it shows later that nothing before it was changed."""

    SCHEMA_NAME: ClassVar[str] = "signed_head"
    SCHEMA_VERSION: ClassVar[int] = 1

    ledger: str = Field(pattern=r"^[0-9a-f]{32}$", description="Id of the ledger.")
    seq: int = Field(ge=1, description="Number of the line that is signed.")
    hash: str = Field(pattern=HEX_256, description="Hash of that line.")
    at: str = Field(description="When it was signed, in UTC, ISO 8601; the clock of the machine that signed.")
    key_id: str = Field(description="First 16 hex digits of the SHA-256 of the raw public key.")
    public_key: str = Field(description="The Ed25519 public key, 32 bytes, base64. Trust it only from its owner.")
    signature: str = Field(
        description="Ed25519 (RFC 8032) over the canonical JSON (RFC 8785) of the fields ledger, seq, hash, at and "
        "key_id; 64 bytes, base64."
    )
