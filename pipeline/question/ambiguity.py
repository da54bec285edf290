"""Words that name nothing by themselves ('the cap', 'the notice period'), and what they may mean in the document.

The document decides: each sentence that holds the word (or what documents write for it) beside a value of the kind
asked for is about a concept of the dictionaries, by the experts' terms in the sentence, or in the title of its section.
Two concepts are two options, one is no question at all. So no list of options is kept anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from dictionaries import ConceptEntry, Dictionaries
from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from dictionaries.matching import TermMatcher
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.question.lexicon import ASKING_WORDS, GENERIC_WORDS, ROLE_WORDS
from pipeline.question.reading import Span, blank
from pipeline.question.topics import UNKNOWN_TYPE, find_topics
from pipeline.values import find_values
from schemas.tables import NOT_TEXT_ROLES

if TYPE_CHECKING:
    from pipeline.question.rules import Reading
    from schemas.document import ParsedDocument

MAX_OPTIONS = 3  # METHOD 2.5: two or three options
MAX_SENTENCES = 400  # sentences looked at in one document; a word that stands in more of them is no help to ask about
MAX_HEADING_WORDS = 8  # words of a heading that runs into its clause
MIN_HEADED = 2  # concepts whose terms end in a word, from which on the word alone names none of them

# What speaks for a concept in a sentence; each outweighs all that is below it.
HOLDING, IN_TITLE, IN_WORDS = 8, 4, 2

Hit = tuple[int, int, ConceptEntry]

_WORD = re.compile(r"[^\W\d_]+")
_COUNTED = re.compile(
    r"(?<!\w)(?:how\s+many|number\s+of|cu[aá]nt[oa]s|combien\s+d(?:e\s|['’]))\s*(?P<counted>[^\W\d_]+)", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[.;])\s+(?=[\"“«(]?[A-ZÀ-Ý0-9(])")


@dataclass(frozen=True, slots=True)
class Family:
    """Words that ask for the same kind of thing, how documents write it, and the kinds of value that go with it."""

    words: frozenset[str]
    written: tuple[str, ...]
    values: tuple[str, ...]
    weak: bool = False  # says less than another such word beside it: 'period' in 'notice period'


def _words(text: str) -> frozenset[str]:
    return frozenset(form for word in text.split() for form in (word, *written_forms(word)))


FAMILIES = (
    Family(
        _words("cap limit ceiling maximum tope limite maximo plafond"),
        ("cap", "limit", "ceiling", "maximum", "exceed", "limited to", "tope", "límite", "máximo", "exceder*",
         "superar*", "limitad*", "plafond*", "limité*", "excéder*", "dépasser*", "maximal*"),
        ("amount", "percentage"),
    ),
    Family(
        _words("notice preaviso preavis"),
        ("notice", "preaviso", "aviso", "préavis", "avis"),
        ("duration",),
    ),
    Family(
        _words("rate tasa taux"), ("rate", "tasa", "tipo de interés", "taux", "per annum"), ("percentage", "amount"),
    ),
    Family(
        _words("fee charge tarifa honorario cuota frais redevance"),
        ("fee", "charge", "tarifa", "honorario", "cuota", "frais", "redevance"),
        ("amount",),
    ),
    Family(
        _words("period plazo periodo delai periode"),
        ("period", "within", "term", "plazo", "período", "dentro de", "délai", "période", "durée"),
        ("duration",),
        weak=True,
    ),
    Family(_words("amount sum importe monto cantidad montant somme"), (), ("amount",), weak=True),
    Family(_words("percentage porcentaje pourcentage"), (), ("percentage",), weak=True),
    Family(_words("date fecha"), (), ("date",), weak=True),
)  # fmt: skip
# Nouns of asking that name the document or its parts: they qualify nothing.
_NOT_ASKING = frozenset(word for family in FAMILIES for word in family.words)
_ASKING = frozenset().union(*ASKING_WORDS.values()) - _NOT_ASKING
_WHOLE = frozenset("contract contracts agreement agreements contrato contratos acuerdo contrat contrats accord".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class OpenWords:
    """The words of a question that name nothing by themselves."""

    form: str  # folded, in order: 'notice period'
    span: Span  # in the corrected question
    family: Family | None  # None: a word that ends the terms of several concepts
    head: str


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that the words may mean in the document."""

    entry: ConceptEntry
    line_id: int  # where the document first speaks of it
    names_it: bool  # the document uses the word itself within an expert's term ('liability cap')


def find_open_words(reading: Reading, dictionaries: Dictionaries) -> OpenWords | None:
    """The open words of a question that holds nothing else to go by; None for any other question.

    A place, an anchor, an exclusion left aside, a list, a yes-or-no question and a topic of its own close a question.
    """
    if reading.anchors or reading.hints.section_hint or reading.hints.pages_hint or reading.hints.layout_hint:
        return None
    if reading.shape.intent != "qa" or reading.shape.answer_type == "boolean":
        return None
    if reading.shape.answer_shape != "single" or reading.compound.decomposition.pattern != "single":
        return None
    left_out = [re.escape(piece) for piece in (*reading.exclusions, *reading.wishes)]
    spans = [match.span() for piece in left_out for match in re.finditer(piece, reading.corrected)]
    text = blank(reading.corrected, spans)
    words = [match for match in _WORD.finditer(text) if _counts(folded_text(match.group()))]
    if not words or any(folded_text(word.group()) in _WHOLE for word in words):
        return None
    counted = _COUNTED.search(text)
    if counted is not None and any(word.start() == counted.start("counted") for word in words):
        return None  # 'how many schedules' counts them all
    open_words = [word for word in words if folded_text(word.group()) in _NOT_ASKING]
    if len(open_words) == len(words):
        families = [family for word in words for family in FAMILIES if folded_text(word.group()) in family.words]
        family = next((one for one in families if not one.weak), families[0])
        head = next(folded_text(word.group()) for word in words if folded_text(word.group()) in family.words)
        return OpenWords(_form(words), (words[0].start(), words[-1].end()), family, head)
    if len(words) == 1 and not reading.topics and folded_text(words[0].group()) not in GENERIC_WORDS:
        head = folded_text(words[0].group())
        if len(_headed(head, dictionaries)) >= MIN_HEADED:
            return OpenWords(head, words[0].span(), None, head)
    return None


def find_options(words: OpenWords, document: ParsedDocument, dictionaries: Dictionaries) -> tuple[Option, ...]:
    """What the open words may mean in the document, the most specific first, then in its order; at most three."""
    allowed = None if words.family else _headed(words.head, dictionaries)
    semantic = document.profile.semantic
    language = next(iter(semantic.languages), "en")
    kinds = words.family.values if words.family else ()
    places = [
        place
        for place in _places(words, document)
        if not kinds or any(find_values(place.sentence, kind, language=language) for kind in kinds)
    ]
    owners = _owners(dictionaries, semantic.doc_type)
    hits: list[list[Hit]] = [[] for _ in places]
    for hit in dictionaries.phrase_matcher.find([place.sentence for place in places]) if places else ():
        hits[hit.text_index] += [(hit.start, hit.end, entry) for entry in owners.get(hit.term_index, ())]
    titled = {
        title: find_topics(title, dictionaries, limit=2) for title in dict.fromkeys(p.title for p in places) if title
    }
    found: dict[str, tuple[int, int, ConceptEntry]] = {}
    for place, own in zip(places, hits, strict=True):
        by_title = [topic.entry for topic in titled.get(place.title, ())]
        best = _about(place, own, by_title, words)
        if best is None or (allowed is not None and best[1].concept_id not in allowed):
            continue
        score, entry = best
        known = found.get(entry.concept_id)
        found[entry.concept_id] = (max(score, known[0] if known else 0), known[1] if known else place.line_id, entry)
    ranked = sorted(
        found.values(), key=lambda one: (one[0] < HOLDING, one[0] < IN_TITLE + IN_WORDS, one[1], one[2].concept_id)
    )
    return tuple(Option(entry, line_id, score >= HOLDING) for score, line_id, entry in ranked[:MAX_OPTIONS])


def _counts(word: str) -> bool:
    if word in _NOT_ASKING or word in _WHOLE:
        return True
    return word not in ALL_STOP_WORDS and word not in _ASKING and word not in ROLE_WORDS and len(word) > 1


def _form(words: Sequence[re.Match[str]]) -> str:
    return " ".join(folded_text(word.group()) for word in words)


def _headed(word: str, dictionaries: Dictionaries) -> frozenset[str]:
    """Concepts with a term of several words that this word is the head of: its last in English, its first elsewhere."""
    forms = {word, *written_forms(word)}
    heads: set[str] = set()
    for entry in dictionaries.concepts:
        for term in entry.terms:
            pieces = folded_text(term.text).replace("-", " ").split()
            if term.priority == "primary" and len(pieces) > 1 and pieces[-1 if term.language == "en" else 0] in forms:
                heads.add(entry.concept_id)
                break
    return frozenset(heads)


@dataclass(frozen=True, slots=True)
class _Place:
    """A sentence that holds the open word."""

    line_id: int  # its first line
    title: str  # of its section
    sentence: str
    spans: tuple[Span, ...]  # of the word in it


def _places(words: OpenWords, document: ParsedDocument) -> list[_Place]:
    """The sentences of the document that hold the word, or what documents write for it; every one for a bare kind."""
    lines = document.line_df[document.line_df["visible"] & ~document.line_df["role"].isin(NOT_TEXT_ROLES)]
    titles = dict(zip(document.toc_df["section_id"].tolist(), document.toc_df["title"].tolist(), strict=True))
    columns = (lines[name].tolist() for name in ("paragraph_id", "line_id", "section_id", "text"))
    rows: list[tuple[int, str, str]] = []
    for _, paragraph in groupby(zip(*columns, strict=True), key=lambda line: line[0]):
        own = list(paragraph)
        text, at = " ".join(line[3] for line in own), 0
        title = str(titles.get(own[0][2]) or "")
        for sentence in _SENTENCE_END.split(text):
            start = text.find(sentence, at)
            at = start + len(sentence)
            rows.append((_line_at(own, start), title, sentence))
            if start == 0 and len(sentence.split()) <= MAX_HEADING_WORDS:
                title = sentence  # '3.1 Liability cap.': a heading that runs into its clause
    spans: list[list[Span]] = [[] for _ in rows]
    matcher = TermMatcher((words.head, *(words.family.written if words.family else ())))
    for hit in matcher.find([sentence for *_, sentence in rows]) if rows else ():
        spans[hit.text_index].append((hit.start, hit.end))
    every = words.family is not None and not words.family.written
    places = [_Place(*row, tuple(own)) for row, own in zip(rows, spans, strict=True) if own or every]
    return places[:MAX_SENTENCES]


def _line_at(paragraph: Sequence[tuple[int, int, str, str]], offset: int) -> int:
    """The line of a paragraph in which a place of its joined text lies."""
    for _, line_id, _, text in paragraph:
        if offset <= len(text):
            return line_id
        offset -= len(text) + 1
    return paragraph[-1][1]


def _about(
    place: _Place, hits: Sequence[Hit], titled: Sequence[ConceptEntry], words: OpenWords
) -> tuple[int, ConceptEntry] | None:
    """The concept that a sentence is about, and how surely; None where nothing speaks for any.

    A term that holds the open word says most ('liability cap'), then the title of the section, then that the experts
    use the word with the concept at all; a term in the sentence alone ('price', beside some other limit) is no proof.
    """
    scores: dict[str, tuple[int, int, ConceptEntry]] = {}
    for start, end, entry in (*hits, *((0, 0, entry) for entry in titled)):
        inside = any(start <= first and last <= end and end - start > last - first for first, last in place.spans)
        known = scores.get(entry.concept_id)
        score = HOLDING * inside + IN_TITLE * (entry in titled) + IN_WORDS * _speaks_of(entry, words) + (end > start)
        scores[entry.concept_id] = max((score, end - start, entry), known or (0, 0, entry), key=lambda one: one[:2])
    if not scores:
        return None
    score, _, entry = max(scores.values(), key=lambda one: (one[0], one[1], one[2].concept_id))
    return (score, entry) if score >= IN_WORDS else None


def _speaks_of(entry: ConceptEntry, words: OpenWords) -> bool:
    """True when the experts' words for a concept hold the open word or one that asks for the same."""
    family = words.family.words if words.family else frozenset({words.head, *written_forms(words.head)})
    phrases = (phrase for phrases in entry.question_phrases.values() for phrase in phrases)
    own = (*phrases, *(term.text for term in entry.terms if term.priority == "primary"))
    return any(not family.isdisjoint(folded_text(text).replace("-", " ").split()) for text in own)


def _owners(dictionaries: Dictionaries, doc_type: str | None) -> dict[int, list[ConceptEntry]]:
    """The concepts that each piece of the phrase matcher is a primary term of, of dictionaries for such documents."""
    foreign = {
        source.name
        for source in dictionaries.sources
        if doc_type not in (None, UNKNOWN_TYPE) and source.document_types and doc_type not in source.document_types
    }
    at = {piece: index for index, piece in enumerate(dictionaries.piece_texts)}
    owners: dict[int, list[ConceptEntry]] = {}
    for entry in dictionaries.concepts:
        if entry.dictionary in foreign:
            continue
        for text in dict.fromkeys(term.text for term in entry.terms if term.priority == "primary" and term.text in at):
            owners.setdefault(at[text], []).append(entry)
    return owners
