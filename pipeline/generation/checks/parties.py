# ruff: noqa: E501  # patterns are read whole, on one line
"""Whether a short name belongs to its name: 'X Inc. (the “Supplier”) and Y Ltd. (the “Buyer”)'."""

from __future__ import annotations

import re

from pipeline.generation.checks.words import Stretch, find_words
from pipeline.generation.party_words import NO_PARTY

REACH = 700  # characters from a name to its short name: an address, a place of business and a law may stand between
CALLED = 150  # characters behind a name in which another short name rules out a word of the name itself
BEFORE = 60  # characters from 'SUPPLIER:' or 'Licensor -' to the name
# A short name in quotation marks or brackets; the first one behind a name is the name's own.
_QUOTED = re.compile(
    r"[“\"«‘'](?:[^”\"»’'“]|[’'](?=\w)){1,60}[”\"»’']|(?<=\()\?[^?()]{1,60}\?|\(\s*(?:hereinafter|hereafter|the|en adelante|ci-après)\b[^()]{1,60}\)"
)
_ALSO = re.compile(
    r"[”\"»’'][\s,/]*(?:or|o|ou|and|y|et)?\s*(?:the |la |el |le |los |les )?[“\"«‘']?$"
)  # '“X” or the “Buyer”'
_LEADS = re.compile(
    r"[”\"’»)]?(?:\s+(?:full\s+)?(?:legal\s+)?(?:company\s+)?name|\s*\([^()\n]{1,40}\))?\s*(?:[:=,\-–—]|means|is|shall mean)?[\s“\"(]*",
    re.IGNORECASE,
)  # 'SUPPLIER: X Inc.'


# What stands right before a short name: a quotation mark, a bracket, 'hereinafter called'.
_INTRODUCED = re.compile(
    r"(?:[“\"«‘'(]|\(\?|\b(?:hereinafter|hereafter|called|known as|referred to as|en adelante|denominad[oa]|ci-apr[eè]s"
    r"|désign[ée]e?))"
    r"[\s,:(“\"«‘']*(?:(?:individually|together|as|the|la|el|le|les|los|las|l['’])[\s“\"«‘']*)*$",
    re.IGNORECASE,
)


_JOINING = frozenset(
    ("and", "between", "among", "by", "with", "the", "or", "y", "entre", "e", "et", "de", "of", "for", "this")
)
_LABEL = re.compile(r"(?:\s+(?:full\s+)?(?:legal\s+)?(?:company\s+)?name|\s*\([^()\n]{1,40}\))?\s*[:：]", re.IGNORECASE)
_MARKS = "“”\"«»‘’'() "
_OPENING = "“\"«‘'„"
_ARTICLE = re.compile(r"(?:\b(?:the|la|el|le|les|los|las)\s+|l['’])$", re.IGNORECASE)


def misfit_of_role(text: str, name: str, role: str | None) -> str | None:
    """Why the short name is not that of the name; None where it is, or without one."""
    if role is None:
        return None
    names, roles = find_words(text, name), find_words(text, role)
    names = tuple(at for at in names if _begins(text, at)) or names
    if not roles:
        return f"the name {role!r} does not stand in the lines"
    if any(_belongs(text, at, other) for at in names for other in roles):
        return None
    return f"{role!r} is not what the lines call {name!r}"


def _begins(text: str, place: Stretch) -> bool:
    """False where a capital word right before makes the name a part of a longer one: 'X Ltd.' of 'Advanced X Ltd.'."""
    before = text[max(0, place[0] - 40) : place[0]].rsplit("\n", maxsplit=1)[-1].split()
    word = before[-1] if before else ""
    return not word[:1].isupper() or not word.isalnum() or word.lower() in _JOINING


def is_quoted(text: str, place: Stretch) -> bool:
    """True for words in quotation marks, an article before them apart."""
    before = _ARTICLE.sub("", text[max(0, place[0] - 12) : place[0]])
    return before[-1:] in _OPENING and bool(before)


def is_label(text: str, place: Stretch) -> bool:
    """True for words at the start of a line with a colon behind: 'Buyer: X Ltd.', 'Buyer (Carrier): X Ltd.'."""
    before = text[max(0, place[0] - 40) : place[0]].rsplit("\n", maxsplit=1)[-1]
    return not before.strip() and _LABEL.match(text, place[1]) is not None


def _belongs(text: str, name: Stretch, role: Stretch) -> bool:
    if name[0] <= role[0] < name[1]:
        called = _QUOTED.search(text, name[1], name[1] + CALLED)
        return (
            called is None or text[slice(*role)] in called.group()
        )  # 'Bank of X' as 'Bank', where it is called no other
    if name[1] <= role[0]:
        between = text[name[1] : role[0]]
        quoted = [
            match.end() for match in _QUOTED.finditer(between) if not NO_PARTY.search(match.group().strip(_MARKS))
        ]
        is_own = not quoted or (len(quoted) == 1 and _ALSO.fullmatch(between, quoted[0] - 1) is not None)
        return len(between) <= REACH and is_own and _INTRODUCED.search(between) is not None
    between = text[role[1] : name[0]]
    return len(between) <= BEFORE and _LEADS.fullmatch(between) is not None
