"""The documents' own bytes, kept in the store, and what a run rests on: a decision can be checked without the file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from pipeline.store.folders import MANIFEST, read_folder, write_folder
from pipeline.store.names import parsing_folder, source_folder
from pipeline.store.seals import Rests, read_seal, seal_root
from schemas.document import ParsedDocument

SOURCE = "source"  # name of the file, with the format as its ending: the user's own name may hold anything


def keep_source(root: Path, document: ParsedDocument, data: bytes) -> None:
    """Keep the bytes of a document once; nothing for a file inside another, whose bytes are empty here.

    Raises StoreError when they cannot be written.
    """
    folder = source_folder(root, document.doc_id)
    if data and not (folder / MANIFEST).exists():
        write_folder(root, folder, {f"{SOURCE}.{document.format}": data})


def load_source(root: Path, doc_id: str, *, as_is: bool = False) -> bytes | None:
    """The bytes of a document as they were kept; None where they were not. `as_is`: without writing anything.

    Raises RecordError when the file was damaged.
    """
    files = read_folder(root, source_folder(root, doc_id), as_is=as_is) or {}
    return next(iter(files.values()), None)


def rests_on(root: Path, document: ParsedDocument, parts: Sequence[Path]) -> Rests:
    """What the run of a document rests on: its bytes, its stored parsing, the runs of its parts (their folders)."""
    manifest = parsing_folder(root, document.doc_id) / MANIFEST
    parsings = {document.doc_id: hashlib.sha256(manifest.read_bytes()).hexdigest()} if manifest.exists() else {}
    return Rests({document.doc_id: document.sha256}, parsings, rests_on_runs(root, parts).runs)


def rests_on_runs(root: Path, folders: Sequence[Path]) -> Rests:
    """What a record that is made of runs rests on: the documents, parsings and seals of those runs.

    Raises RecordError for a damaged seal.
    """
    seals = {folder.relative_to(root).as_posix(): read_seal(folder) for folder in folders}
    known = [seal for seal in seals.values() if seal is not None]
    return Rests(
        {doc_id: sha for seal in known for doc_id, sha in seal.documents.items()},
        {doc_id: sha for seal in known for doc_id, sha in seal.parsings.items()},
        {place: seal_root(seal) for place, seal in seals.items() if seal is not None},
    )
