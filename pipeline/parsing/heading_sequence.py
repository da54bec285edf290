"""Which of the lines that look like headings go on from each other, and how deep each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ATTACHED, HeadingNumber

CLAUSE = "clause"  # look of a numbered line without a title: no heading, but it counts
MAX_STEP = 2  # a number may be this far above the last one: a heading that was missed, no more
ITEM_KINDS = frozenset({"item_figure", "item_roman", "item_dot", "item_letter", "item_capital"})
TOP_KINDS = frozenset({"part", "title", "chapter", "article", "item", "clause", "note", "provision"})
_NAMED = ATTACHED | TOP_KINDS | {"section"}  # kinds of number that carry a word


@dataclass(slots=True)
class Candidate:
    """A line that looks like a heading; `number` is None where type alone makes it one."""

    line: Line
    number: HeadingNumber | None
    title: str
    look: str  # 'strong' (bold, capitals or larger), 'plain', 'run_in', 'typography', or CLAUSE
    level: int = 1
    last: Line | None = None  # last line of a title that runs over several


@dataclass(slots=True)
class _Open:
    """A row of numbers that is being counted: '4.1, 4.2 ...' has prefix (4,)."""

    kind: str
    prefix: tuple[int, ...]
    last: int
    level: int
    is_strong: bool = False  # its headings are set as such: a plain line with the same kind of number is a list's
    is_titled: bool = False  # one of its numbers has a title: 'A. The Seller makes goods' before '1. Sale' is no level
    loose: int = 0  # last number on such a plain line that went on: perhaps a heading after all, that was not told


def keep_in_sequence(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates whose number goes on from the one before of its kind and depth; type alone needs company.

    Writes the levels: a kind of number that was not open yet stands one deeper than what is.
    """
    kept: list[Candidate] = []
    opened: list[_Open] = []
    memory: dict[tuple[str, tuple[int, ...]], int] = {}  # last number of each row, also of closed ones
    offset = 0  # inside a schedule everything is one deeper
    for candidate in candidates:
        number = _as_letter(candidate.number, opened)
        candidate.number = number
        if number is None:
            candidate.level = 1 + offset
            kept.append(candidate)
        elif (candidate.look == CLAUSE and number.kind in _NAMED) or _is_reference(number, opened):
            continue  # 'Section 5 provides': a sentence that begins with a reference
        elif number.kind in ATTACHED:
            opened, memory, offset = [], {}, 1  # an annex counts anew
            candidate.level = 1
            kept.append(candidate)
        elif _count(candidate, number, opened, memory, offset) and candidate.look != CLAUSE:
            kept.append(candidate)
    numbered = sum(candidate.number is not None for candidate in kept)
    return kept if numbered >= 2 else []


def _is_reference(number: HeadingNumber, opened: Sequence[_Open]) -> bool:
    """'Section 4.2 [Fees]' in a text that numbers its own sections '4.2 Fees', without the word."""
    prefix = number.parts[:-1]
    return number.kind == "section" and bool(prefix) and any(_is_row(row, "decimal", prefix) for row in opened)


def _count(
    candidate: Candidate,
    number: HeadingNumber,
    opened: list[_Open],
    memory: dict[tuple[str, tuple[int, ...]], int],
    offset: int,
) -> bool:
    """True when the number goes on from what is open; then `opened` and `memory` are brought up to date."""
    prefix, value = number.parts[:-1], number.parts[-1]
    row = next((at for at in range(len(opened) - 1, -1, -1) if _is_row(opened[at], number.kind, prefix)), None)
    if row is None:
        row = _open_row(candidate, number, opened, memory, offset)
        if row is None:
            return False
        before = opened[row].last
    else:
        before = opened[row].last
    lettered = value == before and number.id[-1:].isalpha() and number.id[:1].isdigit()  # 1, 1A, 1B
    remembered = memory.get((number.kind, prefix), 0)
    steps = (value - before, value - remembered, value - (opened[row].loose or before))
    restarts = value == 1 and (candidate.look == "strong" or number.kind in ITEM_KINDS)
    if not (any(1 <= step <= MAX_STEP for step in steps) or lettered or restarts):
        return False
    if candidate.look == CLAUSE and number.kind in ITEM_KINDS and _breaks_titles(opened, row, value):
        return False
    if candidate.look == CLAUSE and not prefix and opened[row].is_strong:
        opened[row].loose = value
        return False
    del opened[row + 1 :]
    opened[row].last, opened[row].loose = value, 0
    opened[row].is_strong |= candidate.look == "strong"
    opened[row].is_titled |= candidate.look != CLAUSE
    memory[number.kind, prefix] = value
    candidate.level = opened[row].level
    return True


def _breaks_titles(opened: Sequence[_Open], row: int, value: int) -> bool:
    """A list's item would begin a row of titles anew, or close one that stands under its own kind."""
    return (value == 1 and opened[row].is_titled) or any(below.is_titled for below in opened[row + 1 :])


def _is_row(row: _Open, kind: str, prefix: tuple[int, ...]) -> bool:
    return row.kind == kind and row.prefix == prefix


def _open_row(
    candidate: Candidate,
    number: HeadingNumber,
    opened: list[_Open],
    memory: dict[tuple[str, tuple[int, ...]], int],
    offset: int,
) -> int | None:
    """Place of the new row that the number begins, None where it begins none; what it closes is taken away."""
    prefix, value = number.parts[:-1], number.parts[-1]
    if prefix:
        parent = _find_parent(prefix, opened)
        if parent is None:
            tops = [row.last for row in opened if not row.prefix and row.kind not in ITEM_KINDS]
            known = len(prefix) == 1 and (not tops or prefix[0] - 1 in tops)
            if not known:
                return None
            kin = next((at for at, row in enumerate(opened) if row.prefix and row.kind == number.kind), None)
            parent = kin - 1 if kin is not None else _last_top(opened)
        if not (0 <= value <= MAX_STEP or 1 <= value - memory.get((number.kind, prefix), 0) <= MAX_STEP):
            return None  # neither the first of its row, nor the next of one that a reference closed
        del opened[parent + 1 :]
    elif number.kind in ITEM_KINDS:
        if value != 1 or not opened:
            return None  # items begin with the first, under a heading
        while candidate.look != CLAUSE and opened and opened[-1].kind in ITEM_KINDS and not opened[-1].is_titled:
            opened.pop()  # a list that was over before the title
    else:
        begins = value - memory.get((number.kind, ()), 0)
        nested = value == 1 and (candidate.look == "strong" or bool(opened))
        if not (1 <= begins <= MAX_STEP or nested):
            return None
        if number.kind in TOP_KINDS:
            shallow = next((at for at, row in enumerate(opened) if row.prefix or row.kind in ITEM_KINDS), len(opened))
            del opened[shallow:]
        else:
            inner = next((at for at, row in enumerate(opened) if row.kind == number.kind and row.prefix), len(opened))
            del opened[inner:]  # '2.' after '1.1': the shallower number was not seen before
            items = next((at for at, row in enumerate(opened) if row.kind in ITEM_KINDS), len(opened))
            del opened[items:]
        while opened and not opened[-1].is_titled:
            opened.pop()
    level = opened[-1].level + 1 if opened else 1 + offset
    opened.append(_Open(number.kind, prefix, 0, level))
    return len(opened) - 1


def _find_parent(prefix: tuple[int, ...], opened: Sequence[_Open]) -> int | None:
    """Place of the open number that `prefix` names: 4 or Article IV for 4.1, 4.1 for 4.1.2."""
    for at in range(len(opened) - 1, -1, -1):
        row = opened[at]
        if row.kind not in ITEM_KINDS and (*row.prefix, row.last) == prefix:
            return at
    return None


def _last_top(opened: Sequence[_Open]) -> int:
    tops = [at for at, row in enumerate(opened) if not row.prefix and row.kind not in ITEM_KINDS]
    return tops[-1] if tops else -1


def _as_letter(number: HeadingNumber | None, opened: Sequence[_Open]) -> HeadingNumber | None:
    """'I.' after 'H.' is the letter, not the Roman one; so is '(i)' after '(h)', and '(i)' under '(a)' is Roman."""
    if number is None or len(number.id) > 1:
        return number
    if number.kind == "roman":
        place = ord(number.id) - ord("A") + 1
        letters = [row.last for row in opened if row.kind == "letter"]
        if letters and 1 <= place - letters[-1] <= MAX_STEP:
            return replace(number, kind="letter", parts=(place,))
    if number.kind == "item_letter" and number.id == "i":
        letters = [row.last for row in opened if row.kind == "item_letter"]
        if not letters or letters[-1] != number.parts[0] - 1:
            return replace(number, kind="item_roman", parts=(1,))
    if number.kind == "item_letter" and number.id in ("v", "x"):
        romans = [row.last for row in opened if row.kind == "item_roman"]
        value = {"v": 5, "x": 10}[number.id]
        if romans and romans[-1] == value - 1:
            return replace(number, kind="item_roman", parts=(value,))
    return number
