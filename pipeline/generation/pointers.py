# ruff: noqa: E501  # patterns are read whole, on one line
"""Places that a cited clause names for what it says: 'as set out in Schedule 2', 'has the meaning given in Section 1'."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dictionaries.folding import folded_text
from schemas.answer import AnswerItem, TextValue
from schemas.retrieval import RetrievalResult, RetrievedCandidate

MAX_POINTER_WORDS = 30  # words of a clause that does nothing but refer, as in retrieval's references
BEFORE = 60  # characters before a place in which the words stand that send there

_PLACE = re.compile(
    r"\b(?P<kind>section|article|clause|schedule|exhibit|annex|appendix|attachment|seccion|articulo|clausula|anexo|apendice|apartado|annexe|appendice|paragraph|parrafo|paragraphe)s?\s+"
    r"(?P<id>\d{1,3}(?:\.\d{1,3}){0,3}|[a-z](?:-\d{1,2}|\d)?(?![\w'’])|[ivxl]{1,6}(?!\w))(?P<sub>(?:\s?\([a-z0-9]{1,4}\))*)"
)
_NUMBERED = re.compile(r"[a-zà-ÿ]\s+(?:\d|[A-Za-z](?:-?\d{1,2})?\b|[ivxlIVXL]{1,6}\b)")  # cheap: no place without one
_TABULAR = frozenset(
    {"schedule", "exhibit", "annex", "appendix", "attachment", "anexo", "apendice", "annexe", "appendice"}
)
_SAID = (
    r"(?:set (?:forth|out)|defined|specified|described|stated|provided(?: for)?|determined|calculated|identified|listed|indicated|detailed|contained|shown|given|ascribed|assigned|established|fixed|enumerated"
    r"|(?:establecid|fijad|previst|indicad|definid|recogid|senalad|especificad|descrit|determinad|detallad|estipulad|contenid|enumerad)[oa]s?"
    r"|(?:prevu|fixe|defini|indique|precise|stipule|mentionne|decrit|determine|enonce|expose|detaille|enumere)e?s?)"
)
_SENDS = re.compile(
    rf"\b{_SAID} (?:(?:to )?(?:it|them|such terms?) |herein |below |above )?(?:in|on|under|by|en|por|a|au|aux|dans|par)\b[\s'’]*(?:(?:the|this|its|attached|el|la|los|las|l|le|les)\b[\s'’]*)*$"
    r"|\b(?:meaning (?:of|in|under)|significado (?:de|en|del)|sens de) (?:the |la |el |l['’])?$"
)
# 'are set out in', 'as provided in', 'the meaning given in': the clause says nothing else on the point.
_SAYS_NO_MORE = re.compile(
    rf"\b(?:is|are|be|as|those|meaning|es|son|sera|seran|figuran?|estan?|se|significado|conforme|segun|est|sont|sera|seront|celui|ceux|sens|tel(?:le)?s?(?: que)?)\s+(?:\w+\s+){{0,2}}{_SAID}\b|\bmeaning (?:of|in|under)|\bfiguran? en|\bfigurent? (?:a|en|dans)"
)
_EXCEPTION = re.compile(
    r"\b(?:except|unless|other than|otherwise|subject to|without limiting|notwithstanding|salvo|excepto|sin perjuicio|sauf|sous reserve|hormis)\b[^.;]{0,40}$"
)
_LAW = re.compile(
    r"^[\w.()\s]{0,12}(?:of|under|del?|de la|du)\s+(?:the\s+)?(?:[a-z0-9.,’']+\s+){0,6}(?:act|code|law|laws|regulations?|rules?|ley|codigo|loi)\b"
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place that a clause sends its reader to.

    `is_short`: the clause is hardly longer than what sends there; `is_whole`: it says nothing else on the point too.
    """

    kind: str
    number: str
    told: str
    is_short: bool
    is_whole: bool


def pointers_of(text: str) -> tuple[Pointer, ...]:
    """The places that a text sends to, each once, in order; places of a statute and of an exception are none."""
    if not _NUMBERED.search(text):
        return ()
    flat = " ".join(text.split())
    folded = folded_text(flat)
    if len(folded) != len(flat):  # folding that changes lengths leaves no place to quote from
        flat = folded
    found: dict[str, Pointer] = {}
    for match in _PLACE.finditer(folded):
        before = folded[max(0, match.start() - BEFORE) : match.start()]
        if not _SENDS.search(before) or _EXCEPTION.search(before) or _LAW.match(folded[match.end() :]):
            continue
        clause = _clause_around(folded, match.start())
        is_short = len(clause.split()) <= MAX_POINTER_WORDS
        is_whole = is_short and _SAYS_NO_MORE.search(before) is not None
        told = flat[match.start() : match.end()]
        found.setdefault(told.casefold(), Pointer(match["kind"], match["id"], told, is_short, is_whole))
    return tuple(found.values())


def unread_pointers(item: AnswerItem, found: RetrievalResult) -> tuple[Pointer, ...]:
    """The places that an item's own words send to and that none of the candidates holds.

    Only a text can be nothing but a pointer: a figure that stands in its lines says what was asked.
    """
    text = item.value.text if isinstance(item.value, TextValue) else item.spans[0].quote
    left = [one for one in pointers_of(text) if not any(_holds(candidate, one) for candidate in found.candidates)]
    if isinstance(item.value, TextValue):
        return tuple(left)
    return tuple(replace(one, is_whole=False) for one in left)


def is_tabular(pointer: Pointer) -> bool:
    """True for a schedule, an exhibit, an annex: a place that holds particulars."""
    return pointer.kind in _TABULAR


def _clause_around(text: str, at: int) -> str:
    """The sentence that holds a place: up to the full stops and semicolons around it, those inside numbers left."""
    start = max(text.rfind(stop, 0, at) for stop in (". ", "; ")) + 1
    ends = [end for end in (text.find(stop, at) for stop in (". ", "; ")) if end >= 0]
    return text[start : min(ends, default=len(text))]


def _holds(candidate: RetrievedCandidate, pointer: Pointer) -> bool:
    """True when the candidate was reached by the reference, or one of its titles or lines opens with the place."""
    told = folded_text(pointer.told)
    if any(told in folded_text(step) for step in candidate.reference_path):
        return True
    titles = [candidate.section_title or "", *(mark.title or "" for mark in candidate.sections)]
    opens = re.compile(
        rf"\s*(?:(?:{pointer.kind})\s+)?{re.escape(pointer.number)}(?![\w]|\.\d)"
        if not is_tabular(pointer)
        else rf"\s*{pointer.kind}\s+{re.escape(pointer.number)}(?!\w)"
    )
    return any(opens.match(folded_text(line)) for line in (*titles, *candidate.text.split("\n")))
