"""The matcher that questions and retrieval share: all terms in one pass, whatever their number.

Terms and text are folded; runs of spaces, hyphens and line breaks count as one space; plural, singular, possessive and
closed compounds are forms of one term. Words divided at a line end and letter-spaced words are found whole. Codes are
found letter by letter. An expert's patterns are run beside the terms, and on recognised pages words that were misread
are found as approximate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from ahocorasick_rs import AhoCorasick, MatchKind

from dictionaries.folding import Flags, Ints, folded_text
from dictionaries.haystack import Haystack
from dictionaries.inflection import written_forms
from dictionaries.misreading import mend_misread
from dictionaries.patterns import compile_pattern, find_pattern
from dictionaries.searchable import SearchableText

KEPT_KINDS = 32_768  # terms; more than all dictionaries hold, some 10 MB
MIN_WILDCARD_LETTERS = 4  # a shorter stem ('con*') matches what nobody meant
MAX_CASELESS_ACRONYM = 3  # 'IT', 'US', 'IP' are words when written small: up to this length case must agree
_POSSESSIVE = re.compile(r"(?<=\w)'s(?!\w)")
_SEPARATORS = re.compile(r"[\s\x00-\x1f'-]+")  # what counts as one space; as the haystack has it
_CODE_JOINERS = "-./_:"  # inside a code these belong to it when a letter or digit follows


@dataclass(frozen=True, slots=True)
class TermHit:
    """One place of one term: from `start` in one original text to `end` in the same or a later one."""

    text_index: int
    end_text_index: int
    term_index: int
    start: int
    end: int
    approximate: bool = False


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
    approximate: Flags  # found by taking a recognised word for another that it looks like
    overdue: tuple[int, ...] = ()  # patterns, by term index, that ran out of time: nothing is known of them

    def __len__(self) -> int:
        return len(self.text_index)

    def __iter__(self) -> Iterator[TermHit]:
        columns = (self.text_index, self.end_text_index, self.term_index, self.start, self.end, self.approximate)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield TermHit(*row)


class TermMatcher:
    """Finds many terms at once; built once for a list of terms, time to search does not grow with their number.

    A term may end in '*' (a stem of at least four letters). A single token with a digit in it is a code.
    """

    def __init__(self, terms: Sequence[str], *, patterns: Sequence[str] = ()) -> None:
        """A matcher for `terms`; `patterns` are counted on behind them.

        Raises ValueError for a term or a pattern that cannot be searched.
        """
        self.terms = (*terms, *patterns)
        self._kinds = tuple(map(_kind_of, terms))
        self._patterns = tuple(compile_pattern(pattern) for pattern in patterns)
        forms: list[str] = []
        owners: list[int] = []
        for index, kind in enumerate(self._kinds):
            forms.extend(kind.forms)
            owners.extend([index] * len(kind.forms))
        self._owners = np.array(owners, dtype=np.int64)
        self._open = np.array([self._kinds[owner].is_stem for owner in owners], dtype=np.bool_)
        self._strict = np.array([kind.needs_check for kind in self._kinds], dtype=np.bool_)
        self._longest = max(map(len, forms), default=0)
        self._automaton = AhoCorasick(forms, matchkind=MatchKind.Standard) if forms else None

    def find(self, texts: Sequence[str], *, groups: Sequence[int] | None = None) -> TermHits:
        """Every place of every term in `texts`; `groups` as `SearchableText.of` has them.

        Raises ValueError when `groups` has another length than `texts`.
        """
        return self.find_in(SearchableText.of(texts, groups=groups))

    def find_in(self, text: SearchableText) -> TermHits:
        """Every place of every term and pattern in texts that were made ready."""
        found = [self._search(text.haystack, text.original)]
        found += [self._search(variant, text.original) for variant in text.variants(self._longest)]
        patterns, overdue = self._search_patterns(text)
        exact = np.unique(np.concatenate((*found, patterns)), axis=0)
        rows, approximate = self._with_misread(exact, text)
        return _as_hits(rows, text.starts, approximate, overdue)

    def _with_misread(self, exact: Ints, text: SearchableText) -> tuple[Ints, Flags]:
        """The exact rows with those of misread words behind them, and which are which."""
        mended = None
        if bool(text.recognised.any()):
            words = [form for kind in self._kinds if not (kind.needs_check or kind.is_stem) for form in kind.forms]
            mended = mend_misread(text, words)
        if mended is None:
            return exact, np.zeros(len(exact), dtype=np.bool_)
        rows = np.unique(np.concatenate((exact, self._search(mended, text.original))), axis=0)
        known = {tuple(row) for row in exact.tolist()}
        return rows, np.array([tuple(row) not in known for row in rows.tolist()], dtype=np.bool_)

    def _search_patterns(self, text: SearchableText) -> tuple[Ints, tuple[int, ...]]:
        """Rows of the patterns' places, and the term indexes of those that ran out of time."""
        rows: list[tuple[int, int, int]] = []
        overdue: list[int] = []
        for index, pattern in enumerate(self._patterns, start=len(self._kinds)):
            places = text.pattern_places.get(pattern.pattern)
            if places is None:
                places = find_pattern(pattern, text.running.text)
            if places is None:
                overdue.append(index)
                continue
            text.pattern_places[pattern.pattern] = places
            offsets, ends = text.running.offsets, text.running.ends
            rows.extend((int(offsets[start]), int(ends[end - 1]), index) for start, end in places)
        return np.array(rows, dtype=np.int64).reshape(-1, 3), tuple(overdue)

    def _search(self, haystack: Haystack, original: str) -> Ints:
        """Rows of start, end (in `original`) and term, sorted."""
        if self._automaton is None:
            return np.empty((0, 3), dtype=np.int64)
        found = self._automaton.find_matches_as_indexes(haystack.text, overlapping=True)
        if not found:
            return np.empty((0, 3), dtype=np.int64)
        pattern, start, end = np.array(found, dtype=np.int64).T
        whole = haystack.begins[start] & (haystack.finishes[end] | self._open[pattern])
        pattern, start, end = pattern[whole], start[whole], end[whole]
        is_open = self._open[pattern]
        if bool(is_open.any()):
            end[is_open] = haystack.word_ends(end[is_open] - 1)
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
        stripped, folded, is_stem = _read_term(term)
        code = not is_stem and is_code(stripped)
        capitals = not code and stripped.isalpha() and stripped.isupper() and 1 < len(stripped) <= MAX_CASELESS_ACRONYM
        if is_stem or code:
            forms: tuple[str, ...] = (_searched(folded),)
        elif capitals:
            forms = (folded, f"{folded}s")
        else:
            forms = tuple(sorted({_searched(folded), *map(_searched, written_forms(_kept_hyphens(folded)))}))
        return cls(
            forms=forms,
            is_stem=is_stem,
            exact=folded if code else None,
            capitals=capitals,
            digit_first=folded[0].isdigit(),
            digit_last=folded[-1].isdigit(),
        )

    def agrees(self, original: str, start: int, end: int) -> bool:
        """True when the original text at that place is what the term stands for, and does not run on."""
        words = original[start:end]
        if self.exact is not None:
            joined = "".join(part.strip() for part in folded_text(words).split("\n"))
            return joined == self.exact and not _runs_on(original, start, end, before=True, after=True)
        if self.capitals and not words.removesuffix("s").replace("\u00ad", "").isupper():
            return False
        return not _runs_on(original, start, end, before=self.digit_first, after=self.digit_last)


@lru_cache(maxsize=KEPT_KINDS)
def _kind_of(term: str) -> _Kind:
    """Worked out once: the same terms are searched for question after question."""
    return _Kind.of(term)


def forms_of(term: str) -> tuple[str, ...]:
    """Every way in which a term is searched for: where none of them stands in a haystack, nor does the term.

    Raises ValueError for a term that cannot be searched.
    """
    return _kind_of(term).forms


def searched_form(term: str) -> str:
    """A term as it is compared, hyphens and spaces alike; a stem keeps its '*', a code its punctuation.

    Raises ValueError for a term that cannot be searched.
    """
    stripped, folded, is_stem = _read_term(term)
    if is_stem:
        return f"{_searched(folded)}*"
    return folded if is_code(stripped) else _searched(folded)


def _read_term(term: str) -> tuple[str, str, bool]:
    """The term on one line, its folded text without the '*', and whether it is a stem.

    Raises ValueError for a term that cannot be searched.
    """
    stripped = " ".join(term.split())
    is_stem = stripped.endswith("*")
    folded = folded_text(stripped.removesuffix("*"))
    plain = _searched(folded)
    if not any(character.isalnum() for character in plain):
        raise ValueError(f"term {term!r} has no letter or digit")
    if is_stem and len(plain.split()[-1]) < MIN_WILDCARD_LETTERS:
        raise ValueError(f"term {term!r}: a stem needs at least {MIN_WILDCARD_LETTERS} letters before the '*'")
    if "*" in folded:
        raise ValueError(f"term {term!r}: '*' may stand at the end only")
    return stripped, folded, is_stem


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
        mark, beyond = folded_text(original[end]), original[end + 1]
        if (mark in tuple(_CODE_JOINERS) and beyond.isalnum()) or (mark == "," and beyond.isdigit()):
            return True
    if before and start > 1:
        mark, beyond = folded_text(original[start - 1]), original[start - 2]
        return (mark in tuple(_CODE_JOINERS) and beyond.isalnum()) or (mark == "," and beyond.isdigit())
    return False


def _searched(folded: str) -> str:
    """A folded term as it stands in the haystack."""
    return _SEPARATORS.sub(" ", _POSSESSIVE.sub("", folded)).strip()


def _kept_hyphens(folded: str) -> str:
    """A folded term without possessives and apostrophes, hyphens kept: they show where a compound closes."""
    return _POSSESSIVE.sub("", folded).replace("'", " ")


def _as_hits(rows: Ints, starts: Ints, approximate: Flags, overdue: tuple[int, ...]) -> TermHits:
    first = np.searchsorted(starts, rows[:, 0], side="right") - 1
    last = np.searchsorted(starts, np.maximum(rows[:, 1] - 1, 0), side="right") - 1
    start, end = rows[:, 0] - starts[first], rows[:, 1] - starts[last]
    order = np.lexsort((rows[:, 2], end, last, start, first))
    return TermHits(first[order], last[order], rows[:, 2][order], start[order], end[order], approximate[order], overdue)
