"""Whether a computed value follows from its inputs: code computes it again, from values that stand in cited lines."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.checks.ground import Cited, check, cited_stretch
from pipeline.generation.checks.recompute import recompute
from pipeline.generation.checks.stated import state
from schemas.answer import ComputedInput, EvidenceCheck
from schemas.values import Value


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
    problem = recompute(value, inputs, formula)
    stands = "; ".join(f"{one.name} in lines {one.line_start}-{one.line_end}" for one in inputs)
    if problem is not None:
        return (check("computation_holds", False, problem),)
    return (check("computation_holds", True, f"{formula}: computed again from {stands}"),)


def _lines_of(one: ComputedInput, cited: Sequence[Cited]) -> Cited | None:
    for each in cited:
        own = cited_stretch(each.passage, one.line_start, one.line_end)
        if own is not None and each.start <= own.start and own.end <= each.end:
            return own
    return None


def _needs_header(value: Value) -> bool:
    """True for a figure of a table: its currency or scale may stand in a header that is cited with it."""
    return value.kind == "amount"
