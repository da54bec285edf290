"""The tasks of a batch in processes of this machine: a bad document takes one down, never the batch."""

from __future__ import annotations

import os
import pickle
import selectors
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from pipeline.batch.engines.worker import DO_TASK, Order
from pipeline.batch.work import Event, Setup, Task, TaskLost, TaskResult, TaskStarted
from pipeline.processes import Program
from schemas.errors import PipelineError, StoreError

MAX_TRIES = 2  # of a task whose worker died: the second by a fresh one
TASK_SECONDS = 3_600.0  # longest time for one document; a scan of a thousand pages takes half of it
WORKER_BYTES = 2_000_000_000  # resident memory above which a worker is replaced before its next task
PROCESS_BYTES = 700_000_000  # memory that one worker usually needs: so many fit into a small machine
POLL_SECONDS = 0.5  # between two looks at workers that hang
_GONE = (OSError, EOFError, pickle.UnpicklingError, ValueError, AttributeError, ImportError)


@dataclass(slots=True)
class _Seat:
    """A worker with what it does."""

    program: Program
    task: Task
    since: float
    tries: int


class LocalExecutor:
    """An `Executor` of worker processes; `processes` None: as many as there are cores and memory."""

    name = "local"

    def __init__(
        self,
        processes: int | None = None,
        *,
        work: str = DO_TASK,
        task_seconds: float | None = TASK_SECONDS,
        worker_bytes: int = WORKER_BYTES,
    ) -> None:
        """Raises ValueError for fewer than one process."""
        if processes is not None and processes < 1:
            raise ValueError("at least one process is needed")
        self.processes = processes or count_processes()
        self._work, self._task_seconds, self._worker_bytes = work, task_seconds, worker_bytes

    def run(self, setup: Setup, tasks: Iterable[Task], *, stopping: Callable[[], bool]) -> Iterator[Event]:
        """What becomes of the tasks; see `Executor.run`.

        Raises StoreError where workers cannot be started, and the errors that concern the whole batch.
        """
        room = _Room(self._work, setup, task_seconds=self._task_seconds, worker_bytes=self._worker_bytes)
        waiting = iter(tasks)
        again: deque[tuple[Task, int]] = deque()
        is_done = False
        try:
            while True:
                while room.count < self.processes:
                    task, tries = again.popleft() if again else (None if stopping() else next(waiting, None), 0)
                    if task is None:
                        break
                    yield room.begin(task, tries + 1)
                if not room.count:
                    break
                for ended in room.wait():
                    if isinstance(ended, _Died):
                        if ended.tries < MAX_TRIES and not ended.too_long:
                            again.append((ended.task, ended.tries))
                        else:
                            yield TaskLost(ended.task.number, f"the process that read it was lost: {ended.how}")
                    elif isinstance(ended, PipelineError):
                        raise ended
                    else:
                        yield ended
            is_done = True
        finally:
            room.leave(kill=not is_done)


@dataclass(frozen=True, slots=True)
class _Died:
    task: Task
    tries: int
    how: str
    too_long: bool


class _Room:
    """The workers of a run: those that work, and those that are free."""

    def __init__(self, work: str, setup: Setup, *, task_seconds: float | None, worker_bytes: int) -> None:
        self._order = Order(work, setup)
        self._task_seconds, self._worker_bytes = task_seconds, worker_bytes
        self._busy: dict[int, _Seat] = {}
        self._free: list[Program] = []
        self._selector = selectors.DefaultSelector()

    @property
    def count(self) -> int:
        """Workers at work."""
        return len(self._busy)

    def begin(self, task: Task, tries: int) -> TaskStarted:
        """Give a task to a free worker, or to a fresh one.

        Raises StoreError where two fresh workers end before they begin.
        """
        for _ in range(MAX_TRIES):
            program = self._free.pop() if self._free else self._start()
            try:
                program.send(task)
            except OSError:
                program.kill()
                program.close()
                continue
            seat = _Seat(program, task, time.monotonic(), tries)
            self._busy[program.pid] = seat
            self._selector.register(program, selectors.EVENT_READ, seat)
            return TaskStarted(task.number, str(program.pid))
        raise StoreError("no process can be started for the batch; free some memory, or use fewer --processes")

    def wait(self) -> list[TaskResult | TaskLost | PipelineError | _Died]:
        """What ended, after a while at the latest."""
        ended: list[TaskResult | TaskLost | PipelineError | _Died] = []
        for key, _ in self._selector.select(POLL_SECONDS):
            seat: _Seat = key.data
            ended.append(self._fetch(seat))
        now = time.monotonic()
        for seat in list(self._busy.values()):
            if self._task_seconds is not None and now - seat.since > self._task_seconds:
                self._release(seat)
                seat.program.kill()
                seat.program.close()
                how = f"it took longer than {self._task_seconds:g} s"
                ended.append(_Died(seat.task, seat.tries, how, too_long=True))
        return ended

    def leave(self, *, kill: bool) -> None:
        """End all workers; `kill`: also those at work."""
        programs = [*self._free, *(seat.program for seat in self._busy.values())]
        if kill:
            for program in programs:
                program.kill()
        for program in programs:
            program.close()
        self._selector.close()

    def _start(self) -> Program:
        try:
            program = Program("pipeline.batch.engines.worker", "serve")
            program.send(self._order)
            program.receive()
        except _GONE as error:
            how = program.how_it_ended() if "program" in locals() else str(error)
            raise StoreError(f"a process of the batch cannot be started: {how}") from error
        return program

    def _fetch(self, seat: _Seat) -> TaskResult | TaskLost | PipelineError | _Died:
        self._release(seat)
        try:
            came: TaskResult | TaskLost | PipelineError = seat.program.receive()
        except _GONE:
            how = seat.program.how_it_ended()
            with suppress(OSError):
                seat.program.kill()
            seat.program.close()
            return _Died(seat.task, seat.tries, how, too_long=False)
        if isinstance(came, TaskResult) and came.peak_bytes > self._worker_bytes:
            seat.program.close()
        else:
            self._free.append(seat.program)
        return came

    def _release(self, seat: _Seat) -> None:
        self._selector.unregister(seat.program)
        del self._busy[seat.program.pid]


def count_processes() -> int:
    """How many workers this machine is for: its cores, fewer where its memory is small; at least one."""
    cores = os.cpu_count() or 1
    with suppress(AttributeError):  # not on every system
        cores = len(os.sched_getaffinity(0))
    with suppress(AttributeError, ValueError, OSError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        cores = min(cores, memory // PROCESS_BYTES)
    return max(1, cores)
