"""The ledger of a store: `ledger.jsonl`, one line an event, appended under a lock and synced, never rewritten.

Each line is canonical JSON (RFC 8785) and holds the hash of the line before. A process that dies while it writes, or a
disk that fills up, leaves an unfinished line, which was never reported done: the next line declares its length and its
hash, and it stays in the file. A line that lacks nothing but its end is whole. What an appending costs does not grow
with the file: only its end is read.

The lock is `flock` on a file in the store. It holds between processes of one machine and over NFS from version 4; on a
share that does not honour it, let one machine write.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pydantic_core
from filelock import FileLock, Timeout
from pydantic import ValidationError

from pipeline.store.disk import LEDGER as LEDGER_NAME
from pipeline.store.disk import LOCKS, sync_folder, write_error
from schemas.errors import RecordError, StoreError
from schemas.ledger import NO_HASH, EntryKind, Fact, LedgerEntry, TornTail

LEDGER = LEDGER_NAME
LOCK_SECONDS = 60.0  # a line takes milliseconds; longer means that a process hangs
POLL_SECONDS = 0.005  # between two tries for the lock: as long as a line takes to write and sync
TAIL_BYTES = 65_536  # read from the end to find the last line; a line is some 500 bytes
MAX_INTEGER = 2**53 - 1  # RFC 8785, 3.2.2.3, by I-JSON: numbers are doubles
_LAST_FIELD = b'"torn":'  # of a line, in canonical order


@dataclass(frozen=True, slots=True)
class _Tail:
    """The end of a ledger: its last whole line, if it has any, and the bytes after the newline of it."""

    entry: LedgerEntry | None
    torn: bytes
    ends_line: bool = True  # False: the last line is whole but for its newline


def append(
    root: Path, kind: EntryKind, *, seal: str | None = None, facts: Mapping[str, Fact] | None = None
) -> LedgerEntry:
    """The line that was appended to the ledger of a store; it is on disk when this returns.

    The first line makes the file. An unfinished line at the end is declared in the new one.

    Raises StoreError when it cannot be written or another process holds the ledger too long, RecordError when its last
    line is damaged: nothing is then written. ValueError for facts with a brace: by these an unfinished line is told.
    """
    if any(isinstance(fact, str) and ("{" in fact or "}" in fact) for fact in (facts or {}).values()):
        raise ValueError("facts of a ledger hold no braces")
    return _append(root, kind, [seal], facts=dict(facts or {}))[0]


def append_all(root: Path, kind: EntryKind, seals: Sequence[str]) -> list[LedgerEntry]:
    """Write a line for each seal, in order, with one sync for all; empty for none.

    A process that dies while it writes leaves the first lines whole: these are recorded, the others are not.

    Raises StoreError and RecordError as `append` does.
    """
    return _append(root, kind, seals, facts={}) if seals else []


def _append(root: Path, kind: EntryKind, seals: Sequence[str | None], *, facts: dict[str, Fact]) -> list[LedgerEntry]:
    entries: list[LedgerEntry] = []
    with ledger_lock(root):
        path = root / LEDGER
        tail = _read_tail(path)
        begins_line, is_new = tail.ends_line and not tail.torn, tail.entry is None
        for seal in seals:
            entries.append(_next_entry(tail, kind, seal=seal, facts=facts))
            tail = _Tail(entries[-1], b"")
        lines = b"".join(map(to_line, entries))
        _write(path, (b"" if begins_line else b"\n") + lines, is_new=is_new)
    return entries


def last_entry(root: Path) -> LedgerEntry | None:
    """The last whole line; None for a store without a ledger.

    Raises RecordError when it is damaged.
    """
    return _read_tail(root / LEDGER).entry


def find_seal(root: Path, seal: str) -> LedgerEntry | None:
    """The line that holds fast a record of this seal; None without one. Reads the whole file.

    Raises StoreError when it cannot be read.
    """
    wanted = f'"seal":"{seal}"'.encode()
    for line in read_lines(root):
        if wanted in line:
            entry = parse_line(line)
            if entry is not None and entry.seal == seal:
                return entry
    return None


def read_lines(root: Path) -> list[bytes]:
    """The lines of the ledger without their ends, unchecked, an unfinished one last; empty without a ledger.

    Raises StoreError when it cannot be read.
    """
    path = root / LEDGER
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}); change its rights") from error
    lines = data.split(b"\n")
    return lines[:-1] if not lines[-1] else lines


def read_entries(root: Path) -> tuple[LedgerEntry, ...]:
    """The lines that are whole and hash to what they say, in the order of the file; the chain is not checked."""
    parsed = (parse_line(line) for line in read_lines(root))
    return tuple(entry for entry in parsed if entry is not None)


def parse_line(line: bytes) -> LedgerEntry | None:
    """The entry that a line holds; None where it is no whole line, not canonical, or does not hash to what it says."""
    try:
        entry = LedgerEntry.model_validate(pydantic_core.from_json(line))
        return entry if entry.hash == hash_of(entry) and to_line(entry) == line + b"\n" else None
    except (ValueError, ValidationError):
        return None


def to_line(entry: LedgerEntry) -> bytes:
    """The entry as a line: canonical JSON (RFC 8785) and a newline."""
    return canonical(entry.model_dump(mode="json")) + b"\n"


def hash_of(entry: LedgerEntry) -> str:
    """Hex SHA-256 of the canonical JSON of all fields but `hash`."""
    return hashlib.sha256(canonical(entry.model_dump(mode="json", exclude={"hash"}))).hexdigest()


def canonical(value: Any) -> bytes:
    """Canonical JSON by RFC 8785.

    Raises ValueError for what it cannot hold: numbers beyond 2**53, lone surrogates.
    """
    if _is_plain(value):  # in less than half the time, over all lines of a ledger
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    import rfc8785

    return rfc8785.dumps(value)


def _is_plain(value: Any) -> bool:
    """True where Python's own JSON, with sorted keys, is what RFC 8785 asks: no floats, no large numbers, ASCII keys.

    Both escape the same characters the same way; floats are written differently, and other keys may be sorted so.
    """
    kind = type(value)
    if kind is dict:
        return all(type(key) is str and key.isascii() and _is_plain(each) for key, each in value.items())
    if kind is list:
        return all(map(_is_plain, value))
    return kind is str or kind is bool or value is None or (kind is int and abs(value) <= MAX_INTEGER)


@contextmanager
def ledger_lock(root: Path) -> Iterator[None]:
    """Hold the ledger against other processes; freed when a process dies.

    Raises StoreError when another process holds it for longer than a minute.
    """
    path = root / LOCKS / f"{LEDGER}.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=LOCK_SECONDS)
        lock.acquire(poll_interval=POLL_SECONDS)
    except Timeout as error:
        raise StoreError(
            f"{root / LEDGER}: another process has held the ledger for more than {LOCK_SECONDS:g} s; wait for it or "
            f"end it, then run again (lock file: {path})"
        ) from error
    except OSError as error:
        raise write_error(path, error) from error
    try:
        yield
    finally:
        lock.release()


def _next_entry(tail: _Tail, kind: EntryKind, *, seal: str | None, facts: dict[str, Fact]) -> LedgerEntry:
    last = tail.entry
    torn = TornTail(byte_count=len(tail.torn), sha256=hashlib.sha256(tail.torn).hexdigest()) if tail.torn else None
    blank = LedgerEntry(
        ledger=last.ledger if last else secrets.token_hex(16),
        seq=last.seq + 1 if last else 1,
        kind=kind,
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        seal=seal,
        facts=facts,
        torn=torn,
        prev=last.hash if last else NO_HASH,
        hash=NO_HASH,
    )
    return blank.model_copy(update={"hash": hash_of(blank)})


def _read_tail(path: Path) -> _Tail:
    """The end of the file; a line that lacks only its newline is whole."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise StoreError(f"{path}: is no file, so nothing is recorded; move it away, or restore it from a backup")
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            span = min(size, TAIL_BYTES)
            while True:
                file.seek(size - span)
                data = file.read(span)
                tail = _tail_in(data, path, whole=span == size)
                if tail is not None:
                    return tail
                span = min(size, span * 4)
    except FileNotFoundError:
        return _Tail(None, b"")
    except OSError as error:
        raise write_error(path, error) from error


def _tail_in(data: bytes, path: Path, *, whole: bool) -> _Tail | None:
    """The tail, if `data`, the end of the file, holds enough of it; `whole`: it is the whole file."""
    end = len(data)  # of the line that is looked at
    while True:
        start = data.rfind(b"\n", 0, end) + 1
        if start == 0 and not whole:
            return None
        line = data[start:end]
        entry = parse_line(line)
        if entry is not None:
            return _Tail(entry, data[end + 1 :], ends_line=end < len(data))
        is_last = data[end:] == b"\n"  # what no writing follows has its end from its own
        if not is_unfinished(line) or (is_last and _LAST_FIELD in line):
            raise RecordError(
                f"{path}: the last line of the ledger is damaged, and a line after it would hide that; run "
                "`lineproof verify` to see where, and restore the file from a backup"
            )
        if start == 0:
            return _Tail(None, data)
        end = start - 1


def is_unfinished(line: bytes) -> bool:
    """True for the beginning of a line, or none of it: an object that was opened and never closed.

    NUL bytes stand for what was never written: a loss of power leaves them where a file had already grown.
    """
    begun = line.rstrip(b"\0")
    return not begun or line.startswith(b"\0") or (begun.startswith(b"{") and begun.count(b"{") > begun.count(b"}"))


def _write(path: Path, data: bytes, *, is_new: bool) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        if is_new:
            sync_folder(path.parent)
    except OSError as error:
        raise write_error(path, error) from error
