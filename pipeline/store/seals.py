"""Seals: what a folder of the store holds, held fast by one salted hash in the ledger."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pydantic_core

from pipeline.commitments import SALT_BYTES, root_of, salt_of_record
from pipeline.store.ledger import find_seal
from schemas.errors import RecordError
from schemas.ledger import LedgerEntry, Receipt, Seal, SealedKind

SEAL, RECEIPT = "seal.json", "entry.json"


@dataclass(frozen=True, slots=True)
class Rests:
    """What a sealed record rests on; see the fields of `Seal`."""

    documents: Mapping[str, str] = field(default_factory=dict)
    parsings: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, str] = field(default_factory=dict)


def make_seal(files: Mapping[str, bytes], *, kind: SealedKind, place: str, rests: Rests) -> Seal:
    """The seal of `files` with a new random salt; JSON files get a root each."""
    salt = secrets.token_bytes(SALT_BYTES)
    return Seal(
        salt=salt.hex(),
        kind=kind,
        place=place,
        files={name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)},
        roots={name: json_root(files[name], name, salt) for name in sorted(files) if name.endswith(".json")},
        documents=dict(sorted(rests.documents.items())),
        parsings=dict(sorted(rests.parsings.items())),
        runs=dict(sorted(rests.runs.items())),
    )


def json_root(data: bytes, name: str, salt: bytes) -> str:
    """The root of the JSON in the file `name` of a folder that is sealed with `salt`.

    Raises ValueError for what is no JSON.
    """
    return root_of(pydantic_core.from_json(data), salt_of_record(salt, name))


def seal_root(seal: Seal) -> str:
    """What the ledger holds fast of a seal: the root of its JSON without the salt."""
    value = seal.model_dump(mode="json", exclude={"salt", "written_as"})
    return root_of(value, salt_of_record(bytes.fromhex(seal.salt), SEAL))


def read_seal(folder: Path) -> Seal | None:
    """The seal of a folder; None for one that was written before there was a ledger.

    Raises RecordError when it is damaged.
    """
    path = folder / SEAL
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror}); restore it from a backup") from error
    return Seal.from_json(data, where=str(path))


def is_place(place: str) -> bool:
    """True for what a seal may call a place: a folder below the root of a store, by its plain names.

    A seal is not to be trusted with a path before that: its place may be '/etc', or '../..'.
    """
    parts = place.split("/")
    return len(parts) > 1 and "\0" not in place and not any(part in ("", ".", "..") or "\\" in part for part in parts)


def read_receipt(folder: Path) -> Receipt | None:
    """The receipt of a folder; None where there is none or it is damaged: it is a hint, the seal is what counts."""
    with contextlib.suppress(OSError, ValueError):
        return Receipt.model_validate_json((folder / RECEIPT).read_bytes())
    return None


def write_receipt(folder: Path, entry: LedgerEntry) -> None:
    """Put the receipt of its line beside the files of a folder; it is on disk when this returns.

    Raises OSError when it cannot be written.
    """
    receipt = Receipt(ledger=entry.ledger, seq=entry.seq, hash=entry.hash)
    with (folder / RECEIPT).open("wb") as file:
        file.write(receipt.model_dump_json(indent=1).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def is_recorded(root: Path, fresh: Path) -> bool:
    """True for a folder whose seal the ledger holds fast."""
    return recorded_as(root, fresh) is not None


def recorded_as(root: Path, fresh: Path) -> LedgerEntry | None:
    """The line that holds fast the seal of a folder; None without one."""
    try:
        seal = read_seal(fresh)
    except RecordError:
        return None
    return find_seal(root, seal_root(seal)) if seal is not None else None
