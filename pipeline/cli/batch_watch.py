"""`lineproof batch --watch` and `--list`: how the batches of a store stand."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipeline.cli.batch_bars import told_of
from pipeline.cli.output import plain, show_json

if TYPE_CHECKING:
    from pipeline.cli.batch_options import Options
    from schemas.batch import BatchProgress

SECONDS = 2.0  # between two looks


def watch_batch(options: Options, name: str) -> int:
    """Tell how a batch stands until it ends; once, where nobody watches a terminal. Gives the exit code."""
    from pipeline.batch.progress import is_alive, read_progress
    from pipeline.batch.records import find_batch
    from pipeline.batch.work import place_of_batch

    root = Path(options.store)
    folder = place_of_batch(root, find_batch(root, name))
    while True:
        progress = read_progress(folder)
        if progress is None:
            typer.echo("it has not told anything yet")
            return 0
        if options.as_json:
            show_json(progress.model_dump(mode="json"))
            return 0
        typer.echo(_line(progress))
        if is_alive(progress) is not True or not sys.stdout.isatty():
            return 0
        time.sleep(SECONDS)


def list_them(options: Options) -> int:
    """The batches of the store, a line each; gives the exit code."""
    from pipeline.batch.progress import read_progress
    from pipeline.batch.records import list_batches
    from pipeline.batch.work import place_of_batch

    root = Path(options.store)
    found = [(name, read_progress(place_of_batch(root, name))) for name in list_batches(root)]
    if options.as_json:
        show_json({"batches": [{"batch": name, "state": one.state if one else None} for name, one in found]})
        return 0
    for _, progress in found:
        if progress is not None:
            typer.echo(_line(progress))
    if not found:
        typer.echo("there is no batch in this store")
    return 0


def _line(progress: BatchProgress) -> str:
    from pipeline.batch.progress import is_alive

    state: str = progress.state
    if is_alive(progress) is False and state not in ("ended", "stopped"):
        state = f"ended without a word; go on with `lineproof batch --resume {progress.batch}`"
    why = f" ({progress.stopped_because})" if progress.stopped_because else ""
    return plain(f"{progress.batch}: {state}{why}; {told_of(progress)}", keep_lines=False)
