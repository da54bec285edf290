"""Whether a computed value follows from its inputs: code computes it again, from values that stand in cited lines."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.checks.ground import Cited, check, cited_stretch, shorten
from pipeline.generation.checks.recompute import recompute, tells_number
from pipeline.generation.checks.stated import state
from pipeline.generation.checks.words import find_words
from schemas.answer import ComputedInput, EvidenceCheck
from schemas.values import DateValue, Value


def check_computed(
    value: Value, inputs: Sequence[ComputedInput], formula: str | None, cited: Sequence[Cited]
) -> tuple[EvidenceCheck, ...]:
    """Every input stands in its own cited lines, and the formula makes the value of them."""
    if not inputs or not formula:
        return (check("computation_holds", False, "a computed value needs its inputs and its formula"),)
    for one in inputs:
        own = _lines_of(one, cited)
        if own is None:
            lines = f"lines {one.line_start}-{one.line_end}"
            return (check("computation_holds", False, f"{lines} of the input {one.name!r} are not cited"),)
        outcome = (
            state(one.value, [own, *cited]).outcome if _needs_header(one.value) else state(one.value, [own]).outcome
        )
        if not outcome.passed:
            return (check("computation_holds", False, f"the input {one.name!r}: {outcome.detail}"),)
    problem = _misfit_of_words(value, cited) or recompute(value, inputs, formula)
    stands = "; ".join(f"{one.name} in lines {one.line_start}-{one.line_end}" for one in inputs)
    if problem is not None:
        return (check("computation_holds", False, problem),)
    return (check("computation_holds", True, f"{formula}: computed again from {stands}"),)


def _misfit_of_words(value: Value, cited: Sequence[Cited]) -> str | None:
    """Why the words that a computed value is given with are neither the lines' nor the result's own."""
    words = str(getattr(value, "original", ""))
    if any(find_words(one.text, words) for one in cited):
        return None
    is_own = words == value.iso.isoformat() if isinstance(value, DateValue) else tells_number(words, value)
    return None if is_own else f"the words {shorten(words)!r} stand in no cited line, and do not tell the result"


def _lines_of(one: ComputedInput, cited: Sequence[Cited]) -> Cited | None:
    for each in cited:
        own = cited_stretch(each.passage, one.line_start, one.line_end)
        if own is not None and each.start <= own.start and own.end <= each.end:
            return own
    return None


def _needs_header(value: Value) -> bool:
    """True for a figure of a table: its currency or scale may stand in a header that is cited with it."""
    return value.kind == "amount"
