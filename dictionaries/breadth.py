"""Terms that match everything: found on too many lines of ordinary text to tell anything about a topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dictionaries.content_rules import form_of
from dictionaries.faults import Fault
from dictionaries.prose import GENERIC_WORDS, PROSE

if TYPE_CHECKING:
    from dictionaries.checking import Written

MAX_LINE_SHARE = 0.05  # of the lines of ordinary text; of the 3,600 shipped terms none that is primary reaches 0.04
MIN_LINES = 20  # lines below which a share means nothing


def breadth_faults(words: Sequence[Written], prose: Mapping[str, Sequence[str]] | None = None) -> Iterator[Fault]:
    """A fault a term that is generic or stands on more than 5 % of the lines: an error for a primary term.

    `prose` (name to lines) is given by the user; the built-in sample of each language without it.
    """
    from dictionaries.matching import TermMatcher

    told: set[int] = set()
    for index, each in enumerate(words):
        if each.kind == "primary" and form_of(each.text) in GENERIC_WORDS and not _acronym(each.text):
            told.add(index)
            yield _fault(each, "is a generic word that any document holds; write the phrase that it stands in")
    matcher = TermMatcher([each.text for each in words])
    for name, lines in {**PROSE, **(prose or {})}.items():
        lines_hit: dict[int, set[int]] = {}
        for hit in matcher.find(lines):
            lines_hit.setdefault(hit.term_index, set()).add(hit.text_index)
        for index in sorted(lines_hit):
            share = len(lines_hit[index]) / len(lines)
            if index in told or len(lines) < MIN_LINES or share <= MAX_LINE_SHARE:
                continue
            told.add(index)
            where = f"the sample of ordinary text ({name})" if name in PROSE else name
            limit = f"the limit is {MAX_LINE_SHARE:.0%}"
            yield _fault(
                words[index], f"is found on {share:.0%} of the lines of {where}, {limit}; write a longer phrase"
            )


def _fault(each: Written, reason: str) -> Fault:
    return Fault(
        severity="error" if each.kind == "primary" else "warning", file=each.file, concept=each.concept,
        reason=f"{each.told} {reason}", place=each.place,
    )  # fmt: skip


def _acronym(text: str) -> bool:
    return text.isupper() and len(text) > 1
