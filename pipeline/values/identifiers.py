"""Codes that must be given letter by letter: policy and contract numbers, standards, IBANs."""

from __future__ import annotations

import re

from pipeline.values.dates import find_dates
from pipeline.values.found import FoundValue
from schemas.answer import Identifier

_IBAN = r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"
# Letters and digits together, in groups joined by - _ / or a point: FRM-2024-001, HIP2024_Q3, A2-55
_CODE = r"(?<![\w$€£/-])(?=[\w/.-]*[A-Z])(?=[\w/.-]*\d)[A-Z0-9]+(?:[-_/.][A-Za-z0-9]+)*(?!\w|[-/]\w)"
_STANDARD = r"(?<!\w)(?:ISO(?:/IEC)?|IEC|EN|DIN|RFC|NIST|FIPS|SP|ASTM|IEEE) \d[\w.:-]*\w"
# Digits alone are a code only after a word that says so.
_LABELLED = (
    r"(?<!\w)(?i:no\.|number|num\.|núm\.|n[º°]\.?|número|numéro|id|ref\.|reference|#)\s{0,2}:?\s{0,2}#?\s?"
    r"(?P<labelled>(?:[A-Z]{0,6}[- ]?)?\d[\w/-]*(?:\.\w+)*)"
)
_IDENTIFIER = re.compile(rf"(?P<iban>{_IBAN})|(?P<standard>{_STANDARD})|{_LABELLED}|(?P<code>{_CODE})")
_NO_CODE = re.compile(r"\d+(?:st|nd|rd|th|er)|[A-Z]?\d|\d+[KMB]", re.IGNORECASE)
_MIN_CODE = 3  # characters; shorter ones ('A1', '5%') are list marks and cell names


def find_identifiers(text: str, language: str) -> tuple[FoundValue, ...]:
    """Codes in `text`, left to right; dates, ordinals and single marks are none."""
    dates = [(found.start, found.end) for found in find_dates(text, language)]
    found = []
    for match in _IDENTIFIER.finditer(text):
        group = match.lastgroup or "code"
        start, end = match.span(group)
        code = text[start:end]
        if group in ("code", "labelled") and (len(code) < _MIN_CODE or _NO_CODE.fullmatch(code)):
            continue
        if any(first < end and start < last for first, last in dates):
            continue
        found.append(FoundValue(start, end, Identifier(text=code)))
    return tuple(found)
