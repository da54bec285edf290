"""Files that a command writes where the user says."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_KIND_BYTES = 4  # first bytes that tell one kind of file from another: PDF, PNG, zip, HTML, the head of a table


def write_file(
    path: Path, content: bytes, *, option: str = "--out", in_store: bool = False, force: bool = False
) -> None:
    """Write a file beside and rename it; `option` is the one by which the user chose the place.

    `in_store` allows the store, where the command itself chose the place; `force` any file in the way.

    Raises InputError for a place in a store, or a file of another kind that is there; StoreError where it cannot be
    written.
    """
    from pipeline.audit.keys import refuse_in_store
    from pipeline.store.folders import write_error

    if not in_store:
        refuse_in_store(path, what="what a command writes")
        if not force:
            _refuse_other_kind(path, content)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):  # the first error is the one to tell
            beside.unlink()
        raise write_error(path, error, option=option) from error


def _refuse_other_kind(path: Path, content: bytes) -> None:
    """Nothing for a new file, an empty one, or one of the kind that is written: a page written anew."""
    from schemas.errors import InputError

    try:
        with path.open("rb") as file:
            there = file.read(_KIND_BYTES)
    except OSError:
        return  # not there, or what keeps it from being written is told then
    if there and there != content[:_KIND_BYTES]:
        raise InputError(f"{path}: is there already and is a file of another kind; name another file, or take it away")
