"""What a dictionary file that fits its schema may still do wrong; quick enough to be asked each time one is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dictionaries.entries import ANY_ORDER, EITHER, read_phrase, split_phrase
from dictionaries.faults import Fault
from dictionaries.file_format import DictionaryFile, FileConcept, FileWords, Loc
from dictionaries.stopwords import ALL_STOP_WORDS

KEPT_FORMS = 65_536  # terms whose form is kept: each is asked for when a file is read, and again when it is checked
# Most terms: small unaccented words, which are compared as they are. Asked first, it halves the time of loading.
_PLAIN = re.compile(r"[a-z]+(?: [a-z]+)*|(?:[a-z]+ )*[a-z]{4,}\*")


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds a primary term already."""

    concept: str
    place: Loc


def content_faults(parsed: DictionaryFile, file: str) -> Iterator[Fault]:
    """The errors in the content of a file, in its order."""
    owners: dict[str, Owner] = {}
    for name, concept in parsed.concepts.items():
        at: Loc = ("concepts", name)
        for language, words in concept.words.items():
            if language not in parsed.languages:
                known = ", ".join(parsed.languages)
                yield _error(file, name, f"language {language} is not among the languages of the file ({known})",
                             (*at, "words", language))  # fmt: skip
            yield from _term_faults(file, name, language, words, owners)
            yield from _phrase_faults(file, name, language, words)
        for index, negative in enumerate(concept.negative_contexts):
            if form_of(negative) is None:
                place = (*at, "negative_contexts", index)
                yield _error(file, name, f"negative context {negative!r} holds no word", place)
        for place, pattern in pattern_places(name, concept):
            reason = why_not_a_pattern(pattern)
            if reason:
                yield _error(file, name, f"pattern {pattern!r} {reason}", place)
    yield from _distractor_faults(parsed, file)


@lru_cache(maxsize=KEPT_FORMS)
def form_of(term: str) -> str | None:
    """The term as the matcher compares it; None when it cannot be searched."""
    if _PLAIN.fullmatch(term):
        return term
    from dictionaries.matching import searched_form

    try:
        return searched_form(term)
    except ValueError:
        return None


def phrase_form(phrase: str) -> tuple[str, ...] | None:
    """A question phrase as it is compared, its alternatives by piece; None when one of them cannot be searched."""
    read = read_phrase(phrase)
    forms = [[form_of(way) for way in piece] for piece in read.pieces]
    if not forms or any(form is None for piece in forms for form in piece):
        return None
    pieces = tuple(EITHER.join(form for form in piece if form is not None) for piece in forms)
    return (*pieces, ANY_ORDER) if read.any_order else pieces


def is_bare_stop_word(form: str, term: str) -> bool:
    """True for a function word; 'IT', the acronym, is a term."""
    return form in ALL_STOP_WORDS and not (term.isupper() and len(term) > 1)


def pattern_places(name: str, concept: FileConcept) -> Iterator[tuple[Loc, str]]:
    """Place and text of each pattern of a concept, those that prove it first."""
    for field, patterns in (("patterns", concept.patterns), ("secondary_patterns", concept.secondary_patterns)):
        for index, pattern in enumerate(patterns):
            yield ("concepts", name, field, index), pattern


def why_not_a_pattern(pattern: str) -> str:
    """Why a pattern can never be used; empty for one that can. How long it takes is for `pattern_checking`."""
    from dictionaries.patterns import compile_pattern

    try:
        compile_pattern(pattern)
    except (ValueError, OverflowError, RecursionError) as error:
        return str(error).removeprefix(f"pattern {pattern!r} ")
    return ""


def _term_faults(file: str, name: str, language: str, words: FileWords, owners: dict[str, Owner]) -> Iterator[Fault]:
    """Faults of the terms; `owners` (form to concept, primary terms) grows as they are read."""
    seen: dict[str, tuple[str, Loc]] = {}
    for priority, terms in (("primary", words.primary), ("secondary", words.secondary)):
        for index, written in enumerate(terms):
            term, place = written.term, ("concepts", name, "words", language, priority, index)
            told, form = f"{language} {priority} term {term!r}", form_of(term)
            if form is None:
                yield _error(file, name, f"{told} cannot be searched ({_why_not(term)})", place)
                continue
            if form in seen:
                yield _error(file, name, f"{told} repeats {seen[form][0]!r}", place, seen[form][1])
            else:
                seen[form] = (term, place)
            if is_bare_stop_word(form, term):
                yield _error(file, name, f"{told} is a bare stop word", place)
            owner = owners.setdefault(form, Owner(name, place)) if priority == "primary" else None
            if owner and owner.concept != name:
                yield _error(file, name, f"{told} is also a primary term of {owner.concept}", place, owner.place)


def _phrase_faults(file: str, name: str, language: str, words: FileWords) -> Iterator[Fault]:
    for index, phrase in enumerate(words.questions):
        place: Loc = ("concepts", name, "words", language, "questions", index)
        told, form = f"{language} question phrase {phrase!r}", phrase_form(phrase)
        if form is None:
            why = next((_why_not(piece) for piece in split_phrase(phrase) if form_of(piece) is None), "it has no word")
            yield _error(file, name, f"{told} cannot be searched ({why})", place)
        elif len(form) == 1 and is_bare_stop_word(form[0], phrase):
            yield _error(file, name, f"{told} is a bare stop word", place)


def _distractor_faults(parsed: DictionaryFile, file: str) -> Iterator[Fault]:
    for name, concept in parsed.concepts.items():
        for index, distractor in enumerate(concept.distractors):
            place: Loc = ("concepts", name, "distractors", index)
            if "_" in distractor and distractor not in parsed.concepts:
                yield _error(file, name, f"distractor {distractor!r} is no concept of this file", place)
            if distractor == name:
                yield _error(file, name, "names itself as a distractor", place)
        for index, broader in enumerate(concept.narrows):
            if broader not in parsed.concepts or broader == name:
                place = ("concepts", name, "narrows", index)
                yield _error(file, name, f"narrows {broader!r}, which is no other concept of this file", place)


def _why_not(term: str) -> str:
    from dictionaries.matching import searched_form

    try:
        searched_form(term)
    except ValueError as error:
        return str(error)
    return ""


def _error(file: str, concept: str, reason: str, place: Loc, other: Loc | None = None) -> Fault:
    return Fault(severity="error", file=file, concept=concept, reason=reason, place=place, other=other)
