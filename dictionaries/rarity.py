"""How much a word says: rare among the concepts of the dictionaries, it points to few of them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from dictionaries.folding import folded_text

STEM_LETTERS = 5  # 'terminate, termination, terminated'; five letters keep 'assign' and 'assist' apart, four would not
_WORD = re.compile(r"[^\W_]+")


def stems_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded, each cut to its first letters, in order."""
    return tuple(word[:STEM_LETTERS] for word in _WORD.findall(folded_text(text)))


def rarities(texts_of_concepts: Iterable[Iterable[str]]) -> Mapping[str, float]:
    """Inverse document frequency of each stem over concepts (Spärck Jones 1972), 0 for one that all concepts use."""
    concepts = [frozenset(stem for text in texts for stem in stems_of(text)) for texts in texts_of_concepts]
    counts = Counter(stem for stems in concepts for stem in stems)
    return {stem: math.log(len(concepts) / count) for stem, count in sorted(counts.items())}
