"""A matcher for very many terms and short texts: only the terms whose words may stand there are made ready.

To make the terms of all dictionaries ready takes seconds, to look through a question takes none; so the terms are
sifted by the first letters of their words, which no inflection changes, before the ordinary matcher decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dictionaries.folding import folded_text
from dictionaries.matching import TermHits, TermMatcher

HEAD = 3  # first letters of a word that plural, singular and gender leave as they are
SHORT_WORD = 4  # letters; of shorter words two letters are compared ('voz', 'voces')
_WORDS = re.compile(r"[^\W_]+")


class ShortTextMatcher:
    """Finds many terms in a question; the hits are those of `TermMatcher` over the same terms."""

    def __init__(self, terms: Sequence[str]) -> None:
        self.terms = tuple(terms)
        self._heads = tuple(map(_heads, folded_text("\n".join(self.terms)).split("\n"))) if self.terms else ()
        self._by_first: dict[str, list[int]] = {}
        for index, heads in enumerate(self._heads):
            self._by_first.setdefault(heads[0] if heads else "", []).append(index)

    def find(self, texts: Sequence[str]) -> TermHits:
        """Every place of every term in `texts`, each text by itself.

        Raises ValueError for a term that may stand there and cannot be searched.
        """
        letters = "".join(_WORDS.findall(folded_text(" ".join(texts))))
        here = {letters[at : at + size] for size in (2, HEAD) for at in range(len(letters))} | {""}
        likely = sorted(
            index
            for head in here & self._by_first.keys()
            for index in self._by_first[head]
            if here.issuperset(self._heads[index])
        )
        hits = TermMatcher([self.terms[index] for index in likely]).find(texts)
        return replace(hits, term_index=np.array(likely, dtype=np.int64)[hits.term_index])


def _heads(folded: str) -> tuple[str, ...]:
    """The beginnings of a term's words, the longest first: the rarest is looked for first."""
    heads = {word[:HEAD] if len(word) > SHORT_WORD else word[:2] for word in _WORDS.findall(folded)}
    return tuple(sorted((head for head in heads if len(head) > 1), key=lambda head: (-len(head), head)))
