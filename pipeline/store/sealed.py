"""Folders of the store that the ledger holds fast: sealed, recorded, then put in place; what they replace is kept.

How such a folder is written, under the lock of its document:

1. `.new-<name>` is written with all files, the seal among them, and the manifest; all is synced.
2. The line with the seal is appended to the ledger and synced; the receipt `entry.json` is written beside the files.
3. `.new-<name>` takes the place of `<name>`; what was there is moved to `former/<name>_<hash of its manifest>`.

A process that dies before the line is whole leaves a folder that was never recorded and is deleted; one that dies after
it leaves a folder that the next reader or writer puts in place. So a recorded event is never lost, and a folder in
place that the ledger does not name was put there by hand.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.store.dictionaries import settle_dictionaries
from pipeline.store.disk import locked
from pipeline.store.folders import FORMER, MANIFEST, former_place, recover, write_folder
from pipeline.store.ledger import append
from pipeline.store.names import CASES, NO_DOCUMENTS, REPLAYS, REVIEWS
from pipeline.store.seals import (
    RECEIPT,
    SEAL,
    Rests,
    is_place,
    is_recorded,
    make_seal,
    read_seal,
    seal_root,
    write_receipt,
)
from schemas.errors import RecordError
from schemas.ledger import Fact, LedgerEntry, SealedKind

_HIDDEN = (".new-", ".old-")  # before the names of folders that are being put in place, and of those they replace
OUTSIDE_MANIFEST = (MANIFEST, RECEIPT)  # files of a folder that its manifest does not list


def save_sealed(
    root: Path,
    folder: Path,
    files: Mapping[str, bytes],
    *,
    kind: SealedKind,
    rests: Rests | None = None,
    facts: Mapping[str, Fact] | None = None,
) -> LedgerEntry:
    """Seal `files` (name -> bytes), record them in the ledger, put them in place of `folder`; gives the line.

    `facts` go into the line in plain: no text of a document, question or answer. A folder that is replaced is kept.

    Raises StoreError when the disk or the ledger cannot be written, RecordError for a damaged ledger; then the former
    folder stays.
    """
    seal = make_seal(files, kind=kind, place=folder.relative_to(root).as_posix(), rests=rests or Rests())
    entries: list[LedgerEntry] = []

    def record(fresh: Path) -> None:
        entry = append(root, kind, seal=seal_root(seal), facts=facts)
        write_receipt(fresh, entry)
        entries.append(entry)

    write_folder(root, folder, {**files, SEAL: seal.to_json()}, record=record)
    return entries[0]


def sealed_folders(root: Path) -> Iterator[Path]:
    """Every folder that holds, or should hold, a seal: runs, cases, replays, reviews, and former ones; sorted."""
    patterns = ("*/questions/*", f"*/{FORMER}/*", f"{CASES}/*", f"{REPLAYS}/*", f"{REVIEWS}/*")
    found = {path for pattern in patterns for path in root.glob(pattern)}
    for path in sorted(found):
        parts = path.relative_to(root).parts
        if parts[0] in NO_DOCUMENTS and parts[0] not in (CASES, REPLAYS, REVIEWS):
            continue
        is_parsing = path.parent.name == FORMER and path.name.startswith("parsing_") and not (path / SEAL).exists()
        if path.is_dir() and path.name != FORMER and not is_parsing and not any(part.startswith(".") for part in parts):
            yield path


def former_folders(root: Path, folder: Path) -> Sequence[Path]:
    """The folders that stood in the place of `folder` before, sorted by name."""
    return sorted(former_place(root, folder, b"").parent.glob(f"{folder.name}_*"))


def find_sealed(root: Path, place: str, seal: str) -> Path | None:
    """The folder that stands, or stood before, at `place` and whose seal has this root; None where there is none.

    One that a dead process left on its way there is found, too.
    """
    if not is_place(place):
        return None
    present = root / place
    hidden = [present.with_name(f"{word}{present.name}") for word in _HIDDEN]
    for folder in (present, *former_folders(root, present), *hidden):
        with contextlib.suppress(RecordError):
            found = read_seal(folder)
            if found is not None and seal_root(found) == seal:
                return folder
    return None


def put_unfinished_in_place(root: Path) -> tuple[Path, ...]:
    """The folders that were recorded when their process died, now in place; unrecorded ones are deleted.

    What they replace is moved to where former folders are kept, if the process died before that. A dictionary whose
    change was recorded comes into force.

    Raises StoreError when the store cannot be written.
    """
    done = []
    for hidden in sorted(path for word in _HIDDEN for deep in ("*", "*/*") for path in root.glob(f"{deep}/{word}*")):
        folder = hidden.with_name(hidden.name.removeprefix(_HIDDEN[0]).removeprefix(_HIDDEN[1]))
        with locked(root, folder):
            if hidden.name.startswith(_HIDDEN[0]) and is_recorded(root, hidden):
                done.append(folder)
            recover(root, folder)
    settle_dictionaries(root)
    return tuple(done)
