"""The record that answers a request for several named things: a field each, filled by the answer to its own part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.wording import say
from schemas.answer import Answer, AnswerItem, RecordField, RecordValue, Value

# Which kinds of value a field may hold, by the type that its own question asks for; a type that is not named holds any.
# A clause that measures in words ('not above the fees paid') is no date, name or law, and stands for the others.
_KINDS: dict[str, frozenset[str]] = {
    "party": frozenset({"party", "record", "custom"}),
    "date": frozenset({"date", "relative_date", "duration", "open_end", "conditional"}),
    "jurisdiction": frozenset({"jurisdiction", "conditional"}),
    "duration": frozenset({"duration", "open_end", "date", "relative_date", "conditional", "text"}),
    "amount": frozenset({"amount", "percentage", "number", "conditional", "text"}),
    "percentage": frozenset({"percentage", "amount", "number", "conditional", "text"}),
    "iban": frozenset({"iban"}),
    "identifier": frozenset({"identifier", "iban", "number", "custom"}),
    "address": frozenset({"address", "custom"}),
}


@dataclass(frozen=True, slots=True)
class FieldAnswer:
    """A field as asked, and the answer to its own question."""

    name: str
    answer: Answer

    @property
    def items(self) -> tuple[AnswerItem, ...]:
        """Its values of the kind that was asked for, in the answer's order; empty where there is none."""
        return tuple(one for one in self.answer.items if fits_field(one.value, self.answer.answer_type))


def fits_field(value: Value, answer_type: str) -> bool:
    """True for a value of a kind that a field of the type may hold; a clause is no party, no date and no law."""
    allowed = _KINDS.get(answer_type)
    return allowed is None or value.kind in allowed


def fields_of(whole: Answer, parts: Sequence[Answer]) -> tuple[FieldAnswer, ...]:
    """The fields of a saved record with the answers of its parts, to make it again; empty for another answer."""
    value = whole.items[0].value if whole.answer_shape == "nested_json" and whole.items else None
    names = [field.name for field in value.fields] if isinstance(value, RecordValue) else []
    return tuple(map(FieldAnswer, names, parts)) if len(names) == len(parts) else ()


def record_of(fields: Sequence[FieldAnswer]) -> AnswerItem | None:
    """One record with a field for each, in order; None where no field has a value.

    Several values of one field are a record inside, numbered from 1. What was computed keeps its inputs and formula.
    """
    given = [(field.name, item) for field in fields for item in field.items]
    if not given:
        return None
    items = [item for _, item in given]
    computed = [(name, item) for name, item in given if item.formula]
    return AnswerItem(
        value=RecordValue(fields=tuple(_field(field) for field in fields)),
        spans=tuple(dict.fromkeys(span for item in items for span in item.spans)),
        extraction_method=_method([item.extraction_method for item in items]),
        inputs=tuple(one for item in items for one in item.inputs),
        formula="; ".join(f"{name}: {item.formula}" for name, item in computed) or None,
        outcome="repaired" if any(item.outcome == "repaired" for item in items) else "verified",
        repairs=tuple(repair for item in items for repair in item.repairs),
        checks=tuple(dict.fromkeys(check for item in items for check in item.checks)),
    )


def tell_fields(fields: Sequence[FieldAnswer], language: str) -> str:
    """The fields in plain words, a line each: the words of its own answer, or that it is not stated."""
    return "\n".join(f"{field.name}: {_told(field, language)}" for field in fields)


def _field(field: FieldAnswer) -> RecordField:
    items, name = field.items, field.name
    if not items:
        return RecordField(name=name, value=None, line_start=None, line_end=None, caveat=_why_empty(field))
    caveat = " ".join(dict.fromkeys([*field.answer.caveats, *_wishes(items)])) or None
    if len(items) == 1:
        return _of(name, items[0], caveat)
    inside = tuple(_of(str(number), item, None) for number, item in enumerate(items, 1))
    starts, ends = (
        [one.line_start for one in inside if one.line_start],
        [one.line_end for one in inside if one.line_end],
    )
    value: Value = RecordValue(fields=inside)
    return RecordField(name=name, value=value, line_start=min(starts), line_end=max(ends), caveat=caveat)


def _of(name: str, item: AnswerItem, caveat: str | None) -> RecordField:
    span = item.spans[0]
    return RecordField(
        name=name, value=item.value, line_start=span.line_start, line_end=span.line_end, caveat=caveat
    )  # fmt: skip


def _wishes(items: Sequence[AnswerItem]) -> list[str]:
    return [f"In the form that was wished for: {item.wished}." for item in items if item.wished]


def _why_empty(field: FieldAnswer) -> str:
    """Why a field has no value, in one sentence; each was looked for on its own."""
    answer = field.answer
    if answer.clarification is not None:
        return f"Not looked for: {answer.clarification}"
    if answer.items:
        return f"What was found is no {answer.answer_type}: see the answer to its own question."
    if answer.status == "refused":
        return "What was proposed failed a check: see the answer to its own question."
    if answer.absence is not None and answer.absence.verdict == "proven_absent":
        return "Absent: the words searched cover the topic and the whole document was read."
    return "Looked for by itself and not found."


def _told(field: FieldAnswer, language: str) -> str:
    if not field.items or len(field.items) < len(field.answer.items):
        return say("not_stated", language)
    return " ".join(field.answer.text.split())


def _method(methods: Sequence[str]) -> str:
    """Verbatim where all are; else what takes most trust away: inferred, then computed."""
    return next((one for one in ("inferred", "computed") if one in methods), "verbatim")
