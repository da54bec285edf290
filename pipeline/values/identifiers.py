"""Codes that must be given letter by letter: policy and contract numbers, standards, IBANs, and codes of schemes."""

from __future__ import annotations

import re

from pipeline.values.dates import find_dates
from pipeline.values.found import FoundValue, Taken
from pipeline.values.ibans import find_ibans
from pipeline.values.schemes import LABEL_REACH, scheme_of
from schemas.values import Identifier

_IBAN = r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"
# Letters and digits together, in groups joined by - _ / or a point: FRM-2024-001, HIP2024_Q3, A2-55
_CODE = r"(?<![\w$€£/-])(?=[\w/.-]*[A-Z])(?=[\w/.-]*\d)[A-Z0-9]+(?:[-_/.][A-Za-z0-9]+)*(?!\w|[-/]\w)"
_STANDARD = r"(?<!\w)(?:ISO(?:/IEC)?|IEC|EN|DIN|RFC|NIST|FIPS|SP|ASTM|IEEE) \d[\w.:-]*\w"
# Digits alone are a code only after a word that says so.
_LABELLED = (
    r"(?<!\w)(?i:no\.|number|num\.|núm\.|n[º°]\.?|número|numéro|id|ref\.|reference|#)\s{0,2}:?\s{0,2}#?\s?"
    r"(?P<labelled>(?:[A-Z]{0,6}[- ]?)?\d[\w/-]*(?:\.\w+)*)"
)
# Codes of letters or of spaced digits alone, which only the word before tells from words and from amounts.
_NAMED = (
    r"(?<!\w)(?i:BIC|SWIFT)(?:[/ ](?i:SWIFT|BIC|code))?\s?:?\s?(?P<bic>[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?!\w)"
    r"|(?<!\w)(?i:SIREN|SIRET|RCS|R\.C\.S\.)(?:\s[A-ZÀ-Ý][\w-]{1,20})?(?:\s(?i:n°|nº|no\.|numéro|sous le n°))?\s?:?\s?"
    r"(?P<siren>[A-D]?\d{3} ?\d{3} ?\d{3}(?: ?\d{5})?)(?!\w)"
    r"|(?<!\w)(?i:EIN|FEIN|employer identification (?:no\.|number)"
    r"|tax(?:payer)? (?:id|identification)(?: no\.| number)?)\s?:?\s?(?P<ein>\d{2}-\d{7})(?!\w)"
    r"|(?<!\w)(?i:VAT|TVA|IVA|NIF-IVA|USt-IdNr\.?|intracommunautaire)"
    r"(?:\s(?i:no\.|n°|nº|number|registration number|num\.|número|numéro))?\s?:?\s?"
    r"(?P<vat>[A-Z]{2} ?[A-Z0-9]{2,4}(?:[ .][A-Z0-9]{2,4}){1,4})(?!\w)"
)
_IDENTIFIER = re.compile(rf"(?P<iban>{_IBAN})|{_NAMED}|(?P<standard>{_STANDARD})|{_LABELLED}|(?P<code>{_CODE})")
_NO_CODE = re.compile(r"\d+(?:st|nd|rd|th|er)|[A-Z]?\d|\d+[KMB]", re.IGNORECASE)
_MIN_CODE = 3  # characters; shorter ones ('A1', '5%') are list marks and cell names


def find_identifiers(text: str, language: str) -> tuple[FoundValue, ...]:
    """Codes in `text`, left to right; dates, ordinals and single marks are none."""
    dates = Taken(find_dates(text, language))
    accounts = {found.start: found.end for found in find_ibans(text, language)}
    found = []
    for match in _IDENTIFIER.finditer(text):
        group = match.lastgroup or "code"
        start, end = match.span(group)
        end = accounts.get(start, end)  # a word in capitals behind an account number is none of its groups
        code = text[start:end]
        if group in ("code", "labelled") and (len(code) < _MIN_CODE or _NO_CODE.fullmatch(code)):
            continue
        if dates.touches(start, end):
            continue
        scheme = scheme_of(code, text[max(0, start - LABEL_REACH) : start])
        found.append(FoundValue(start, end, Identifier(text=code, scheme=scheme)))
    return tuple(found)
