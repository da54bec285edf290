"""The transcript of all exchanges with a model, in SQLite: what was sent and what came back, and so the call cache.

A request is written before it is sent and a reply before it is parsed, each with the disk's word that it is there, so
that a crash loses nothing that was paid for. Rows are added and completed, never rewritten or deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from pipeline.llm.wire import Api, Question, Usage
from schemas.audit import ModelCall
from schemas.errors import SchemaVersionError, StoreError

LAYOUT_VERSION = 1  # in SQLite's user_version; raised by one with each change of the table
BUSY_SECONDS = 30.0  # a writer holds the lock for milliseconds; longer means a process hangs, and then we say so
NOT_ON_RECORD = "is not in the transcript, and a replay sends nothing"  # how a record of a replay tells such a call

_LAYOUT = """
CREATE TABLE IF NOT EXISTS llm_calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    call_key TEXT NOT NULL,       -- hash of model, schema, messages and limits
    purpose TEXT NOT NULL,
    prompt_name TEXT NOT NULL,
    model TEXT NOT NULL,
    api TEXT NOT NULL,            -- 'responses' or 'chat'
    request TEXT NOT NULL,        -- JSON: messages, schema, limits; no key, no address
    sent_at TEXT NOT NULL,        -- UTC, ISO 8601
    status TEXT NOT NULL,         -- 'sent', then 'answered' or 'failed'
    reply TEXT,                   -- body of the response, verbatim (bytes where it is not UTF-8)
    error TEXT,                   -- why no reply arrived
    error_kind TEXT,              -- class of that error
    input_tokens INTEGER NOT NULL DEFAULT 0,
    cached_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS llm_calls_by_key ON llm_calls (call_key, status);
"""
_ANSWERED = "SELECT * FROM llm_calls WHERE call_key = ? AND status = 'answered' ORDER BY id DESC LIMIT 1"
_FAILED = "SELECT * FROM llm_calls WHERE call_key = ? AND status = 'failed' ORDER BY id DESC LIMIT 1"


class PastFailure(NamedTuple):
    """Why a call on record got no reply: the class of the error and its message."""

    kind: str
    message: str


class Transcript:
    """All exchanges with a model, kept in the SQLite file at `path`; None keeps them in memory only.

    Safe for several threads and processes. With `offline` nothing is written and nothing may be sent: the replay mode.

    Raises StoreError when the file cannot be opened or is damaged, SchemaVersionError when it is newer than this code.
    """

    def __init__(self, path: Path | str | None, *, offline: bool = False) -> None:
        self.path = None if path is None else Path(path)
        self.offline = offline
        self._lock = threading.RLock()
        self._calls: list[ModelCall] = []
        self._pid = os.getpid()
        self._connection = self._open()
        self._close = weakref.finalize(self, self._connection.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; done by itself when the transcript is no longer used."""
        with self._lock:
            self._close()

    @classmethod
    def replaying(cls, calls: Iterable[ModelCall]) -> Self:
        """A transcript in memory that holds the exchanges of a trace, and from which nothing may be sent."""
        transcript = cls(None, offline=True)
        with transcript._database() as database:
            for call in calls:
                database.execute(
                    "INSERT INTO llm_calls (call_key, purpose, prompt_name, model, api, request, sent_at, status,"
                    " reply, error, error_kind, input_tokens, cached_tokens, output_tokens, seconds, attempts)"
                    " VALUES (?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        call.call_key, call.purpose, call.prompt_name, str(call.request.get("model", "")), call.api,
                        json.dumps(call.request, ensure_ascii=False, sort_keys=True), call.status, call.reply,
                        call.error, call.error_kind or "ModelUnavailableError", call.input_tokens, call.cached_tokens,
                        call.output_tokens, call.seconds, call.attempts,
                    ),
                )  # fmt: skip
        return transcript

    def begin(self, question: Question, api: Api, *, purpose: str, prompt_name: str, left_out: tuple[str, ...]) -> int:
        """The number of a new row for a request that is about to be sent; it is on disk when this returns."""
        request = {**question.as_json(), "left_out": list(left_out)}
        with self._database() as database:
            cursor = database.execute(
                "INSERT INTO llm_calls (call_key, purpose, prompt_name, model, api, request, sent_at, status)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, 'sent')",
                (
                    call_key(question),
                    purpose,
                    prompt_name,
                    question.model,
                    api,
                    json.dumps(request, ensure_ascii=False, sort_keys=True),
                    datetime.now(UTC).isoformat(timespec="milliseconds"),
                ),
            )
            return int(cursor.lastrowid or 0)

    def answer(self, row_id: int, body: bytes, usage: Usage, *, seconds: float, attempts: int) -> ModelCall:
        """The exchange with the reply, which is on disk, verbatim, when this returns."""
        return self._complete(
            row_id,
            "UPDATE llm_calls SET status = 'answered', reply = ?, input_tokens = ?, cached_tokens = ?,"
            " output_tokens = ?, seconds = ?, attempts = ? WHERE id = ?",
            (_storable(body), usage.input_tokens, usage.cached_tokens, usage.output_tokens, seconds, attempts, row_id),
        )

    def fail(self, row_id: int, failure: PastFailure, *, seconds: float, attempts: int) -> ModelCall:
        """The exchange without a reply; it stays on record and is never used as an answer."""
        return self._complete(
            row_id,
            "UPDATE llm_calls SET status = 'failed', error = ?, error_kind = ?, seconds = ?, attempts = ? WHERE id = ?",
            (failure.message, failure.kind, seconds, attempts, row_id),
        )

    def lookup(self, call_key: str) -> ModelCall | None:
        """The call as it was answered once, marked `from_cache`; None where it never was."""
        with self._database() as database:
            row = database.execute(_ANSWERED, (call_key,)).fetchone()
            if row is None:
                return None
            call = _model_call(row, from_cache=True)
            self._calls.append(call)
        return call

    def past_failure(self, call_key: str) -> PastFailure | None:
        """Why the call failed when it was last tried; None where it was never tried."""
        with self._database() as database:
            row = database.execute(_FAILED, (call_key,)).fetchone()
        return None if row is None else PastFailure(row["error_kind"], row["error"])

    def take_over(self, call: ModelCall) -> None:
        """Count a call that another process put on record among those made through this object."""
        with self._lock:
            self._calls.append(call)

    def forget_calls(self) -> None:
        """Let go of the exchanges that `calls` gives; they stay on record. For a process that makes calls all day."""
        with self._lock:
            self._calls.clear()

    def without_reply(self) -> int:
        """How many calls were begun and never ended on record: they may have been paid for."""
        with self._database() as database:
            return int(database.execute("SELECT count(*) FROM llm_calls WHERE status = 'sent'").fetchone()[0])

    def calls(self) -> tuple[ModelCall, ...]:
        """The exchanges made or looked up through this object, in order: what a trace holds."""
        with self._lock:
            return tuple(self._calls)

    def _complete(self, row_id: int, statement: str, values: tuple[Any, ...]) -> ModelCall:
        with self._database() as database:
            database.execute(statement, values)
            row = database.execute("SELECT * FROM llm_calls WHERE id = ?", (row_id,)).fetchone()
            call = _model_call(row, from_cache=False)
            self._calls.append(call)
        return call

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._pid != os.getpid() and self.path is not None:  # SQLite connections must not cross a fork
                self._pid, self._connection = os.getpid(), self._open()
                self._close = weakref.finalize(self, self._connection.close)
            try:
                yield self._connection
            except sqlite3.ProgrammingError:
                raise  # a fault of the caller, such as use after close
            except (sqlite3.Error, ValueError) as error:  # ValueError: a row that holds no JSON, or an unknown status
                raise self._store_error(error) from error

    def _open(self) -> sqlite3.Connection:
        try:
            if self.path is None:
                connection = _connect(":memory:")
            elif self.offline:
                connection = self._open_to_read(self.path)
            else:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                connection = _connect(str(self.path))
        except (sqlite3.Error, OSError) as error:
            raise self._store_error(error) from error
        try:
            self._prepare(connection)
        except sqlite3.Error as error:
            connection.close()
            raise self._store_error(error) from error
        except (StoreError, SchemaVersionError):
            connection.close()
            raise
        return connection

    def _open_to_read(self, path: Path) -> sqlite3.Connection:
        if not path.is_file():
            raise StoreError(f"{path}: there is no transcript to replay; give the store in which the run was made")
        address = path.resolve().as_uri()
        # Where SQLite may not put its lock files beside the file (a read-only bundle), nobody else can write either.
        mode = "mode=ro" if os.access(path.parent, os.W_OK) else "immutable=1"
        return _connect(f"{address}?{mode}")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > LAYOUT_VERSION:
            raise SchemaVersionError(
                f"{self.path}: the transcript has layout {version}, this Lineproof reads up to {LAYOUT_VERSION}; "
                "install a newer Lineproof"
            )
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "llm_calls" not in tables:
            raise StoreError(f"{self.path}: this is a database of another program; choose another store")
        if version == LAYOUT_VERSION or (self.offline and self.path is not None):
            connection.execute("SELECT * FROM llm_calls LIMIT 1").fetchone()
            return
        connection.execute("PRAGMA journal_mode = WAL")  # readers and one writer at a time do not block each other
        connection.executescript(f"BEGIN IMMEDIATE; {_LAYOUT} PRAGMA user_version = {LAYOUT_VERSION}; COMMIT;")

    def _store_error(self, error: Exception) -> StoreError:
        if isinstance(error, sqlite3.OperationalError | OSError) and "malformed" not in str(error):
            return StoreError(
                f"{self.path}: the transcript of model calls cannot be used ({error}); check that the folder can be "
                "written, that the disk has room and that no other process holds the file"
            )
        return StoreError(
            f"{self.path}: the transcript of model calls is damaged ({error}); move the file elsewhere to start a new "
            "one, or restore it from a backup: without it, past runs cannot be replayed"
        )


def call_key(question: Question) -> str:
    """Hex SHA-256 of the question's canonical JSON: model, messages, schema, limits; the same whatever API answers."""
    canonical = json.dumps(question.as_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _connect(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=address.startswith("file:")
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = FULL")  # a commit waits for the disk
    return connection


def _storable(body: bytes) -> str | bytes:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body


def _model_call(row: sqlite3.Row, *, from_cache: bool) -> ModelCall:
    body: str | bytes | None = row["reply"]
    return ModelCall(
        call_key=row["call_key"],
        purpose=row["purpose"],
        api=row["api"],
        request=json.loads(row["request"]),
        reply=body.decode("utf-8", "backslashreplace") if isinstance(body, bytes) else body,
        status=row["status"],
        error=row["error"],
        error_kind=row["error_kind"],
        prompt_name=row["prompt_name"],
        input_tokens=row["input_tokens"],
        cached_tokens=row["cached_tokens"],
        output_tokens=row["output_tokens"],
        seconds=row["seconds"],
        attempts=row["attempts"],
        from_cache=from_cache,
    )
