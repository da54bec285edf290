"""Dates that a document gives by pointing at an event or at another place, or leaves blank for a pen.

'The date first above written', 'upon the last signature', 'the ___ day of ________, 2004': each tells when, and none is
a date that code can compare. They are found so that a passage that answers in this way is not called without a value.
"""

from __future__ import annotations

import re

_EVENT = (
    r"(?:(?:last|final|latest|both|the|party|parties|duly)\s+){0,3}"
    r"(?:signatures?|signing|execution|approval|closing|delivery|acceptance|registration|completion|commencement)"
)
_FORMS = (
    # the date / day and year first above written; the date set forth below; the date hereof
    (
        r"\b(?:date|day(?:\s+and\s+year)?)\s+(?:(?:first|last)\s+)?(?:(?:above|below)\s+(?:first\s+)?(?:written|mentioned)"
        r"|written\s+(?:above|below)|set\s+(?:forth|out)\s+(?:above|below|on\s+the\s+(?:first|signature|cover)\s+page)|hereof)\b"
    ),
    rf"\bdate\s+(?:of|on\s+which)\s+{_EVENT}\b",
    rf"\b(?:upon|following|effective\s+(?:on|as\s+of))\s+{_EVENT}\b",
    r"\bdate\s+(?:on\s+which|that|upon\s+which|when)\s+\w+",
    # blanks: this ___ day of ________, 20__; [●] 2020; ____________, 1996
    r"(?:_{2,}|\[[\s_•●*]*\])\s*day\s+of\b",
    r"\bday\s+of\s+(?:_{2,}|\[[\s_•●*]*\])",
    r"(?:_{3,}|\[[\s_•●*]*\])\s*,?\s*(?:19|20)(?:\d\d|_{1,3}|\b)",
    # Spanish and French: la fecha de la firma, à la date de signature, date ci-dessus mentionnée
    (
        r"\bfecha\s+(?:de\s+(?:la\s+)?(?:[úu]ltima\s+)?(?:firma|suscripci[óo]n|entrada\s+en\s+vigor)|(?:arriba|antes)\s+"
        r"(?:indicada|mencionada|escrita)|del\s+encabezamiento)\b"
    ),
    r"\b(?:date|jour)\s+(?:de\s+(?:la\s+|sa\s+)?(?:derni[èe]re\s+)?signature|ci-dessus(?:\s+mentionn[ée]e)?|des\s+pr[ée]sentes)",
)
_REFERENCE = re.compile("|".join(_FORMS), re.IGNORECASE)


def find_date_references(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of every date that is given by an event, by another place, or left blank; left to right.

    Empty where the text has none. Blanks count since they show where the date is to be written.
    """
    return tuple(match.span() for match in _REFERENCE.finditer(text))
