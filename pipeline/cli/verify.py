"""`lineproof verify`: what does not hold in a store or a bundle, and what can be said of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Password, Store

if TYPE_CHECKING:
    from schemas.verification import Verification

FOUND = 1  # exit code: at least one mismatch
BUNDLE = ".zip"


def verify(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            help="Only these runs, named as for `show`, with the whole ledger; or one bundle (.zip). Without: all.",
            metavar="[RUN...]",
            show_default=False,
        ),
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            "--anchor", help="A signed head that was kept outside the store; may be given again.", metavar="FILE"
        ),
    ] = None,
    trusted: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted",
            help="Public key that must have signed; a missing signature of it fails. Without, any key's count.",
            metavar="KEY.pub",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", help="Your own copy of the document, or a folder of copies.", metavar="PATH"),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Check what is stored only; no stage is done again to compare it.")
    ] = False,
    password: Password = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Prove that nothing was altered, without a model and without the network; nothing is written.

    Checked are the ledger, the anchors, every stored file, record, quote and reply, and every stage is done again and
    compared byte for byte. Exit code 0: all holds; 1: something does not, and is named with its kind.
    """
    with ending_well(as_json=as_json):
        from pipeline.cli.output import show_all, show_json

        done = _verify(
            runs or [], anchor or [], trusted or [], source, quick=quick, password=password, store=Path(store)
        )  # fmt: skip
        if as_json:
            show_json(done.model_dump(mode="json"))
        else:
            from pipeline.cli.render_verify import render_verification

            show_all(render_verification(done))
        if not done.passed:
            raise typer.Exit(FOUND)


def _verify(
    runs: list[str],
    anchors: list[str],
    trusted: list[str],
    source: str | None,
    *,
    quick: bool,
    password: str | None,
    store: Path,
) -> Verification:
    from pipeline.audit.anchors import read_anchors
    from pipeline.audit.keys import load_public_key
    from pipeline.audit.verify import verify as verify_store
    from pipeline.cli.output import Progress
    from pipeline.store.runs import find_run
    from schemas.errors import InputError

    heads = [head for path in anchors for head in read_anchors(Path(path))]
    keys = [load_public_key(Path(path)) for path in trusted]
    bundles = [run for run in runs if run.lower().endswith(BUNDLE)]
    if bundles and (len(runs) > 1 or source):
        raise InputError("a bundle is verified by itself; name it alone, without --source")
    with Progress() as progress:
        if bundles:
            from pipeline.audit.bundle import verify_bundle

            return verify_bundle(
                Path(bundles[0]), anchors=heads, trusted=keys, rerun=not quick, password=password, narrate=progress
            )
        folders = [find_run(store, run) for run in runs] or None
        return verify_store(
            store, anchors=heads, trusted=keys, runs=folders, sources=Path(source) if source else None,
            rerun=not quick, password=password, narrate=progress,
        )  # fmt: skip
