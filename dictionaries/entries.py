"""What a dictionary holds: concepts with the words that experts know them by, in several languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pydantic import ConfigDict, Field

from schemas.question import AnswerContext, AnswerShape, ChunkStrategy
from schemas.record import Part

if TYPE_CHECKING:
    from dictionaries.short_texts import ShortTextMatcher
    from dictionaries.word_weights import WordWeights

Priority = Literal["primary", "secondary"]
WEIGHTS: dict[Priority, float] = {"primary": 1.0, "secondary": 0.5}  # METHOD 2.2, concept_keywords_df
GAP = "..."  # in a question phrase: other words may stand between its pieces
ANY_ORDER = " + "  # in a question phrase: its pieces may stand in any order
ALL_DICTIONARIES = "*"  # no file can have this name
EITHER = "|"  # in a piece of a question phrase: one of these


@dataclass(frozen=True, slots=True)
class QuestionPhrase:
    """A question phrase taken apart: each piece is one of several ways to write it."""

    text: str
    pieces: tuple[tuple[str, ...], ...]
    any_order: bool


class DictionaryTerm(Part):
    """One way a concept is written."""

    text: str = Field(description="The term; the matcher folds case, accents, inflection and spacing. '*' ends a stem.")
    language: str = Field(description="ISO 639-1 code.")
    priority: Priority = Field(description="primary: proves the topic; secondary: goes with it.")

    own_weight: float | None = Field(
        default=None, gt=0, le=1, description="The expert's own weight; null: by priority, 1.0 or 0.5."
    )

    @property
    def weight(self) -> float:
        """The expert's own weight; without one 1.0 for a primary term, 0.5 for a secondary one."""
        return WEIGHTS[self.priority] if self.own_weight is None else self.own_weight


class ConceptEntry(Part):
    """One concept of one dictionary."""

    concept_id: str = Field(description="Name in its dictionary, e.g. 'governing_law'.")
    dictionary: str = Field(description="Name of the dictionary.")
    version: str = Field(description="Version of the dictionary.")
    definition: str = Field(description="What the concept is, in one sentence; a model chooses by it.")
    terms: tuple[DictionaryTerm, ...] = Field(description="All its terms: primary first, then by language as listed.")
    patterns: tuple[str, ...] = Field(
        default=(),
        description="Patterns for the regex package, searched like primary terms, ignoring case, with a time limit.",
    )
    secondary_patterns: tuple[str, ...] = Field(
        default=(),
        description="Patterns of what goes with the topic without proving it; searched like secondary terms.",
    )
    question_phrases: dict[str, tuple[str, ...]] = Field(
        description="Words of questions that mean the concept, by language. 'a ... b': a, other words, b; 'a + b': "
        "both, in any order; 'a|b ... c': one of a and b, then c."
    )
    examples: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="Questions as people ask them, by language: their words speak for the concept, in any order.",
    )
    section_titles: dict[str, tuple[str, ...]] = Field(description="Titles under which it usually stands, by language.")
    answer_type: str = Field(description="Type of the answer where the question's words do not say.")
    answer_shape: AnswerShape = Field(description="Shape of the answer where the question's words do not say.")
    answer_context: AnswerContext | None = Field(
        default=None, description="How much text is read; null: as shape and type say."
    )
    chunk_strategy: ChunkStrategy | None = Field(
        default=None, description="How its passages are read; null: as shape and type say."
    )
    note: str = Field(default="", description="The expert's remark, for the next expert.")
    value_required: bool = Field(description="A passage without a value of the type is no answer.")
    exhaustive: bool = Field(description="The expert claims that the terms cover every way the topic is written.")
    narrows: tuple[str, ...] = Field(
        default=(),
        description="Broader concepts of the same dictionary: a question that means both asks for this one.",
    )
    distractors: tuple[str, ...] = Field(
        description="Concepts of the same dictionary, or terms, that are often confused with it."
    )
    neighbours: tuple[str, ...] = Field(description="Terms whose presence does not prove the topic.")
    negative_contexts: tuple[str, ...] = Field(
        description="Phrases that hold a term of the concept and mean something else ('insurance premium')."
    )

    def words(self, languages: tuple[str, ...] | None = None) -> tuple[DictionaryTerm, ...]:
        """The terms in the given languages, primary first, each text once; all languages without the argument."""
        chosen: dict[str, DictionaryTerm] = {}
        for term in self.terms:
            if languages is None or term.language in languages:
                chosen.setdefault(term.text, term)
        return tuple(chosen.values())

    @property
    def all_examples(self) -> tuple[str, ...]:
        """The questions of its examples in every language, in order."""
        return tuple(example for examples in self.examples.values() for example in examples)

    def titles(self, languages: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """The section titles in the given languages, each once."""
        found = (
            title
            for language, titles in self.section_titles.items()
            if languages is None or language in languages
            for title in titles
        )
        return tuple(dict.fromkeys(found))


class DictionarySource(Part):
    """Who answers for a dictionary, and since when."""

    name: str = Field(description="Name of the dictionary: its file's stem.")
    owner: str = Field(description="Role that answers for it.")
    version: str = Field(description="Version.")
    date: str = Field(description="Date of the version, ISO 8601.")
    source: str = Field(description="Where the words come from.")
    languages: tuple[str, ...] = Field(description="ISO 639-1 codes of its terms.")
    document_types: tuple[str, ...] = Field(
        default=(),
        description="Types of documents it is made for; empty for all. In others its single words choose nothing.",
    )
    sha256: str = Field(description="Hex SHA-256 of the file.")


class Dictionaries(Part):
    """All dictionaries in use: the registry that questions are read against."""

    model_config = ConfigDict(ignored_types=(cached_property,))

    concepts: tuple[ConceptEntry, ...] = Field(
        description="All concepts, by dictionary, then in the order of the file."
    )
    sources: tuple[DictionarySource, ...] = Field(description="One a dictionary, by name.")

    @property
    def versions(self) -> dict[str, str]:
        """Version of each dictionary, by name."""
        return {source.name: source.version for source in self.sources}

    def concept(self, concept_id: str) -> ConceptEntry | None:
        """The concept of that name, the first where two dictionaries share one; None without it."""
        return next((entry for entry in self.concepts if entry.concept_id == concept_id), None)

    def terms_of(
        self, distractor: str, *, dictionary: str, languages: tuple[str, ...] | None = None
    ) -> tuple[str, ...]:
        """Primary terms of the concept that a distractor names; the distractor itself where it names none."""
        for entry in self.concepts:
            if entry.concept_id == distractor and entry.dictionary == dictionary:
                return tuple(term.text for term in entry.words(languages) if term.priority == "primary")
        return (distractor,)

    @cached_property
    def phrase_pieces(self) -> tuple[tuple[int, QuestionPhrase], ...]:
        """What chooses a concept in a question: concept index and phrase, each once."""
        rows: list[tuple[int, QuestionPhrase]] = []
        for index, entry in enumerate(self.concepts):
            plain = {
                term.text: QuestionPhrase(term.text, ((term.text,),), any_order=False)
                for term in entry.terms
                if term.priority == "primary"
            }
            rows.extend((index, phrase) for phrase in plain.values())
            for text in dict.fromkeys(text for texts in entry.question_phrases.values() for text in texts):
                phrase = read_phrase(text)
                if plain.get(text) != phrase:
                    rows.append((index, phrase))
        return tuple(rows)

    @cached_property
    def phrases_by_first(self) -> Mapping[str, tuple[int, ...]]:
        """Rows of `phrase_pieces` by each way to write their first piece, ascending."""
        rows: dict[str, list[int]] = {}
        for row, (_, phrase) in enumerate(self.phrase_pieces):
            for way in phrase.pieces[0]:
                rows.setdefault(way, []).append(row)
        return {way: tuple(numbers) for way, numbers in rows.items()}

    @cached_property
    def phrase_matcher(self) -> ShortTextMatcher:
        """The matcher over all pieces of `phrase_pieces`, in order of first appearance."""
        from dictionaries.short_texts import ShortTextMatcher

        return ShortTextMatcher(self.piece_texts)

    @cached_property
    def rarity(self) -> Mapping[str, Mapping[str, float]]:
        """How much each stem of the words and question phrases says, by dictionary and over all of them.

        The key of all is `ALL_DICTIONARIES`; see `dictionaries.rarity`.
        """
        from dictionaries.rarity import rarities_of_stems, stems_of

        stems: dict[str, list[frozenset[str]]] = {source.name: [] for source in self.sources}
        stems[ALL_DICTIONARIES] = []
        for entry in self.concepts:
            words = (term.text for term in entry.terms if term.priority == "primary")
            said = (*words, *(phrase for phrases in entry.question_phrases.values() for phrase in phrases))
            used = frozenset(stems_of(" ".join(said)))
            stems.setdefault(entry.dictionary, []).append(used)
            stems[ALL_DICTIONARIES].append(used)
        return {name: rarities_of_stems(concepts) for name, concepts in stems.items()}

    @cached_property
    def word_weights(self) -> WordWeights:
        """How often each concept's phrases, primary terms, titles, name and definition use each word."""
        from dictionaries.word_weights import count_words

        texts = [
            [*entry.titles(), *entry.all_examples, entry.concept_id.replace("_", " "), entry.definition]
            for entry in self.concepts
        ]
        for index, phrase in self.phrase_pieces:
            texts[index].extend(way for piece in phrase.pieces for way in piece)
        return count_words(texts)

    @cached_property
    def piece_texts(self) -> tuple[str, ...]:
        """Each way to write a piece, once."""
        return tuple(
            dict.fromkeys(text for _, phrase in self.phrase_pieces for piece in phrase.pieces for text in piece)
        )


def read_phrase(phrase: str) -> QuestionPhrase:
    """A question phrase as it is matched; in a piece that is written in one way only, a stem ends a piece."""
    if not any(mark in phrase for mark in (GAP, EITHER, ANY_ORDER, "* ")):
        whole = phrase.strip()
        return QuestionPhrase(phrase, ((whole,),) if whole else (), any_order=False)
    pieces: list[tuple[str, ...]] = []
    for piece in phrase.replace(ANY_ORDER, f" {GAP} ").split(GAP):
        ways = tuple(way.strip() for way in piece.split(EITHER) if way.strip())
        if len(ways) == 1:
            pieces.extend((part.strip(),) for part in ways[0].replace("* ", f"* {GAP} ").split(GAP) if part.strip())
        elif ways:
            pieces.append(ways)
    return QuestionPhrase(phrase, tuple(pieces), any_order=ANY_ORDER in phrase)


def split_phrase(phrase: str) -> tuple[str, ...]:
    """Every way to write every piece of a question phrase, in order."""
    return tuple(way for piece in read_phrase(phrase).pieces for way in piece)
