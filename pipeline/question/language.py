# ruff: noqa: E501, SIM905  # patterns are read whole, on one line; word lists are read as text
"""The language of a question, by its function words and letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dictionaries import Dictionaries
from dictionaries.folding import folded_text
from dictionaries.stopwords import STOP_WORDS

LANGUAGES = ("en", "es", "fr")
_LETTER_SIGNS = {"es": "¿¡ñáíóú", "fr": "œçêèùàâîôû«»"}  # letters that one of the three languages alone uses
_SIGN_WEIGHT = 1.5  # a letter of its own says more than a function word, which the languages may share
# What French alone writes: a verb before its subject, an elided word, a space before the question mark.
_FRENCH_BUILD = (
    (re.compile(r"[a-z](?:-t)?-(?:il|elle|on|ils|elles|vous|nous|moi|tu|ce)\b"), 2.0),
    (re.compile(r"\b(?:l|d|qu|j|n|s|c|m)['’](?=[a-z])"), 1.5),
    (re.compile(r"^[^¿]*\w\s\?\s*$"), 0.5),
)
# Endings of words that tell Spanish from French where the small words ('que', 'la', 'les') are of both.
_ENDINGS = {
    "es": re.compile(r"(?:[^aeiou]o|os|[^aeiou]a|as|cion|ciones|dad|dades|[aei]n|ar)$"),
    "fr": re.compile(r"(?:ent|ient|ez|eurs?|eux|aux?|eaux?|oi[rts]|ait|aient|tions?|ees?|elles?|ques?|aires?|ants?|ards?|iers?|ieres?|ites?|ies|ures?|ances?|ences?|rd[es]?|rds?)$"),
}  # fmt: skip
_QUESTION_WEIGHT = 2.0  # a question word says most of all
_QUESTION_WORDS = {
    "en": frozenset("what when where who whom which why how does do is are list summarize the whose can".split()),
    "es": frozenset("que cual cuales cuando cuanto cuanta cuantos donde quien quienes como hay existe resume "
                    "enumera resumir puede".split()),
    "fr": frozenset("que quel quelle quels quelles quand combien comment pourquoi qui est-ce y-a-t-il resumez enumerez "
                    "resume-moi liste listez peut-on".split()),
}  # fmt: skip


def detect_language(text: str, *, fallback: Sequence[str] = ()) -> str:
    """ISO 639-1 code of the question: en, es or fr; the first of `fallback` that is one of them where nothing tells."""
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", folded_text(text))
    scores = dict.fromkeys(LANGUAGES, 0.0)
    for language in LANGUAGES:
        scores[language] += sum(word in STOP_WORDS[language] for word in words)
        scores[language] += _QUESTION_WEIGHT * sum(word in _QUESTION_WORDS[language] for word in words[:4])
        scores[language] += _SIGN_WEIGHT * sum(sign in text.casefold() for sign in _LETTER_SIGNS.get(language, ""))
    folded = folded_text(text)
    scores["fr"] += sum(weight for build, weight in _FRENCH_BUILD if build.search(folded) and scores["fr"])
    if scores["es"] == scores["fr"] > scores["en"]:
        telling = [word for word in words if not any(word in STOP_WORDS[one] for one in ("es", "fr"))]
        for language, ending in _ENDINGS.items():
            scores[language] += sum(ending.search(word) is not None for word in telling)
        if scores["es"] == scores["fr"]:
            return next((language for language in fallback if language in _ENDINGS), "es")
    best = max(LANGUAGES, key=lambda language: (scores[language], -LANGUAGES.index(language)))
    if scores[best] > 0:
        return best
    return next((language for language in fallback if language in LANGUAGES), LANGUAGES[0])


def searched_languages(document_languages: tuple[str, ...], dictionaries: Dictionaries) -> tuple[str, ...] | None:
    """The document's languages where the dictionaries know them all; else every language of theirs."""
    known = {language for source in dictionaries.sources for language in source.languages}
    if not document_languages or not set(document_languages) <= known:
        return None
    return tuple(document_languages)
