"""Whether a value is of the kind that was asked for, or one that answers in its place and says so."""

from __future__ import annotations

from pipeline.generation.checks.ground import check, with_article
from pipeline.values import VALUE_TYPES
from schemas.answer import EvidenceCheck
from schemas.values import CustomValue, Value

_STRUCTURED = ("boolean", "party", "address", "iban", "jurisdiction")
# Kinds that answer where another was asked for: 'when does it end' is answered by a day, a term, or 'it does not'.
_STAND_IN: dict[str, frozenset[str]] = {
    "date": frozenset({"duration", "relative_date", "open_end"}),
    "duration": frozenset({"date", "relative_date", "open_end"}),
    "open_end": frozenset({"date", "duration", "relative_date"}),
    "amount": frozenset({"percentage", "number"}),
    "number": frozenset({"amount", "percentage"}),
    "percentage": frozenset({"amount", "number"}),
}
_WHOLES = ("conditional", "table", "tree", "record")  # they hold values of any kind


def check_type(value: Value, answer_type: str) -> EvidenceCheck:
    """A value of the type, one that stands in for it, or the clause in words; no identifier but an identifier."""
    asked = f"a question that asks for {answer_type}"
    if isinstance(value, CustomValue):
        return check("shape_and_type", value.type_name == answer_type, f"{with_article(value.type_name)} for {asked}")
    typed = answer_type if answer_type in (*VALUE_TYPES, *_STRUCTURED) else "text"
    if value.kind == typed or value.kind in _WHOLES:
        return check("shape_and_type", True, f"{with_article(value.kind)} for {asked}")
    if typed == "text":
        fits = value.kind != "boolean"
        return check("shape_and_type", fits, f"{with_article(value.kind)} for {asked}")
    if value.kind in _STAND_IN.get(typed, ()):
        return check(
            "shape_and_type",
            True,
            f"{with_article(value.kind)} stands where {with_article(typed)} was asked for, as a caveat says",
        )
    if value.kind == "text" and typed != "identifier":
        return check(
            "shape_and_type", True, f"the clause stands where {with_article(typed)} was asked for, as a caveat says"
        )
    return check("shape_and_type", False, f"{with_article(value.kind)} for {asked}")
