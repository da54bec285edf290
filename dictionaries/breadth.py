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
MIN_DIGITS = 5  # of a number that is rare enough to be a name; years and most amounts have fewer
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
        elif each.kind == "primary" and _bare_number(each.text):
            told.add(index)
            yield _fault(each, "is a bare number, which proves nothing; write the phrase that it stands in")
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


def alike_faults(words: Sequence[Written]) -> Iterator[Fault]:
    """A warning a term that is the same to the matcher as another of its concept and language: plural, hyphen, case."""
    from dictionaries.matching import TermMatcher

    groups: dict[tuple[str, str], list[Written]] = {}
    for each in words:
        if each.kind != "questions" and "*" not in each.text:
            groups.setdefault((each.concept, each.language), []).append(each)
    for group in groups.values():
        texts = [each.text for each in group]
        found = {
            (hit.term_index, hit.text_index)
            for hit in TermMatcher(texts).find(texts)
            if hit.start == 0 and hit.end == len(texts[hit.text_index])
        }
        for first, second in sorted(found):
            if first < second and (second, first) in found:
                reason = f"{group[second].told} is the same as {texts[first]!r} to the matcher; delete one"
                yield Fault(
                    severity="warning", file=group[second].file, concept=group[second].concept, reason=reason,
                    place=group[second].place, other=group[first].place,
                )  # fmt: skip


def _bare_number(text: str) -> bool:
    """True for a number, year or amount without a word and with few digits: '2016/679' is the name of a law."""
    digits = sum(letter.isdecimal() for letter in text)
    return 0 < digits < MIN_DIGITS and not any(letter.isalpha() for letter in text)


def _fault(each: Written, reason: str) -> Fault:
    return Fault(
        severity="error" if each.kind == "primary" else "warning", file=each.file, concept=each.concept,
        reason=f"{each.told} {reason}", place=each.place,
    )  # fmt: skip


def _acronym(text: str) -> bool:
    return text.isupper() and len(text) > 1
