"""`lineproof review export` and `review import`: reviewing in a workbook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store
from pipeline.cli.review_options import Key, PassphraseEnv, existing_store, key_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.audit.reviewing.decisions import Decision, LeftOut


def export(
    out: Annotated[str, typer.Option("--out", help="The workbook to write.", metavar="FILE")],
    run: Annotated[
        list[str] | None, typer.Argument(help="Only these runs or cases; all without one.", metavar="RUN...")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file where it is there already.")] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Write runs as a workbook with columns for the verdict: review in Excel, then `review import`."""
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.decisions import Lines, list_decisions, read_decision
        from pipeline.cli.output import plain, show_json
        from pipeline.store.runs import find_run, root_of_run

        left_out: tuple[LeftOut, ...] = ()
        if run:
            folders = dict.fromkeys(find_run(Path(store), name) for name in run)
            lines = {root: Lines(root) for root in map(root_of_run, folders)}
            decisions = tuple(read_decision(one, lines[root_of_run(one)]) for one in folders)
        else:
            decisions, left_out = list_decisions(existing_store(store))
        path = write_sheet(decisions, out, force=force)
        if as_json:
            unread = [{"place": one.place, "reason": one.reason} for one in left_out]
            show_json({"path": str(path), "runs": len(decisions), "unread": unread})
        else:
            typer.echo(f"{len(decisions):,} runs to review: {path}")
            for one in left_out:
                typer.echo(plain(f"left out: {one.reason}", keep_lines=False), err=True)


def import_file(
    file: Annotated[str, typer.Argument(help="The workbook that was reviewed in.", metavar="FILE")],
    by: Annotated[
        str | None, typer.Option("--by", help="The reviewer, where a row names none; needed with --key.", metavar="WHO")
    ] = None,
    key: Key = None,
    passphrase_env: PassphraseEnv = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check all rows and record nothing.")] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Record the verdicts of a workbook; one fault, and none is recorded.

    A row whose run was asked again since is refused: the verdict would be on other records. What the same reviewer
    said of a run before, word for word, is not recorded twice, so that a file may be imported again.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.recording import save
        from pipeline.audit.reviewing.sheet import read_sheet
        from pipeline.cli.output import show_all, show_json
        from pipeline.cli.review_verdicts import refuse_absent_words
        from schemas.errors import InputError

        if key is not None and by is None:
            raise InputError("--key signs for one person; name them with --by")
        read = read_sheet(existing_store(store), Path(file), by=by, key=key_for(key, passphrase_env, store=store))
        for one in read.prepared:
            refuse_absent_words(one.review.correction.text if one.review.correction else None)
        done = [] if dry_run else [save(one, read.known) for one in read.prepared]
        warnings = list(dict.fromkeys(words for one in done for words in one.warnings))
        told = {
            "recorded": [one.folder.name for one in done],
            "ready": len(read.prepared),
            "already_recorded": read.already,
            "without_verdict": read.without_verdict,
            "warnings": warnings,
        }
        if as_json:
            show_json(told)
        else:
            from pipeline.cli.render_review import render_import

            show_all(render_import(told, dry_run=dry_run))


def write_sheet(decisions: Sequence[Decision], out: str, *, force: bool) -> Path:
    """The workbook of these runs, written.

    Raises InputError for a name that is none of a workbook or is taken, StoreError where it cannot be written.
    """
    from pipeline.audit.reviewing.sheet import to_sheet
    from pipeline.cli.files import write_file
    from schemas.errors import InputError

    path = Path(out)
    if path.suffix.lower() != ".xlsx":
        raise InputError(f"{path}: a workbook ends in .xlsx; name it so")
    if path.exists() and not force:
        raise InputError(f"{path}: is there already; name another file, or replace it with --force")
    if not decisions:
        raise InputError("there is no run to review; ask questions first")
    write_file(path, to_sheet(decisions), force=force)
    return path
