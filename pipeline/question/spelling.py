"""Spelling of the experts' words: a slip of one letter in a long word of a dictionary is mended, and said."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dictionaries import Dictionaries
from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from pipeline.question.reading import Span

MAX_ENDING = 4  # letters by which a plural may differ from its singular, and one for the slip
MIN_LETTERS = 8  # in shorter words one letter makes another word ('tern', 'term')

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as written and as mended, and where it stood."""

    written: str
    mended: str
    span: Span


def correct(
    text: str, dictionaries: Dictionaries, *, protected: tuple[Span, ...]
) -> tuple[str, tuple[Correction, ...]]:
    """The question with slips in dictionary words mended, and each correction.

    Only a letter left out, doubled or swapped with its neighbour is mended, the first letter apart, and only where one
    word alone fits; another letter in place of one is left, since it may be another word ('insured', 'insurer').
    """
    corrections: list[Correction] = []
    words = [match for match in _WORD.finditer(text) if len(match.group()) >= MIN_LETTERS]
    if not words:
        return text, ()
    known = _vocabulary(dictionaries)
    for match in words:
        word = folded_text(match.group())
        if any(start < match.end() and match.start() < end for start, end in protected):
            continue
        near = _near(word, known)
        fitting = [other for other in near if _slip(word, other)]
        if len(fitting) == 1 and word not in near:
            mended = fitting[0].capitalize() if match.group()[0].isupper() else fitting[0]
            corrections.append(Correction(match.group(), mended, match.span()))
    mended_text = text
    for correction in reversed(corrections):
        start, end = correction.span
        mended_text = mended_text[:start] + correction.mended + mended_text[end:]
    return mended_text, tuple(corrections)


def _vocabulary(dictionaries: Dictionaries) -> frozenset[str]:
    """Long words of the dictionaries, folded; a stem is no word."""
    words: set[str] = set()
    for piece in dictionaries.piece_texts:
        found = _WORD.findall(folded_text(piece))
        words.update(word for word in (found[:-1] if piece.endswith("*") else found) if len(word) >= MIN_LETTERS - 1)
    return frozenset(words)


def _near(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """Forms of known words with the same first letter and about the same length, sorted."""
    likely = (other for other in known if other[0] == word[0] and abs(len(other) - len(word)) <= MAX_ENDING)
    forms = {form for other in likely for form in written_forms(other)}
    return tuple(sorted(form for form in forms if abs(len(form) - len(word)) <= 1))


def _slip(written: str, meant: str) -> bool:
    """True when a letter was left out, doubled or put in, or two neighbours were swapped."""
    if written[0] != meant[0] or written == meant:
        return False
    if abs(len(written) - len(meant)) == 1:
        longer, shorter = sorted((written, meant), key=len, reverse=True)
        at = next((i for i, (a, b) in enumerate(zip(longer, shorter, strict=False)) if a != b), len(shorter))
        return longer[:at] + longer[at + 1 :] == shorter and at < len(shorter)
    if len(written) != len(meant):
        return False
    differ = [i for i, (a, b) in enumerate(zip(written, meant, strict=True)) if a != b]
    return (
        len(differ) == 2  # two neighbours swapped
        and differ[1] == differ[0] + 1
        and written[differ[0]] == meant[differ[1]]
        and written[differ[1]] == meant[differ[0]]
    )
