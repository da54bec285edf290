"""What every saved record has in common: frozen, no unknown fields, a version, one way to JSON and back."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import pydantic_core
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from schemas.errors import RecordError, SchemaVersionError
from schemas.upgrades import upgrade

MAX_LISTED_FAULTS = 10  # faults printed of one record; the rest is counted


class Part(BaseModel):
    """A piece of a record: frozen, unknown fields forbidden, no NaN or infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, arbitrary_types_allowed=True)


class Record(Part):
    """A hand-over that is saved on its own: a `Part` with a schema version.

    A subclass sets `SCHEMA_NAME` (used by the upgrades and the JSON Schemas) and `SCHEMA_VERSION` (an integer, raised
    by one with each change of its fields).
    """

    SCHEMA_NAME: ClassVar[str] = "record"
    SCHEMA_VERSION: ClassVar[int] = 1

    schema_version: int = Field(default=0, description="Version of the record's schema; 0 is replaced by the current.")
    written_as: int | None = Field(
        default=None, description="Version in which the file was written, where it was lifted on load; else null."
    )

    def model_post_init(self, _context: object) -> None:
        """Write the current version into a record that was made now."""
        if self.schema_version == 0:
            object.__setattr__(self, "schema_version", type(self).SCHEMA_VERSION)

    def to_json(self) -> bytes:
        """The record as UTF-8 JSON, fields in declared order, one space of indent, a newline at the end.

        The same record gives the same bytes. Tables are not in it: they are saved as parquet beside it.
        """
        return self.model_dump_json(indent=1).encode() + b"\n"

    def content_sha256(self) -> str:
        """Hex SHA-256 of `to_json()`, the bytes that are written."""
        return hashlib.sha256(self.to_json()).hexdigest()

    @classmethod
    def from_json(cls, data: bytes, *, where: str, tables: Mapping[str, Any] | None = None) -> Self:
        """The record that `to_json` wrote; an older version is lifted, a newer one refused.

        `where` names the file in messages; `tables` are fields that are saved beside the JSON.

        Raises RecordError when the JSON is broken or does not fit, SchemaVersionError when it is newer.
        """
        try:
            fields = pydantic_core.from_json(data)
        except ValueError as error:
            raise RecordError(
                f"{where}: not valid JSON ({error}), so it is damaged, or no {cls.SCHEMA_NAME} record at all; restore "
                "it from a backup, or name another file"
            ) from error
        if not isinstance(fields, dict):
            raise RecordError(f"{where}: a JSON object was expected, found {type(fields).__name__}")
        fields = cls._lift(fields, where)
        try:
            return cls.model_validate({**fields, **(tables or {})})
        except ValidationError as error:
            raise RecordError(f"{where}: not a valid {cls.SCHEMA_NAME} record: {list_faults(error)}") from error

    @classmethod
    def _lift(cls, fields: dict[str, Any], where: str) -> dict[str, Any]:
        version = fields.get("schema_version")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise RecordError(f"{where}: schema_version must be an integer from 1, found {version!r}")
        if version > cls.SCHEMA_VERSION:
            raise SchemaVersionError(
                f"{where}: written as {cls.SCHEMA_NAME} version {version}, this Lineproof reads up to version "
                f"{cls.SCHEMA_VERSION}; install a newer Lineproof"
            )
        if version == cls.SCHEMA_VERSION:
            return fields
        lifted = upgrade(cls.SCHEMA_NAME, fields, version, cls.SCHEMA_VERSION)
        return {**lifted, "schema_version": cls.SCHEMA_VERSION, "written_as": fields.get("written_as") or version}


def read_version(data: bytes) -> int:
    """The schema version that a record's JSON names; 0 where the JSON is broken or names none."""
    try:
        fields = pydantic_core.from_json(data)
    except ValueError:
        return 0
    version = fields.get("schema_version") if isinstance(fields, dict) else None
    return version if isinstance(version, int) else 0


def list_faults(error: ValidationError) -> str:
    """The faults of a pydantic error in one line: `field: message (found value)`, at most ten, the rest counted."""
    faults = error.errors(include_url=False)
    listed = [
        f"{'.'.join(map(str, fault['loc'])) or 'record'}: {fault['msg']} (found {str(fault['input'])[:60]!r})"
        for fault in faults[:MAX_LISTED_FAULTS]
    ]
    more = len(faults) - len(listed)
    return "; ".join(listed) + (f"; and {more} more" if more > 0 else "")


class Stamp(Part):
    """By what a record was made: enough to say later why two runs differ. Holds no clock and no path."""

    lineproof: str = Field(description="Version of Lineproof.")
    libraries: dict[str, str] = Field(description="Version of each library whose behaviour shows in the record.")
    input_sha256: dict[str, str] = Field(description="Hex SHA-256 of each input, by name (document, question ...).")
    settings: dict[str, Any] = Field(description="The effective settings of the step, in full.")
    dictionary_versions: dict[str, str] = Field(default_factory=dict, description="Version of each dictionary used.")
    model: str | None = Field(default=None, description="Name of the language model; null when rules alone ran.")
    prompts: dict[str, str] = Field(default_factory=dict, description="Hex SHA-256 of each prompt template, by name.")
