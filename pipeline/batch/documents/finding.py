"""Finds the documents of a batch: every file is a row, and one that cannot be read says why."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

from pipeline.batch.documents.archives import Hashed, add_archive, hash_members, is_archive
from pipeline.batch.documents.folders import add_folder, add_glob
from pipeline.batch.documents.gathering import Gathered
from pipeline.batch.documents.limits import DEFAULT_LIMITS, CollectingSettings
from pipeline.batch.documents.lists import Listed, read_list
from pipeline.batch.documents.metadata import Metadata, join_metadata, read_metadata
from pipeline.batch.documents.places import MEMBER, NO_FILE, hash_of_place, is_remote, reason_of, shown_place
from pipeline.batch.documents.remote import add_remote, local_path
from schemas.batch import BatchDocument
from schemas.errors import InputError, PipelineError

HASHING_THREADS = 8  # remote storage answers late, a disk hardly: hashing itself is never what takes the time
BLOCK = 1_000  # documents handed to the threads at a time


@dataclass(frozen=True, slots=True)
class Collection:
    """What was found. `places` opens each document, by name; `columns` are those of the metadata sheet."""

    documents: tuple[BatchDocument, ...]  # sorted by name, names unique
    places: Mapping[str, str]
    columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def find_documents(
    docs: Sequence[str], *, metadata: Path | None = None, limits: CollectingSettings = DEFAULT_LIMITS
) -> Collection:
    """The documents of folders (with the folders in them), globs, lists of paths, archives and fsspec URLs.

    Hidden files and what systems leave behind are left out, and told in a note. Links that lead out of a folder are
    not followed. A file that cannot be read is a document with a fault; the fault holds no place, so that it is the
    same on every machine.

    Raises InputError when something named is not there, nothing is found, or the metadata sheet has faults: all of them
    at once.
    """
    known = read_metadata(metadata) if metadata is not None else Metadata()
    gathered = Gathered(limits)
    wrong = [why for one in docs if (why := _add(one, gathered)) is not None]
    if wrong:
        raise InputError("\n".join(wrong))
    if not gathered.places:
        raise InputError(f"{', '.join(docs)[:300]}: no document is there; name a folder, a file, a list or an archive")
    hashed = dict(_hash_all(gathered))
    documents, notes = join_metadata([_document(name, hashed[name]) for name in sorted(hashed)], known)
    return Collection(documents, dict(sorted(gathered.places.items())), known.columns, (*gathered.notes(), *notes))


def _document(name: str, hashed: Hashed) -> BatchDocument:
    if isinstance(hashed, str):
        return BatchDocument(name=name, fault=hashed)
    sha256, count = hashed
    return BatchDocument(
        name=name, sha256=sha256, byte_count=count, fault=None if count else "the file is empty (0 bytes)"
    )


def _hash_all(gathered: Gathered) -> Iterator[tuple[str, Hashed]]:
    """Hash and size of each document, or its fault, by name; a piece of each is in memory at a time."""
    yield from gathered.faults.items()
    left = [one for one in gathered.places.items() if one[0] not in gathered.faults]
    members = [one for one in left if MEMBER in one[1]]
    members.sort(key=lambda one: one[1].split(MEMBER, 1)[0])
    for _, group in groupby(members, key=lambda one: one[1].split(MEMBER, 1)[0]):
        yield from hash_members(dict(group), gathered.limits)
    others = iter([one for one in left if MEMBER not in one[1]])
    with ThreadPoolExecutor(HASHING_THREADS, thread_name_prefix="hash") as threads:
        while block := list(islice(others, BLOCK)):
            hashes = threads.map(lambda one: _hash(one[1], gathered.limits), block)
            yield from zip((name for name, _ in block), hashes, strict=True)


def _hash(place: str, limits: CollectingSettings) -> Hashed:
    try:
        return hash_of_place(place, limits=limits)
    except PipelineError as error:
        return str(error).removeprefix(f"{shown_place(place)}: ")


def _add(given: str, gathered: Gathered) -> str | None:
    """Gather what one argument of the command names; why that cannot be done, or None."""
    try:
        local = local_path(given)
        if local is None and is_remote(given):
            add_remote(given, gathered)
        elif not _add_path(local or given, gathered):
            return f"{given[:300]}: no such file or folder; check the path, or write a glob in quotes"
    except (OSError, ValueError) as error:
        return f"{given[:300]}: {reason_of(error)}"
    except InputError as error:
        return str(error)
    return None


def _add_path(given: str, gathered: Gathered) -> bool:
    """True where there is something."""
    path = Path(given)
    if path.is_dir():
        add_folder(path, gathered)
    elif path.is_file():
        entries = read_list(path)
        if not entries:
            _add_file(path, path.name, gathered)
        else:
            gathered.told.append(f"{path.name} is read as a list of {len(entries):,} documents")
            for one in entries:
                _add_listed(one, gathered)
    elif os.path.lexists(path):
        fault = NO_FILE if path.exists() else "a link to nothing, or in a circle"
        gathered.add(path.name, os.path.abspath(path), fault)
    else:
        return bool(glob.has_magic(given) and add_glob(given, gathered))
    return True


def _add_listed(one: Listed, gathered: Gathered) -> None:
    path = Path(one.place)
    if is_remote(one.place):
        gathered.add(one.name, one.place)
    elif path.is_dir():
        add_folder(path, gathered, below=f"{one.name}/")
    elif path.is_file():
        _add_file(path, one.name, gathered, below=f"{one.name}/")
    else:
        gathered.add(one.name, one.place, "no such file (named in the list)")


def _add_file(path: Path, name: str, gathered: Gathered, *, below: str = "") -> None:
    if is_archive(path):
        add_archive(path, gathered, below=below)
    else:
        gathered.add(name, os.path.abspath(path))
