"""Which documents an erasure means: by name or by the file itself, with those inside it and those of the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.store.documents import FIELDS
from pipeline.store.folders import FORMER
from pipeline.store.names import NO_DOCUMENTS, source_folder
from schemas.errors import InputError

EMBEDDINGS = "embeddings"
MAX_LISTED = 10  # documents named in a message; the rest is counted


@dataclass(frozen=True, slots=True)
class Stored:
    """What a store knows of its documents, by doc_id: their SHA-256, and the documents that they lie inside of."""

    sha256: Mapping[str, str]
    inside: Mapping[str, frozenset[str]]
    names: tuple[str, ...]


def read_documents(root: Path) -> Stored:
    """The documents of a store, those of which only remains are left included.

    What is damaged counts with what can still be read of it: it can be erased all the same.
    """
    names = sorted(
        path.name for path in root.glob("*") if path.is_dir() and path.name not in NO_DOCUMENTS and path.name[0] != "."
    )
    sha256: dict[str, str] = {}
    inside: dict[str, set[str]] = defaultdict(set)
    for name in names:
        for fields in _parsings(root / name):
            sha256.setdefault(name, str(fields.get("sha256", "")))
            for attachment in fields.get("attachments") or ():
                if isinstance(attachment, dict) and attachment.get("doc_id"):
                    inside[str(attachment["doc_id"])].add(name)
    return Stored(sha256, {name: frozenset(held) for name, held in inside.items()}, tuple(names))


def find_documents(root: Path, name: str) -> tuple[str, ...]:
    """The doc_ids that `name` means: a doc_id, its beginning, or the path of the file, found by its SHA-256.

    Documents of the same bytes under other names are meant too: their text is the same.

    Raises InputError when none is meant, or the beginning of more than one.
    """
    stored = read_documents(root)
    path = Path(name)
    wanted = path.name if os.path.isdir(name) and path.resolve().parent == root.resolve() else name.strip()
    if wanted in stored.names:
        return _with_twins(stored, {wanted})
    if os.path.isfile(name):  # unlike that of a Path it is also false for what cannot be a path
        sha = hashlib.sha256(path.read_bytes()).hexdigest()
        same = {one for one in stored.names if stored.sha256.get(one) == sha or _source_sha(root, one) == sha}
        if not same:
            raise InputError(f"{name}: the store {root} holds no document of these bytes")
        return _with_twins(stored, same)
    begun = [one for one in stored.names if wanted and one.startswith(wanted)]
    if len(begun) == 1:
        return _with_twins(stored, set(begun))
    if begun:
        raise InputError(f"{name!r} begins {len(begun)} documents; name one of them: {_listed(begun)}")
    known = f"; there are: {_listed(stored.names)}" if stored.names else ", which is empty"
    raise InputError(f"no document {name[:200]!r} in the store {root}{known}")


def with_those_inside(root: Path, stored: Stored, wanted: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The documents with the files inside them, and files inside that stay: sorted, each.

    A file inside stays where another document holds it too, or where it was put into the store by itself.

    Raises InputError for a file inside a document that stays: its bytes would stay in that one.
    """
    gone = set(wanted)
    for one in sorted(wanted):
        holders = stored.inside.get(one, frozenset()) - gone
        if holders:
            raise InputError(
                f"{one} lies inside {_listed(sorted(holders))}, which holds its bytes and text; forget that document, "
                "and the files inside it go with it"
            )
    stays: set[str] = set()
    found = True
    while found:
        below = {one for one in stored.names if stored.inside.get(one, frozenset()) & gone} - gone - stays
        stays |= {one for one in below if stored.inside[one] - gone - below or _has_source(root, one)}
        gone |= below - stays
        found = bool(below)
    return tuple(sorted(gone)), tuple(sorted(stays))


def _with_twins(stored: Stored, wanted: Collection[str]) -> tuple[str, ...]:
    bytes_of = {stored.sha256[one] for one in wanted if stored.sha256.get(one)}
    return tuple(sorted({*wanted, *(one for one in stored.names if stored.sha256.get(one) in bytes_of)}))


def _parsings(folder: Path) -> Iterator[dict[str, Any]]:
    """The fields of the present and the former parsings that can be read."""
    for path in (folder / "parsing" / FIELDS, *sorted((folder / FORMER).glob(f"parsing_*/{FIELDS}"))):
        try:
            fields = json.loads(path.read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(fields, dict):
            yield fields


def _source_sha(root: Path, doc_id: str) -> str | None:
    """The SHA-256 of the bytes kept of a document; None where none are."""
    kept = [path for path in sorted(source_folder(root, doc_id).glob("source.*")) if path.is_file()]
    return hashlib.sha256(kept[0].read_bytes()).hexdigest() if kept else None


def _has_source(root: Path, doc_id: str) -> bool:
    return any(source_folder(root, doc_id).glob("source.*"))


def _listed(names: Collection[str]) -> str:
    listed = sorted(names)
    more = f" and {len(listed) - MAX_LISTED} more" if len(listed) > MAX_LISTED else ""
    return ", ".join(listed[:MAX_LISTED]) + more
