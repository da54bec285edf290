"""Requests and tokens a minute over all workers, as buckets that fill evenly; a 429 slows everyone down.

After a 429 the pace is halved and nothing is sent for as long as the server asks; each reply then raises the pace again
by a tenth of the full one: additive increase, multiplicative decrease (Chiu and Jain, Computer Networks 1989).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

MINUTE = 60.0
FIRST_PAUSE = 1.0  # seconds after a 429 that says nothing; doubled with each that follows
MAX_PAUSE = 60.0  # where the server does not say how long
MAX_ASKED_PAUSE = 600.0  # where it does
BACKOFF, RECOVERY, SLOWEST = 0.5, 0.1, 0.02  # factor after a 429; share regained a reply; least share of the pace
UNLIMITED_PER_MINUTE = 600.0  # requests a minute from which the pace is lowered where the user set none


class StoppedError(Exception):
    """A request that waited is not sent any more."""


class Rates:
    """Safe for several threads. `clock` and `sleep` can be put in place of the real ones."""

    def __init__(
        self,
        requests: int | None,
        tokens: int | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        """Limits a minute; None: none until the server complains."""
        self._stopping = threading.Event()
        self._requests, self._tokens = requests, tokens
        self._clock, self._sleep = clock, sleep or self._stopping.wait
        self._lock = threading.Lock()
        self._next_request, self._next_token = 0.0, 0.0
        self._paused_until, self._pause = 0.0, FIRST_PAUSE
        self._share = 1.0

    def wait(self, tokens: int) -> float:
        """Wait until a request of so many tokens may be sent; gives the seconds waited.

        Raises StoppedError once `stop` was called: the request is not to be sent.
        """
        waited = 0.0
        while not self._stopping.is_set():
            seconds = self._claim(tokens)
            if seconds <= 0:
                return waited
            self._sleep(seconds)
            waited += seconds
        raise StoppedError

    def stop(self) -> None:
        """Let nothing be sent any more; who waits is told at once."""
        self._stopping.set()

    def refused(self, delay: float | None) -> None:
        """The server asks for fewer requests, and to wait `delay` seconds, if it says so."""
        with self._lock:
            now = self._clock()
            pause = min(self._pause, MAX_PAUSE) if delay is None else min(delay, MAX_ASKED_PAUSE)
            self._pause = min(self._pause * 2, MAX_PAUSE)
            if now >= self._paused_until:  # several refusals of one moment count once
                self._share = max(SLOWEST, self._share * BACKOFF)
            self._paused_until = max(self._paused_until, now + pause)

    def replied(self, delay: float | None = None) -> None:
        """A reply has come: the pace rises again, up to the full one.

        `delay`: seconds for which the server has nothing left to give, as its headers say.
        """
        with self._lock:
            if delay:
                self._paused_until = max(self._paused_until, self._clock() + min(delay, MAX_ASKED_PAUSE))
            self._pause = FIRST_PAUSE
            self._share = min(1.0, round(self._share + RECOVERY, 6))  # ten tenths make one

    def slowed(self) -> str | None:
        """Why requests wait, in plain words; None where they do not."""
        with self._lock:
            now = self._clock()
            if now < self._paused_until:
                return f"the server asked to wait {self._paused_until - now:.0f} s"
            return f"at {self._share:.0%} of the pace, after the server complained" if self._share < 1.0 else None

    def _claim(self, tokens: int) -> float:
        """Seconds until this request may be tried again; 0: it may be sent, and its share of the pace is taken."""
        with self._lock:
            now = self._clock()
            due = max(self._paused_until, self._next_request, self._next_token)
            if due > now:
                return due - now
            per_minute = self._requests or (UNLIMITED_PER_MINUTE if self._share < 1.0 else None)
            if per_minute:
                self._next_request = now + MINUTE / (per_minute * self._share)
            if self._tokens:
                self._next_token = now + MINUTE * tokens / (self._tokens * self._share)
            return 0.0
