"""Folders of files that become visible as a whole: written beside, synced, renamed; read with their hashes checked.

How a record is replaced, all under the lock of its folder:

1. `.new-<name>` is written with all files and the manifest; files and folder are synced.
2. `<name>`, if there is one, is renamed to `.old-<name>`; `.new-<name>` is renamed to `<name>`; the parent is synced.
3. `.old-<name>` is deleted.

A process that dies leaves at most `.new-<name>` (never valid, deleted by the next writer) or `.old-<name>` without
`<name>` (put back by the next reader or writer). So what was reported done is never lost.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from filelock import FileLock, Timeout

from schemas.errors import RecordError, StoreError

MANIFEST = "complete.json"  # file name -> SHA-256, sorted; no clock in it
LOCK_SECONDS = 60.0  # longest wait for another process; a folder takes well under a second to write
LOCKS = ".locks"  # folder of the lock files, under the root of the store
STORE_OPTION = "--store"  # by which a user chooses the folder, unless the caller says otherwise
_ADVICE: Mapping[int, str] = {
    errno.ENOSPC: "the disk is full: free some space or choose another folder with {option}",
    errno.EDQUOT: "the disk quota is used up: free some space or choose another folder with {option}",
    errno.EFBIG: "the file would exceed the size allowed to this process: raise the limit (ulimit -f)",
    errno.EROFS: "the file system is read-only: choose another folder with {option}",
    errno.EACCES: "no permission: change the rights of the folder or choose another one with {option}",
    errno.EPERM: "no permission: change the rights of the folder or choose another one with {option}",
    errno.ENOTDIR: "a part of the path is a file, not a folder: choose another folder with {option}",
    errno.EEXIST: "a file stands where a folder is needed: choose another folder with {option}",
    errno.ENAMETOOLONG: "the path is too long: choose a shorter one with {option}",
}


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


def write_folder(root: Path, folder: Path, files: Mapping[str, bytes]) -> dict[str, str]:
    """Put a folder of `files` (name -> bytes) in its place, whole; gives the SHA-256 of each.

    A folder that was there before is replaced. On failure the former one stays and nothing half written remains.

    Raises StoreError when the disk is full, may not be written, or another process holds the lock too long.
    """
    hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
    manifest = json.dumps({"files": hashes}, indent=1).encode() + b"\n"
    fresh, former = _beside(folder, "new"), _beside(folder, "old")
    with locked(root, folder):
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            _recover(folder)
            fresh.mkdir()
            for name, data in {**files, MANIFEST: manifest}.items():
                _write_synced(fresh / name, data)
            sync_folder(fresh)
            if folder.exists():
                folder.rename(former)
            fresh.rename(folder)
            sync_folder(folder.parent)
        except OSError as error:
            raise write_error(folder, error) from error
        finally:
            with contextlib.suppress(OSError):
                _recover(folder)
            _drop_empty(root, folder)
    return hashes


def read_folder(root: Path, folder: Path) -> dict[str, bytes] | None:
    """The files of a folder (name -> bytes), each checked against the manifest; None when there is no such folder.

    Raises RecordError, naming the file, when one is missing or was changed after it was written.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(StoreError, OSError):  # a store that may not be written is read without a lock
            if (root / LOCKS).is_dir() and os.access(root, os.W_OK):
                stack.enter_context(locked(root, folder))
                _recover(folder)
        return _read_checked(folder) if folder.is_dir() else None


@contextlib.contextmanager
def locked(root: Path, folder: Path, *, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the lock of `folder` against other processes that share the store; freed when a process dies.

    All folders of one document share a lock: a writing takes milliseconds, and lock files do not grow with questions.

    Raises StoreError when another process holds it for longer than `seconds`.
    """
    path = root / LOCKS / f"{Path(os.path.relpath(folder, root)).parts[0]}.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=seconds)
        lock.acquire()
    except Timeout as error:
        raise StoreError(
            f"{folder}: another process has held this record for more than {seconds:g} s; wait for it or end it, then "
            f"run again (lock file: {path})"
        ) from error
    except OSError as error:
        raise write_error(path, error) from error
    try:
        yield
    finally:
        lock.release()


def write_error(path: Path, error: OSError, *, option: str = STORE_OPTION) -> StoreError:
    """The StoreError for an operating-system error: what could not be written, why, what to do.

    `option` is the one by which the user chose the place.
    """
    why = os.strerror(error.errno) if error.errno else str(error)
    advice = _ADVICE.get(error.errno or 0, "check the folder or choose another one with {option}")
    return StoreError(f"{path}: cannot be written ({why}); {advice.format(option=option)}")


def sync_folder(folder: Path) -> None:
    """Make renames durable; a system whose folders cannot be opened (Windows) has no such call."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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


def _recover(folder: Path) -> None:
    """Undo what a dead process left half done; only called under the lock."""
    fresh, former = _beside(folder, "new"), _beside(folder, "old")
    if former.exists():
        if folder.exists():
            shutil.rmtree(former)
        else:
            former.rename(folder)
    if fresh.exists():
        shutil.rmtree(fresh)


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
