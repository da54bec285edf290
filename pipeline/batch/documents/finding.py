"""Finds the documents of a batch: every file is a row, and one that cannot be read says why."""

from __future__ import annotations

import glob
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from pipeline.batch.documents.metadata import Metadata, join_metadata, read_metadata
from pipeline.batch.documents.places import MEMBER, hash_of_place, is_remote
from schemas.batch import BatchDocument
from schemas.errors import InputError, PipelineError

MAX_DOCUMENTS = 1_000_000  # of a batch; one directory entry each
LIST_SUFFIXES = (".txt", ".lst")  # a list of paths, one a line
LEFT_OUT = frozenset({"thumbs.db", "desktop.ini", ".ds_store"})  # what systems leave in folders
LOCK_STARTS = ("~$", ".~lock.")  # what office programs leave beside a file that is open


@dataclass(frozen=True, slots=True)
class Collection:
    """What was found. `places` opens each document, by name; `columns` are those of the metadata sheet."""

    documents: tuple[BatchDocument, ...]  # sorted by name, names unique
    places: Mapping[str, str]
    columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Found:
    places: dict[str, str] = field(default_factory=dict)  # by name
    faults: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    left_out: int = 0

    def add(self, name: str, place: str, fault: str | None = None) -> None:
        """Note a document; a name that is taken by another place gets a number."""
        if self.places.get(name) == place:
            return
        plain, number = name, 2
        while name in self.places:
            path = PurePosixPath(plain)
            name, number = str(path.with_name(f"{path.stem} ({number}){path.suffix}")), number + 1
        self.places[name] = place
        if fault is not None:
            self.faults[name] = fault
        if len(self.places) > MAX_DOCUMENTS:
            raise InputError(f"more than {MAX_DOCUMENTS:,} documents; split the collection into several batches")


def find_documents(docs: Sequence[str], *, metadata: Path | None = None) -> Collection:
    """The documents of folders (with the folders in them), globs, lists of paths, archives and fsspec URLs.

    Hidden files and what systems leave behind are left out, and counted in a note. Links that lead out of a folder are
    not followed. A file that cannot be read is a document with a fault.

    Raises InputError when nothing is found, or the metadata sheet has faults: all of them at once.
    """
    found = _Found()
    for one in docs:
        _find(one, found)
    if not found.places:
        raise InputError(f"{', '.join(docs)[:300]}: no document is there; name a folder, a file, a list or an archive")
    if found.left_out:
        found.notes.append(f"{found.left_out} hidden, temporary or system files are left out")
    documents = tuple(_document(name, found) for name in sorted(found.places))
    known = read_metadata(metadata) if metadata is not None else Metadata()
    documents, notes = join_metadata(documents, known)
    return Collection(documents, dict(sorted(found.places.items())), known.columns, (*found.notes, *notes))


def _document(name: str, found: _Found) -> BatchDocument:
    fault = found.faults.get(name)
    if fault is not None:
        return BatchDocument(name=name, fault=fault)
    try:
        sha256, count = hash_of_place(found.places[name])
    except PipelineError as error:
        return BatchDocument(name=name, fault=str(error))
    if not count:
        return BatchDocument(name=name, sha256=sha256, byte_count=0, fault="the file is empty (0 bytes)")
    return BatchDocument(name=name, sha256=sha256, byte_count=count)


def _find(given: str, found: _Found) -> None:
    if is_remote(given):
        _find_remote(given, found)
        return
    path = Path(given)
    try:
        if path.is_dir():
            _find_in_folder(path, found)
        elif path.is_file():
            _find_in_file(path, found)
        elif glob.has_magic(given):
            matches = sorted(glob.glob(given, recursive=True))
            base = Path(os.path.commonpath(matches)) if len(matches) > 1 else Path(given).parent
            for one in matches:
                if Path(one).is_file():
                    _add(_below(Path(one), base), one, found)
        else:
            raise InputError(f"{given[:300]}: no such file or folder; check the path, or write a glob in quotes")
    except (OSError, ValueError) as error:
        raise InputError(f"{given[:300]}: cannot be looked through ({error})") from error


def _find_in_folder(folder: Path, found: _Found) -> None:
    root = folder.resolve()

    def unreadable(error: OSError) -> None:
        place = Path(error.filename or folder)
        name = _below(place, folder)
        found.add(name, str(place), f"the folder cannot be read ({error.strerror})")

    for at, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for one in list(folders):
            if (Path(at) / one).is_symlink():
                folders.remove(one)
                found.notes.append(f"{_below(Path(at) / one, folder)}: a link to a folder, which is not followed")
        for one in sorted(files):
            path = Path(at) / one
            name = _below(path, folder)
            if path.is_symlink() and not _is_inside(path, root):
                found.add(name, str(path), "a link that leads out of the folder, or in a circle, and is not followed")
            elif not path.is_file() and not path.is_symlink():
                found.add(name, str(path), "neither a file nor a folder (a pipe, a socket or a device)")
            else:
                _add(name, str(path), found)


def _is_inside(path: Path, root: Path) -> bool:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return False
    return target == root or root in target.parents


def _find_in_file(path: Path, found: _Found) -> None:
    if path.suffix.lower() in LIST_SUFFIXES and _is_list(path):
        for line in _lines_of(path):
            place = line if is_remote(line) or Path(line).is_absolute() else str(path.parent / line)
            if is_remote(place) or Path(place).is_file():
                found.add(_listed_name(line), place)
            else:
                found.add(_listed_name(line), place, "no such file (named in the list)")
    elif path.suffix.lower() == ".zip" and zipfile.is_zipfile(path):
        for name, fault in _members(path):
            found.add(name, f"{path}{MEMBER}{name}", fault)
    else:
        found.add(_clean(path.name), str(path))


def _is_list(path: Path) -> bool:
    """True where every line that holds something names a file: else the file is itself a document."""
    lines = _lines_of(path)
    near = [is_remote(one) or (path.parent / one).is_file() or Path(one).is_file() for one in lines]
    return bool(lines) and sum(near) * 2 > len(near)


def _lines_of(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return []
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _members(path: Path) -> Iterator[tuple[str, str | None]]:
    with zipfile.ZipFile(path) as packed:
        for info in packed.infolist():
            name = info.filename
            if info.is_dir():
                continue
            if info.flag_bits & 0x1:
                yield name, "the member of the archive is encrypted; unpack it first"
            elif name.startswith(("/", "\\")) or ".." in PurePosixPath(name.replace("\\", "/")).parts or "\0" in name:
                yield name, "the archive names a place outside itself; unpack it yourself where you trust it"
            else:
                yield name, None


def _find_remote(url: str, found: _Found) -> None:
    try:
        import fsspec

        system, path = fsspec.core.url_to_fs(url)
        names = sorted(system.find(path)) if system.isdir(path) else sorted(system.glob(path)) or [path]
        for one in names:
            name = _clean(
                one[len(path) :].lstrip("/") if one.startswith(path.rstrip("/") + "/") else one.rpartition("/")[2]
            )
            _add(name, system.unstrip_protocol(one), found)
    except InputError:
        raise
    except Exception as error:  # whatever a file system of the user's choice raises
        raise InputError(f"{url[:300]}: cannot be looked through ({type(error).__name__}: {error})") from error


def _add(name: str, place: str, found: _Found) -> None:
    last = name.rpartition("/")[2].lower()
    if last in LEFT_OUT or last.startswith(LOCK_STARTS) or any(part.startswith(".") for part in name.split("/")):
        found.left_out += 1
    else:
        found.add(name, place)


def _below(path: Path, base: Path) -> str:
    return _clean(PurePosixPath(os.path.relpath(path, base)).as_posix())


def _listed_name(line: str) -> str:
    plain = PurePosixPath(line.replace("\\", "/"))
    return _clean(plain.name if plain.is_absolute() or is_remote(line) or ".." in plain.parts else plain.as_posix())


def _clean(name: str) -> str:
    """The name as text that can be written: bytes that are no UTF-8 become the replacement character."""
    return name.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
