"""The tasks of a batch on a Ray cluster: documents go out, sealed runs come back, and one process writes the store.

Workers are actors, one for each CPU that the batch is given; they hold dictionaries and models, as processes of the
local engine do. A worker parses in a folder of its own node and ships what it made with its results, so that nodes need
not share a disk. A worker or a node that dies costs its tasks another try elsewhere; only with the node of this process
the batch itself ends, and goes on with --resume.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.batch.engines.local import TASK_SECONDS, WORKER_BYTES
from pipeline.batch.engines.ray_cluster import Cluster
from pipeline.batch.engines.ray_relay import Relay
from pipeline.batch.engines.ray_seats import Died, Seats
from pipeline.batch.engines.worker import DO_TASK
from pipeline.batch.work import Event, Setup, Task, TaskLost, TaskStarted
from schemas.errors import MissingPackageError, PipelineError

MAX_TRIES = 3  # of a task whose worker died: a node that dies, and then the worker it was given to, are not its fault
HOW_TO_INSTALL = "pip install 'lineproof[ray]'"
Again = deque[tuple[Task, int]]  # tasks to be tried once more, with the tries that they had


class RayExecutor:
    """An `Executor` on a Ray cluster at `address`; without one a cluster is started on this machine and ended."""

    name = "ray"

    def __init__(
        self,
        address: str | None = None,
        *,
        workers: int | None = None,
        work: str = DO_TASK,
        task_seconds: float | None = TASK_SECONDS,
        worker_bytes: int = WORKER_BYTES,
    ) -> None:
        """`workers`: how many actors; without it one for each CPU of the cluster, fewer where memory is small.

        Raises ValueError for fewer than one, MissingPackageError without Ray, SettingsError for what is no address.
        """
        if workers is not None and workers < 1:
            raise ValueError("at least one worker is needed")
        self._cluster = Cluster(_ray(), address)
        self._workers, self._work = workers, work
        self._task_seconds, self._worker_bytes = task_seconds, worker_bytes

    def run(self, setup: Setup, tasks: Iterable[Task], *, stopping: Callable[[], bool]) -> Iterator[Event]:
        """What becomes of the tasks; see `Executor.run`.

        Raises SettingsError where the cluster cannot be reached or runs another Lineproof, StoreError where no worker
        can be started, and the errors that concern the whole batch.
        """
        with ExitStack() as stack:
            joined = stack.enter_context(self._cluster)
            setup = _shared(setup)
            if setup.keeper is not None and not joined.is_own:
                setup = replace(setup, keeper=stack.enter_context(Relay(setup.keeper, joined.host)).address)
            seats = Seats(
                joined, self._work, setup, count=self._workers or joined.count_workers(),
                task_seconds=self._task_seconds, worker_bytes=self._worker_bytes,
            )  # fmt: skip
            stack.enter_context(seats)
            yield from _rounds(seats, iter(tasks), stopping)


def _rounds(seats: Seats, tasks: Iterator[Task], stopping: Callable[[], bool]) -> Iterator[Event]:
    again: Again = deque()
    while True:
        started, is_over = _give(seats, tasks, again, stopping)
        yield from started
        if is_over and not seats.busy_count:
            return
        ended: list[Event] = []
        for came in seats.wait():
            if isinstance(came, PipelineError):
                raise came
            if not isinstance(came, Died):
                ended.append(came)
            elif came.tries < MAX_TRIES and not came.too_long:
                again.append((came.task, came.tries))
            else:
                ended.append(TaskLost(came.task.number, f"the worker that read it was lost: {came.how}"))
        if ended:  # who became free goes on before this process is busy with what came
            started, _ = _give(seats, tasks, again, stopping)
            yield from started
            yield from ended


def _give(
    seats: Seats, tasks: Iterator[Task], again: Again, stopping: Callable[[], bool]
) -> tuple[list[TaskStarted], bool]:
    """Tasks for the workers that are free, and whether there are none left."""
    started: list[TaskStarted] = []
    while seats.has_free() or (stopping() and not again):
        task, tries = again.popleft() if again else (None if stopping() else next(tasks, None), 0)
        if task is None:
            return started, True
        started.append(seats.begin(task, _shipped(task), tries + 1))
    return started, False


def _shared(setup: Setup) -> Setup:
    """The setup for workers that may stand on another machine: with the words of the store's dictionaries."""
    own = Path(setup.store) / "dictionaries"
    words = tuple((path.name, path.read_bytes()) for path in sorted(own.glob("*.toml")))
    return replace(setup, ships_parsings=True, words=words)


def _shipped(task: Task) -> Task:
    """The task with the bytes of its document: the worker may stand on another machine."""
    from pipeline.batch.documents.places import chunks_of, is_remote, open_bytes

    if task.data is not None or is_remote(task.place) or not task.place:
        return task
    try:
        with open_bytes(task.place, name=task.document.name) as stream:
            return replace(task, data=b"".join(chunks_of(stream, task.document.name)))
    except PipelineError:  # the worker meets the same, and tells it in the row of the document
        return task


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingPackageError(f"the engine ray needs the package ray: {HOW_TO_INSTALL}") from error
    return ray
