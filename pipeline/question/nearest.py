"""The concepts that the single words of a question point to, in whatever order they stand."""

from __future__ import annotations

from dataclasses import dataclass, field

from dictionaries import Dictionaries
from dictionaries.folding import folded_text
from dictionaries.word_weights import TELLING, telling_words
from pipeline.question.lexicon import ASKING_WORDS
from pipeline.question.reading import Span

# How long anything goes on may be asked of every topic: such verbs choose one only where nothing else does.
LASTING = frozenset(("last", "lasts", "survive", "survives", "dura", "duran", "dure", "durent"))
ASKING = frozenset().union(LASTING, *ASKING_WORDS.values())
NO_REASON = TELLING | ASKING  # they add their weight; a topic is never chosen by them alone


@dataclass(slots=True)
class Weighed:
    """What the words of a question say for one concept."""

    weight: float = 0.0  # sum over its words and pairs of words; two rare words and their pair weigh about ten
    covered: float = 0.0  # from 0 to 1: how much of what the question's words say is said by words of the concept
    words: dict[Span, float] = field(default_factory=dict)  # the words that speak for it and their weights

    def strongest(self, limit: int) -> tuple[Span, ...]:
        """Places of the words that say most, at most `limit`, in the order of the text."""
        ranked = sorted(self.words.items(), key=lambda item: (-item[1], item[0]))
        return tuple(sorted(span for span, _ in ranked[:limit]))


def weigh_words(text: str, dictionaries: Dictionaries) -> dict[int, Weighed]:
    """What the words of a text say for each concept (by index) that uses at least one of them; {} for no such word.

    A word weighs by its rarity over all concepts, a pair of words that follow one another by the pair's; each counts
    once however often it stands there.
    """
    known = dictionaries.word_weights
    found: dict[int, Weighed] = {}
    total = 0.0
    last = ""
    seen: set[str] = set()
    for stem, start, end in telling_words(text):
        if folded_text(text[start:end]) in LASTING:
            last = ""
            continue
        if stem not in seen:
            rarity = known.rarity(stem)
            total += rarity
            for index, weight in known.weights(stem).items():
                one = found.setdefault(index, Weighed())
                one.weight += weight
                one.covered += rarity
                if folded_text(text[start:end]) not in NO_REASON:
                    one.words[start, end] = weight
        pair = f"{last} {stem}"
        if last and pair not in seen:
            for index, weight in known.weights(pair).items():
                one = found.setdefault(index, Weighed())
                one.weight += weight
                if (start, end) in one.words:
                    one.words[start, end] += weight
        seen.update((stem, pair))
        last = stem
    for one in found.values():
        one.covered = one.covered / total if total else 0.0
    return found
