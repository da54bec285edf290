"""An erasure for a person: what was erased, by which line of the ledger, and what it could not reach."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from pipeline.cli.output import plain
from schemas.forgetting import ErasureCounts, Forgotten

_WORDS = {
    "documents": ("document", "documents, files inside and copies included"),
    "runs": ("run", "runs"),
    "cases": ("case", "cases"),
    "replays": ("replay", "replays"),
    "reviews": ("review", "reviews"),
    "calls": ("exchange with a model", "exchanges with a model"),
    "vectors": ("vector at most", "vectors at most"),
    "turns": ("turn of a conversation", "turns of conversations"),
    "choices": ("remembered reply", "remembered replies"),
    "proposals": ("proposal for a dictionary", "proposals for dictionaries"),
}


def render_forgotten(told: Forgotten) -> list[RenderableType]:
    """What was erased and what stays."""
    again = " (an erasure whose process had died, finished)" if told.resumed else ""
    names = plain(", ".join(told.documents), keep_lines=False)
    parts: list[RenderableType] = [
        Text.assemble(("Forgotten", "bold green"), f"  {names}{again}"),
        Text(f"erased: {tell_counts(told.counts)}"),
        Text(f"ledger: line {told.seq}" + (f" says what was erased: {told.erased}" if told.erased else "")),
    ]
    if told.reason_salt is not None:
        parts.append(Text("the reason is not stored; keep it with this salt, which is shown once, to prove it later:"))
        parts.append(Text(f"  {told.reason_salt}", no_wrap=True))
    if told.still_named_in:
        parts.append(Text("These places still name it; look at them:", style="bold red"))
        parts += [Text(f"  {plain(one, keep_lines=False)}", style="red", no_wrap=True) for one in told.still_named_in]
    parts.append(Text("Not erased:", style="bold"))
    return parts + [Text(f"  {plain(one, keep_lines=False)}", style="dim") for one in told.remains]


def tell_counts(counts: ErasureCounts) -> str:
    """How much of each kind, kinds without any left out."""
    told = [f"{value} {_WORDS[name][value != 1]}" for name, value in counts.model_dump().items() if value]
    return ", ".join(told) or "nothing"
