"""`lineproof replay`: a run done again, strictly to prove it, or with something changed to see what it does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Password, Store

DIFFERS = 1  # exit code: a strict replay does not give what is stored, or a run could not be done again


def replay(
    runs: Annotated[
        list[str] | None,
        typer.Argument(help="The run, as `show` takes it; several, or --all, give a table.", metavar="[RUN]..."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="First stage to do again; the ones before are taken as stored.",
            metavar="question|retrieval|generation",
        ),
    ] = None,
    dictionary: Annotated[
        list[str] | None,
        typer.Option("--dictionary", help="A dictionary (.toml, .xlsx) in the place of that name's.", metavar="FILE"),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of",
            help="Dictionaries in force at the end of a day (UTC), or one version.",
            metavar="YYYY-MM-DD|NAME=VERSION",
        ),
    ] = None,
    prompt: Annotated[
        list[str] | None,
        typer.Option(
            "--prompt",
            help="A text in the place of a prompt's system part; {system} in it stands for the words as "
            "they are. NAME: question, arbiter or generation (without one). Given twice for a name: two side by side.",
            metavar="[NAME=]FILE",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Another model, of the configured server.", metavar="NAME")
    ] = None,
    arbiter: Annotated[
        str | None, typer.Option("--arbiter", help="Who judges the passages.", metavar="rules|llm")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--setting", help="An option of retrieval.", metavar="KEY=VALUE")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All runs of the store, in one table.")] = False,
    out: Annotated[
        str | None, typer.Option("--out", help="Write the table there.", metavar="FILE.xlsx|.csv|.html")
    ] = None,
    no_save: Annotated[bool, typer.Option("--no-save", help="Keep nothing of it in the store.")] = False,
    password: Password = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Do a run again from what is stored, without paying for it twice, and tell what differs.

    Without an option nothing is changed and nothing can be sent: every file must come out the same to the byte, else
    the exit code is 1. With one, replies on record are used wherever the request is the same. What is done again is
    kept in `replays` of the store, sealed in the ledger, and `diff` compares it.
    """  # fmt: skip
    with ending_well(as_json=as_json):
        from pipeline.cli.replay_parts import Options, replay_many, replay_one
        from schemas.errors import StoreError

        options = Options(
            start, tuple(dictionary or ()), as_of, tuple(prompt or ()), model, arbiter, tuple(setting or ()),
            saving=not no_save, password=password, as_json=as_json, store=Path(store),
        )  # fmt: skip
        variants = options.variants()
        try:
            if every or len(runs or ()) > 1 or len(variants) > 1 or out is not None:
                passed = replay_many(options, tuple(runs or ()), variants, every=every, out=out)
            else:
                passed = replay_one(options, tuple(runs or ()), variants[0])
        except StoreError as error:
            if no_save:
                raise
            raise StoreError(f"{error} (--no-save writes nothing to the store)") from error
        if not passed:
            raise typer.Exit(DIFFERS)
