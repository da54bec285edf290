"""`lineproof why`: on which passages an answer stands, and what it would be without them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel


def why(
    run: Annotated[
        str,
        typer.Argument(
            help="The folder of the run or case, its <doc_id>/<slug>_<hash>, its <slug>_<hash>, the hash, or the "
            "slug's start.",
            metavar="RUN",
        ),
    ],
    llm: Annotated[
        bool,
        typer.Option(
            "--llm", help="Let the model that LINEPROOF_MODEL names answer again; else rules and replies on record do."
        ),
    ] = False,
    budget: Annotated[
        int, typer.Option("--budget", help="With --llm: most calls that may be sent.", metavar="N", min=1)
    ] = 20,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Say on which passages an answer stands: leave each out in turn, answer again, and find the fewest that do.

    Nothing is searched again and nothing is sent, unless --llm is given. Of an answer without a value each nearest miss
    is read as if it were primary. A compound question is taken part by part, a case document by document.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.why import explain_saved
        from pipeline.cli.output import show_all, show_json
        from pipeline.store.runs import find_run

        folder = find_run(Path(store), run)
        told = explain_saved(folder, llm=_model(store) if llm else None, budget=budget)
        if as_json:
            show_json({"run": str(folder), "counterfactuals": [one.model_dump(mode="json") for one in told]})
        else:
            from pipeline.cli.render_why import render_counterfactual

            show_all([part for one in told for part in render_counterfactual(one)])


def _model(store: str) -> LanguageModel:
    from pipeline.run import open_model
    from schemas.errors import SettingsError

    model = open_model(store)
    if model is None:
        raise SettingsError("--llm was given and LINEPROOF_MODEL names no model; set it, or leave --llm out")
    return model
