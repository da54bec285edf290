"""What tampers have in common: how a store's records, seals, ledger and receipts are changed to fit one another.

A tamper changes the store at `root` as a careless or a careful hand would, from a single bit to a ledger, seals and
receipts written anew, and gives what it did in words, or None where the store holds nothing to do it to.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pipeline.store.folders import FORMER, MANIFEST
from pipeline.store.ledger import LEDGER, hash_of, parse_line, to_line
from pipeline.store.runs import ANSWER
from pipeline.store.sealed import sealed_folders
from pipeline.store.seals import RECEIPT, SEAL, json_root, read_seal, seal_root
from schemas.ledger import NO_HASH, LedgerEntry, Receipt

TRANSCRIPT = "llm_calls.sqlite"
Act = Callable[[Path, Random], str | None]


@dataclass(frozen=True)
class Tamper:
    """One way to tamper; `named` are the kinds that name it, one of which must be told."""

    act: Act
    named: tuple[str, ...]
    needs: str = "store"  # store: what is stored shows it; stages: only stages done again; anchor: only a signed head
    what: str = ""


def flip_bit(path: Path, rng: Random) -> int:
    """Flip one bit of a file; gives the byte."""
    data = bytearray(path.read_bytes())
    at = rng.randrange(len(data))
    data[at] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    return at


def folders_of(root: Path, *, current: bool = True) -> list[Path]:
    """The sealed folders of runs; without `current` the former ones, too."""
    return [
        path
        for path in sealed_folders(root)
        if (path / ANSWER).exists() and not (current and path.parent.name == FORMER)
    ]


def entries_of(root: Path) -> list[LedgerEntry]:
    """The lines of the ledger."""
    entries = [parse_line(line) for line in (root / LEDGER).read_bytes().split(b"\n")[:-1]]
    return [entry for entry in entries if entry is not None]


def write_ledger(root: Path, entries: Sequence[LedgerEntry]) -> None:
    """The ledger with these lines, as they are."""
    (root / LEDGER).write_bytes(b"".join(map(to_line, entries)))


def rehashed(entry: LedgerEntry, **changes: Any) -> LedgerEntry:
    """The line with changes, and the hash that fits them."""
    changed = entry.model_copy(update=changes)
    return changed.model_copy(update={"hash": hash_of(changed)})


def rechained(entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """The lines numbered and chained anew."""
    made: list[LedgerEntry] = []
    for seq, entry in enumerate(entries, 1):
        made.append(rehashed(entry, seq=seq, prev=made[-1].hash if made else NO_HASH))
    return made


def rewrite_receipts(root: Path, entries: Sequence[LedgerEntry]) -> None:
    """Receipts that fit the ledger."""
    by_seal = {entry.seal: entry for entry in entries if entry.seal}
    for folder in sealed_folders(root):
        seal = read_seal(folder)
        entry = by_seal.get(seal_root(seal)) if seal else None
        if entry is not None:
            receipt = Receipt(ledger=entry.ledger, seq=entry.seq, hash=entry.hash)
            (folder / RECEIPT).write_bytes(receipt.model_dump_json(indent=1).encode() + b"\n")


def patch_manifest(folder: Path, *names: str) -> None:
    """`complete.json` with the hashes that the files have now."""
    listed = json.loads((folder / MANIFEST).read_bytes())["files"]
    for name in names:
        listed[name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / MANIFEST).write_bytes(json.dumps({"files": listed}, indent=1).encode() + b"\n")


def patch_seal(folder: Path, *names: str) -> None:
    """The seal with the hashes and roots that the files have now, and the list of files to it."""
    seal = read_seal(folder)
    if seal is None:
        return
    files, roots = dict(seal.files), dict(seal.roots)
    for name in names:
        data = (folder / name).read_bytes()
        files[name] = hashlib.sha256(data).hexdigest()
        if name in roots:
            roots[name] = json_root(data, name, bytes.fromhex(seal.salt))
    (folder / SEAL).write_bytes(seal.model_copy(update={"files": files, "roots": roots}).to_json())
    patch_manifest(folder, *names, SEAL)


def patch_all(root: Path, folder: Path, *names: str) -> None:
    """Everything that holds these files fast, up to the ledger and all receipts: what a careful holder would do."""
    before = seal_root(read_seal(folder))  # type: ignore[arg-type]
    patch_seal(folder, *names)
    after = seal_root(read_seal(folder))  # type: ignore[arg-type]
    entries = [one.model_copy(update={"seal": after}) if one.seal == before else one for one in entries_of(root)]
    made = rechained(entries)
    write_ledger(root, made)
    rewrite_receipts(root, made)


def edit_json(path: Path, change: Callable[[Any], bool]) -> bool:
    """Change a record in place, written as the store writes it; false where there is nothing to change."""
    fields = json.loads(path.read_bytes())
    if not change(fields):
        return False
    path.write_bytes(json.dumps(fields, indent=1, ensure_ascii=False).encode() + b"\n")
    return True
