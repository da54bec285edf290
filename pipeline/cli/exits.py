"""Exit codes, and how a command ends: an error in one sentence, a closed pipe in silence, a bug with its traceback."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import typer

from schemas.errors import PipelineError

EXIT_CODES = {
    0: "answered, in full or in part; of a check: all holds",
    1: "a check found something: a verification does not hold, or two runs or a replay differ",
    2: "bad input or usage: the document, the question or an option cannot be used",
    3: "not found: the document does not answer the question",
    4: "the question needs clarification, the answer was refused because a check failed, an edit changes answers, or a "
    "batch has cells that were not asked",
    5: "the store or the output cannot be read or written, or a record in it is damaged",
    6: "the model gave no usable reply",
    7: "a figure of an evaluation is significantly worse than in its baseline",
    130: "interrupted",
}
GATE_CLOSED = 7
CLOSED_PIPE = 141  # what a shell reports for a program ended by SIGPIPE
_OF_STATUS = {"answered": 0, "partial": 0, "not_found": 3, "needs_clarification": 4, "refused": 4}


def exit_code(statuses: Iterable[str]) -> int:
    """The code for the answers to all parts of a question: that of the worst part."""
    return max(_OF_STATUS[status] for status in statuses)


def case_exit_code(statuses: Iterable[str]) -> int:
    """The code for the answers of several documents: one that answers is enough, else that of the worst."""
    codes = [_OF_STATUS[status] for status in statuses]
    return 0 if 0 in codes else max(codes)


@contextmanager
def ending_well(*, as_json: bool) -> Iterator[None]:
    """Turn an error of ours into a sentence on stderr and its exit code; with `as_json` also an object on stdout.

    The object is `{"error": {"kind", "message", "exit_code"}}`. A reader that closed the pipe ends the command quietly.
    """
    try:
        yield
        sys.stdout.flush()
    except PipelineError as error:
        from pipeline.cli.output import plain

        message = plain(str(error), keep_lines=False)
        if as_json:
            told = {"kind": type(error).__name__, "message": message, "exit_code": error.exit_code}
            typer.echo(json.dumps({"error": told}, indent=1))
        typer.secho(f"lineproof: {message}", err=True, fg="red")
        raise typer.Exit(error.exit_code) from error
    except BrokenPipeError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the interpreter can flush at its end
        raise typer.Exit(CLOSED_PIPE) from error
    except OSError as error:
        if error.filename is not None:  # of a file, which every brick turns into an error of ours: a bug
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the interpreter can flush at its end
        typer.secho(
            f"lineproof: the output cannot be written ({error.strerror}); nothing else is lost", err=True, fg="red"
        )
        raise typer.Exit(5) from error
