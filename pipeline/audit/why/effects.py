"""What becomes of an answer when passages are left out: which values stay, which are lost, which are new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.values import same_value
from pipeline.values.equality import plain
from pipeline.wording import place_of, words_of
from schemas.answer import Answer, AnswerItem, TextValue

Effect = Literal["same", "weaker", "lost", "flipped", "grown"]

SHOWN_CHARACTERS = 160  # of a value in a sentence; the record of the run holds it whole


@dataclass(frozen=True, slots=True)
class Difference:
    """Two answers compared value by value."""

    effect: Effect
    lost: tuple[AnswerItem, ...]
    new: tuple[AnswerItem, ...]


def difference(before: Answer, after: Answer | None) -> Difference:
    """What `after` lacks and adds; None: nothing was left to answer from.

    Values are compared as what they are ('60 months' are 'five years'), clauses also by where they stand: the same
    clause quoted longer or shorter is the same.
    """
    items = after.items if after is not None else ()
    lost, new = _unmatched(before.items, items), _unmatched(items, before.items)
    return Difference(_effect(before, after, lost, new), lost, new)


def same_answer(before: Answer, after: Answer | None) -> bool:
    """True where both give the same values, and none is given where the other has none."""
    return difference(before, after).effect == "same"


def tell_value(item: AnswerItem, language: str = "en") -> str:
    """The value on one line, with what it is of, shortened between words."""
    told = " ".join(words_of(item.value, language).split())
    if item.label and not told.endswith(f"({item.label})"):
        told = f"{' '.join(item.label.split())}: {told}"
    return told if len(told) <= SHOWN_CHARACTERS else told[:SHOWN_CHARACTERS].rpartition(" ")[0] + " …"


def evidence_of(answer: Answer | None) -> tuple[str, ...]:
    """Where each value stands, in words, each place once."""
    return tuple(dict.fromkeys(place_of(item.spans[0]) for item in answer.items)) if answer is not None else ()


def _effect(before: Answer, after: Answer | None, lost: Sequence[AnswerItem], new: Sequence[AnswerItem]) -> Effect:
    if before.items and (after is None or not after.items):
        return "lost"
    if lost:
        return "flipped" if new else "weaker"
    if new:
        return "grown"
    is_less = after is not None and before.status == "answered" and after.status == "partial"
    return "weaker" if is_less else "same"


def _unmatched(items: Sequence[AnswerItem], others: Sequence[AnswerItem]) -> tuple[AnswerItem, ...]:
    """The items without a partner among the others; each of these is the partner of one."""
    free = list(others)
    left = []
    for item in items:
        at = next((at for at, other in enumerate(free) if _is_same(item, other)), None)
        if at is None:
            left.append(item)
        else:
            del free[at]
    return tuple(left)


def _is_same(one: AnswerItem, other: AnswerItem) -> bool:
    if one.label and other.label and plain(one.label) != plain(other.label):
        return False
    return same_value(one.value, other.value) or _is_same_clause(one, other)


def _is_same_clause(one: AnswerItem, other: AnswerItem) -> bool:
    if not isinstance(one.value, TextValue) or not isinstance(other.value, TextValue):
        return False
    a, b = plain(one.value.text), plain(other.value.text)
    return (a in b or b in a) and any(
        first.line_start <= second.line_end and second.line_start <= first.line_end
        for first in one.spans
        for second in other.spans
    )
