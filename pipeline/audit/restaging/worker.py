"""A process that does jobs: it reads them from its input, one after the other, and writes what came of each."""

from __future__ import annotations

import pickle

from pipeline.audit.restaging.records import Checked, Job
from pipeline.processes import Program
from pipeline.processes import serve as serve_messages
from schemas.errors import PipelineError, StoreError


class Worker:
    """One such process, started at once; the caller ends it with `close`."""

    def __init__(self) -> None:
        self._program = Program(__name__, "serve")

    def do(self, job: Job) -> list[Checked]:
        """What came of each folder of a job.

        Raises StoreError where the process was ended from outside, PipelineError as the job does.
        """
        try:
            self._program.send(job)
            came = self._program.receive()
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
        self._program.kill()

    def close(self) -> None:
        """End it once it has done its job, and free its pipes."""
        self._program.close()


def serve() -> None:
    """Do jobs until the input ends."""
    serve_messages(_do)


def _do(job: Job) -> list[Checked] | PipelineError:
    from pipeline.audit.restaging.pool import do_job

    try:
        return do_job(job)
    except PipelineError as error:
        return error
