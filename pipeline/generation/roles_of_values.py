# ruff: noqa: E501  # patterns are read whole, on one line
"""What a figure does in its sentence beside being the answer: denied, superseded, a threshold, a look-back, one of two."""

from __future__ import annotations

import re

from pipeline.generation.marks_asked import flat
from pipeline.generation.senses import fits_question
from schemas.answer import DateValue, Duration, Value

REACH = 90  # characters before and after a value in which its sentence says what it does

# 'is not EUR 15,000 but EUR 10,000', 'instead of 30 days': the figure is what does not hold.
_DENIED = re.compile(
    r"(?:\b(?<!or )(?<!if )(?<!whether )not(?: be| of| the sum of)?|\bno longer(?: be)?|\b(?:instead|in lieu|in place) of|\brather than|\b(?:en lugar|en vez|en sustitucion) de"
    r"|\bno (?:es|son|sera|seran|asciende|ascendera)(?: ya)?(?: (?:de|a))?|\bya no (?:es|son)(?: de)?|\bau lieu d[e']|\bn'(?:est|etait) (?:pas|plus)(?: d[e'])?|\bne (?:sera|seront) (?:pas|plus)(?: d[e'])?|\bet non(?: pas)?(?: d[e'])?|\bnon pas)\s*(?:an? |the )?$"
)
_SUPERSEDED = re.compile(
    r"\b(?:(?:increas|reduc|rais|lower|decreas|chang|amend|revis|extend|shorten)(?:e|es|ed|ing)|(?:was|were|been) (?:cut|moved))\b[^.;]{0,40}\bfrom\s*$|\b(?:previously|formerly|former|until then|originally)(?: [a-z]+){0,3}\s*$"
    r"|\b(?:aument|reduc|redu[jc]|ampli|modific|elev|increment|rebaj)\w*\b[^.;]{0,30}\b(?:de|desde)\s*$|\banteriormente(?: de)?\s*$"
    r"|\b(?:augment|redui|port|pass|modifi|relev|abaiss)\w*\b[^.;]{0,30}\bde\s*$|\b(?:anciennement|auparavant)(?: de)?\s*$"
)
_SUPERSEDED_ASKED = re.compile(
    r"\b(?:original\w*|initial\w*|previous\w*|former\w*|before|old|prior|first|was|inicial\w*|anterior\w*|antes|era|ancien\w*|precedent\w*|avant|etait|d'origine)\b"
)
_IF = r"(?:if|where|when|whenever|once|should|unless|si|cuando|siempre que|lorsqu[e']|quand|des lors qu[e'])"
_OVER = r"(?:exceed(?:s|ing)?|(?:is|are|be) (?:less|more|greater|lower|higher|at least|equal)(?: to| than)?(?: or equal to)?|falls? (?:below|under)|drops? below|reach(?:es)?|supere?|supera|exced[ae]|sea (?:superior|inferior) a|(?:es|sea) (?:mayor|menor) (?:de|que)|depasse|excede|atteint|est (?:superieur|inferieur)e? a)"
_THRESHOLD = re.compile(rf"\b{_IF}\b[^.;:]{{0,100}}?\b{_OVER}(?: (?:an?|the) [a-z]+ of)?\s*$")
_THRESHOLD_ASKED = re.compile(
    r"\b(?:threshold|trigger\w*|above (?:what|which)|at what|what (?:spend|level|volume)|exceeds what|umbral|a partir de que|seuil|au-dela de quel)\b"
)
_BACK_BEFORE = re.compile(
    r"\b(?:in|during|over|for|throughout) (?:the |any |each )?(?:(?:immediately )?(?:preceding|previous|prior|last|past) )?(?:period of )?$|\b(?:en|durante) los (?:ultimos )?$|\b(?:au cours des|pendant les|durant les|dans les) (?:derniers )?$"
)
_BACK_AFTER = re.compile(
    r"^\W*(?:(?:consecutive |calendar )?(?:months?|years?|days?|weeks?)?\W*)?(?:period )?(?:immediately )?(?:before|preceding|prior to|leading up to|previous to)\b|^\s*(?:inmediatamente )?(?:anteriores|previos|precedentes)\b|^\s*(?:precedant|precedents|anterieurs|qui precedent)\b"
)
_BACK_SAID = re.compile(r"\b(?:preceding|previous|last|past|ultimos|derniers)\s*(?:period of )?$")
# 'the first twelve months of the initial term' is a part of it, and not how long it is.
_PART_BEFORE = re.compile(
    r"\b(?:during|in|within|for|durante|en|pendant|dans) (?:the|los|las|les) (?:first|last|primer[oa]s|ultim[oa]s|premiers|premieres|derniers) $"
)
_PART_AFTER = re.compile(r"^\W*(?:of (?:the|this|its)|del?|du|de la)\b")
_BACK_ASKED = re.compile(r"\b(?:preced\w*|before|prior|previous\w*|look-?back|anterior\w*|avant|previo\w*)\b")
_ENDS = re.compile(
    r"\b(?:expir\w*|end(?:s|ed|ing)?|terminat\w*|until|till|through|matur\w*|clos\w*|final|last|venc\w*|hasta|termina\w*|finaliza\w*|fin|echeance|jusqu|echoit|acheve)\b"
)
_CHOICE_BEFORE = re.compile(
    r"\bthe (?:greater|greatest|higher|highest|larger|largest|lesser|least|lower|lowest|smaller|smallest|longer|longest|shorter|shortest) of\b"
    r"|\b(?:la|el|lo) (?:cantidad |importe |cifra |suma |cuantia )?(?:mayor|menor|mas (?:alt|baj|elevad)[oa])(?: cantidad| importe| cifra)? (?:de|entre)\b"
    r"|\ble (?:montant )?(?:plus|moins) (?:eleve|haut|bas|faible|grand|petit|important)(?: montant)? (?:de|des|d'|entre)"
)
_CHOICE_AFTER = re.compile(
    r"\bwhichever (?:amount |sum |one |period )?(?:is|be|shall be) (?:the )?(?:greater|higher|larger|lesser|lower|smaller|less|more|longer|shorter)\b"
    r"|\b(?:lo que|la que|el que|la cantidad que|el importe que) (?:sea|resulte) (?:mayor|menor|mas (?:alt|baj)[oa]|superior|inferior)\b"
    r"|\b(?:le montant|la somme|celui|celle)? ?(?:le|la) (?:plus|moins) (?:eleve|haut|bas|faible)e? (?:etant|des deux|sera|prevaudra)"
)


def is_denied(before: str) -> bool:
    """True where the words before a value deny it; 'not less than' denies nothing."""
    return _DENIED.search(flat(before[-REACH:])) is not None


def misfit_of(before: str, after: str, value: Value, question: str, *, heading: str = "") -> str:
    """Why a value is none that answers: '' where nothing speaks against it."""
    if isinstance(value, DateValue):
        said = flat(f"{before} {after} {heading}")
        ends = fits_question("start", value, question) or _ENDS.search(said) is not None
        return "" if ends else "no end that the passage speaks of"
    before, after, asked = flat(before)[-2 * REACH :], flat(after[:REACH]), flat(question)
    if _SUPERSEDED.search(before) and not _SUPERSEDED_ASKED.search(asked):
        return "what held before a change"
    if _THRESHOLD.search(before) and not _THRESHOLD_ASKED.search(asked):
        return "the threshold of a condition"
    if not isinstance(value, Duration) or _BACK_ASKED.search(asked):
        return ""
    if _PART_BEFORE.search(before) and _PART_AFTER.match(after):
        return "a part of a longer time"
    is_back = (_BACK_BEFORE.search(before) and _BACK_AFTER.match(after)) or _BACK_SAID.search(before)
    return "a time that is looked back on" if is_back else ""


def choice_of(sentence: str, start: int, end: int) -> str:
    """The words by which a sentence gives the greater or the lesser of several values, that at `start` among them."""
    folded = flat(sentence)
    if len(folded) != len(sentence):
        return ""
    for match in _CHOICE_BEFORE.finditer(folded):
        if match.start() <= start and not re.search(r"[;.]\s", folded[match.end() : start]):
            return " ".join(sentence[match.start() :].split())
    after = _CHOICE_AFTER.search(folded, end)
    if after is not None and not re.search(r"[;.]\s", folded[end : after.start()]):
        return " ".join(sentence[start : after.end()].split())
    return ""
