"""Typed values in running text: amounts, dates, durations, percentages, counts, with their place in the text.

The rules that settle what a document leaves open, in one place each: the currency of a bare '$' in `currencies.py`,
the separators of '1.234' in `numerals.py`, the order of 03/04/2024 in `dates.py`, words against digits in `pairs.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import overload

from pipeline.values.addresses import find_addresses
from pipeline.values.amounts import find_amounts
from pipeline.values.counts import find_counts
from pipeline.values.dates import find_dates
from pipeline.values.durations import find_durations
from pipeline.values.equality import same_value
from pipeline.values.found import FoundValue
from pipeline.values.ibans import find_ibans
from pipeline.values.identifiers import find_identifiers
from pipeline.values.jurisdictions import find_jurisdictions
from pipeline.values.open_ends import find_open_ends
from pipeline.values.parties import find_parties
from pipeline.values.percentages import find_percentages
from pipeline.values.registry import (
    Example,
    ValueType,
    find_registered,
    parser_fault,
    register_type,
    registered_types,
    unregister_type,
)
from pipeline.values.relative_dates import find_relative_dates
from schemas.values import CustomValue, Value

__all__ = [
    "VALUE_TYPES",
    "Example",
    "FoundValue",
    "ValueType",
    "find_values",
    "parser_fault",
    "register_type",
    "registered_types",
    "same_value",
    "type_of",
    "unregister_type",
]

_FINDERS = {
    "address": find_addresses,
    "amount": find_amounts,
    "date": find_dates,
    "duration": find_durations,
    "iban": find_ibans,
    "identifier": find_identifiers,
    "jurisdiction": find_jurisdictions,
    "number": find_counts,
    "open_end": find_open_ends,
    "party": find_parties,
    "percentage": find_percentages,
    "relative_date": find_relative_dates,
}
_BY_WRITING = tuple(name for name in _FINDERS if name != "party")
KEPT_TEXTS = 4_096  # passages whose values are kept; those of two long documents, some 4 MB


class _ValueTypes(Sequence[str]):
    """The types whose values are told by their writing: the built-in ones in order, then those users registered.

    A party is none of them: `find_values` finds those with a legal form, and where a name stands tells the others.
    """

    def _names(self) -> tuple[str, ...]:
        return (*_BY_WRITING, *(added.name for added in registered_types()))

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...

    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return self._names()[at]

    def __len__(self) -> int:
        return len(self._names())


VALUE_TYPES: Sequence[str] = _ValueTypes()  # always as registered now


def type_of(value: Value) -> str:
    """The answer type that finds such a value: its kind, or the name under which a user registered it."""
    return value.type_name if isinstance(value, CustomValue) else value.kind


def find_values(text: str, answer_type: str, *, language: str = "en") -> tuple[FoundValue, ...]:
    """Values of `answer_type` in `text`, left to right, not overlapping; empty for a type that has no pattern.

    English, Spanish and French forms are found whatever `language` is (a question in one language may be put to a
    document in another); it only settles a single separator, as in '1.234', that both conventions could have written.
    A value may run over the end of a line.
    """
    return (
        _find(text, answer_type, language) if answer_type in _FINDERS else find_registered(text, answer_type, language)
    )


@lru_cache(maxsize=KEPT_TEXTS)
def _find(text: str, answer_type: str, language: str) -> tuple[FoundValue, ...]:
    """Read once: detectors, the arbiter and the answer look at the same passages."""
    finder = _FINDERS[answer_type]
    if not _LIGATURE.search(text):
        return finder(text, language)
    plain, places = _expand(text)
    return tuple(_at(found, text, places) for found in finder(plain, language))


_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}  # U+FB00 to U+FB06
_LIGATURE = re.compile("[ﬀ-ﬆ]")


def _expand(text: str) -> tuple[str, list[int]]:
    """The text with its ligatures written as letters, and where each character of it stood before, its end included."""
    letters: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text):
        written = _LIGATURES.get(character, character)
        letters.append(written)
        places += [at] * len(written)
    return "".join(letters), [*places, len(text)]


def _at(found: FoundValue, text: str, places: list[int]) -> FoundValue:
    """The value at its place in the text as written; a ligature belongs to it whole."""
    start, end = places[found.start], places[found.end - 1] + 1
    value = found.value
    if hasattr(value, "original"):
        value = value.model_copy(update={"original": text[start:end]})
    return FoundValue(start, end, value)
