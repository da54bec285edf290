"""The words that a question is spelled by: the document's, the experts', those of questions, those of a language."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dictionaries import Dictionaries
from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.kept import Kept
from pipeline.question.language import LANGUAGES
from pipeline.question.lexicon import ASKING_WORDS, COVERED_WORDS, GENERIC_WORDS, ORDINARY_WORDS, ROLE_WORDS

if TYPE_CHECKING:
    from schemas.document import ParsedDocument

KEPT_DOCUMENTS = 8  # documents whose words are kept, with their text; a 300-page one takes about 6 MB
KEPT_DICTIONARIES = 4
MIN_TIMES = 2  # a word that stands once in a document may be a slip of the document's own

_WORD = re.compile(r"[^\W\d_]+")
_DIVIDED = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n\s*(?=[^\W\d_])")  # a word divided at the end of a line
_STEM = re.compile(r"[^\W\d_]+\*")  # a stem is no word
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_BIT = {letter: 1 << at for at, letter in enumerate(_LETTERS)}
_OTHER_BIT = 1 << len(_LETTERS)

_experts: deque[tuple[tuple[str, ...], Vocabulary]] = deque(maxlen=KEPT_DICTIONARIES)


_documents: Kept[Vocabulary] = Kept(KEPT_DOCUMENTS)
_plain: Kept[str] = Kept(KEPT_DICTIONARIES)


@dataclass(frozen=True)
class Vocabulary:
    """Folded words with how often they stand and how they are written; treat as read-only."""

    counts: Mapping[str, int]
    writings: Mapping[str, str]

    def __contains__(self, word: str) -> bool:
        return word in self.counts

    def near(self, word: str, *, edits: int) -> tuple[str, ...]:
        """Words that may lie within so many edits: by length and letters alone, none missed, in alphabetical order.

        An edit changes the set of letters by two at most; words that differ by more are not compared at all.
        """
        words, masks, lengths = self._index
        differing = np.bitwise_count(masks ^ np.uint32(_mask(word)))
        close = (differing <= 2 * edits) & (np.abs(lengths - len(word)) <= edits)
        return tuple(words[at] for at in np.flatnonzero(close).tolist())

    @cached_property
    def _index(self) -> tuple[list[str], NDArray[np.uint32], NDArray[np.int64]]:
        words = sorted(self.counts)
        masks = np.fromiter((_mask(word) for word in words), dtype=np.uint32, count=len(words))
        return words, masks, np.fromiter((len(word) for word in words), dtype=np.int64, count=len(words))


def document_words(document: ParsedDocument) -> Vocabulary:
    """The words of a document's visible lines, divided ones made whole; built once for a text."""
    return _documents.get(document, lambda: _counted("\n".join(_visible_texts(document))))


def expert_words(dictionaries: Dictionaries) -> Vocabulary:
    """Every word of the dictionaries in all its written forms, and the words that questions are put in.

    Built once for dictionaries that are in use: their pieces are one object as long as they are.
    """
    pieces = dictionaries.piece_texts
    for known, vocabulary in _experts:
        if known is pieces:
            return vocabulary
    vocabulary = _expert_words(dictionaries)
    _experts.append((pieces, vocabulary))
    return vocabulary


def is_plain(word: str, dictionaries: Dictionaries) -> bool:
    """True for a word of `expert_words` that is written so in a dictionary, or that questions are put in.

    Told without the table of all written forms, which takes long to make. False decides nothing, and is all that is
    said where that table is there.
    """
    if any(known is dictionaries.piece_texts for known, _ in _experts):
        return False
    written = word.lower()
    if written in _folded_question_words():
        return True
    text = _plain.get(dictionaries, lambda: _written_text(dictionaries).lower())
    whole = re.compile(rf"{re.escape(written)}(?![^\W\d_]|\*)")  # a stem is no word
    return any(found.start() == 0 or not text[found.start() - 1].isalpha() for found in whole.finditer(text))


@lru_cache(maxsize=len(LANGUAGES))
def ordinary_words(language: str) -> Mapping[str, int]:
    """Words of a language, folded, with how often they stand in a large body of text (pyspellchecker's lists)."""
    from spellchecker import SpellChecker

    found: dict[str, int] = {}
    for word, count in SpellChecker(language=language).word_frequency.dictionary.items():
        folded = folded_text(word)
        found[folded] = found.get(folded, 0) + count
    return found


def _written_text(dictionaries: Dictionaries) -> str:
    """All terms, pieces of question phrases and titles, a line each."""
    terms = (term.text for entry in dictionaries.concepts for term in entry.terms)
    titles = (text for entry in dictionaries.concepts for texts in entry.section_titles.values() for text in texts)
    return "\n".join((*terms, *dictionaries.piece_texts, *titles))


def _expert_words(dictionaries: Dictionaries) -> Vocabulary:
    counts: dict[str, int] = {}
    writings: dict[str, str] = {}
    written = _WORD.findall(_STEM.sub("", _written_text(dictionaries)).lower())
    for word in dict.fromkeys((*written, *_question_words())):
        _add(word, counts, writings)
    return Vocabulary(counts, writings)


@lru_cache(maxsize=1)
def _folded_question_words() -> frozenset[str]:
    return frozenset(map(folded_text, _question_words()))


def _question_words() -> Iterable[str]:
    groups = (ALL_STOP_WORDS, *ASKING_WORDS.values(), GENERIC_WORDS, ROLE_WORDS, COVERED_WORDS, ORDINARY_WORDS)
    return sorted({part for group in groups for word in group for part in _WORD.findall(word)})


def _add(word: str, counts: dict[str, int], writings: dict[str, str]) -> None:
    folded = folded_text(word)
    if writings.get(folded, "").isascii():  # the accented writing is the right one
        writings[folded] = word
    if folded in counts:
        return
    for form in written_forms(folded):
        if " " not in form:
            counts.setdefault(form, 1)
    counts[folded] = 1


@lru_cache(maxsize=KEPT_DOCUMENTS)
def _counted(text: str) -> Vocabulary:
    written = Counter(_WORD.findall(_DIVIDED.sub("", text).lower()))
    counts: dict[str, int] = {}
    writings: dict[str, str] = {}
    for word, count in sorted(written.items(), key=lambda item: (-item[1], item[0])):
        folded = folded_text(word)
        counts[folded] = counts.get(folded, 0) + count
        writings.setdefault(folded, word)
    return Vocabulary(counts, writings)


def _visible_texts(document: ParsedDocument) -> list[str]:
    frame = document.line_df
    texts: list[str] = frame.loc[frame["visible"], "text"].tolist()
    return texts


def _mask(word: str) -> int:
    mask = 0
    for letter in word:
        mask |= _BIT.get(letter, _OTHER_BIT)
    return mask
