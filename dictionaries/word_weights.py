# ruff: noqa: SIM905  # word lists are read as text
"""Which concepts the single words of a question point to, and how strongly: evidence where no phrase says it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dictionaries.folding import Ints, folded_text
from dictionaries.rarity import STEM_LETTERS
from dictionaries.stopwords import ALL_STOP_WORDS

# Stop words that tell two topics apart all the same: who, when, how long, before and after, not, only, other.
TELLING = frozenset(
    """
    who whom when how where before after without no not any never only other max si sin quien quienes cuando cuanto
    como antes despues nadie solo otra otro otros otras mas sans pas qui quand combien avant apres plus autre autres
    tous seul
    """.split()
)
FULL_RARITY = 6.0  # of a word of one concept, in dictionaries of any size: the logarithm of four hundred concepts
END = -1  # stands for no stem: between two texts
ABSENT = -2  # the number of a stem that no text uses
_SAY_NOTHING = frozenset(ALL_STOP_WORDS) - TELLING
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORD_OR_END = re.compile(rf"{_WORD.pattern}|\n")


@dataclass(frozen=True, slots=True)
class WordWeights:
    """How often the texts of each concept use each stem and each pair of stems that follow one another."""

    numbers: Mapping[str, int]  # of each stem, from 0
    stems: Ints  # numbers of the stems of all texts, one after another; END behind each text
    concepts: Ints  # index of the concept that each stands in
    order: Ints  # places of `stems`, by number, then as they stand
    concept_count: int

    def counts(self, stem: str) -> dict[int, int]:
        """How often each concept that uses a stem, or two with a space between, uses it, by index in order."""
        first, _, second = stem.partition(" ")
        number = self.numbers.get(first)
        if number is None:
            return {}
        start, stop = np.searchsorted(self.stems, (number, number + 1), sorter=self.order)
        places = self.order[start:stop]
        if second:
            places = places[self.stems[places + 1] == self.numbers.get(second, ABSENT)]  # END is behind the last
        found, counts = np.unique(self.concepts[places], return_counts=True)
        return dict(zip(found.tolist(), counts.tolist(), strict=True))

    def rarity(self, stem: str) -> float:
        """Inverse document frequency over the concepts (Spärck Jones 1972), 0 to `FULL_RARITY`; that if unknown."""
        if self.concept_count < 2:  # one concept has nothing to be told apart from
            return FULL_RARITY
        users = max(len(self.counts(stem)), 1)
        return FULL_RARITY * math.log(self.concept_count / users) / math.log(self.concept_count)

    def weights(self, stem: str) -> dict[int, float]:
        """What the stem says for each concept that uses it: its rarity, and a little more the oftener it is used."""
        rarity = self.rarity(stem)
        return {index: rarity * math.log1p(math.log1p(count)) for index, count in self.counts(stem).items()}


def count_words(texts_of_concepts: Iterable[Sequence[str]]) -> WordWeights:
    """The weights of the words in the texts of each concept, in order; pairs stay within one text."""
    numbers: dict[str, int] = {}
    stems: list[int] = []
    sizes: list[int] = []
    for texts in texts_of_concepts:
        before = len(stems)
        for word in _WORD_OR_END.findall(folded_text("".join(f"{text}\n" for text in texts))):
            if word == "\n":
                stems.append(END)
            elif word not in _SAY_NOTHING:
                stems.append(numbers.setdefault(word[:STEM_LETTERS], len(numbers)))
        sizes.append(len(stems) - before)
    row = np.array(stems, dtype=np.int64)
    concepts = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    return WordWeights(numbers, row, concepts, np.argsort(row, kind="stable"), len(sizes))


def telling_words(text: str) -> list[tuple[str, int, int]]:
    """Stem, start and end of each word of a text that may say what it is about, in order."""
    words: list[tuple[str, int, int]] = []
    for match in _WORD.finditer(text):
        folded = folded_text(match.group())
        if folded not in ALL_STOP_WORDS or folded in TELLING:
            words.append((folded[:STEM_LETTERS], match.start(), match.end()))
    return words
