"""What a question is about, found in sentences: its words, its concepts' terms, neighbours and exclusions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from dictionaries.folding import folded_text
from dictionaries.matching import TermMatcher
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.scope.reader import ScopeReader
from schemas.question import GenerationBrief

MIN_STEM = 5  # letters: shorter stems join words that have nothing in common
PRECISE_WEIGHT = 2  # 'english-to-german' tells more than 'score'
STEM_TAIL = 3  # letters of an ending that inflection may change: govern-s, govern-ed, renew-al
SIDE_WEIGHT = 0.5  # dictionary terms of more weight prove the topic
# Words that ask or name the document itself: they are in every question and in every sentence.
_OPENING, _CLOSING = "“\"«‘'„", "”\"»’'“"
_ARTICLES = r"the\s+|el\s+|la\s+|le\s+|l['’]"
_EXCLUDING = ("not", "except", "excluding", "salvo", "sauf", "non", "pas", "rather", "than", "instead", "other")
_ASKING = frozenset(
    [
        *("agreement", "contract", "document", "clause", "provision", "paper", "report", "text", "section", "article"),
        *("contrato", "acuerdo", "documento", "clausula", "seccion", "contrat", "accord", "article", "stipulation"),
        *("long", "much", "many", "list", "name", "give", "tell", "show", "shows", "state", "stated", "say", "says"),
        *("include", "included", "contain", "contains", "provide", "provides", "exist", "exists", "mentioned"),
        *("hay", "existe", "contiene", "cual", "cuanto", "cuando", "quien", "quelle", "quel", "quand", "combien"),
        *("amount", "date", "duration", "period", "percentage", "number", "importe", "fecha", "montant", "duree"),
        *("numero",),
        *("allow", "allowed", "permitted", "required", "type", "kind", "happens", "happen", "use", "used", "time"),
        *(
            "dice",
            "dicen",
            "dit",
            "disent",
            "establece",
            "establecen",
            "preve",
            "prevoit",
            "prevoient",
            "indica",
            "stipule",
        ),
        *("sentence", "sentences", "paragraph", "paragraphs", "stand", "stands", "mention", "mentions", "together"),
        *("frase", "oracion", "parrafo", "phrase", "paragraphe", "alinea", "menciona", "mentionne", "mentionnent"),
        *("mean", "means", "meaning", "define", "defined", "definition", "significa", "signifie", "definicion"),
    ]
)
_ROLES = frozenset(
    [
        *("party", "parties", "supplier", "vendor", "buyer", "customer", "client", "company", "licensor", "licensee"),
        *("seller", "distributor", "proveedor", "cliente", "comprador", "parte", "partes", "fournisseur", "acheteur"),
    ]
)


@dataclass(frozen=True, slots=True)
class TermPlace:
    """One term of the topic in a text."""

    start: int
    end: int
    term: str
    sense: str  # topic, secondary, distractor or excluded


@dataclass(frozen=True)
class Topic:
    """The words of a question, ready to be found; built once a question."""

    brief: GenerationBrief

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Content words of the question, folded, in its order, each once; places, exclusions and wishes left out."""
        text = self.brief.question
        places = [anchor.text for anchor in self.brief.anchors if anchor.kind in ("section", "article", "page")]
        for piece in (*self.brief.exclusions, *self.brief.format_wishes, *self.brief.limits, *places):
            text = text.replace(piece, " ")
        tokens = re.findall(r"[^\W_]+(?:-[^\W_]+)*", folded_text(text))
        kept = [
            token
            for token in tokens
            if token not in ALL_STOP_WORDS and token not in _ASKING and (len(token) > 2 or token.isdigit())
        ]
        return tuple(dict.fromkeys(kept))

    @cached_property
    def scope(self) -> ScopeReader:
        """The parties and places that the question is limited to."""
        return ScopeReader.of(self.brief.question, self.brief.filters)

    @cached_property
    def exact(self) -> tuple[str, ...]:
        """Codes and quoted phrases that a passage must hold to be about them."""
        return tuple(word.text for word in self.brief.keywords if word.source in ("anchor", "quoted"))

    @cached_property
    def _terms(self) -> tuple[tuple[str, str], ...]:
        own: dict[str, str] = {}
        for word in self.brief.keywords:
            if word.source == "expert_dictionary" and not word.is_regex:
                own.setdefault(word.text, "topic" if word.weight > SIDE_WEIGHT else "secondary")
        for concept in self.brief.concepts[:1]:
            for title in concept.section_titles:
                own.setdefault(title, "secondary")
        first = self.brief.concepts[0] if self.brief.concepts else None
        for term in first.distractors if first else ():
            own.setdefault(term, "distractor")
        own.update(dict.fromkeys(self._unwanted(own), "excluded"))
        return tuple(own.items())

    def _unwanted(self, own: Mapping[str, str]) -> tuple[str, ...]:
        """What the user said it is not: the experts' terms for it, and its words that are none of what is asked.

        A term that the wanted topic has too excludes nothing.
        """
        asked = {folded_text(word) for word in self.words}
        asked |= {folded_text(term) for term, sense in own.items() if sense == "topic"}
        found = [term for pair in self.brief.must_distinguish for term in pair.terms]
        said = [pair.unwanted for pair in self.brief.must_distinguish] or self.brief.exclusions
        for words in said:
            found += [
                token
                for token in re.findall(r"[^\W\d_]{3,}", folded_text(words))
                if token not in ALL_STOP_WORDS and token not in _EXCLUDING
            ]
        return tuple(dict.fromkeys(term for term in found if folded_text(term) not in asked))

    def excludes(self, text: str) -> bool:
        """True for a text that speaks of what the user said it is not, and of nothing that was asked."""
        senses = {place.sense for place in self.places(text)}
        if "excluded" not in senses or "topic" in senses:
            return False
        return self.has_concept or not self.coverage(text)

    def defines(self, text: str) -> bool:
        """True where a text puts a term whose meaning is asked in quotation marks, as definitions do."""
        terms = [anchor.target for anchor in self.brief.anchors if anchor.kind == "defined_term"]
        return any(
            re.search(rf"[{_OPENING}]\s*(?:{_ARTICLES})?{re.escape(term)}\s*[{_CLOSING}]", text, re.IGNORECASE)
            for term in terms
        )

    @cached_property
    def _patterns(self) -> tuple[tuple[str, str], ...]:
        return tuple(
            (word.text, "topic" if word.weight > SIDE_WEIGHT else "secondary")
            for word in self.brief.keywords
            if word.is_regex
        )

    @cached_property
    def _matcher(self) -> TermMatcher:
        return TermMatcher([term for term, _ in self._terms], patterns=[pattern for pattern, _ in self._patterns])

    @cached_property
    def _exact_matcher(self) -> TermMatcher:
        return TermMatcher(self.exact)

    @property
    def has_concept(self) -> bool:
        """True when an expert's terms are known."""
        return any(sense == "topic" for _, sense in self._terms)

    def places(self, text: str) -> tuple[TermPlace, ...]:
        """Terms in `text`, left to right."""
        if text not in self._places:
            self.look_through((text,))
        return self._places[text]

    @cached_property
    def _places(self) -> dict[str, tuple[TermPlace, ...]]:
        """What was found in the texts that were looked through: many are asked for again and again."""
        return {}

    def look_through(self, texts: Iterable[str]) -> None:
        """Find the terms in many texts at once, which takes a fraction of the time of one after the other."""
        new = [text for text in dict.fromkeys(texts) if text not in self._places]
        terms = (*self._terms, *self._patterns)
        found: list[list[TermPlace]] = [[] for _ in new]
        for hit in self._matcher.find(new) if new else ():
            found[hit.text_index].append(TermPlace(hit.start, hit.end, *terms[hit.term_index]))
        self._places.update(zip(new, map(tuple, found), strict=True))

    def coverage(self, *texts: str) -> int:
        """How many of the question's words stand in the texts, inflected forms counted; precise ones count double."""
        lacking = set(self.lacks(self.words, *texts))
        return sum(PRECISE_WEIGHT if _is_precise(word) else 1 for word in self.words if word not in lacking)

    @cached_property
    def own_words(self) -> tuple[str, ...]:
        """Words of the question that did not choose its concept and name no party: what it asks beyond the concept."""
        chosen = " ".join(concept.matched_by for concept in self.brief.concepts)
        tokens = set(re.findall(r"[^\W_]+", folded_text(chosen)))
        return tuple(
            word for word in self.words if word not in _ROLES and not _stands(word, tokens, folded_text(chosen))
        )

    @cached_property
    def named_terms(self) -> tuple[str, ...]:
        """Single words of the question that are themselves terms of its concept: 'arbitration'."""
        return tuple(
            word for word in self.words if "-" not in word and any(folded_text(term) == word for term, _ in self._terms)
        )

    def lacks(self, words: Sequence[str], *texts: str) -> tuple[str, ...]:
        """Those of `words` that do not stand in the texts."""
        read = [self._read(text) for text in texts]
        tokens = frozenset().union(*(tokens for _, tokens in read))
        joined = " ".join(folded for folded, _ in read)
        return tuple(word for word in words if not _stands(word, tokens, joined))

    def _read(self, text: str) -> tuple[str, frozenset[str]]:
        """A text folded, and its words."""
        if text not in self._texts_read:
            folded = folded_text(text)
            self._texts_read[text] = folded, frozenset(re.findall(r"[^\W_]+", folded))
        return self._texts_read[text]

    @cached_property
    def _texts_read(self) -> dict[str, tuple[str, frozenset[str]]]:
        return {}

    def exact_count(self, *texts: str) -> int:
        """How many of the exact tokens stand in the texts, letter by letter."""
        if not self.exact:
            return 0
        return len({hit.term_index for hit in self._exact_matcher.find([" ".join(" ".join(texts).split())])})


def nearest(places: Sequence[TermPlace], start: int, end: int) -> TermPlace | None:
    """The place nearest to the characters `start` to `end`; terms before a value win ties, longer ones too."""

    def distance(place: TermPlace) -> tuple[int, int, int]:
        gap = start - place.end if place.end <= start else place.start - end if place.start >= end else 0
        return gap, place.start >= end, -(place.end - place.start)

    return min(places, key=distance, default=None)


def _is_precise(word: str) -> bool:
    """True for words that few passages share by chance: with a digit or a hyphen."""
    return "-" in word or any(character.isdigit() for character in word)


def _stands(word: str, tokens: AbstractSet[str], joined: str) -> bool:
    if "-" in word:
        return word in re.sub(r"-\s+", "-", joined) or word in joined.replace(" ", "-")
    if word in tokens:
        return True
    if len(word) < MIN_STEM:
        return word + "s" in tokens or (word.endswith("s") and word[:-1] in tokens)
    stem = word[: max(MIN_STEM, len(word) - STEM_TAIL)]
    return any(
        (token.startswith(stem) and abs(len(token) - len(word)) <= STEM_TAIL + 1)
        or (len(token) >= MIN_STEM and word.startswith(token))  # assign, assignment
        for token in tokens
    )
