"""Whether a value is one of those that a question allows: compared as what it is, never by a guess."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.batch.scope import fold
from pipeline.values import find_values
from pipeline.values.equality import same_value
from schemas.answer import AnswerItem
from schemas.values import BooleanValue, Jurisdiction, Party, Value

_YES = frozenset({"yes", "y", "true", "si", "sí", "oui", "vrai", "verdadero"})
_NO = frozenset({"no", "n", "false", "non", "faux", "falso"})
_TYPED = ("amount", "date", "duration", "percentage", "jurisdiction", "iban", "number")
_PUNCTUATION = re.compile(r"[^\w\s]+")


def among_allowed(items: Sequence[AnswerItem], allowed: Sequence[str], words: str) -> tuple[bool | None, str | None]:
    """Whether the first value is one of the allowed ones, and that one as it is spelled there.

    `words` is the value in plain words. (None, None) where there is no value or none is laid down; a value that is not
    among them gives (False, None).
    """
    if not items or not allowed:
        return None, None
    value = items[0].value
    for one in allowed:
        if _same(value, one, words):
            return True, one
    return False, None


def _same(value: Value, wanted: str, words: str) -> bool:
    if isinstance(value, BooleanValue):
        return fold(wanted) in (_YES if value.value else _NO)
    if isinstance(value, Party) and fold(value.name) == fold(wanted):
        return True
    if isinstance(value, Jurisdiction) and fold(value.name) == fold(wanted):
        return True
    if value.kind in _TYPED:
        found = find_values(wanted, value.kind)
        if any(one.end - one.start >= len(wanted.strip()) - 1 and same_value(one.value, value) for one in found):
            return True
    return _plain(words) == _plain(wanted)


def _plain(text: str) -> str:
    return " ".join(_PUNCTUATION.sub(" ", fold(text)).split())
