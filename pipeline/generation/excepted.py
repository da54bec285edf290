# ruff: noqa: E501  # patterns are read whole, on one line
"""The part of a clause that speaks of what is asked when its rule does not: its exception, or what follows a 'but'.

'Neither party may assign, except that the Provider may assign to an affiliate': of affiliates the exception speaks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.generation.acts import STEM, forms_of
from pipeline.generation.asking import Asking, plain
from pipeline.generation.exceptions import excepted_places
from pipeline.generation.modality import CONSENT, has_modal

# A rule of its own after the first: 'must not keep pets, but guide dogs are allowed'.
_TURNS_TO = re.compile(
    r"[,;.]?\s(?:but(?! (?:not|only|rather)\b)|however,?|whereas|although|provided,? (?:however,? )?that|pero(?! no (?:el|la|los|las|un|una|su|sus)\b)|sin embargo,?|no obstante,?|mais(?! (?:pas|non)\b)|toutefois,?|cependant,?|en revanche,?)\s"
)
# An exception that takes out of the rule; 'unless' and 'subject to' set it a condition.
MAX_HEADING = 9  # words, its number among them: 'Article 12.3 - Non-Competition and Non-Solicitation of Employees'
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|would|applies|apply|remains?|survives?|waives?|terminates?|renews?|expires?|grants?|agrees?|undertakes?|insures?|pays?|none|not?|es|son|sera|seran|tiene|hay|se|queda|renuncia|est|sont|sera|seront|a|ont|n|ne)\b|\w+(?:ed|es|ent)\b\s+(?:to|the|by|for|de|la|le)\b"
)
_TAKES_OUT = re.compile(
    r"(?:except|excluding|other than|save|salvo(?! que)|excepto|(?:con|a) (?:la )?excepcion|sauf(?! si)|a l'exception|hormis)"
)


@dataclass(frozen=True, slots=True)
class Part:
    """The part that speaks of it, `rule` what stands before; `takes_out`: it only names what the rule does not reach."""

    start: int
    end: int
    rule: str
    takes_out: bool
    is_whole: bool  # all that the rule leaves unsaid stands in it


def part_on(folded: str, asking: Asking) -> Part | None:
    """The exception or turn of the clause that names what is asked where its rule does not; None where none does."""
    acts = tuple(form for act in sorted(asking.acts) for form in forms_of(act))
    role = {word[:STEM] for word in re.findall(r"[a-z]{4,}", asking.role or "")}
    stems = {stem for stem in asking.stems if not (acts and stem.startswith(acts))} - role
    stems = {stem for stem in stems if not any(act.startswith(stem) for act in acts)}
    for start, end, takes_out in _parts(folded):
        rule = folded[:start]
        lacking = stems - _stems(rule)
        found = lacking & _stems(folded[start:end])
        if found and 2 * len(found) >= len(lacking):
            return Part(start, end, rule, takes_out, found == lacking)
    return None


def is_heading(words: str) -> bool:
    """True for a heading alone, which says what a text is on and nothing of it: few words, none of them a verb of a rule."""
    folded = plain(words)
    return len(folded.split()) <= MAX_HEADING and has_modal(folded) is False and _VERB.search(folded) is None


def _parts(folded: str) -> Sequence[tuple[int, int, bool]]:
    parts = [
        (start, end, _TAKES_OUT.match(folded, start) is not None)
        for start, end in excepted_places(folded)
        if CONSENT.search(folded, start, end) is None or has_modal(folded[start:end])  # a consent is a condition
        if folded[:start].strip(" .0123456789()")  # one that leads the sentence excepts from what comes after it
    ]
    for match in _TURNS_TO.finditer(folded):
        stop = re.search(r"[.;](?:\s|$)", folded[match.end() :])
        parts.append((match.end(), match.end() + stop.start() if stop is not None else len(folded), False))
    return sorted(parts)


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in re.findall(r"[a-z]{4,}", text)}
