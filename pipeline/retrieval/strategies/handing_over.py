"""What of the ranking is handed over: the first few passages, children of one section as their parent, inside a budget.

Parent-document retrieval: search small, read the enclosing section where several of its passages are hit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.passages import Passages
from schemas.audit import Downgrade

PARENT_WINDOW = 2  # times the passages handed over; siblings that rank lower are no sign that a section is meant
MIN_CHILDREN = 2  # hits in a section that make it worth reading whole


@dataclass(frozen=True, slots=True)
class Handed:
    """A passage that is handed over: where the match is (`number`), what is read, and the hits merged into it."""

    number: int
    read: tuple[int, ...]  # passages, in document order; holds `number`
    merged: tuple[int, ...] = ()  # other hits that are read with it, in their order


@dataclass(frozen=True, slots=True)
class HandingOver:
    """What is handed over, and what would have been next but exceeds the budget."""

    handed: tuple[Handed, ...]
    over_budget: tuple[int, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()


def hand_over(passages: Passages, order: Sequence[int], settings: RetrievalSettings, *, parent: bool) -> HandingOver:
    """The first `handed_over` passages of a ranking; with `parent` their sections where several hits are in one.

    The budget cuts from the end: a section that does not fit is read as its passage alone; the first passage always is
    handed over. A passage is read once.
    """
    window = order[: PARENT_WINDOW * settings.handed_over]
    hits = Counter(passages.chunks[number].section_id for number in window)
    chosen: list[Handed] = []
    taken: set[int] = set()
    used = 0
    over: list[int] = []
    shortened = 0
    for number in order:
        if number in taken:
            continue
        if len(chosen) + len(over) == settings.handed_over:
            break
        section = passages.chunks[number].section_id
        read: tuple[int, ...] = (number,)
        if parent and section is not None and number in window and hits[section] >= MIN_CHILDREN:
            read = section_around(passages, number, characters=settings.context_characters, taken=taken)
        if used + _size(passages, read) > settings.budget_characters and len(read) > 1:
            read, shortened = (number,), shortened + 1
        if chosen and used + _size(passages, read) > settings.budget_characters:
            over.append(number)
            continue
        used += _size(passages, read)
        taken.update(read)
        chosen.append(Handed(number, read))
    done = tuple(
        Handed(one.number, one.read, tuple(hit for hit in order if hit in one.read and hit != one.number))
        for one in chosen
    )
    return HandingOver(done, tuple(over), _downgrades(done, over, shortened, used, settings))


def section_around(passages: Passages, number: int, *, characters: int, taken: set[int]) -> tuple[int, ...]:
    """The passages of a section around one of them, nearest first, as many as fit; those taken already end it."""
    chunks, section = passages.chunks, passages.chunks[number].section_id
    first = last = number
    size = _size(passages, (number,))
    grew = True
    while grew:
        grew = False
        for at in (last + 1, first - 1):
            if not 0 <= at < len(chunks) or chunks[at].section_id != section or at in taken:
                continue
            length = _size(passages, (at,))
            if size + length <= characters:
                size, grew = size + length, True
                first, last = min(first, at), max(last, at)
    return tuple(range(first, last + 1))


def _size(passages: Passages, numbers: Sequence[int]) -> int:
    return sum(len(passages.chunks[number].text) + 1 for number in numbers)


def _downgrades(
    done: Sequence[Handed],
    over: Sequence[int],
    shortened: int,
    used: int,
    settings: RetrievalSettings,
) -> tuple[Downgrade, ...]:
    limit = settings.budget_characters
    told: Mapping[str, str | None] = {
        "sections": f"{shortened} sections are read as their passages" if shortened else None,
        f"{len(done) + len(over)} passages": f"the first {len(done)}" if over else None,
        "a context inside the budget": f"a first passage of {used:,} characters" if used > limit else None,
    }
    return tuple(
        Downgrade(
            stage="retrieval",
            wanted=wanted,
            used=given,
            reason=f"the context may have {limit:,} characters (budget_characters)",
        )
        for wanted, given in told.items()
        if given is not None
    )
