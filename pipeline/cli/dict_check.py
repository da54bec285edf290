"""`lineproof dict check`: what is wrong with dictionaries, all at once, before they answer anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dictionaries.drafts import Draft
    from dictionaries.faults import Fault

REFUSED = 2  # exit code of bad input
BESIDE_VALUES = ("text", "boolean", "party", "address")  # kinds of answer that no value pattern stands for


def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Dictionary files (.toml) or workbooks (.xlsx); without any all in force.",
            metavar="[FILE]",
        ),
    ] = None,
    folder: Annotated[
        str | None,
        typer.Option(
            "--folder", help="Also refuse terms found on more than 5 % of the lines of these documents.", metavar="DIR"
        ),
    ] = None,
    show_warnings: Annotated[bool, typer.Option("--all", help="List every warning, not the first twenty.")] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Check dictionaries: errors (exit code 2) and warnings, by sheet, row and column. Nothing is written."""
    with ending_well(as_json=as_json):
        from pipeline.cli.output import show_all, show_json

        drafts = read_drafts(files, store)
        prose, unread = _prose_of(folder, store) if folder is not None else ({}, [])
        faults = check_against_others(drafts, store=store, prose=prose, edits=bool(files))
        errors = sum(fault.severity == "error" for fault in faults)
        if as_json:
            show_json(
                {
                    "checked": [draft.file for draft in drafts],
                    "errors": errors,
                    "warnings": len(faults) - errors,
                    "faults": [fault.model_dump(mode="json") for fault in faults],
                    "unread": unread,
                }
            )
        else:
            from pipeline.cli.render_dict import render_check

            show_all(render_check([draft.file for draft in drafts], faults, unread, every=show_warnings))
        if errors:
            raise typer.Exit(REFUSED)


def read_drafts(files: Sequence[str] | None, store: str) -> list[Draft]:
    """The dictionaries in the files; those in force without any.

    Raises DictionaryError for a file that cannot be read.
    """
    from dictionaries.drafts import read_draft
    from pipeline.cli.dict_show import drafts_in_force

    if not files:
        return [draft for _, draft in drafts_in_force(store)]
    return [read_draft(Path(file)) for file in files]


def check_against_others(
    drafts: Sequence[Draft], *, store: str, prose: dict[str, list[str]] | None = None, edits: bool = True
) -> tuple[Fault, ...]:
    """The faults of the drafts, as they would stand beside the other dictionaries in force.

    `edits` says that they take the place of those in force, which may share words with the others already.
    """
    from dictionaries.checking import check_drafts
    from pipeline.cli.dict_show import drafts_in_force

    names = {draft.name for draft in drafts}
    in_force = [draft for _, draft in drafts_in_force(store)]
    others = [draft for draft in in_force if draft.name not in names]
    former = [draft for draft in in_force if draft.name in names] if edits else []
    return check_drafts(drafts, others=others, former=former, answer_types=known_answer_types(), prose=prose)


def known_answer_types() -> tuple[str, ...]:
    """The types of answers that the bricks can give."""
    from pipeline.values import VALUE_TYPES
    from pipeline.values.declared import load_declared_types

    load_declared_types()
    return tuple(sorted({*BESIDE_VALUES, *VALUE_TYPES}))


def _prose_of(folder: str, store: str) -> tuple[dict[str, list[str]], list[dict[str, str]]]:
    """The lines of the documents of a folder under its name, and what could not be read."""
    from pipeline.cli.dict_documents import Unread, read_documents
    from pipeline.cli.output import Progress

    lines: list[str] = []
    unread: list[dict[str, str]] = []
    with Progress() as progress:
        for each in read_documents(folder, store=store, narrate=progress):
            if isinstance(each, Unread):
                unread.append({"file": each.name, "reason": each.reason})
            else:
                lines += each.lines
    return {f"the documents of {Path(folder).name or folder}": lines}, unread
