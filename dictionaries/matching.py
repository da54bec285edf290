"""The matcher that questions and retrieval share: all terms in one pass, whatever their number.

Terms and text are folded; runs of spaces, hyphens and line breaks count as one space; plural, singular, possessive and
closed compounds are forms of one term. Codes are found letter by letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from ahocorasick_rs import AhoCorasick, MatchKind

from dictionaries.folding import Codes, Flags, Ints, fold, fold_codes, to_codes, to_text, word_characters
from dictionaries.inflection import written_forms

MIN_WILDCARD_LETTERS = 4  # a shorter stem ('con*') matches what nobody meant
MAX_CASELESS_ACRONYM = 3  # 'IT', 'US', 'IP' are words when written small: up to this length case must agree
_APART = 0  # code point that no term holds: stands between texts that are not joined
_SPACE, _HYPHEN, _APOSTROPHE, _SMALL_S = 32, 45, 39, 115
_CODE_JOINERS = "-./_:"  # inside a code these belong to it when a letter or digit follows


@dataclass(frozen=True, slots=True)
class TermHit:
    """One place of one term: from `start` in one original text to `end` in the same or a later one."""

    text_index: int
    end_text_index: int
    term_index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TermHits:
    """All places of all terms, as columns sorted by text, start, end and term; overlapping places are all there.

    `start` counts in text `text_index`, `end` (exclusive) in text `end_text_index`; the two differ only where a term
    runs over a line break.
    """

    text_index: Ints
    end_text_index: Ints
    term_index: Ints
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.text_index)

    def __iter__(self) -> Iterator[TermHit]:
        columns = (self.text_index, self.end_text_index, self.term_index, self.start, self.end)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield TermHit(*row)


class TermMatcher:
    """Finds many terms at once; built once for a list of terms, time to search does not grow with their number.

    A term may end in '*' (a stem of at least four letters). A single token with a digit in it is a code.
    """

    def __init__(self, terms: Sequence[str]) -> None:
        self.terms = tuple(terms)
        self._kinds = tuple(_Kind.of(term) for term in self.terms)
        patterns: list[str] = []
        owners: list[int] = []
        for index, kind in enumerate(self._kinds):
            for form in kind.forms:
                patterns.append(form)
                owners.append(index)
        self._owners = np.array(owners, dtype=np.int64)
        self._open = np.array([self._kinds[owner].is_stem for owner in owners], dtype=np.bool_)
        self._strict = np.array([kind.needs_check for kind in self._kinds], dtype=np.bool_)
        self._longest = max((len(pattern) for pattern in patterns), default=0)
        self._automaton = AhoCorasick(patterns, matchkind=MatchKind.Standard) if patterns else None

    def find(self, texts: Sequence[str], *, groups: Sequence[int] | None = None) -> TermHits:
        """Every place of every term in `texts`.

        `groups` names texts that belong together (the lines of a document, of a column, of a paragraph): where
        neighbours carry the same number, a term may run over the break between them, hyphenated or not. Without it
        each text stands alone.

        Raises ValueError when `groups` has another length than `texts`.
        """
        if groups is not None and len(groups) != len(texts):
            raise ValueError(f"{len(groups)} groups for {len(texts)} texts: give one a text")
        if self._automaton is None or not texts:
            return _as_hits(np.empty((0, 3), dtype=np.int64), np.zeros(len(texts) or 1, dtype=np.int64))
        original = "\n".join(texts)
        lengths = np.fromiter((len(text) for text in texts), dtype=np.int64, count=len(texts))
        starts = np.concatenate(([0], np.cumsum(lengths[:-1] + 1))).astype(np.int64)
        haystack = _Haystack.of(original, _apart(starts, groups))
        rows = self._search(haystack, original)
        hyphenated = haystack.dehyphenated(self._longest)
        if hyphenated is not None:
            rows = np.unique(np.concatenate((rows, self._search(hyphenated, original))), axis=0)
        return _as_hits(rows, starts)

    def _search(self, haystack: _Haystack, original: str) -> Ints:
        """Rows of start, end (in `original`) and term, sorted."""
        if self._automaton is None:
            return np.empty((0, 3), dtype=np.int64)
        found = self._automaton.find_matches_as_indexes(haystack.text, overlapping=True)
        if not found:
            return np.empty((0, 3), dtype=np.int64)
        pattern, start, end = np.array(found, dtype=np.int64).T
        whole = haystack.begins[start] & (haystack.finishes[end] | self._open[pattern])
        pattern, start, end = pattern[whole], start[whole], end[whole]
        end = np.where(self._open[pattern], haystack.word_end[end - 1], end)
        rows = np.stack((haystack.offsets[start], haystack.ends[end - 1], self._owners[pattern]), axis=1)
        check = self._strict[rows[:, 2]]
        if bool(check.any()):
            keep = ~check
            for index in np.flatnonzero(check):
                first, last, term = (int(value) for value in rows[index])
                keep[index] = self._kinds[term].agrees(original, first, last)
            rows = rows[keep]
        return np.unique(rows, axis=0).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one term is searched."""

    forms: tuple[str, ...]
    is_stem: bool
    exact: str | None  # a code: the folded text that must stand there
    capitals: bool  # a short acronym: the letters must be capitals
    digit_first: bool
    digit_last: bool

    @property
    def needs_check(self) -> bool:
        return self.exact is not None or self.capitals or self.digit_first or self.digit_last

    @classmethod
    def of(cls, term: str) -> _Kind:
        stripped = " ".join(term.split())
        is_stem = stripped.endswith("*")
        folded = fold(stripped.rstrip("*")).text
        plain = _searched(folded)
        if not plain:
            raise ValueError(f"term {term!r} has no letter or digit")
        if is_stem and len(plain.split()[-1]) < MIN_WILDCARD_LETTERS:
            raise ValueError(f"term {term!r}: a stem needs at least {MIN_WILDCARD_LETTERS} letters before the '*'")
        if "*" in folded:
            raise ValueError(f"term {term!r}: '*' may stand at the end only")
        code = not is_stem and is_code(stripped)
        if is_stem or code:
            forms: tuple[str, ...] = (plain,)
        else:
            forms = tuple(sorted({plain, *map(_searched, written_forms(_kept_hyphens(folded)))}))
        letters = "".join(character for character in stripped if character.isalpha())
        return cls(
            forms=forms,
            is_stem=is_stem,
            exact=folded if code else None,
            capitals=not code and stripped.isalpha() and letters.isupper() and 1 < len(letters) <= MAX_CASELESS_ACRONYM,
            digit_first=folded[0].isdigit(),
            digit_last=folded[-1].isdigit(),
        )

    def agrees(self, original: str, start: int, end: int) -> bool:
        """True when the original text at that place is what the term stands for, and does not run on."""
        words = original[start:end]
        if self.exact is not None:
            joined = "".join(part.strip() for part in fold(words).text.split("\n"))
            return joined == self.exact and not _runs_on(original, start, end, before=True, after=True)
        if self.capitals and not words.removesuffix("s").replace("\u00ad", "").isupper():
            return False
        return not _runs_on(original, start, end, before=self.digit_first, after=self.digit_last)


def searched_form(term: str) -> str:
    """A term as it is compared, hyphens and spaces alike; a stem keeps its '*'.

    Raises ValueError for a term that cannot be searched.
    """
    kind = _Kind.of(term)
    return kind.exact or _searched(fold(term.rstrip(" *")).text) + ("*" if kind.is_stem else "")


def is_code(token: str) -> bool:
    """True for a token that is found letter by letter: with a digit, or capitals around a dot, slash or underscore."""
    if any(character.isspace() for character in token) or not token:
        return False
    if any(character.isdigit() for character in token):
        return True
    return token.isupper() and any(mark in token.strip("._/") for mark in "._/")


def _runs_on(original: str, start: int, end: int, *, before: bool, after: bool) -> bool:
    """True when a number or code goes on at either side: '3.2' inside '3.2.1', 'L131-1' inside 'L131-1-2'."""
    if after and end + 1 < len(original):
        mark, beyond = fold(original[end]).text, original[end + 1]
        if (mark in tuple(_CODE_JOINERS) and beyond.isalnum()) or (mark == "," and beyond.isdigit()):
            return True
    if before and start > 1:
        mark, beyond = fold(original[start - 1]).text, original[start - 2]
        return (mark in tuple(_CODE_JOINERS) and beyond.isalnum()) or (mark == "," and beyond.isdigit())
    return False


@dataclass(frozen=True, slots=True)
class _Haystack:
    """The searched text; for each character, where it comes from and whether a word begins or ends there."""

    text: str
    codes: Codes
    offsets: Ints
    ends: Ints
    begins: Flags  # a word may begin at this character
    finishes: Flags  # a word may end before this character; one longer than the text
    word_end: Ints  # end of the word that this character stands in
    breaks: Ints  # hyphenated line breaks: first and last character to leave out, in pairs

    @classmethod
    def of(cls, original: str, apart: Ints) -> _Haystack:
        codes, offsets, ends = fold_codes(original)
        codes = codes.copy()
        spaces = _spaces(codes)
        hyphens = codes == _HYPHEN
        cuts = np.isin(offsets, apart)
        breaks = _line_breaks(original, codes, offsets, cuts)
        codes[spaces | hyphens] = _SPACE
        codes[cuts] = _APART
        drop = _possessives(codes)
        codes[codes == _APOSTROPHE] = _SPACE
        space = codes == _SPACE
        drop[1:] |= space[1:] & (space[:-1])
        return cls.made(codes, offsets, ends, ~drop, breaks)

    @classmethod
    def made(cls, codes: Codes, offsets: Ints, ends: Ints, keep: Flags, breaks: Ints) -> _Haystack:
        codes, offsets, ends = codes[keep], offsets[keep], ends[keep]
        words = word_characters(codes)
        begins = np.append(True, ~words[:-1]) if len(words) else np.empty(0, dtype=np.bool_)
        finishes = np.append(~words, True)
        boundaries = np.flatnonzero(finishes)
        word_end = (
            boundaries[np.searchsorted(boundaries, np.arange(len(codes)), side="right")] if len(codes) else offsets
        )
        return cls(to_text(codes), codes, offsets, ends, begins, finishes, word_end.astype(np.int64), breaks)

    def dehyphenated(self, reach: int) -> _Haystack | None:
        """The surroundings of hyphenated line breaks with the words joined; None when there are no such breaks.

        `reach` is the length of the longest pattern: what lies farther from a break was searched already.
        """
        if not len(self.breaks):
            return None
        first = np.searchsorted(self.offsets, self.breaks[:, 0])
        last = np.searchsorted(self.offsets, self.breaks[:, 1])
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
        codes[edge] = _APART
        keep = (near | edge) & ~inside
        return type(self).made(codes, self.offsets, self.ends, keep, np.empty((0, 2), dtype=np.int64))


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


def _line_breaks(original: str, codes: Codes, offsets: Ints, cuts: Flags) -> Ints:
    """Pairs of original offsets: what stands between the halves of a word that was divided at a line end."""
    newline = np.flatnonzero((codes == 10) & ~cuts)  # line feed
    pairs = []
    for at in newline.tolist():
        before = int(offsets[at])
        while before and original[before - 1] in " \t\r":
            before -= 1
        if not before or not (original[before - 1] == "\u00ad" or fold(original[before - 1]).text == "-"):
            continue
        after = int(offsets[at]) + 1
        while after < len(original) and original[after] in " \t\r":
            after += 1
        if before > 1 and original[before - 2].isalpha() and after < len(original) and original[after].islower():
            pairs.append((before - 1, after))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _apart(starts: Ints, groups: Sequence[int] | None) -> Ints:
    """Offsets of the breaks between texts that are not joined."""
    if groups is None:
        return starts[1:] - 1
    numbers = np.asarray(groups, dtype=np.int64)
    return (starts[1:] - 1)[numbers[1:] != numbers[:-1]]


def _searched(folded: str) -> str:
    """A folded term as it stands in the haystack."""
    codes = to_codes(folded)
    return _Haystack.of(folded, np.empty(0, dtype=np.int64)).text.strip() if len(codes) else ""


def _kept_hyphens(folded: str) -> str:
    """A folded term without possessives and apostrophes, hyphens kept: they show where a compound closes."""
    codes = to_codes(folded).copy()
    drop = _possessives(codes)
    codes[(codes == _APOSTROPHE) | _spaces(codes)] = _SPACE
    return to_text(codes[~drop])


def _as_hits(rows: Ints, starts: Ints) -> TermHits:
    first = np.searchsorted(starts, rows[:, 0], side="right") - 1
    last = np.searchsorted(starts, np.maximum(rows[:, 1] - 1, 0), side="right") - 1
    start, end = rows[:, 0] - starts[first], rows[:, 1] - starts[last]
    order = np.lexsort((rows[:, 2], end, last, start, first))
    return TermHits(first[order], last[order], rows[:, 2][order], start[order], end[order])
