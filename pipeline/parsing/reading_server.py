"""The reading process as its caller sees it: started on first use, again when it died, ended at exit."""

from __future__ import annotations

import atexit
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO

CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")  # Windows cannot
STOP_SECONDS = 5.0  # the server ends at once when it is left; longer, and it is killed

# It finds modules where its caller does, and not in the current folder, which may be full of hostile files.
_BOOT = (
    "import json, sys; first = json.loads(sys.stdin.buffer.raw.readline()); sys.path[:] = first['path']\n"
    "import importlib; [importlib.import_module(name) for name in first['preload']]\n"
    "from pipeline.parsing import worker; worker.{run}()"
)
# One thread each: the process forks, and the documents of a batch share the machine.
_QUIET = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
_SECRET = re.compile(r"key|token|secret|passw|credential", re.IGNORECASE)  # variables that it has no business to know


@dataclass
class Server:
    """The reading process of this process: started on first use, again when it died, ended at exit.

    `preload` are modules that it imports before it forks.
    """

    preload: tuple[str, ...] = ()
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _process: subprocess.Popen[bytes] | None = None
    _control: socket.socket | None = None
    _stderr: IO[bytes] | None = None

    def start(self) -> None:
        """Have the process running; it gets ready while the caller does other things."""
        with self._lock:
            self._require()

    def connect(self, kind: str) -> socket.socket:
        """A socket whose other end a new child reads from; `kind` is the format it will most likely be sent.

        Raises OSError when the process cannot be reached.
        """
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            try:
                socket.send_fds(self._require(), [kind.encode()], [theirs.fileno()])
            except OSError:
                self._end()
                try:
                    socket.send_fds(self._require(), [kind.encode()], [theirs.fileno()])
                except OSError:
                    ours.close()
                    raise
        return ours

    def last_words(self) -> str:
        """The end of what the process wrote before it died, as words in brackets; empty without any."""
        with self._lock:
            if self._stderr is None:
                return ""
            self._stderr.seek(0)
            lines = self._stderr.read().decode(errors="replace").strip().splitlines()
            return f" ({lines[-1][:300]})" if lines else ""

    def close(self) -> None:
        """End the process and its children."""
        with self._lock:
            self._end()
            if self._stderr is not None:
                self._stderr.close()
                self._stderr = None

    def forget(self) -> None:
        """Leave the process to the one that started it: for a forked copy of the caller."""
        if self._process is not None:
            self._process.returncode = 0  # not ours to wait for
        self._lock = threading.Lock()
        for handle in (self._control, self._stderr):
            if handle is not None:
                handle.close()
        self._process = self._control = self._stderr = None

    def _require(self) -> socket.socket:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._control is None:
            self._control, theirs = socket.socketpair()
            if self._stderr is not None:
                self._stderr.close()
            self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 open as long as the process
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603 our own interpreter
                    _command("serve"), stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=self._stderr,
                    start_new_session=True, env=_environment(),
                )  # fmt: skip
            self._control.sendall(_first_line(self.preload))
        return self._control

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            try:
                self._process.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = self._control = None


SERVER = Server()
atexit.register(SERVER.close)
if CAN_FORK:
    os.register_at_fork(after_in_child=SERVER.forget)


@contextmanager
def start_reader(*, seconds: float) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """A process that reads one document, as (what comes from it, what goes to it); ended after `seconds` at most."""
    process = subprocess.Popen(  # noqa: S603 our own interpreter
        _command("read_one"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=_environment(),
    )  # fmt: skip
    clock = threading.Timer(seconds, process.kill)
    clock.daemon = True
    clock.start()
    try:
        if process.stdin is None or process.stdout is None:
            raise OSError("no pipes to the reading process")
        process.stdin.write(_first_line(()))
        yield process.stdout, process.stdin
    finally:
        clock.cancel()
        process.kill()
        process.communicate()


def _command(run: str) -> list[str]:
    return [sys.executable, "-P", "-c", _BOOT.format(run=run)]


def _environment() -> dict[str, str]:
    return {**{name: value for name, value in os.environ.items() if not _SECRET.search(name)}, **_QUIET}


def _first_line(preload: tuple[str, ...]) -> bytes:
    path = [entry for entry in sys.path if os.path.isabs(entry)]
    return json.dumps({"path": path, "preload": preload}).encode() + b"\n"
