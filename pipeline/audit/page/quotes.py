"""The lines around the marked passages as text, tables as tables: for formats without pages, or without the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from pipeline.audit.page.blocks import wrapping
from pipeline.audit.page.labels import label
from pipeline.audit.page.marks import Line, Mark
from pipeline.audit.page.told import ToldRun
from pipeline.sheet.markup import Markup, Node, tag
from pipeline.sheet.tables import Grid, grids_of, show_grid
from pipeline.wording import say

NEAR = 4  # lines shown to each side of a marked one: enough to see what it belongs to
MAX_LINES = 800  # lines shown, some twenty pages of print
_STRENGTH = ("cited", "primary", "supporting", "tangential", "discarded")


def tell_lines(run: ToldRun, lines: Sequence[Line], marks: Sequence[Mark], language: str) -> Iterator[Markup]:
    """The marked lines with their neighbours, in order; discarded passages only where they stand among these."""
    on_line: dict[int, list[Mark]] = {}
    for mark in marks:
        for line_id in mark.line_ids:
            on_line.setdefault(line_id, []).append(mark)
    wanted = _wanted(lines, on_line)
    shown = wanted[:MAX_LINES]
    if not shown:
        yield tag("p", label("no_marks", language), class_="soft")
        return
    unit = run.document.profile.identity.page_unit if run.document is not None else _unit_of(run)
    grids = grids_of(run.document) if run.document is not None else {}
    drawn: set[int] = set()
    before, last = 0, None
    for at in shown:
        line = lines[at]
        if last is not None and at != last + 1:
            yield tag("p", label("left_out", language, first=lines[last + 1].line_num, last=lines[at - 1].line_num),
                      class_="gap")  # fmt: skip
        if unit != "none" and line.page_num != before:
            yield tag("h3", f"{say(unit, language).capitalize()} {line.page_num}", class_="unit")
        before, last = line.page_num, at
        grid = grids.get(line.line_id)
        if grid is None:
            yield _line(line, on_line.get(line.line_id, ()))
        elif grid.key not in drawn:
            drawn.add(grid.key)
            yield _grid(grid, {lines[one].line_id for one in shown}, on_line)
    if len(wanted) > len(shown):
        rest = sum(1 for at in wanted[MAX_LINES:] if lines[at].line_id in on_line)
        yield tag("p", label("lines_not_shown", language, count=rest), class_="soft")


def _wanted(lines: Sequence[Line], on_line: dict[int, list[Mark]]) -> list[int]:
    """Places of the lines to show. The discarded alone are shown where nothing else is marked."""
    for looks in (("cited", "primary", "supporting"), ("tangential",), ("discarded",)):
        at = [n for n, line in enumerate(lines) if any(m.look in looks for m in on_line.get(line.line_id, ()))]
        if at:
            near = {place for one in at for place in range(one - NEAR, one + NEAR + 1)}
            return sorted(place for place in near if 0 <= place < len(lines))
    return []


def _line(line: Line, marks: Sequence[Mark]) -> Markup:
    looks = [look for look in _STRENGTH if any(mark.look == look for mark in marks)]
    role = next((look for look in looks if look != "cited"), "")
    classes = " ".join(filter(None, ("l", role, "cited" if "cited" in looks else "")))
    tags = _badges(_distinct(marks))
    return tag(
        "div", tag("span", str(line.line_num), class_="n"), tag("span", wrapping(line.text), class_="x", dir="auto"),
        tag("span", *tags, class_="tags") if tags else None, class_=classes,
    )  # fmt: skip


def _grid(grid: Grid, shown: set[int], on_line: dict[int, list[Mark]]) -> Markup:
    def look(line_ids: Sequence[int]) -> tuple[str, str | None]:
        own = [mark for line_id in line_ids for mark in on_line.get(line_id, ())]
        looks = [one for one in _STRENGTH if any(mark.look == one for mark in own)]
        if not looks:
            return "", None
        return " ".join(looks[:2]), "; ".join(f"{mark.label}: {mark.words}" for mark in _distinct(own))

    table = show_grid(grid.within(shown), look)
    own = _distinct(
        [mark for line_id in sorted(grid.line_nums) if line_id in shown for mark in on_line.get(line_id, ())]
    )
    tags = _badges(own)
    return tag("div", table, tag("p", *tags) if tags else None)


def _badges(marks: Sequence[Mark]) -> list[Node]:
    """The labels of marks as links to what tells more of them."""
    told: list[Node] = []
    for mark in marks:
        told += [tag("a", mark.label, href=f"#{mark.link}", class_=f"badge {mark.look}", title=mark.words), " "]
    return told


def _distinct(marks: Sequence[Mark]) -> list[Mark]:
    """Each label once, the strongest first."""
    ordered = sorted(marks, key=lambda mark: _STRENGTH.index(mark.look))
    return [next(group) for _, group in groupby(ordered, key=lambda mark: mark.label)]


def _unit_of(run: ToldRun) -> str:
    """What the pages of a document are that is not at hand, as its candidates say."""
    return next((one.anchor.page_unit for one in run.saved.retrieval.provenances), "page")
