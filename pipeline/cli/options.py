"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else.")]
Password = Annotated[
    str | None,
    typer.Option(
        "--password",
        help="Opens a protected document; kept nowhere. Others may see it in the process list: the variable is safer.",
        envvar="LINEPROOF_PASSWORD",
        metavar="TEXT",
    ),
]
Store = Annotated[str, typer.Option("--store", help="Folder that keeps every record.", metavar="DIR")]
