"""Worker processes that are programs of their own, spoken to over pipes; they end when their parent does.

They never import the caller's main module, so that a script without a main guard, a notebook or a shell can use them,
and they find modules where the caller finds them, not in the current folder, which may be full of hostile files.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import IO, Any

STOP_SECONDS = 5.0  # a program ends at once when its input does; longer, and it is killed
PARENT_SECONDS = 1.0  # between two looks whether the parent still lives
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux
_BOOT = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"  # Ctrl-C is for the parent, which ends its workers
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer)\n"
    "from {module} import {function}; {function}()"
)


class Program:
    """One such process, started at once; the caller ends it with `close` or `kill`."""

    def __init__(self, module: str, function: str) -> None:
        """The process runs `function` of `module`, which calls `serve`."""
        self._process = subprocess.Popen(  # noqa: S603 our own interpreter
            [sys.executable, "-P", "-c", _BOOT.format(module=module, function=function)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with suppress(OSError):  # one that ended is told at its first message
            self.send([entry for entry in sys.path if os.path.isabs(entry)])

    @property
    def pid(self) -> int:
        """Id of the process."""
        return self._process.pid

    def send(self, message: object) -> None:
        """Hand something over.

        Raises OSError where the process has ended.
        """
        _send(self._process.stdin, message)

    def receive(self) -> Any:
        """What the process hands back; waits for it.

        Raises EOFError, OSError, pickle.UnpicklingError or ValueError where it has ended instead.
        """
        return _receive(self._process.stdout)

    def fileno(self) -> int:
        """What a selector waits for: readable once the process hands something back, or has ended."""
        if self._process.stdout is None:
            raise ValueError("the process has no output")
        return self._process.stdout.fileno()

    def how_it_ended(self) -> str:
        """In plain words how a process that is gone has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=STOP_SECONDS)
        code = self._process.returncode
        if code is None:
            return "it does not answer"
        if code < 0:
            import signal

            name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
            memory = ", often for want of memory" if name == "SIGKILL" else ""
            return f"it was ended by {name}{memory}"
        return f"it ended with code {code}"

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()

    def finish(self) -> None:
        """Have it end once it has done what it does; `close` waits for that."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def close(self) -> None:
        """End it once it has done what it does, and free its pipes."""
        self.finish()
        try:
            self._process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def serve(answer: Callable[[Any], Any]) -> None:
    """In such a process: hand back what `answer` gives for each message, until the input ends.

    What anything prints goes to the error output, not among the answers.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _die_with_parent()
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    while True:
        try:
            message = _receive(sys.stdin.buffer)
        except EOFError:
            return
        _send(answers, answer(message))
        _settle()


def _die_with_parent() -> None:
    """Have Linux end this process when the thread that started it ends, even where a library never comes back."""
    if sys.platform != "linux":
        return
    import ctypes
    import signal

    with suppress(OSError, AttributeError):  # a C library without it: the look at the parent is left
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _end_with_parent(parent: int) -> None:
    """End this process once its parent is gone, also in the middle of its work, but not within a call to a library."""
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os._exit(1)


@cache
def _settle() -> None:
    """Spare the collector, once, what a process keeps to its end: modules, dictionaries. It saves a seventh of all."""
    gc.collect()
    gc.freeze()


def _send(pipe: IO[bytes] | None, thing: object) -> None:
    if pipe is None:
        raise EOFError
    pickle.dump(thing, pipe, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def _receive(pipe: IO[bytes] | None) -> Any:
    """What the other side sent: our own process, over a pipe that nobody else holds."""
    if pipe is None:
        raise EOFError
    return pickle.load(pipe)  # noqa: S301
