"""The workers of a run on Ray: those that start, those that are free, those at work."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from pipeline.batch.engines.ray_cluster import Joined
from pipeline.batch.engines.ray_worker import RayWorker, Standing, environment_of_work, standing_here
from pipeline.batch.work import Setup, Task, TaskLost, TaskResult, TaskStarted
from schemas.errors import PipelineError, SettingsError, StoreError

WAIT_SECONDS = 1.0  # between two looks whether the user asked to stop
START_SECONDS = 180.0  # without any worker, until the batch gives up: a node may be on its way
LEAVE_SECONDS = 10.0  # for free workers to remove their folders
MAX_STARTS = 3  # of workers in a row that end before they are ready


@dataclass(frozen=True, slots=True)
class Died:
    """A task whose worker is gone."""

    task: Task
    tries: int
    how: str
    too_long: bool = False


@dataclass(slots=True)
class _Seat:
    """A worker; `waits` is what it is asked for: to be ready, or for a task."""

    number: int
    actor: Any
    waits: Any
    since: float
    task: Task | None = None
    tries: int = 0


Came = TaskResult | TaskLost | PipelineError | Died


class Seats:
    """The workers of a run; the `with` statement ends them.

    A worker whose node died is started anew where there is room. While there is none it waits, and the others go on.
    """

    def __init__(
        self,
        joined: Joined,
        work: str,
        setup: Setup,
        *,
        count: int,
        task_seconds: float | None,
        worker_bytes: int,
    ) -> None:
        self._ray, self._folder, self._work, self._count = joined.ray, joined.folder, work, count
        self._setup = self._ray.put((setup, environment_of_work()))
        self._must = standing_here(setup)
        self._task_seconds, self._worker_bytes = task_seconds, worker_bytes
        self._starting: list[_Seat] = []
        self._free: list[_Seat] = []
        self._busy: list[_Seat] = []
        self._failed, self._alone_since = 0, time.monotonic()

    def __enter__(self) -> Self:
        for number in range(self._count):
            self._start(number)
        return self

    def __exit__(self, *_: object) -> None:
        leaving = [seat.actor.leave.remote() for seat in self._free]
        with suppress(self._ray.exceptions.RayError):
            if leaving:
                self._ray.wait(leaving, num_returns=len(leaving), timeout=LEAVE_SECONDS)
        for seat in (*self._starting, *self._free, *self._busy):
            self._end(seat)

    @property
    def busy_count(self) -> int:
        """Workers at work."""
        return len(self._busy)

    def has_free(self) -> bool:
        """True while a worker is ready for a task."""
        return bool(self._free)

    def begin(self, task: Task, shipped: Task, tries: int) -> TaskStarted:
        """Give a task, as it is `shipped`, to a worker that is free."""
        seat = self._free.pop()
        seat.task, seat.tries, seat.since = task, tries, time.monotonic()
        seat.waits = seat.actor.do.remote(shipped)
        self._busy.append(seat)
        return TaskStarted(task.number, f"ray {seat.number}")

    def wait(self) -> list[Came]:
        """What ended, after a while at the latest.

        Raises SettingsError where a worker runs another Lineproof, StoreError where no worker comes.
        """
        seats = {seat.waits: seat for seat in (*self._busy, *self._starting)}
        ended: list[Came] = []
        ready = self._ray.wait(list(seats), num_returns=1, timeout=WAIT_SECONDS)[0] if seats else ()
        for one in ready:
            seat = seats[one]
            if seat.task is None:
                self._welcome(seat)
            else:
                ended.append(self._fetch(seat))
        ended += self._overdue()
        self._look_whether_any_is_left()
        return ended

    def _start(self, number: int) -> None:
        remote = self._ray.remote(num_cpus=1, max_restarts=0, max_concurrency=1, scheduling_strategy="SPREAD")
        actor = remote(RayWorker).remote(self._work, self._setup, self._folder)
        self._starting.append(_Seat(number, actor, actor.standing.remote(), time.monotonic()))

    def _welcome(self, seat: _Seat) -> None:
        """Take a worker that is ready, or that never became so."""
        self._starting.remove(seat)
        try:
            standing: Standing = self._ray.get(seat.waits)
        except self._ray.exceptions.RayError as error:
            self._failed += 1
            if self._failed >= MAX_STARTS * self._count:
                raise StoreError(f"no worker can be started on the Ray cluster: {_first_words(error)}") from error
            self._start(seat.number)
            return
        if told := _differences(standing, self._must):
            self._end(seat)
            raise SettingsError(
                f"a worker of the Ray cluster on {standing.host} is not as this machine: {'; '.join(told)}. Install "
                "the same Lineproof, packages and models on all nodes"
            )
        self._failed = 0
        self._free.append(seat)

    def _fetch(self, seat: _Seat) -> Came:
        task, errors = seat.task, self._ray.exceptions
        self._busy.remove(seat)
        if task is None:
            raise RuntimeError("a worker at work has a task")
        seat.task = None
        try:
            came: TaskResult | TaskLost | PipelineError = self._ray.get(seat.waits)
        except errors.RayTaskError as error:  # what a worker does not catch: its task cannot be read there
            self._free.append(seat)
            return TaskLost(task.number, "an unexpected fault, please report it", detail=str(error))
        except errors.RayError as error:
            self._end(seat)
            self._start(seat.number)
            return Died(task, seat.tries, _first_words(error))
        if isinstance(came, TaskResult) and came.peak_bytes > self._worker_bytes:
            self._replace(seat)
        else:
            self._free.append(seat)
        return came

    def _overdue(self) -> Iterable[Died]:
        now = time.monotonic()
        for seat in list(self._busy):
            if self._task_seconds is None or now - seat.since <= self._task_seconds or seat.task is None:
                continue
            self._busy.remove(seat)
            self._end(seat)
            self._start(seat.number)
            yield Died(seat.task, seat.tries, f"it took longer than {self._task_seconds:g} s", too_long=True)

    def _replace(self, seat: _Seat) -> None:
        """A worker that took much memory gives it back."""
        with suppress(self._ray.exceptions.RayError):
            self._ray.wait([seat.actor.leave.remote()], timeout=LEAVE_SECONDS)
        self._end(seat)
        self._start(seat.number)

    def _end(self, seat: _Seat) -> None:
        with suppress(self._ray.exceptions.RayError, ValueError):  # a dead one need not be ended
            self._ray.kill(seat.actor)

    def _look_whether_any_is_left(self) -> None:
        if self._free or self._busy:
            self._alone_since = time.monotonic()
        elif time.monotonic() - self._alone_since > START_SECONDS:
            raise StoreError(
                f"the Ray cluster gave no worker for {START_SECONDS:g} s: it needs a node with a free CPU; see "
                "`ray status`, or use --engine local"
            )


def _differences(theirs: Standing, ours: Standing) -> list[str]:
    """What a worker has otherwise than this process, in words."""
    told = [
        f"{name} {theirs.versions.get(name, 'is missing')}, here {version}"
        for name, version in ours.versions.items()
        if theirs.versions.get(name) != version
    ]
    if theirs.code_sha256 != ours.code_sha256:
        told.append(
            f"its source files of Lineproof have the hash {theirs.code_sha256[:12]}, here {ours.code_sha256[:12]}"
        )
    if theirs.searched_by != ours.searched_by:
        told.append(f"it searches by {', '.join(theirs.searched_by) or 'no model'}, here {', '.join(ours.searched_by)}")
    return told


def _first_words(error: Exception) -> str:
    """The first line of what Ray says; it goes on for a page."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)[:200]
