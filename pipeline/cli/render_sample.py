"""A plan of a sample, for a person: what it shows, what was found so far, which runs to check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from pipeline.cli.render_review import (
    MAX_ROWS,
    STYLES,
    cell,
    counted,
    cut,
    fault_line,
    note_lines,
    path_lines,
    short_place,
    table_of,
)

if TYPE_CHECKING:
    from pipeline.audit.reviewing.decisions import LeftOut
    from pipeline.audit.reviewing.sampling import Found, SamplingPlan

MAX_UNREAD = 10  # named; the rest is counted
FEW = 10  # checked runs; the interval of fewer spans more than a quarter of all rates even where none is wrong


def render_plan(found: SamplingPlan, left_out: Sequence[LeftOut], path: Path | None) -> list[RenderableType]:
    """What the sample shows, its strata, what was found so far, and the runs to check."""
    shown: list[RenderableType] = [Text(found.claim, style="bold")]
    if len(found.strata) > 1:
        table = table_of("type", "runs", "to check", right=("runs", "to check"))
        for each in found.strata:
            table.add_row(cell(each.name), f"{each.size:,}", f"{each.sample:,}")
        shown.append(table)
    if found.found is not None:
        shown += _so_far(found, found.found)
    table = table_of("run", "verdict", "question")
    for one in found.chosen[:MAX_ROWS]:
        verdict = Text(one.verdict or "to check", style=STYLES.get(one.verdict or "", "dim"))
        table.add_row(cell(short_place(one.run)), verdict, cell(cut(one.question)))
    shown.append(table)
    if len(found.chosen) > MAX_ROWS:
        shown.append(Text(f"and {len(found.chosen) - MAX_ROWS:,} more; --out FILE.xlsx lists them", style="dim"))
    shown += [Text(f"not drawn: {count:,} {name}", style="dim") for name, count in found.left_out.items()]
    shown += [fault_line(one.place, one.reason) for one in left_out[:MAX_UNREAD]]
    if len(left_out) > MAX_UNREAD:
        shown.append(Text(f"and {len(left_out) - MAX_UNREAD:,} more that cannot be reviewed", style="yellow"))
    return [*shown, *path_lines(path)]


def _so_far(plan: SamplingPlan, found: Found) -> Iterator[RenderableType]:
    """What the runs that were checked say of all, in plain sentences; of a whole nothing is estimated."""
    if found.checked == plan.population:
        told = f"so far: every run is checked, {found.wrong:,} of {found.checked:,} wrong: this is known, not estimated"
        yield Text(told, style="bold red" if found.wrong else "green")
        return
    sure = f"{plan.confidence * 100:g} %"
    most = round(found.below * plan.population)
    yield Text(
        f"so far: {found.wrong:,} wrong of {counted(found.checked, 'run')} checked; of all {plan.population:,} runs at "
        f"most {most:,} are wrong ({sure} sure)"
    )
    if found.checked < FEW:
        yield Text(f"{counted(found.checked, 'checked run')} can say little of the rest; check more of the sample")
    else:
        low, high = f"{found.low * 100:.2f} %", f"{found.high * 100:.2f} %"
        yield Text(f"for further runs like these: {low} to {high} wrong ({sure}, Clopper-Pearson)", style="dim")
    yield from note_lines([found.note] if found.note is not None else [])
    if found.holds is not None:
        words, style = ("the sample shows it", "green") if found.holds else ("the sample does not show it", "bold red")
        why = "none of its runs is wrong" if found.holds else f"{counted(found.wrong, 'run')} of it wrong"
        yield Text(f"{words}: {why}", style=style)
