"""How far a batch is, in files that others may read: `progress.json`, and `log.jsonl` with an event a line."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.store.files import read_file
from pipeline.store.folders import write_error
from schemas.batch import BatchProgress
from schemas.errors import RecordError

PROGRESS, LOG = "progress.json", "log.jsonl"


def write_progress(folder: Path, progress: BatchProgress) -> None:
    """Put the progress in place of the former one; not synced: it is of use only while the batch runs.

    Raises StoreError when it cannot be written.
    """
    path = folder / PROGRESS
    beside = path.with_name(f".{PROGRESS}.{os.getpid()}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(progress.to_json())
        beside.replace(path)
    except OSError as error:
        raise write_error(path, error) from error


def read_progress(folder: Path) -> BatchProgress | None:
    """The progress as it was last written; None for a batch that wrote none.

    Raises RecordError where it is damaged.
    """
    path = folder / PROGRESS
    data = read_file(path)
    return None if data is None else BatchProgress.from_json(data, where=str(path))


def is_alive(progress: BatchProgress) -> bool | None:
    """True while its process runs; None where that is another machine's, and cannot be seen from here."""
    if progress.state in ("ended", "stopped"):
        return False
    if progress.host != socket.gethostname():
        return None
    try:
        os.kill(progress.process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


class EventLog:
    """The log of a batch: one JSON object a line, {"at", "event", ...}; no text of a document stands in it."""

    def __init__(self, folder: Path) -> None:
        """Appends to what former sessions wrote."""
        self._path = folder / LOG

    def write(self, event: str, facts: Mapping[str, Any]) -> None:
        """Append one event.

        Raises StoreError when it cannot be written.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": at, "event": event, **facts}, ensure_ascii=True)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(line.encode() + b"\n")
        except OSError as error:
            raise write_error(self._path, error) from error


def read_log(folder: Path) -> Iterator[dict[str, Any]]:
    """The events in order; a torn line, which a killed process leaves, is passed over.

    Raises RecordError when the file cannot be read.
    """
    data = read_file(folder / LOG)
    for line in (data or b"").splitlines():
        with suppress(ValueError):
            event = json.loads(line)
            if isinstance(event, dict):
                yield event


__all__ = ["LOG", "PROGRESS", "EventLog", "RecordError", "is_alive", "read_log", "read_progress", "write_progress"]
