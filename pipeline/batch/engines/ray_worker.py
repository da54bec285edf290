"""A worker on a node of a Ray cluster: it does one task after the other, in a folder of its own that it empties."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.batch.engines.worker import doer
from pipeline.batch.requesting import LIBRARIES
from pipeline.batch.work import Setup, Task, TaskLost, TaskResult
from pipeline.searching import EMBEDDINGS, open_searching
from pipeline.tracing import code_sha256
from schemas.errors import PipelineError

DICTIONARIES = "dictionaries"  # folder of the expert's own words in a store
VARIABLES = "LINEPROOF_"  # variables of the environment that shape what a worker does begin so
SECRETS = ("LINEPROOF_PASSWORD",)  # not sent: the setup has it
ALIVE = ".alive"  # lock that a worker holds in its folder while it lives
PREFIX = "lineproof-worker-"


@dataclass(frozen=True, slots=True)
class Standing:
    """What must be the same on all machines for the same results."""

    host: str
    code_sha256: str
    versions: dict[str, str]
    searched_by: tuple[str, ...]


class RayWorker:
    """An actor. Its folder is below `folder`, without one below that for temporary files of its node."""

    def __init__(self, work: str, told: tuple[Setup, dict[str, str]], folder: str | None) -> None:
        setup, environment = told
        for name in [name for name in os.environ if name.startswith(VARIABLES)]:
            del os.environ[name]
        os.environ.update(environment)
        below = Path(folder or tempfile.gettempdir())
        remove_left_behind(below)
        self._store = Path(tempfile.mkdtemp(prefix=PREFIX, dir=below))
        self._alive = FileLock(self._store / ALIVE)
        self._alive.acquire()
        for name, data in setup.words:
            path = self._store / DICTIONARIES / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        self._setup = replace(setup, store=str(self._store))
        self._do = doer(work, self._setup)

    def standing(self) -> Standing:
        """What runs here."""
        return standing_here(self._setup)

    def do(self, task: Task) -> TaskResult | TaskLost | PipelineError:
        """What came of a task; what it kept of the document is removed, for it goes back with the result."""
        try:
            return self._do(task)
        finally:
            self._empty()

    def leave(self) -> None:
        """Remove all that it kept; nothing may be asked of it any more."""
        self._alive.release()
        shutil.rmtree(self._store, ignore_errors=True)

    def _empty(self) -> None:
        for entry in self._store.iterdir():
            if entry.is_dir() and entry.name not in (DICTIONARIES, EMBEDDINGS):
                shutil.rmtree(entry, ignore_errors=True)


def standing_here(setup: Setup) -> Standing:
    """What runs in this process.

    Raises SettingsError where a model that the environment names cannot be used.
    """
    searched_by = open_searching(setup.strategy, store=setup.store).models()
    return Standing(socket.gethostname(), code_sha256(), {name: _version(name) for name in LIBRARIES}, searched_by)


def environment_of_work() -> dict[str, str]:
    """The variables that shape what a worker does, without secrets."""
    return {name: value for name, value in os.environ.items() if name.startswith(VARIABLES) and name not in SECRETS}


def remove_left_behind(below: Path) -> None:
    """Remove folders of workers that were killed: they may hold text of documents."""
    for path in below.glob(f"{PREFIX}*"):
        lock = FileLock(path / ALIVE, timeout=0)
        try:
            if not (path / ALIVE).is_file():  # one that is being made, or of somebody else
                continue
            lock.acquire()
        except (Timeout, OSError):
            continue
        lock.release()
        shutil.rmtree(path, ignore_errors=True)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "is missing"
