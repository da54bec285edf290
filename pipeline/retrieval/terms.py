"""The terms of one question in one list: what proves the topic, what stands by the value, what is confused with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from dictionaries.matching import TermMatcher, searched_form
from dictionaries.patterns import compile_pattern
from dictionaries.stopwords import ALL_STOP_WORDS
from schemas.question import RetrievalQuery

KEPT_MATCHERS = 64  # questions whose matcher is kept: a batch puts the same questions to many documents
KEPT_FORMS = 8_192  # terms; a few dictionaries in three languages

TermKind = Literal[
    "exact", "concept", "expansion", "phrase", "word", "value", "title", "distractor", "neighbour", "asked",
    "asked_phrase",
]  # fmt: skip
TOPIC_KINDS: frozenset[TermKind] = frozenset({"exact", "concept", "expansion", "phrase", "word"})
SIDE_WEIGHT = 0.5  # weight of a dictionary's secondary terms, the most one may have: they do not prove their topic
# What a question calls the document itself: the passage that answers need not repeat it.
_DOCUMENT_NAMES = frozenset({
    "agreement", "contract", "document", "deed", "contrato", "acuerdo", "convenio", "documento", "contrat", "accord",
    "convention", "acte",
})  # fmt: skip
_UNTELLING = ALL_STOP_WORDS | _DOCUMENT_NAMES
_HOW = re.compile(
    r"\b(?:how (?:long|much|many|often|soon|far)|cu[aá]nto tiempo|combien de temps)\b"
)  # these ask and name nothing
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Term:
    """One term as it is searched.

    exact: a code or a quoted phrase; concept: of a dictionary; expansion: proposed by a model; phrase and word: of the
    question; value: beside the value; title: where a concept usually stands; distractor, neighbour: of other topics;
    asked, asked_phrase: words, and runs of words, by which the question chose its first concept.
    """

    text: str
    kind: TermKind
    weight: float
    concept: str | None
    concept_rank: int  # 0 for the first concept of the question; 0 without one
    is_pattern: bool = False

    @property
    def shown(self) -> str:
        """The term as a reason names it; nobody reads a pattern."""
        return f"a wording of {(self.concept or 'the topic').replace('_', ' ')}" if self.is_pattern else self.text


@dataclass(frozen=True)
class Terms:
    """All terms of a question, and those that cannot be searched at all (no letter, no digit)."""

    terms: tuple[Term, ...]
    unsearchable: tuple[str, ...]
    matcher: TermMatcher

    @cached_property
    def has_concept(self) -> bool:
        """True when one of them is of an expert's dictionary."""
        return any(term.kind == "concept" for term in self.terms)

    @cached_property
    def proving(self) -> frozenset[int]:
        """Numbers of the terms whose presence speaks for the topic by itself."""
        return frozenset(index for index, term in enumerate(self.terms) if proves_topic(term))

    @cached_property
    def patterns(self) -> frozenset[int]:
        """Numbers of the experts' patterns."""
        return frozenset(index for index, term in enumerate(self.terms) if term.is_pattern)

    @cached_property
    def groups(self) -> dict[str, frozenset[int]]:
        """Numbers of the terms by what a passage that holds them is told to hold; words of the question apart."""
        concepts = self.of_kind("concept", "expansion")
        further = frozenset(index for index in concepts if self.terms[index].concept_rank)
        return {
            "exact": self.of_kind("exact"),
            "primary": (concepts & self.proving) - further,
            "secondary": concepts - self.proving - further,
            "other": further,
            "phrases": self.of_kind("phrase"),
        }

    def of_kind(self, *kinds: TermKind) -> frozenset[int]:
        """Numbers of the terms of these kinds; told once for each set of kinds."""
        known = self._by_kind.get(kinds)
        if known is None:
            known = frozenset(index for index, term in enumerate(self.terms) if term.kind in kinds)
            self._by_kind[kinds] = known
        return known

    @cached_property
    def _by_kind(self) -> dict[tuple[TermKind, ...], frozenset[int]]:
        return {}

    @property
    def has_topic(self) -> bool:
        """True when anything proves the topic."""
        return any(term.kind in TOPIC_KINDS for term in self.terms)


def proves_topic(term: Term) -> bool:
    """True for a term whose presence speaks for the topic by itself; a dictionary's secondary terms only go with it."""
    return term.kind in TOPIC_KINDS and (term.kind != "concept" or term.weight > SIDE_WEIGHT)


def terms_of(query: RetrievalQuery) -> Terms:
    """The terms of a question in its own order, each once a kind; a word that a concept has too is left out."""
    ranks = {concept.concept_id: rank for rank, concept in enumerate(query.concepts)}
    proposed: list[Term] = []
    for keyword in query.keywords:
        rank = ranks.get(keyword.concept or "", 0)
        kind = _kind(keyword.source, keyword.group)
        proposed.append(Term(keyword.text, kind, keyword.weight, keyword.concept, rank, keyword.is_regex))
    for rank, concept in enumerate(query.concepts):
        known = {term.text for term in proposed if term.concept == concept.concept_id}
        proposed.extend(
            Term(text, "concept", 1.0, concept.concept_id, rank) for text in concept.terms if text not in known
        )
        proposed.extend(
            Term(text, "concept", 1.0, concept.concept_id, rank, is_pattern=True)
            for text in concept.patterns
            if text not in known
        )
        proposed.extend(Term(text, "title", 1.0, concept.concept_id, rank) for text in concept.section_titles)
        proposed.extend(Term(text, "distractor", 0.0, concept.concept_id, rank) for text in concept.distractors)
        proposed.extend(Term(text, "neighbour", 0.0, concept.concept_id, rank) for text in concept.neighbours)
    proposed.extend(_asked(query))
    if query.hints.section_hint:
        proposed.append(Term(query.hints.section_hint, "title", 1.0, None, 0))
    return _once(proposed)


def _asked(query: RetrievalQuery) -> tuple[Term, ...]:
    """The content words of what chose the first concept, and each run of two or more; empty without one.

    Empty too where they do not stand in the question as they are: then none is its own name for the topic.
    """
    runs = [run.strip() for run in query.concepts[0].matched_by.casefold().split("...")] if query.concepts else []
    text = query.text.casefold()
    found: list[Term] = []
    for run in runs if all(run in text for run in runs) else ():
        words = [word for word in _WORD.findall(_HOW.sub(" ", run)) if len(word) > 1 and word not in _UNTELLING]
        found.extend(Term(word, "asked", 0.0, None, 0) for word in words)
        if len(words) > 1 and " ".join(words) in run:
            found.append(Term(" ".join(words), "asked_phrase", 0.0, None, 0))
    return tuple(found)


def _kind(source: str, group: str) -> TermKind:
    if group == "value":
        return "value"
    kinds: dict[str, TermKind] = {
        "anchor": "exact", "quoted": "exact", "expert_dictionary": "concept", "llm_expansion": "expansion",
    }  # fmt: skip
    return kinds.get(source, "word")


def _once(proposed: list[Term]) -> Terms:
    forms: list[tuple[str, Term]] = []
    unsearchable: list[str] = []
    for term in proposed:
        try:
            forms.append((_form(term.text, is_pattern=term.is_pattern), term))
        except ValueError:  # no letter and no digit, a stem too short, no pattern: nothing to search for
            unsearchable.append(term.text)
    own = {form for form, term in forms if term.kind in TOPIC_KINDS}
    strong = {form for form, term in forms if term.kind in ("concept", "exact")}
    single = {form for form, term in forms if term.kind == "word"}
    kept: dict[tuple[str, TermKind], Term] = {}
    for form, term in forms:
        if term.kind in ("distractor", "neighbour") and form in own:
            continue  # a word of the topic itself cannot speak against it
        if term.kind in ("word", "expansion") and form in strong:
            continue
        phrase = term.kind == "word" and _is_made_of(form, single)
        kind: TermKind = "phrase" if phrase else term.kind
        kept.setdefault((form, kind), replace(term, kind=kind))
    terms = tuple(
        sorted(kept.values(), key=lambda term: term.is_pattern)
    )  # the matcher counts patterns on behind terms
    words = tuple(term.text for term in terms if not term.is_pattern)
    patterns = tuple(term.text for term in terms if term.is_pattern)
    return Terms(terms, tuple(dict.fromkeys(unsearchable)), _matcher(words, patterns))


def _is_made_of(form: str, words: set[str]) -> bool:
    """True for 'positional encoding' where 'positional' and 'encoding' are words of the question too."""
    parts = form.split()
    return len(parts) > 1 and all(part in words for part in parts)


@lru_cache(maxsize=KEPT_MATCHERS)
def _matcher(texts: tuple[str, ...], patterns: tuple[str, ...]) -> TermMatcher:
    return TermMatcher(texts, patterns=patterns)


@lru_cache(maxsize=KEPT_FORMS)
def _form(text: str, *, is_pattern: bool) -> str:
    return compile_pattern(text).pattern if is_pattern else searched_form(text)
