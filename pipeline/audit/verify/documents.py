"""What the runs of a document rest on: its stored parsings, its bytes in the store, and copies that the user has."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.folders import SHOWN, check_manifest
from pipeline.audit.verify.kept import NEW, OLD, read_files, sha256
from pipeline.audit.verify.links import is_own
from pipeline.store.folders import FORMER, FORMER_HEX, MANIFEST
from pipeline.store.sources import SOURCE
from schemas.errors import InputError

PARSING = "parsing"
HASHED_AT_ONCE = 1 << 20  # bytes of a user's file that are read at a time


@dataclass(slots=True)
class DocumentState:
    """A document in the store; `parsings` are its readable parsings by the SHA-256 of their manifest."""

    doc_id: str
    folder: Path
    wanted: dict[str, str] = field(default_factory=dict)  # SHA-256 of its bytes that seals name -> place of one seal
    names: set[str] = field(default_factory=set)  # names of its file that traces tell
    parsings: dict[str, Path] = field(default_factory=dict)
    damaged: bool = False  # a file of a parsing was told as altered
    is_inside: bool = False  # a file inside another: its bytes are not kept
    data: bytes | None = None
    format: str = ""


def read_document(
    root: Path, doc_id: str, findings: Findings, *, strange: frozenset[Path] = frozenset()
) -> DocumentState:
    """The parsings and the kept bytes of a document, each file checked against its list of files; no link followed."""
    state = DocumentState(doc_id, root / doc_id)
    present = state.folder / PARSING
    folders = [present, *sorted((state.folder / FORMER).glob(f"{PARSING}_*"))]
    for word in (OLD, NEW):
        beside = state.folder / f"{word}{PARSING}"
        if is_own(beside, strange) and beside.is_dir():
            findings.note("unfinished", f"{doc_id}/{beside.name}", "left by a process that died while it wrote")
            folders += [beside] if word == OLD else []
    for folder in folders:
        if is_own(folder, strange) and folder.is_dir():
            _read_parsing(folder, state, findings)
    _read_source(state, strange, findings)
    return state


def check_rests(
    state: DocumentState, where: str, documents: Mapping[str, str], parsings: Mapping[str, str], findings: Findings
) -> Path | None:
    """The folder of the parsing that a sealed record was read from; what is missing is told once a document."""
    doc_id = state.doc_id
    if doc_id in documents:
        state.wanted.setdefault(documents[doc_id], where)
    manifest = parsings.get(doc_id)
    if manifest is None:
        return state.folder / PARSING if (state.folder / PARSING).is_dir() else None
    findings.made("parsings that runs rest on")
    if manifest in state.parsings:
        return state.parsings[manifest]
    place = f"{doc_id}/{PARSING}"
    if (state.folder / PARSING).is_dir():
        detail = f"no parsing with the file list {manifest[:SHOWN]}... that runs were read from is in the store"
        findings.wrong("record_altered", f"{place}/{MANIFEST}", detail)
    else:
        findings.wrong("record_missing", place, "the parsing that runs were read from is not in the store")
    return None


def check_source(state: DocumentState, findings: Findings, *, has_copies: bool) -> None:
    """The kept bytes of a document against the SHA-256 that the seals name; `has_copies`: the user gave some."""
    place = f"{state.doc_id}/source"
    if state.data is None:
        if state.wanted and not state.is_inside and not has_copies:
            findings.wrong("source_missing", place, "the bytes of the document that runs were read from are not there")
        return
    found = sha256(state.data)
    for wanted in sorted(state.wanted):
        findings.made("documents kept in the store")
        if found != wanted:
            detail = f"its SHA-256 was {wanted[:SHOWN]}..., now it is {found[:SHOWN]}..."
            findings.wrong("source_changed", f"{place}/{SOURCE}.{state.format}", detail)


@dataclass(slots=True)
class Copies:
    """The user's own copies of documents, a file or a folder of them, by SHA-256; `used` are those that fitted."""

    path: Path
    hashes: dict[Path, str]
    named: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)

    def fitting(self, state: DocumentState) -> Path | None:
        """The copy that has the bytes that were read."""
        return next((path for path, sha in self.hashes.items() if sha in state.wanted), None)


def read_copies(path: Path | None) -> Copies | None:
    """The hashes of the user's copies; None where none were given.

    Raises InputError where there is nothing at `path`, or it cannot be read.
    """
    return None if path is None else Copies(path, _hashes(path))


def check_copies(state: DocumentState, copies: Copies, findings: Findings) -> None:
    """The user's copies of one document against the SHA-256 that the seals name."""
    by_hash = {sha: path for path, sha in copies.hashes.items()}
    for wanted in sorted(state.wanted):
        namesakes = [path for path in copies.hashes if path.name in state.names]
        if wanted in by_hash:
            findings.made("documents of the user")
            copies.used.add(wanted)
        elif namesakes:
            findings.made("documents of the user")
            copies.named.add(namesakes[0].name)
            found = copies.hashes[namesakes[0]]
            detail = f"the SHA-256 that was read is {wanted[:SHOWN]}..., that of this file is {found[:SHOWN]}..."
            findings.wrong("source_changed", namesakes[0].name, f"{state.doc_id}: {detail}")
        elif state.data is None and not state.is_inside:
            findings.wrong(
                "source_missing", state.doc_id, "its bytes are neither in the store nor among the given ones"
            )
        elif not state.is_inside and copies.path.is_dir():
            findings.note("not_checked", state.doc_id, "the given folder holds no copy of this document")


def check_unknown_copy(copies: Copies, findings: Findings) -> None:
    """A single file that no document that was checked fits, by its bytes or by its name."""
    if copies.path.is_file() and not copies.used and not copies.named:
        detail = "no document that was checked has these bytes, or this name"
        findings.wrong("source_changed", copies.path.name, detail)


def _read_parsing(folder: Path, state: DocumentState, findings: Findings) -> None:
    where = folder.relative_to(state.folder.parent).as_posix()
    files, odd = read_files(folder)
    check_manifest(where, files, odd, findings)
    findings.made("parsings")
    if any(place == where or place.startswith(f"{where}/") for place in findings.places):
        state.damaged = True
    if MANIFEST in files and not odd:
        manifest = sha256(files[MANIFEST])
        state.parsings.setdefault(manifest, folder)
        if folder.parent.name == FORMER and folder.name != f"{PARSING}_{manifest[:FORMER_HEX]}":
            findings.wrong("record_altered", where, "its name is not that of the parsing that it holds")


def _read_source(state: DocumentState, strange: frozenset[Path], findings: Findings) -> None:
    places = [one for one in (state.folder / "source", state.folder / f"{OLD}source") if is_own(one, strange)]
    folder = next((one for one in places if one.is_dir()), None)
    if folder is None:
        return
    where = f"{state.doc_id}/{folder.name}"
    files, odd = read_files(folder)
    name = next((one for one in files if one.startswith(f"{SOURCE}.")), None)
    if name is not None:
        state.data, state.format = files[name], name.removeprefix(f"{SOURCE}.")
    rest = {one: data for one, data in files.items() if one != name}
    if MANIFEST not in files:
        findings.wrong("record_missing", f"{where}/{MANIFEST}", "the list of the folder's files is not there")
        return
    beside = Findings()
    listed = check_manifest(where, files, odd, beside)
    for one in beside.mismatches():
        if name is None or one.place != f"{where}/{name}":
            findings.take([one], [], {})
    if name is None and listed and rest:
        findings.wrong("source_missing", where, "the kept copy of the document is not there")


def _hashes(sources: Path) -> dict[Path, str]:
    if sources.is_file():
        paths = [sources]
    elif sources.is_dir():
        paths = sorted(path for path in sources.rglob("*") if path.is_file())
    else:
        raise InputError(f"{sources}: there is no such file or folder; name your copies of the documents")
    hashes = {}
    for path in paths:
        digest = hashlib.sha256()
        try:
            with path.open("rb") as file:
                while block := file.read(HASHED_AT_ONCE):
                    digest.update(block)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror}); change its rights") from error
        hashes[path] = digest.hexdigest()
    return hashes
