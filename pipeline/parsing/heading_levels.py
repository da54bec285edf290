"""One tree out of numbered headings and those told by type alone: their levels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from pipeline.parsing.heading_sequence import TOP_KINDS, Candidate
from pipeline.parsing.titles import Styles, prominence

Look = tuple[float, bool, bool, bool, bool]  # of `prominence`: the larger, the more a style stands out


def set_levels(candidates: Sequence[Candidate], styles: Styles) -> None:
    """Write the levels, in reading order: numbering gives those of its own, type finds its place among them.

    A style of the size and weight that numbered headings have stands on their level; any other stands above the first
    of these that it stands out more than, and under all that stand out more.
    """
    looks = [prominence(styles.of(candidate.line)) for candidate in candidates]
    classes = _rank_classes(candidates, looks)
    stack: list[int] = []
    for candidate, look in zip(candidates, looks, strict=True):
        rank = classes[candidate.level if candidate.number is not None else look]
        while stack and stack[-1] >= rank:
            stack.pop()
        stack.append(rank)
        candidate.level = len(stack)


def _rank_classes(candidates: Sequence[Candidate], looks: Sequence[Look]) -> dict[int | Look, int]:
    """Rank, 0 the uppermost, of each level of the numbering and of each style of the headings without a number."""
    numbered: defaultdict[int, Counter[Look]] = defaultdict(Counter)
    kinds: defaultdict[int, Counter[bool]] = defaultdict(Counter)  # parts and articles, or others, of each level
    for candidate, look in zip(candidates, looks, strict=True):
        if candidate.number is not None:
            numbered[candidate.level][look] += 1
            kinds[candidate.level][candidate.number.kind in TOP_KINDS] += 1
    levels = sorted(numbered)
    usual = {level: max(numbered[level], key=lambda look: (numbered[level][look], look)) for level in levels}
    order: list[int | Look] = list(levels)
    free = sorted({look for candidate, look in zip(candidates, looks, strict=True) if candidate.number is None})
    same: dict[Look, int] = {}
    for style in reversed(free):
        level = next((x for x in levels if _alike(style, usual[x], is_top=kinds[x][True] > kinds[x][False])), None)
        if level is not None:
            same[style] = level
            continue
        place = next(
            (at for at, other in enumerate(order) if style > (usual[other] if isinstance(other, int) else other)),
            len(order),
        )
        order.insert(place, style)
    ranks: dict[int | Look, int] = {key: at for at, key in enumerate(order)}
    ranks.update({style: ranks[level] for style, level in same.items()})
    return ranks


def _alike(one: Look, other: Look, *, is_top: bool) -> bool:
    """Of one size and weight: capitals, a centred place and slant alone do not make another level beside numbers.

    Beside parts and articles (`is_top`) they do: what stands out less than 'PART I' is under it.
    """
    return one[:2] == other[:2] and (not is_top or one >= other)
