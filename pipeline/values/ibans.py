"""International bank account numbers (ISO 13616): only those whose check digits and country's length are right."""

from __future__ import annotations

import re

from pipeline.values.found import FoundValue, fold
from schemas.values import Iban

_START = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ \n-]?[A-Z0-9]){11,30}")  # over the end of a line too
_LENGTHS = range(34, 14, -1)  # characters without spaces: 15 (Norway) to 34, the most that ISO 13616 allows


def find_ibans(text: str, language: str) -> tuple[FoundValue, ...]:  # noqa: ARG001 - the same in every language
    """IBANs in `text`, left to right; a number with wrong check digits is none."""
    from stdnum import iban

    folded = fold(text)
    found: list[FoundValue] = []
    for match in _START.finditer(folded):
        places = [at for at in range(*match.span()) if folded[at].isalnum()]
        for length in _LENGTHS:
            if length > len(places):
                continue
            end = places[length - 1] + 1
            code = "".join(folded[at] for at in places[:length])
            is_whole = not folded[end : end + 1].isalnum()
            if is_whole and iban.is_valid(code):
                value = Iban(iban=code, country=code[:2], original=text[match.start() : end])
                found.append(FoundValue(match.start(), end, value))
                break
    return tuple(found)
