"""`lineproof diff`: what differs between two runs, and which change moved what."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

DIFFER = 1  # exit code: a person has to look
RUN_HELP = "A run as `show` takes it, a former one (<doc_id>/former/...), a replay (replays/...), of this or any store."


def diff(
    first: Annotated[str, typer.Argument(help=RUN_HELP, metavar="RUN")],
    second: Annotated[str, typer.Argument(help="The run to compare it with.", metavar="RUN")],
    by_reach: Annotated[
        bool,
        typer.Option("--by-reach", help="Tell which changes can have moved what, without trying them one by one."),
    ] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Tell what differs between two runs, and which change (document, dictionary, prompt, model, ...) moved what.

    Where several changes can have moved something, each is tried alone, by rules or with replies on record: nothing is
    sent and nothing written. Exit code 0: the same answer, passages and roles; 1: they differ.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.comparing import compare, read_side
        from pipeline.audit.comparing.experiments import OnRecord
        from pipeline.audit.comparing.naming import find_side
        from pipeline.cli.output import Progress, show_all, show_json

        with Progress() as progress:
            progress("reading the runs")
            sides = [read_side(folder) for folder in (find_side(Path(store), first), find_side(Path(store), second))]
            progress("trying the changes one by one")
            told = compare(*sides, experiments=None if by_reach else OnRecord((sides[0], sides[1])))
        if as_json:
            show_json(told.model_dump(mode="json"))
        else:
            from pipeline.cli.render_diff import render_diff

            show_all(render_diff(told))
        if not told.same:
            raise typer.Exit(DIFFER)
