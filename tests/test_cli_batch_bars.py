"""How `lineproof batch` shows a report: bars of any width, a line, and the sums that a budget is given in."""

from __future__ import annotations

import os
import socket
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from pipeline.cli.batch_bars import bars_of, told_of
from pipeline.cli.batch_options import read_sum
from schemas.batch import BatchProgress, Budget, Spent
from schemas.errors import SettingsError


def report(**fields: Any) -> BatchProgress:
    """A report of a running batch."""
    given: dict[str, Any] = {
        "batch": "q_1", "state": "running", "started": "2026-01-01T00:00:00+00:00",
        "updated": "2026-01-01T00:00:00+00:00", "seconds": 61.0, "process": os.getpid(), "host": socket.gethostname(),
        "documents_done": 1, "documents": 3, "cells_done": 4, "cells": 12,
    }  # fmt: skip
    return BatchProgress(**(given | fields))


def drawn(progress: BatchProgress, width: int) -> list[str]:
    """The lines that a terminal of so many columns shows."""
    sink = StringIO()
    Console(file=sink, width=width, force_terminal=True, no_color=True, color_system=None).print(
        bars_of(progress, width=width)
    )
    return sink.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_bars_fit_the_terminal(width: int) -> None:
    """Counts can be read whole at any width; a long name is cut; nothing of a name reaches the terminal as code."""
    progress = report(
        current=("x" * 200 + ".pdf", "\x1b[31mred\nline.pdf"), eta_seconds=90.0, cells_from_cache=2,
        spent=Spent(calls=5, input_tokens=1_000, output_tokens=10, amount=0.25, currency="USD"),
        budget=Budget(amount=20.0, max_calls=100), slowed="the server asked to wait 3 s",
    )  # fmt: skip
    lines = drawn(progress, width)
    assert all(len(line) <= width for line in lines)
    text = "\n".join(lines)
    for words in ("1 of 3", "4 of 12", "5 of 100", "0.2500 of 20.00", "in work: x"):
        assert words in text
    assert "\x1b[31m" not in text


def test_a_report_in_one_line() -> None:
    """What a log file of a job shows."""
    line = told_of(report(eta_seconds=125.0, spent=Spent(calls=2), slowed="wait"))
    assert line == "1 of 3 documents, 4 of 12 cells, 2 calls, 2 min left, wait"


def test_sums_of_money() -> None:
    """With the currency on either side, or none; what is no sum is refused."""
    assert read_sum("20 USD") == (20.0, "USD")
    assert read_sum("eur0.5") == (0.5, "EUR")
    assert read_sum("0.01") == (0.01, "USD")
    for text in ("", "-1 USD", "nan USD", "1e9", "USD 1 EUR", "1,5 USD"):
        with pytest.raises(SettingsError):
            read_sum(text)
