"""One tree out of numbered headings and those told by type alone: their levels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from pipeline.parsing.heading_sequence import Candidate
from pipeline.parsing.lines import Line
from pipeline.parsing.titles import style_of

Look = tuple[float, bool, bool, bool]  # size in half points, bold, in capitals, upright: the larger, the more it stands out


def set_levels(candidates: Sequence[Candidate]) -> None:
    """Write the levels, in reading order: numbering gives those of its own, type finds its place among them.

    A style that numbered headings have stands on their level; any other above the first of these that it stands out
    more than, and under all that stand out more.
    """
    classes = _rank_classes(candidates)
    stack: list[int] = []
    for candidate in candidates:
        rank = classes[_class_of(candidate, classes)]
        while stack and stack[-1] >= rank:
            stack.pop()
        stack.append(rank)
        candidate.level = len(stack)


def _look_of(line: Line) -> Look:
    _, size, bold, italic, capitals = style_of(line)
    return size, bold, capitals, not italic


def _class_of(candidate: Candidate, classes: dict[int | Look, int]) -> int | Look:
    return candidate.level if candidate.number is not None else _look_of(candidate.line)


def _rank_classes(candidates: Sequence[Candidate]) -> dict[int | Look, int]:
    """Rank, 0 the uppermost, of each level of the numbering and of each style of the headings without a number."""
    looks: defaultdict[int, Counter[Look]] = defaultdict(Counter)
    for candidate in candidates:
        if candidate.number is not None:
            looks[candidate.level][_look_of(candidate.line)] += 1
    levels = sorted(looks)
    usual = {level: max(looks[level], key=lambda style: (looks[level][style], style)) for level in levels}
    order: list[int | Look] = list(levels)
    styles = sorted(
        {_look_of(candidate.line) for candidate in candidates if candidate.number is None},
                reverse=True,
    )
    same: dict[Look, int] = {}
    for style in styles:
        level = next((level for level in levels if style == usual[level]), None)
        if level is not None:
            same[style] = level
            continue
        place = next(
            (
                at
                for at, other in enumerate(order)
                if style > (usual[other] if isinstance(other, int) else other)
            ),
            len(order),
        )
        order.insert(place, style)
    ranks: dict[int | Look, int] = {key: at for at, key in enumerate(order)}
    ranks.update({style: ranks[level] for style, level in same.items()})
    return ranks
