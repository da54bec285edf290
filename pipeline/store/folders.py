"""Folders of files that become visible as a whole: written beside, synced, renamed; read with their hashes checked.

How a record is replaced, all under the lock of its folder:

1. `.new-<name>` is written with all files and the manifest; files and folder are synced.
2. A sealed folder is recorded in the ledger (`pipeline.store.sealed`).
3. `<name>`, if there is one, is renamed to `.old-<name>`; `.new-<name>` is renamed to `<name>`; the parent is synced.
4. `.old-<name>` is deleted, or moved to `former` where what was there before is kept.

A process that dies leaves at most `.new-<name>` (deleted by the next reader or writer, or put in place if the ledger
names its seal) or `.old-<name>` without `<name>` (put back). So what was reported done is never lost.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pipeline.store.disk import LOCKS, STORE_OPTION, locked, sync_folder, write_error
from pipeline.store.seals import SEAL, recorded_as, write_receipt
from schemas.errors import RecordError, StoreError

FORMER = "former"  # folder of what was replaced, beside the folders of one document
FORMER_HEX = 12  # hex digits in its name; a clash needs millions of former runs of one question
MANIFEST = "complete.json"  # file name -> SHA-256, sorted; no clock in it
__all__ = [
    "LOCKS",
    "MANIFEST",
    "STORE_OPTION",
    "Record",
    "former_place",
    "locked",
    "moved_aside",
    "open_store",
    "put_in_place",
    "read_folder",
    "recover",
    "stage_folder",
    "sync_folder",
    "write_error",
    "write_folder",
]

_ALWAYS_KEPT = ("parsing",)  # runs rest on the parsing of then, whoever finishes what a dead process left

Record = Callable[[Path], object]


def open_store(root: str | os.PathLike[str], *, option: str = STORE_OPTION) -> Path:
    """The root of the store, made if it is not there and found writable; `option` is what chose it, for messages.

    Raises StoreError when it cannot be made or written.
    """
    path = Path(root)
    try:
        (path / LOCKS).mkdir(parents=True, exist_ok=True)
        writable = os.access(path, os.W_OK)
    except OSError as error:
        raise write_error(path, error, option=option) from error
    if not writable:
        code = errno.EROFS if os.statvfs(path).f_flag & os.ST_RDONLY else errno.EACCES
        raise write_error(path, OSError(code, os.strerror(code)), option=option)
    return path


def write_folder(
    root: Path, folder: Path, files: Mapping[str, bytes], *, record: Record | None = None, keep_former: bool = False
) -> dict[str, str]:
    """Put a folder of `files` (name -> bytes) in its place, whole; gives the SHA-256 of each.

    A folder that was there before is replaced, with `keep_former` moved to `former_place`. On failure the former one
    stays and nothing half written remains. `record` is called with the folder of the new files before it is put in
    place: what it writes into the ledger makes the folder valid from then on.

    Raises StoreError when the disk is full, may not be written, or another process holds the lock too long.
    """
    fresh, former = _beside(folder, "new"), moved_aside(folder)
    with locked(root, folder):
        try:
            hashes = _write_fresh(root, folder, files, keep_former=keep_former)
            if record is not None:
                record(fresh)
            if folder.exists():
                folder.rename(former)
            fresh.rename(folder)
            sync_folder(folder.parent)
        except OSError as error:
            raise write_error(folder, error) from error
        finally:
            with contextlib.suppress(OSError, StoreError):
                recover(root, folder, keep_former=keep_former)
            _drop_empty(root, folder)
    return hashes


def stage_folder(root: Path, folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files of a sealed folder beside its place and sync them; gives the hidden folder that holds them.

    Only under the lock of the document. What the ledger then records of it comes into place by `put_in_place`, or by
    the next reader; what it does not is deleted.

    Raises StoreError when it cannot be written.
    """
    try:
        _write_fresh(root, folder, files, keep_former=False)
    except OSError as error:
        with contextlib.suppress(OSError, StoreError):
            recover(root, folder)
        raise write_error(folder, error) from error
    return _beside(folder, "new")


def put_in_place(root: Path, folders: Sequence[Path]) -> None:
    """Give staged folders, which the ledger has recorded, their places; what was there before is kept.

    Only under the lock of the document. Raises StoreError when that cannot be done.
    """
    for folder in folders:
        former = moved_aside(folder)
        try:
            if folder.exists():
                folder.rename(former)
            _beside(folder, "new").rename(folder)
            if former.exists():
                _keep(root, folder, former)
        except OSError as error:
            raise write_error(folder, error) from error
    for parent in sorted({folder.parent for folder in folders}):
        try:
            sync_folder(parent)
        except OSError as error:
            raise write_error(parent, error) from error


def _write_fresh(root: Path, folder: Path, files: Mapping[str, bytes], *, keep_former: bool) -> dict[str, str]:
    """The SHA-256 of the files that now lie, synced, in the hidden folder beside `folder`."""
    hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
    manifest = json.dumps({"files": hashes}, indent=1).encode() + b"\n"
    fresh = _beside(folder, "new")
    folder.parent.mkdir(parents=True, exist_ok=True)
    recover(root, folder, keep_former=keep_former)
    fresh.mkdir()
    for name, data in {**files, MANIFEST: manifest}.items():
        _write_synced(fresh / name, data)
    sync_folder(fresh)
    return hashes


def read_folder(root: Path, folder: Path, *, as_is: bool = False) -> dict[str, bytes] | None:
    """The files of a folder (name -> bytes), each checked against the manifest; None when there is no such folder.

    What a dead process left half done is finished or undone first. `as_is`: nothing is written, not even a lock, and a
    folder that was moved aside before another took its place is read where it lies.

    Raises RecordError, naming the file, when one is missing or was changed after it was written.
    """
    if as_is:
        lying = next((one for one in (folder, moved_aside(folder)) if one.is_dir()), None)
        return None if lying is None else _read_checked(lying)
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(StoreError, OSError):  # a store that may not be written is read without a lock
            if (root / LOCKS).is_dir() and os.access(root, os.W_OK):
                stack.enter_context(locked(root, folder))
                recover(root, folder)
        return _read_checked(folder) if folder.is_dir() else None


def _read_checked(folder: Path) -> dict[str, bytes]:
    files = {}
    for name, expected in _read_manifest(folder).items():
        path = folder / name
        try:
            files[name] = path.read_bytes()
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)
            raise RecordError(f"{path}: cannot be read ({why}); {_remedy(folder)}") from error
        if hashlib.sha256(files[name]).hexdigest() != expected:
            raise RecordError(f"{path}: was changed or damaged after it was written; {_remedy(folder)}")
    return files


def _read_manifest(folder: Path) -> dict[str, str]:
    path = folder / MANIFEST
    try:
        hashes = json.loads(path.read_bytes())["files"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise RecordError(f"{path}: the list of files is missing or broken; {_remedy(folder)}") from error
    plain = isinstance(hashes, dict) and all(
        isinstance(value, str) and name == Path(name).name for name, value in hashes.items()
    )
    if not plain:
        raise RecordError(f"{path}: the list of files is broken; {_remedy(folder)}")
    return dict(hashes)


def _remedy(folder: Path) -> str:
    return f"restore it from a backup, or delete the folder {folder} and run again to have it made anew"


def recover(root: Path, folder: Path, *, keep_former: bool = False) -> None:
    """Finish or undo what a dead process left half done; only called under the lock.

    Raises StoreError when the ledger, which says whether it was recorded, cannot be read; OSError for the disk.
    """
    fresh, former = _beside(folder, "new"), moved_aside(folder)
    recorded = recorded_as(root, fresh) if fresh.exists() else None
    if recorded is not None:
        write_receipt(fresh, recorded)  # the process may have died before it, or while it wrote it
        if folder.exists():
            folder.rename(former)
        fresh.rename(folder)
    if former.exists():
        if not folder.exists():
            former.rename(folder)
        elif keep_former or folder.name in _ALWAYS_KEPT or (former / SEAL).exists():
            _keep(root, folder, former)
        else:
            shutil.rmtree(former)
    if fresh.exists():
        shutil.rmtree(fresh)


def former_place(root: Path, folder: Path, manifest: bytes) -> Path:
    """Where a folder is kept when another takes its place: by the first 12 hex of its manifest's SHA-256."""
    name = f"{folder.name}_{hashlib.sha256(manifest).hexdigest()[:FORMER_HEX]}"
    return root / folder.relative_to(root).parts[0] / FORMER / name


def moved_aside(folder: Path) -> Path:
    """Where a folder lies from when it is moved out of its place until another is in it."""
    return _beside(folder, "old")


def _keep(root: Path, folder: Path, former: Path) -> None:
    try:
        manifest = (former / MANIFEST).read_bytes()
    except FileNotFoundError:  # somebody took it away: what is left is kept all the same
        manifest = b""
    place = former_place(root, folder, manifest)
    if place.exists():  # the very same
        shutil.rmtree(former)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    former.rename(place)
    sync_folder(place.parent)


def _drop_empty(root: Path, folder: Path) -> None:
    """Take away the folders above one that could not be written, where they hold nothing else."""
    with contextlib.suppress(OSError):  # a folder that holds something stays
        for parent in folder.parents:
            if parent == root:
                break
            parent.rmdir()


def _beside(folder: Path, word: str) -> Path:
    return folder.with_name(f".{word}-{folder.name}")


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
