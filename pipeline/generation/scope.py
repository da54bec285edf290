"""The limits that the question sets to an answer: a date outside its range is no answer, however it is proven."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.values import find_values
from schemas.answer import DateValue, EvidenceCheck, TextValue, Value
from schemas.question import DateRange, GenerationBrief


def is_within(value: Value, span: DateRange | None) -> bool:
    """False for a date before the range or after it; True for any other value, and without a range."""
    if span is None or not isinstance(value, DateValue):
        return True
    return _holds(span, value.iso.isoformat())


def check_scope(value: Value, brief: GenerationBrief) -> Iterable[EvidenceCheck]:
    """The check of a value against the question's dates; nothing where the question sets none or the value has none.

    A date must lie in the range; of an item of a list one of the dates that its words state must.
    """
    span = brief.filters.date_range
    if span is None:
        return
    stated: list[str] = []
    if isinstance(value, DateValue):
        stated = [value.iso.isoformat()]
    elif isinstance(value, TextValue) and brief.answer_shape != "single":
        dates = (found.value for found in find_values(value.text, "date", language=brief.language))
        stated = [one.iso.isoformat() for one in dates if isinstance(one, DateValue)]
    if not stated:
        return
    limits = f"from {span.start or 'any day'} to {span.end or 'any day'}"
    within = any(_holds(span, day) for day in stated)
    yield EvidenceCheck(
        check="within_scope",
        passed=within,
        detail=f"{', '.join(stated)} {'lies' if within else 'lies not'} within what the question allows: {limits}",
    )


def _holds(span: DateRange, day: str) -> bool:
    """ISO dates compare as text."""
    return (span.start is None or span.start <= day) and (span.end is None or day <= span.end)
