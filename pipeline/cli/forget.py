"""`lineproof forget`: a document erased on request, with a line in the ledger that says so."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

CHECK_FOUND = 1  # exit code: a place in the store still names what was to be forgotten

if TYPE_CHECKING:
    from pipeline.cli.output import Progress
    from schemas.forgetting import Forgetting, Forgotten


def forget(
    document: Annotated[
        str | None,
        typer.Argument(
            help="The document's id (the name of its folder), the beginning of it, or the file itself. Left out: only "
            "an erasure whose process died is finished.",
            metavar="[DOC]",
            show_default=False,
        ),
    ] = None,
    reason: Annotated[
        str | None,
        typer.Option(
            "--reason",
            help="Why. It is not stored, only its salted hash; the salt is shown once, to be kept where requests are.",
            metavar="TEXT",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether to erase.")] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Erase a document on request: its bytes, text, answers, papers, and what models were sent and replied.

    A line in the ledger says that it was done and which lines it concerns; the chain still verifies. Cases, replays and
    reviews that hold its text are erased with it. What cannot be erased is listed. It cannot be undone.
    """
    with ending_well(as_json=as_json):
        from pipeline.cli.output import Progress, show_all, show_json

        with Progress() as progress:
            told = _forget(Path(store), document, reason=reason, yes=yes, narrate=progress)
        if as_json:
            show_json(told.model_dump(mode="json"))
        else:
            from pipeline.cli.render_forget import render_forgotten

            show_all(render_forgotten(told))
        if told.still_named_in:
            raise typer.Exit(CHECK_FOUND)


def _forget(root: Path, name: str | None, *, reason: str | None, yes: bool, narrate: Progress) -> Forgotten:
    from pipeline.audit.forgetting import find_documents, finish, plan_erasure
    from pipeline.audit.forgetting import forget as erase
    from schemas.errors import InputError

    if not root.is_dir():
        raise InputError(f"{root}: there is no such store; name it with --store")
    left = finish(root, narrate=narrate)
    if left is not None and (name is None or any(one == name or one.startswith(name) for one in left.documents)):
        return left
    if name is None:
        raise InputError("no erasure is left to finish; name the document that is to be forgotten")
    documents = find_documents(root, name)
    if not yes:
        _confirm(plan_erasure(root, documents))
    return erase(root, documents, reason=reason, narrate=narrate)


def _confirm(planned: Forgetting) -> None:
    """Ask a person whether to erase what was planned.

    Raises InputError where nobody can be asked, or the answer is no.
    """
    from pipeline.cli.output import plain
    from pipeline.cli.render_forget import tell_counts
    from schemas.errors import InputError

    what = f"{', '.join(planned.documents)}: {tell_counts(planned.counts)}"
    if not sys.stdin.isatty():
        raise InputError(f"this would erase for good {what}; say --yes to do so")
    typer.echo(f"To be erased for good: {plain(what, keep_lines=False)}", err=True)
    if not typer.confirm("Erase it?", err=True):
        raise InputError("nothing was erased")
