"""What kind of sentence a match stands in: a definition, a reference elsewhere, a contents line, a run-in heading."""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.retrieval.lines import numbering_of

LEAD_CHARACTERS = 90  # characters; a run-in heading ("10. Governing Law. This ...") ends within a line
KEPT_TEXTS = 8_192  # passages of which these two facts are kept: those of four documents of 300 pages
BEFORE, AFTER = 80, 70  # characters read around a match

_DEFINES = re.compile(
    r"^[\"”’'»)\s]*(?:\([^)]{0,60}\)\s*)?,?\s*(?:shall\s+|will\s+)?(?:means?|is\s+defined|are\s+defined|have\s+the\s+meaning"
    r"|has\s+the\s+meaning|significa|se\s+entender[áa]|signifie|d[ée]signe|s'entend)\b",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:\b(?:sections?|clauses?|articles?|schedule|exhibit|annex|appendix|art[íi]culo|secci[óo]n|cl[áa]usula|anexo|annexe)"
    r"|§)\s*[\w.()]{1,12}\s*(?:[,:–—-]|\()\s*[\"“”‘'«]?\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_AFTER_COMMA = re.compile(r",\s*the\s+$", re.IGNORECASE)  # 'Section 9, the ...': a sentence goes on
_SAYS = re.compile(
    r"\s+(?:shall|will|must|may|can|is|are|has|have|of|ser[áa]|debe\w*|podr[áa]|est|doit|peut)\b", re.IGNORECASE
)
_OPENING_QUOTES = tuple("\"“”‘'«")
_REFERENCE_ENDS = tuple(",:–—-(")  # what stands between a number and the title in the pattern above
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*\w{1,6}\s*$")
_LEAD_ENDS = re.compile(r"[.:–—]\s|\s[-–—]\s|[.:]$")


def is_definition(text: str, start: int, end: int) -> bool:
    """True when `text[start:end]` is what a sentence defines ('"Change of Control" means ...')."""
    opening = text[max(0, start - 3) : start].rstrip()
    quoted = start == 0 or opening.endswith(('"', "“", "‘", "«", "'", ".", ";", ")"))
    return quoted and _DEFINES.match(text[end : end + AFTER]) is not None


def is_reference(text: str, start: int, end: int) -> bool:
    """True when `text[start:end]` only names the title of another place ('Section 9 (Insurance)').

    Behind a comma it must look like a title: 'Subject to Section 9, the fee is due' says what is due.
    """
    before = text[max(0, start - BEFORE) : start]
    if not _may_refer(before) or _REFERENCE.search(before) is None:
        return False
    if before.rstrip().endswith(","):
        return text[start].isupper() and _SAYS.match(text[end : end + AFTER]) is None
    return not _AFTER_COMMA.search(before)


def _may_refer(before: str) -> bool:
    """False where the words before a match cannot end a reference: told without a search through all of them."""
    ends = before.rstrip()
    if ends[-3:].lower() == "the":
        ends = ends[:-3].rstrip()
    if ends[-1:] in _OPENING_QUOTES:
        ends = ends[:-1].rstrip()
    return ends[-1:] in _REFERENCE_ENDS


@lru_cache(maxsize=KEPT_TEXTS)
def is_contents_line(text: str) -> bool:
    """True for a line with dot leaders and a page label at its end."""
    return _LEADERS.search(text) is not None


@lru_cache(maxsize=KEPT_TEXTS)
def lead_of(text: str) -> str:
    """The run-in heading of a clause without its number: 'Governing Law' of '10. Governing Law. This ...'; or ''."""
    _, rest = numbering_of(text)
    found = _LEAD_ENDS.search(rest[:LEAD_CHARACTERS])
    if not found or not found.start() or found.end() >= len(rest):
        return ""
    lead = rest[: found.start()].strip()
    return lead if lead[:1].isupper() or not lead[:1].isalpha() else ""
