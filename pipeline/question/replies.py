# ruff: noqa: E501  # word lists and patterns are read whole, on one line
"""Replies to a question back: a number, an ordinal, yes, no, or the words of one choice."""

from __future__ import annotations

import re
from typing import Literal

from dictionaries.folding import folded_text
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.question.clauses import OPENS
from pipeline.question.reading import clean
from schemas.question import Clarification

MAX_REPLY_WORDS = 8  # a longer text is a question of its own

_NUMBER = re.compile(
    r"^(?:(?:the|option|choice|number|no\.?|n[º°]|la|el|le|opción|número|choix|numéro)\s+)*\(?(?P<number>\d)[.)]?$"
)
_ORDINALS = (
    ("first", "1st", "primera", "primero", "premiere", "premier"),
    ("second", "2nd", "segunda", "segundo", "deuxieme", "seconde"),
    ("third", "3rd", "tercera", "tercero", "troisieme"),
)
_LAST = ("last", "ultima", "ultimo", "derniere", "dernier")
_YES = frozenset(("yes", "yeah", "yep", "ok", "okay", "sure", "default", "correct", "si", "vale", "claro", "oui", "d'accord", "daccord"))  # fmt: skip
_NO = frozenset(("no", "nope", "none", "neither", "ninguno", "ninguna", "non", "aucun", "aucune"))
_FILLERS = frozenset(
    ("one", "please", "mean", "meant", "option", "choice", "rather", "favor", "opcion", "svp", "plait", "choix", "celui", "celle")
)  # fmt: skip
_NO_FIRST = re.compile(r"^(?:no|nope|non)\b[\s,.;:]+(?=\S)", re.IGNORECASE)


def read_reply(text: str, asked: Clarification, *, was_asked: bool) -> int | Literal["yes", "none"] | None:
    """The number of the choice that a text names, from 1; 'yes' for the default, 'none' for no; None for no reply.

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
    return _named(folded_text(rest), asked) if len(rest.split()) <= MAX_REPLY_WORDS and not OPENS.search(rest) else None


def _named(line: str, asked: Clarification) -> int | None:
    count = len(asked.choices)
    match = _NUMBER.match(line)
    if match:
        number = int(match["number"])
        return number if 1 <= number <= count else None
    words = [word for word in re.findall(r"[^\W_]+", line) if word not in ALL_STOP_WORDS and word not in _FILLERS]
    every = re.findall(r"[^\W_]+", line)
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
