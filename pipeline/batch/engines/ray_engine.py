"""The tasks of a batch on a Ray cluster: documents go out, sealed runs come back, and one process writes the store.

Workers are actors, one for each CPU that the batch is given; they hold dictionaries and models, as processes of the
local engine do. A worker keeps what it parses in a folder of its own node and ships it with its results, so that nodes
need not share a disk. A worker or a node that dies costs its tasks another try elsewhere.
"""

from __future__ import annotations

import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline.batch.engines.worker import DO_TASK, doer
from pipeline.batch.work import Event, Setup, Task, TaskLost, TaskResult, TaskStarted
from pipeline.tracing import code_sha256
from schemas.errors import MissingPackageError, PipelineError, SettingsError

MAX_TRIES = 3  # of a task whose worker died: a node that dies may take two workers with it
WAIT_SECONDS = 1.0  # between two looks whether the user asked to stop
NAMESPACE = "lineproof"
HOW_TO_INSTALL = "pip install 'lineproof[ray]'"


@dataclass(slots=True)
class _Seat:
    actor: Any
    task: Task | None = None
    tries: int = 0


class RayExecutor:
    """An `Executor` on a Ray cluster at `address`; without one a cluster is started on this machine and ended."""

    name = "ray"

    def __init__(self, address: str | None = None, *, workers: int | None = None, work: str = DO_TASK) -> None:
        """`workers`: how many actors; without it one for each CPU of the cluster.

        Raises MissingPackageError without Ray.
        """
        try:
            import ray
        except ImportError as error:
            raise MissingPackageError(f"the engine ray needs the package ray: {HOW_TO_INSTALL}") from error
        self._ray: Any = ray
        self._address, self._workers, self._work = address, workers, work

    def run(self, setup: Setup, tasks: Iterable[Task], *, stopping: Callable[[], bool]) -> Iterator[Event]:
        """What becomes of the tasks; see `Executor.run`.

        Raises SettingsError where the cluster cannot be reached or runs another Lineproof, and the errors that concern
        the whole batch.
        """
        was_running = self._connect()
        shipped = self._setup(setup)
        seats: list[_Seat] = []
        try:
            count = self._workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            seats = [_Seat(self._actor(shipped)) for _ in range(count)]
            self._check_code(seats[0])
            yield from self._rounds(seats, shipped, iter(tasks), stopping)
        finally:
            for seat in seats:
                with suppress(Exception):  # a dead actor need not be ended
                    self._ray.kill(seat.actor)
            if not was_running:
                self._ray.shutdown()

    def _rounds(
        self, seats: list[_Seat], setup: Setup, tasks: Iterator[Task], stopping: Callable[[], bool]
    ) -> Iterator[Event]:
        again: deque[tuple[Task, int]] = deque()
        flying: dict[Any, _Seat] = {}
        while True:
            for seat in seats:
                if seat.task is not None:
                    continue
                task, tries = again.popleft() if again else (None if stopping() else next(tasks, None), 0)
                if task is None:
                    break
                seat.task, seat.tries = task, tries + 1
                flying[seat.actor.do.remote(_shipped(task))] = seat
                yield TaskStarted(task.number, f"actor {seats.index(seat)}")
            if not flying:
                return
            ready, _ = self._ray.wait(list(flying), num_returns=1, timeout=WAIT_SECONDS)
            for reference in ready:
                seat = flying.pop(reference)
                task, seat.task = seat.task, None
                if task is None:
                    continue
                came = self._fetch(reference)
                if came is None:
                    seat.actor = self._actor(setup)
                    if seat.tries < MAX_TRIES:
                        again.append((task, seat.tries))
                    else:
                        yield TaskLost(task.number, f"the worker that read it was lost {seat.tries} times")
                elif isinstance(came, PipelineError):
                    raise came
                else:
                    yield came

    def _fetch(self, reference: Any) -> TaskResult | TaskLost | PipelineError | None:
        """What an actor gave; None where it, or its node, is gone."""
        errors = self._ray.exceptions
        try:
            came: TaskResult | TaskLost | PipelineError = self._ray.get(reference)
        except (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError, errors.NodeDiedError):
            return None
        return came

    def _connect(self) -> bool:
        """Join the cluster, or start one; True where this process was in one already.

        Raises SettingsError where it cannot be reached.
        """
        if self._ray.is_initialized():
            return True
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing leaves the machine
        how = {"address": self._address} if self._address else {"include_dashboard": False}
        try:
            self._ray.init(namespace=NAMESPACE, log_to_driver=False, configure_logging=False, **how)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise SettingsError(
                f"the Ray cluster {self._address or 'of this machine'} cannot be used ({error}); check --address"
            ) from error
        return False

    def _setup(self, setup: Setup) -> Setup:
        """The setup for workers that may stand on another machine: with the words of the store's dictionaries.

        Raises SettingsError for what cannot be shared between machines.
        """
        if setup.keeper is not None and self._address is not None:
            raise SettingsError(
                "calls to a model are sent by one process of this machine, which workers on other machines cannot "
                "reach yet; use --no-model with --address, or --engine local with a model"
            )
        own = Path(setup.store) / "dictionaries"
        words = tuple((path.name, path.read_bytes()) for path in sorted(own.glob("*.toml")))
        return replace(setup, ships_parsings=True, words=words)

    def _actor(self, setup: Setup) -> Any:
        remote = self._ray.remote(num_cpus=1, max_restarts=0, max_concurrency=1)(_Worker)
        return remote.remote(self._work, setup)

    def _check_code(self, seat: _Seat) -> None:
        theirs = self._ray.get(seat.actor.code.remote())
        if theirs != code_sha256():
            raise SettingsError(
                f"the workers of the cluster run another Lineproof ({theirs[:12]}, here {code_sha256()[:12]}); "
                "install the same version on all machines"
            )


class _Worker:
    """An actor: it does one task after the other, in a store of its own."""

    def __init__(self, work: str, setup: Setup) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lineproof-")
        store = Path(self._folder.name)
        for name, data in setup.words:
            (store / "dictionaries").mkdir(exist_ok=True)
            (store / "dictionaries" / name).write_bytes(data)
        self._do = doer(work, replace(setup, store=str(store)))

    def code(self) -> str:
        """Which Lineproof runs here."""
        return code_sha256()

    def do(self, task: Task) -> TaskResult | TaskLost | PipelineError:
        """What came of a task."""
        return self._do(task)


def _shipped(task: Task) -> Task:
    """The task with the bytes of its document: the worker may stand on another machine."""
    from pipeline.batch.documents.places import chunks_of, is_remote, open_bytes

    if task.data is not None or is_remote(task.place) or not task.place:
        return task
    try:
        with open_bytes(task.place) as stream:
            return replace(task, data=b"".join(chunks_of(stream, task.place)))
    except PipelineError:  # the worker meets the same, and tells it in the row of the document
        return task
