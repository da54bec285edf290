"""What the dictionaries in force know already: nothing of it is proposed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from dictionaries import ConceptEntry, Dictionaries
from dictionaries.folding import folded_text
from dictionaries.matching import TermMatcher
from pipeline.lifecycle.observed import ConceptKey
from pipeline.lifecycle.phrases import phrase_key
from pipeline.question.topics import find_topics
from pipeline.question.vocabulary import Vocabulary, expert_words

_WORD = re.compile(r"[^\W\d_]+")


class Known:
    """The dictionaries in force, ready to be asked whether they know words."""

    def __init__(self, dictionaries: Dictionaries) -> None:
        """Nothing is built before it is asked for."""
        self.dictionaries = dictionaries
        self.entries: Mapping[ConceptKey, ConceptEntry] = {
            (entry.dictionary, entry.concept_id): entry for entry in dictionaries.concepts
        }
        self._choosing: dict[str, bool] = {}
        self._matchers: dict[ConceptKey, TermMatcher] = {}
        self._term_forms: dict[ConceptKey, tuple[str, ...]] = {}

    def all_words(self, text: str) -> bool:
        """True when every word stands somewhere in a dictionary, or is one of those that questions are put in."""
        return all(word in self._words or word.startswith(self._stems) for word in _WORD.findall(folded_text(text)))

    def chooses(self, text: str) -> bool:
        """True when the text, as a question, chooses a concept."""
        if text not in self._choosing:  # the same question is asked of many documents
            self._choosing[text] = bool(find_topics(text, self.dictionaries, limit=1))
        return self._choosing[text]

    def has_term(self, text: str, concept: ConceptKey) -> bool:
        """True when lines with the words are found by a primary term already, or the words are none to be had.

        These are the concept's own secondary terms, its neighbours and negative contexts, and what is a primary term of
        another concept of the dictionary: a term may prove one topic only.
        """
        key = phrase_key(text)
        if key is None or concept not in self.entries or key in self._taken(concept):
            return True
        if concept not in self._matchers:
            primary = [term.text for term in self.entries[concept].terms if term.priority == "primary"]
            self._matchers[concept] = TermMatcher(tuple(dict.fromkeys(primary)))
        return len(self._matchers[concept].find([text])) > 0

    def is_part_of_term(self, form: str, concept: ConceptKey) -> bool:
        """True when the words (their `phrase_key`) are a piece of a primary term: the expert chose the longer one."""
        if concept not in self._term_forms:
            primary = (term.text for term in self.entries[concept].terms if term.priority == "primary")
            self._term_forms[concept] = tuple(f" {phrase_key(text)} " for text in primary)
        return any(f" {form} " in term for term in self._term_forms[concept])

    def concepts_in(self, text: str) -> frozenset[ConceptKey]:
        """Concepts of which a primary term stands in the text."""
        matcher, owners = self._primary
        return frozenset(owner for hit in matcher.find([text]) for owner in owners[matcher.terms[hit.term_index]])

    def _taken(self, concept: ConceptKey) -> frozenset[str]:
        entry = self.entries[concept]
        own = {*(term.text for term in entry.terms), *entry.neighbours, *entry.negative_contexts}
        return self._primary_keys.get(concept[0], frozenset()) | {key for key in map(phrase_key, own) if key}

    @cached_property
    def _primary_keys(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for (dictionary, _), entry in self.entries.items():
            keys = (phrase_key(term.text) for term in entry.terms if term.priority == "primary")
            found.setdefault(dictionary, set()).update(key for key in keys if key)
        return {dictionary: frozenset(keys) for dictionary, keys in found.items()}

    @cached_property
    def _primary(self) -> tuple[TermMatcher, dict[str, list[ConceptKey]]]:
        owners: dict[str, list[ConceptKey]] = {}
        for key, entry in self.entries.items():
            for term in entry.terms:
                if term.priority == "primary" and key not in owners.setdefault(term.text, []):
                    owners[term.text].append(key)
        return TermMatcher(tuple(owners)), owners

    @cached_property
    def _words(self) -> Vocabulary:
        return expert_words(self.dictionaries)

    @cached_property
    def _stems(self) -> tuple[str, ...]:
        texts = (term.text for entry in self.entries.values() for term in entry.terms)
        return tuple(sorted({folded_text(text[:-1].split()[-1]) for text in texts if text.endswith("*")}))
