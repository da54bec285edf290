"""Work for the local engine in its tests: ways in which a worker ends, grows, or never comes back."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

from pipeline.batch.work import Setup, Task, TaskResult, peak_bytes
from schemas.batch import DocumentCells

LARGE = 9_000_000_000  # bytes that no worker of a test takes


def brief(setup: Setup, task: Task) -> TaskResult:
    """A moment; the result tells the process in its seconds."""
    time.sleep(0.02)
    cells = DocumentCells(number=task.number, document=task.document)
    return TaskResult(task.number, cells, seconds=float(os.getpid()), peak_bytes=peak_bytes())


def waiting(setup: Setup, task: Task) -> TaskResult:
    """A while, told by a file, so that something can be done to the worker meanwhile."""
    (Path(setup.store) / f"began_{task.number}_{os.getpid()}").touch()
    time.sleep(0.5)
    return brief(setup, task)


def ending(setup: Setup, task: Task) -> TaskResult:
    """Ends the process, each task in its own way."""
    if task.number == 0:
        os._exit(7)
    if task.number == 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    if task.number == 2:
        sys.exit(3)
    return brief(setup, task)


def growing(setup: Setup, task: Task) -> TaskResult:
    """Says of task 1 that the process has grown."""
    told = brief(setup, task)
    return TaskResult(told.number, told.cells, seconds=told.seconds, peak_bytes=LARGE if task.number == 1 else 0)


def failing(setup: Setup, task: Task) -> TaskResult:
    """A fault of ours in task 1."""
    if task.number == 1:
        raise KeyError("a bug")
    return brief(setup, task)


def unsendable(setup: Setup, task: Task) -> TaskResult:
    """What task 1 gives cannot be handed over."""
    told = brief(setup, task)
    return TaskResult(told.number, told.cells, marked=(lambda: None)) if task.number == 1 else told  # type: ignore[arg-type]


def stuck(setup: Setup, task: Task) -> TaskResult:
    """In a library for ages, which keeps all other threads of the process from running."""
    (Path(setup.store) / f"began_{task.number}_{os.getpid()}").touch()
    re.match(r"(a+)+$", "a" * 60 + "b")
    return brief(setup, task)
