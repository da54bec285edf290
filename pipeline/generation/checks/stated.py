"""Whether a value stands in the lines it cites, as what it is, and in which words of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.generation.checks.ground import Cited, check, shorten, with_article
from pipeline.generation.checks.nested import check_nested
from pipeline.generation.checks.parties import is_label, is_quoted, misfit_of_role
from pipeline.generation.checks.readings import misread, reads_from_header
from pipeline.generation.checks.words import Stretch, find_words, nearest_set
from pipeline.values.equality import plain
from schemas.answer import EvidenceCheck
from schemas.values import (
    Address,
    Amount,
    BooleanValue,
    ConditionalValue,
    DateValue,
    Duration,
    Identifier,
    OpenEnd,
    Party,
    Percentage,
    RecordValue,
    RelativeDate,
    TableValue,
    TextValue,
    TreeValue,
    Value,
    wording_of,
)

MAX_PLACES = 12  # places of the same words that are read; a value that stands more often is a running word


@dataclass(frozen=True, slots=True)
class Stated:
    """The check that a value stands in its lines, and where its words do; no place where they do not, or need none."""

    outcome: EvidenceCheck
    place: tuple[Cited, Stretch] | None = None


def state(value: Value, cited: Sequence[Cited]) -> Stated:
    """Whether the value stands in the cited stretches: its words whole, every typed field as they read."""
    nested = check_nested(value, cited, state)
    pieces = words_of(value)
    if nested or (nested is not None and not pieces):
        return _stated(not nested, nested or f"every part of the {value.kind} stands in its own lines")
    if not pieces:
        return _stated(True, f"the clause is cited whole{tell_fields(value)}")
    places = list(find_places(pieces, cited, role=role_of(value)))
    if not places and _stands_across(pieces, cited):
        misfit = misfit_of_role(_joined(cited), value.name, value.role) if isinstance(value, Party) else None
        told = f"{_named(value)} stands in the cited lines, taken together{tell_fields(value)}"
        return _stated(misfit is None, misfit or told)
    if not places:
        missing = next((words for words in pieces if not any(find_words(one.text, words) for one in cited)), pieces[0])
        return _stated(False, f"the words {shorten(missing)!r} do not stand in the lines")
    problem: str | None = None
    for one, stretch in places[:MAX_PLACES]:
        problem = misread(value, one, stretch, cited)
        if problem is None:
            return Stated(check("value_in_lines", True, _tell(value, cited)), (one, stretch))
    return Stated(check("value_in_lines", False, problem or "the value does not stand in the lines"), places[0])


def find_places(
    pieces: Sequence[str], cited: Sequence[Cited], *, role: str | None = None
) -> Iterator[tuple[Cited, Stretch]]:
    """Where all the words stand together, in offsets of the passage: stretch after stretch, in order.

    `role` is the short name of a party: where the passage has it in quotation marks, it counts only there or as the
    label of a line ('Buyer: X Ltd.'), and not as a word of the name ('Rubicon' in 'Rubicon Software plc').
    """
    for one in cited:
        places = []
        for words in pieces:
            held = find_words(one.passage.text, words, one.start, one.end)
            if words == role and any(is_quoted(one.passage.text, at) for at in find_words(one.passage.text, words)):
                held = tuple(at for at in held if is_quoted(one.passage.text, at) or is_label(one.passage.text, at))
            places.append(held)
        if all(places):
            yield from ((one, stretch) for stretch in nearest_set(places))


def role_of(value: Value) -> str | None:
    """The short name of a party; None for anything else."""
    return value.role if isinstance(value, Party) else None


def words_of(value: Value) -> tuple[str, ...]:
    """The words of a value that must stand in its lines, the telling ones first; empty for a bare yes or no."""
    match value:
        case TextValue() | Identifier():
            return tuple(piece for piece in value.text.split("\n") if piece.strip()) or ("",)
        case BooleanValue():
            own = (value.clause,) if value.clause else (value.negation, *value.exceptions)
        case Party():
            own = (value.name, value.role, value.legal_form, value.original)
        case Address():
            parts = (value.street, value.postal_code, value.city, value.region, value.country)
            own = (value.original, *parts)
        case ConditionalValue():
            own = (value.original, *(branch.condition for branch in value.branches))
        case RecordValue() | TableValue() | TreeValue():
            own = ()
        case _:
            own = (value.original, *_further_words(value))
    return tuple(words for words in own if words and words.strip())


def tell_fields(value: Value) -> str:
    """The typed fields of a value, words that are told anyway left out: ' (value 5000, currency EUR)'."""
    fields = value.model_dump(mode="json", exclude_none=True, exclude={"kind", "original", "text", "clause"})
    told = ", ".join(f"{name} {shorten(str(content))}" for name, content in fields.items() if content not in ([], ""))
    return f" ({told})" if told else ""


def _tell(value: Value, cited: Sequence[Cited]) -> str:
    if isinstance(value, Amount) and reads_from_header(value, cited):
        return f"{shorten(value.original)!r} stands in the row, the currency in the column header"
    return f"{_named(value)} stands in the lines{tell_fields(value)}"


def _named(value: Value) -> str:
    """The value in one noun: 'an amount equal to 'EUR 5,000''."""
    if isinstance(value, TextValue | Identifier):
        return f"the wording {shorten(value.text)!r}"
    if isinstance(value, BooleanValue):
        return f"the clause {shorten(value.clause or '')!r}"
    return f"{with_article(value.kind)} equal to {shorten(wording_of(value))!r}"


def _stated(passed: bool, detail: str) -> Stated:
    return Stated(check("value_in_lines", passed, detail))


def _further_words(value: Value) -> tuple[str | None, ...]:
    """Words beside the value's own that it gives as the document's."""
    match value:
        case DateValue():
            return (value.anchor_event,)
        case RelativeDate():
            return (value.anchor_event,)
        case Duration():
            return (value.starts,)
        case OpenEnd():
            return (value.until,)
        case Percentage():
            return (value.basis,)
        case Amount():
            return (value.basis,) if value.basis and "per" not in plain(value.basis).split() else ()
    return ()


def _stands_across(pieces: Sequence[str], cited: Sequence[Cited]) -> bool:
    """True where words run over from one cited stretch into the next, as over a page break; of running text alone."""
    return len(cited) > 1 and all(find_words(_joined(cited), words) for words in pieces)


def _joined(cited: Sequence[Cited]) -> str:
    """The cited lines in the order of the document."""
    ordered = sorted(cited, key=lambda one: one.passage.lines[one.passage.line_index(one.start)].line_id)
    return "\n".join(one.text for one in ordered)


Stating = Callable[[Value, Sequence[Cited]], Stated]
