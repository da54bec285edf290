"""A process that does jobs: it reads them from its input, one after the other, and writes what came of each.

It is a program of its own (`python -c`, with the module path of its caller) and never imports the caller's main module,
so that a script without a main guard, a notebook or a shell can check with several processes.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from functools import cache
from typing import IO, Any

from pipeline.audit.restaging.records import Checked, Job
from schemas.errors import PipelineError, StoreError

# Modules are found where the caller finds them, and not in the current folder, which may be full of hostile files.
_BOOT = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer)\n"
    "from pipeline.audit.restaging.worker import serve; serve()"
)
_STOP_SECONDS = 5.0  # it ends at once when its input does; longer, and it is killed


class Worker:
    """One such process, started at once; the caller ends it with `close`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 our own interpreter
            [sys.executable, "-P", "-c", _BOOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with suppress(OSError):  # one that ended is told at its first job
            _send(self._process.stdin, [entry for entry in sys.path if os.path.isabs(entry)])

    def do(self, job: Job) -> list[Checked]:
        """What came of each folder of a job.

        Raises StoreError where the process was ended from outside, PipelineError as the job does.
        """
        try:
            _send(self._process.stdin, job)
            came = _receive(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError, ValueError) as error:
            raise StoreError(
                "a process of the check was ended from outside, often for want of memory; check fewer runs at a time"
            ) from error
        if isinstance(came, PipelineError):
            raise came
        done: list[Checked] = came
        return done

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()

    def close(self) -> None:
        """End it once it has done its job, and free its pipes."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def serve() -> None:
    """Do jobs until the input ends; what anything prints goes to the error output, not among the results."""
    from pipeline.audit.restaging.pool import do_job

    results = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while True:
        try:
            job: Job = _receive(sys.stdin.buffer)
        except EOFError:
            return
        came: list[Checked] | PipelineError
        try:
            came = do_job(job)
        except PipelineError as error:
            came = error
        _send(results, came)
        _settle()


@cache
def _settle() -> None:
    """Spare the collector, once, what a process keeps to its end: modules, dictionaries. It saves a seventh of all."""
    gc.collect()
    gc.freeze()


def _send(pipe: IO[bytes] | None, thing: object) -> None:
    if pipe is None:
        raise EOFError
    pickle.dump(thing, pipe)
    pipe.flush()


def _receive(pipe: IO[bytes] | None) -> Any:
    """What the other side sent: our own process, over a pipe that nobody else holds."""
    if pipe is None:
        raise EOFError
    return pickle.load(pipe)  # noqa: S301
