"""What to search for: the anchors, the user's own words and phrases, the experts' words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from dictionaries.matching import searched_form
from dictionaries.stopwords import STOP_WORDS
from pipeline.question.anchors import FoundAnchor
from pipeline.question.lexicon import (
    ASKING_WORDS,
    COMPOUND_NOUNS,
    COVERED_WORDS,
    DOCUMENT_NAMES,
    GENERIC_WORDS,
    ROLE_WORDS,
)
from pipeline.question.topics import Topic
from schemas.question import Keyword

FULL_WEIGHT = 1.0  # primary or direct
SIDE_WEIGHT = 0.5  # secondary: words beside a concept, and words that stand in almost every document
MAX_PHRASE_WORDS = 4  # longer runs of words stand nowhere as they are
MAX_DIRECT = 24  # a question of more content words is a text; the rest is left out with a note

_WORD = re.compile(r"[^\W_]+(?:[-'’&+][^\W_]+)*\+{0,2}|\|")
_LABELS_SEARCHED = ("code", "figure", "table", "equation", "annex", "article", "amount", "date", "defined_term")


@dataclass(slots=True)
class DirectWords:
    """The user's own words: what is searched, and what is too common to prove anything."""

    keywords: list[Keyword] = field(default_factory=list)
    common: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def anchor_keywords(anchors: Sequence[FoundAnchor], *, alone: bool) -> tuple[Keyword, ...]:
    """A keyword for each anchor that names a thing in the text; sections only when the question holds nothing else."""
    found: dict[str, Keyword] = {}
    for anchor in (one.anchor for one in anchors):
        if anchor.kind == "quoted":
            found.setdefault(anchor.text, Keyword(text=anchor.text, source="quoted", weight=FULL_WEIGHT))
        elif anchor.kind in _LABELS_SEARCHED or (alone and anchor.kind == "section"):
            found.setdefault(anchor.text, Keyword(text=anchor.text, source="anchor", weight=FULL_WEIGHT))
    return tuple(found.values())


def direct_words(
    text: str,
    language: str,
    topics: Sequence[Topic],
    *,
    has_exact: bool = False,
    is_defined: Callable[[str], bool] | None = None,
) -> DirectWords:
    """The content words of `text` (read pieces blanked out), phrases first, each once.

    Beside a concept the words count half, and those that stand in almost every document are named `common` instead:
    their presence would hide that the topic is absent. `has_exact` says that anchors are searched beside them.
    Nouns of asking ('parts', 'days') are kept in a name: beside a content word ('spare parts'), in a term that the
    document defines as `is_defined` says ('Contract Year'), or where nothing else is left ('working days').
    """
    result = DirectWords()
    runs = _runs(text, language)
    covered = [span for topic in topics for span in topic.spans]
    neighbours = {folded_text(word) for topic in topics for word in topic.entry.neighbours}
    names = _names(text, language, runs, covered, is_defined, alone=not topics and not has_exact)
    phrases = [Keyword(text=name, source="direct", weight=SIDE_WEIGHT if topics else FULL_WEIGHT) for name in names]
    words: list[Keyword] = []
    for run in runs:
        open_words = [word for word in run if not _inside(word, covered)]
        if not topics:
            phrases.extend(_phrases(run))
            words.extend(
                Keyword(text=word.text, source="direct", weight=_weight(word, runs, has_exact=has_exact))
                for word in run
                if len(run) == 1 or len(word.text) > 1
            )
            continue
        for word in open_words:
            if word.folded in neighbours or _is_common(word):
                result.common.append(word.text)
            else:
                words.append(Keyword(text=word.text, source="direct", weight=SIDE_WEIGHT))
    seen: set[str] = set()
    for keyword in (*phrases, *words):
        forms = written_forms(searched_form(keyword.text))
        if seen.isdisjoint(forms):
            result.keywords.append(keyword)
        seen.add(searched_form(keyword.text))
    result.left_out = [keyword.text for keyword in result.keywords[MAX_DIRECT:]]
    result.keywords = result.keywords[:MAX_DIRECT]
    result.common = list(dict.fromkeys(result.common))
    return result


def concept_keywords(topics: Sequence[Topic], languages: tuple[str, ...] | None) -> tuple[Keyword, ...]:
    """Every term of the concepts in the searched languages, primary first within each concept, then its patterns.

    What only goes with a concept, term or pattern, counts half.
    """
    found: dict[str, Keyword] = {}
    for topic in topics:
        for term in topic.entry.words(languages):
            found.setdefault(
                term.text,
                Keyword(text=term.text, source="expert_dictionary", weight=term.weight, concept=topic.entry.concept_id),
            )
        patterns = [(pattern, FULL_WEIGHT) for pattern in topic.entry.patterns]
        patterns += [(pattern, SIDE_WEIGHT) for pattern in topic.entry.secondary_patterns]
        for pattern, weight in patterns:
            found.setdefault(
                pattern,
                Keyword(
                    text=pattern,
                    source="expert_dictionary",
                    weight=weight,
                    concept=topic.entry.concept_id,
                    is_regex=True,
                ),
            )
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    folded: str
    start: int
    end: int


def _runs(text: str, language: str, *, with_nouns: bool = False) -> list[list[_Word]]:
    """Content words that follow each other with nothing but spaces between them; `with_nouns` those of asking too."""
    stop = STOP_WORDS.get(language, STOP_WORDS["en"])
    asking = ASKING_WORDS.get(language, ASKING_WORDS["en"]) - (COMPOUND_NOUNS if with_nouns else frozenset())
    shouted = text.isupper()
    runs: list[list[_Word]] = [[]]
    last = 0
    for match in _WORD.finditer(text):
        word = _stripped(match)
        acronym = word is not None and word.text.isupper() and len(word.text) > 1 and not shouted
        if word is None or (not acronym and (word.folded in stop or word.folded in asking or _is_short(word))):
            runs.append([])
        else:
            if text[last : match.start()].strip():
                runs.append([])
            runs[-1].append(word)
        last = match.end()
    return [run for run in runs if run]


def _names(
    text: str,
    language: str,
    runs: list[list[_Word]],
    covered: Sequence[tuple[int, int]],
    is_defined: Callable[[str], bool] | None,
    *,
    alone: bool,
) -> list[str]:
    """Names that a noun of asking is part of, as they stand in the question."""
    names: list[str] = []
    plain = {word.start for run in runs for word in run}
    for run in _runs(text, language, with_nouns=True):
        nouns = [word for word in run if word.start not in plain]
        if not nouns or not 1 < len(run) <= MAX_PHRASE_WORDS or any(_inside(word, covered) for word in run):
            continue
        name = text[run[0].start : run[-1].end]
        content = [word for word in run if word.start in plain and not _is_common(word)]
        unnamed = alone and not runs and not any(word.folded in DOCUMENT_NAMES for word in run)
        if content or unnamed or (is_defined is not None and is_defined(name)):
            names.append(name)
            pairs = pairwise(run) if len(run) > 2 else ()
            names += [text[one.start : two.end] for one, two in pairs if one.start in plain and two in nouns]
    return names


def _stripped(match: re.Match[str]) -> _Word | None:
    """The word without its possessive and without a French or Spanish elided article; None for a blanked piece."""
    text, start = match.group(), match.start()
    if text == "|":
        return None
    if re.search(r"-(?:t-)?(?:ils?|elles?|on|vous|nous)$", text, re.IGNORECASE):
        return None  # a French verb with its subject behind it: 'contient-il', 'peut-on'
    elided = re.match(r"(?:[ldnjmtsc]|qu|jusqu|lorsqu|puisqu)['’](?=\w)", text, re.IGNORECASE)
    if elided:
        text, start = text[elided.end() :], start + elided.end()
    text = re.sub(r"['’]s?$", "", text)
    return _Word(text, folded_text(text), start, start + len(text)) if text else None


def _is_short(word: _Word) -> bool:
    return len(word.text) == 1 and not word.text.isupper() and not word.text.isdigit()


def _phrases(run: list[_Word]) -> list[Keyword]:
    """The run as a phrase, and each pair of neighbours where it is longer."""
    texts = [word.text for word in run]
    found = [texts] if 1 < len(texts) <= MAX_PHRASE_WORDS else []
    if len(texts) > 2:  # pairs differ from the run from three words on
        found += [texts[at : at + 2] for at in range(len(texts) - 1)]
    return [Keyword(text=" ".join(words), source="direct", weight=FULL_WEIGHT) for words in found]


def _weight(word: _Word, runs: list[list[_Word]], *, has_exact: bool) -> float:
    others = has_exact or any(not _is_common(other) for run in runs for other in run)
    return SIDE_WEIGHT if others and _is_common(word) else FULL_WEIGHT


def _is_common(word: _Word) -> bool:
    return word.folded in GENERIC_WORDS or word.folded in ROLE_WORDS or word.folded in COVERED_WORDS


def _inside(word: _Word, spans: Sequence[tuple[int, int]]) -> bool:
    return any(word.start < end and start < word.end for start, end in spans)
