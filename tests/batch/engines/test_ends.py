"""Workers that are killed, crash, grow or hang: every task has one end, and no process is left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.batch.engines import LocalExecutor
from pipeline.batch.engines import worker as worker_module
from pipeline.batch.work import Event, Setup, Task, TaskLost, TaskResult, TaskStarted
from schemas.batch import BatchDocument
from schemas.errors import StoreError

WORK = "tests.batch.engines.work"
ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and process ids of POSIX")


def events_of(folder: Path, work: str, count: int, processes: int = 2) -> Iterator[Event]:
    """What becomes of so many tasks."""
    tasks = (Task(number, BatchDocument(name=f"{number}.txt"), "", ()) for number in range(count))
    executor = LocalExecutor(processes, work=f"{WORK}:{work}")
    return executor.run(Setup(str(folder), "arbiter"), tasks, stopping=lambda: False)


def ends(events: list[Event]) -> dict[int, TaskResult | TaskLost]:
    """The end of each task; fails where one has two."""
    found = [event for event in events if not isinstance(event, TaskStarted)]
    assert len({event.number for event in found}) == len(found)
    return {event.number: event for event in found}


def pids_of(events: list[Event]) -> set[int]:
    """The processes that were told of."""
    return {int(event.worker) for event in events if isinstance(event, TaskStarted)}


@pytest.mark.parametrize("seed", range(2))
def test_kills_at_random_moments(tmp_path: Path, seed: int) -> None:
    """Each task ends once, a lost one was begun twice, and the engine outlives them all."""
    chance, seen = random.Random(seed), []  # noqa: S311 - no secret
    for event in events_of(tmp_path, "brief", 20):
        seen.append(event)
        if isinstance(event, TaskStarted) and chance.random() < 0.2:
            time.sleep(chance.random() * 0.04)  # at the start, in the work, or after it
            kill(int(event.worker), signal.SIGKILL)
    found = ends(seen)
    assert set(found) == set(range(20))
    begun = Counter(event.number for event in seen if isinstance(event, TaskStarted))
    for number, end in found.items():
        assert begun[number] == 2 if isinstance(end, TaskLost) else begun[number] <= 2
        assert isinstance(end, TaskResult) or "SIGKILL" in end.why
    assert not any(is_running(pid) for pid in pids_of(seen))


def test_the_way_a_worker_ended_is_told(tmp_path: Path) -> None:
    """An exit with its code, a crash with the name of the signal; other tasks are not touched."""
    found = ends(list(events_of(tmp_path, "ending", 5)))
    whys = [found[number].why for number in range(3) if isinstance(found[number], TaskLost)]  # type: ignore[union-attr]
    assert [end for end in whys if "lost" not in end] == []
    assert [word in why for word, why in zip(("code 7", "SIGSEGV", "code 3"), whys, strict=True)] == [True] * 3
    assert all(isinstance(found[number], TaskResult) for number in (3, 4))


def test_work_that_is_not_there_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """As an error of the whole batch, not of each document; the reason stands on the error output."""
    with pytest.raises(StoreError, match=r"cannot be started: it ended with code 1"):
        list(events_of(tmp_path, "no_such_work", 3))
    assert "no_such_work" in capfd.readouterr().err


def test_one_process_is_a_process_of_its_own(tmp_path: Path) -> None:
    """A bad document cannot take the batch down, whatever the number of processes; workers are kept."""
    seen = list(events_of(tmp_path, "brief", 4, processes=1))
    assert len(pids_of(seen)) == 1
    assert os.getpid() not in pids_of(seen)
    assert [event.number for event in seen if isinstance(event, TaskResult)] == [0, 1, 2, 3]


@pytest.mark.parametrize("work", ["growing", "failing"])
def test_a_worker_that_grew_or_met_a_fault_is_replaced(tmp_path: Path, work: str) -> None:
    """Before its next task, which costs no task."""
    seen = list(events_of(tmp_path, work, 4, processes=1))
    before, bad, after, last = (int(event.worker) for event in seen if isinstance(event, TaskStarted))
    assert before == bad != after == last
    found = ends(seen)
    assert sum(isinstance(end, TaskResult) for end in found.values()) == (4 if work == "growing" else 3)
    lost = found[1]
    assert work == "growing" or (isinstance(lost, TaskLost) and "in failing" in lost.detail)


def test_a_result_that_cannot_be_handed_over_is_lost(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A bug in one document is told in its row, its trace on the error output."""
    found = ends(list(events_of(tmp_path, "unsendable", 3)))
    assert isinstance(found[1], TaskLost)
    assert "code 1" in found[1].why
    assert "pickle" in capfd.readouterr().err
    assert isinstance(found[0], TaskResult)
    assert isinstance(found[2], TaskResult)


def test_ctrl_c_is_for_the_batch_not_for_its_workers(tmp_path: Path) -> None:
    """A terminal sends it to all of them: the documents in work are finished, none is begun again."""
    program = (
        "import signal, sys\nfrom pathlib import Path\nsignal.signal(signal.SIGINT, lambda *_: None)\n"
        "from tests.batch.engines.test_ends import events_of\n"
        "print(*(type(event).__name__ for event in events_of(Path(sys.argv[1]), 'waiting', 4)))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, tmp_path], cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True, text=True
    )
    until(lambda: len(list(tmp_path.glob("began_*"))) == 2)
    os.killpg(process.pid, signal.SIGINT)
    told, _ = process.communicate()
    assert Counter(told.split()) == {"TaskStarted": 4, "TaskResult": 4}


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError])
def test_a_fault_of_who_listens_ends_the_workers(tmp_path: Path, fault: type[BaseException]) -> None:
    """Also those in the middle of a task."""
    events = events_of(tmp_path, "waiting", 50)
    seen = [next(events) for _ in range(5)]
    with pytest.raises(fault):
        events.throw(fault("told from outside"))  # type: ignore[attr-defined]
    assert pids_of(seen)
    assert not any(is_running(pid) for pid in pids_of(seen))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a worker is left until its library comes back")
def test_a_worker_stuck_in_a_library_ends_with_its_parent(tmp_path: Path) -> None:
    """Kill -9 of the batch leaves no process, though no code of ours can run in it."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom tests.batch.engines.test_ends import events_of\n"
        "list(events_of(Path(sys.argv[1]), 'stuck', 2))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], cwd=ROOT)
    until(lambda: len(list(tmp_path.glob("began_*"))) == 2)
    process.kill()
    process.wait()
    pids = [int(path.name.rpartition("_")[2]) for path in tmp_path.glob("began_*")]
    until(lambda: not any(is_running(pid) for pid in pids))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system tells only what began with the parent")
def test_the_memory_of_a_worker_is_its_own(tmp_path: Path) -> None:
    """A large coordinator does not make each of its workers look large, and have it replaced after each task."""
    program = (
        "import sys\nfrom pathlib import Path\nballast = b'x' * 500_000_000\n"
        "from pipeline.batch.work import TaskResult\nfrom tests.batch.engines.test_ends import events_of\n"
        "print(max(e.peak_bytes for e in events_of(Path(sys.argv[1]), 'brief', 1) if isinstance(e, TaskResult)))\n"
    )
    told = subprocess.run([sys.executable, "-c", program, tmp_path], cwd=ROOT, capture_output=True, check=True)
    assert 10_000_000 < int(told.stdout) < 400_000_000


def test_errors_of_the_whole_batch_come_after_what_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk in one worker does not cost the result that another had ready."""
    from pipeline.batch.engines import local, room

    fault, result = StoreError("the disk is full"), TaskLost(0, "told")
    monkeypatch.setattr(room.Room, "begin", lambda self, task, tries: TaskStarted(task.number, "0"))
    monkeypatch.setattr(room.Room, "count", property(lambda self: 2))
    monkeypatch.setattr(room.Room, "wait", lambda self: [fault, result])
    told: list[Event] = []
    with pytest.raises(StoreError, match="the disk is full"):
        told.extend(iter_into(told, local.LocalExecutor(2).run(Setup("", ""), [], stopping=lambda: False)))
    assert told == [result]


def iter_into(told: list[Event], events: Iterator[Event]) -> list[Event]:
    """All events, put down one by one."""
    for event in events:
        told.append(event)  # noqa: PERF402 - what comes before an error is to be kept
    return []


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something that must come to hold."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.02)


def kill(pid: int, number: int) -> None:
    """Send a signal to a worker that may be gone already."""
    if is_running(pid):
        os.kill(pid, number)


def is_running(pid: int) -> bool:
    """True for a process that is there and no zombie."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_work_of_a_batch_is_named_right() -> None:
    """The default names what is there."""
    assert worker_module.DO_TASK == "pipeline.batch.working:do_task"
    assert callable(worker_module.doer(worker_module.DO_TASK, Setup("", "arbiter")))
