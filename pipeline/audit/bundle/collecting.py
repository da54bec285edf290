"""What goes into a bundle: the folders of the runs and all that they rest on, read and checked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pydantic_core

from pipeline.store.dictionaries import FOLDER, USED
from pipeline.store.documents import FIELDS, find_parsing
from pipeline.store.folders import MANIFEST, read_folder
from pipeline.store.ledger import LEDGER, parse_line, read_lines
from pipeline.store.names import parsing_folder, source_folder
from pipeline.store.runs import HIGHLIGHTED, HIGHLIGHTED_LINES, REQUEST
from pipeline.store.sealed import former_folders, sealed_folders
from pipeline.store.seals import RECEIPT, read_seal, seal_root
from schemas.document import ParsedDocument
from schemas.errors import InputError, RecordError
from schemas.ledger import LedgerEntry, Seal
from schemas.request import RunRequest

_LONE = re.compile("[\ud800-\udfff]")  # halves of characters, which no file in UTF-8 can hold
OF_DOCUMENTS = (HIGHLIGHTED, HIGHLIGHTED_LINES)  # papers that hold a document in full


@dataclass(frozen=True, slots=True)
class SealedFolder:
    """A sealed folder as it goes into a bundle: its place, seal, line in the ledger, and files by name."""

    path: Path
    place: str
    seal: Seal
    root: str
    entry: LedgerEntry
    files: dict[str, bytes]

    @property
    def request(self) -> RunRequest | None:
        """With what a run was asked; None for what is no run."""
        return RunRequest.from_json(self.files[REQUEST], where=self.place) if REQUEST in self.files else None


@dataclass(slots=True)
class Collected:
    """All that goes into a bundle: sealed folders by their seals, those asked for first; other files by place."""

    folders: dict[str, SealedFolder] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    ledger: bytes = b""
    files: dict[str, bytes] = field(default_factory=dict)  # sources, parsings, dictionaries
    documents: dict[str, str] = field(default_factory=dict)  # doc_id -> SHA-256
    not_kept: dict[str, str] = field(default_factory=dict)  # dictionaries that the store does not hold -> SHA-256
    parsings: dict[str, tuple[str, Path]] = field(default_factory=dict)  # doc_id_sha12 -> doc_id, folder


def collect(root: Path, runs: Sequence[Path], *, documents: bool, replays: bool) -> Collected:
    """The runs with their parts, the runs of their cases, reviews (and replays), documents and dictionaries.

    Without `documents` the files, parsings and marked copies of documents are left out.

    Raises InputError for a run that no line of the ledger holds fast, RecordError for what is damaged or missing.
    """
    taken = Collected()
    by_seal = {entry.seal: entry for entry in _entries(root) if entry.seal}
    for run in runs:
        taken.asked += [one for one in [_take(root, run.resolve(), by_seal, taken)] if one not in taken.asked]
    later = {"review", "replay"} if replays else {"review"}
    for path in sealed_folders(root):
        seal = read_seal(path)
        if seal is not None and seal.kind in later and set(seal.runs.values()) & set(taken.folders):
            _take(root, path, by_seal, taken)
    for folder in list(taken.folders.values()):
        taken.documents |= folder.seal.documents
        _take_dictionaries(root, folder, taken)
        if documents:
            _take_documents(root, folder, taken)
    lines = read_lines(root)  # read last: it holds the line of all that was read before
    taken.ledger = b"".join(line + b"\n" for line in lines[: _last_whole(lines)])
    return taken


def left_out(folder: SealedFolder, *, documents: bool) -> dict[str, str]:
    """Files of a folder that do not go into the bundle: name -> the SHA-256 that is sealed."""
    return {} if documents else {name: sha for name, sha in folder.seal.files.items() if name in OF_DOCUMENTS}


def _entries(root: Path) -> Iterator[LedgerEntry]:
    for line in read_lines(root):
        entry = parse_line(line)
        if entry is not None:
            yield entry


def _last_whole(lines: Sequence[bytes]) -> int:
    """How many lines there are up to the last whole one: what another process writes just now is no part of it."""
    return next((at + 1 for at in range(len(lines) - 1, -1, -1) if parse_line(lines[at]) is not None), 0)


def _take(root: Path, path: Path, by_seal: dict[str, LedgerEntry], taken: Collected) -> str:
    """Take a sealed folder and what it rests on; gives the root of its seal."""
    seal = read_seal(path)
    if seal is None:
        raise InputError(
            f"{path}: was made before there was a ledger, so nothing holds it fast; ask its question again, and bundle "
            "that run"
        )
    own = seal_root(seal)
    if own in taken.folders:
        return own
    entry = by_seal.get(own)
    if entry is None:
        raise RecordError(f"{path}: no line of {LEDGER} holds its seal; run `lineproof verify` to see what was altered")
    files = read_folder(root, path)
    if files is None:
        raise RecordError(f"{path}: there is no such folder; restore it from a backup")
    for name in (MANIFEST, RECEIPT):
        if (path / name).is_file():
            files[name] = (path / name).read_bytes()
    place = path.relative_to(root).as_posix()
    taken.folders[own] = SealedFolder(path, place, seal, own, entry, files)
    for rested, wanted in sorted(seal.runs.items()):
        for one in (root / rested, *former_folders(root, root / rested)):
            below = read_seal(one) if one.is_dir() else None
            if below is not None and seal_root(below) == wanted:
                _take(root, one, by_seal, taken)
                break
    return own


def _take_dictionaries(root: Path, folder: SealedFolder, taken: Collected) -> None:
    request = folder.request
    for sha in sorted(request.dictionaries.values()) if request else ():
        path = root / FOLDER / USED / f"{sha}.toml"
        name = f"store/{FOLDER}/{USED}/{sha}.toml"
        if path.is_file():
            taken.files[name] = path.read_bytes()
        else:  # one that was made in memory
            taken.not_kept[name] = sha


def _take_documents(root: Path, folder: SealedFolder, taken: Collected) -> None:
    request = folder.request
    for doc_id, sha in sorted(folder.seal.parsings.items()):
        parsing = find_parsing(root, doc_id, sha)
        if parsing is None:
            raise RecordError(f"{folder.path}: the parsing that it was read from is not in the store")
        _take_parsing(root, parsing, taken)
        taken.parsings[f"{doc_id}_{sha[:12]}"] = (doc_id, parsing)
    holders = {*folder.seal.documents, *([request.inside] if request and request.inside else ())}
    for doc_id in sorted(holders):
        _take_source(root, doc_id, taken)
        if doc_id not in folder.seal.parsings:
            _take_parsing(root, parsing_folder(root, doc_id), taken)


def _take_source(root: Path, doc_id: str, taken: Collected) -> None:
    place = source_folder(root, doc_id)
    files = read_folder(root, place) or {}
    if files:
        files[MANIFEST] = (place / MANIFEST).read_bytes()
    taken.files |= {f"store/{doc_id}/source/{name}": data for name, data in files.items()}
    for data in files.values():
        sha = hashlib.sha256(data).hexdigest()
        if doc_id.endswith(sha[:8]):
            taken.documents.setdefault(doc_id, sha)


def _take_parsing(root: Path, folder: Path, taken: Collected) -> None:
    """The tables of a document, and of the files inside it: it cannot be read without them."""
    place = f"store/{folder.relative_to(root).as_posix()}"
    files = read_folder(root, folder)
    if files is None or f"{place}/{MANIFEST}" in taken.files:
        return
    files[MANIFEST] = (folder / MANIFEST).read_bytes()
    taken.files |= {f"{place}/{name}": data for name, data in files.items()}
    for about in pydantic_core.from_json(files[FIELDS]).get("attachments", ()):
        if about.get("doc_id"):
            _take_parsing(root, parsing_folder(root, about["doc_id"]), taken)


def lines_of(document: ParsedDocument) -> bytes:
    """The lines of a document as JSON, one a row, so that they are read without a library for parquet."""
    frame = document.line_df
    rows = zip(
        frame["line_id"].tolist(), frame["page_num"].tolist(), frame["line_num"].tolist(), frame["visible"].tolist(),
        frame["text"].tolist(), strict=True,
    )  # fmt: skip
    told = [
        json.dumps(
            {"line_id": a, "page_num": b, "line_num": c, "visible": d, "text": text},
            ensure_ascii=_LONE.search(text) is not None,
        )
        for a, b, c, d, text in rows
    ]
    head = json.dumps({"doc_id": document.doc_id, "sha256": document.sha256}, ensure_ascii=False)[:-1]
    return (head + ', "lines": [\n' + ",\n".join(told) + "\n]}\n").encode()
