"""The folders of a store as they lie there: which are sealed, by what, and what their receipts say. Nothing is written.

Folders that a process left behind when it died are read as the next writer would find them: one that is recorded counts
as in place, what it replaces as former.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.audit.verify.chain import Witnesses
from pipeline.audit.verify.links import is_own
from pipeline.store.folders import FORMER, former_place
from pipeline.store.sealed import sealed_folders
from pipeline.store.seals import RECEIPT, SEAL, is_place, read_receipt, read_seal, seal_root
from schemas.errors import RecordError, SchemaVersionError
from schemas.ledger import Receipt, Seal, SignedHead
from schemas.verification import MismatchKind

NEW, OLD = ".new-", ".old-"  # beginnings of folders that are being written, or replaced
PLAIN = ("parsing", "source")  # folders of a document that carry no seal of their own
_UNFINISHED = ("*/{}*", "*/*/{}*")


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder that holds, or should hold, a seal."""

    path: Path
    place: str  # where it lies in the store, with '/' between the parts; of an unfinished one, where it will lie
    seal: Seal | None
    root: str | None  # what the ledger should hold fast of it
    fault: tuple[MismatchKind, str] | None  # why its seal cannot be read
    receipt: Receipt | None
    is_former: bool = False
    unfinished: str | None = None  # NEW or OLD

    @property
    def where(self) -> str:
        """The place of its folder as it is, for messages."""
        if self.unfinished is None:
            return self.place
        parent, _, name = self.place.rpartition("/")
        return f"{parent}/{self.unfinished}{name}"


def read_kept(root: Path, strange: frozenset[Path] = frozenset()) -> tuple[Kept, ...]:
    """Every folder with or without its seal, sorted by path; unfinished ones too. None that a `strange` path leads to.

    `strange` are the links of the store, and what else is neither a file nor a folder of it.
    """
    kept = [_summarise(root, folder, strange) for folder in sealed_folders(root) if is_own(folder, strange)]
    for word in (NEW, OLD):
        found = sorted({path for pattern in _UNFINISHED for path in root.glob(pattern.format(word))})
        kept += [
            _summarise(root, folder, strange, word)
            for folder in found
            if is_own(folder, strange) and folder.is_dir() and folder.name[len(word) :] not in PLAIN
        ]
    return tuple(sorted(kept, key=lambda one: one.path))


def settle_unfinished(kept: Iterable[Kept], recorded: Iterable[str]) -> tuple[Kept, ...]:
    """The folders as the next writer would leave them: `recorded` are the roots of the seals in the ledger."""
    known = set(recorded)
    folders = list(kept)
    new = {one.place for one in folders if one.unfinished == NEW and one.root in known}
    present = {one.place for one in folders if one.unfinished is None} | new
    return tuple(
        replace(one, is_former=True)
        if (one.unfinished is None and one.place in new) or (one.unfinished == OLD and one.place in present)
        else one
        for one in folders
    )


def witnesses_of(kept: Sequence[Kept], heads: Sequence[SignedHead]) -> Witnesses:
    """What receipts and signed heads say of the ledger."""
    ledgers: Counter[str] = Counter()
    hashes: dict[tuple[str, int], set[str]] = defaultdict(set)
    receipts: list[Receipt | SignedHead] = [one.receipt for one in kept if one.receipt]
    for said in (*receipts, *heads):
        ledgers[said.ledger] += 1
        hashes[said.ledger, said.seq].add(said.hash)
    return Witnesses(ledgers, {key: frozenset(found) for key, found in hashes.items()})


def read_files(folder: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files of a folder (name -> bytes), and what else lies in it (name -> why it could not be read)."""
    files: dict[str, bytes] = {}
    odd: dict[str, str] = {}
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        return {}, {"": os.strerror(error.errno or 0)}
    for name in names:
        path = folder / name
        if path.is_symlink():
            odd[name] = "it is a link, not a file"
        elif path.is_dir():
            odd[name] = "it is a folder"
        elif not path.is_file():
            odd[name] = "it is no regular file"
        else:
            try:
                files[name] = path.read_bytes()
            except OSError as error:
                odd[name] = os.strerror(error.errno or 0)
    return files, odd


def is_named_former(root: Path, one: Kept, manifest: bytes) -> bool:
    """True for a former folder that stands where the writer puts it: named by its place and its manifest."""
    place = one.seal.place if one.seal else one.place
    if not is_place(place):
        return False
    return former_place(root, root / place, manifest).name == one.path.name


def sha256(data: bytes) -> str:
    """Hex SHA-256."""
    return hashlib.sha256(data).hexdigest()


def _summarise(root: Path, folder: Path, strange: frozenset[Path], unfinished: str | None = None) -> Kept:
    name = folder.name.removeprefix(unfinished) if unfinished else folder.name
    place = folder.with_name(name).relative_to(root).as_posix()
    seal, fault = None, None
    try:
        seal = read_seal(folder) if folder / SEAL not in strange else None
    except SchemaVersionError as error:
        fault = ("not_upgradable", str(error))
    except RecordError as error:
        fault = ("seal_altered", str(error))
    if folder / SEAL in strange:
        fault = ("seal_altered", f"{folder / SEAL}: is no regular file; restore it from a backup")
    return Kept(
        path=folder,
        place=place,
        seal=seal,
        root=seal_root(seal) if seal else None,
        fault=(fault[0], fault[1].replace(f"{root}{os.sep}", "")) if fault else None,  # type: ignore[arg-type]
        receipt=read_receipt(folder) if folder / RECEIPT not in strange else None,
        is_former=folder.parent.name == FORMER,
        unfinished=unfinished,
    )
