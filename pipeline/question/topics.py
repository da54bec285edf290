# ruff: noqa: E501  # patterns are read whole, on one line
"""Dictionary concepts that a question is about: its phrases decide, and the weight of its single words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dictionaries import ConceptEntry, Dictionaries
from dictionaries.folding import folded_text
from pipeline.kept import Kept
from pipeline.question.nearest import LASTING, Weighed, weigh_words
from pipeline.question.phrases import (
    ASIDE,
    FOREIGN_WEIGHT,
    FULL_STRENGTH,
    SUPPOSED,
    Topic,
    contract_dictionaries,
    find_phrases,
    names_contract,
    negative_places,
)
from pipeline.question.reading import blank
from schemas.question import Concept
from schemas.question_parts import WORDS_JOINT

__all__ = ["UNKNOWN_TYPE", "Topic", "as_concept", "find_topics", "is_phrase"]

NARROWER_BONUS = 0.01  # a narrower concept stands just before the broader one that is found with it
UNKNOWN_TYPE = "unknown"  # what the profile says of a document whose type no rule recognises
# Measured on 900 questions in three languages by an author who had not seen the phrases, and on 260 questions about
# annual reports, papers and brochures that must find no concept of contracts.
WORDS_SHARE = 0.4  # weight of words to strength of phrases: below 0.2 they only break ties, above 0.8 phrases drown
MIN_WEIGHT = 6.0  # one rare word that a concept uses often, or two
MIN_COVERED = 0.7  # with less, the question says mostly what no concept knows: it is about something else
MIN_COVERED_NAMED = 0.25  # the same where the question names a contract, or the document is of the dictionary's type
MIN_WORDS = 2  # one word alone says nothing that an expert did not make a phrase of
MIN_AHEAD = 0.05  # share of its strength by which the best must lead the second; nearer is a tie
MAX_TOLD = 6  # words named as the reason

KEPT_QUESTIONS = 256  # texts whose concepts are kept: a question is read whole and in parts, and put to many documents
_topics: Kept[tuple[Topic, ...]] = Kept(KEPT_QUESTIONS)

# Words that only ask how long or until when; 'the duration of confidentiality' is no contract's term.
_MEASURE = re.compile(
    r"(?:what|when|is|the|an?|how|long|term|duration|length|does|do|expires?|ends?|cual|cuando|es|el|la|duracion|plazo|vigencia|termina|vence|quelle?|quand|est|le|duree|expire|of|de|du|a|quelle|\W)+"
)
_OF_IT = re.compile(r"\s+(?:of|del?|du|des|d['’])\s*(?:(?:the|any|las?|los|el|les?|l['’])\s*)?(?:(?:obligations?|duty|duties|clause|obligaci[oó]n(?:es)?|deber(?:es)?|cl[aá]usula|devoirs?)\s+(?:(?:of|del?|du|d['’])\s*)?)?(?:(?:las?|el|l['’])\s*)?$", re.IGNORECASE)  # fmt: skip
# Duties and rights that run for a time of their own, whatever the term of the contract.
_OWN_TIME = frozenset({
    "confidentiality", "non_compete", "exclusivity", "license_exclusivity", "no_solicit_of_customers",
    "no_solicit_of_employees", "non_disparagement", "renewal_term", "warranties", "warranty_duration", "indemnification",
})  # fmt: skip
_COMPOUND = re.compile(r" ")  # English: the head stands last
_GENITIVE = re.compile(r" (?:de|del|de la|de los|de las|du|des|de l['’]|d['’]) ?", re.IGNORECASE)  # and here first


def find_topics(text: str, dictionaries: Dictionaries, *, limit: int, doc_type: str | None = None) -> tuple[Topic, ...]:
    """Concepts that a question is about, the most specific first, at most `limit`.

    A phrase inside a longer phrase of another concept does not count ('insurance' in 'liability insurance'). In a
    document of a type that a dictionary is not made for, its single words choose nothing ('price' in an annual report).
    The weight of the question's single words decides between phrases, and chooses one concept more where it says more
    than every phrase.
    """
    if not dictionaries.concepts:
        return ()
    key = text, limit, doc_type
    return _topics.get(dictionaries, lambda: _found_topics(text, dictionaries, limit, doc_type), key=key)


def _found_topics(text: str, dictionaries: Dictionaries, limit: int, doc_type: str | None) -> tuple[Topic, ...]:
    foreign = _foreign(dictionaries, doc_type)
    found = [
        replace(topic, strength=topic.strength * FOREIGN_WEIGHT) if topic.entry.dictionary in foreign else topic
        for topic in find_phrases(text, dictionaries)
        if topic.entry.dictionary not in foreign or (len(topic.spans) == 1 and _is_specific(topic.phrase))
    ]
    found = [topic for topic in found if topic.phrase.lower() not in LASTING] or found
    titled = [] if found else _by_title(text, dictionaries)
    if titled:
        return tuple(titled[:limit])
    found = [topic for topic in found if not any(_is_measured(other, topic, text) for other in found)]
    kept = [topic for topic in found if not any(_hides(other, topic, foreign) for other in found)]
    asides = [match.span() for match in ASIDE.finditer(text)]
    asked = [topic for topic in kept if not any(start <= topic.start < end for start, end in asides)]
    hidden = frozenset((topic.entry.dictionary, topic.entry.concept_id) for topic in found)
    best = _add_words(_best_of_each(asked or kept), text, dictionaries, foreign, doc_type, hidden)
    lifted = _lift_narrower(best)
    modifiers = {
        key for key, topic in lifted.items() if any(_modifies(topic, other, text) for other in lifted.values())
    }
    ranked = sorted(  # words that two dictionaries share ('DPO') speak for the one made for the document's type
        lifted.values(),
        key=lambda topic: (
            (topic.entry.dictionary, topic.entry.concept_id) in modifiers,
            -round(topic.strength, 3),
            topic.entry.dictionary in foreign,
            topic.start,
            topic.entry.concept_id,
        ),
    )
    return tuple(ranked[:limit])


def _is_measured(other: Topic, topic: Topic, text: str) -> bool:
    """True where `topic` was chosen by words of measure alone, and `other` is what they measure."""
    if other is topic or not _MEASURE.fullmatch(folded_text(topic.phrase.replace("...", " "))):
        return False
    (first, _), (_, last) = topic.spans[0], topic.spans[-1]
    start, end = other.spans[0][0], other.spans[-1][1]
    if len(other.spans) == 1 and first < start < last < end:
        return True  # 'durée du préavis' behind 'quelle est la durée'
    if other.entry.concept_id not in _OWN_TIME:
        return False
    return first < start < last or (start >= last and _OF_IT.search(text[first:start]) is not None)


def _modifies(topic: Topic, other: Topic, text: str) -> bool:
    """True for the first noun of a compound whose head is the other topic: 'the delivery fee', 'la tarifa de entrega'.

    The head says what is asked; what stands before it, or in Spanish and French behind 'de', says which.
    """
    if topic.entry.dictionary != other.entry.dictionary or len(topic.spans) != 1 or len(other.spans) != 1:
        return False
    (start, end), (first, last) = topic.spans[0], other.spans[0]
    if any(len(text[a:b].split()) != 1 for a, b in ((start, end), (first, last))):
        return False
    return bool(_COMPOUND.fullmatch(text[end:first]) if end <= first else _GENITIVE.fullmatch(text[last:start]))


def is_phrase(text: str, dictionaries: Dictionaries) -> bool:
    """True where the whole text is a phrase or primary term of a concept ('SOC 2')."""
    return any(topic.spans == ((0, len(text)),) for topic in find_phrases(text, dictionaries))


def as_concept(
    topic: Topic, dictionaries: Dictionaries, *, languages: tuple[str, ...] | None, more_neighbours: Sequence[str] = ()
) -> Concept:
    """The concept as it is copied into the question's record, with its words in the searched languages."""
    entry = topic.entry
    distractors = tuple(
        dict.fromkeys(
            term
            for name in entry.distractors
            for term in dictionaries.terms_of(name, dictionary=entry.dictionary, languages=languages)
        )
    )
    own = {term.text for term in entry.words(languages)}
    return Concept(
        concept_id=entry.concept_id,
        dictionary=entry.dictionary,
        dictionary_version=entry.version,
        matched_by=topic.phrase,
        exhaustive=entry.exhaustive,
        terms=tuple(term.text for term in entry.words(languages)),
        section_titles=entry.titles(languages),
        patterns=entry.patterns,
        value_required=entry.value_required,
        distractors=tuple(term for term in distractors if term not in own),
        neighbours=tuple(
            dict.fromkeys(
                term for term in (*entry.neighbours, *entry.negative_contexts, *more_neighbours) if term not in own
            )
        ),
    )


def _foreign(dictionaries: Dictionaries, doc_type: str | None) -> frozenset[str]:
    """Dictionaries that are made for documents of other types; none where the type is unknown."""
    if doc_type in (None, UNKNOWN_TYPE):
        return frozenset()
    return frozenset(
        source.name
        for source in dictionaries.sources
        if source.document_types and doc_type not in source.document_types
    )


def _best_of_each(topics: Sequence[Topic]) -> dict[tuple[str, str], Topic]:
    """The strongest topic of each concept, with the places of all its phrases."""
    best: dict[tuple[str, str], Topic] = {}
    for topic in topics:
        key = (topic.entry.dictionary, topic.entry.concept_id)
        known = best.get(key)
        if known is None:
            best[key] = topic
        else:
            stronger, other = (topic, known) if topic.strength > known.strength else (known, topic)
            spans = tuple(sorted({*stronger.spans, *other.spans}))
            best[key] = replace(stronger, spans=spans)
    return best


def _add_words(
    best: Mapping[tuple[str, str], Topic],
    text: str,
    dictionaries: Dictionaries,
    foreign: frozenset[str],
    doc_type: str | None,
    hidden: frozenset[tuple[str, str]],
) -> dict[tuple[str, str], Topic]:
    """The topics with the weight of the question's words added, and the concept that leads by words alone."""
    named = names_contract(text)
    of_contracts = contract_dictionaries(dictionaries)
    supposed = [match.span() for match in SUPPOSED.finditer(text)] if best else []
    weighed = weigh_words(blank(text, supposed), dictionaries)  # what is supposed is not what is asked
    said: dict[tuple[str, str], float] = {}
    others: list[tuple[float, int]] = []
    for index, words in weighed.items():
        entry = dictionaries.concepts[index]
        if entry.dictionary in foreign:
            continue
        key = (entry.dictionary, entry.concept_id)
        strength = WORDS_SHARE * words.weight
        if named and entry.dictionary not in of_contracts:
            strength *= FOREIGN_WEIGHT
        if key in best:
            said[key] = strength
        elif key not in hidden:
            others.append((strength, index))
    added = {key: replace(topic, strength=topic.strength + _shared(key, best, said)) for key, topic in best.items()}
    others.sort(key=lambda item: (-item[0], item[1]))
    for strength, index in others[:1]:
        entry = dictionaries.concepts[index]
        at_home = (named and entry.dictionary in of_contracts) or _is_home(entry, dictionaries, doc_type)
        second = max((*(topic.strength for topic in added.values()), *(rest for rest, _ in others[1:2])), default=0.0)
        if _is_clear(weighed[index], strength, second, at_home=at_home) and not negative_places(text, entry):
            spans = weighed[index].strongest(MAX_TOLD)
            told = WORDS_JOINT.join(text[start:end] for start, end in spans)
            added[entry.dictionary, entry.concept_id] = Topic(entry, told, spans, strength, by_words=True)
    return added


def _shared(
    key: tuple[str, str], best: Mapping[tuple[str, str], Topic], said: Mapping[tuple[str, str], float]
) -> float:
    """What the words say for a topic; two dictionaries that share its phrase are equally meant."""
    topic = best[key]
    twins = (said.get(other, 0.0) for other, one in best.items() if other[0] != key[0] and one.spans == topic.spans)
    return max(said.get(key, 0.0), *twins, 0.0)


def _is_home(entry: ConceptEntry, dictionaries: Dictionaries, doc_type: str | None) -> bool:
    return any(source.name == entry.dictionary and doc_type in source.document_types for source in dictionaries.sources)


def _is_clear(words: Weighed, strength: float, second: float, *, at_home: bool) -> bool:
    """True where the words say enough, cover enough of the question, and lead clearly."""
    return (
        words.weight >= MIN_WEIGHT
        and len(words.words) >= MIN_WORDS
        and words.covered >= (MIN_COVERED_NAMED if at_home else MIN_COVERED)
        and strength * (1 - MIN_AHEAD) >= second
    )


def _by_title(text: str, dictionaries: Dictionaries) -> list[Topic]:
    """The concept whose name or section title the question is, word for word ('Parties'); none where it says more."""
    asked = text.strip(" ¿?¡!.:|")
    words = " ".join(re.findall(r"[^\W_]+", folded_text(asked)))
    start = text.find(asked)
    for entry in dictionaries.concepts:
        names = (entry.concept_id.replace("_", " "), *entry.titles())
        if words and any(words == " ".join(re.findall(r"[^\W_]+", folded_text(name))) for name in names):
            return [Topic(entry, asked, ((start, start + len(asked)),), FULL_STRENGTH)]
    return []


def _is_specific(phrase: str) -> bool:
    return len(phrase.replace("-", " ").split()) > 1 or (phrase.isupper() and len(phrase) > 1)


def _lift_narrower(best: dict[tuple[str, str], Topic]) -> dict[tuple[str, str], Topic]:
    """The topics, each narrower one at least as strong as the broader ones that it narrows."""
    lifted = dict(best)
    for key, topic in best.items():
        broader = [best[key[0], name].strength for name in topic.entry.narrows if (key[0], name) in best]
        if broader and not topic.is_denied and max(broader) >= topic.strength:
            lifted[key] = replace(topic, strength=max(broader) + NARROWER_BONUS)
    return lifted


def _hides(longer: Topic, topic: Topic, foreign: frozenset[str]) -> bool:
    """True when every word of `topic` stands inside a more specific phrase of another concept.

    Of two dictionaries a phrase with words more is the more specific, however common its words are in its own, unless
    it is made for other documents.
    """
    if longer.entry.concept_id == topic.entry.concept_id:
        return False
    inside = all(any(start <= span[0] and span[1] <= end for start, end in longer.spans) for span in topic.spans)
    if not inside:
        return False
    whole = len(longer.spans) == 1 and longer.entry.dictionary not in (topic.entry.dictionary, *foreign)
    return longer.strength > topic.strength or (whole and longer.spans[0] != topic.spans[0] and len(topic.spans) == 1)
