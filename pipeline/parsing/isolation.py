"""Reading a document outside the caller's process: a hang, a crash or a memory bomb costs one error, or one page.

The reading process (`worker.py`) is started once, on first use, by the interpreter that runs the caller; it works the
same from a script without a main guard, a notebook or a thread, and a forked caller starts one of its own.
"""

from __future__ import annotations

import json
import signal
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from pipeline.content import detect_format
from pipeline.parsing.reading_server import CAN_FORK, SERVER, Server, start_reader
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.transfer import (
    DATA,
    EXIT,
    PLACE,
    RECORD,
    REQUEST,
    receive_frame,
    send_frame,
    unpack_document,
)
from pipeline.parsing.watch import WHOLE, Place
from schemas import errors
from schemas.document import ParsedDocument
from schemas.errors import DocumentError, LimitExceededError, PipelineError, ReaderFailedError, RecordError

MAX_LOST_PLACES = 5  # pages (or files inside) given up before the document is: each costs a reading from the start
START_SECONDS = 120.0  # until the reading process must have said something; it starts in 1 s on a quiet machine
GRACE_SECONDS = 30.0  # after the clock in the reading process should have ended it
MIN_SECONDS = 1.0  # left to another attempt, however late it is


@dataclass(slots=True)
class _Attempt:
    """How one reading went: a record, an error, or the place where its process ended and by which signal."""

    document: ParsedDocument | None = None
    error: PipelineError | None = None
    place: Place = ("", WHOLE)
    is_page_clock: bool = False  # the clock that ran was the page's
    seconds: float = 0.0  # until that clock rings, when it was last told
    granted: float = 0.0  # seconds allowed on top
    signal: int | None = None  # None: the server was lost with it
    timed_out: bool = False


def read_isolated(
    source: Source, settings: ParsingSettings, *, password: str | None = None, server: Server = SERVER
) -> ParsedDocument:
    """The document, read in a process of its own within the settings' limits of time and memory.

    Where reading a page hangs or crashes, the document is read again without it, and the page is marked 'failed'.

    Raises DocumentError: what the reader raised, LimitExceededError for time or memory, ReaderFailedError for a crash.
    """
    lost: dict[Place, str] = {}
    begun, granted, restarts = time.monotonic(), 0.0, 0
    while True:
        left = max(settings.max_seconds + granted - (time.monotonic() - begun), MIN_SECONDS)
        attempt = _read_once(server, source, settings, password, lost, left)
        granted += attempt.granted
        if attempt.document is not None:
            return attempt.document
        if attempt.error is not None:
            raise attempt.error
        if attempt.signal is None and not attempt.timed_out:
            restarts += 1
            if restarts > 1:
                raise ReaderFailedError(
                    f"{source.name}: the reading process could not be started, or was ended from outside"
                    f"{server.last_words()}; check that {sys.executable or 'the interpreter'} can be run, or read in "
                    "this process (settings.isolate = False)"
                )
            continue
        why = _describe_end(attempt, settings)
        if attempt.place == (source.sha256, WHOLE) or len(lost) >= MAX_LOST_PLACES or _is_out_of_time(attempt):
            raise _final_error(source, settings, attempt, lost)
        lost[attempt.place] = why


def _is_out_of_time(attempt: _Attempt) -> bool:
    return attempt.timed_out and not attempt.is_page_clock


def _describe_end(attempt: _Attempt, settings: ParsingSettings) -> str:
    if attempt.timed_out:
        limit = f"{settings.max_page_seconds:g} s (settings.max_page_seconds)"
        return f"Given up: it was not read within {limit}; the rest of the document was read without it."
    return f"Given up: reading it ended the reading process ({_name(attempt.signal)}); the rest was read without it."


def _final_error(
    source: Source, settings: ParsingSettings, attempt: _Attempt, lost: Mapping[Place, str]
) -> DocumentError:
    page = abs(attempt.place[1])
    where = "" if page == WHOLE else f" at page {page}"
    where += "" if attempt.place[0] in ("", source.sha256) else " of a file inside it"
    before = f", after {len(lost)} of its pages were given up" if lost else ""
    if attempt.timed_out:
        return LimitExceededError(
            f"{source.name}: not read within {settings.max_seconds:g} s (settings.max_seconds), stopped{where}"
            f"{before}; raise the limit, or name the pages to read (settings.pages)"
        )
    hint = (
        "it may have run out of memory"
        if attempt.signal == signal.SIGKILL
        else "the file is damaged, or made to do harm"
    )
    return ReaderFailedError(
        f"{source.name}: reading it crashed the reading process ({_name(attempt.signal)}){where}{before}: {hint}; "
        "open and save it in another program, and hand over that copy"
    )


def _name(number: int | None) -> str:
    with suppress(ValueError):
        return signal.Signals(number or 0).name
    return f"signal {number}"


def _read_once(
    server: Server,
    source: Source,
    settings: ParsingSettings,
    password: str | None,
    lost: Mapping[Place, str],
    seconds: float,
) -> _Attempt:
    request = {
        "name": source.name,
        "sha256": source.sha256,
        "doc_id": source.doc_id,
        "settings": settings.model_dump(mode="json"),
        "password": password,
        "lost": [[*place, why] for place, why in lost.items()],
        "seconds": seconds,
    }
    message = json.dumps(request).encode()
    if not CAN_FORK:
        with start_reader(seconds=seconds + GRACE_SECONDS) as (incoming, outgoing):
            return _converse(incoming, outgoing, None, source, settings, message)
    try:
        with server.connect(_guess_format(source)) as channel:
            channel.settimeout(START_SECONDS + seconds)
            with channel.makefile("rb") as incoming, channel.makefile("wb") as outgoing:
                return _converse(incoming, outgoing, channel, source, settings, message)
    except OSError:
        return _Attempt()


def _guess_format(source: Source) -> str:
    """What the reading process should have loaded beforehand; whether it can be read is told there."""
    try:
        return detect_format(source.data, name=source.name)
    except DocumentError:
        return "unknown"


def _converse(
    incoming: IO[bytes],
    outgoing: IO[bytes],
    channel: socket.socket | None,
    source: Source,
    settings: ParsingSettings,
    request: bytes,
) -> _Attempt:
    """Send the document and listen until its record, its error or its end comes."""
    attempt = _Attempt()
    try:
        with suppress(BrokenPipeError, ConnectionResetError):  # how it ended is told below
            send_frame(outgoing, REQUEST, request)
            send_frame(outgoing, DATA, source.data)
        while (frame := receive_frame(incoming, limit=settings.max_memory_bytes)) is not None:
            if _take(attempt, *frame, source):
                break
            if channel is not None:
                channel.settimeout(attempt.seconds + GRACE_SECONDS)
    except TimeoutError:
        attempt.timed_out = True
    except RecordError as error:
        attempt.error = ReaderFailedError(f"{source.name}: the reading process sent what is no record: {error}")
    return attempt


def _take(attempt: _Attempt, kind: bytes, content: bytes, source: Source) -> bool:
    """Write what a frame says into the attempt; True when it was the last."""
    if kind == RECORD:
        attempt.document = unpack_document(content, where=source.name)
        return True
    about = json.loads(content)
    if kind == PLACE:
        attempt.place = (str(about["place"][0]), int(about["place"][1]))
        attempt.is_page_clock, attempt.granted = bool(about["is_page"]), float(about["granted"])
        attempt.seconds = float(about["seconds"])
        return False
    if kind == EXIT:
        attempt.signal = int(about["signal"])
        attempt.timed_out = attempt.signal == getattr(signal, "SIGALRM", None)
        return True
    attempt.error = _remake_error(about, source, attempt.place)
    return True


def _remake_error(about: Mapping[str, Any], source: Source, place: Place) -> PipelineError:
    """The error that the reader raised, of the same class; a fault of ours becomes a ReaderFailedError."""
    known = getattr(errors, str(about["class"]), None)
    if "traceback" not in about and isinstance(known, type) and issubclass(known, PipelineError):
        return known(about["message"])
    where = "" if place[1] == WHOLE else f" at page {abs(place[1])}"
    if about["class"] == "MemoryError":
        return LimitExceededError(
            f"{source.name}: reading it needs more memory than the limit{where} (settings.max_memory_bytes); "
            "raise the limit, or name the pages to read (settings.pages)"
        )
    error = ReaderFailedError(
        f"{source.name}: reading it failed{where} ({about['class']}: {str(about['message'])[:200]}; "
        f"{about.get('where', '')}); the file may be damaged: open and save it in another program; "
        "if that copy fails too, it is a fault of Lineproof: please report it"
    )
    error.add_note(str(about.get("traceback", "")))
    return error
