"""`lineproof batch --watch` and `--list`: how the batches of a store stand."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipeline.cli.batch_bars import LINE_SECONDS, View, told_of
from pipeline.cli.batch_told import resuming
from pipeline.cli.output import plain, show_json

if TYPE_CHECKING:
    from pipeline.cli.batch_options import Options
    from schemas.batch import BatchProgress

LOOK_SECONDS = 0.5  # between two looks on a terminal
INTERRUPTED = 130


def watch_batch(options: Options, name: str) -> int:
    """Show how a batch stands until it ends: bars on a terminal, else a line now and then. Gives the exit code.

    With --once or --json it is told once. Raises InputError where there is no such batch.
    """
    from pipeline.batch.progress import read_progress
    from pipeline.batch.records import find_batch
    from pipeline.batch.work import place_of_batch
    from pipeline.cli.review_options import existing_store

    root = existing_store(options.store)
    batch = find_batch(root, name)
    folder = place_of_batch(root, batch)
    progress = read_progress(folder)
    if options.as_json:
        show_json(_as_json(batch, progress))
    elif options.once or not _goes_on(progress):
        typer.echo(_line(batch, progress, options.store))
    else:
        try:
            progress = _follow(folder, progress)
        except KeyboardInterrupt:
            return INTERRUPTED
        typer.echo(_line(batch, progress, options.store))
    return 0


def list_them(options: Options) -> int:
    """The batches of the store, a line each; gives the exit code.

    Raises InputError where there is no store.
    """
    from pipeline.batch.progress import read_progress
    from pipeline.batch.records import list_batches
    from pipeline.batch.work import place_of_batch
    from pipeline.cli.review_options import existing_store

    root = existing_store(options.store)
    found = [(name, read_progress(place_of_batch(root, name))) for name in list_batches(root)]
    if options.as_json:
        show_json({"batches": [_as_json(name, one) for name, one in found]})
        return 0
    for name, progress in found:
        typer.echo(_line(name, progress, options.store))
    if not found:
        typer.echo("there is no batch in this store")
    return 0


def _follow(folder: Path, progress: BatchProgress | None) -> BatchProgress | None:
    """Show a batch until it ends; gives its last report."""
    from pipeline.batch.progress import read_progress

    view, on_terminal = View(sys.stdout), sys.stdout.isatty()
    try:
        while progress is not None and _goes_on(progress):
            if on_terminal:
                view.show(progress)
            else:
                typer.echo(told_of(progress))
            time.sleep(LOOK_SECONDS if on_terminal else LINE_SECONDS)
            progress = read_progress(folder)
    finally:
        view.close()
    return progress


def _goes_on(progress: BatchProgress | None) -> bool:
    """True while it runs as far as can be seen: a process of another machine is taken at its word."""
    from pipeline.batch.progress import is_alive

    return progress is not None and is_alive(progress) is not False


def _as_json(batch: str, progress: BatchProgress | None) -> dict[str, object]:
    from pipeline.batch.progress import is_alive

    told = progress.model_dump(mode="json") if progress is not None else {"batch": batch, "state": None}
    return {**told, "alive": is_alive(progress) if progress is not None else False}


def _line(batch: str, progress: BatchProgress | None, store: str) -> str:
    """How a batch stands, in one line."""
    from pipeline.batch.progress import is_alive

    go_on = f"go on with: {resuming(batch, store)}"
    if progress is None:
        return plain(f"{batch}: begun, and has told nothing so far; if it does not run, {go_on}", keep_lines=False)
    state: str = progress.state
    if state == "stopped":
        state = f"stopped ({progress.stopped_because}), {go_on}"
    elif state != "ended" and is_alive(progress) is False:
        state = f"ended without saying so, {go_on}"
    elif is_alive(progress) is None:
        state = f"{state} on {progress.host}, which cannot be seen from here"
    return plain(f"{batch}: {state}; {told_of(progress)}", keep_lines=False)
