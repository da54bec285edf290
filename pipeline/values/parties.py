# patterns are read whole, on one line
"""Companies by name, legal form and role: 'X Inc., a Delaware corporation (the "Supplier")'.

A name without a legal form is told from other capitalised words only by where it stands, which is for the reader of a
contract's head to judge, not for a pattern: such names are not found here.
"""

from __future__ import annotations

import re

from pipeline.values.found import FoundValue
from pipeline.values.legal_forms import LEGAL_FORM, legal_form_of
from schemas.values import Party

ROLE_REACH = 400  # characters behind a name in which the name it is given may stand: a seat, a register, an address
MAX_NAME_WORDS = 9  # words before the legal form
_NAME_WORD = (
    r"(?:[A-ZÀ-Þ0-9][\w.'’&/À-ÿ-]*|&|of|and|y|e|et|de|del|la|las|los|du|des|the|für|und|van|von|d['’][A-ZÀ-Þ]\w*)"
)
_WORD = re.compile(rf"{_NAME_WORD},?$")
_FORM = re.compile(rf"(?<![\w-]){LEGAL_FORM}")
_ROLE = re.compile(
    r"\(\s*(?:(?:the|la|el|le|hereinafter|hereafter|referred|to|as|in|this|agreement|together|with|its|affiliates|collectively|individually|each|a|an|en|adelante|lo|sucesivo|ci-apr[eè]s|d[ée]nomm[ée]e?|denominad[oa]|known|called|or|and|also|sometimes|herein|both|its|successors?|permitted|assigns?|subsidiaries)[\s,:]+){0,14}[\"“”«]\s?(?P<role>[^\"“”«»()\n]{1,60}?)\s?[,.]?[\"“”»]",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|la|el|le|l['’])\s*(?=\w)", re.IGNORECASE)
_LEADING = re.compile(
    r"(?:and|of|the|between|among|by|with|to|from|for|in|this|agreement|whereas|y|e|et|entre|de|del|la|el|los|las|du|des),?",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:the|an?|our|your|such|any|each|either|that|this|holding|parent|public|private|limited|insurance),?",
    re.IGNORECASE,
)


def find_parties(text: str, language: str) -> tuple[FoundValue, ...]:  # noqa: ARG001 - names are names
    """Companies named with a legal form in `text`, left to right, each with the role in the bracket behind it."""
    names: list[tuple[int, int]] = []
    for match in _FORM.finditer(text):
        start = _name_start(text, match.start(), names[-1][1] if names else 0)
        if start is not None:
            names.append((start, match.end()))
    found = []
    for number, (start, end) in enumerate(names):
        reach = min(end + ROLE_REACH, names[number + 1][0] if number + 1 < len(names) else len(text))
        role = _ROLE.search(text, end, reach)
        name = " ".join(text[start:end].split())
        value = Party(
            name=name,
            legal_form=legal_form_of(name),
            role=_ARTICLE.sub("", " ".join(role["role"].split())) if role is not None else None,
            original=text[start:end],
        )
        found.append(FoundValue(start, end, value))
    return tuple(found)


def _name_start(text: str, form_start: int, floor: int) -> int | None:
    """Where the name before a legal form starts; None where no name stands there."""
    window = text[max(floor, form_start - 120) : form_start]
    offset = form_start - len(window)
    words = list(re.finditer(r"\S+", window))[-MAX_NAME_WORDS:]
    kept: list[re.Match[str]] = []
    for word in reversed(words):
        is_last = not kept
        written = word.group()
        if not _WORD.match(written) or (written.endswith(",") and not is_last):
            break
        if written.endswith(".") and not is_last and len(written) > 4:
            break  # the sentence before ends here
        kept.insert(0, word)
    while kept and _LEADING.fullmatch(kept[0].group()):
        kept.pop(0)
    capitals = [word for word in kept if word.group()[0].isupper() or word.group()[0].isdigit()]
    if not capitals or all(_BARE.fullmatch(word.group()) for word in kept):
        return None
    return offset + kept[0].start()
