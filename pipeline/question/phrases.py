"""Phrases of the dictionaries in a question: which stand there, where, and how much each says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from dictionaries import ConceptEntry, Dictionaries
from dictionaries.entries import ALL_DICTIONARIES, QuestionPhrase
from dictionaries.folding import folded_text
from dictionaries.matching import TermMatcher
from dictionaries.rarity import STEM_LETTERS
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.question.nearest import ASKING
from pipeline.question.reading import Span

# What explains instead of asking: brackets, examples, a sentence that says what is included.
ASIDE = re.compile(
    r"\([^()]*\)|\b(?:including|includes?|such as|e\.g\.|i\.e\.|for example|for instance|por ejemplo|incluyendo|"
    r"incluid[oa]s?|"
    r"par exemple|notamment|y compris|tels? que|telles? que)\b[^.?!]*|, (?:whether|which may|which might|even if|"
    r"although|though|aunque|même si|même s['’]il|bien que|quoique)\b[^.?!]*"
    r"|\b(?:instead of|rather than|apart from|other than|en lugar de|en vez de|aparte de|plutôt que|au lieu de|"
    r"hormis)\b[^.,;?!]*",
    re.IGNORECASE,
)
# What is supposed, not asked: 'If a party leaks data, is its liability capped?', 'How much is due in case of breach?'
SUPPOSED = re.compile(
    r"(?:^|[.?!;:] ?)[¿ ]*(?:and |y |et )?(?:if|when|once|after|upon|should|in the event|in case|si|s['’]il|cuando|"
    r"una vez|después de|tras|al (?:terminar|acabar|finalizar)|en caso|lorsque|quand|une fois|après|en cas|dès)\b"
    r"[^,.?!;]*,"
    r"|\b(?:if|in the event of|in the event that|in case of|in case|en caso de|en cas de|si(?! es)|s['’](?=ils?\b)|"
    r"para los casos de|should the)\b[^,.?!;]*",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:if (?:no|not|nobody|none|neither)|if (?:\w+ ){1,3}(?:not|n't)|unless|si no|si nadie|si ninguna?|a menos que|"
    r"à moins|si personne|s['’]il n['’]y a pas|si aucune?|sans que|without|sin que)\b[^,.?!;]*",
    re.IGNORECASE,
)
# A question that names its document: of what else it could be about, the dictionaries of that document say less.
_NAMED = re.compile(
    r"\b(?:contracts?|agreements?|contratos?|acuerdos?|convenios?|contrats?|accords?|conventions?"
    r"|suppliers?|vendors?|licensors?|licensees?|distributors?|buyers?|sellers?|purchasers?|counterpart(?:y|ies)"
    r"|other party|proveedor(?:es)?|licenciante|licenciatario|distribuidor|contraparte|otra parte|contratista"
    r"|comprador|vendedor"
    r"|fournisseurs?|prestataire|concédant|licencié|cocontractants?|autre partie|acheteur|vendeur)\b",
    re.IGNORECASE,
)
_CONTRACT = "contract"
MIN_APART_NAMED = 1.2  # the same in a question that names a contract or its parties
NAMED_BONUS = 0.2  # decides between two dictionaries that know the same words
FOREIGN_WEIGHT = 0.5  # a dictionary that is made for other documents than the one at hand
SUPPOSED_WEIGHT = 0.5  # what is supposed is the topic only where the main clause names none that is as clear
MIN_APART = 2.5  # strength of a phrase in pieces; fewer or commoner words apart from each other say nothing
MAX_GAP_WORDS = 10  # words between two pieces of a phrase; farther apart they are two thoughts
FULL_STRENGTH = 4.5  # a word that one concept alone uses; about the logarithm of the ninety topics that a domain has
ASKING_STRENGTH = 0.3  # a stop word or word of asking ('how long'): it only tells two phrases apart
GAP_PENALTY = 0.12  # a word between the pieces: the farther apart, the less they belong together


@dataclass(frozen=True, slots=True)
class Topic:
    """A concept found in a question, by which of its words, and where these stand."""

    entry: ConceptEntry
    phrase: str
    spans: tuple[Span, ...]
    strength: float  # how specific its words are
    is_denied: bool = False  # stands in what is not to happen: 'if there are no extensions'
    by_words: bool = False  # no phrase says it: its single words weigh most

    @property
    def start(self) -> int:
        """Where the first of its words begins."""
        return self.spans[0][0]


def find_phrases(text: str, dictionaries: Dictionaries) -> list[Topic]:
    """Every phrase and primary term that stands in the text, with its concept, in the order of the dictionaries."""
    places: dict[str, list[Span]] = defaultdict(list)
    for hit in dictionaries.phrase_matcher.find([text]):
        places[dictionaries.piece_texts[hit.term_index]].append((hit.start, hit.end))
    found: list[Topic] = []
    supposed = [match.span() for match in SUPPOSED.finditer(text)]
    denied = [match.span() for match in _DENIED.finditer(text)]
    named = names_contract(text)
    of_contracts = contract_dictionaries(dictionaries)
    blocked: dict[int, list[Span]] = {}
    rows = {row for way in places for row in dictionaries.phrases_by_first.get(way, ())}
    for index, phrase in (dictionaries.phrase_pieces[row] for row in sorted(rows)):
        spans = _places(phrase, places, text)
        if spans is None:
            continue
        entry = dictionaries.concepts[index]
        if index not in blocked:
            blocked[index] = negative_places(text, entry)
        if len(spans) == 1 and any(start < spans[0][1] and spans[0][0] < end for start, end in blocked[index]):
            continue
        pieces = [text[start:end] for start, end in spans]
        strength = sum(_strength(piece, entry.dictionary, dictionaries.rarity) for piece in pieces)
        if len(spans) > 1 and strength < (MIN_APART_NAMED if named else MIN_APART):
            continue
        strength -= GAP_PENALTY * _gap_words(spans, text)
        if named:
            strength = strength + NAMED_BONUS if entry.dictionary in of_contracts else strength * FOREIGN_WEIGHT
        if _all_within(spans, supposed):
            strength *= SUPPOSED_WEIGHT
        words = " ... ".join(pieces)
        found.append(Topic(entry, words, spans, strength, is_denied=_all_within(spans, denied)))
    return found


def names_contract(text: str) -> bool:
    """True for a question that names its contract or a party to it."""
    return _NAMED.search(text) is not None


def contract_dictionaries(dictionaries: Dictionaries) -> frozenset[str]:
    """Names of the dictionaries that are made for contracts or for any document."""
    return frozenset(
        source.name
        for source in dictionaries.sources
        if not source.document_types or _CONTRACT in source.document_types
    )


def negative_places(text: str, entry: ConceptEntry) -> list[Span]:
    """Where the words stand that hold a term of the concept and mean something else."""
    if not entry.negative_contexts:
        return []
    return [(hit.start, hit.end) for hit in _matcher(entry.negative_contexts).find([text])]


def _all_within(spans: tuple[Span, ...], places: Sequence[Span]) -> bool:
    return all(any(start <= span[0] and span[1] <= end for start, end in places) for span in spans)


def _gap_words(spans: tuple[Span, ...], text: str) -> int:
    return sum(1 + len(text[before[1] : after[0]].split()) for before, after in pairwise(spans))


def _strength(words: str, dictionary: str, rarity: Mapping[str, Mapping[str, float]]) -> float:
    """How much the words say: the rarer among the concepts of the dictionary, and of all, the more."""
    own, everywhere = rarity[dictionary], rarity[ALL_DICTIONARIES]
    total = 0.0
    for word in re.findall(r"[^\W_]+", folded_text(words)):
        stem = word[:STEM_LETTERS]
        says = FULL_STRENGTH * min(own.get(stem, 1.0), everywhere.get(stem, 1.0))
        plain = word in ALL_STOP_WORDS or word in ASKING
        total += ASKING_STRENGTH if plain else max(ASKING_STRENGTH, says)
    return total


def _places(phrase: QuestionPhrase, places: dict[str, list[Span]], text: str) -> tuple[Span, ...] | None:
    """Where the pieces stand, close together in one sentence, in the order of the text; None where they do not."""
    choices = [sorted({span for way in piece for span in places.get(way, ())}) for piece in phrase.pieces]
    if not all(choices):
        return None
    best: tuple[int, tuple[Span, ...]] | None = None
    for first in choices[0]:
        spans = _from(first, choices[1:], text, any_order=phrase.any_order)
        if spans is None:
            continue
        gap = _gap_words(spans, text)
        if best is None or gap < best[0]:
            best = gap, spans
    return None if best is None else best[1]


def _from(first: Span, rest: Sequence[Sequence[Span]], text: str, *, any_order: bool) -> tuple[Span, ...] | None:
    """The nearest places of the other pieces, the first one's given; None where one stands too far away."""
    spans = [first]
    for choices in rest:
        free = [span for span in choices if all(span[1] <= other[0] or other[1] <= span[0] for other in spans)]
        if not any_order:
            free = [span for span in free if span[0] >= spans[-1][1]]
        if not free:
            return None
        spans.append(min(free, key=lambda span: min(max(span[0] - at[1], at[0] - span[1]) for at in spans)))
    spans.sort()
    return None if any(_is_far(text[before[1] : after[0]]) for before, after in pairwise(spans)) else tuple(spans)


def _is_far(between: str) -> bool:
    return any(mark in between for mark in ".?!;|") or len(between.split()) > MAX_GAP_WORDS


@lru_cache(maxsize=1024)
def _matcher(terms: tuple[str, ...]) -> TermMatcher:
    return TermMatcher(terms)
