"""Marks of list items: '(a)', 'iv.', '3)', a bullet; in which series they count, what follows what, what is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pipeline.generation.passages import ITEM_MARK

Series = Literal["digits", "letters", "romans"]
SERIES: tuple[Series, ...] = ("letters", "romans", "digits")

MAX_ROMAN = 39  # xxxix; a list of more items is numbered in digits
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark as written: its form ('(' for '(a)', '.' for 'a.' and 'a)', a bullet's own sign) and what it may count."""

    written: str
    form: str
    readings: tuple[tuple[Series, int], ...]  # empty for a bullet

    def number_in(self, series: Series) -> int | None:
        """Its number in a series; None where it is none of it."""
        return dict(self.readings).get(series)

    def is_after(self, other: Mark) -> bool:
        """True when it is the very next mark: '(d)' after '(c)', a bullet after a bullet."""
        if self.form != other.form:
            return False
        if not self.readings or not other.readings:
            return self.readings == other.readings and self.written == other.written
        return any(other.number_in(series) == number - 1 for series, number in self.readings)


def mark_of(text: str, start: int = 0) -> Mark | None:
    """The mark that a text opens with at `start`; None without one."""
    match = ITEM_MARK.match(text, start)
    if match is None:
        return None
    written = match.group(0).strip()
    if match["bullet"]:
        return Mark(written, match["bullet"], ())
    inner = match["inner"]
    return Mark(written, "(" if inner else ".", readings_of(inner or match["outer"]))


def readings_of(written: str) -> tuple[tuple[Series, int], ...]:
    """What the letters or digits of a mark count: 'c' the 3rd letter, 'v' the 22nd letter or 5; letters first."""
    word = written.lower()
    if word.isdigit():
        return (("digits", int(word)),)
    readings: list[tuple[Series, int]] = []
    if len(set(word)) == 1:  # 'aa' comes after 'z'
        readings.append(("letters", 26 * (len(word) - 1) + ord(word[0]) - ord("a") + 1))
    if _ROMAN.fullmatch(word):
        values = [_ROMAN_VALUES[letter] for letter in word]
        number = sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
        readings.append(("romans", number))
    return tuple(readings)


def is_ordered(marks: Sequence[Mark]) -> bool:
    """True when the marks go up in one series, gaps or not; bullets of one kind are in order."""
    if len({mark.form for mark in marks}) > 1:
        return False
    if not any(mark.readings for mark in marks):
        return True
    return any(_numbers_in(series, marks) is not None for series in SERIES)


def missing_between(marks: Sequence[Mark]) -> tuple[str, ...]:
    """What lacks in a run of marks, a piece each: 'what comes before (c)', '1 item between (b) and (d)'.

    Empty for a run from the first mark without a gap, and where the marks are bullets or of several kinds.
    """
    if len(marks) < 2 or len({mark.form for mark in marks}) != 1:
        return ()
    best: tuple[str, ...] | None = None
    for series in SERIES:
        numbers = _numbers_in(series, marks)
        told = _gaps(numbers, marks) if numbers is not None else None
        if told is not None and (best is None or len(told) < len(best)):
            best = told
    return best or ()


def _numbers_in(series: Series, marks: Sequence[Mark]) -> list[int] | None:
    """The numbers of the marks in a series; None where one is none of it, or they do not go up."""
    known = [number for mark in marks if (number := mark.number_in(series)) is not None]
    return None if len(known) < len(marks) or any(b <= a for a, b in pairwise(known)) else known


def _gaps(numbers: Sequence[int], marks: Sequence[Mark]) -> tuple[str, ...]:
    told = [f"what comes before {marks[0].written}"] if numbers[0] > 1 else []
    for at in range(1, len(numbers)):
        gap = numbers[at] - numbers[at - 1] - 1
        if gap:
            items = "item" if gap == 1 else "items"
            told.append(f"{gap} {items} between {marks[at - 1].written} and {marks[at].written}")
    return tuple(told)
