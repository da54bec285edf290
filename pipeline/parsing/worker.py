"""The processes that read documents: a small server that is ready to read, and one forked child a document.

The server is started once by `isolation.py`, single-threaded, with the libraries loaded, and forks. A child gets limits
of memory and time from the operating system, so that whatever a document makes a library do ends with the child: a
hang by SIGALRM in its default disposition (it needs no code of ours to run), a memory bomb by RLIMIT_AS.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any

from pipeline.parsing.dispatch import read_document
from pipeline.parsing.readers import READERS, find_reader
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.transfer import (
    DATA,
    ERROR,
    EXIT,
    FAULT,
    PLACE,
    RECORD,
    REQUEST,
    pack_document,
    receive_frame,
    send_frame,
)
from pipeline.parsing.watch import WHOLE, Place, watched
from schemas.errors import InputError, PipelineError
from schemas.tables import DOCUMENT_TABLES

GARBAGE_THRESHOLD = 50_000  # new objects between two looks for circles: a reader makes many that live to the end
MAX_MESSAGE = 64  # bytes of a message that brings a socket: the name of a format
_NO_MEMORY = b'{"class": "MemoryError", "message": "", "traceback": ""}'
MAX_HEADER = 64 * 1024 * 1024  # bytes of the JSON before a document: settings, and places left out


def serve() -> None:
    """Fork a child for each socket that comes in over standard input; ends, with all children, when the caller does."""
    control = socket.socket(fileno=os.dup(0))
    _silence(0)
    gc.set_threshold(GARBAGE_THRESHOLD)
    _warm()
    gc.freeze()  # a child neither looks through what it was given nor copies it by looking
    wake, alarm = socket.socketpair()
    alarm.setblocking(False)
    signal.set_wakeup_fd(alarm.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    callers: dict[int, socket.socket] = {}  # process id of the child -> the caller's socket
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd == control.fileno():
                message, sockets, _, _ = socket.recv_fds(control, MAX_MESSAGE, 1)
                if not message and not sockets:
                    _stop(callers)
                    return
                for number in sockets:
                    _start_child(message.decode(), socket.socket(fileno=number), callers, poll, (control, wake, alarm))
            elif fd == wake.fileno():
                wake.recv(4096)
                _reap(callers, poll)
            else:  # a caller hung up: no one waits for the child any more
                for pid in [pid for pid, caller in callers.items() if caller.fileno() == fd]:
                    poll.unregister(fd)
                    _kill(pid)


def read_one() -> None:
    """Read the document that comes in over standard input, and write the outcome to standard output.

    For systems that cannot fork: a process a document, without a limit on memory; the caller watches the time.
    """
    source, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    _silence(1)
    _answer(source, out)


def _warm() -> None:
    """Load what every document needs, once."""
    find_reader("pdf")
    for schema in DOCUMENT_TABLES:
        schema.empty()


def _start_child(
    kind: str,
    caller: socket.socket,
    callers: dict[int, socket.socket],
    poll: select.poll,
    own: tuple[socket.socket, ...],
) -> None:
    if kind in READERS:
        with suppress(PipelineError, ImportError):  # the child will say it better
            find_reader(kind)  # type: ignore[arg-type]
    pid = os.fork()
    if pid:
        with suppress(OSError):  # the child may have done it, or be gone
            os.setpgid(pid, pid)
        callers[pid] = caller
        poll.register(caller, 0)  # hang-ups are always told
        return
    try:
        os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for other in (*own, *callers.values()):
            other.close()
        _silence(2)
        _answer(caller.makefile("rb"), caller.makefile("wb"))
    finally:
        os._exit(0)  # nothing of the server's may run in the child, whatever happened


def _reap(callers: dict[int, socket.socket], poll: select.poll) -> None:
    """Tell each caller how its child ended, after what the child left running is ended too."""
    for pid in list(callers):
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None:
            continue
        _kill(pid)  # the group, while its number cannot be anyone else's
        _, status = os.waitpid(pid, 0)
        caller = callers.pop(pid)
        with suppress(KeyError, ValueError):
            poll.unregister(caller)
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        with suppress(OSError), caller, caller.makefile("wb") as out:
            send_frame(out, EXIT, json.dumps({"signal": number}).encode())


def _stop(callers: Mapping[int, socket.socket]) -> None:
    for pid in callers:
        _kill(pid)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # gone already
        os.killpg(pid, signal.SIGKILL)


def _silence(fd: int) -> None:
    """Point the descriptor at nothing: C libraries write where Python does not see it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, fd)
    os.close(nothing)


class _Reporter:
    """Tells the caller where the reading stands, and arms the clock that ends it: see `watch.Watch`."""

    def __init__(self, out: IO[bytes], lost: Mapping[Place, str], seconds: float, page_seconds: float) -> None:
        self.lost = lost
        self._out = out
        self._until = time.monotonic() + seconds
        self._page_seconds = page_seconds
        self._place: Place = ("", WHOLE)
        self._granted = 0.0

    def stand_at(self, place: Place) -> None:
        """A page is begun, or the document turned to."""
        self._place = place
        self._arm(self._page_seconds)

    def allow(self, seconds: float) -> None:
        """Grant more time."""
        self._until += seconds
        self._granted += seconds
        self._arm(self._page_seconds + seconds)

    def _arm(self, page_seconds: float) -> None:
        left = max(self._until - time.monotonic(), 0.001)  # 0 would disarm the clock
        is_page = self._place[1] != WHOLE and page_seconds < left
        seconds = page_seconds if is_page else left
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, seconds)
        about = {"place": self._place, "seconds": seconds, "is_page": is_page, "granted": self._granted}
        send_frame(self._out, PLACE, json.dumps(about).encode())


def _answer(source: IO[bytes], out: IO[bytes]) -> None:
    """One document in, its record or its error out."""
    header = receive_frame(source, limit=MAX_HEADER)
    if header is None or header[0] != REQUEST:
        return
    request = json.loads(header[1])
    settings = ParsingSettings.model_validate(request["settings"])
    reporter = _Reporter(
        out,
        {(sha256, page_num): why for sha256, page_num, why in request["lost"]},
        request["seconds"],
        settings.max_page_seconds,
    )
    _limit(settings.max_memory_bytes)
    reporter.stand_at((request["sha256"], WHOLE))
    with suppress(BrokenPipeError):  # no one waits any more
        try:
            data = receive_frame(source, limit=max(settings.max_bytes, 1))
            if data is None or data[0] != DATA:
                return
            document = Source(data[1], request["name"], request["sha256"], request["doc_id"])
            with watched(reporter):
                record = read_document(document, settings, password=request["password"])
            send_frame(out, RECORD, *pack_document(record))
        except MemoryError:  # there is none left for a longer word
            send_frame(out, FAULT, _NO_MEMORY)
        except InputError as error:
            _tell(out, ERROR, {"class": type(error).__name__, "message": str(error)})
        except Exception as error:  # noqa: BLE001 the end of this process: whatever stopped the reading is told
            _tell(out, FAULT, _describe_fault(error))


def _tell(out: IO[bytes], kind: bytes, about: Mapping[str, Any]) -> None:
    send_frame(out, kind, json.dumps(about).encode(errors="replace"))


def _describe_fault(error: Exception) -> dict[str, Any]:
    """What stopped the reading, and where in our code."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{os.path.basename(frames[-1].filename)}, line {frames[-1].lineno}" if frames else "an unknown place"
    return {
        "class": type(error).__name__,
        "message": str(error),
        "where": where,
        "traceback": "".join(traceback.format_exception(error)),
    }


def _limit(memory_bytes: int) -> None:
    """Let this process grow by `memory_bytes` and no more, leave no core file, and die of an alarm."""
    try:
        import resource
    except ImportError:  # Windows
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    most = _address_space() + memory_bytes
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with suppress(ValueError, OSError):  # macOS refuses it: there only the time is limited
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _address_space() -> int:
    """Bytes of address space in use before the document comes: libraries, most of them never touched."""
    try:
        with open("/proc/self/statm", encoding="ascii") as about:
            return int(about.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # no /proc: what a loaded server takes
        return 2 * 1024**3
