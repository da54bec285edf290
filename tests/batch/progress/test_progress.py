"""How far a batch is, told in files: a whole record, a log that survives kills, and whether its process still runs."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pipeline.batch.progress import LOG, PROGRESS, EventLog, is_alive, read_log, read_progress, write_progress
from schemas.batch import BatchProgress
from schemas.errors import RecordError, StoreError


def told(**fields: Any) -> BatchProgress:
    """A report of this process."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    given: dict[str, Any] = {
        "batch": "q_1", "state": "running", "started": now, "updated": now, "seconds": 1.0, "process": os.getpid(),
        "host": socket.gethostname(), "documents_done": 1, "documents": 3, "cells_done": 4, "cells": 12,
    }  # fmt: skip
    return BatchProgress(**(given | fields))


def test_progress_comes_back_as_it_was_written_and_leaves_nothing_beside(tmp_path: Path) -> None:
    """The last report stands alone in its folder; before the first there is none."""
    folder = tmp_path / "batches" / "q_1"
    assert read_progress(folder) is None
    write_progress(folder, told())
    write_progress(folder, told(cells_done=8))
    found = read_progress(folder)
    assert found is not None
    assert found.cells_done == 8
    assert [one.name for one in folder.iterdir()] == [PROGRESS]


def test_damaged_progress_is_told_with_its_place(tmp_path: Path) -> None:
    """A file that is no record is no silence."""
    (tmp_path / PROGRESS).write_bytes(b'{"batch": "q')
    with pytest.raises(RecordError, match=r"progress\.json"):
        read_progress(tmp_path)


def test_progress_and_log_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    """A file where the folder should be: an error of the store, not a traceback."""
    (tmp_path / "taken").write_text("x")
    with pytest.raises(StoreError):
        write_progress(tmp_path / "taken", told())
    with pytest.raises(StoreError):
        EventLog(tmp_path / "taken").write("begun", {})


def test_this_process_is_alive_until_it_says_that_it_ended() -> None:
    """A report of this process, before and after its end."""
    assert is_alive(told()) is True
    assert is_alive(told(state="stopping")) is True
    assert is_alive(told(state="ended")) is False
    assert is_alive(told(state="stopped")) is False


def test_a_process_of_another_machine_cannot_be_seen() -> None:
    """Neither alive nor dead."""
    assert is_alive(told(host="elsewhere")) is None


def test_numbers_that_are_no_process_cannot_be_seen() -> None:
    """0 would mean the group of this process: it is not looked for."""
    assert is_alive(told(process=0)) is None
    assert is_alive(told(process=2**70)) is None


@pytest.mark.skipif(os.name != "posix", reason="processes are looked for on POSIX systems alone")
def test_a_process_that_ended_is_not_alive_even_before_it_is_waited_for() -> None:
    """A killed process that nobody waited for keeps its number, and is dead nevertheless."""
    if not Path("/proc/stat").exists():
        pytest.skip("the system has no /proc, which tells the state of a process")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_alive(told(process=process.pid)) is False
    assert is_alive(told(process=process.pid)) is False


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="the system has no /proc, which tells when a process began")
def test_a_younger_process_with_the_same_number_is_not_taken_for_it() -> None:
    """A report from long before the process with its number began."""
    before = (datetime.now(UTC) - timedelta(days=20_000)).isoformat(timespec="seconds")
    assert is_alive(told(started=before, updated=before)) is False


def test_events_come_back_in_order_with_their_times(tmp_path: Path) -> None:
    """A line an event, each a JSON object of ASCII letters alone."""
    log = EventLog(tmp_path)
    log.write("begun", {"documents": 2})
    log.write("document", {"document": "año\u2028\x1b[31m\n.pdf"})
    events = list(read_log(tmp_path))
    assert [one["event"] for one in events] == ["begun", "document"]
    assert events[1]["document"] == "año\u2028\x1b[31m\n.pdf"
    assert datetime.fromisoformat(events[0]["at"]) <= datetime.fromisoformat(events[1]["at"])
    assert (tmp_path / LOG).read_bytes().isascii()


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_torn_line_costs_no_other_event(tmp_path: Path, cut: int) -> None:
    """Wherever a kill tears the last line, what stands before it and what is written after it comes back."""
    log = EventLog(tmp_path)
    log.write("first", {})
    whole = (tmp_path / LOG).read_bytes()
    torn = json.dumps({"at": "x", "event": "second"}).encode()[: cut * 3]
    (tmp_path / LOG).write_bytes(whole + torn)
    assert [one["event"] for one in read_log(tmp_path)] in (["first"], ["first", "second"])
    EventLog(tmp_path).write("third", {})
    EventLog(tmp_path).write("fourth", {})
    names = [one["event"] for one in read_log(tmp_path)]
    assert [one for one in names if one != "second"] == ["first", "third", "fourth"]


def test_lines_that_are_no_events_are_passed_over(tmp_path: Path) -> None:
    """Zeros of a lost block, a bare number, JSON too deep to read: none of them ends the reading."""
    deep = b"[" * 100_000
    (tmp_path / LOG).write_bytes(b"\0\0\0\n7\n" + deep + b'\n{"event": "ended"}\n\xff\n')
    assert [one["event"] for one in read_log(tmp_path)] == ["ended"]
    assert list(read_log(tmp_path / "nothing")) == []
