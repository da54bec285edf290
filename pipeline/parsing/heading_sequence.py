"""Which of the lines that look like headings go on from each other, and how deep each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ATTACHED, HeadingNumber

MAX_STEP = 2  # a number may be this far above the last one: a heading that was missed, no more


@dataclass(slots=True)
class Candidate:
    """A line that looks like a heading; `number` is None where type alone makes it one."""

    line: Line
    number: HeadingNumber | None
    title: str
    look: str  # 'strong' (bold, capitals or larger), 'plain', 'run_in', 'typography'
    level: int = 1
    last: Line | None = None  # last line of a title that runs over several


def keep_in_sequence(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates whose number goes on from the one before of its kind and depth; typography alone needs company."""
    kept: list[Candidate] = []
    last: dict[tuple[str, tuple[int, ...]], int] = {}
    for candidate in candidates:
        number = _as_letter(candidate.number, last)
        candidate.number = number
        if number is None:
            kept.append(candidate)
            continue
        if number.kind in ATTACHED:
            last = {key: value for key, value in last.items() if key[0] in ATTACHED}  # an annex counts anew
            kept.append(candidate)
            continue
        slot = (number.kind, number.parts[:-1])
        step = number.parts[-1] - last.get(slot, 0)
        restart = number.parts[-1] == 1 and candidate.look == "strong"
        parent_known = len(number.parts) == 1 or _knows_parent(last, number)
        if (1 <= step <= MAX_STEP or restart or (step == 0 and number.id[-1:].isalpha())) and parent_known:
            last[slot] = number.parts[-1]
            _forget_children(last, number)
            kept.append(candidate)
    numbered = sum(candidate.number is not None for candidate in kept)
    return kept if numbered >= 2 else []


def _as_letter(number: HeadingNumber | None, last: dict[tuple[str, tuple[int, ...]], int]) -> HeadingNumber | None:
    """'I.' after 'H.' is the letter, not the Roman one."""
    if number is None or number.kind != "roman" or len(number.id) > 1:
        return number
    place = ord(number.id) - ord("A") + 1
    follows = 1 <= place - last.get(("letter", ()), -MAX_STEP) <= MAX_STEP
    return replace(number, kind="letter", parts=(place,)) if follows else number


def _knows_parent(last: dict[tuple[str, tuple[int, ...]], int], number: HeadingNumber) -> bool:
    """Clause 4.1 needs article 4, or to be the first of its chapter after chapter 3."""
    parent = number.parts[-2]
    tops = [value for (kind, prefix), value in last.items() if not prefix and kind not in ATTACHED]
    if len(number.parts) == 2:
        return parent in tops or parent - 1 in tops or not tops
    return last.get((number.kind, number.parts[:-2])) == parent


def _forget_children(last: dict[tuple[str, tuple[int, ...]], int], number: HeadingNumber) -> None:
    if len(number.parts) == 1 and number.kind in ("decimal", "letter"):
        return
    for key in [key for key in last if len(key[1]) > len(number.parts)]:
        if key[1][: len(number.parts)] != number.parts:
            del last[key]


def set_levels(kept: Sequence[Candidate]) -> None:
    """Levels by nesting: a kind of number not seen since the last schedule is one deeper than the one before it."""
    offset = 0  # inside a schedule everything is one deeper
    nesting: list[tuple[str, int]] = []  # kinds and depths of the open numbers, the outermost first
    for candidate in kept:
        number = candidate.number
        if number is None:
            candidate.level = 1 + offset
            continue
        if number.kind in ATTACHED:
            candidate.level, offset, nesting = 1, 1, []
            continue
        kind = (number.kind, len(number.parts))
        deeper = [at for at, (name, depth) in enumerate(nesting) if name == number.kind and depth > kind[1]]
        if kind in nesting:
            del nesting[nesting.index(kind) + 1 :]
        elif deeper:  # '2.' after '1.1': the shallower number was not seen before
            nesting[deeper[0] :] = [kind]
        else:
            nesting.append(kind)
        candidate.level = offset + len(nesting)
