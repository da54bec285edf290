"""Exchanges with a model that hold text of a document: which rows of the transcript go, and their bytes with them."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pipeline.audit.forgetting.texts import strings_in
from pipeline.llm.transcript import BUSY_SECONDS
from pipeline.run import TRANSCRIPT
from pipeline.values.equality import plain
from schemas.errors import StoreError

_KEY = re.compile(rb'"call_keys?":\s*(?:"([0-9a-f]{64})"|\[([^\]]*)\])')
_HEX = re.compile(rb"[0-9a-f]{64}")
_AT_ONCE = 500  # rows deleted in one statement; SQLite takes at most 999 parameters in old builds


@dataclass(frozen=True, slots=True)
class Calls:
    """Rows of the transcript that go, and how many hold text of the document and stay for runs of others."""

    rows: tuple[int, ...]
    kept: int


def find_calls(
    root: Path, taken: Iterable[Path], remaining: Iterable[Path], texts: Collection[str], questions: Collection[str]
) -> Calls:
    """The rows that no remaining run uses and that the taken folders use, or that hold the document's words.

    The latter are those of runs whose process died, of what-ifs and of counterfactuals, which no folder names. A row
    that the run of another document uses stays: that run's replay needs it, and the same words stand in that document.

    Raises StoreError when the transcript cannot be read.
    """
    path = root / TRANSCRIPT
    if not path.is_file():
        return Calls((), 0)
    own = {key for folder in taken for key in _keys_in(folder)}
    others = {key for folder in remaining for key in _keys_in(folder)}
    asked = frozenset(plain(one) for one in questions)
    rows, kept = [], 0
    with _open(path) as database:
        for row_id, key, request, reply in database.execute("SELECT id, call_key, request, reply FROM llm_calls"):
            if key in others:
                kept += key in own
            elif key in own or _holds(request, reply, texts, asked):
                rows.append(int(row_id))
    return Calls(tuple(rows), kept)


def erase_calls(root: Path, rows: Sequence[int]) -> None:
    """Delete rows so that their bytes are gone from the file and from its log; none of them need be there any more.

    Raises StoreError when another process holds the file: nothing of it is then reported as erased.
    """
    path = root / TRANSCRIPT
    if not path.is_file() or not rows:
        return
    with _open(path) as database:
        database.execute("PRAGMA secure_delete = ON")
        database.execute("BEGIN IMMEDIATE")
        for start in range(0, len(rows), _AT_ONCE):
            part = rows[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(part))
            database.execute(f"DELETE FROM llm_calls WHERE id IN ({marks})", part)  # noqa: S608 - only question marks
        database.execute("COMMIT")
        database.execute("VACUUM")
        (busy, *_) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StoreError(
            f"{path}: another process reads it, so that erased rows are still in its log; end that process and run "
            "again: the erasure is then finished"
        )


def _holds(request: object, reply: object, texts: Collection[str], asked: Collection[str]) -> bool:
    """True where a line of the document or a question put to it stands in what was sent or came back."""
    for body in (request, reply):
        text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
        if not isinstance(text, str):
            continue
        try:
            strings = list(strings_in(json.loads(text)))
        except ValueError:
            strings = [text]
        for one in strings:
            flat = plain(one)
            if any(line in flat for line in texts) or any(question in flat for question in asked):
                return True
    return False


def _keys_in(folder: Path) -> Iterator[str]:
    """The keys of the calls that the records of a folder name."""
    for path in sorted(folder.glob("*.json")):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        for match in _KEY.finditer(data):
            for key in _HEX.findall(match.group()):
                yield key.decode()


@contextmanager
def _open(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        database = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            yield database
        finally:
            database.close()
    except sqlite3.Error as error:
        raise StoreError(
            f"{path}: the transcript of model calls cannot be read or written ({error}); end other processes that use "
            "it, or restore it from a backup, and run again"
        ) from error
