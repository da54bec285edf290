"""How much a word says: rare among the concepts of the dictionaries, it points to few of them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dictionaries.folding import folded_text

STEM_LETTERS = 5  # 'terminate, termination, terminated'; five letters keep 'assign' and 'assist' apart, four would not
_STEM = re.compile(rf"([^\W_]{{1,{STEM_LETTERS}}})[^\W_]*")


def stems_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded, each cut to its first letters, in order."""
    return tuple(_STEM.findall(folded_text(text)))


def rarities(texts_of_concepts: Iterable[Iterable[str]]) -> Mapping[str, float]:
    """Inverse document frequency of each stem over the concepts of one dictionary (Spärck Jones 1972), from 0 to 1.

    1: one concept alone uses it; 0: all do. Divided by its highest value, so that dictionaries of any size compare.
    """
    return rarities_of_stems([frozenset(stems_of(" ".join(texts))) for texts in texts_of_concepts])


def rarities_of_stems(concepts: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """As `rarities`, of the stems that each concept uses."""
    counts = Counter(stem for stems in concepts for stem in stems)
    if len(concepts) < 2:  # one concept has nothing to be told apart from
        return dict.fromkeys(sorted(counts), 1.0)
    highest = math.log(len(concepts))
    return {stem: math.log(len(concepts) / count) / highest for stem, count in sorted(counts.items())}
