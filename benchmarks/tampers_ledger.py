"""Ways to tamper with a store's ledger, each with the kinds of mismatch that name it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.tampers import Tamper, entries_of, flip_bit, rechained, rehashed, rewrite_receipts, write_ledger
from pipeline.store.folders import FORMER
from pipeline.store.ledger import LEDGER
from pipeline.store.sealed import sealed_folders
from pipeline.store.seals import read_seal, seal_root
from schemas.ledger import LedgerEntry


def _ledger_bit(root: Path, rng: Random) -> str:
    return f"bit of byte {flip_bit(root / LEDGER, rng)}"


def _ledger_byte_deleted(root: Path, rng: Random) -> str:
    data = (root / LEDGER).read_bytes()
    at = rng.randrange(len(data))
    (root / LEDGER).write_bytes(data[:at] + data[at + 1 :])
    return f"byte {at}"


def _ledger_edit(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    at = rng.randrange(len(entries))
    entries[at] = _edited(entries[at], rng)
    write_ledger(root, entries)
    return f"line {at + 1} of {len(entries)}"


def _ledger_edit_rehashed(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    at = rng.randrange(len(entries))
    entries[at] = rehashed(_edited(entries[at], rng))
    write_ledger(root, entries)
    return f"line {at + 1} of {len(entries)}"


def _ledger_edit_rechained(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    at = rng.randrange(len(entries))
    entries[at] = _edited(entries[at], rng, linked=False)
    write_ledger(root, rechained(entries))
    return f"line {at + 1} of {len(entries)}"


def _ledger_time_rewritten(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    at = rng.randrange(len(entries))
    entries[at] = entries[at].model_copy(update={"at": "2020" + entries[at].at[4:]})
    made = rechained(entries)
    write_ledger(root, made)
    rewrite_receipts(root, made)
    return f"line {at + 1} of {len(entries)}"


def _edited(entry: LedgerEntry, rng: Random, *, linked: bool = True) -> LedgerEntry:
    """The line with one field changed; without `linked` not the hash of the line before, which is made anew."""
    changes: list[Mapping[str, Any]] = [
        {"at": "2020" + entry.at[4:]},
        {"facts": {**entry.facts, "note": "approved"}},
        {"torn": {"byte_count": 3, "sha256": "0" * 64}},
    ]
    changes += [{"prev": hashlib.sha256(entry.prev.encode()).hexdigest()}] if linked else []
    return entry.model_validate({**entry.model_dump(), **rng.choice(changes)})


def _ledger_deleted(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    at = rng.randrange(len(entries) - 1)
    number = rng.randint(1, min(3, len(entries) - 1 - at))
    write_ledger(root, entries[:at] + entries[at + number :])
    return f"{number} from line {at + 1} of {len(entries)}"


def _ledger_swapped(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    one, other = rng.sample(range(len(entries)), 2)
    entries[one], entries[other] = entries[other], entries[one]
    write_ledger(root, entries)
    return f"lines {one + 1} and {other + 1} of {len(entries)}"


def _ledger_repeated(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    entries.insert(rng.randint(0, len(entries)), rng.choice(entries))
    write_ledger(root, entries)
    return "a line once more"


def _ledger_foreign(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    at = rng.randint(0, len(entries))
    like = entries[min(at, len(entries) - 1)]
    entries.insert(at, rehashed(like, ledger=hashlib.sha256(b"other").hexdigest()[:32]))
    write_ledger(root, entries)
    return f"before line {at + 1} of {len(entries) - 1}"


def _ledger_forged(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    at = rng.randint(1, len(entries) - 1)
    forged = rehashed(entries[at], prev=entries[at - 1].hash, facts={"forged": True}, seal=_random_hash(rng))
    entries.insert(at, forged)
    write_ledger(root, entries)
    return f"before line {at + 1} of {len(entries) - 1}"


def _ledger_forged_at_end(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    last = entries[-1]
    entries.append(rehashed(last, seq=last.seq + 1, prev=last.hash, kind="run", seal=_random_hash(rng)))
    write_ledger(root, entries)
    return "a run that was never made"


def _ledger_truncated(root: Path, rng: Random) -> str:
    entries = entries_of(root)
    sealed = {entry.seq for entry in entries if entry.seal}
    left = rng.randrange(0, max(sealed))  # at least one line with a folder goes
    write_ledger(root, entries[:left])
    return f"{left} of {len(entries)} lines left"


def _ledger_cut_in_line(root: Path, rng: Random) -> str:
    data = (root / LEDGER).read_bytes()
    start = data[:-1].rfind(b"\n") + 1
    (root / LEDGER).write_bytes(data[: rng.randrange(start + 1, len(data) - 1)])
    return "within the last line"


def _ledger_truncated_with_folders(root: Path, rng: Random) -> str | None:
    """As careful as it gets: what was replaced is put back, so that the store looks as it did then."""
    entries = entries_of(root)
    seals = {folder: seal for folder in sealed_folders(root) if (seal := read_seal(folder))}
    roots = {folder: seal_root(seal) for folder, seal in seals.items()}
    seqs = {entry.seal: entry.seq for entry in entries if entry.seal}
    left = rng.randrange(1, len(entries))
    gone = [folder for folder in seals if seqs[roots[folder]] > left]
    if any(set(seals[folder].runs.values()) & {roots[one] for one in gone} for folder in set(seals) - set(gone)):
        return None  # a run that stays would rest on one that went
    for folder in gone:
        shutil.rmtree(folder)
    stay = sorted((seqs[roots[folder]], folder) for folder in set(seals) - set(gone) if folder.parent.name == FORMER)
    for _, folder in reversed(stay):
        place = root / seals[folder].place
        if not place.exists():
            folder.rename(place)
    write_ledger(root, entries[:left])
    return f"{left} of {len(entries)} lines left"


def _ledger_garbage(root: Path, rng: Random) -> str:
    garbage = rng.choice([b"{", b"\n", b'{"at":"2026', b"garbage\n", rng.randbytes(20), b"{}\n", b"[]\n"])
    data = (root / LEDGER).read_bytes()
    at = rng.choice([0, len(data), data.find(b"\n") + 1])
    (root / LEDGER).write_bytes(data[:at] + garbage + data[at:])
    return f"{garbage!r} at {at} of {len(data)}"


def _ledger_gone(root: Path, _rng: Random) -> str:
    (root / LEDGER).unlink()
    return "the whole file"


def _ledger_emptied(root: Path, _rng: Random) -> str:
    (root / LEDGER).write_bytes(b"")
    return "no byte left"


def _random_hash(rng: Random) -> str:
    return rng.randbytes(32).hex()


LEDGER_TAMPERS: dict[str, Tamper] = {
    "ledger: a bit": Tamper(_ledger_bit, ("ledger_altered", "ledger_torn", "ledger_inserted")),
    "ledger: a byte deleted": Tamper(_ledger_byte_deleted, ("ledger_altered", "ledger_torn")),
    "ledger: a field edited": Tamper(_ledger_edit, ("ledger_altered",)),
    "ledger: a field edited, its hash too": Tamper(_ledger_edit_rehashed, ("ledger_altered",)),
    "ledger: a field edited, the chain anew": Tamper(_ledger_edit_rechained, ("ledger_altered",)),
    "ledger: a time edited, chain and receipts anew": Tamper(_ledger_time_rewritten, ("anchor_mismatch",), "anchor"),
    "ledger: lines deleted": Tamper(_ledger_deleted, ("ledger_line_missing",)),
    "ledger: lines swapped": Tamper(_ledger_swapped, ("ledger_reordered",)),
    "ledger: a line repeated": Tamper(_ledger_repeated, ("ledger_inserted",)),
    "ledger: a line of another ledger": Tamper(_ledger_foreign, ("ledger_inserted",)),
    "ledger: a forged line put in": Tamper(_ledger_forged, ("ledger_inserted",)),
    "ledger: a forged line at the end": Tamper(_ledger_forged_at_end, ("record_missing",)),
    "ledger: the end cut off": Tamper(_ledger_truncated, ("ledger_truncated",)),
    "ledger: cut within a line": Tamper(_ledger_cut_in_line, ("ledger_torn", "ledger_altered")),
    "ledger: the end cut off with its folders": Tamper(_ledger_truncated_with_folders, ("ledger_truncated",), "anchor"),
    "ledger: bytes added": Tamper(_ledger_garbage, ("ledger_torn", "ledger_inserted", "ledger_altered")),
    "ledger: taken away": Tamper(_ledger_gone, ("ledger_truncated",)),
    "ledger: emptied": Tamper(_ledger_emptied, ("ledger_truncated",)),
}
