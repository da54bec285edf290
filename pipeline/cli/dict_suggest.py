"""`lineproof dict suggest`: words that the dictionaries lack, as proposals; a person accepts or rejects them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from pipeline.lifecycle.deciding import Decision


def suggest(
    dictionary: Annotated[
        str | None, typer.Option("--dictionary", help="Only proposals for this dictionary.", metavar="NAME")
    ] = None,
    xlsx: Annotated[
        str | None, typer.Option("--xlsx", help="Also write the proposals as a sheet to decide on.", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the sheet where it is there already.")] = False,
    decide: Annotated[
        str | None, typer.Option("--decide", help="Carry out the decisions of a sheet.", metavar="FILE")
    ] = None,
    accept: Annotated[
        list[str] | None, typer.Option("--accept", help="Accept one proposal; may be repeated.", metavar="ID")
    ] = None,
    reject: Annotated[
        list[str] | None, typer.Option("--reject", help="Reject one for good; may be repeated.", metavar="ID")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", help="With --accept: the concept that takes the words.", metavar="DICTIONARY.CONCEPT"),
    ] = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Propose words that the dictionaries lack, from a store: misses, a model's finds, recurring phrases, corrections.

    Nothing is added by itself. A person decides, on a sheet (--xlsx, then --decide) or here (--accept, --reject):
    accepted words are checked and put in force as by `dict import`, rejected ones are not proposed again.
    """
    with ending_well(as_json=as_json):
        from schemas.errors import InputError

        deciding = bool(decide or accept or reject)
        if decide and (accept or reject):
            raise InputError("--decide takes the decisions from a sheet; leave --accept and --reject out")
        if deciding and (xlsx or dictionary):
            raise InputError("--xlsx and --dictionary go with proposing, not with a decision; run the command twice")
        if to and not accept:
            raise InputError("--to names the concept for --accept; name a proposal with it")
        if deciding:
            _decide(decide, accept or [], reject or [], to, as_json=as_json, store=store)
        else:
            _propose(dictionary, xlsx, force=force, as_json=as_json, store=store)


def _propose(dictionary: str | None, xlsx: str | None, *, force: bool, as_json: bool, store: str) -> None:
    from pipeline.audit.reviewing.stored import read_reviews
    from pipeline.audit.reviewing.teaching import lessons_of
    from pipeline.cli.files import write_file
    from pipeline.cli.output import Progress, show_all, show_json
    from pipeline.lifecycle.suggesting import suggest as propose
    from pipeline.run import dictionaries_of
    from schemas.errors import InputError

    path = Path(xlsx) if xlsx is not None else None
    if path is not None and path.suffix.lower() != ".xlsx":
        raise InputError(f"{path}: a sheet ends in .xlsx; name it so")
    if path is not None and path.exists() and not force:
        raise InputError(f"{path}: is there already; name another file, or replace it with --force")
    with Progress() as progress:
        lessons = lessons_of(Path(store), read_reviews(Path(store)))
        found = propose(Path(store), dictionaries_of(store), dictionary=dictionary, lessons=lessons, narrate=progress)
    if path is not None:
        from pipeline.lifecycle.sheet import to_sheet

        write_file(path, to_sheet(found.pending), option="--xlsx", force=force)
    if as_json:
        show_json(
            {
                "proposals": [one.model_dump(mode="json") for one in found.pending],
                "decided": found.decided_count,
                "runs": found.run_count,
                "documents": found.document_count,
                "unread": [{"run": one.run, "reason": one.reason} for one in found.unread],
                "path": str(path) if path is not None else None,
            }
        )
    else:
        from pipeline.cli.render_lifecycle import render_suggestion

        show_all(render_suggestion(found, path))


def _decide(
    sheet: str | None, accept: list[str], reject: list[str], to: str | None, *, as_json: bool, store: str
) -> None:
    from pipeline.cli.output import show_all, show_json
    from pipeline.lifecycle.deciding import decision_on
    from pipeline.store.proposals import load_proposals

    if sheet is not None:
        from pipeline.lifecycle.sheet import read_decisions

        decisions = read_decisions(Path(sheet))
    else:
        proposals = load_proposals(Path(store))
        chosen = [decision_on(proposals, each, accepted=True, target=to) for each in accept]
        decisions = (*chosen, *(decision_on(proposals, each, accepted=False) for each in reject))
    told = _carry_out(decisions, file=Path(sheet).name if sheet else None, as_json=as_json, store=store)
    if as_json:
        show_json(told)
    else:
        from pipeline.cli.render_lifecycle import render_decisions

        show_all(render_decisions(told))


def _carry_out(decisions: tuple[Decision, ...], *, file: str | None, as_json: bool, store: str) -> dict[str, Any]:
    """What was done, as `--json` gives it.

    Dictionaries come first and then the proposals: after a crash in between the same decisions find their words in
    force, and add nothing twice.
    """
    from pipeline.cli.dict_check import check_against_others
    from pipeline.cli.dict_exchange import put_in_force, refuse
    from pipeline.lifecycle.deciding import edits_of, with_decisions
    from pipeline.lifecycle.editing import in_force
    from pipeline.lifecycle.sheet import SHEET
    from pipeline.store.proposals import load_proposals, update_proposals

    root = Path(store)
    sheet = (file, SHEET) if file is not None else None
    edits = edits_of(decisions, load_proposals(root), current=lambda name: in_force(root, name), sheet=sheet)
    faults = check_against_others(edits.drafts, store=store) if edits.drafts else ()
    if any(fault.severity == "error" for fault in faults):
        remedy = "correct the rows and decide again" if file else "take the words another way, on a sheet (--xlsx)"
        refuse(edits.drafts[0], faults, as_json=as_json, remedy=remedy)
    written = [put_in_force(draft, store=store, dry_run=False) for draft in edits.drafts]
    update_proposals(root, lambda before: with_decisions(before, decisions))
    return {
        "accepted": [one.told for one in decisions if one.accepted],
        "rejected": [one.proposal_id for one in decisions if not one.accepted],
        "dictionaries": written,
        "notes": edits.notes,
    }
