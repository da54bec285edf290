"""Scales that a table or a report states once for all of its figures: '(in millions, except per share data)'."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from pipeline.values.found import fold

_STATED = re.compile(
    r"\b(?:(?:amounts?|figures?|dollars?|euros?|cifras|importes|montants)\s+)?(?:expressed\s+|stated\s+|presented\s+|expresad[oa]s\s+|exprimes\s+)?"
    r"(?:in|en)\s+(?P<scale>thousands|millions|billions|hundreds|miles|millones|milliers|milliards)\b"
    r"(?:\s+(?:of|de|d')\s*(?:U\.?S\.?\s+)?[A-Za-z]+)?(?P<except>,?\s*(?:except|excepto|salvo|sauf)\s+[^)\n;]{1,60})?",
    re.IGNORECASE,
)
_FACTORS = {
    "hundreds": 10**2, "thousands": 10**3, "miles": 10**3, "milliers": 10**3, "millions": 10**6, "millones": 10**6,
    "billions": 10**9, "milliards": 10**9,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class StatedScale:
    """A scale with its place in the text; `words` and what it leaves out are as written."""

    start: int
    end: int
    factor: Decimal
    words: str
    exception: str | None


def find_stated_scales(text: str) -> tuple[StatedScale, ...]:
    """Every scale that `text` states apart from a number, left to right; its table says which figures are under it."""
    found = []
    for match in _STATED.finditer(fold(text)):
        exception = " ".join(text[slice(*match.span("except"))].split()).lstrip(", ") if match["except"] else None
        words = " ".join(text[match.start() : match.end()].split())
        factor = Decimal(_FACTORS[match["scale"].lower()])
        found.append(StatedScale(match.start(), match.end(), factor, words, exception))
    return tuple(found)
