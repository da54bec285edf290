"""A value with its place, and the folding under which all patterns read a text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from schemas.answer import Value

GAP = "\0"  # stands in no text that was parsed, and no pattern takes it for a space, a word or a digit
_GAPS = re.compile(r"(?<=\S)(?:[ \t]{2,}+|\t)(?=\S)")


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value and where it stands: `text[start:end]` is its original wording."""

    start: int
    end: int
    value: Value


class Taken:
    """Stretches of a text that are taken, so that asking stays quick however many there are."""

    def __init__(self, values: Iterable[FoundValue]) -> None:
        spans = sorted((one.start, one.end) for one in values)
        self._starts = [start for start, _ in spans]
        self._ends = list(accumulate((end for _, end in spans), max))

    def touches(self, start: int, end: int) -> bool:
        """True where a taken stretch shares a character with `start` to `end`."""
        before = bisect_left(self._starts, end)  # of these, none reaches further than the running maximum of their ends
        return before > 0 and self._ends[before - 1] > start


def fold(text: str) -> str:
    """`text` with accents, typographic dashes, quotes and spaces made plain; every character keeps its offset."""
    return text.translate(_PLAIN)


def fold_cells(text: str) -> str:
    """`text` folded, with the gaps between cells of a line as characters that are no white space: GAP for each of them.

    A row of a table is one line whose cells stand two or more spaces, or a tab, apart: what stands in two of them is no
    one figure. Indents are no gaps.
    """
    return _GAPS.sub(lambda gap: GAP * len(gap.group()), fold(text))


def _plain_characters() -> dict[int, str]:
    table: dict[int, str] = {}
    for code in range(0xC0, 0x250):  # Latin-1 letters and Latin Extended: what European documents use
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii():
            table[code] = base
    table |= dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212), "-")
    table |= dict.fromkeys((0x2018, 0x2019, 0x02BC), "'")
    table |= dict.fromkeys((0xA0, 0x2007, 0x2009, 0x200A, 0x202F, 0x3000), " ")
    table |= {0xFF05: "%", 0xFF04: "$", 0xFE69: "$", 0xFFE5: "¥", 0xFFE1: "£"}
    return table


_PLAIN = _plain_characters()
