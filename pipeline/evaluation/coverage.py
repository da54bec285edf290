"""When a passage covers a labelled clause: the measure that every figure of recall rests on.

At least half of the clause's word 3-grams (all its words, if it has fewer than four), lower-cased, letters and digits
only, stand in the passage; a passage counts for its first 3,000 characters, so that text handed over is no recall.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

MAX_PASSAGE = 3_000  # characters of a passage that count
MIN_SHARE = 0.5  # of the clause's 3-grams
SHORT_CLAUSE = 4  # words; a shorter clause must stand in the passage with all of them
DEPTHS = (1, 3, 5)  # candidates looked at
_WORD = re.compile(r"[a-z0-9]+")

Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the first five of some ranked passages find of a label.

    `found` has the number of labels found at each of DEPTHS; `first_rank` is 0 where none is; `covering` counts the
    passages that find something.
    """

    found: tuple[int, int, int]
    first_rank: int
    covering: int
    characters: int


def words_of(text: str) -> list[str]:
    """The words of a text, lower-cased, letters and digits only."""
    return _WORD.findall(text.lower())


def covers(clause: str, passage: str) -> bool:
    """True when the passage covers the clause."""
    return share_covered(clause, passage) >= _needed(clause)


def share_covered(clause: str, passage: str) -> float:
    """Share of the clause's word 3-grams (of its words, where it is short) that stand in the passage, 0 to 1."""
    want, _ = _wanted(clause)
    return len(want & _grams(passage, short=_is_short(clause))) / len(want) if want else 0.0


def clause_coverage(clauses: Sequence[str], passages: Sequence[str]) -> Coverage:
    """What ranked passages cover of the clauses."""
    first_five = passages[: DEPTHS[-1]]
    hits = [[covers(clause, passage) for passage in first_five] for clause in clauses]
    return _counted(hits, first_five)


def page_coverage(pages: Sequence[int], anchors: Sequence[tuple[int, int]], passages: Sequence[str]) -> Coverage:
    """Which evidence pages are among those of ranked anchors (first and last page); `passages` are counted only."""
    first_five = anchors[: DEPTHS[-1]]
    hits = [[start <= page <= end for start, end in first_five] for page in pages]
    return _counted(hits, passages[: DEPTHS[-1]])


def _counted(hits: list[list[bool]], passages: Sequence[str]) -> Coverage:
    one, three, five = (sum(any(row[:depth]) for row in hits) for depth in DEPTHS)
    by_rank = [any(column) for column in zip(*hits, strict=True)] if hits else []
    return Coverage(
        found=(one, three, five),
        first_rank=by_rank.index(True) + 1 if any(by_rank) else 0,
        covering=sum(by_rank),
        characters=sum(min(len(passage), MAX_PASSAGE) for passage in passages),
    )


def _needed(clause: str) -> float:
    return 1.0 if _is_short(clause) else MIN_SHARE


def _is_short(clause: str) -> bool:
    return _wanted(clause)[1]


@lru_cache(maxsize=1_000)  # the clauses of a document are asked for by every strategy
def _wanted(clause: str) -> tuple[frozenset[Gram], bool]:
    words = words_of(clause)
    short = len(words) < SHORT_CLAUSE
    return _gram_set(words, short=short), short


@lru_cache(maxsize=500)  # one passage answers several clauses
def _grams(passage: str, *, short: bool) -> frozenset[Gram]:
    return _gram_set(words_of(passage[:MAX_PASSAGE]), short=short)


def _gram_set(words: list[str], *, short: bool) -> frozenset[Gram]:
    if short:
        return frozenset((word,) for word in words)
    return frozenset(zip(words, words[1:], words[2:], strict=False))
