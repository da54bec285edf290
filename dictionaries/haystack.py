"""Text made ready for the matcher: folded, separators as one space, each character traced to its original."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dictionaries.folding import Codes, Flags, Ints, fold_codes, to_codes, to_text, word_characters

APART = 0  # code point that no term holds: stands between texts that are not joined
_CUT = 0xA66E  # a letter that no term holds: where a stretch is cut out of a text, a word may be cut in two
_NEWLINE, _SPACE, _HYPHEN, _APOSTROPHE, _SMALL_S = 10, 32, 45, 39, 115
_LINE_END = re.compile(
    "[-\u00ad\u2010\u2011\u2012\u2013][ \\t\\r]*\\n[ \\t\\r]*(?=[^\\W\\d_])"
)  # 'termi-' at a line end
_HYPHENS = np.array([ord(mark) for mark in "-\u00ad\u2010\u2011\u2012\u2013"], dtype=np.uint32)
_BLANKS = np.array([9, 10, 13, 32], dtype=np.uint32)
MIN_SPACED, MAX_BLANKS = 4, 3  # 'F E E S', 'O F  U S E': four letters, at most three blanks between two
_SPACED = re.compile(rf"(?<!\w)[^\W\d_](?: {{1,{MAX_BLANKS}}}[^\W\d_]){{{MIN_SPACED - 1},}}(?!\w)")


@dataclass(frozen=True, slots=True)
class Haystack:
    """The searched text; for each character, where it comes from and whether a word begins or ends there."""

    text: str
    codes: Codes
    offsets: Ints
    ends: Ints
    begins: Flags  # a word may begin at this character
    finishes: Flags  # a word may end before this character; one longer than the text
    breaks: Ints  # hyphenated line breaks: first and last character to leave out, in pairs
    spaced: Ints  # the same for the blanks inside letter-spaced words

    @classmethod
    def of(cls, original: str, apart: Ints) -> Haystack:
        """The haystack of `original`; `apart` are offsets of characters that no term may run over."""
        codes, offsets, ends = fold_codes(original)
        codes = codes.copy()
        spaces = _spaces(codes)
        hyphens = codes == _HYPHEN
        cuts = _marked(apart, len(original))[offsets]
        letters = codes if len(codes) == len(original) else to_codes(original)
        breaks, spaced = _line_breaks(original, letters, apart), _inner_blanks(original, letters)
        codes[spaces | hyphens] = _SPACE
        codes[cuts] = APART
        drop = _possessives(codes)
        codes[codes == _APOSTROPHE] = _SPACE
        space = codes == _SPACE
        drop[1:] |= space[1:] & (space[:-1])
        return cls.made(codes, offsets, ends, ~drop, breaks, spaced)

    @classmethod
    def running(cls, original: str, apart: Ints) -> Haystack:
        """The haystack that patterns are run on: hyphens and apostrophes kept, divided words made whole."""
        codes, offsets, ends = fold_codes(original)
        codes = codes.copy()
        letters = codes if len(codes) == len(original) else to_codes(original)
        breaks = _line_breaks(original, letters, apart)
        codes[_spaces(codes)] = _SPACE
        codes[_marked(apart, len(original))[offsets]] = APART
        space = codes == _SPACE
        drop: Flags = np.zeros(len(codes), dtype=np.bool_)
        drop[1:] = space[1:] & space[:-1]
        for first, last in zip(
            np.searchsorted(offsets, breaks[:, 0]), np.searchsorted(offsets, breaks[:, 1]), strict=True
        ):
            drop[first:last] = True
        none = np.empty((0, 2), dtype=np.int64)
        return cls.made(codes, offsets, ends, ~drop, none, none)

    @classmethod
    def made(cls, codes: Codes, offsets: Ints, ends: Ints, keep: Flags, breaks: Ints, spaced: Ints) -> Haystack:
        """The haystack of folded characters, those not kept left out."""
        codes, offsets, ends = codes[keep], offsets[keep], ends[keep]
        words = word_characters(codes)
        begins = np.append(True, ~words[:-1]) if len(words) else np.empty(0, dtype=np.bool_)
        finishes = np.append(~words, True)
        return cls(to_text(codes), codes, offsets, ends, begins, finishes, breaks, spaced)

    def word_ends(self, at: Ints) -> Ints:
        """Where the words end that the characters `at` stand in."""
        boundaries = np.flatnonzero(self.finishes)
        return boundaries[np.searchsorted(boundaries, at, side="right")].astype(np.int64)

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
        edge[1:] |= near[:-1] & ~near[1:]
        edge[:-1] |= near[1:] & ~near[:-1]
        joined = np.zeros(size + 1, dtype=np.int64)
        np.add.at(joined, first, 1)
        np.add.at(joined, last, -1)
        inside = np.cumsum(joined)[:size] > 0
        codes = self.codes.copy()
        codes[edge] = _CUT
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
    at = np.flatnonzero((codes[:-1] == _APOSTROPHE) & (codes[1:] == _SMALL_S))
    if not len(at):
        return drop
    words = np.append(word_characters(codes), False)
    at = at[(at > 0) & ~words[at + 2]]
    at = at[words[at - 1]]
    drop[at] = True
    drop[at + 1] = True
    return drop


def _marked(at: Ints, size: int) -> Flags:
    flags: Flags = np.zeros(size, dtype=np.bool_)
    flags[at] = True
    return flags


def _line_breaks(original: str, codes: Codes, apart: Ints) -> Ints:
    """Pairs of original offsets: what stands between the halves of a word that was divided at a line end."""
    pairs = []
    kept = set(apart.tolist())
    newlines = np.flatnonzero(codes == _NEWLINE)
    newlines = newlines[newlines > 1]
    if not len(newlines):
        return np.empty((0, 2), dtype=np.int64)
    last, second = codes[newlines - 1], codes[newlines - 2]
    open_ended = np.isin(second, _HYPHENS) | np.isin(second, _BLANKS)
    newlines = newlines[np.isin(last, _HYPHENS) | (np.isin(last, _BLANKS) & open_ended)]
    for newline in newlines.tolist():
        start = _before_blanks(original, newline)
        found = _LINE_END.match(original, start) if start > 0 else None
        if found is None or not _is_letter(original[start - 1]):
            continue
        if newline not in kept and original[found.end()].islower():
            pairs.append((start, found.end()))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _before_blanks(original: str, at: int) -> int:
    """Offset of the last character before `at` that is no blank; -1 without one."""
    at -= 1
    while at >= 0 and original[at] in " \t\r":
        at -= 1
    return at


def _inner_blanks(original: str, codes: Codes) -> Ints:
    """Pairs of original offsets: the blanks inside letter-spaced words, 'E D U C A T I O N'; two blanks part words."""
    pairs: list[tuple[int, int]] = []
    for start, end in _runs_of_single_letters(codes):
        for found in _SPACED.finditer(original, start, end):
            pairs.extend(
                (found.start() + at, found.start() + at + 1)
                for at, character in enumerate(found[0])
                if character == " " and " " not in (found[0][at - 1], found[0][at + 1])
            )
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _runs_of_single_letters(codes: Codes) -> list[tuple[int, int]]:
    """Start and end of the stretches where words of one character follow each other closely, four or more."""
    if len(codes) < 2 * MIN_SPACED:
        return []
    words = word_characters(codes)
    alone = words.copy()
    alone[1:] &= ~words[:-1]
    alone[:-1] &= ~words[1:]
    at = np.flatnonzero(alone)
    close = np.diff(at) <= MAX_BLANKS + 1
    runs, start = [], None
    for index, is_close in enumerate([*close.tolist(), False]):
        if is_close and start is None:
            start = index
        elif not is_close and start is not None:
            if index - start + 1 >= MIN_SPACED:
                runs.append((int(at[start]), int(at[index]) + 1))
            start = None
    return runs


def _is_letter(character: str) -> bool:
    return character.isalpha()
