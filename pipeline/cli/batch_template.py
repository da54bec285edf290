"""`lineproof batch --template`: the workbook to fill in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pipeline.cli.batch_options import Options

NAME = "questions.xlsx"


def put_template(options: Options) -> int:
    """Write the template; gives the exit code.

    Raises InputError where a file is there already, StoreError where it cannot be written.
    """
    from pipeline.batch.reading import write_template
    from pipeline.cli.files import write_file
    from pipeline.cli.output import show_json
    from schemas.errors import InputError

    path = Path(options.out or NAME)
    if path.exists() and not options.force:
        raise InputError(f"{path}: is there already; name another file with -o, or replace it with --force")
    write_file(path, write_template(), option="-o", force=options.force)
    if options.as_json:
        show_json({"path": str(path)})
        return 0
    typer.echo(f"{path}: fill in the sheet 'questions', then: lineproof batch DOCS {path} -o RESULTS.xlsx")
    return 0
