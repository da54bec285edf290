"""A store's own dictionaries: put in force whole, the version before kept beside in `history`."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from pipeline.store.files import read_file, replace_file
from pipeline.store.folders import locked, open_store
from schemas.errors import StoreError

FOLDER = "dictionaries"  # of a store's own dictionary files
HISTORY = "history"  # in it: what was in force before
HASH_LENGTH = 8  # hex digits of SHA-256 in the name of a former version
MAX_VERSION_CHARS = 40  # of a version in a file name
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9.+-]+")


def own_dictionaries(store: str | os.PathLike[str]) -> Path:
    """The folder of a store's own dictionary files; it need not be there."""
    return Path(store) / FOLDER


def save_dictionary(
    store: str | os.PathLike[str], name: str, content: bytes, *, former: bytes | None, former_version: str = ""
) -> Path:
    """Put a dictionary in force in a store; gives its path.

    `former` are the bytes that were in force when the edit was looked at, the store's own or the shipped ones: they
    are kept in `history` first. Everything is written beside, synced and renamed: a process that dies leaves the one
    before in force.

    Raises StoreError when the store cannot be written, or another process put something else in force meanwhile.
    """
    root = open_store(store)
    path = root / FOLDER / f"{name}.toml"
    with locked(root, path.parent):
        present = read_file(path)
        if present is not None and present != former:
            raise StoreError(
                f"{path}: was changed by another process meanwhile; nothing was written: look at it and run again"
            )
        if former is not None:
            replace_file(path.parent / HISTORY / former_name(name, former, former_version), former)
        replace_file(path, content)
    return path


def former_name(name: str, content: bytes, version: str) -> str:
    """`NAME_<version>_<sha8>.toml`: the file that keeps a former version."""
    plain = _NOT_IN_NAMES.sub("-", version)[:MAX_VERSION_CHARS].strip(".-") or "0"
    return f"{name}_{plain}_{hashlib.sha256(content).hexdigest()[:HASH_LENGTH]}.toml"
