"""A smallest set of passages that still gives an answer: by size, bounded, and told whether it is proven."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

MAX_TRIED = 240  # hand-overs that an answer is made of in one search; at some 30 ms each about 7 s

Gives = Callable[[frozenset[str]], bool | None]


@dataclass(frozen=True, slots=True)
class Minimal:
    """A set that gives the answer; `is_proven`: every smaller one was tried and does not. `tried` counts sets."""

    kept: tuple[str, ...]
    is_proven: bool
    tried: int


def smallest(passages: Sequence[str], gives: Gives, *, limit: int = MAX_TRIED) -> Minimal:
    """A smallest set of `passages` of which `gives` is true, those that stand first preferred; all of them to begin.

    `gives` says None when it cannot tell any more (its budget is used up). First one passage after the other is left
    out, the last ones first, as long as the answer stays: that bounds the size. Then all smaller sets are tried by
    size, small ones first, as many as the limit allows. Taking passages away may bring a value back (two that
    contradict each other), so that only trying all of a size proves that none of it gives the answer.
    """
    search = _Search(gives, limit)
    kept = list(passages)
    for one in reversed(passages):
        fewer = frozenset(kept) - {one}
        if search.try_(fewer):
            kept.remove(one)
    for size in range(len(kept)):
        for chosen in combinations(passages, size):
            told = search.try_(frozenset(chosen))
            if told:
                return Minimal(chosen, True, search.tried)
            if told is None:
                return Minimal(tuple(kept), False, search.tried)
    return Minimal(tuple(kept), True, search.tried)


def sets_below(count: int, size: int) -> int:
    """How many sets of fewer than `size` there are among `count` passages."""
    return sum(comb(count, smaller) for smaller in range(size))


class _Search:
    def __init__(self, gives: Gives, limit: int) -> None:
        self._gives, self._limit = gives, limit
        self._known: dict[frozenset[str], bool] = {}

    @property
    def tried(self) -> int:
        """Sets that were tried."""
        return len(self._known)

    def try_(self, chosen: frozenset[str]) -> bool | None:
        """Whether a set gives the answer; None where it cannot be told within the limit."""
        if chosen not in self._known:
            told = self._gives(chosen) if self.tried < self._limit else None
            if told is None:
                return None
            self._known[chosen] = told
        return self._known[chosen]
