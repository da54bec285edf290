"""`lineproof show`: a run as it was saved, for whoever has to defend it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store


def show(
    run: Annotated[
        str,
        typer.Argument(
            help="The folder of the run, its <doc_id>/<slug>_<hash>, its <slug>_<hash>, the hash, or the slug's start.",
            metavar="RUN",
        ),
    ],
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Show how an answer came about: methods, every candidate with role and reason, the checks, the model's part."""
    with ending_well(as_json=as_json):
        from pipeline.cli.output import show_all, show_json
        from pipeline.store.runs import find_run, is_case, load_case, load_run

        folder = find_run(Path(store), run)
        if is_case(folder):
            case = load_case(folder)
            if as_json:
                show_json({"answer": case.model_dump(mode="json"), "run": str(folder)})
            else:
                from pipeline.cli.render_answer import render_saved_case

                show_all(render_saved_case(case, folder))
            return
        saved = load_run(folder)
        if as_json:
            show_json(
                {
                    "answer": saved.answer.model_dump(mode="json"),
                    "retrieval": saved.retrieval.model_dump(mode="json"),
                    "run": str(folder),
                    "question": saved.question.model_dump(mode="json"),
                    "trace": saved.trace.model_dump(mode="json"),
                }
            )
        else:
            from pipeline.cli.render_run import render_saved_run

            show_all(render_saved_run(saved))
