"""The figures of a value and the negations around its words: what a careless copy drops or changes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.generation.checks.ground import Cited, check, shorten
from pipeline.generation.checks.words import Stretch, sentences_around
from pipeline.generation.passages import Passage
from pipeline.generation.polarity import NEGATION, Polarity, polarity_of
from pipeline.values.equality import plain
from pipeline.values.found import fold
from schemas.answer import EvidenceCheck
from schemas.values import Amount, BooleanValue, Identifier, Party, RecordValue, TextValue, Value, wording_of

_FIGURE = re.compile(r"\d[\d.,'/:-]*\d|\d|[$€£¥%]")
_CLAUSE_START = re.compile(r"[,;:.]\s")
NEGATION_REACH = 60  # characters before cut words in which a negation turns their meaning
_PREFIX = re.compile(r"non[-‐‑]\w", re.IGNORECASE)
_NEGATION_NEXT = re.compile(r"\s*(?:\w+\s+)?(?:not|never|no|neither|nor)\b", re.IGNORECASE)  # 'shall | not sell'


def check_figures(value: Value, cited: Sequence[Cited]) -> EvidenceCheck:
    """Every figure and sign of the value's own words stands in the cited lines."""
    match value:
        case TextValue() | Identifier():
            written = [value.text]
        case BooleanValue():
            written = [value.clause or "", value.negation or "", *value.exceptions]
        case Amount():
            written = [value.original, value.basis or ""]
        case Party():
            written = [value.name, value.original, value.role or ""]
        case RecordValue():
            written = [wording_of(field.value) for field in value.fields if field.value is not None]
        case _:
            written = [wording_of(value)]
    figures = [figure for text in written for figure in _FIGURE.findall(fold(text))]
    held = set(_FIGURE.findall(" ".join(fold(one.text) for one in cited)))
    missing = [figure for figure in figures if figure not in held and figure.rstrip(".,") not in held]
    detail = (
        f"the figure {missing[0]!r} does not stand in the lines"
        if missing
        else f"{len(figures)} figure{'' if len(figures) == 1 else 's'} of the value compared with the lines"
    )
    return check("figures_in_lines", not missing, detail)


def check_negation(
    value: Value, place: tuple[Cited, Stretch] | None, cited: Sequence[Cited], question: str
) -> EvidenceCheck:
    """A yes or no is what its clause says; words are not cut out of a clause that negates them."""
    if isinstance(value, BooleanValue):
        return _check_boolean(value, place, cited, question)
    if isinstance(value, TextValue) and place is not None:
        cut = _negation_cut_off(place[0].passage, place[1])
        detail = f"the words around it negate it: {cut!r}" if cut else "no negation was cut off around the words"
        return check("negation_kept", cut is None, detail)
    return check("negation_kept", True, "a value of this kind carries no negation")


def find_negation(text: str) -> str | None:
    """The first words that negate, as 'not'; None without any. 'Non-Disclosure' names a thing and negates no clause."""
    return next((match.group(0) for match in NEGATION.finditer(text) if not _PREFIX.match(text, match.start())), None)


def _check_boolean(
    value: BooleanValue, place: tuple[Cited, Stretch] | None, cited: Sequence[Cited], question: str
) -> EvidenceCheck:
    clause = value.clause or " ".join(" ".join(one.text for one in cited).split())
    told = _verdict(clause, place, question)
    if told is not None and told.value is not None and told.value != value.value:
        said = f"{'yes' if told.value else 'no'} ({told.words!r})"
        return check("negation_kept", False, f"the cited clause says {said}")
    if value.value and value.negation is not None:
        return check("negation_kept", False, f"a yes is given with words that make it a no: {value.negation!r}")
    if not value.value and value.negation is None:
        return check("negation_kept", False, "a no needs the words that make it one")
    outside = [words for words in (value.negation, *value.exceptions) if words and plain(words) not in plain(clause)]
    if outside:
        return check("negation_kept", False, f"{shorten(outside[0])!r} does not stand in the clause")
    if not value.value and told is None and not _negates(value.negation or ""):
        return check("negation_kept", False, f"the words {shorten(value.negation or '')!r} negate nothing")
    answer = "yes" if value.value else f"no ({shorten(value.negation or '')!r})"
    return check("negation_kept", True, f"{answer} agrees with the negations of the cited clause")


def _verdict(clause: str, place: tuple[Cited, Stretch] | None, question: str) -> Polarity | None:
    """What the clause says to the question: its first sentence, and all of it where that one does not tell."""
    if place is not None:
        passage, start = place[0].passage, place[1][0]
        around = sentences_around(passage, (start, start + 1))
        told = polarity_of(passage.words(around[0]), question) if around else None
        if told is not None and told.value is not None:
            return told
    return polarity_of(clause, question)


def _negates(words: str) -> bool:
    return (
        NEGATION.search(fold(words)) is not None
        or re.search(r"\b(?:prohib|forbid|exclu|interd)", plain(fold(words))) is not None
    )


def _negation_cut_off(passage: Passage, stretch: Stretch) -> str | None:
    """The negation in the same clause right before or after the words, where the words leave it out."""
    text = passage.text
    around = sentences_around(passage, stretch)
    opens = any(one.start == stretch[0] for one in around)
    before = plain(text[max(0, stretch[0] - NEGATION_REACH) : stretch[0]] + "|").removesuffix("|")
    clause = before[[0, *[match.end() for match in _CLAUSE_START.finditer(before)]][-1] :]
    words = None if opens else find_negation(clause)
    if words is not None:
        return words
    ends = any(one.end == stretch[1] for one in around) or not text[stretch[0] : stretch[1]].rstrip()[-1:].isalnum()
    after = None if ends else _NEGATION_NEXT.match(text, stretch[1])
    return " ".join(after.group(0).split()) if after is not None else None
