"""`lineproof ledger`: the history of a store, what was asked, reviewed, changed, signed and erased, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pipeline.audit.history import Event, History

MAX_CHARS = 160  # characters of a question that are shown; --json holds all
_STYLES = {"replaced": "dim", "forgotten": "yellow", "missing": "red", "altered": "red"}


def ledger(
    last: Annotated[int | None, typer.Option("--last", min=1, help="Only the last N lines.", metavar="N")] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            help="Only lines of this kind: run, case, replay, review, dictionary, anchor, forget; may be repeated.",
            metavar="KIND",
        ),
    ] = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Show the history of the store: what was asked, done again, reviewed, changed, signed and erased, and when.

    The ledger itself holds no text: questions are read from the records that its lines seal, and what was erased, taken
    away or changed since is told as such. Whether everything holds is for `lineproof verify` to say.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.history import read_history
        from pipeline.cli.output import show_all, show_json
        from schemas.errors import InputError
        from schemas.ledger import EntryKind

        kinds = get_args(EntryKind)
        unknown = [each for each in kind or [] if each not in kinds]
        if unknown:
            raise InputError(f"--kind {unknown[0][:40]}: no such kind; one of {', '.join(kinds)}")
        if not Path(store).is_dir():
            raise InputError(f"{store}: there is no such store; name its folder with --store")
        history = read_history(Path(store), last=last, kinds=kind or ())  # type: ignore[arg-type]
        if as_json:
            show_json(_told(history))
        else:
            show_all(_rendered(history, store))


def _told(history: History) -> dict[str, Any]:
    return {
        "ledger": history.ledger,
        "lines": history.line_count,
        "damaged": history.damaged,
        "entries": [_told_event(event) for event in history.events],
    }


def _told_event(event: Event) -> dict[str, Any]:
    entry = event.entry
    return {
        "seq": entry.seq,
        "at": entry.at,
        "kind": entry.kind,
        "what": event.what,
        "documents": list(event.documents),
        "status": event.status,
        "state": event.state,
        "place": event.place,
        "facts": dict(entry.facts),
        "torn": entry.torn.model_dump(mode="json") if entry.torn is not None else None,
        "hash": entry.hash,
    }


def _rendered(history: History, store: str) -> list[RenderableType]:
    from rich.table import Table
    from rich.text import Text

    from pipeline.audit.history import STATES
    from pipeline.cli.output import plain

    if history.ledger is None:
        return [Text(f"{plain(store, keep_lines=False)}: no ledger yet; `lineproof ask` writes the first line")]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("line", "time (UTC)", "kind", "outcome", "what"):
        is_fixed = title in ("line", "time (UTC)")
        table.add_column(title, justify="right" if title == "line" else "left", no_wrap=is_fixed)
    for event in history.events:
        at = event.entry.at[:19].replace("T", " ")
        outcome = _outcome(event)
        table.add_row(str(event.entry.seq), at, event.entry.kind, outcome, _what(event))
    parts: list[RenderableType] = [table] if history.events else [Text("no such line")]
    states = sorted({event.state for event in history.events} - {"kept", "none"})
    parts += [Text(f"{state}: {STATES[state]}", style="dim") for state in states]
    torn = sum(event.entry.torn is not None for event in history.events)
    if torn:
        parts.append(
            Text(f"{torn} unfinished before: a process died while it wrote; nothing reported was lost", style="dim")
        )
    if history.damaged:
        count = f"{history.damaged} line{'s' if history.damaged > 1 else ''}"
        parts.append(Text(f"{count} of the ledger cannot be read: `lineproof verify` says where", style="red"))
    return parts


def _outcome(event: Event) -> RenderableType:
    from rich.text import Text

    words = event.status or ("" if event.state in ("kept", "none") else event.state)
    if event.status and event.state == "replaced":
        words = f"{event.status}, {event.state}"
    return Text(words, style=_STYLES.get(event.state, ""))


def _what(event: Event) -> RenderableType:
    from rich.text import Text

    from pipeline.cli.output import plain

    what = plain(event.what, keep_lines=False)
    told = Text(what if len(what) <= MAX_CHARS else f"{what[: MAX_CHARS - 3]}...")
    below = ", ".join(event.documents) or (event.place or "")
    if below:
        told.append(f"\n{plain(below, keep_lines=False)}" if what else plain(below, keep_lines=False), style="dim")
    return told
