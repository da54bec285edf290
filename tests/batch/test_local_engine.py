"""The local engine: every task ends in exactly one event, whatever becomes of the process that does it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.batch.engines import LocalExecutor
from pipeline.batch.work import Event, Setup, Task, TaskLost, TaskResult, TaskStarted
from schemas.batch import BatchDocument
from schemas.errors import StoreError

WORK = "tests.batch.work_of_tests"


def tasks(count: int) -> Iterator[Task]:
    """So many tasks."""
    return (Task(number, BatchDocument(name=f"{number}.txt"), "", ()) for number in range(count))


def run(folder: Path, work: str, count: int, **options: object) -> list[Event]:
    """What became of the tasks."""
    executor = LocalExecutor(2, work=f"{WORK}:{work}", **options)  # type: ignore[arg-type]
    return list(executor.run(Setup(str(folder), "arbiter"), tasks(count), stopping=lambda: False))


def ends(events: list[Event]) -> dict[int, Event]:
    """The end of each task; fails where one has two."""
    found = [event for event in events if not isinstance(event, TaskStarted)]
    assert len({event.number for event in found}) == len(found)
    return {event.number: event for event in found}


def test_every_task_is_done_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """All results come, and nothing that a worker prints reaches the output of the batch."""
    found = ends(run(tmp_path, "echo", 9))
    assert set(found) == set(range(9))
    assert all(isinstance(event, TaskResult) for event in found.values())
    assert "noise" not in capfd.readouterr().out


def test_a_killed_worker_costs_no_task(tmp_path: Path) -> None:
    """A task whose worker is killed is done by a fresh one."""
    found = ends(run(tmp_path, "die_once", 10))
    assert set(found) == set(range(10))
    assert all(isinstance(event, TaskResult) for event in found.values())


def test_a_task_that_kills_its_workers_is_told(tmp_path: Path) -> None:
    """Twice killed, a task is lost with its reason; the others are done."""
    found = ends(run(tmp_path, "die_always", 5))
    lost = found[1]
    assert isinstance(lost, TaskLost)
    assert "SIGKILL" in lost.why
    assert sum(isinstance(event, TaskResult) for event in found.values()) == 4


def test_bad_input_and_a_bug_are_told_in_the_row_and_a_full_disk_ends_all(tmp_path: Path) -> None:
    """What a document is to blame for is its row's; what concerns all is raised."""
    found = ends(run(tmp_path, "fail", 3))
    assert isinstance(found[0], TaskResult)
    assert isinstance(found[1], TaskLost)
    assert found[1].why == "the document is no document"
    assert isinstance(found[2], TaskLost)
    assert "ZeroDivisionError" in found[2].why
    with pytest.raises(StoreError, match="the disk is full"):
        run(tmp_path, "fail", 4)


def test_a_task_that_hangs_is_ended(tmp_path: Path) -> None:
    """Beyond its time a task is lost, and is not tried again."""
    found = ends(run(tmp_path, "hang", 3, task_seconds=1.0))
    assert isinstance(found[1], TaskLost)
    assert "longer than" in found[1].why
    assert isinstance(found[2], TaskResult)


def test_tasks_are_taken_only_when_a_worker_is_free(tmp_path: Path) -> None:
    """The collection is not read ahead of the workers, and no task begins once the user asked to stop."""
    taken: list[int] = []

    def counted() -> Iterator[Task]:
        for task in tasks(1_000):
            taken.append(task.number)
            yield task

    results: list[int] = []
    executor = LocalExecutor(2, work=f"{WORK}:echo")
    for event in executor.run(Setup(str(tmp_path), "arbiter"), counted(), stopping=lambda: len(results) >= 3):
        if isinstance(event, TaskResult):
            results.append(event.number)
        assert len(taken) <= len(results) + 2
    assert len(results) == len(taken) < 10


def test_leaving_early_ends_the_workers(tmp_path: Path) -> None:
    """Who stops listening leaves no process behind."""
    events = LocalExecutor(2, work=f"{WORK}:slow").run(
        Setup(str(tmp_path), "arbiter"), tasks(50), stopping=lambda: False
    )
    for event in events:
        if isinstance(event, TaskResult):
            break
    events.close()  # type: ignore[attr-defined]
    pids = {int(path.name.rpartition("_")[2]) for path in tmp_path.glob("began_*")}
    assert pids
    assert not any(is_running(pid) for pid in pids)


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX matter")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    """No orphan works on after kill -9 of the batch."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom tests.batch.test_local_engine import run\n"
        "run(Path(sys.argv[1]), 'slow', 1000)\n"
    )
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], cwd=root)
    until(lambda: len(list(tmp_path.glob("began_*"))) >= 4)
    process.kill()
    process.wait()
    pids = {int(path.name.rpartition("_")[2]) for path in tmp_path.glob("began_*")}
    until(lambda: not any(is_running(pid) for pid in pids))


def until(holds: object, seconds: float = 60.0) -> None:
    """Wait for something that must come to hold."""
    end = time.monotonic() + seconds
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """True for a process that is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
