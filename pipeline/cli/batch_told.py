"""What a batch came to, and what it would cost, for a person and for a program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cli.output import plain

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pipeline.batch.running import Outcome
    from schemas.batch import BatchPlan

MAX_TOLD = 10  # changes and notes told; the rest is counted
WORDS = {
    "answered": "answered", "partial": "answered in part", "not_found": "not found", "refused": "refused",
    "needs_clarification": "unclear question", "out_of_scope": "out of scope", "not_asked": "not asked",
    "failed": "failed",
}  # fmt: skip


def told_in_words(outcome: Outcome, path: Path, notes: tuple[str, ...]) -> list[RenderableType]:
    """The end of a batch for a person."""
    from rich.text import Text

    total = sum(outcome.by_status.values())
    lines = [f"{outcome.batch}: {total:,} cells, {outcome.cells_from_cache:,} of them were in the store"]
    lines += [f"  {count:>8,}  {WORDS[status]}" for status, count in sorted(outcome.by_status.items())]
    if outcome.spent.calls:
        money = f", {outcome.spent.amount:.4f} {outcome.spent.currency}" if outcome.spent.amount is not None else ""
        lines.append(f"  {outcome.spent.calls:,} calls to the model{money}")
    if outcome.stopped_because:
        lines.append(f"stopped before the end: {outcome.stopped_because}")
        lines.append(f"go on with: lineproof batch --resume {outcome.batch}")
    lines += listed("changed since the last session", outcome.changed)
    lines += listed("note", notes)
    parts: list[RenderableType] = [Text(plain("\n".join(lines)))]
    results = Text(f"results: {plain(str(path), keep_lines=False)}")
    results.no_wrap = True
    return [*parts, results]


def told_as_json(outcome: Outcome, path: Path, notes: tuple[str, ...]) -> dict[str, Any]:
    """The same for a program."""
    return {
        "batch": outcome.batch,
        "results": str(path),
        "by_status": dict(outcome.by_status),
        "cells_from_cache": outcome.cells_from_cache,
        "spent": outcome.spent.model_dump(mode="json"),
        "stopped_because": outcome.stopped_because,
        "changed": list(outcome.changed),
        "notes": list(notes),
    }


def plan_in_words(plan: BatchPlan, notes: tuple[str, ...]) -> list[RenderableType]:
    """A plan for a person."""
    from rich.text import Text

    about = f" (about {plan.pages_estimated:,} of them estimated)" if plan.pages_estimated else ""
    lines = [
        f"documents: {plan.document_count:,}, {plan.unreadable_count:,} of them unreadable",
        f"pages: {plan.page_count:,}{about}",
        f"questions: {plan.question_count:,}",
        f"cells: {plan.cell_count:,}",
        f"  in the store already: {plan.cached_cells:,}",
        f"  out of scope: {plan.out_of_scope:,}",
        f"  to ask: {plan.cells_to_ask:,}",
        f"model calls: {plan.expected_calls:,} expected, {plan.max_calls:,} at most",
        f"tokens: {plan.input_tokens:,} read, {plan.output_tokens:,} written",
    ]
    if plan.amount is not None:
        lines.append(
            f"money: {plan.amount:,.2f} {plan.currency} expected, {plan.max_amount:,.2f} at most ({plan.price_source})"
        )
    lines.append(f"time: about {told_time(plan.seconds)}")
    lines += listed("on what this rests", plan.basis)
    lines += listed("note", notes)
    return [Text(plain("\n".join(lines)))]


def listed(title: str, sentences: tuple[str, ...]) -> list[str]:
    """A title with what belongs under it; empty for nothing."""
    if not sentences:
        return []
    more = [f"  and {len(sentences) - MAX_TOLD} more"] if len(sentences) > MAX_TOLD else []
    return [f"{title}:", *(f"  {plain(one, keep_lines=False)}" for one in sentences[:MAX_TOLD]), *more]


def told_time(seconds: float) -> str:
    """A time in words: '45 s', '3 min', '2 h 10 min'."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
