"""Corruptions of correct values: one changed digit, unit, negation, line, word, day, party or range, by a seed.

Each takes an item of a real answer and gives the proposal that a careless or a dishonest source would have made of it;
None where the item has nothing of the kind. The same change is put to a saved answer by `forge`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Any

from pipeline.generation.checks.evidence import make_spans
from pipeline.generation.checks.ground import Ground
from pipeline.generation.proposal import Proposal, ProposedSpan
from pipeline.values import find_values, same_value
from schemas.answer import Answer, AnswerItem
from schemas.values import Amount, BooleanValue, DateValue, Duration, Party, TextValue, Value

_OTHER_UNITS = {
    "days": "months", "day": "month", "months": "days", "month": "day", "years": "months", "year": "month",
    "weeks": "days", "hours": "days", "quarters": "months", "business days": "days", "percent": "basis points",
    "$": "€", "€": "$", "%": "‰", "USD": "EUR", "dollars": "euros", "Dollars": "Euros",
}  # fmt: skip
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|without|nothing|none)\b ?", re.IGNORECASE)
_SYNONYMS = {
    "shall": "will", "may": "can", "agreement": "contract", "party": "side", "parties": "sides", "each": "every",
    "terminate": "end", "provide": "supply", "prior": "previous", "under": "according to", "any": "all",
    "other": "further", "written": "signed", "the": "this", "of": "for", "and": "or", "by": "through",
}  # fmt: skip
_ROLES = ("Supplier", "Buyer", "Seller", "Customer", "Company", "Licensor", "Licensee", "Distributor", "Consultant",
          "Vendor", "Client", "Manufacturer", "Franchisee", "Franchisor", "Party", "Parties")  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One item of an answer with what it was made from."""

    item: AnswerItem
    number: int  # of the item in its answer
    answer: Answer
    ground: Ground

    @property
    def proposal(self) -> Proposal:
        """The item as it was proposed, with the lines that verification left it."""
        item = self.item
        spans = tuple(ProposedSpan(span.candidate_id, span.line_start, span.line_end) for span in item.spans)
        return Proposal(
            item.value,
            spans,
            "",
            self.answer.answered_by,
            item.extraction_method,
            item.label,
            item.inputs,
            item.formula,
        )


def is_changed(case: Case, corrupted: Proposal) -> bool:
    """False for what came out the same: the item itself, or its very value in fewer of the words of its lines."""
    if (corrupted.spans, corrupted.label) != (case.proposal.spans, case.proposal.label) or corrupted.value is None:
        return True
    words = " ".join(words_of(corrupted.value).split())
    held = any(words in " ".join(span.quote.split()) for span in case.item.spans)
    is_word = isinstance(corrupted.value, TextValue | BooleanValue | Party)
    return corrupted != case.proposal and not (held and not is_word and same_value(corrupted.value, case.item.value))


def forge(case: Case, corrupted: Proposal, before: str, after: str) -> Answer:
    """The saved answer with the corruption in the item and, where its lines still exist, in their quotes.

    A changed word is changed in the quote too; the checks on record are left as they were.
    """
    spans, exists = make_spans(corrupted.spans, case.ground)
    if not exists.passed:
        spans = tuple(
            old.model_copy(
                update={"line_start": new.line_start, "line_end": new.line_end, "candidate_id": new.candidate_id}
            )
            for old, new in zip(case.item.spans, corrupted.spans, strict=True)
        )
    if before and before != after:
        spans = tuple(span.model_copy(update={"quote": _swapped(span.quote, before, after)}) for span in spans)
    changed = {"value": corrupted.value, "spans": spans, "label": corrupted.label}
    items = list(case.answer.items)
    items[case.number] = case.item.model_copy(update=changed)
    return case.answer.model_copy(update={"items": tuple(items)})


def _swapped(quote: str, before: str, after: str) -> str:
    """The quote with the words changed as the value was; as it is where the words run over lines."""
    pattern = r"\s+".join(map(re.escape, before.split()))
    return re.sub(pattern, lambda _: after, quote, count=1)


def words_of(value: Value) -> str:
    """The words of a value that a source would copy."""
    match value:
        case TextValue():
            return value.text
        case BooleanValue():
            return value.clause or ""
        case Party():
            return value.name
    return str(getattr(value, "original", getattr(value, "text", "")))


def with_words(value: Value, words: str) -> Value:
    """The value with other words, read again as what it is where they can be read."""
    match value:
        case TextValue():
            return value.model_copy(update={"text": words})
        case BooleanValue():
            return value.model_copy(update={"clause": words})
        case Party():
            return value.model_copy(update={"name": words, "original": words})
    read = [found.value for found in find_values(words, value.kind)]
    return read[0] if len(read) == 1 else value.model_copy(update={"original": words})


def _digit(case: Case, chance: Random) -> Proposal | None:
    value, words = case.item.value, words_of(case.item.value)
    places = [match.start() for match in re.finditer(r"\d", words)]
    number = next(
        (name for name in ("value", "number") if hasattr(value, name) and not isinstance(value, BooleanValue)), None
    )
    if number is not None and (not places or chance.random() < 0.4):
        return replace(
            case.proposal, value=value.model_copy(update={number: getattr(value, number) + chance.choice((1, 2, 10))})
        )
    if not places:
        return None
    at = chance.choice(places)
    other = chance.choice([digit for digit in "123456789" if digit != words[at]])
    return replace(case.proposal, value=with_words(value, words[:at] + other + words[at + 1 :]))


def _unit(case: Case, chance: Random) -> Proposal | None:
    value, words = case.item.value, words_of(case.item.value)
    if isinstance(value, Duration) and chance.random() < 0.5:
        other = chance.choice([unit for unit in ("day", "month", "year", "business_day") if unit != value.unit])
        return replace(case.proposal, value=value.model_copy(update={"unit": other}))
    if isinstance(value, Amount) and chance.random() < 0.5:
        return replace(
            case.proposal, value=value.model_copy(update={"currency": "EUR" if value.currency != "EUR" else "USD"})
        )
    held = [unit for unit in _OTHER_UNITS if re.search(rf"(?<!\w){re.escape(unit)}(?!\w)|^{re.escape(unit)}", words)]
    if not held or isinstance(value, DateValue):
        return None
    unit = chance.choice(sorted(held))
    changed = re.sub(rf"(?<!\w){re.escape(unit)}(?!\w)", _OTHER_UNITS[unit], words, count=1)
    return replace(case.proposal, value=with_words(value, changed)) if changed != words else None


def _negation(case: Case, chance: Random) -> Proposal | None:
    value, words = case.item.value, words_of(case.item.value)
    if isinstance(value, BooleanValue) and not value.value and chance.random() < 0.5:
        return replace(case.proposal, value=value.model_copy(update={"value": True, "negation": None}))
    places = list(_NEGATION.finditer(words))
    if not places or not isinstance(value, TextValue | BooleanValue):
        return None
    match = chance.choice(places)
    if chance.random() < 0.5 and len(words) - match.end() > 20:
        return replace(
            case.proposal, value=with_words(value, words[match.end() :])
        )  # cut off with what stands before it
    return replace(
        case.proposal, value=with_words(value, " ".join((words[: match.start()] + words[match.end() :]).split()))
    )


def _neighbour(case: Case, chance: Random) -> Proposal | None:
    at = chance.randrange(len(case.item.spans))
    span = case.proposal.spans[at]
    passage = case.ground.passages.get(span.candidate_id)
    ids = [line.line_id for line in passage.lines] if passage is not None else []
    length = span.line_end - span.line_start + 1
    moves = [move for move in (1, -1, length, -length) if {span.line_start + move, span.line_end + move} <= set(ids)]
    if not moves:
        return None
    move = chance.choice(moves)
    moved = replace(span, line_start=span.line_start + move, line_end=span.line_end + move)
    spans = case.proposal.spans
    return replace(case.proposal, spans=(*spans[:at], moved, *spans[at + 1 :]))


def _paraphrase(case: Case, chance: Random) -> Proposal | None:
    value, words = case.item.value, words_of(case.item.value)
    tokens = words.split(" ")
    if isinstance(value, DateValue):
        return replace(
            case.proposal,
            value=value.model_copy(update={"original": f"{value.iso.day} day of {value.iso:%B}, {value.iso.year}"}),
        )
    if isinstance(value, Duration):
        told = f"{value.number} whole {value.unit}s"
        return replace(case.proposal, value=value.model_copy(update={"original": told}))
    held = [at for at, token in enumerate(tokens) if token.lower() in _SYNONYMS]
    if held and chance.random() < 0.6:
        at = chance.choice(held)
        tokens[at] = _SYNONYMS[tokens[at].lower()]
    elif len(tokens) > 4:
        at = chance.randrange(1, len(tokens) - 2)
        if chance.random() < 0.5 or tokens[at] == tokens[at + 1]:
            del tokens[at]
        else:
            tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
    else:
        tokens = [f"{tokens[0]}s", *tokens[1:]] if tokens[0] else tokens
    return replace(case.proposal, value=with_words(value, " ".join(tokens)))


def _date(case: Case, chance: Random) -> Proposal | None:
    value, words = case.item.value, words_of(case.item.value)
    if isinstance(value, DateValue):
        shifted = value.iso + timedelta(days=chance.choice((1, -1, 30, -31, 365, -365)))
        update: dict[str, Any] = {"iso": shifted}
        if chance.random() < 0.5:
            update["original"] = f"{shifted:%B} {shifted.day}, {shifted.year}"
        return replace(case.proposal, value=value.model_copy(update=update))
    found = [one for one in find_values(words, "date") if isinstance(one.value, DateValue)]
    if not found or isinstance(value, Party):
        return None
    one = chance.choice(found)
    day: date = one.value.iso + timedelta(days=chance.choice((1, -1, 31, 366)))  # type: ignore[union-attr]
    shifted_words = f"{words[: one.start]}{day:%B} {day.day}, {day.year}{words[one.end :]}"
    return replace(case.proposal, value=with_words(value, shifted_words))


def _party(case: Case, chance: Random) -> Proposal | None:
    value, words = case.item.value, words_of(case.item.value)
    others = [item for at, item in enumerate(case.answer.items) if at != case.number and item.value.kind == value.kind]
    if case.answer.answer_type == "party" and others:
        other = chance.choice(others)
        if isinstance(value, Party) and isinstance(other.value, Party):
            if value.role is None or other.value.role is None or value.role == other.value.role:
                return None
            return replace(case.proposal, value=value.model_copy(update={"role": other.value.role}))
        if case.item.label and other.label and words != words_of(other.value):
            swapped = {"value": other.value} if chance.random() < 0.5 else {"label": other.label}
            return replace(case.proposal, **swapped)  # type: ignore[arg-type]
        return None
    if not isinstance(value, TextValue | BooleanValue):
        return None
    held = [role for role in _ROLES if re.search(rf"\b{role}\b", words)]
    if not held:
        return None
    role = chance.choice(held)
    near = [other for other in _ROLES if other != role and re.search(rf"\b{other}\b", case.item.spans[0].quote)]
    other_role = chance.choice(near or [other for other in _ROLES[:8] if other != role])
    return replace(case.proposal, value=with_words(value, re.sub(rf"\b{role}\b", other_role, words, count=1)))


def _range(case: Case, chance: Random) -> Proposal | None:
    span = case.proposal.spans[0]
    passage = case.ground.passages[span.candidate_id]
    first, last = passage.lines[0].line_id, passage.lines[-1].line_id
    moved = chance.choice(
        [
            replace(span, line_end=last + chance.randrange(1, 40)),
            replace(span, line_start=last + 5, line_end=last + 7),
            replace(span, line_start=max(1, first - chance.randrange(1, 9)))
            if first > 1
            else replace(span, line_end=last + 1),
            replace(span, candidate_id=f"{span.candidate_id}x"),
            replace(span, line_start=span.line_end + 1, line_end=span.line_start),
        ]
    )
    return replace(case.proposal, spans=(moved, *case.proposal.spans[1:]))


KINDS: Mapping[str, Callable[[Case, Random], Proposal | None]] = {
    "digit changed": _digit,
    "unit changed": _unit,
    "negation dropped": _negation,
    "neighbouring line cited": _neighbour,
    "quote paraphrased": _paraphrase,
    "date shifted": _date,
    "party swapped": _party,
    "line out of range": _range,
}
