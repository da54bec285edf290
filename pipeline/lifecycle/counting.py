"""How often words stand in the accepted passages of a concept, and how often elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dictionaries.matching import TermMatcher
from pipeline.lifecycle.observed import ConceptKey
from pipeline.lifecycle.paragraphs import Paragraphs
from schemas.proposals import EvidenceLine

MAX_LINES = 3  # lines kept as evidence of one phrase and concept; all are counted

Marks = Mapping[str, Mapping[int, frozenset[ConceptKey]]]  # doc_id -> line_id -> concepts of its accepted passage


@dataclass(slots=True)
class Standing:
    """Where one phrase stands, for one concept."""

    passages: int = 0  # paragraphs that hold it and an accepted passage of the concept
    documents: set[str] = field(default_factory=set)  # of these
    lines: list[EvidenceLine] = field(default_factory=list)


@dataclass(slots=True)
class Counts:
    """Paragraphs by phrase and concept."""

    paragraphs: int = 0  # all of them
    of_concept: dict[ConceptKey, int] = field(default_factory=dict)  # those with an accepted passage of it
    holding: dict[str, int] = field(default_factory=dict)  # those that hold the phrase
    standing: dict[tuple[ConceptKey, str], Standing] = field(default_factory=dict)

    def passages(self, concept: ConceptKey, phrase: str) -> int:
        """Paragraphs of the concept that hold the phrase."""
        found = self.standing.get((concept, phrase))
        return found.passages if found else 0

    def elsewhere(self, concept: ConceptKey, phrase: str) -> int:
        """Other paragraphs that hold it."""
        return self.holding.get(phrase, 0) - self.passages(concept, phrase)

    def lift(self, concept: ConceptKey, phrase: str) -> float:
        """Share of the concept's paragraphs that hold the phrase, against the share of all; 0 where none does."""
        here, all_here = self.passages(concept, phrase), self.of_concept.get(concept, 0)
        total = self.holding.get(phrase, 0)
        return (here / all_here) / (total / self.paragraphs) if here and total else 0.0

    def score(self, concept: ConceptKey, phrase: str) -> float:
        """The log-likelihood ratio of the phrase in the concept's paragraphs against all others.

        G2 of the table of two rows (holds it or not) and two columns (of the concept or not): Dunning 1993, "Accurate
        Methods for the Statistics of Surprise and Coincidence", made for counts as small as these.
        """
        here, other = self.passages(concept, phrase), self.elsewhere(concept, phrase)
        inside = self.of_concept.get(concept, 0)
        table = ((here, other), (inside - here, self.paragraphs - inside - other))
        rows = [sum(row) for row in table]
        columns = [sum(row[at] for row in table) for at in range(2)]
        return 2 * sum(
            count * math.log(count * self.paragraphs / (rows[row] * columns[column]))
            for row, cells in enumerate(table)
            for column, count in enumerate(cells)
            if count
        )


def count_phrases(
    documents: Iterable[Paragraphs], marks: Marks, phrases: Sequence[str], *, narrate: Callable[[str], None]
) -> Counts:
    """The paragraphs of the documents that hold each phrase, in all and by concept; in any of its written forms."""
    counts = Counts()
    matcher = TermMatcher(phrases)
    for document in documents:
        narrate(f"counting words in {document.doc_id}")
        lines = marks.get(document.doc_id, {})
        marked = [
            frozenset[ConceptKey]().union(*(lines.get(line, ()) for line in paragraph.line_ids))
            for paragraph in document.paragraphs
        ]
        counts.paragraphs += len(marked)
        for concept in (concept for concepts in marked for concept in concepts):
            counts.of_concept[concept] = counts.of_concept.get(concept, 0) + 1
        _count_one(document, marked, matcher, counts)
    return counts


def _count_one(
    document: Paragraphs, marked: Sequence[frozenset[ConceptKey]], matcher: TermMatcher, counts: Counts
) -> None:
    seen: set[tuple[int, int]] = set()
    hits: Any = matcher.find([paragraph.text for paragraph in document.paragraphs])
    for hit in hits:
        if (hit.text_index, hit.term_index) in seen:
            continue
        seen.add((hit.text_index, hit.term_index))
        phrase = matcher.terms[hit.term_index]
        counts.holding[phrase] = counts.holding.get(phrase, 0) + 1
        for concept in marked[hit.text_index]:
            standing = counts.standing.setdefault((concept, phrase), Standing())
            standing.passages += 1
            standing.documents.add(document.doc_id)
            if len(standing.lines) < MAX_LINES:
                standing.lines.append(document.evidence(hit.text_index, hit.start))
