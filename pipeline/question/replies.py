# ruff: noqa: E501, SIM905  # word lists and patterns are read whole, on one line
"""Replies to a question back: a number, an ordinal, yes, no, or the words of one choice."""

from __future__ import annotations

import re
from typing import Literal

from dictionaries.folding import folded_text
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.question.clauses import OPENS
from pipeline.question.reading import clean
from schemas.question import Clarification

NO_CHOICE = 0  # what a reply names that names none of the choices
MAX_REPLY_WORDS = 8  # a longer text is a question of its own

_NUMBER = re.compile(
    r"^(?:(?:the|option|choice|number|no\.?|n[º°]|la|el|le|l['’]|opcion|numero|choix|pick|take|i\s+(?:mean|choose|pick|take))\s*)*[#(]?\s*(?P<number>\d{1,3})[.)]?$"
)
_ORDINALS = (
    ("first", "1st", "primera", "primero", "premiere", "premier"),
    ("second", "2nd", "segunda", "segundo", "deuxieme", "seconde"),
    ("third", "3rd", "tercera", "tercero", "troisieme"),
)
_NUMBER_WORDS = (("one", "uno", "una", "un"), ("two", "dos", "deux"), ("three", "tres", "trois"))
# What can be nothing but a reply, and names no choice: numbers, letters and ordinals alone, 'both', 'I don't know'.
_BARE_WORDS = frozenset(
    """
    option choice number no the and or to la el le les y o et ou opcion numero choix a b c d e f
    one two three four five six seven eight nine ten uno dos tres cuatro cinco seis siete ocho nueve diez
    un deux trois quatre cinq sept huit neuf dix
    fourth 4th fifth 5th sixth 6th next cuarta cuarto quinta quinto quatrieme cinquieme
    first second third primera primero segunda segundo tercera tercero premiere premier deuxieme troisieme 1st 2nd 3rd
    both all any either each every them maybe perhaps whatever whichever dunno idk i don t know not sure other another of these those
    ambos ambas todos todas cualquiera quizas tal vez no se lo que sea otro otra
    tous toutes n importe lequel laquelle peut etre je ne sais pas autre
    """.split()
)
_SAYS_SO = _BARE_WORDS - frozenset(
    "the and or to la el le les y o et ou of i t not them these those no se lo que je ne a n".split()
)
_LAST = ("last", "ultima", "ultimo", "derniere", "dernier")
_YES = frozenset(("yes", "yeah", "yep", "ok", "okay", "sure", "default", "correct", "si", "vale", "claro", "oui", "d'accord", "daccord"))  # fmt: skip
_NO = frozenset(("no", "nope", "none", "neither", "ninguno", "ninguna", "non", "aucun", "aucune"))
_FILLERS = frozenset(
    ("one", "please", "mean", "meant", "option", "choice", "rather", "favor", "opcion", "svp", "plait", "choix", "celui", "celle")
)  # fmt: skip
_OPTION = frozenset(("option", "choice", "number", "opcion", "numero", "choix", "la", "el", "le"))
_NO_FIRST = re.compile(r"^(?:no|nope|non)\b[\s,.;:]+(?=\S)", re.IGNORECASE)


def read_reply(text: str, asked: Clarification, *, was_asked: bool) -> int | Literal["yes", "none"] | None:
    """The number of the choice that a text names, from 1; 'yes' for the default, 'none' for no; None for no reply.

    0, or a number beyond the choices, for a reply that names none of them and can be no question: '9', 'both'.
    `was_asked` is False where a choice was taken without asking: then only 'no' and what follows it are a reply.
    """
    bare = clean(text).strip(" ?¿!¡.")
    line = folded_text(bare)
    for number, choice in enumerate(asked.choices, 1):
        if line == folded_text(choice.strip(" ?¿!¡.")):
            return number
    refused = _NO_FIRST.match(bare)
    if not was_asked and not refused:
        return "none" if line in _NO else None
    if line in _NO:
        return "none"
    if line in _YES:
        return "yes"
    rest = bare[refused.end() :] if refused else bare
    if len(rest.split()) > MAX_REPLY_WORDS or OPENS.search(rest):
        return None
    named = _named(folded_text(rest), asked)
    return NO_CHOICE if named is None and _is_bare(folded_text(rest)) else named


def _named(line: str, asked: Clarification) -> int | None:
    count = len(asked.choices)
    match = _NUMBER.match(line)
    if match:
        return int(match["number"])
    words = [word for word in re.findall(r"[^\W_]+", line) if word not in ALL_STOP_WORDS and word not in _FILLERS]
    every = re.findall(r"[^\W_]+", line)
    for number, forms in enumerate(_NUMBER_WORDS[:count], 1):
        if every and every[-1] in forms and set(every[:-1]) <= _OPTION:
            return number
    for number, names in enumerate(_ORDINALS[:count], 1):
        if any(name in every for name in names) and len(every) <= len(("the", "first", "one", "please")):
            return number
    if any(name in every for name in _LAST) and not set(words) - set(_LAST):
        return count
    own = [set(re.findall(r"[^\W_]+", folded_text(choice))) for choice in asked.choices]
    shared = set.intersection(*own) if own else set()
    telling = [word for word in words if word not in shared]
    fitting = [number for number, known in enumerate(own, 1) if telling and set(words) <= known]
    return fitting[0] if len(fitting) == 1 else None


def _is_bare(line: str) -> bool:
    """True for a text of numbers and words of choosing alone: no question, whatever the document holds."""
    words = re.findall(r"[^\W_]+", line)
    return all(word.isdigit() or word in _BARE_WORDS for word in words) and (
        not words or any(word.isdigit() or word in _SAYS_SO for word in words)
    )
