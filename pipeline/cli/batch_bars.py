"""The progress of a batch on the terminal: bars where there is one, else a line now and then, or JSON lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TextIO

import typer

from pipeline.cli.output import MAX_WIDTH, plain

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

    from pipeline.cli.batch_options import Options
    from schemas.batch import BatchProgress

LINE_SECONDS = 10.0  # between two lines where there is no terminal
NARROW = 70  # columns; below there is no room for bars beside the counts
ECHO = 3  # columns left free: a terminal writes ^C behind the bars, and a line too long would displace them
SHOWN_DOCUMENTS = 3  # of those in work


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
        self._view = View(sys.stderr, is_stopping=stop.wanted)
        self._line_at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._view.close()

    def is_drawn(self) -> bool:
        """True while bars stand on the terminal."""
        return self._view.is_open

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
            typer.echo(progress.model_dump_json(ensure_ascii=True), err=True)
        elif sys.stderr.isatty():
            self._view.show(progress)
        elif time.monotonic() - self._line_at >= LINE_SECONDS:
            self._line_at = time.monotonic()
            typer.echo(f"lineproof: {told_of(progress)}", err=True)


class View:
    """Bars on a terminal that are drawn anew as reports come, and taken away at the end."""

    def __init__(self, stream: TextIO, *, is_stopping: Callable[[], bool] = lambda: False) -> None:
        """`stream` is the terminal; `is_stopping` may tell sooner than a report does."""
        self._stream, self._is_stopping = stream, is_stopping
        self._console: Console | None = None
        self._live: Live | None = None
        self._shown: BatchProgress | None = None
        self._at = 0.0

    def show(self, progress: BatchProgress) -> None:
        """Show a report from now on; its clock goes on by itself."""
        self._shown, self._at = progress, time.monotonic()
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            self._console = Console(file=self._stream, markup=False, highlight=False, emoji=False)
            self._live = Live(
                get_renderable=self._draw, console=self._console, transient=True, refresh_per_second=4,
                redirect_stdout=False, redirect_stderr=False,
            )  # fmt: skip
            self._live.start()

    @property
    def is_open(self) -> bool:
        """True while bars stand on the terminal."""
        return self._live is not None

    def close(self) -> None:
        """Take the bars away."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _draw(self) -> RenderableType:
        width = self._console.width if self._console is not None else MAX_WIDTH
        if self._shown is None:
            return ""
        shown = self._shown
        if self._is_stopping() and shown.state == "running":
            shown = shown.model_copy(update={"state": "stopping"})
        return bars_of(shown, since=time.monotonic() - self._at, width=min(width, MAX_WIDTH) - ECHO)


def bars_of(progress: BatchProgress, *, since: float = 0.0, width: int = MAX_WIDTH) -> RenderableType:
    """A report as bars of so many columns; `since` are the seconds that have passed after it."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    rows = _rows_of(progress, since)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.width = width
    table.add_column(no_wrap=True, min_width=max(len(name) for name, *_ in rows))  # what is cut is the last column
    if width >= NARROW:
        table.add_column(ratio=1)
    table.add_column(no_wrap=True, justify="right", min_width=max(len(counts) for *_, counts, _ in rows))
    table.add_column(no_wrap=True, overflow="ellipsis")
    for name, done, total, counts, told in rows:
        bar = [ProgressBar(total=total, completed=min(done, total))] if total else [Text()]
        table.add_row(Text(name), *(bar if width >= NARROW else []), Text(counts), Text(plain(told, keep_lines=False)))
    below = [table]
    more = len(progress.current) - SHOWN_DOCUMENTS
    names = [plain(one, keep_lines=False) for one in progress.current[:SHOWN_DOCUMENTS]]
    lines = [
        f"in work: {', '.join(names)}{f' and {more} more' if more > 0 else ''}" if names else "",
        plain(f"slowed: {progress.slowed}", keep_lines=False) if progress.slowed else "",
        "stopping after the documents in work; once more to stop at once" if progress.state == "stopping" else "",
    ]
    texts = [Text(line, no_wrap=True, overflow="ellipsis", style="dim") for line in lines if line]
    for text in texts:
        text.truncate(width, overflow="ellipsis")
    return Group(*below, *texts)


def _rows_of(progress: BatchProgress, since: float) -> list[tuple[str, float, float, str, str]]:
    """Name, how much is done, of how much (0: no limit), the counts in words, what else is to say."""
    from pipeline.cli.batch_told import told_time

    left = max(0.0, progress.eta_seconds - since) if progress.eta_seconds is not None else None
    time_left = f"about {told_time(left)} left" if left is not None and progress.state == "running" else ""
    stored = f"{progress.cells_from_cache:,} were in the store" if progress.cells_from_cache else ""
    documents, cells = (progress.documents_done, progress.documents), (progress.cells_done, progress.cells)
    rows: list[tuple[str, float, float, str, str]] = [
        ("documents", *documents, f"{documents[0]:,} of {documents[1]:,}",
         ", ".join(one for one in (told_time(progress.seconds + since), time_left) if one)),
        ("cells", *cells, f"{cells[0]:,} of {cells[1]:,}", stored),
    ]  # fmt: skip
    spent, budget = progress.spent, progress.budget
    if spent.calls or budget.max_calls is not None:
        most = f" of {budget.max_calls:,}" if budget.max_calls is not None else ""
        tokens = f"{spent.input_tokens + spent.output_tokens:,} tokens"
        rows.append(("calls", spent.calls, budget.max_calls or 0, f"{spent.calls:,}{most}", tokens))
    if spent.amount is not None or budget.amount is not None:
        amount = spent.amount or 0.0
        most = f" of {budget.amount:,.2f}" if budget.amount is not None else ""
        rows.append(("money", amount, budget.amount or 0.0, f"{amount:,.4f}{most}", spent.currency or budget.currency))
    return rows


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
