"""`lineproof dict diff`: what an edit changes, in a dictionary and in the stored answers, before it is accepted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from pipeline.lifecycle.comparing import Comparison

CHANGES, NOT_COMPARED = 4, 5  # exit codes: a person has to look; a record could not be read
ALL = "all"


def diff(
    edited: Annotated[
        str,
        typer.Argument(
            help="The edited workbook (.xlsx) or dictionary file (.toml), or a former version in the store's history.",
            metavar="EDITED",
        ),
    ],
    documents: Annotated[
        str, typer.Option("--documents", help="Only the runs of this document.", metavar="all|DOC_ID")
    ] = ALL,
    as_name: Annotated[
        str | None,
        typer.Option("--as", help="Dictionary it edits; else the one on its sheet, or the file's.", metavar="NAME"),
    ] = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Show what an edit changes: the words, then every stored answer that would be another. Nothing is written.

    Each saved run is asked again in memory, by rules, without and with the edit. Exit code 0: no stored answer changes;
    4: some do, so look at them; 5: none does, but some runs could not be asked again.
    """
    with ending_well(as_json=as_json):
        from pipeline.cli.output import show_all, show_json

        compared = _compare(edited, documents, as_name, as_json=as_json, store=store)
        if as_json:
            show_json(_told(compared))
        else:
            from pipeline.cli.render_lifecycle import render_comparison

            show_all(render_comparison(compared, edited))
        code = CHANGES if compared.changed_answers else NOT_COMPARED if compared.unread else 0
        if code:
            raise typer.Exit(code)


def _compare(edited: str, documents: str, as_name: str | None, *, as_json: bool, store: str) -> Comparison:
    from pipeline.cli.dict_check import check_against_others
    from pipeline.cli.dict_exchange import checked_name, refuse
    from pipeline.cli.dict_show import sound
    from pipeline.cli.output import Progress
    from pipeline.lifecycle.comparing import compare
    from pipeline.lifecycle.editing import find_edited
    from pipeline.run import dictionaries_of
    from schemas.errors import InputError

    root = Path(store)
    if documents != ALL and documents not in {path.parent.name for path in root.glob("*/questions")}:
        raise InputError(
            f"{documents[:200]!r} is no document with a saved run in the store {root}; name its doc_id, or '{ALL}'"
        )
    draft = find_edited(root, edited)
    draft = replace(draft, name=checked_name(as_name or draft.name, file=draft.file))
    faults = check_against_others([draft], store=store)
    if draft.parsed is None or any(fault.severity == "error" for fault in faults):
        refuse(draft, faults, as_json=as_json, remedy="correct them and compare it again")
    with Progress() as progress:
        return compare(
            root, draft.name, sound(draft), dictionaries_of(store),
            doc_id=None if documents == ALL else documents, narrate=progress,
        )  # fmt: skip


def _told(compared: Comparison) -> dict[str, Any]:
    return {**compared.model_dump(mode="json"), "changed_answers": compared.changed_answers}
