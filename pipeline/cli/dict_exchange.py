"""`lineproof dict export` and `dict import`: a dictionary to a workbook, and an edited one into force."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.files import write_file
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dictionaries.drafts import Draft
    from dictionaries.faults import Fault
    from dictionaries.file_format import DictionaryFile

REFUSED = 2  # exit code of bad input
MAX_TAKEN_BACK = 20  # edits named of those that an import would undo; the rest is counted


def export(
    name: Annotated[str, typer.Argument(help="Name of the dictionary, as `dict list` has it.", metavar="NAME")],
    xlsx: Annotated[
        str | None, typer.Option("--xlsx", help="The workbook to write; NAME.xlsx without it.", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file where it is there already.")] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Write a dictionary as a workbook: edit it in Excel, then `dict import` it."""
    with ending_well(as_json=as_json):
        from dictionaries.workbook import to_workbook
        from pipeline.cli.dict_show import draft_in_force, sound_in_force
        from pipeline.cli.output import show_json
        from schemas.errors import InputError

        found, draft = draft_in_force(name, store)
        path = Path(xlsx or f"{name}.xlsx")
        if path.suffix.lower() != ".xlsx":
            raise InputError(f"{path}: a workbook ends in .xlsx; name it so")
        if path.exists() and not force:
            raise InputError(f"{path}: is there already; name another file, or replace it with --force")
        parsed = sound_in_force(found, draft, store)
        write_file(path, to_workbook(parsed, name=name), option="--xlsx", force=force)
        if as_json:
            show_json({"dictionary": name, "version": parsed.version, "path": str(path)})
        else:
            typer.echo(str(path))


def import_file(
    file: Annotated[
        str, typer.Argument(help="The edited workbook (.xlsx), or a dictionary file (.toml).", metavar="FILE")
    ],
    is_workbook: Annotated[bool, typer.Option("--xlsx", help="FILE is a workbook; its name says so too.")] = False,
    as_name: Annotated[
        str | None,
        typer.Option("--as", help="Name in force; else the one on the sheet, or the file's.", metavar="NAME"),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change and write nothing.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Also take back edits that came in force after FILE was exported.")
    ] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Check an edited dictionary, show what changes, and put it in force in the store.

    One with an error is refused as a whole, with sheet, row, column and reason, and the store stays as it was. The
    version before is kept in the folder dictionaries/history of the store. A file made from an older version than the
    one in force is refused where it would take back what was edited since: export again, or say so with --force, as for
    going back to a version of the history. It also cures a dictionary of the store that cannot be used.
    """  # fmt: skip
    with ending_well(as_json=as_json):
        from dictionaries.drafts import read_draft
        from pipeline.cli.dict_check import check_against_others
        from pipeline.cli.output import show_all, show_json
        from schemas.errors import InputError

        path = Path(file)
        if is_workbook and path.suffix.lower() == ".toml":
            raise InputError(f"{path.name}: --xlsx says a workbook and the name a dictionary file; leave --xlsx out")
        draft = read_draft(path)
        draft = replace(draft, name=checked_name(as_name or draft.name, file=path.name))
        faults = check_against_others([draft], store=store)
        if draft.parsed is None or any(fault.severity == "error" for fault in faults):
            refuse(draft, faults, as_json=as_json)
        told = put_in_force(draft, store=store, dry_run=dry_run, force=force)
        told["warnings"] = [fault.model_dump(mode="json") for fault in faults]
        if as_json:
            show_json(told)
        else:
            from pipeline.cli.render_dict import render_import

            show_all(render_import(told, faults))


def put_in_force(draft: Draft, *, store: str, dry_run: bool, force: bool = False) -> dict[str, Any]:
    """What changes, as `dict import --json` gives it; written unless nothing changes or `dry_run` says so.

    Raises DictionaryError where it would take back edits of a newer version, unless `force`.
    """
    from dictionaries.changes import changes_between, settle_version
    from dictionaries.loading import dictionary_paths
    from dictionaries.writing import to_toml
    from pipeline.cli.dict_show import sound
    from pipeline.store.dictionaries import own_dictionaries, save_dictionary

    former = dictionary_paths(overlay=own_dictionaries(store)).get(draft.name)
    before = _usable_former(former)
    edited = sound(draft)
    if before is not None and not force:
        _refuse_taking_back(draft, before, edited, store)
    after, note = settle_version(before, edited, today=datetime.now(UTC).date())
    if former is not None and before is None:
        note = f"{former.name} could not be used; what it held is kept in the history"
    changes = changes_between(before, after) if before is not None else None
    is_new = changes is None or not changes.is_empty
    written = None
    if is_new and not dry_run:
        written = save_dictionary(
            store,
            draft.name,
            to_toml(after),
            former=former.read_bytes() if former is not None else None,
            former_version=before.version if before is not None else "",
            version=after.version,
        )
    return {
        "dictionary": draft.name,
        "version": after.version,
        "date": after.date.isoformat(),
        "former_version": before.version if before is not None else None,
        "changes": changes.model_dump(mode="json") if changes is not None else None,
        "concepts": len(after.concepts),
        "is_new": is_new,
        "path": str(written) if written is not None else None,
        "notes": [note] if note else [],
    }


def _usable_former(path: Path | None) -> DictionaryFile | None:
    """What the file in force says; None where there is none, and where it is damaged."""
    from pipeline.cli.dict_show import read_kept

    draft = read_kept(path) if path is not None else None
    return draft.parsed if draft is not None else None


def _refuse_taking_back(draft: Draft, before: DictionaryFile, edited: DictionaryFile, store: str) -> None:
    from dictionaries.changes import is_older, taken_back
    from pipeline.cli.render_dict import changes_lines
    from pipeline.lifecycle.editing import version_kept
    from schemas.errors import DictionaryError

    made_from = draft.made_from or edited.version  # a person may have raised the version on the sheet
    if not is_older(made_from, before.version):
        return
    undone = taken_back(version_kept(Path(store), draft.name, made_from), before, edited)
    lines = [line.plain for line in changes_lines(undone.model_dump(mode="json"))]
    if lines:
        more = f"; and {len(lines) - MAX_TAKEN_BACK} more" if len(lines) > MAX_TAKEN_BACK else ""
        raise DictionaryError(
            f"{draft.file}: made from version {made_from}, and {before.version} is in force; it would take back: "
            f"{'; '.join(lines[:MAX_TAKEN_BACK])}{more}. Nothing was written: export the dictionary again and add your "
            "changes there, or take these back with --force"
        )


def refuse(
    draft: Draft, faults: Sequence[Fault], *, as_json: bool, remedy: str = "correct them and import it again"
) -> None:
    """End with every error told, those alike counted; a broken dictionary changes nothing."""
    from dictionaries.faults import shown_faults
    from pipeline.cli.output import plain, show_json
    from pipeline.cli.render_dict import MAX_ERRORS

    errors = [fault for fault in faults if fault.severity == "error"]
    count = f"{len(errors):,} error{'s' if len(errors) != 1 else ''}"
    message = f"{draft.file}: refused for {count}; nothing was written: {remedy}"
    if as_json:
        told = {"kind": "DictionaryError", "message": plain(message, keep_lines=False), "exit_code": REFUSED}
        show_json({"error": told, "faults": [fault.model_dump(mode="json") for fault in faults]})
    listed = list(shown_faults(errors))
    for fault, below in listed[:MAX_ERRORS]:
        typer.echo(plain(fault.told, keep_lines=False), err=True)
        if below:
            typer.echo(f"  {plain(below, keep_lines=False)}", err=True)
    if len(listed) > MAX_ERRORS:
        typer.echo(f"and {len(listed) - MAX_ERRORS:,} more; --json lists them all", err=True)
    typer.secho(f"lineproof: {plain(message, keep_lines=False)}", err=True, fg="red")
    raise typer.Exit(REFUSED)


def checked_name(name: str, *, file: str) -> str:
    """The name, which becomes that of a file.

    Raises DictionaryError for one that is none.
    """
    from pydantic import TypeAdapter, ValidationError

    from dictionaries.file_format import Name
    from schemas.errors import DictionaryError

    try:
        return TypeAdapter(Name).validate_python(name)
    except ValidationError as error:
        raise DictionaryError(
            f"{file}: {name[:80]!r} is no name of a dictionary: a-z, 0-9 and '_', a letter first; give one with --as"
        ) from error
