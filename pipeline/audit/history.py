"""The history of a store for people: each line of the ledger with what it recorded, in words.

The ledger holds no text. What a line was about is read from the folder that it seals, and only where the seal and the
file that is read are the ones that were sealed; a folder that was erased, taken away or changed is told as such.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal

import pydantic_core

from pipeline.audit.verify.chain import Chain
from pipeline.audit.verify.joining import forgotten_lines
from pipeline.store.folders import FORMER
from pipeline.store.ledger import parse_line, read_lines
from pipeline.store.runs import ANSWER, CASE, REQUEST
from pipeline.store.sealed import sealed_folders
from pipeline.store.seals import read_receipt, read_seal, seal_root
from schemas.errors import RecordError
from schemas.ledger import EntryKind, LedgerEntry, Seal

State = Literal["kept", "replaced", "forgotten", "missing", "altered", "none"]
STATES: dict[State, str] = {
    "kept": "the record lies in its place",
    "replaced": "a later record took its place; it is kept among the former ones",
    "forgotten": "it was erased on request",
    "missing": "the folder that it sealed is not in the store",
    "altered": "the folder is there, and is not the one that was sealed: `lineproof verify` says where",
    "none": "the line seals no folder",
}
SHOWN_HEX = 12  # digits of a hash in a sentence
_RECORD_OF = {"run": REQUEST, "case": CASE, "replay": "replay.json", "review": "review.json"}


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the ledger, resolved."""

    entry: LedgerEntry
    what: str  # in words; the question of a run
    documents: tuple[str, ...]  # doc_ids; empty where none is known
    status: str | None  # of the answer of a run
    place: str | None  # of the folder in the store now
    state: State


@dataclass(frozen=True, slots=True)
class History:
    """The events in the order of the file; `damaged` counts lines that hold no entry and that none declares torn."""

    ledger: str | None
    line_count: int
    damaged: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class _Folders:
    """The sealed folders of a store, by the number of the line that their receipts name; 0 without a receipt."""

    root: Path
    by_seq: Mapping[int, list[Path]]
    by_seal: dict[str, tuple[Path, Seal]] = field(default_factory=dict)  # all, once one lay where no receipt told


def read_history(root: Path, *, last: int | None = None, kinds: Sequence[EntryKind] = ()) -> History:
    """The events of a store's ledger, of some kinds and only the last ones where so asked; empty without a ledger.

    Raises StoreError when the ledger cannot be read.
    """
    lines = read_lines(root)
    parsed = [parse_line(line) for line in lines]
    entries = [entry for entry in parsed if entry is not None]
    wanted = [entry for entry in entries if not kinds or entry.kind in kinds]
    wanted = wanted[max(len(wanted) - last, 0) :] if last is not None else wanted
    forgotten = forgotten_lines(Chain(entries={entry.seq: entry for entry in entries}))
    folders = _folders_of(root) if any(entry.seal for entry in wanted) else _Folders(root, {})
    return History(
        ledger=entries[0].ledger if entries else None,
        line_count=len(parsed),
        damaged=_undeclared(lines, parsed),
        events=tuple(_event(entry, folders, forgotten) for entry in wanted),
    )


def _undeclared(lines: Sequence[bytes], parsed: Sequence[LedgerEntry | None]) -> int:
    """How many lines hold no entry; those that the next entry declares unfinished, by their length, do not count."""
    count, pending = 0, list[bytes]()
    for line, entry in zip(lines, parsed, strict=True):
        if entry is None:
            pending.append(line)
            continue
        declared = entry.torn.byte_count if entry.torn is not None else -1
        sizes = list(
            accumulate(len(each) + 1 for each in reversed(pending))
        )  # of the last one, two, ... with their ends
        count += len(pending) - (sizes.index(declared + 1) + 1 if declared + 1 in sizes else 0)
        pending = []
    return count + len(pending)


def _folders_of(root: Path) -> _Folders:
    by_seq: dict[int, list[Path]] = defaultdict(list)
    for folder in sealed_folders(root):
        receipt = read_receipt(folder)
        by_seq[receipt.seq if receipt is not None else 0].append(folder)
    return _Folders(root, by_seq)


def _folder_of(entry: LedgerEntry, folders: _Folders) -> tuple[Path, Seal] | None:
    """The folder whose seal is that of the line, whatever its receipt says; None without one."""
    for folder in folders.by_seq.get(entry.seq, []):
        seal, root = _read_seal(folder)
        if seal is not None and root == entry.seal:
            return folder, seal
    if not folders.by_seal:
        for folder in (each for several in folders.by_seq.values() for each in several):
            seal, root = _read_seal(folder)
            if seal is not None:
                folders.by_seal.setdefault(root, (folder, seal))
    return folders.by_seal.get(str(entry.seal))


def _read_seal(folder: Path) -> tuple[Seal | None, str]:
    """The seal of a folder and its root; one that is damaged is the seal of no line."""
    try:
        seal = read_seal(folder)
        return seal, seal_root(seal) if seal is not None else ""
    except (RecordError, ValueError):
        return None, ""


def _event(entry: LedgerEntry, folders: _Folders, forgotten: Mapping[int, int]) -> Event:
    if entry.seal is None:
        return Event(entry, _told_by_facts(entry), (), None, None, "none")
    found = _folder_of(entry, folders)
    if found is None:
        receipts = folders.by_seq.get(entry.seq, [])
        state: State = "forgotten" if entry.seq in forgotten else "altered" if receipts else "missing"
        what = f"erased on request by line {forgotten[entry.seq]}" if state == "forgotten" else ""
        place = receipts[0].relative_to(folders.root).as_posix() if receipts and state == "altered" else None
        return Event(entry, what, (), None, place, state)
    folder, seal = found
    place = folder.relative_to(folders.root).as_posix()
    record, answer = (_sealed_json(folder, seal, name) for name in (_RECORD_OF[seal.kind], ANSWER))
    if record is None and _RECORD_OF[seal.kind] in seal.files:
        return Event(entry, "", tuple(seal.documents), None, place, "altered")
    what = _told_by_record(seal, record or {})
    status = answer.get("status") if answer and entry.kind == "run" else None
    state = "replaced" if FORMER in folder.relative_to(folders.root).parts else "kept"
    return Event(entry, what, tuple(seal.documents), str(status) if status else None, place, state)


def _sealed_json(folder: Path, seal: Seal, name: str) -> dict[str, Any] | None:
    """The record of a file, if its bytes are those that were sealed."""
    try:
        data = (folder / name).read_bytes()
        value = pydantic_core.from_json(data)
    except (OSError, ValueError):
        return None
    return value if hashlib.sha256(data).hexdigest() == seal.files.get(name) and isinstance(value, dict) else None


def _told_by_record(seal: Seal, record: Mapping[str, Any]) -> str:
    if seal.kind == "run":
        return str(record.get("text", ""))
    if seal.kind == "case":
        return str(record.get("question", ""))
    if seal.kind == "replay":
        changed = ", ".join(f"{name} {value}" for name, value in (record.get("changed") or {}).items())
        outcome = "identical" if record.get("identical") else "not identical"
        return f"{record.get('of')}: {f'with another {changed}' if changed else 'as it was'}, {outcome}"
    verdicts = {"accept": "accepted", "reject": "rejected", "correct": "corrected"}
    verdict = verdicts.get(str(record.get("verdict")), "reviewed")
    return f"{record.get('run')}: {verdict} by {record.get('reviewer')}: {record.get('reason')}"


def _told_by_facts(entry: LedgerEntry) -> str:
    facts = entry.facts
    if entry.kind == "dictionary":
        before, after = (str(facts.get(name) or "")[:SHOWN_HEX] for name in ("sha256_before", "sha256_after"))
        return f"{facts.get('name')} {facts.get('version') or ''}: {before or 'none'} -> {after}"
    if entry.kind == "anchor":
        return f"line {facts.get('seq')} signed by the key {facts.get('key_id')}"
    if entry.kind == "forget":
        return f"erased what these lines recorded: {facts.get('seqs') or 'none'}"
    return ", ".join(f"{name} {value}" for name, value in sorted(facts.items()))
