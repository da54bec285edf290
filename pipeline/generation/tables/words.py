"""Labels and questions as plain words, so that 'PP&E, net' and 'PP and E net' are one thing."""

from __future__ import annotations

import re
from functools import lru_cache

from dictionaries.folding import folded_text

KEPT_TEXTS = 8_192  # labels and patterns are read again for every question
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LEAD = re.compile(r"^(?:less|plus|add|deduct|menos|moins|of which)\s*:?\s+")
_MARKS = re.compile(r"[\u2018\u2019']s?\b")  # possessives: "Nike's"
_NOT_WORD = re.compile(r"[^a-z0-9%]+")
_NOTE = re.compile(r"\b(?:see )?notes? \d+[a-z]?\b.*$|\bnota \d+\b.*$")


@lru_cache(maxsize=KEPT_TEXTS)
def plain_words(text: str) -> str:
    """Small letters without accents, one space between words, '&' as 'and'; brackets kept as words."""
    folded = folded_text(text).replace("&", " and ")
    return " ".join(_NOT_WORD.sub(" ", _MARKS.sub(" ", folded)).split())


@lru_cache(maxsize=KEPT_TEXTS)
def plain_label(label: str) -> str:
    """A row's label as plain words, without what stands in brackets, references to notes and 'less:'."""
    bare = _BRACKETS.sub(" ", _LEAD.sub("", folded_text(label).strip()))
    bare = re.sub(r"shareholders|shareowners", "shareholders", bare)
    return _NOTE.sub("", plain_words(re.sub(r"(?<=[a-z])['\u2019](?=s?\b)", "", bare))).strip()


@lru_cache(maxsize=KEPT_TEXTS)
def fits_label(pattern: str, label: str) -> bool:
    """True where a plain label is as the pattern says; '*' in it stands for any words, also none."""
    words = "".join(r"(?:\S+ )*" if word == "*" else re.escape(word) + " " for word in pattern.split())
    return re.fullmatch(words, f"{label} ") is not None


@lru_cache(maxsize=KEPT_TEXTS)
def name_pattern(name: str) -> re.Pattern[str]:
    """A name as whole words, a plural 's' allowed at its end."""
    return re.compile(rf"(?<![a-z0-9]){re.escape(name)}(?:s)?(?![a-z0-9])")
