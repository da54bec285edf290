"""Negative contexts that hide the very terms that they belong to, and those that hide nothing."""

from __future__ import annotations

from collections.abc import Iterator

from dictionaries.content_rules import form_of
from dictionaries.faults import Fault
from dictionaries.file_format import DictionaryFile, Loc
from dictionaries.matching import TermMatcher


def negative_faults(parsed: DictionaryFile, file: str) -> Iterator[Fault]:
    """The faults of the negative contexts of a file, in its order."""
    for name, concept in parsed.concepts.items():
        negatives = [(index, text) for index, text in enumerate(concept.negative_contexts) if form_of(text)]
        if not negatives:
            continue
        words = concept.words.values()
        primary = [term.term for each in words for term in each.primary if form_of(term.term)]
        secondary = [term.term for each in words for term in each.secondary if form_of(term.term)]
        place: Loc = ("concepts", name, "negative_contexts")
        hits = TermMatcher([text for _, text in negatives]).find(primary)
        hidden = {hit.text_index: hit for hit in hits if hit.start == 0 and hit.end == len(primary[hit.text_index])}
        if hidden and len(hidden) == len(primary):
            reason = "the negative contexts hide every primary term wherever it stands; delete them"
            yield Fault(severity="error", file=file, concept=name, reason=reason, place=place)
        else:
            for text_index, hit in sorted(hidden.items()):
                index, negative = negatives[hit.term_index]
                reason = f"negative context {negative!r} hides the primary term {primary[text_index]!r} everywhere"
                yield Fault(severity="error", file=file, concept=name, reason=reason, place=(*place, index))
        held = {hit.text_index for hit in TermMatcher([*primary, *secondary]).find([text for _, text in negatives])}
        for at, (index, negative) in enumerate(negatives):
            if at not in held:
                reason = f"negative context {negative!r} holds no term of the concept, so it has no effect"
                yield Fault(severity="warning", file=file, concept=name, reason=reason, place=(*place, index))
