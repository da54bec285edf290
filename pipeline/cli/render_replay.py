"""A run done again, for a person: whether it is the same, how each stage was done, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pipeline.cli.output import plain
from pipeline.cli.render_diff import render_diff

if TYPE_CHECKING:
    from pipeline.audit.replaying import Replayed
    from pipeline.audit.replaying.table import VariantAnswer, VariantTable

MAX_ROWS = 50  # runs listed on the terminal; the file and --json hold all
MAX_CHARS = 70  # characters of a question or an answer in the table
_HOW = {
    "stored": "taken as stored", "rules": "done again by rules", "transcript": "done again with the replies on record",
    "model": "done again, a model was asked",
}  # fmt: skip
_SAME = {True: ("same", "green"), False: ("different", "yellow"), None: ("not done", "red")}


def render_replay(again: Replayed) -> list[RenderableType]:
    """The outcome, the stages, and against the stored run what changed and what it moved."""
    replay = again.replay
    what = "Strict replay" if replay.strict else "What if"
    changed = "; ".join(f"{name} {value}" for name, value in replay.changed.items())
    told = f"{what} of {replay.of}" + (f": {changed}" if changed else ", nothing changed, nothing sent")
    shown: list[RenderableType] = [Text(plain(told, keep_lines=False), style="bold"), Text()]
    for stage in replay.stages:
        same = {True: "identical to the byte", False: "differs", None: ""}[stage.identical]
        style = {True: "green", False: "yellow", None: "dim"}[stage.identical]
        shown.append(Text.assemble(f"  {stage.stage:<11}", (f"{_HOW[stage.how]:<40}", "dim"), (same, style)))
    shown.append(Text())
    if replay.identical:
        shown.append(Text("Every file that was made again is the stored one, to the byte.", style="bold green"))
    elif again.differing:
        shown.append(Text(f"Not as stored: {', '.join(again.differing)}", style="yellow"))
    if not replay.identical:
        shown += [Text(), *render_diff(replay.diff)]
    elif not replay.strict:
        shown.append(Text(plain(replay.diff.text)))
    if not replay.strict:
        shown += [Text(), Text(plain(f"Answer: {again.run.answer.text}"))]
    if again.path is not None:
        shown += [Text(), Text(plain(str(again.path), keep_lines=False), style="dim", no_wrap=True)]
    return shown


def render_table(table: VariantTable, out: str | None) -> list[RenderableType]:
    """The gist, then a row a run."""
    shown: list[RenderableType] = [Text(plain(table.text)), Text()]
    grid = Table(show_edge=False, pad_edge=False, header_style="bold")
    grid.add_column("question")
    grid.add_column("")
    heads = table.variants if len(table.variants) > 1 else ("stored", *table.variants)
    for name in heads:
        grid.add_column(_short(name))
    for row in table.rows[:MAX_ROWS]:
        word, style = _SAME[row.same]
        answers = row.answers if len(table.variants) > 1 else (row.stored, *row.answers)
        grid.add_row(_short(row.question or row.run), Text(word, style=style), *(_cell(one) for one in answers))
    shown.append(grid)
    if len(table.rows) > MAX_ROWS:
        shown.append(Text(f"and {len(table.rows) - MAX_ROWS} more; --out and --json hold all", style="dim"))
    if out is not None:
        shown += [Text(), Text(plain(out, keep_lines=False), style="dim", no_wrap=True)]
    return shown


def _cell(one: VariantAnswer) -> Text:
    told = Text(_short(one.text) if one.text else one.status or "not done")
    if one.note:
        told.append(f"\n{plain(one.note, keep_lines=False)[: 2 * MAX_CHARS]}", style="yellow")
    return told


def _short(text: str) -> str:
    line = plain(text, keep_lines=False)
    return line if len(line) <= MAX_CHARS else f"{line[: MAX_CHARS - 1]}…"
