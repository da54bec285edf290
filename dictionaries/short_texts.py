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
from dictionaries.haystack import APART
from dictionaries.matching import TermHits, TermMatcher, forms_of
from dictionaries.searchable import SearchableText

HEAD = 3  # first letters of a word that plural, singular and gender leave as they are
SHORT_WORD = 4  # letters; of shorter words two letters are compared ('voz', 'voces')
_APART = chr(APART)  # no term holds it
_WORDS = re.compile(r"[^\W_]+")


class ShortTextMatcher:
    """Finds many terms in a question; the hits are those of `TermMatcher` over the same terms."""

    def __init__(self, terms: Sequence[str]) -> None:
        self.terms = tuple(terms)
        heads_of = map(_heads, folded_text("\n".join(self.terms)).split("\n")) if self.terms else ()
        # Row n of the ragged table `_heads`, from `_firsts[n]`, are the numbers of the heads of term n; none is empty.
        self._number_of: dict[str, int] = {"": 0}
        numbers: list[int] = []
        firsts: list[int] = []
        for heads in heads_of:
            firsts.append(len(numbers))
            numbers.extend(self._number_of.setdefault(head, len(self._number_of)) for head in heads or ("",))
        self._heads = np.array(numbers, dtype=np.int64)
        self._firsts = np.array(firsts, dtype=np.int64)

    def find(self, texts: Sequence[str]) -> TermHits:
        """Every place of every term in `texts`, each text by itself.

        Raises ValueError for a term that may stand there and cannot be searched.
        """
        if not self.terms:
            return TermMatcher([]).find(texts)
        text = SearchableText.of(texts)
        likely = self._likely(texts)
        # Terms whose letters stand nowhere in what is searched are not worth an automaton.
        forms = {index: forms_of(term) for index, term in likely.items()}
        longest = max((len(form) for ways in forms.values() for form in ways), default=0) if text.has_variants else 0
        searched = _APART.join([text.haystack.text, *(variant.text for variant in text.variants(longest))])
        likely = {index: likely[index] for index, ways in forms.items() if _any_stands(ways, searched)}
        hits = TermMatcher(list(likely.values())).find_in(text)
        return replace(hits, term_index=np.array(list(likely), dtype=np.int64)[hits.term_index])

    def _likely(self, texts: Sequence[str]) -> dict[int, str]:
        """The terms, by number in ascending order, the beginnings of whose words stand in the texts."""
        letters = "".join(_WORDS.findall(folded_text(" ".join(texts))))
        here = {letters[at : at + size] for size in (2, HEAD) for at in range(len(letters))} | {""}
        stands = np.zeros(len(self._number_of), dtype=np.bool_)
        stands[[self._number_of[head] for head in here & self._number_of.keys()]] = True
        all_stand = np.logical_and.reduceat(stands[self._heads], self._firsts)
        return {index: self.terms[index] for index in np.flatnonzero(all_stand).tolist()}


def _any_stands(forms: tuple[str, ...], searched: str) -> bool:
    for form in forms:  # noqa: SIM110 - a generator takes twice as long, and this runs a thousand times a question
        if form in searched:
            return True
    return False


def _heads(folded: str) -> list[str]:
    """The beginnings of a term's words."""
    words = _WORDS.findall(folded)
    return [word[:HEAD] if len(word) > SHORT_WORD else word[:2] for word in words if len(word) > 1]
