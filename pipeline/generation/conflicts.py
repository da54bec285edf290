"""Values that differ on one point: what each passage says, with its quote, and in what they differ; none is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pipeline.wording import place_of
from schemas.answer import AnswerItem, Value
from schemas.conflicts import Conflict, ConflictSide
from schemas.values import ConditionalValue, wording_of

ConflictKind = Literal["value", "date", "party", "scope"]

_KINDS: dict[str, ConflictKind] = {
    "amount": "value", "percentage": "value", "duration": "value", "number": "value", "identifier": "value",
    "iban": "value", "open_end": "value", "date": "date", "relative_date": "date", "party": "party",
    "boolean": "scope", "jurisdiction": "scope",
}  # fmt: skip


def conflict_between(items: Sequence[AnswerItem], *, point: str, found_by: Literal["llm", "rules"]) -> Conflict:
    """The conflict of items that state different values on one point, its sides in the order of the document."""
    sides = tuple(sorted(map(side_of, items), key=lambda side: (side.line_start, side.line_end)))
    return Conflict(
        candidate_ids=tuple(dict.fromkeys(span.candidate_id for item in items for span in item.spans)),
        point=point,
        statement=f"{'; '.join(f'{side.place} says {side.says!r}' for side in sides)}.",
        found_by=found_by,
        kind=kind_of([item.value for item in items]),
        sides=sides,
    )


def side_of(item: AnswerItem, *, doc_id: str = "", source_name: str = "") -> ConflictSide:
    """What one item says, with its first lines; across documents the ids and places name the document too."""
    span = item.spans[0]
    place = place_of(span)
    return ConflictSide(
        candidate_id=f"{doc_id}/{span.candidate_id}" if doc_id else span.candidate_id,
        line_start=span.line_start,
        line_end=span.line_end,
        place=f"{source_name}, {place}" if source_name else place,
        says=" ".join(wording_of(item.value).split()) or _yes_or_no(item.value),
        quote=span.quote,
    )


def kind_of(values: Sequence[Value]) -> ConflictKind | None:
    """In what values differ: a figure, a day, who, for what; None for words, and for values of several kinds."""
    kinds = {_KINDS.get(_held(value).kind) for value in values}
    return next(iter(kinds)) if len(kinds) == 1 else None


def _held(value: Value) -> Value:
    """Of a value that depends the value of its first case."""
    return value.branches[0].value if isinstance(value, ConditionalValue) else value


def _yes_or_no(value: Value) -> str:
    return "yes" if getattr(value, "value", False) else "no"
