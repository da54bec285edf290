"""`lineproof batch --import-review`: what reviewers filled in in the sheet of cells becomes reviews in the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipeline.cli.output import show_json
from pipeline.cli.review_options import existing_store

if TYPE_CHECKING:
    from pipeline.cli.batch_options import Options


def import_reviews(options: Options, file: str, *, by: str | None) -> int:
    """Record the verdicts of a workbook of results; one fault, and none is recorded. Gives the exit code.

    Raises InputError with all faults, each with its row.
    """
    from pipeline.audit.reviewing.recording import save
    from pipeline.audit.reviewing.sheet import OF_BATCH, read_sheet

    read = read_sheet(existing_store(options.store), Path(file), by=by, form=OF_BATCH)
    for one in read.prepared:
        save(one, read.known)
    if options.as_json:
        show_json({"recorded": len(read.prepared), "already": read.already, "without_verdict": read.without_verdict})
    else:
        typer.echo(
            f"{len(read.prepared):,} reviews recorded, {read.already:,} were there already, "
            f"{read.without_verdict:,} rows without a verdict"
        )
    return 0
