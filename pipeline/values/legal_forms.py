# ruff: noqa: E501  # word lists are read as text
"""Legal forms of companies as contracts write them, in the English, Spanish, French and nearby laws."""

from __future__ import annotations

import re

# Longer ones first where one begins another: 'S.A. de C.V.' before 'S.A.'.
_FORMS = (
    r"S\.?\s?A\.?\s?de\s?C\.?\s?V\.?", r"S\.?\s?A\.?\s?P\.?\s?I\.?\s?de\s?C\.?\s?V\.?", r"S\.?\s?de\s?R\.?\s?L\.?(?:\s?de\s?C\.?\s?V\.?)?",
    r"Sociedad\s+(?:An[óo]nima|Limitada|de\s+Responsabilidad\s+Limitada)(?:\s+(?:Unipersonal|Laboral))?", r"Soci[ée]t[ée]\s+(?:[Aa]nonyme|par\s+[Aa]ctions\s+[Ss]implifi[ée]e|[àa]\s+[Rr]esponsabilit[ée]\s+[Ll]imit[ée]e)",
    r"Public\s+Limited\s+Company", r"Limited\s+Liability\s+(?:Company|Partnership)", r"Limited\s+Partnership", r"(?:Pty|Pte|Pvt)\.?\s+(?:Ltd|Limited)\b\.?", r"Co\.?,?\s+(?:Ltd|Limited)\b\.?",
    r"GmbH\s?&\s?Co\.?\s?KG", r"GmbH", r"KGaA", r"Incorporated", r"Corporation", r"Company", r"Limited", r"L\.\s?L\.\s?C\.?", r"L\.\s?L\.\s?P\.?", r"L\.\s?P\.?", r"P\.\s?L\.\s?C\.?",
    r"S\.?\s?A\.?\s?S\.?\s?U\.?", r"S\.?\s?A\.?\s?R\.?\s?L\.?", r"S\.?\s?[àa]\s?r\.?\s?l\.?", r"S\.?\s?A\.?\s?S\.?", r"S\.?\s?L\.?\s?[UPL]\.?", r"S\.?\s?A\.?\s?[UE]\.?", r"S\.?\s?C\.?\s?A\.?", r"S\.?\s?N\.?\s?C\.?", r"S\.?\s?p\.?\s?A\.?", r"S\.?\s?r\.?\s?l\.?",
    r"Sdn\.?\s?(?:Bhd|Berhad)\.?", r"Berhad", r"Bhd\b\.?", r"Tbk", r"ASA", r"P\.?L\.?L\.?C\.?", r"P\.\s?C\.?", r"FSB", r"SSB", r"MHC", r"Lda\b\.?", r"Ltda\b\.?", r"EIRL", r"E\.I\.R\.L\.?",
    r"N\.\s?A\.", r"N\.?\s?V\.?", r"B\.?\s?V\.?", r"A/S", r"ApS", r"Oyj?", r"AB", r"AG", r"KG", r"SE", r"K\.?\s?K\.?", r"S\.\s?L\.?", r"SL", r"S\.\s?A\.?", r"SA",
    r"Inc\b\.?", r"Corp\b\.?", r"Ltd\b\.?", r"LTD\b\.?", r"INC\b\.?", r"CORP\b\.?", r"LLC", r"LLP", r"LP", r"PLC", r"plc", r"Co\.", r"CORPORATION", r"COMPANY", r"LIMITED", r"INCORPORATED", r"Trust", r"TRUST", r"Fund", r"FUND", r"Bank", r"University",
)  # fmt: skip
# Parts of a name that are no form of a company, and 'Co.', which is also a county: 'Dun Laoghaire, Co. Dublin'.
_DOUBTFUL = ("Trust", "TRUST", "Fund", "FUND", "Bank", "University", r"Co\.")
COMPANY_FORMS = "|".join(form for form in _FORMS if form not in _DOUBTFUL)
# The forms that English and Spanish contracts also write in small letters.
ANY_CASE = r"Incorporated|Inc|LLC|L\.\s?L\.\s?C|Ltd|Limited|Ltda|Corp|Corporation|Company|LLP|L\.L\.P|L\.P|PLC|GmbH|SARL|PLLC|Pty|Pte|Pvt"
LEGAL_FORM = rf"(?:{'|'.join(_FORMS)})(?![\w])"
# Forms that are also common nouns are no legal form, so that 'Deutsche Bank' has none although it is a name.
_NO_FORM = frozenset({"trust", "fund", "bank", "university"})


def legal_form_of(name: str) -> str | None:
    """The legal form at the end of a name, as written; None where it has none."""
    match = _AT_END.search(name)
    if match is None or match["form"].lower() in _NO_FORM:
        return None
    return match["form"]


_AT_END = re.compile(rf"(?:^|[\s,])(?P<form>{LEGAL_FORM})$")
