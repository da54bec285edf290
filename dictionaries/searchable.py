"""Texts made ready once to be searched any number of times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dictionaries.folding import Flags, Ints
from dictionaries.haystack import Haystack

REACH = 160  # letters; longer than any term an expert writes, so that the variants are made once for all matchers


@dataclass(frozen=True)
class SearchableText:
    """Texts in one folded copy, each character traced to where it came from; treat as read-only.

    `recognised` marks the texts that come from recognised pages: there, and only there, misread words are looked for.
    """

    original: str
    starts: Ints  # offset of each text in `original`
    haystack: Haystack
    apart: Ints  # offsets of the breaks that no term runs over
    recognised: Flags

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        *,
        groups: Sequence[int] | None = None,
        recognised: Sequence[bool] | Flags | None = None,
    ) -> SearchableText:
        """`texts` made ready.

        `groups` names texts that belong together (the lines of a document, of a column, of a paragraph): where
        neighbours carry the same number, a term may run over the break between them, hyphenated or not. Without it
        each text stands alone.

        Raises ValueError when `groups` or `recognised` has another length than `texts`.
        """
        for name, given in (("groups", groups), ("recognised", recognised)):
            if given is not None and len(given) != len(texts):
                raise ValueError(f"{len(given)} {name} for {len(texts)} texts: give one a text")
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        starts = np.concatenate(([0], np.cumsum(lengths[:-1] + 1))).astype(np.int64)
        original = "\n".join(texts)
        apart = _apart(starts, groups)
        flags = np.zeros(len(texts), dtype=np.bool_) if recognised is None else np.asarray(recognised, dtype=np.bool_)
        return cls(original, starts, Haystack.of(original, apart), apart, flags)

    def variants(self, reach: int) -> Iterator[Haystack]:
        """What is searched besides the text: words divided at line ends or letter-spaced, made whole.

        `reach` is the length of the longest pattern.
        """
        yield from self._variants if reach <= REACH else self.haystack.variants(reach)

    @property
    def has_variants(self) -> bool:
        """True where words are divided at line ends or letter-spaced."""
        return bool(len(self.haystack.breaks) or len(self.haystack.spaced))

    @cached_property
    def _variants(self) -> tuple[Haystack, ...]:
        return tuple(self.haystack.variants(REACH))

    @cached_property
    def running(self) -> Haystack:
        """The text as patterns read it: hyphens kept, blanks and line breaks as one space, divided words made whole."""
        return Haystack.running(self.original, self.apart)

    @cached_property
    def pattern_places(self) -> dict[str, list[tuple[int, int]]]:
        """Where the patterns stand in `running` that were looked for: they are slow, and asked for again and again."""
        return {}

    def inside_recognised(self, at: Ints) -> Flags:
        """True for each offset of `original` that lies in a recognised text."""
        flags: Flags = self.recognised[np.searchsorted(self.starts, at, side="right") - 1]
        return flags


def _apart(starts: Ints, groups: Sequence[int] | None) -> Ints:
    if groups is None:
        return starts[1:] - 1
    numbers = np.asarray(groups, dtype=np.int64)
    apart: Ints = (starts[1:] - 1)[numbers[1:] != numbers[:-1]]
    return apart
