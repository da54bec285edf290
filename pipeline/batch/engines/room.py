"""The workers of a run on this machine: those at work, and those that are free."""

from __future__ import annotations

import pickle
import selectors
import time
from contextlib import suppress
from dataclasses import dataclass

from pipeline.batch.engines.worker import Order
from pipeline.batch.work import Setup, Task, TaskLost, TaskResult, TaskStarted
from pipeline.processes import Program
from schemas.errors import PipelineError, StoreError

MAX_TRIES = 2  # of a task whose worker died: the second by a fresh one; and of starting a worker
START_SECONDS = 300.0  # longest time until a worker is ready; one second is usual
POLL_SECONDS = 0.5  # between two looks at workers that hang
_GONE = (OSError, EOFError, pickle.UnpicklingError, ValueError, AttributeError, ImportError)


@dataclass(frozen=True, slots=True)
class RoomSettings:
    """`task_seconds`: longest time for a task, None without a limit; `worker_bytes`: memory that ends a worker."""

    task_seconds: float | None
    worker_bytes: int


@dataclass(frozen=True, slots=True)
class Died:
    """A task whose worker is gone; `too_long`: it was ended for its time."""

    task: Task
    tries: int
    how: str
    too_long: bool


@dataclass(slots=True)
class _Seat:
    """A worker with what it does; a fresh one is handed its task once it says that it is ready."""

    program: Program
    task: Task
    tries: int
    is_ready: bool
    since: float
    starts: int = 1


class Room:
    """Workers, each with one task at most; all start at the same time, and each is asked for what it did."""

    def __init__(self, work: str, setup: Setup, settings: RoomSettings) -> None:
        self._order, self._settings = Order(work, setup), settings
        self._busy: dict[int, _Seat] = {}
        self._free: list[Program] = []
        self._selector = selectors.DefaultSelector()

    @property
    def count(self) -> int:
        """Workers at work."""
        return len(self._busy)

    def begin(self, task: Task, tries: int) -> TaskStarted:
        """Give a task to a free worker, or to a fresh one.

        Raises StoreError where none can be started.
        """
        seat = None
        while self._free and seat is None:
            program = self._free.pop()
            try:
                program.send(task)
                seat = _Seat(program, task, tries, is_ready=True, since=time.monotonic())
            except OSError:  # it was ended while it waited
                _end(program)
        if seat is None:
            seat = _Seat(self._start(), task, tries, is_ready=False, since=time.monotonic())
        self._watch(seat)
        return TaskStarted(task.number, str(seat.program.pid))

    def wait(self) -> list[TaskResult | TaskLost | PipelineError | Died]:
        """What ended, after a while at the latest.

        Raises StoreError where a worker cannot be started.
        """
        ended: list[TaskResult | TaskLost | PipelineError | Died] = []
        for key, _ in self._selector.select(POLL_SECONDS):
            seat: _Seat = key.data
            if seat.is_ready:
                ended.append(self._fetch(seat))
            else:
                self._hand_over(seat)
        now = time.monotonic()
        for seat in list(self._busy.values()):
            most = self._settings.task_seconds if seat.is_ready else START_SECONDS
            if most is None or now - seat.since <= most:
                continue
            self._leave_alone(seat)
            _end(seat.program)
            how = f"it took longer than {most:g} s"
            if not seat.is_ready:
                raise StoreError(f"a process of the batch cannot be started: {how}")
            ended.append(Died(seat.task, seat.tries, how, too_long=True))
        return ended

    def leave(self, *, kill: bool) -> None:
        """End all workers; `kill`: also those at work."""
        programs = [*self._free, *(seat.program for seat in self._busy.values())]
        for program in programs:
            if kill:
                program.kill()
            program.finish()
        for program in programs:
            program.close()
        self._selector.close()

    def _start(self) -> Program:
        try:
            program = Program("pipeline.batch.engines.worker", "serve")
        except OSError as error:
            raise StoreError(
                f"no process can be started for the batch ({error}); free some memory, or use fewer --processes"
            ) from error
        with suppress(OSError):  # one that ended at once is told when it is looked at
            program.send(self._order)
        return program

    def _hand_over(self, seat: _Seat) -> None:
        """Give a fresh worker its task, now that it is ready; start another where it ended instead."""
        try:
            seat.program.receive()
        except _GONE as error:
            self._leave_alone(seat)
            how = seat.program.how_it_ended()
            _end(seat.program)
            if seat.starts >= MAX_TRIES:
                raise StoreError(f"a process of the batch cannot be started: {how}") from error
            seat.program, seat.starts, seat.since = self._start(), seat.starts + 1, time.monotonic()
            self._watch(seat)
            return
        seat.is_ready, seat.since = True, time.monotonic()
        with suppress(OSError):  # one that ended just now is told when it is looked at again
            seat.program.send(seat.task)

    def _fetch(self, seat: _Seat) -> TaskResult | TaskLost | PipelineError | Died:
        """What a worker hands back; one that has grown, or met a fault that may have left it odd, is replaced."""
        self._leave_alone(seat)
        try:
            came: TaskResult | TaskLost | PipelineError = seat.program.receive()
        except _GONE:
            how = seat.program.how_it_ended()
            _end(seat.program)
            return Died(seat.task, seat.tries, how, too_long=False)
        if isinstance(came, TaskLost) or (
            isinstance(came, TaskResult) and came.peak_bytes > self._settings.worker_bytes
        ):
            seat.program.close()
        else:
            self._free.append(seat.program)
        return came

    def _watch(self, seat: _Seat) -> None:
        self._busy[seat.program.pid] = seat
        self._selector.register(seat.program, selectors.EVENT_READ, seat)

    def _leave_alone(self, seat: _Seat) -> None:
        self._selector.unregister(seat.program)
        del self._busy[seat.program.pid]


def _end(program: Program) -> None:
    """End a worker at once, and free what it holds."""
    program.kill()
    program.close()
