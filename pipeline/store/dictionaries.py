"""A store's own dictionaries: put in force whole, the version before kept beside in `history`.

How one is put in force, under the lock of the folder: the new file is written beside (`.<name>.toml.new`) and synced,
the change is recorded in the ledger, the file is renamed. So a change in force is always on record. One that was
recorded when its process died comes into force at the next change or verification (`settle_dictionaries`); until then
the one before stays in force, and each run records by hash which one it used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.store.files import read_file, replace_file
from pipeline.store.folders import locked, open_store, sync_folder, write_error
from pipeline.store.ledger import append, read_entries
from schemas.errors import PipelineError, StoreError
from schemas.ledger import Fact

if TYPE_CHECKING:
    from dictionaries import Dictionaries

FOLDER = "dictionaries"  # of a store's own dictionary files
USED = "used"  # in it: every file that a run used, by SHA-256
HISTORY = "history"  # in it: what was in force before
HASH_LENGTH = 8  # hex digits of SHA-256 in the name of a former version
MAX_VERSION_CHARS = 40  # of a version in a file name
_PENDING = ".*.toml.new"  # files that are about to come into force, as `replace_file` names them
_NO_BRACES = str.maketrans("{}", "()")  # the ledger tells an unfinished line by its braces
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9.+-]+")


def own_dictionaries(store: str | os.PathLike[str]) -> Path:
    """The folder of a store's own dictionary files; it need not be there."""
    return Path(store) / FOLDER


def save_dictionary(
    store: str | os.PathLike[str],
    name: str,
    content: bytes,
    *,
    former: bytes | None,
    former_version: str = "",
    version: str = "",
) -> Path:
    """Put a dictionary in force in a store, recorded in its ledger with both hashes; gives its path.

    `former` are the bytes that were in force when the edit was looked at, the store's own or the shipped ones: they
    are kept in `history` first. `version` is that of the new one, for the ledger.

    Raises StoreError when the store cannot be written, or another process put something else in force meanwhile;
    RecordError when the ledger is damaged. The one before then stays in force.
    """
    root = open_store(store)
    path = root / FOLDER / f"{name}.toml"
    facts = {
        "name": name,
        "version": version[:MAX_VERSION_CHARS].translate(_NO_BRACES),
        "sha256_before": _sha256(former) if former is not None else None,
        "sha256_after": _sha256(content),
    }
    with locked(root, path.parent):
        _settle(root)
        present = read_file(path)
        if present is not None and present != former:
            raise StoreError(
                f"{path}: was changed by another process meanwhile; nothing was written: look at it and run again"
            )
        if former is not None:
            replace_file(path.parent / HISTORY / former_name(name, former, former_version), former)
        try:
            replace_file(path, content, record=lambda: append(root, "dictionary", facts=facts))
        except PipelineError:
            with contextlib.suppress(PipelineError, OSError):  # the first error is the one to tell
                _settle(root)
            raise
    return path


def settle_dictionaries(root: Path) -> tuple[str, ...]:
    """Names of the dictionaries that came into force now, recorded when their process died; unrecorded are deleted.

    Raises StoreError when the store cannot be written or its ledger not be read.
    """
    folder = root / FOLDER
    if not any(folder.glob(_PENDING)):
        return ()
    with locked(root, folder):
        return _settle(root)


def _settle(root: Path) -> tuple[str, ...]:
    """As `settle_dictionaries`, under the lock; a file that was edited by hand since the record stays in force."""
    done = []
    for pending in sorted((root / FOLDER).glob(_PENDING)):
        name = pending.name.removeprefix(".").removesuffix(".toml.new")
        path, content = pending.with_name(f"{name}.toml"), read_file(pending)
        recorded = _last_change(root, name)
        try:
            if content is None or recorded is None or recorded["sha256_after"] != _sha256(content):
                pending.unlink(missing_ok=True)
                continue
            present = read_file(path)
            if present is not None and _sha256(present) != recorded["sha256_before"]:
                replace_file(path.parent / HISTORY / former_name(name, content, str(recorded["version"])), content)
                pending.unlink()
                continue
            pending.replace(path)
            sync_folder(path.parent)
        except OSError as error:
            raise write_error(path, error) from error
        done.append(name)
    return tuple(done)


def _last_change(root: Path, name: str) -> dict[str, Fact] | None:
    """What the ledger says of the last change of a dictionary; None where it knows of none."""
    changes = [entry.facts for entry in read_entries(root) if entry.kind == "dictionary"]
    return next((facts for facts in reversed(changes) if facts.get("name") == name), None)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def keep_used(root: Path, dictionaries: Dictionaries) -> None:
    """Keep each dictionary file that a run used, once, by its SHA-256: a later replay reads the words of then.

    Dictionaries that were made in memory, or changed on disk since they were read, have no file to keep.

    Raises StoreError when they cannot be written.
    """
    folder = root / FOLDER / USED
    missing = [source for source in dictionaries.sources if not (folder / f"{source.sha256}.toml").exists()]
    if not missing:
        return
    from dictionaries.loading import dictionary_paths

    paths = dictionary_paths(overlay=root / FOLDER)
    with locked(root, root / FOLDER):
        for source in missing:
            content = read_file(paths[source.name]) if source.name in paths else None
            if content is not None and _sha256(content) == source.sha256:
                replace_file(folder / f"{source.sha256}.toml", content)


def former_name(name: str, content: bytes, version: str) -> str:
    """`NAME_<version>_<sha8>.toml`: the file that keeps a former version."""
    plain = _NOT_IN_NAMES.sub("-", version)[:MAX_VERSION_CHARS].strip(".-") or "0"
    return f"{name}_{plain}_{hashlib.sha256(content).hexdigest()[:HASH_LENGTH]}.toml"
