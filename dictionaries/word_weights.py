# ruff: noqa: SIM905  # word lists are read as text
"""Which concepts the single words of a question point to, and how strongly: evidence where no phrase says it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
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
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class WordWeights:
    """How often the texts of each concept use each stem and each pair of stems that follow one another."""

    counts: Mapping[str, Mapping[int, int]]  # stem, or two stems with a space between, to concept index and count
    concept_count: int

    def rarity(self, stem: str) -> float:
        """Inverse document frequency over the concepts (Spärck Jones 1972), 0 to `FULL_RARITY`; that if unknown."""
        if self.concept_count < 2:  # one concept has nothing to be told apart from
            return FULL_RARITY
        users = max(len(self.counts.get(stem, ())), 1)
        return FULL_RARITY * math.log(self.concept_count / users) / math.log(self.concept_count)

    def weights(self, stem: str) -> dict[int, float]:
        """What the stem says for each concept that uses it: its rarity, and a little more the oftener it is used."""
        rarity = self.rarity(stem)
        return {index: rarity * math.log1p(math.log1p(count)) for index, count in self.counts.get(stem, {}).items()}


def count_words(texts_of_concepts: Iterable[Sequence[str]]) -> WordWeights:
    """The weights of the words in the texts of each concept, in order; pairs stay within one text."""
    counts: dict[str, dict[int, int]] = {}
    index = -1
    for index, texts in enumerate(texts_of_concepts):
        for line in folded_text("\n".join(texts)).split("\n"):
            last = ""
            for word in _WORD.findall(line):
                if word in ALL_STOP_WORDS and word not in TELLING:
                    continue
                stem = word[:STEM_LETTERS]
                of_stem = counts.setdefault(stem, {})
                of_stem[index] = of_stem.get(index, 0) + 1
                if last:
                    of_pair = counts.setdefault(f"{last} {stem}", {})
                    of_pair[index] = of_pair.get(index, 0) + 1
                last = stem
    return WordWeights(counts, index + 1)


def telling_words(text: str) -> list[tuple[str, int, int]]:
    """Stem, start and end of each word of a text that may say what it is about, in order."""
    words: list[tuple[str, int, int]] = []
    for match in _WORD.finditer(text):
        folded = folded_text(match.group())
        if folded not in ALL_STOP_WORDS or folded in TELLING:
            words.append((folded[:STEM_LETTERS], match.start(), match.end()))
    return words
