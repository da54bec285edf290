"""Format wishes that an answer does not meet: told, since values are given as the document writes them."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.answer import Amount, AnswerItem, DateValue, Duration
from schemas.question import FormatConstraint, GenerationBrief


def unmet_wishes(brief: GenerationBrief, items: Sequence[AnswerItem]) -> tuple[str, ...]:
    """One sentence where the user wished for a form that the values do not have; empty for none."""
    wished = brief.format_constraint
    if not items or not brief.format_wishes or wished == FormatConstraint():
        return ()
    if all(_meets(item, wished) for item in items):
        return ()
    wishes = ", ".join(f"'{wish}'" for wish in brief.format_wishes)
    return (f"Values are given as the document writes them; not carried out: {wishes}.",)


def _meets(item: AnswerItem, wished: FormatConstraint) -> bool:
    """True for a value that already has the form; a wish for a layout or a language is met by no value as it stands."""
    value = item.value
    if wished.layout or wished.language or wished.max_sentences or wished.decimals is not None:
        return False
    if isinstance(value, Amount):
        return wished.scale is None and wished.currency in (None, value.currency)
    if isinstance(value, Duration):
        return wished.period in (None, f"{value.unit}s")
    if isinstance(value, DateValue):
        return wished.date_format in (None, "ISO" if value.original == value.iso.isoformat() else "")
    return wished == FormatConstraint()
