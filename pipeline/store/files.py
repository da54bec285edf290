"""One small JSON file of the store, read and replaced whole: written beside, synced, renamed, under a lock."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from pipeline.store.folders import STORE_OPTION, sync_folder, write_error
from schemas.errors import RecordError


def read_file(path: Path) -> bytes | None:
    """The bytes of a file; None when there is none.

    Raises RecordError when it cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise RecordError(f"{path}: cannot be read ({why}); restore it or delete it to start anew") from error


def replace_file(
    path: Path, data: bytes, *, option: str = STORE_OPTION, record: Callable[[], object] | None = None
) -> None:
    """Put `data` in the place of a file, whole; on failure the former one stays. The caller holds the lock.

    `option` is the one by which the user chose the place, for messages. `record` is called when all is written and
    nothing is in place yet; from then on the file beside is kept, whatever fails, so that it can still be put in place.

    Raises StoreError when it cannot be written.
    """
    fresh = path.with_name(f".{path.name}.new")  # its ending is not the file's: no reader takes it for one
    recorded = False
    try:
        is_new = not path.parent.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if record is not None:
            sync_folder(path.parent)
            recorded = True
            record()
        fresh.replace(path)
        sync_folder(path.parent)
        if is_new:
            sync_folder(path.parent.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            if not recorded:
                fresh.unlink(missing_ok=True)
        raise write_error(path, error, option=option) from error
