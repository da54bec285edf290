"""The commands and their help. Nothing heavy is imported before a command runs, so that `--help` answers at once."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pipeline.cli.anchor import anchor
from pipeline.cli.ask import ask
from pipeline.cli.batch import batch
from pipeline.cli.bundle import bundle
from pipeline.cli.dict_app import dict_app
from pipeline.cli.diff import diff
from pipeline.cli.eval_app import eval_app
from pipeline.cli.exits import EXIT_CODES
from pipeline.cli.forget import forget
from pipeline.cli.keys import keys_app
from pipeline.cli.ledger import ledger
from pipeline.cli.parse import parse
from pipeline.cli.pick import pick
from pipeline.cli.query import query
from pipeline.cli.replay import replay
from pipeline.cli.review_app import review_app
from pipeline.cli.show import show
from pipeline.cli.verify import verify
from pipeline.cli.why import why

EPILOG = "\n\n".join(["Exit codes:", *(f"{code}  {meaning}" for code, meaning in EXIT_CODES.items())])

app = typer.Typer(
    name="lineproof",
    help="Answers from documents, proven to the line.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a bug keeps its plain traceback
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog=EPILOG)(ask)
app.command(epilog=EPILOG)(batch)
app.command(epilog=EPILOG)(query)
app.command(epilog=EPILOG)(parse)
app.command(epilog=EPILOG)(show)
app.command(epilog=EPILOG)(pick)
app.command(epilog=EPILOG)(anchor)
app.command(epilog=EPILOG)(ledger)
app.command(epilog=EPILOG)(verify)
app.command(epilog=EPILOG)(bundle)
app.command(epilog=EPILOG)(why)
app.command(epilog=EPILOG)(forget)
app.command(epilog=EPILOG)(replay)
app.command(epilog=EPILOG)(diff)
app.add_typer(dict_app)
app.add_typer(eval_app)
app.add_typer(keys_app)
app.add_typer(review_app)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"lineproof {version('lineproof')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Answers from documents, proven to the line."""


def run_app() -> None:
    """Run the command that the arguments name."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character still gets the rest
    app()
