"""Where a labelled clause stands in a document as it was read: the lines that hold its words."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass

from pipeline.evaluation.coverage import MIN_SHARE, SHORT_CLAUSE, Gram, words_of
from schemas.document import ParsedDocument

MAX_PLACES = 20  # occurrences of one clause that are looked at: a party's name stands everywhere
ROOM = 1.5  # a clause may take so many times its words in the document: headers and notes stand between its lines


@dataclass(frozen=True, slots=True)
class Place:
    """Lines that hold a clause (line_ids), and the share of it that stands there."""

    lines: tuple[int, int]
    share: float


class DocumentWords:
    """All words of a document in reading order, by 3-grams; made once for all clauses that are looked for."""

    def __init__(self, document: ParsedDocument) -> None:
        self._words: list[str] = []
        self._line_starts: list[int] = []
        self._line_ids: list[int] = []
        lines = document.line_df
        for line_id, text in zip(lines["line_id"].tolist(), lines["text"].tolist(), strict=True):
            words = words_of(text)
            if words:
                self._line_starts.append(len(self._words))
                self._line_ids.append(line_id)
                self._words.extend(words)
        self._by_gram: dict[Gram, list[int]] | None = None
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for at, word in enumerate(self._words):
            self._by_word[word].append(at)

    def places(self, clause: str) -> tuple[Place, ...]:
        """Where the clause stands, the fullest first; () where less than half of it stands together anywhere."""
        found = [place for place in self._candidates(clause) if place.share >= self._needed(clause)]
        return tuple(sorted(found, key=lambda place: (-place.share, place.lines)))

    def best_share(self, clause: str) -> float:
        """Largest share of the clause that stands together anywhere, 0 to 1."""
        return max((place.share for place in self._candidates(clause)), default=0.0)

    def share_of_words(self, words: set[str], lines: tuple[int, int]) -> float:
        """Share of the words that stand in these lines, 0 to 1; 0 without words."""
        start = bisect_right(self._line_ids, lines[0] - 1)
        end = bisect_right(self._line_ids, lines[1])
        if start >= end or not words:
            return 0.0
        stop = self._line_starts[end] if end < len(self._line_starts) else len(self._words)
        return len(words & set(self._words[self._line_starts[start] : stop])) / len(words)

    @staticmethod
    def _needed(clause: str) -> float:
        return 1.0 if len(words_of(clause)) < SHORT_CLAUSE else MIN_SHARE

    def _candidates(self, clause: str) -> list[Place]:
        words = words_of(clause)
        short = len(words) < SHORT_CLAUSE
        want: set[Gram] = {(word,) for word in words} if short else set(zip(words, words[1:], words[2:], strict=False))
        if not want:
            return []
        hits = sorted((at, gram) for gram in want for at in self._positions(gram))
        width = max(len(words) * ROOM, len(words) + SHORT_CLAUSE)
        places: list[Place] = []
        while hits and len(places) < MAX_PLACES:
            first, last, count = _densest(hits, width)
            places.append(Place((self._line(hits[first][0]), self._line(hits[last][0])), count / len(want)))
            del hits[first : last + 1]
        return places

    def _positions(self, gram: Gram) -> list[int]:
        if len(gram) == 1:
            return self._by_word.get(gram[0], [])
        if self._by_gram is None:
            self._by_gram = defaultdict(list)
            for at, each in enumerate(zip(self._words, self._words[1:], self._words[2:], strict=False)):
                self._by_gram[each].append(at)
        return self._by_gram.get(gram, [])

    def _line(self, at: int) -> int:
        return self._line_ids[bisect_right(self._line_starts, at) - 1]


def _densest(hits: list[tuple[int, Gram]], width: float) -> tuple[int, int, int]:
    """First and last index of the window that holds most different grams, and how many; the earliest of equals."""
    best = (0, 0, 0)
    inside: dict[Gram, int] = defaultdict(int)
    first = 0
    for last, (at, gram) in enumerate(hits):
        inside[gram] += 1
        while at - hits[first][0] >= width:
            gone = hits[first][1]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            first += 1
        if len(inside) > best[2]:
            best = (first, last, len(inside))
    return best
