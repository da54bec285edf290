"""The tasks of a batch in processes of this machine: a bad document takes one down, never the batch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from pipeline.batch.engines.capacity import PROCESS_BYTES, count_processes
from pipeline.batch.engines.room import MAX_TRIES, Died, Room, RoomSettings
from pipeline.batch.engines.worker import DO_TASK
from pipeline.batch.work import Event, Setup, Task, TaskLost, TaskResult
from schemas.errors import PipelineError

__all__ = ["PROCESS_BYTES", "TASK_SECONDS", "WORKER_BYTES", "LocalExecutor", "count_processes"]

TASK_SECONDS = 3_600.0  # longest time for one document; a scan of a thousand pages takes half of it
WORKER_BYTES = 2_000_000_000  # resident memory above which a worker is replaced before its next task


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
        self._work, self._settings = work, RoomSettings(task_seconds, worker_bytes)

    def run(self, setup: Setup, tasks: Iterable[Task], *, stopping: Callable[[], bool]) -> Iterator[Event]:
        """What becomes of the tasks; see `Executor.run`.

        Raises StoreError where workers cannot be started, and the errors that concern the whole batch.
        """
        room = Room(self._work, setup, self._settings)
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
                ended, faults = _told(room.wait(), again)
                yield from ended  # before a fault is raised: what is done need not be done by the next session
                if faults:
                    raise faults[0]
            is_done = True
        finally:
            room.leave(kill=not is_done)


def _told(
    came: list[TaskResult | TaskLost | PipelineError | Died], again: deque[tuple[Task, int]]
) -> tuple[list[TaskResult | TaskLost], list[PipelineError]]:
    """What is to be told of tasks that ended, and what ends the batch; tasks to be tried once more go to `again`."""
    ended: list[TaskResult | TaskLost] = []
    faults: list[PipelineError] = []
    for one in came:
        if isinstance(one, PipelineError):
            faults.append(one)
        elif not isinstance(one, Died):
            ended.append(one)
        elif one.tries < MAX_TRIES and not one.too_long:
            again.append((one.task, one.tries))
        else:
            ended.append(TaskLost(one.task.number, f"the process that read it was lost: {one.how}"))
    return ended, faults
