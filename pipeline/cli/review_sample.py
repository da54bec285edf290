"""`lineproof review sample`: how many runs to check for a stated confidence, and which."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store
from pipeline.cli.review_options import existing_store


def sample(
    confidence: Annotated[
        str, typer.Option("--confidence", help="How sure, from 0.5 to below 1.", metavar="SHARE")
    ] = "0.95",
    error_rate: Annotated[
        str | None,
        typer.Option("--error-rate", help="Rate to show is not reached, with no error found; else 0.05.",
                     metavar="SHARE"),
    ] = None,
    margin: Annotated[
        str | None,
        typer.Option("--margin", help="Instead: estimate the error rate so closely, either way.", metavar="SHARE"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Settles which runs are drawn.", metavar="N")] = 1,
    by_type: Annotated[
        bool, typer.Option("--by-type", help="Draw from each status and type of answer by its share, at least two.")
    ] = False,
    out: Annotated[
        str | None, typer.Option("--out", help="Also write the sample as a workbook to review in.", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the workbook where it is there already.")] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:  # fmt: skip
    """Plan a sample: the runs to check so that, with none of them wrong, few enough of all can be.

    Exact for the number of runs in the store; the same runs for the same seed, in an order that nobody can choose. It
    also tells what the reviewed ones of the sample say so far.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.decisions import Lines, list_decisions
        from pipeline.audit.reviewing.sampling import plan
        from pipeline.audit.reviewing.standing import last_verdicts
        from pipeline.audit.reviewing.stored import read_reviews
        from pipeline.cli.output import show_all, show_json
        from schemas.errors import InputError

        if error_rate is not None and margin is not None:
            raise InputError("--error-rate shows that a rate is not reached, --margin estimates one; give one of them")
        lines = Lines(existing_store(store))
        decisions, left_out = list_decisions(Path(store), lines)
        if left_out and not decisions:
            raise InputError(f"no run of {store} can be reviewed ({len(left_out)} left out): {left_out[0].reason}")
        found = plan(
            decisions,
            last_verdicts(read_reviews(Path(store), lines=lines)),
            confidence=_share("--confidence", confidence),
            error_rate=_share("--error-rate", error_rate or "0.05") if margin is None else None,
            margin=float(_share("--margin", margin)) if margin is not None else None,
            seed=seed,
            by_type=by_type,
        )
        path = None
        if out is not None:
            from pipeline.cli.review_exchange import write_sheet

            chosen = {one.run for one in found.chosen}
            path = write_sheet([one for one in decisions if one.place in chosen], out, force=force)
        if as_json:
            show_json(
                {
                    "plan": found.model_dump(mode="json"),
                    "unread": [{"place": one.place, "reason": one.reason} for one in left_out],
                    "path": str(path) if path is not None else None,
                }
            )
        else:
            from pipeline.cli.render_sample import render_plan

            show_all(render_plan(found, left_out, path))


def _share(option: str, text: str) -> Fraction:
    """The exact number that a person wrote: 0.95 is 95/100 and nothing beside it; '95 %' too."""
    from schemas.errors import InputError

    digits = text.strip().removesuffix("%").strip().replace(",", ".")
    try:
        share = Fraction(digits) if len(digits) <= 20 and "/" not in digits and "e" not in digits.lower() else None
    except ValueError:
        share = None
    if share is None:
        raise InputError(f"{option} {text[:40]!r}: is no number; write e.g. 0.95")
    return share / 100 if text.strip().endswith("%") else share
