# ruff: noqa: E501  # patterns are read whole, on one line
"""The side of a contract that the words which name the parties leave open: a blank, or 'the company set forth below'.

An order form names it on a line of its own ('Company: X Inc.'); a franchise form leaves it to be filled in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.generation.party_roles import role_in
from pipeline.generation.party_words import FORM, NO_PARTY

MAX_SIDE = 400  # characters from 'and' to the end of what describes the side that is left open

_POINTS = r"(?:set\s+(?:forth|out)|named|identified|listed|specified|indicated|described|shown|stated|designated|who(?:se\s+\w+)?\s+(?:appears?|signs?|sign(?:ed|ing)|accepts?|executes?))"
_OPEN = re.compile(
    rf"(?:\b(?:and|y|et)\s+|^\s*)(?P<said>(?:_{{3,}}|\[\s*\])[\s_,]*|(?:the\s+|an?\s+|each\s+)?(?P<who>[A-Za-z]+(?:\s+[a-z]+){{0,5}}?),?\s+(?:as\s+|that\s+is\s+|is\s+)?{_POINTS}\b[^().;“”\"]{{0,80}})(?P<rest>[^();“”\"]{{0,120}}(?P<alias>\([^()]{{0,80}}\))?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A side that is not named where the others are: `text[start:end]` says what is said of it, `role` its short name."""

    start: int
    end: int
    role: str


def find_unnamed(text: str, start: int, end: int) -> tuple[Unnamed, ...]:
    """The sides between `start` and `end` that have a short name and no name, in order; empty without any."""
    found = []
    for match in _OPEN.finditer(text, start, min(end, start + MAX_SIDE * 4)):
        alias = role_in(match["alias"]) if match["alias"] else None
        who = match["who"] or ""
        alias = None if alias is None or NO_PARTY.search(alias) else alias
        role = alias or (who if who[:1].isupper() and len(who.split()) == 1 else None)
        if role is not None and not NO_PARTY.search(role):
            found.append(Unnamed(match.start("said"), match.end(), role))
    return tuple(found)


def find_labelled(text: str, role: str) -> tuple[int, int] | None:
    """Where a line gives the name of a role: 'Company: X Inc.', 'Reseller Full Legal Name  X Inc.'; None without one."""
    label = re.compile(
        rf"^\W*(?:{re.escape(role)}(?:'s|’s)?\s+)?(?:(?:full\s+)?(?:legal\s+)?(?:company\s+)?name|{re.escape(role)})\s*(?::\s*|[\s\u00a0]{{2,}})(?P<name>[A-Z0-9][^\n]{{2,110}}?)(?=[\s\u00a0]{{2,}}|\s*\n|,\s+an?\s|\s*\(|\s*$)",
        re.MULTILINE | re.IGNORECASE,
    )
    held = [match for match in label.finditer(text) if _is_company(match["name"])]
    return held[0].span("name") if len({" ".join(one["name"].split()).casefold() for one in held}) == 1 else None


def _is_company(name: str) -> bool:
    return FORM.search(name) is not None or re.fullmatch(r"\S+\.(?:com|org|net)", name) is not None
