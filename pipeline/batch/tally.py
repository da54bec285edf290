"""How far a batch is: counted as it goes, told to whoever watches, at most a few times a second."""

from __future__ import annotations

import os
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from schemas.batch import ENDED, BatchCell, BatchProgress, BatchRequest, Budget, Spent

SECONDS_BETWEEN = 0.25  # of two reports
WINDOW_SECONDS = 60.0  # over which speed is measured for the time that is left
MIN_SAMPLES = 2  # documents before a time can be told


class Meter(Protocol):
    """What knows what was spent on calls: the keeper."""

    def spent(self) -> Spent:
        """What was spent so far, over all sessions."""
        ...

    def slowed(self) -> str | None:
        """Why calls wait; None where they do not."""
        ...


class Tally:
    """The counts of a session; `report` is told now and then, and at the end in any case."""

    def __init__(
        self, batch: str, request: BatchRequest, budget: Budget, report: Callable[[BatchProgress], None]
    ) -> None:
        self.cells = len(request.documents) * len(request.questions)
        self.from_cache = 0
        self._batch, self._documents, self._budget, self._report = batch, len(request.documents), budget, report
        self._started, self._at = time.monotonic(), datetime.now(UTC).isoformat(timespec="seconds")
        self._told = 0.0
        self._done_documents, self._counts = 0, Counter[str]()
        self._current: dict[str, None] = {}
        self._window: deque[tuple[float, int]] = deque()
        self._meter: Meter | None = None

    def watch(self, meter: Meter) -> None:
        """Ask `meter` what was spent."""
        self._meter = meter

    def begin(self, name: str) -> None:
        """A document is in work."""
        self._current[name] = None
        self._tell("running")

    def done(self, name: str, cells: Iterable[BatchCell]) -> None:
        """The cells of a document are saved."""
        statuses = [cell.status for cell in cells]
        self._counts.update(statuses)
        self._done_documents += 1
        if name in self._current:
            del self._current[name]
            now = time.monotonic()
            self._window.append((now, len(statuses)))
            while self._window and now - self._window[0][0] > WINDOW_SECONDS:
                self._window.popleft()
        self._tell("running")

    def end(self, why: str | None) -> Spent:
        """The last report; gives what was spent."""
        self._told = 0.0
        self._current.clear()
        self._tell("stopped" if why else "ended", why=why)
        return self._spent()

    def by_status(self) -> dict[str, int]:
        """Cells by status, sorted."""
        return dict(sorted(self._counts.items()))

    def facts(self) -> dict[str, Any]:
        """What the ledger and the log keep of a session's end."""
        spent = self._spent()
        return {"cells": sum(self._counts.values()), "from_cache": self.from_cache, "calls": spent.calls}

    def _spent(self) -> Spent:
        return self._meter.spent() if self._meter else Spent()

    def _tell(self, state: Literal["running", "stopping", "ended", "stopped"], *, why: str | None = None) -> None:
        now = time.monotonic()
        if now - self._told < SECONDS_BETWEEN:
            return
        self._told = now
        done = sum(self._counts[status] for status in ENDED)
        self._report(
            BatchProgress(
                batch=self._batch,
                state=state,
                started=self._at,
                updated=datetime.now(UTC).isoformat(timespec="seconds"),
                seconds=round(now - self._started, 1),
                process=os.getpid(),
                host=socket.gethostname(),
                documents_done=self._done_documents,
                documents=self._documents,
                cells_done=done,
                cells=self.cells,
                cells_from_cache=self.from_cache,
                by_status=self.by_status(),
                spent=self._spent(),
                budget=self._budget,
                eta_seconds=self._eta(now),
                current=tuple(self._current),
                slowed=self._meter.slowed() if self._meter else None,
                stopped_because=why,
            )
        )

    def _eta(self, now: float) -> float | None:
        if len(self._window) < MIN_SAMPLES:
            return None
        seconds = max(now - min(self._window[0][0], now - 1e-3), 1e-3)
        cells = sum(count for _, count in self._window)
        left = self.cells - sum(self._counts.values())
        return round(left * seconds / cells, 1) if cells else None
