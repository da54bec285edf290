# ruff: noqa: E501  # patterns are read whole, on one line
"""What a value is for: a duration's length, notice or deadline; a date's beginning or end."""

from __future__ import annotations

import re
from typing import Literal

from dictionaries.folding import folded_text
from pipeline.values import find_values
from schemas.answer import DateValue, Duration, DurationUnit, Value

Sense = Literal["length", "notice", "deadline", "start", "end", "point"]

_COUNTED = re.compile(
    r"\b(?:how many|cuant[oa]s|combien de|combien d')\s*(?P<unit>(?:(?:business|working|banking|calendar) )?(?:days?|weeks?|months?|quarters?|years?|hours?)"
    r"|dias habiles|dias|semanas|meses|anos|horas|jours ouvres|jours|semaines|mois|ans|annees|heures)\b"
)
CONDITION = re.compile(
    r"^[\W\d]*(?:where|if|in (?:the )?(?:case|event)|when|should|however|si|cuando|en caso|lorsque|en cas|dans le cas)\b"
)
_DEADLINE_BEFORE = re.compile(
    r"\b(?:within|no(?:t)? (?:later|less|fewer|more) than|at least|at latest|upon|dentro de(?: los| las)?|en el plazo(?: maximo)? de|al menos|a mas tardar|dans (?:les|un delai(?: maximum)? de)|au (?:moins|plus tard))(?:[\w\s,]{0,12})\s*$"
)
_DEADLINE_AFTER = re.compile(
    r"^\W{0,3}(?:before|prior to|after|following|from (?:the )?(?:date|receipt)|of (?:a |the |its |such )?(?:receipt|date|invoice|notice|written|end|becoming)|antes|despues|desde|a partir|siguientes|avant|apres|suivant|a compter)\b"
)
# 'five years from the Effective Date' says how long a thing lasts; 'ten days from receipt' when it is due.
_START_AFTER = re.compile(
    r"^\W{0,3}(?:from|after|following|commencing|beginning|starting)(?: (?:on|with|upon))?(?: and including)? (?:the |its )?(?:effective date|commencement|launch|start|execution|signing|signature|date (?:hereof|of (?:this|the) (?:agreement|contract)|first (?:above )?written))"
)
_NOTICE_AFTER = re.compile(
    r"^\W{0,3}(?:(?!of\b|after\b|from\b|following\b)[\w,]+\W+){0,3}?(?:notice|preaviso|antelacion|notificacion|preavis)\b"
)
_NOTICE_BEFORE = re.compile(
    r"\b(?:notice|preaviso|notificacion|preavis)\b[^.;]{0,60}?(?:at least|not? (?:less|later|fewer) than|con|al menos|au moins|d'au moins|de)\s*$"
)
_LENGTH_BEFORE = re.compile(
    r"\b(?:(?:period|term|duration)s? of(?: up to)?|(?:continue|remain|last|survive)\w* (?:in (?:full force and )?(?:effect|force) )?for(?: up to)?|(?:plazo|periodo|duracion) de|(?:duree|periode) de|pendant)(?: an?| the)?\s*$"
)
_NOTICE_ASKED = re.compile(r"\b(?:notice|preaviso|antelacion|preavis|in advance)\b")
_NOTICE_LENGTH_ASKED = re.compile(
    r"\b(?:notice periods?|periods? of notice|(?:how (?:much|long)|what|length of|days of|months of) (?:is the |of |a |prior |advance |written )*notice|plazo de preaviso|duracion del preaviso|(?:cuanto|que|cual es el) preaviso|periodo de preaviso|(?:duree|delai) (?:du|de) preavis|(?:quel|quel est le|combien de) preavis)\b"
)
_DEADLINE_ASKED = re.compile(
    r"\b(?:(?:cure|grace|payment|response|notification) (?:period|time|term)s?|within|deadline|due|when|how soon|how quickly|how fast|time limit|(?:have|has) to|to (?:pay|notify|respond|object|cure|remedy)|dentro|cuando|vence|delai|quand|echeance)\b"
)
_LENGTH_ASKED = re.compile(
    r"\b(?:how long|duration|(?<!payment )term|survive\w*|last|lasts|validity|period|cuanto (?:tiempo )?dura|duracion|vigencia|duree)\b"
)


_END_BEFORE = re.compile(
    r"\b(?:through|until|till|(?:expir|terminat|end|clos)\w*(?: automatically)?(?: on| at midnight on)?|hasta(?: el)?|jusqu'au)(?: and including| the close of business on)?(?: the)?\W{0,3}$"
)
_START_BEFORE = re.compile(
    r"\b(?:from|commenc\w*(?: on| as of)?|beginn\w*(?: on)?|start\w*(?: on)?|effective(?: as of| on)?|takes? effect (?:on|from)|as of|dated(?: as of)?|a partir del?|desde(?: el)?|a compter du|des le)(?: the)?\W{0,3}$"
)
_END_ASKED = re.compile(r"\b(?:expir\w*|ends?|ending|terminat\w*|vence|vencimiento|finaliza|prend fin|echeance)\b")
_START_ASKED = re.compile(
    r"\b(?:effective|takes? effect|commenc\w*|starts?|begins?|in(?:to)? force|entra en vigor|efectiva|entre en vigueur)\b"
)


def sense_of(before: str, after: str, value: Value | None = None) -> Sense:
    """The sense of a value between the words before it and after it; a date of neither kind is a 'point'."""
    before, after = folded_text(before), folded_text(after)
    if isinstance(value, DateValue):
        if _END_BEFORE.search(before):
            return "end"
        return "start" if _START_BEFORE.search(before) else "point"
    if _NOTICE_AFTER.match(after) or _NOTICE_BEFORE.search(before):
        return "notice"
    if _LENGTH_BEFORE.search(before):
        return "length"
    if _DEADLINE_BEFORE.search(before):
        return "deadline"
    return "deadline" if _DEADLINE_AFTER.match(after) and not _START_AFTER.match(after) else "length"


def asks_notice(question: str) -> bool:
    """True when the length of a notice is asked for: 'What is the notice period?', 'durée du préavis'."""
    return _NOTICE_LENGTH_ASKED.search(folded_text(question)) is not None


def speaks_of_notice(text: str) -> bool:
    """True where the word stands there."""
    return _NOTICE_ASKED.search(folded_text(text)) is not None


def fits_question(sense: Sense, value: Value, question: str) -> bool:
    """True when the question asks for that sense, or for none that its words tell."""
    folded = folded_text(question)
    if isinstance(value, DateValue):
        if _START_ASKED.search(folded):
            return sense != "end"
        return sense != "start" or not _END_ASKED.search(folded)
    if not isinstance(value, Duration):
        return True
    if _NOTICE_ASKED.search(folded):
        return sense == "notice"
    if _DEADLINE_ASKED.search(folded):
        return sense == "deadline"
    return sense == "length" if _LENGTH_ASKED.search(folded) else True


def unit_asked(question: str) -> DurationUnit | None:
    """The unit that a question counts in, business days apart from days: 'how many days'; None where it names none."""
    counted = _COUNTED.search(folded_text(question))
    found = find_values(f"5 {counted['unit']}", "duration") if counted is not None else ()
    return found[0].value.unit if found and isinstance(found[0].value, Duration) else None
