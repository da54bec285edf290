"""How the terms of a dictionary fare in documents: lines and documents hit a term, and the terms that find nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from dictionaries.entries import ConceptEntry
from dictionaries.matching import TermMatcher
from dictionaries.searchable import SearchableText
from schemas.record import Part

TermKind = Literal["primary", "secondary", "pattern", "secondary pattern"]


class TermCoverage(Part):
    """One term or pattern, in all documents."""

    concept: str = Field(description="Its concept.")
    language: str | None = Field(description="ISO 639-1 code; null for a pattern.")
    kind: TermKind = Field(description="What it is.")
    text: str = Field(description="The term or pattern.")
    lines: int = Field(ge=0, description="Lines on which it begins; one that runs over a line end counts once.")
    documents: int = Field(ge=0, description="Documents that hold it.")
    overdue: int = Field(ge=0, description="Documents in which the pattern ran out of time: hits may be missing.")


class ConceptCoverage(Part):
    """One concept, in all documents."""

    concept: str = Field(description="Name of the concept.")
    documents: int = Field(ge=0, description="Documents with a hit of a primary term or a pattern.")
    lines: int = Field(ge=0, description="Lines on which at least one of these begins.")
    without: tuple[str, ...] = Field(description="Names of the documents without such a hit, in the order read.")


class Coverage(Part):
    """A dictionary over a folder of documents."""

    dictionary: str = Field(description="Name of the dictionary.")
    version: str = Field(description="Its version.")
    documents: tuple[str, ...] = Field(description="Names of the documents read, in order.")
    lines: int = Field(ge=0, description="Lines searched in them.")
    concepts: tuple[ConceptCoverage, ...] = Field(description="In the order of the dictionary.")
    terms: tuple[TermCoverage, ...] = Field(description="In the order of the dictionary, a concept's patterns last.")

    @property
    def unused(self) -> tuple[TermCoverage, ...]:
        """Terms that were found nowhere."""
        return tuple(term for term in self.terms if not term.lines)


class CoverageCount:
    """Counts document after document; memory does not grow with them."""

    def __init__(self, entries: Sequence[ConceptEntry]) -> None:
        """Count the terms and patterns of `entries`, one dictionary's."""
        self._entries = tuple(entries)
        self._terms = [(entry, term) for entry in entries for term in entry.terms]
        self._patterns: list[tuple[ConceptEntry, str, TermKind]] = []
        for entry in entries:
            self._patterns += [(entry, pattern, "pattern") for pattern in entry.patterns]
            self._patterns += [(entry, pattern, "secondary pattern") for pattern in entry.secondary_patterns]
        texts = tuple(term.text for _, term in self._terms)
        self._matcher = TermMatcher(texts, patterns=[pattern for _, pattern, _ in self._patterns])
        count = len(self._terms) + len(self._patterns)
        self._lines, self._documents, self._overdue = ([0] * count for _ in range(3))
        self._concept_lines = dict.fromkeys((entry.concept_id for entry in entries), 0)
        self._without: dict[str, list[str]] = {entry.concept_id: [] for entry in entries}
        self._names: list[str] = []
        self._searched = 0
        self._proving: dict[str, list[int]] = {entry.concept_id: [] for entry in entries}
        for index, (entry, term) in enumerate(self._terms):
            if term.priority == "primary":
                self._proving[entry.concept_id].append(index)
        for index, (entry, _, kind) in enumerate(self._patterns, len(self._terms)):
            if kind == "pattern":
                self._proving[entry.concept_id].append(index)

    def add(self, name: str, text: SearchableText) -> None:
        """Count one document; each text of it is a line."""
        hits = self._matcher.find_in(text)
        pairs = np.unique(np.stack((hits.term_index, hits.text_index), axis=1), axis=0)
        lines_of: dict[int, list[int]] = {}
        for term, line in pairs.tolist():
            lines_of.setdefault(term, []).append(line)
        for term, lines in lines_of.items():
            self._lines[term] += len(lines)
            self._documents[term] += 1
        for term in hits.overdue:
            self._overdue[term] += 1
        for concept, proving in self._proving.items():
            lines_hit = {line for term in proving for line in lines_of.get(term, ())}
            self._concept_lines[concept] += len(lines_hit)
            if not lines_hit:
                self._without[concept].append(name)
        self._names.append(name)
        self._searched += len(text.starts) if text.original else 0

    def result(self, *, dictionary: str, version: str) -> Coverage:
        """What was counted."""
        concepts = tuple(
            ConceptCoverage(
                concept=concept,
                documents=len(self._names) - len(self._without[concept]),
                lines=lines,
                without=tuple(self._without[concept]),
            )
            for concept, lines in self._concept_lines.items()
        )
        terms = [
            self._row(index, entry.concept_id, term.language, term.priority, term.text)
            for index, (entry, term) in enumerate(self._terms)
        ]
        terms += [
            self._row(index, entry.concept_id, None, kind, pattern)
            for index, (entry, pattern, kind) in enumerate(self._patterns, len(self._terms))
        ]
        order = {entry.concept_id: index for index, entry in enumerate(self._entries)}
        return Coverage(
            dictionary=dictionary,
            version=version,
            documents=tuple(self._names),
            lines=self._searched,
            concepts=concepts,
            terms=tuple(sorted(terms, key=lambda term: order[term.concept])),
        )

    def _row(
        self,
        index: int,
        concept: str,
        language: str | None,
        kind: TermKind,
        text: str,
    ) -> TermCoverage:
        return TermCoverage(
            concept=concept,
            language=language,
            kind=kind,
            text=text,
            lines=self._lines[index],
            documents=self._documents[index],
            overdue=self._overdue[index],
        )
