"""Patterns that experts write for what no list of words covers, run with a time limit on the folded text."""

from __future__ import annotations

from functools import lru_cache
from time import monotonic

import regex

from dictionaries.folding import fold_character
from dictionaries.haystack import APART

SECONDS = 2.0  # of one pattern over one document; a sound pattern takes some 20 ms over 300 pages
KEPT = 4_096  # patterns; several times what all dictionaries hold
_APART = chr(APART)
_SAMPLES = ("", "a", "1", " ", "a b", "A 1.")  # texts in which a pattern that matches nothing at all shows


@lru_cache(maxsize=KEPT)
def compile_pattern(pattern: str) -> regex.Pattern[str]:
    """The pattern, ignoring case, its letters folded like the text it is run on.

    Raises ValueError saying what is wrong with it.
    """
    folded = "".join(
        fold_character(letter) if letter.isalpha() and not letter.isascii() else letter for letter in pattern
    )
    try:
        compiled = regex.compile(folded, regex.IGNORECASE)
    except regex.error as error:
        raise ValueError(f"pattern {pattern!r} is no regular expression: {error}") from error
    if any(found.start() == found.end() for text in _SAMPLES for found in compiled.finditer(text)):
        raise ValueError(f"pattern {pattern!r} matches the empty text: it would be found everywhere")
    return compiled


def find_pattern(compiled: regex.Pattern[str], text: str, *, seconds: float = SECONDS) -> list[tuple[int, int]] | None:
    """Start and end of each place of the pattern, none of them empty; None when the time ran out.

    What stands between two `APART` is a text of its own: the pattern begins and ends inside it.
    """
    found: list[tuple[int, int]] = []
    start = 0
    until = monotonic() + seconds
    try:
        for part in text.split(_APART):
            left = until - monotonic()
            if left <= 0:
                return None
            found += [
                (start + place.start(), start + place.end())
                for place in compiled.finditer(part, timeout=left)
                if place.end() > place.start()
            ]
            start += len(part) + 1
    except TimeoutError:
        return None
    return found
