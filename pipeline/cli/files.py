"""Files that a command writes where the user says."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_file(path: Path, content: bytes) -> None:
    """Write a file beside and rename it.

    Raises StoreError where it cannot be written.
    """
    from pipeline.store.folders import write_error

    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):  # the first error is the one to tell
            beside.unlink()
        raise write_error(path, error) from error
