"""How much is handed over in all: whole contexts while the budget lasts, then no more than the passages themselves."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.retrieval.candidates import Candidate
from pipeline.retrieval.lines import Lines


def contexts_within(lines: Lines, candidates: Sequence[Candidate], budget: int) -> list[tuple[int, ...]]:
    """The context of each candidate, positions in order, the best candidate first.

    A context that would pass the budget (characters; lines that several share count once) is cut to the candidate's own
    passage, and to its anchor where that is too long as well: an anchor is never cut, so that a long list of candidates
    may still exceed the budget.
    """
    seen: set[int] = set()
    used, contexts = 0, []
    for candidate in candidates:
        chosen = candidate.context
        for narrower in (candidate.context, _passage(lines, candidate), _anchor(candidate)):
            chosen = narrower
            if used + characters_of(lines, set(chosen) - seen) <= budget:
                break
        used += characters_of(lines, set(chosen) - seen)
        seen.update(chosen)
        contexts.append(chosen)
    return contexts


def characters_of(lines: Lines, positions: Sequence[int] | set[int]) -> int:
    """Characters of some lines, each with the newline after it."""
    return sum(len(lines.texts[position]) + 1 for position in positions)


def _passage(lines: Lines, candidate: Candidate) -> tuple[int, ...]:
    own = {*lines.block_positions(candidate.unit.block), *range(candidate.anchor[0], candidate.anchor[1] + 1)}
    return tuple(position for position in candidate.context if position in own)


def _anchor(candidate: Candidate) -> tuple[int, ...]:
    first, last = candidate.anchor
    return tuple(position for position in candidate.context if first <= position <= last)
