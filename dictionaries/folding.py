"""Text as it is compared: without case, accents and typography, every character traced to where it came from."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Codes = NDArray[np.uint32]
Flags = NDArray[np.bool_]

# Letters that Unicode does not decompose, and marks that different editors write differently for the same thing.
_LETTERS = {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
_MARKS = {
    **dict.fromkeys("‘’‚‛′ʼ´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
}
_IGNORED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")  # soft hyphen, zero-width characters, byte order mark
_FIRST_BEYOND_ASCII = 128
_BEYOND_ASCII = re.compile(r"([^\x00-\x7f]+)")


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` as it is compared; character i comes from `original[offsets[i]:ends[i]]`."""

    text: str
    offsets: Ints
    ends: Ints

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original text that `text[start:end]` comes from; accents that were dropped belong to it."""
        if start >= end:
            at = int(self.offsets[start]) if start < len(self.offsets) else int(self.ends[-1]) if len(self.ends) else 0
            return at, at
        return int(self.offsets[start]), int(self.ends[end - 1])


def fold(text: str) -> Folded:
    """`text` case-folded, in compatibility decomposition, without diacritics, soft hyphens and zero-width characters.

    Ligatures become letters, typographic quotes and dashes their ASCII forms. Nothing else changes: spaces and line
    breaks stay.
    """
    codes, offsets, ends = fold_codes(text)
    return Folded(to_text(codes), offsets, ends)


def folded_text(text: str) -> str:
    """The text of `fold`, without the offsets: quicker for a short text."""
    if text.isascii():
        return text.lower()
    pieces = _BEYOND_ASCII.split(text)  # plain and other text in turn
    pieces[::2] = map(str.lower, pieces[::2])
    pieces[1::2] = ("".join(map(fold_character, piece)) for piece in pieces[1::2])
    return "".join(pieces)


def fold_codes(text: str) -> tuple[Codes, Ints, Ints]:
    """Code points of the folded text, and the start and end in `text` of what each comes from."""
    count = len(text)
    if text.isascii():
        codes = to_codes(text.lower())
        return codes, np.arange(count, dtype=np.int64), np.arange(1, count + 1, dtype=np.int64)
    original = to_codes(text)
    where = np.flatnonzero(original >= _FIRST_BEYOND_ASCII)
    beyond, which = np.unique(original[where], return_inverse=True)
    pieces = [to_codes(fold_character(chr(int(code)))) for code in beyond]
    sizes = np.array([len(piece) for piece in pieces], dtype=np.int64)
    lengths = np.ones(count, dtype=np.int64)
    lengths[where] = sizes[which]
    offsets = np.repeat(np.arange(count, dtype=np.int64), lengths)
    codes = _lower(original)[offsets]
    firsts = (np.cumsum(lengths) - lengths)[where]  # where the pieces stand in the folded text
    for nth in range(int(sizes.max())):
        filled = sizes[which] > nth
        values = np.array([piece[nth] if len(piece) > nth else 0 for piece in pieces], dtype=np.uint32)
        codes[firsts[filled] + nth] = values[which[filled]]
    # The end of a character reaches over the dropped ones behind it: an accent belongs to its letter.
    after = np.append(offsets[1:], count) if len(offsets) else offsets
    ends = np.where(after == offsets, offsets + 1, after)
    return codes, offsets, _without_ignored_tail(original, offsets, ends)


@lru_cache(maxsize=4096)
def fold_character(character: str) -> str:
    """What one character becomes: nothing, one character, or several."""
    if character in _IGNORED:
        return ""
    if character in _MARKS:
        return _MARKS[character]
    folded = []
    for piece in unicodedata.normalize("NFKD", character.casefold()).casefold():
        if piece in _IGNORED or unicodedata.combining(piece):
            continue
        folded.append(_LETTERS.get(piece) or _MARKS.get(piece) or piece)
    return "".join(folded)


def to_codes(text: str) -> Codes:
    """Code points of `text`."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def to_text(codes: Codes) -> str:
    """The text of code points."""
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def word_characters(codes: Codes) -> Flags:
    """True for letters, digits and the underscore: what a word is made of."""
    flags = _ASCII_WORD[np.minimum(codes, _FIRST_BEYOND_ASCII)]
    where = codes >= _FIRST_BEYOND_ASCII
    if bool(where.any()):
        beyond = np.unique(codes[where])
        known = np.array([chr(int(code)).isalnum() for code in beyond], dtype=np.bool_)
        flags[where] = known[np.searchsorted(beyond, codes[where])]
    return flags


_ASCII_WORD: Flags = np.array(
    [chr(code).isalnum() or chr(code) == "_" for code in range(128)] + [False], dtype=np.bool_
)


def _lower(codes: Codes) -> Codes:
    """Code points with the ASCII capitals made small."""
    capitals = (codes >= ord("A")) & (codes <= ord("Z"))
    return (codes + capitals.astype(np.uint32) * 32).astype(np.uint32)


def _without_ignored_tail(original: Codes, offsets: Ints, ends: Ints) -> Ints:
    """Ends that reach over accents only: a soft hyphen or a zero-width character ends what comes before it."""
    wide = np.flatnonzero(ends - offsets > 1)
    for index in wide:
        for at in range(int(offsets[index]) + 1, int(ends[index])):
            if chr(int(original[at])) in _IGNORED:
                ends[index] = at
                break
    return ends
