"""The progress of a batch on the terminal: bars where there is one, else a line now and then, or JSON lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

import typer

from pipeline.cli.output import plain

if TYPE_CHECKING:
    from pipeline.cli.batch_options import Options
    from schemas.batch import BatchProgress

LINE_SECONDS = 10.0  # between two lines where there is no terminal


class Stop(Protocol):
    """Whether the user asked to stop."""

    def wanted(self) -> bool:
        """True once they did."""
        ...


class Bars:
    """Shows each report, and keeps it in the store for those who watch."""

    def __init__(self, options: Options, root: Path, *, stop: Stop) -> None:
        """Nothing is shown before the first report."""
        self.batch: str | None = None
        self._options, self._root, self._stop = options, root, stop
        self._bars: Any = None
        self._tasks: dict[str, Any] = {}
        self._line_at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def log(self, event: str, facts: Mapping[str, Any]) -> None:
        """Keep an event in the log of the batch, once that is begun."""
        from pipeline.batch.progress import EventLog
        from pipeline.batch.work import place_of_batch

        if self.batch is not None:
            EventLog(place_of_batch(self._root, self.batch)).write(event, facts)

    def report(self, progress: BatchProgress) -> None:
        """Show a report."""
        from pipeline.batch.progress import write_progress
        from pipeline.batch.work import place_of_batch

        if self._stop.wanted() and progress.state == "running":
            progress = progress.model_copy(update={"state": "stopping"})
        write_progress(place_of_batch(self._root, progress.batch), progress)
        if self._options.quiet:
            return
        if self._options.json_progress:
            typer.echo(progress.model_dump_json(), err=True)
        elif sys.stderr.isatty():
            self._draw(progress)
        elif time.monotonic() - self._line_at >= LINE_SECONDS:
            self._line_at = time.monotonic()
            typer.echo(f"lineproof: {told_of(progress)}", err=True)

    def _draw(self, progress: BatchProgress) -> None:
        if self._bars is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._bars = Progress(
                TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
                TextColumn("{task.fields[told]}", markup=False), console=Console(stderr=True), transient=True,
            )  # fmt: skip
            self._tasks = {name: self._bars.add_task(name, told="") for name in ("documents", "cells")}
            self._bars.start()
        from pipeline.cli.batch_told import told_time

        left = told_time(progress.eta_seconds) if progress.eta_seconds is not None else ""
        self._bars.update(
            self._tasks["documents"], total=progress.documents, completed=progress.documents_done,
            told=f"{left} left" if left else "",
        )  # fmt: skip
        spent = told_spent(progress)
        self._bars.update(self._tasks["cells"], total=progress.cells, completed=progress.cells_done, told=spent)


def told_of(progress: BatchProgress) -> str:
    """A report in one line."""
    from pipeline.cli.batch_told import told_time

    parts = [
        f"{progress.documents_done:,} of {progress.documents:,} documents",
        f"{progress.cells_done:,} of {progress.cells:,} cells",
    ]
    if told := told_spent(progress):
        parts.append(told)
    if progress.eta_seconds is not None and progress.state == "running":
        parts.append(f"{told_time(progress.eta_seconds)} left")
    if progress.slowed:
        parts.append(progress.slowed)
    return plain(", ".join(parts), keep_lines=False)


def told_spent(progress: BatchProgress) -> str:
    """What was spent, in words; empty for nothing."""
    spent = progress.spent
    if not spent.calls:
        return ""
    money = f", {spent.amount:.4f} {spent.currency}" if spent.amount is not None else ""
    return f"{spent.calls:,} calls{money}"
