"""Text made ready for the matcher: folded, separators as one space, each character traced to its original."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dictionaries.folding import Codes, Flags, Ints, fold_codes, to_text, word_characters

APART = 0  # code point that no term holds: stands between texts that are not joined
_SPACE, _HYPHEN, _APOSTROPHE, _SMALL_S = 32, 45, 39, 115
_DIVIDED = re.compile(
    "(?<=[^\\W\\d_])[-\u00ad\u2010\u2011\u2012\u2013][ \\t\\r]*\\n[ \\t\\r]*(?=[^\\W\\d_])"
)  # 'termi-' at a line end
_SPACED = re.compile("(?<!\\w)[^\\W\\d_](?: {1,3}[^\\W\\d_]){3,}(?!\\w)")  # 'F E E S', 'O F  U S E': four letters


@dataclass(frozen=True, slots=True)
class Haystack:
    """The searched text; for each character, where it comes from and whether a word begins or ends there."""

    text: str
    codes: Codes
    offsets: Ints
    ends: Ints
    begins: Flags  # a word may begin at this character
    finishes: Flags  # a word may end before this character; one longer than the text
    word_end: Ints  # end of the word that this character stands in
    breaks: Ints  # hyphenated line breaks: first and last character to leave out, in pairs
    spaced: Ints  # the same for the blanks inside letter-spaced words

    @classmethod
    def of(cls, original: str, apart: Ints) -> Haystack:
        """The haystack of `original`; `apart` are offsets of characters that no term may run over."""
        codes, offsets, ends = fold_codes(original)
        codes = codes.copy()
        spaces = _spaces(codes)
        hyphens = codes == _HYPHEN
        cuts = np.isin(offsets, apart)
        breaks, spaced = _line_breaks(original, offsets, cuts), _inner_blanks(original)
        codes[spaces | hyphens] = _SPACE
        codes[cuts] = APART
        drop = _possessives(codes)
        codes[codes == _APOSTROPHE] = _SPACE
        space = codes == _SPACE
        drop[1:] |= space[1:] & (space[:-1])
        return cls.made(codes, offsets, ends, ~drop, breaks, spaced)

    @classmethod
    def made(cls, codes: Codes, offsets: Ints, ends: Ints, keep: Flags, breaks: Ints, spaced: Ints) -> Haystack:
        """The haystack of folded characters, those not kept left out."""
        codes, offsets, ends = codes[keep], offsets[keep], ends[keep]
        words = word_characters(codes)
        begins = np.append(True, ~words[:-1]) if len(words) else np.empty(0, dtype=np.bool_)
        finishes = np.append(~words, True)
        boundaries = np.flatnonzero(finishes)
        word_end = (
            boundaries[np.searchsorted(boundaries, np.arange(len(codes)), side="right")] if len(codes) else offsets
        )
        return cls(to_text(codes), codes, offsets, ends, begins, finishes, word_end.astype(np.int64), breaks, spaced)

    def variants(self, reach: int) -> Iterator[Haystack]:
        """What is searched besides: words divided at line ends made whole, and letter-spaced words drawn together.

        Only their surroundings: `reach` is the length of the longest pattern, and what lies farther from such a place
        was searched already.
        """
        for gaps in (self.breaks, self.spaced):
            if len(gaps):
                yield self._joined(gaps, reach)

    def _joined(self, gaps: Ints, reach: int) -> Haystack:
        first = np.searchsorted(self.offsets, gaps[:, 0])
        last = np.searchsorted(self.offsets, gaps[:, 1])
        size = len(self.codes)
        change = np.zeros(size + 2, dtype=np.int64)
        np.add.at(change, np.maximum(first - reach - 1, 0), 1)
        np.add.at(change, np.minimum(last + reach + 1, size), -1)
        near = np.cumsum(change)[:size] > 0
        edge = np.zeros(size, dtype=np.bool_)
        edge[1:] = near[:-1] & ~near[1:]
        joined = np.zeros(size + 1, dtype=np.int64)
        np.add.at(joined, first, 1)
        np.add.at(joined, last, -1)
        inside = np.cumsum(joined)[:size] > 0
        codes = self.codes.copy()
        codes[edge] = APART
        keep = (near | edge) & ~inside
        none = np.empty((0, 2), dtype=np.int64)
        return type(self).made(codes, self.offsets, self.ends, keep, none, none)


def _spaces(codes: Codes) -> Flags:
    flags: Flags = (codes == _SPACE) | ((codes >= 9) & (codes <= 13))  # tab to carriage return
    flags |= (codes == 0x85) | (codes == 0x2028) | (codes == 0x2029) | (codes < 32)  # other separators
    return flags


def _possessives(codes: Codes) -> Flags:
    """True for the apostrophe and the s of "licensee's": they are left out."""
    drop: Flags = np.zeros(len(codes), dtype=np.bool_)
    if len(codes) < 2:
        return drop
    words = np.append(word_characters(codes), False)
    at = np.flatnonzero((codes[:-1] == _APOSTROPHE) & (codes[1:] == _SMALL_S))
    at = at[(at > 0) & ~words[at + 2]]
    at = at[words[at - 1]]
    drop[at] = True
    drop[at + 1] = True
    return drop


def _line_breaks(original: str, offsets: Ints, cuts: Flags) -> Ints:
    """Pairs of original offsets: what stands between the halves of a word that was divided at a line end."""
    pairs = []
    apart = set(offsets[cuts].tolist())
    for found in _DIVIDED.finditer(original):
        newline = original.index("\n", found.start())
        if newline not in apart and original[found.end()].islower():
            pairs.append((found.start(), found.end()))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _inner_blanks(original: str) -> Ints:
    """Pairs of original offsets: the blanks inside letter-spaced words, 'E D U C A T I O N'; two blanks part words."""
    pairs = [
        (found.start() + at, found.start() + at + 1)
        for found in _SPACED.finditer(original)
        for at, character in enumerate(found[0])
        if character == " " and " " not in (found[0][at - 1], found[0][at + 1])
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)
