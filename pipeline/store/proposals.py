"""The experts' proposals of a store: one file beside its dictionaries, replaced as a whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from pipeline.store.folders import locked, open_store, write_error
from schemas.errors import RecordError
from schemas.proposals import Proposals

FOLDER, FILE = "dictionaries", "proposals.json"


def load_proposals(root: Path) -> Proposals:
    """The proposals of a store; none where it has none.

    Raises RecordError, naming the file, when it was damaged or does not fit its schema.
    """
    path = root / FOLDER / FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Proposals(proposals=())
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror}); check its rights") from error
    return Proposals.from_json(data, where=str(path))


def update_proposals(root: Path, change: Callable[[Proposals], Proposals]) -> Proposals:
    """Put what `change` makes of the proposals in their place, under the lock of the folder; gives it.

    The file is written beside, synced and renamed: a process that dies leaves the former one. What stays equal is not
    written, so a store without proposals stays without the file.

    Raises StoreError when it cannot be written, RecordError when the present file is damaged.
    """
    folder = root / FOLDER
    before = load_proposals(root)
    if change(before) == before:
        return before
    open_store(root)
    with locked(root, folder):
        before = load_proposals(root)
        after = change(before)
        if after == before:
            return after
        fresh = folder / f".new-{FILE}"
        try:
            folder.mkdir(exist_ok=True)
            with fresh.open("wb") as file:  # in place of what a dead process may have left
                file.write(after.to_json())
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(folder / FILE)
            _sync(folder)
        except OSError as error:
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise write_error(folder / FILE, error) from error
    return after


def _sync(folder: Path) -> None:
    """Make the rename durable; a system whose folders cannot be opened (Windows) has no such call."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
