"""What every writing in the store shares: locks, synced folders, and errors that say what to do."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from filelock import FileLock, Timeout

from schemas.errors import StoreError

LOCK_SECONDS = 60.0  # longest wait for another process; a folder takes well under a second to write
LOCKS = ".locks"  # folder of the lock files, under the root of the store
LEDGER = "ledger.jsonl"  # under the root of a store; where it is, the store holds records
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

_NOT_ALLOWED = (errno.EROFS, errno.EACCES, errno.EPERM)
_OWN_STORE = (
    "the store that holds the records is read-only here, and another one does not hold them: make it writable, or work "
    "on a copy of the whole store and name that with --store"
)


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
    if option == STORE_OPTION and error.errno in _NOT_ALLOWED and _is_of_store(path):
        return StoreError(f"{path}: cannot be written ({why}); {_OWN_STORE}")
    advice = _ADVICE.get(error.errno or 0, "check the folder or choose another one with {option}")
    return StoreError(f"{path}: cannot be written ({why}); {advice.format(option=option)}")


def _is_of_store(path: Path) -> bool:
    """True for a place in a store that holds records already."""
    return any((parent / LEDGER).exists() for parent in (path, *path.parents))


def sync_folder(folder: Path) -> None:
    """Make renames durable; a system whose folders cannot be opened (Windows) has no such call."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
