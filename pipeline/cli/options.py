"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else.")]
Store = Annotated[str, typer.Option("--store", help="Folder that keeps every record.", metavar="DIR")]
