"""`lineproof review list`, `status` and `agreement`: what people said, whether it settles, how alike they judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store
from pipeline.cli.review_options import Eyes, RunName, Trusted, existing_store, trusted_keys

if TYPE_CHECKING:
    from pipeline.audit.reviewing.stored import StoredReview

EYES = 2


def list_reviews(
    run: Annotated[str | None, typer.Argument(help="Only those on this run or case.", metavar="RUN")] = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """List the reviews of a store in the order of the ledger, those that cannot be trusted with the reason."""
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.stored import read_reviews
        from pipeline.cli.output import show_all, show_json
        from pipeline.store.runs import find_run, root_of_run
        from pipeline.store.seals import read_seal

        folder = find_run(Path(store), run) if run is not None else None
        stored = read_reviews(root_of_run(folder) if folder is not None else existing_store(store))
        seal = read_seal(folder) if folder is not None else None
        found = stored.of(seal.place) if seal is not None else () if folder is not None else stored.found
        if as_json:
            show_json(
                {
                    "reviews": [review_as_json(one) for one in found],
                    "unread": [{"place": one.place, "reason": one.reason} for one in stored.unread],
                }
            )
        else:
            from pipeline.cli.render_review import render_list

            show_all(render_list(found, stored.unread))


def status(
    run: RunName, eyes: Eyes = EYES, trusted: Trusted = None, as_json: AsJson = False, store: Store = "outputs"
) -> None:
    """Tell whether a decision is settled: enough different people agree on the same records.

    A person counts once, under one name and one key or several. Disagreement is shown, never settled by counting.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.told import Verdicts
        from pipeline.cli.output import show_all, show_json
        from pipeline.store.runs import find_run, root_of_run
        from schemas.errors import InputError

        folder = find_run(Path(store), run)
        told = Verdicts(root_of_run(folder), eyes=eyes, trusted=trusted_keys(trusted)).on(folder)
        if told.seal is None:
            raise InputError(f"{folder}: was made before there was a ledger and cannot be reviewed; ask once more")
        if as_json:
            show_json(told.model_dump(mode="json"))
        else:
            from pipeline.cli.render_standing import render_standings

            show_all(render_standings(told, heading=True))


def agreement(as_json: AsJson = False, store: Store = "outputs") -> None:
    """Measure how alike the reviewers judge: raw share, Cohen's kappa, Krippendorff's alpha, Gwet's AC1."""
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.agreement import measure
        from pipeline.audit.reviewing.stored import read_reviews
        from pipeline.cli.output import show_all, show_json

        found = measure(read_reviews(existing_store(store)))
        if as_json:
            show_json({"agreement": found.model_dump(mode="json")})
        else:
            from pipeline.cli.render_review import render_agreement

            show_all(render_agreement(found))


def review_as_json(one: StoredReview) -> dict[str, Any]:
    """A stored review as `--json` gives it."""
    return {
        "id": one.review_id,
        "ledger_line": one.seq,
        "faults": list(one.faults),
        "review": one.review.model_dump(mode="json"),
    }
