"""Two runs held beside each other, for a person: the gist, what changed, and what it moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from pipeline.cli.output import plain
from schemas.replay import Change, Movement, RunDiff

MAX_MOVED = 8  # movements of one kind that are listed; --json holds all
MAX_CHARS = 160  # characters of a value
STAGES = ("parsing", "question", "retrieval", "generation")
_ORDER = ("status", "value", "quote", "caveat", "candidate", "role", "reason", "method", "question_field", "keyword")
_HEADS = {
    "status": "Outcome", "value": "Values", "quote": "Quotes", "caveat": "What a reader must know",
    "candidate": "Passages", "role": "Roles", "reason": "Reasons", "method": "Methods",
    "question_field": "How the question is read", "keyword": "Keywords",
}  # fmt: skip
_HASH_LENGTH, _HASH_SHOWN = 64, 12  # hex digits of a SHA-256, and how many of them tell two apart


def render_diff(diff: RunDiff) -> list[RenderableType]:
    """The gist, then the changes, then the movements: what a reader of the answer sees first."""
    style = "bold green" if diff.same else "bold yellow"
    shown: list[RenderableType] = [
        Text(plain(f"first   {diff.first}", keep_lines=False), style="dim", no_wrap=True),
        Text(plain(f"second  {diff.second}", keep_lines=False), style="dim", no_wrap=True),
        Text(),
        Text(plain(diff.text), style=style),
    ]
    if diff.changes:
        shown += [Text(), Text("What changed", style="bold")]
        shown += [Padding(line, (0, 0, 0, 2)) for one in diff.changes for line in _change(one)]
    for what in _ORDER:
        moved = [one for one in diff.movements if one.what == what]
        if moved:
            shown += [Text(), Text(f"{_HEADS[what]} ({len(moved)})", style="bold")]
            shown += [Padding(line, (0, 0, 0, 2)) for line in _movements(moved)]
    return shown


def _change(one: Change) -> Iterator[Text]:
    name = one.subject if one.subject == one.name else f"{one.subject} {one.name}"
    yield Text.assemble((_line(name), "cyan"), ": ", _line(_short(one.before)), " -> ", _line(_short(one.after)))
    if one.detail:
        for line in plain(one.detail).split("\n"):
            yield Text(f"    {_line(line)}")
    reach = f"can reach {', '.join(one.reaches)}" if one.reaches else "reaches nothing here"
    yield Text(f"    {reach}", style="dim")


def _movements(moved: Sequence[Movement]) -> Iterator[Text]:
    causes = None
    for one in moved[:MAX_MOVED]:
        yield Text.assemble((_line(one.name), "cyan"), ": ", _line(_told(one.before)), " -> ", _line(_told(one.after)))
        by = (one.stage, one.moved_by, one.shown)
        if by != causes:
            yield Text(f"    {_cause(one)}", style="dim")
        causes = by
    if len(moved) > MAX_MOVED:
        yield Text(f"and {len(moved) - MAX_MOVED} more; --json lists them all", style="dim")


def _cause(one: Movement) -> str:
    parts = f"they part at {one.stage}"
    if not one.moved_by:
        return f"{parts}; no change on record reaches it"
    names = ", ".join(_line(name) for name in one.moved_by)
    how = "shown by running with it alone" if one.shown else "the only one possible"
    if len(one.moved_by) > 1 and not one.shown:
        how = "these can have moved it; none alone does, or it could not be tried for nothing"
    return f"{parts}; by {names} ({how})"


def _told(value: str | None) -> str:
    return "not there" if value is None else value


def _short(value: str | None) -> str:
    if value is None:
        return "not there"
    is_hash = len(value) == _HASH_LENGTH and all(digit in "0123456789abcdef" for digit in value)
    return value[:_HASH_SHOWN] if is_hash else value


def _line(text: str) -> str:
    line = plain(text, keep_lines=False)
    return line if len(line) <= MAX_CHARS else f"{line[: MAX_CHARS - 1]}…"
