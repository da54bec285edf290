"""`lineproof eval gate`: stop when a run is significantly worse than the one before."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.exits import GATE_CLOSED, ending_well
from pipeline.cli.options import AsJson

DEFAULT_OUT = "outputs/evaluation"


def gate(
    baseline: Annotated[
        str, typer.Option("--baseline", help="summary.json of the run to compare with, or its folder.", metavar="FILE")
    ],
    current: Annotated[
        str | None,
        typer.Option(
            "--current",
            help="summary.json of the run to judge, or its folder; else of the last run on the same data set.",
            metavar="FILE",
        ),
    ] = None,
    strategy: Annotated[
        list[str] | None, typer.Option("--strategy", help="Compare only this one; may be repeated.", metavar="NAME")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare a run with a saved one; end with exit code 7 where a figure is significantly worse.

    Where both have their rows (evaluation.parquet) beside the summary, differences are resampled on the common pairs.
    """
    with ending_well(as_json=as_json):
        from pipeline.cli.output import show_all, show_json
        from pipeline.evaluation.gate import compare_runs, read_summary

        before = Path(baseline)
        now = Path(current) if current is not None else Path(DEFAULT_OUT) / read_summary(before).dataset.name
        report = compare_runs(before, now, strategies=strategy or ())
        if as_json:
            show_json({"gate": report.model_dump(mode="json")})
        else:
            from pipeline.cli.render_evaluation import render_gate

            show_all(render_gate(report))
        if not report.passed:
            raise typer.Exit(GATE_CLOSED)
