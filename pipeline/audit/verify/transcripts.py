"""The exchanges with a model: each reply on record belongs to its request, and the call cache says the same."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.audit.verify.findings import Findings
from schemas.audit import ModelCall
from schemas.trace import Trace

TRANSCRIPT = "llm_calls.sqlite"  # the call cache of a store
_COMPARED = ("status", "reply", "error", "input_tokens", "cached_tokens", "output_tokens", "api")
_SIDE_FILES = ("-wal", "-shm")


def check_calls(where: str, trace: Trace, cache: sqlite3.Connection | None, findings: Findings) -> None:
    """The calls of one run: the key of each from its request, and the row of the store's cache."""
    absent = 0
    for number, call in enumerate(trace.model_calls, 1):
        findings.made("model calls")
        place = f"{where}/trace.json"
        if key_of(call.request) != call.call_key:
            detail = f"model call {number} ({call.purpose}): its key is not that of its request"
            findings.wrong("transcript_altered", place, detail)
        rows = _rows(cache, call.call_key) if cache is not None else []
        if not rows:
            absent += 1
        elif not any(_is_same(call, row) for row in rows):
            differs = ", ".join(_differences(call, rows[-1])) or "its request"
            detail = f"call {call.call_key[:12]}... ({call.purpose}) differs from the record of {where}: {differs}"
            findings.wrong("transcript_altered", TRANSCRIPT, detail)
        else:
            findings.made("model calls found in the call cache")
    if absent:
        told = f"of {len(trace.model_calls)} model call{'s' if trace.model_calls[1:] else ''} of the run's record"
        detail = f"{told}, {absent} {'is' if absent == 1 else 'are'} not in the call cache"
        findings.note("not_checked", f"{where}/trace.json", detail)


def check_cache(cache: sqlite3.Connection, findings: Findings) -> None:
    """The call cache by itself: SQLite's own check, and the key of every row from its request."""
    try:
        verdict = [row[0] for row in cache.execute("PRAGMA integrity_check(1)")]
        if verdict != ["ok"]:
            findings.wrong("record_altered", TRANSCRIPT, f"the database is damaged: {verdict[0]}")
        for row in cache.execute("SELECT id, call_key, request FROM llm_calls ORDER BY id"):
            findings.made("rows of the call cache")
            if _key_in(row["request"]) != row["call_key"]:
                detail = f"row {row['id']}: the key is not that of the request"
                findings.wrong("transcript_altered", TRANSCRIPT, detail)
    except sqlite3.Error as error:
        findings.wrong("record_altered", TRANSCRIPT, f"the database is damaged: {error}")


def key_of(request: Mapping[str, Any]) -> str:
    """The key of a call by its request: hash of model, messages, schema and limits, as the transcript makes it."""
    question = {name: value for name, value in request.items() if name != "left_out"}
    canonical = json.dumps(question, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


@contextlib.contextmanager
def open_cache(root: Path, findings: Findings) -> Iterator[sqlite3.Connection | None]:
    """The call cache of a store, read without a trace of it; None where there is none.

    What other processes have written and SQLite has not yet moved into the file lies beside it: then a copy is read,
    since reading the file in place would write.
    """
    path = root / TRANSCRIPT
    with contextlib.ExitStack() as stack:
        if path.is_symlink() or not path.is_file():  # a link is told among the links of the store
            yield None
            return
        beside = [path.with_name(path.name + ending) for ending in _SIDE_FILES]
        if any(not one.is_symlink() and one.exists() and one.stat().st_size for one in beside):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            for one in (path, *beside):
                if one.exists() and not one.is_symlink():
                    shutil.copyfile(one, folder / one.name)
            address = str(folder / path.name)
        else:
            address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        try:
            connection = sqlite3.connect(address, uri=address.startswith("file:"))
            stack.callback(connection.close)
            connection.row_factory = sqlite3.Row
            connection.execute("SELECT * FROM llm_calls LIMIT 1").fetchone()
        except sqlite3.Error as error:
            findings.wrong("record_altered", TRANSCRIPT, f"the database cannot be read: {error}")
            yield None
            return
        yield connection


def _rows(cache: sqlite3.Connection, call_key: str) -> list[sqlite3.Row]:
    try:
        return cache.execute("SELECT * FROM llm_calls WHERE call_key = ? ORDER BY id", (call_key,)).fetchall()
    except sqlite3.Error:  # told by `check_cache`
        return []


def _is_same(call: ModelCall, row: sqlite3.Row) -> bool:
    return not _differences(call, row) and _request_in(row["request"]) == call.request


def _differences(call: ModelCall, row: sqlite3.Row) -> list[str]:
    said = dict(row)
    if isinstance(said["reply"], bytes):
        said["reply"] = said["reply"].decode("utf-8", "backslashreplace")
    return [name for name in _COMPARED if said.get(name) != getattr(call, name)]


def _request_in(text: Any) -> dict[str, Any] | None:
    try:
        request = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return request if isinstance(request, dict) else None


def _key_in(text: Any) -> str | None:
    request = _request_in(text)
    return None if request is None else key_of(request)
