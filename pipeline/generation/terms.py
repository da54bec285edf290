# ruff: noqa: E501  # patterns are read whole, on one line
"""How long a contract runs, as its sentences state it: from what, for how long, to which day or event."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from dictionaries.folding import folded_text
from pipeline.generation.contract_dates import ContractDates
from pipeline.generation.senses import CONDITION
from pipeline.generation.statements import DateMention, Statement, owner_of
from pipeline.generation.term_wording import (
    AFTERWARDS,
    ANNIVERSARY,
    ASIDE,
    BOTH_ENDS,
    BRACKETS,
    DAY_AMONG,
    DEFINED,
    END_WORD,
    EVENT_ENDS,
    EXTENDS_ITSELF,
    INITIAL,
    LABEL,
    NAMED_TERM,
    NOT_END,
    NOT_LENGTH,
    NOTICE,
    OF_CONTRACT,
    OPEN,
    OTHER_TERM,
    OWN_YEAR,
    RENEWAL,
    RENEWAL_AFTER,
    RUNS,
    SAYS_HOW,
    STARTS,
    TERM_SUBJECT,
    THIS,
    WITHIN_IT,
)
from pipeline.values import find_values
from pipeline.values.ordinals import read_ordinal
from schemas.answer import Duration, OpenEnd, RelativeDate

END_REACH = 60  # characters between 'until' and its date: 'expire at 11:59 p.m. Eastern time on'
RENEWAL_REACH = 160  # characters before a length in which 'renewed' or 'extended' makes it that of a renewal
SEVERAL_REACH = 160  # the same in 'the later of (a) ... and (b) ...'
MIN_ROW_WORDS = 8  # of a line that looks like a row and may be a clause behind its number
MAX_LEAD = 160  # characters before the verb of a sentence whose subject is the contract


@dataclass(frozen=True, slots=True)
class TermStatement:
    """What one sentence says of how long the contract runs; `rank` 4: its initial or whole term by name, 1: by its verb.

    `until` is its last day as a date, else `length` how long it runs from `event` (the document's words, empty where
    none stands beside it), else `open_end`. `at` and `to` bound the length in the statement.
    """

    statement: Statement
    rank: int
    until: DateMention | None = None
    length: Duration | RelativeDate | None = None
    at: int = 0
    to: int = 0
    event: str = ""
    is_joined: bool = False  # the event stands right behind the length: 'one year after the Launch Date'
    open_end: OpenEnd | None = None
    is_one_of_several: bool = False


def find_terms(dates: ContractDates) -> tuple[TermStatement, ...]:
    """Sentences that say how long the contract runs, the plainest first; in each a date goes before a length.

    A length goes before 'until terminated'.
    """
    found: list[TermStatement] = []
    ends: dict[int, list[DateMention]] = {}
    for mention in dates.mentions:
        ends.setdefault(id(mention.statement), []).append(mention)
    for one in dates.statements:
        if one.sentence.kind == "row" and len(one.flat.split()) < MIN_ROW_WORDS:
            continue
        plain = EXTENDS_ITSELF.sub(_blank, ASIDE.sub(_blank, one.flat))
        rank = _rank(plain)
        if rank:
            read = _read(one, plain, rank, ends.get(id(one), ()))
            if read is not None:
                found.append(read)
    return tuple(sorted(found, key=_order))


def _order(one: TermStatement) -> tuple[int, int, int, int]:
    kind = 0 if one.until is not None or one.length is not None else 1
    return kind, -one.rank, one.statement.passage.candidate.role != "primary", one.statement.lines[0]


def _blank(match: re.Match[str]) -> str:
    """As many blanks: every other character keeps its place."""
    return " " * len(match.group(0))


def _rank(plain: str) -> int:
    """How plainly a sentence speaks of the term of the contract; 0 not at all."""
    flat = plain.strip()
    if CONDITION.match(folded_text(flat)) and not INITIAL.search(flat):
        return 0
    if OTHER_TERM.search(flat[:140]):
        return 0
    if DEFINED.search(flat):
        return 3
    runs = RUNS.search(flat)
    meant = [match for pattern in (INITIAL, OF_CONTRACT) for match in pattern.finditer(flat) if _is_meant(match, flat)]
    if meant and (runs is not None or any(SAYS_HOW.match(flat[match.end() :]) for match in meant)):
        return 4
    if runs is None:
        return 4 if LABEL.search(flat) else 0
    lead = flat[: runs.start()]
    if THIS.match(flat) or (owner_of(lead) == "own" and len(lead) < MAX_LEAD and not WITHIN_IT.search(lead)):
        return 4 if NAMED_TERM.search(flat[runs.end() :]) else 3
    if TERM_SUBJECT.search(lead):
        return 2
    return 0


def _is_meant(match: re.Match[str], flat: str) -> bool:
    """False for a term that only says when something else is done."""
    return WITHIN_IT.search(flat[: match.start()]) is None


def _read(one: Statement, plain: str, rank: int, mentions: Sequence[DateMention]) -> TermStatement | None:
    several = BOTH_ENDS.search(plain) is not None
    reach = SEVERAL_REACH if several else END_REACH
    until = next((each for each in mentions if each.value is not None and _ends(each, plain, reach)), None)
    if until is not None:
        return TermStatement(one, rank, until=until, is_one_of_several=several)
    length = _length(one, plain, mentions)
    if length is not None:
        value, at, to, event, is_joined = length
        return TermStatement(
            one, rank, length=value, at=at, to=to, event=event, is_joined=is_joined, is_one_of_several=several
        )
    open_end = _open_end(one, plain) if rank > 1 else None
    return None if open_end is None else TermStatement(one, rank, open_end=open_end)


def _open_end(one: Statement, plain: str) -> OpenEnd | None:
    """What ends the term without a date; None where a day is among the ends, or it is a renewal that runs on."""
    told = OPEN.search(plain)
    read = [
        found
        for found in find_values(one.written(0, len(plain)), "open_end")
        if plain[found.start : found.end].strip() and isinstance(found.value, OpenEnd)
    ]
    places = [told.start()] if told is not None else []
    start = min([*places, *(found.start for found in read)], default=None)
    if start is None or RENEWAL.search(plain[:start]):
        return None
    if told is not None and BOTH_ENDS.search(told.group(0)) and DAY_AMONG.search(told.group(0)):
        return None  # one of the ends is a day that could not be read
    if read:
        return read[0].value if isinstance(read[0].value, OpenEnd) else None
    if told is None:
        return None
    original = one.written(*told.span()).rstrip(" ,\n")
    until = re.sub(
        r"^(?:(?:unless\s+and\s+)?until|(?:end|terminate|expire)\w*(?:\s+automatically)?)\s+",
        "",
        " ".join(original.split()),
        flags=re.IGNORECASE,
    )
    return OpenEnd(until=until if told["until"] else None, original=original)


def _ends(mention: DateMention, plain: str, reach: int) -> bool:
    """True for a date that ends the term, and not a renewal of it."""
    lead = plain[: mention.start]
    words = list(END_WORD.finditer(lead))
    if not words or len(lead) - words[-1].end() > reach or NOT_END.search(lead):
        return False
    if mention.governed == "start" or STARTS.search(lead[words[-1].start() :]):
        return False
    return RENEWAL.search(lead[max(0, words[-1].start() - RENEWAL_REACH) : words[-1].start()]) is None


def _length(
    one: Statement, plain: str, mentions: Sequence[DateMention]
) -> tuple[Duration | RelativeDate, int, int, str, bool] | None:
    """The first length that is one of the term, with its place, the event it runs from and whether they are joined."""
    anniversary = ANNIVERSARY.search(plain)
    if anniversary is not None and not RENEWAL.search(
        plain[max(0, anniversary.start() - RENEWAL_REACH) : anniversary.start()]
    ):
        number = int(anniversary["digits"]) if anniversary["digits"] else read_ordinal(anniversary["ordinal"])
        if number and not anniversary["event"].lower().startswith(("thereof", "hereof")):
            start, end = anniversary.span()
            event, stop = _cut(one, *anniversary.span("event"))
            words = one.written(start, stop)
            value = RelativeDate(
                number=Decimal(number), unit="year", direction="after", anchor_event=event, original=words
            )
            return value, start, stop, event, True
    text = one.written(0, len(one.flat))
    for found in find_values(text, "duration"):
        if not isinstance(found.value, Duration) or found.value.unit in ("hour", "business_day"):
            continue
        before, after = plain[: found.start], plain[found.end :]
        if not plain[found.start : found.end].strip() or NOT_LENGTH.search(before) or NOTICE.search(after):
            continue
        if RENEWAL.search(before[-RENEWAL_REACH:]) or RENEWAL_AFTER.search(after) or found.value.recurring:
            continue
        event, end, is_joined = _event(one, _without_marks(plain, mentions), found.start, found.end)
        if AFTERWARDS.match(event) or OWN_YEAR.search(plain[found.start : found.end]) or WITHIN_IT.search(before):
            continue
        return found.value, found.start, end if is_joined else found.end, event, is_joined
    return None


def _without_marks(plain: str, mentions: Sequence[DateMention]) -> str:
    """The text without what stands in brackets and without the commas of its dates, every character in its place."""
    text = BRACKETS.sub(_blank, plain)
    for each in mentions:
        text = text[: each.start] + re.sub(r"[,.]", " ", text[each.start : each.end]) + text[each.end :]
    return text


def _event(one: Statement, plain: str, start: int, end: int) -> tuple[str, int, bool]:
    """The event that a length runs from: behind it, else the last that stands before it; empty without one."""
    behind = STARTS.search(plain, end)
    if behind is not None:
        gap = plain[end : behind.start()]
        if len(gap) <= 30 and re.fullmatch(
            r"\W*(?:(?:period|term|years?|thereafter|plazo|duree)?\W*(?:\([^()]*\))?\W*)", gap, re.IGNORECASE
        ):
            event, stop = _cut(one, *behind.span("event"))
            if event:
                return event, stop, not gap.strip(" ")
        elif re.search(r"commenc|begin|start", behind.group(0), re.IGNORECASE) and len(gap) <= 120 and "." not in gap:
            event, _ = _cut(one, *behind.span("event"))
            return event, end, False
    last = None
    for match in STARTS.finditer(plain, 0, start):
        last = match
    if last is None:
        return "", end, False
    event, _ = _cut(one, *last.span("event"))
    return event, end, False


def _cut(one: Statement, start: int, end: int) -> tuple[str, int]:
    """The event's own words on one line, without what the sentence goes on to say, and where they end."""
    stop = next((match for match in EVENT_ENDS.finditer(one.flat, start, end) if match.start() > start), None)
    if stop is not None:
        end = stop.start()
    written = re.sub(r"(?:[\s,;]|\b(?:and|or|y|o|et|ou)$)+$", "", one.written(start, end))
    return " ".join(written.split()), start + len(written)
