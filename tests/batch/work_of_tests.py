"""Work for the engines: what a worker does in the tests, named 'tests.batch.work_of_tests:NAME'."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from pipeline.batch.work import Setup, Task, TaskResult
from schemas.batch import DocumentCells
from schemas.errors import InputError, StoreError


def echo(setup: Setup, task: Task) -> TaskResult:
    """The task's number back; noisy, since a document's libraries may print."""
    sys.stdout.write("noise on the output of a worker\n")
    return TaskResult(
        task.number, DocumentCells(number=task.number, document=task.document), seconds=float(os.getpid())
    )


def die_once(setup: Setup, task: Task) -> TaskResult:
    """Killed at the first try of every third task."""
    mark = Path(setup.store) / f"tried_{task.number}"
    if task.number % 3 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return echo(setup, task)


def die_always(setup: Setup, task: Task) -> TaskResult:
    """Killed at every try of task 1."""
    if task.number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return echo(setup, task)


def fail(setup: Setup, task: Task) -> TaskResult:
    """A bad input in task 1, a fault of ours in task 2, a full disk in task 3."""
    if task.number == 1:
        raise InputError("the document is no document")
    if task.number == 2:
        raise ZeroDivisionError("a bug")
    if task.number == 3:
        raise StoreError("the disk is full")
    return echo(setup, task)


def hang(setup: Setup, task: Task) -> TaskResult:
    """Never done, in task 1."""
    if task.number == 1:
        time.sleep(600)
    return echo(setup, task)


def slow(setup: Setup, task: Task) -> TaskResult:
    """A while, and a mark that it began."""
    (Path(setup.store) / f"began_{task.number}_{os.getpid()}").touch()
    time.sleep(0.3)
    return echo(setup, task)
