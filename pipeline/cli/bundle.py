"""`lineproof bundle`: all that a third party needs to check runs, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.keys import PassphraseEnv
from pipeline.cli.options import AsJson, Password, Store

if TYPE_CHECKING:
    from pipeline.audit.bundle import BundleOptions, MadeBundle


def bundle(
    runs: Annotated[list[str], typer.Argument(help="Runs and cases, named as for `show`.", metavar="RUN...")],
    out: Annotated[str, typer.Option("--out", "-o", help="The new zip file, outside of the store.", metavar="FILE")],
    redact: Annotated[
        bool, typer.Option("--redact", help="Take out all texts, values and names; what is left still verifies.")
    ] = False,
    show: Annotated[
        list[str] | None,
        typer.Option(
            "--show",
            help="With --redact, show this all the same: question, answer (with the question), quotes, reasons, names; "
            "may be given again.",
            metavar="LEVEL",
        ),
    ] = None,
    no_documents: Annotated[
        bool,
        typer.Option("--no-documents", help="Leave the documents, their full text and marked copies out; hashes only."),
    ] = False,
    replays: Annotated[bool, typer.Option("--replays", help="Add the replays of the runs, too.")] = False,
    key: Annotated[
        str | None,
        typer.Option("--key", help="Sign the ledger's head and the list of files with this key.", metavar="FILE"),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option("--anchor", help="Add this signed head instead of signing one now.", metavar="FILE"),
    ] = None,
    passphrase_env: PassphraseEnv = None,
    password: Password = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Write an evidence bundle: records, documents, pages, ledger, and a verifier that needs Python alone.

    Who gets it checks it without Lineproof, network or key: `python -I -B verify_bundle.py case.zip`; with Lineproof
    by `lineproof verify case.zip`.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.bundle import make_bundle
        from pipeline.cli.output import Progress, show_all, show_json
        from pipeline.store.runs import find_run

        options = _options(
            redact=redact, levels=show or [], documents=not no_documents, replays=replays, key=key, anchor=anchor,
            passphrase_env=passphrase_env, password=password, store=Path(store),
        )  # fmt: skip
        folders = [find_run(Path(store), run) for run in runs]
        with Progress() as progress:
            made = make_bundle(Path(store), folders, Path(out), options=options, narrate=progress)
        if as_json:
            show_json(_as_json(made))
        else:
            show_all(_render(made))


def _options(
    *,
    redact: bool,
    levels: list[str],
    documents: bool,
    replays: bool,
    key: str | None,
    anchor: str | None,
    passphrase_env: str | None,
    password: str | None,
    store: Path,
) -> BundleOptions:
    from pipeline.audit.anchors import read_anchor
    from pipeline.audit.bundle import LEVELS, BundleOptions
    from pipeline.cli.keys import chosen_key
    from schemas.errors import InputError

    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        raise InputError(f"--show {unknown[0][:40]}: no such level; one of {', '.join(LEVELS)}")
    if levels and not redact:
        raise InputError("--show goes with --redact: without it everything is shown")
    if key and anchor:
        raise InputError("--key signs the ledger's head now, --anchor adds one signed before; name one of them")
    return BundleOptions(
        redact=redact,
        levels=tuple(level for level in LEVELS if level in levels),
        documents=documents,
        replays=replays,
        password=password,
        anchor=read_anchor(Path(anchor)) if anchor else None,
        key=chosen_key(key, passphrase_env, store=str(store)) if key else None,
    )


def _as_json(made: MadeBundle) -> dict[str, Any]:
    return {
        "bundle": str(made.path),
        "sha256": made.sha256,
        "bytes": made.byte_count,
        "files": made.file_count,
        "records": list(made.places),
        "redacted": made.redacted,
        "head": made.head.model_dump(mode="json") if made.head else None,
        "remarks": list(made.remarks),
    }


def _render(made: MadeBundle) -> list[Any]:
    from rich.text import Text

    from pipeline.cli.output import plain
    from pipeline.cli.render_answer import render_path

    signed = f"signed up to line {made.head.seq} by the key {made.head.key_id}" if made.head else "not signed"
    told = f"{len(made.places)} records, {made.file_count} files, {made.byte_count:,} bytes, {signed}"
    parts: list[Any] = [Text(told), render_path("bundle", str(made.path)), Text(f"SHA-256 {made.sha256}", no_wrap=True)]
    parts += [Text(plain(remark)) for remark in made.remarks]
    return [*parts, Text("check it by: python -I -B verify_bundle.py FILE, or lineproof verify FILE")]
