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

PROGRESS, LOG = "progress.json", "log.jsonl"
SLACK_SECONDS = 2.0  # the times that are compared are told in whole seconds
_STARTED = 19  # in /proc/PID/stat behind the name: the start in clock ticks since boot (man 5 proc)
_ENDED = ("Z", "X", "x")  # states of a process that only waits to be taken off the list


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
    """True while its process runs; None where that cannot be seen: on another machine, on a system without signals.

    A process that got the same number later, or that ended and was not waited for, is not taken for it.
    """
    if progress.state in ("ended", "stopped"):
        return False
    if progress.host != socket.gethostname() or os.name != "posix" or progress.process < 1:
        return None
    try:
        os.kill(progress.process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # another user's, or no number of a process
        return None
    return _began_before(progress.process, datetime.fromisoformat(progress.updated))


def _began_before(process: int, moment: datetime) -> bool:
    """False for a process that began after `moment`, or has ended; a system without /proc tells neither: True."""
    system = Path("/proc/stat")
    if not system.exists():
        return True
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:  # it has ended since it was looked for
        return False
    boot = next(int(one.split()[1]) for one in system.read_text(encoding="utf-8").splitlines() if one[:6] == "btime ")
    began = boot + int(fields[_STARTED]) / os.sysconf("SC_CLK_TCK")
    return fields[0] not in _ENDED and began <= moment.timestamp() + SLACK_SECONDS


class EventLog:
    """The log of a batch: one JSON object a line, {"at", "event", ...}; no text of a document stands in it."""

    def __init__(self, folder: Path) -> None:
        """Appends to what former sessions wrote."""
        self._path = folder / LOG

    def write(self, event: str, facts: Mapping[str, Any]) -> None:
        """Append one event; behind a line that a killed process left torn, on a line of its own.

        Raises StoreError when it cannot be written.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": at, "event": event, **facts}, ensure_ascii=True)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab+") as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(0, end - 1))
                torn = file.read(1) not in (b"", b"\n")
                file.write(b"\n" * torn + line.encode() + b"\n")
        except OSError as error:
            raise write_error(self._path, error) from error


def read_log(folder: Path) -> Iterator[dict[str, Any]]:
    """The events in order; a torn line, which a killed process leaves, is passed over.

    Raises RecordError when the file cannot be read.
    """
    data = read_file(folder / LOG)
    for line in (data or b"").split(b"\n"):
        with suppress(ValueError, RecursionError):
            event = json.loads(line)
            if isinstance(event, dict):
                yield event


__all__ = ["LOG", "PROGRESS", "EventLog", "is_alive", "read_log", "read_progress", "write_progress"]
