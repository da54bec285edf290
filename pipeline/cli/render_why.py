"""A counterfactual for a person: what it comes to in sentences, then every passage with what its absence does."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pipeline.cli.output import plain
from schemas.replay import Ablation, Counterfactual

_STYLE = {"same": "dim", "weaker": "yellow", "lost": "bold red", "flipped": "bold red", "grown": "yellow"}
_REMOVED = {"all_primary": "all primary", "all_supporting": "all supporting", "all_but": "all others"}
MAX_SHOWN = 60  # characters of an answer in the table; the sentences and the record say more


def render_counterfactual(told: Counterfactual) -> list[RenderableType]:
    """The sentences, and a table of what was left out and what came of it."""
    parts: list[RenderableType] = [Text(), Text(plain(told.run, keep_lines=False), style="dim", no_wrap=True)]
    parts += [Text(plain(sentence, keep_lines=False)) for sentence in told.sentences]
    if told.ablations:
        parts += [Text(), _table(told)]
    how = sorted({*(one.how for one in told.ablations), *(one.how for one in told.promotions)})
    if how:
        words = {"rules": "rules", "transcript": "replies on record", "model": "a model"}
        calls = f"; {told.calls_made} calls sent" if told.calls_made else ""
        parts.append(Text(f"answered again by {' and '.join(words[one] for one in how)}{calls}", style="dim"))
    return parts


def _table(told: Counterfactual) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("without", "role", "effect", "then"):
        table.add_column(title, no_wrap=title in ("role", "effect"))
    for one in told.ablations:
        table.add_row(*_row(one, told))
    return table


def _row(one: Ablation, told: Counterfactual) -> tuple[Text, Text, Text, Text]:
    where = told.places[one.removed[0]] if len(one.removed) == 1 else f"{len(one.removed)} passages"
    then = " ".join(plain(one.text, keep_lines=False).split()) if one.effect != "same" else ""
    shown = then if len(then) <= MAX_SHOWN else then[: MAX_SHOWN - 1] + "…"
    role = _REMOVED.get(one.removed_as, one.removed_as)
    return Text(where), Text(role), Text(one.effect, style=_STYLE[one.effect]), Text(shown)
