# ruff: noqa: E501  # patterns are read whole, on one line
"""The day a contract ends: as it is written, or computed from where its term begins and how long it is."""

from __future__ import annotations

import re

from pipeline.generation.contract_dates import ContractDates, Pinned
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.statements import compile_words
from pipeline.generation.terms import TermStatement, find_terms
from pipeline.values.arithmetic import Named
from pipeline.values.calendar import end_term
from schemas.answer import ComputedInput, DateValue, Duration, OpenEnd, RelativeDate

_LATER = compile_words(
    r"\b(?:later|latest|longer|longest) of\b|\bwhichever (?:is|occurs|comes|shall be) (?:the )?(?:later|last|longer)|\blo que (?:ocurra|suceda) (?:despues|mas tarde|ultimo)|\bla (?:derniere|plus tardive) de(?:s)? "
)


def pick_expiration(dates: ContractDates, answer_type: str) -> Draft:
    """When the contract ends, or for `duration` how long it runs; empty, with the reason, where it is not stated."""
    terms = find_terms(dates)
    if not terms:
        return Draft((), caveats=("None of the passages states when the agreement ends or how long it runs.",))
    best = terms[0]
    if answer_type == "duration":
        best = next((one for one in terms if one.length is not None and one.rank >= best.rank - 1), best)
        return _as_length(best)
    return _as_end(best, dates)


def _as_length(one: TermStatement) -> Draft:
    if one.length is not None:
        return Draft((_propose(one, one.length, one.length.original),))
    if one.open_end is not None:
        return Draft((_propose(one, one.open_end, one.open_end.original),))
    if one.until is not None and one.until.value is not None:
        caveat = "The passages state no duration; they state the day on which the term ends."
        return Draft((_propose(one, one.until.value, one.until.value.original),), (caveat,), is_partial=True)
    return Draft(())


def _as_end(one: TermStatement, dates: ContractDates) -> Draft:
    caveats = _several(one)
    if one.until is not None and one.until.value is not None:
        return Draft((_propose(one, one.until.value, one.until.value.original),), caveats)
    if one.open_end is not None:
        return Draft((_propose(one, one.open_end, one.open_end.original),), caveats)
    if one.length is None:
        return Draft(())
    start, name, told = _start(one, dates)
    computed = _computed(one, start, name) if start is not None else None
    if computed is None:
        return _not_computed(one, caveats)
    proposal, other = computed
    return Draft((proposal,), (*told, *((other,) if other else ()), *caveats))


def _several(one: TermStatement) -> tuple[str, ...]:
    if not one.is_one_of_several:
        return ()
    words = one.statement.passage.words(one.statement.sentence)
    return (f'The clause names several ends; this is the one that can be told as a date: "{words}"',)


def _computed(one: TermStatement, start: Pinned, name: str) -> tuple[Proposal, str] | None:
    """The anniversary with its inputs, and the other reading in words; None where no day can be counted."""
    if one.length is None:
        return None
    length = one.length
    if isinstance(length, RelativeDate):
        length = Duration(number=length.number, unit=length.unit, original=length.original)
    ends = end_term(Named(name, start.value), Named("term", length))
    last, eve = ends.anniversary.value, ends.day_before.value
    if not isinstance(last, DateValue) or not isinstance(eve, DateValue):
        return None
    first, final = one.statement.lines
    inputs = (start.as_input(name), ComputedInput(name="term", value=one.length, line_start=first, line_end=final))
    value = DateValue(iso=last.iso, anchor_event=name, original=one.length.original)
    told = f"{ends.anniversary.formula} ({ends.anniversary.convention})"
    words = " ".join(one.length.original.split())
    spans = _distinct((one.statement.span, *start.spans))
    proposal = Proposal(value, spans, words, "rules", "computed", inputs=inputs, formula=told)
    if eve.iso == last.iso or isinstance(one.length, RelativeDate):  # the document itself says 'anniversary'
        return proposal, ""
    return (
        proposal,
        f"The day is the anniversary; read as a term whose first day counts, the last day is {eve.iso.isoformat()}.",
    )


def _distinct(spans: tuple[ProposedSpan, ...]) -> tuple[ProposedSpan, ...]:
    """Each line range once, whichever candidate it is cited from."""
    return tuple({(span.line_start, span.line_end): span for span in reversed(spans)}.values())[::-1]


def _not_computed(one: TermStatement, caveats: tuple[str, ...]) -> Draft:
    """The term as it stands, where the event it runs from has no date in the passages."""
    if one.length is None:
        return Draft(())
    later = _LATER.search(one.statement.flat) if one.is_one_of_several else None
    if later is not None:
        return _until_later(one, min(later.start(), one.at))
    if isinstance(one.length, RelativeDate):
        proposal = _propose(one, one.length, one.length.original)
    elif one.is_joined and one.event:
        original = one.statement.written(one.at, one.to)
        value = RelativeDate(
            number=one.length.number, unit=one.length.unit, direction="after", anchor_event=one.event, original=original
        )
        proposal = _propose(one, value, original)
    else:
        proposal = _propose(one, one.length, one.length.original)
    event = f"'{one.event}'" if one.event else "the beginning of the term"
    caveat = f"No day can be told: the passages give no date for {event}; the term is given as it stands."
    return Draft((proposal,), (caveat, *caveats), is_partial=True)


def _until_later(one: TermStatement, start: int) -> Draft:
    """'The later of ten years from the launch and the end of the last patent': open, for nobody can date both."""
    end = len(one.statement.flat.rstrip(" .;"))
    original = one.statement.written(start, end)
    value = OpenEnd(until=" ".join(original.split()), original=original)
    caveat = "The term ends with the later of several ends, and the passages date none of them."
    return Draft((_propose(one, value, original),), (caveat,), is_partial=True)


def _start(one: TermStatement, dates: ContractDates) -> tuple[Pinned | None, str, tuple[str, ...]]:
    """The date from which the term runs, what it is called, and what a reader must know of the choice."""
    if one.event:
        begun = dates.resolve(one.event, one.statement)
        name = re.sub(r"^(?:the|its|la|el|le|l')\s+", "", one.event, flags=re.IGNORECASE)
        return (
            begun,
            name if begun is None or begun.value.original not in one.event else "start of the term",
            begun.caveats if begun else (),
        )
    if dates.effective:
        caveat = "The clause does not say from when the term runs; it is counted from the effective date."
        return dates.effective[0], "Effective Date", (caveat, *dates.effective[0].caveats)
    if dates.made and dates.made[0].tier <= 4:
        caveat = "The clause does not say from when the term runs; it is counted from the date of the agreement."
        return dates.made[0], "date of the agreement", (caveat, *dates.made[0].caveats)
    return None, "", ()


def _propose(one: TermStatement, value: DateValue | Duration | RelativeDate | object, words: str) -> Proposal:
    return Proposal(value, (one.statement.span,), words, "rules")  # type: ignore[arg-type]
