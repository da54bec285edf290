"""Parsed documents in the store: fields as JSON, tables as parquet."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.store.folders import FORMER, FORMER_HEX, MANIFEST, moved_aside, read_folder, write_folder
from pipeline.store.names import parsing_folder
from schemas.document import Attachment, ParsedDocument
from schemas.errors import RecordError
from schemas.record import read_version
from schemas.tables import DOCUMENT_TABLES
from schemas.upgrades import TABLES_SINCE

FIELDS = "parsed_document.json"


def save_document(root: Path, document: ParsedDocument) -> dict[str, str]:
    """Store a parsed document, the files inside it first; gives the SHA-256 of each of its own files.

    `profile.json` and `stamp.json` are extracts for people; `parsed_document.json` is what is read back.

    Raises StoreError when it cannot be written.
    """
    for child in document.children:
        save_document(root, child)
    files = files_of(document)
    return write_folder(root, parsing_folder(root, document.doc_id), files, keep_former=True)


def files_of(document: ParsedDocument) -> dict[str, bytes]:
    """The files that a parsed document is stored as, by name, without those of the files inside it."""
    files = {f"{name}.parquet": _to_parquet(frame) for name, frame in document.tables().items()}
    files[FIELDS] = document.to_json()
    files["profile.json"] = document.profile.model_dump_json(indent=1).encode() + b"\n"
    files["stamp.json"] = document.stamp.model_dump_json(indent=1).encode() + b"\n"
    return files


def load_document(root: Path, doc_id: str, *, folder: Path | None = None, as_is: bool = False) -> ParsedDocument | None:
    """The parsed document as it was stored with the files inside it, every byte checked; None when it is not there.

    `folder` is that of a former parsing; without it the present one is read. `as_is`: without writing anything, see
    `read_folder`.

    Raises RecordError, naming the file, when it was damaged or does not fit its schema.
    """
    folder = folder or parsing_folder(root, doc_id)
    files = read_folder(root, folder, as_is=as_is)
    if files is None:
        return None
    version = read_version(files.get(FIELDS, b""))
    tables_then = [table for table in DOCUMENT_TABLES if TABLES_SINCE.get(table.name, 1) <= version]
    missing = [name for name in (FIELDS, *(f"{table.name}.parquet" for table in tables_then)) if name not in files]
    if missing:
        raise RecordError(f"{folder / missing[0]}: is not part of the record; delete the folder {folder} and run again")
    tables = {
        table.name: _from_parquet(files[f"{table.name}.parquet"], folder / f"{table.name}.parquet")
        for table in tables_then
    }
    document = ParsedDocument.load(files[FIELDS], tables, where=str(folder / FIELDS))
    children = tuple(_load_child(root, folder, about, as_is=as_is) for about in document.attachments if about.doc_id)
    return document.model_copy(update={"children": children}) if children else document


def find_parsing(root: Path, doc_id: str, manifest_sha256: str) -> Path | None:
    """The folder of the parsing whose manifest has this SHA-256; None where there is none.

    It is the present one, a former one, or one that a process moved aside and died.
    """
    present = parsing_folder(root, doc_id)
    former = sorted((root / doc_id / FORMER).glob(f"{present.name}_{manifest_sha256[:FORMER_HEX]}"))
    for folder in (present, *former, moved_aside(present)):
        manifest = folder / MANIFEST
        if manifest.is_file() and hashlib.sha256(manifest.read_bytes()).hexdigest() == manifest_sha256:
            return folder
    return None


def _load_child(root: Path, folder: Path, about: Attachment, *, as_is: bool) -> ParsedDocument:
    child = load_document(root, about.doc_id, as_is=as_is) if about.doc_id else None
    if child is None or child.sha256 != about.sha256:
        raise RecordError(f"{folder}: the document of the attachment {about.name!r} is not in the store; run again")
    return child


def _to_parquet(frame: pd.DataFrame) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), sink, compression="zstd")
    return sink.getvalue()


def _from_parquet(data: bytes, path: Path) -> pd.DataFrame:
    try:
        return pq.read_table(pa.BufferReader(data)).to_pandas()
    except (pa.ArrowException, OSError) as error:
        raise RecordError(
            f"{path}: not a readable parquet file ({error}); delete the folder {path.parent} and run again"
        ) from error
