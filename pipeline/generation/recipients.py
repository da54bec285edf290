# ruff: noqa: E501  # patterns are read whole, on one line
"""To whom a thing may be shown: 'only to its employees', 'to no third party, except its advisers'.

A duty of secrecy forbids in general and lets some know; who is let know stands in its exception.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.generation.acts import without_roles
from pipeline.generation.modality import ALLOWS, FORBIDS

REACH = 320  # characters from 'except' or 'only to' to the last of those who are let know: a list of them is long
_STAFF = r"(?:employees?|staff|personnel|representatives?|officers|directors|workforce|empleados?|personal|salaries?|employes?|preposes?|representant\w*)"
_ADVISERS = r"(?:advis[eo]rs?|consultants?|agents?|(?:sub)?contractors?|representatives?|attorneys?|counsel|lawyers?|accountants?|auditors?|asesores?|consultores?|agentes?|abogados?|conseil\w*|avocats?|representant\w*)"
_AFFILIATES = r"(?:affiliates?|affiliated compan\w+|subsidiar\w+|group compan\w+|filiales?|societes? du groupe)"
_THIRD = (
    r"(?:third[- ]part(?:y|ies)|(?:any|other) (?:other )?(?:persons?|entit(?:y|ies))|anyone|others|terceros?|tiers)"
)
_LENT = rf"(?:{_ADVISERS}|{_THIRD})"
_OUTSIDERS = rf"(?:{_ADVISERS}|{_THIRD}|{_AFFILIATES})"
# Who is asked about, and the words of a clause that let those know, or keep it from them.
_ASKED = (
    (re.compile(rf"\b{_AFFILIATES}\b"), re.compile(rf"\b{_AFFILIATES}\b"), re.compile(rf"\b{_AFFILIATES}\b")),
    (re.compile(rf"\b{_THIRD}\b"), re.compile(rf"\b{_LENT}\b"), re.compile(rf"\b{_OUTSIDERS}\b")),
    (re.compile(rf"\b{_ADVISERS}\b"), re.compile(rf"\b{_LENT}\b"), re.compile(rf"\b{_LENT}\b")),
    (re.compile(rf"\b{_STAFF}\b"), re.compile(rf"\b{_STAFF}\b"), re.compile(rf"\b{_STAFF}\b")),
)
_BEFORE = (
    r"(?:\b(?:to|with|among|al|con|aux?|avec|entre)|(?<!from )(?<!of )(?<!by )(?<!to )\ba)"
    r"\s+(?:(?:an?|its|their|his|the|any|other|own|such|sus|su|los|las|ses|des|les)\s+)*$"
)
_EXCEPTED = re.compile(
    r"\b(?:except(?:ing)?|other than|save|unless|but(?! not)|only|solely|excepto|salvo|unicamente|solo|sauf|hormis|uniquement|seulement|autres? que|distint\w+ de)\b"
)
_CONFINED = re.compile(
    r"\b(?:restrict|limit|confin|permit|allow|limit|restring|autoris)\w*\b[^.;]{0,80}?\b(?:access|disclos\w+|use|dissemination|distribution|circulation|acceso|divulgacion|acces|divulgation|communication)\b[^.;]{0,80}?\b(?:to|a|aux?)\b"
)


@dataclass(frozen=True, slots=True)
class Whom:
    """Who is asked about: what lets those know (`named`), and what a ban must name to reach them (`banned`)."""

    named: re.Pattern[str]
    banned: re.Pattern[str]


def whom_of(core: str) -> Whom | None:
    """To whom a folded question asks whether a thing may be shown; None where it names nobody."""
    for asked, named, banned in _ASKED:
        match = asked.search(core)
        if match is not None and re.search(_BEFORE, core[: match.start()]) is not None:
            return Whom(named, banned)
    return None


def lets_know(folded: str, whom: Whom, link: re.Pattern[str] | None) -> re.Match[str] | None:
    """The words by which a clause lets those know: an exception to its ban, a limit to them, a permission."""
    folded = without_roles(folded)
    for pattern in (_CONFINED, _EXCEPTED, ALLOWS):
        for match in pattern.finditer(folded):
            if pattern is _EXCEPTED and not _is_from_ban(folded, match, link):
                continue
            piece = re.split(r"[.;](?:\s|$)", folded[match.end() : match.end() + REACH])[0]
            named = whom.named.search(piece)
            if named is None or _is_against(piece[: named.start()]):
                continue
            if pattern is not ALLOWS or link is None or link.search(piece[: named.start()]):
                return match
    return None


def keeps_from(folded: str, whom: Whom, link: re.Pattern[str] | None) -> re.Match[str] | None:
    """The words that forbid to let those know; None where the ban does not name them."""
    folded = without_roles(folded)
    for match in FORBIDS.finditer(folded):
        if _EXCEPTED.search(folded, 0, match.start()):
            continue  # 'except as permitted herein': who is let know stands elsewhere
        piece = re.split(r"[.;](?:\s|$)", folded[match.end() : match.end() + REACH])[0]
        piece = _EXCEPTED.split(piece)[0]
        act = link.search(piece) if link is not None else None
        banned = whom.banned.search(piece, act.end() if act is not None else 0)
        if banned is None or (link is not None and act is None):
            continue
        if not re.match(r"[^,.;]{0,40}\b(?:not|without)\b", piece[banned.end() :]):
            return match  # 'to any employee not having a need for it' leaves the others
    return None


def _is_from_ban(folded: str, match: re.Match[str], link: re.Pattern[str] | None) -> bool:
    """True for an exception to a ban on the act, or for what the act is confined to."""
    start = max((stop.end() for stop in re.finditer(r"[.](?:\s|$)", folded[: match.start()])), default=0)
    before = folded[start : match.start()]
    forbids = FORBIDS.search(before)
    if match.group(0) in ("only", "solely", "unicamente", "solo", "uniquement", "seulement"):
        return link is None or link.search(before) is not None
    return forbids is not None and (link is None or link.search(before, forbids.start()) is not None)


def _is_against(between: str) -> bool:
    """True where a ban stands between: 'may use it but shall not show it to its employees'."""
    return FORBIDS.search(between) is not None or re.search(r"\bbut not\b", between) is not None
