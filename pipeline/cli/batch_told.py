"""What a batch came to, and what it would cost, for a person and for a program."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cli.output import plain

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pipeline.batch.running import Outcome
    from schemas.batch import BatchPlan, DocumentCells

MAX_TOLD = 10  # changes and notes told; the rest is counted
WORDS = {
    "answered": "answered", "partial": "answered in part", "not_found": "not found", "refused": "refused",
    "needs_clarification": "unclear question", "out_of_scope": "out of scope", "not_asked": "not asked",
    "failed": "failed",
}  # fmt: skip


@dataclass(slots=True)
class Ending:
    """What came of a batch, with what is seen of its cells while its results are written."""

    outcome: Outcome
    path: Path
    store: str
    notes: tuple[str, ...] = ()
    by_status: Counter[str] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)  # a sentence each
    example: str | None = None  # folder of a run that found something

    def passing(self, documents: Iterable[DocumentCells]) -> Iterator[DocumentCells]:
        """The documents as they are, looked at on their way."""
        for one in documents:
            self.by_status.update(cell.status for cell in one.cells)
            if one.fault is not None:
                self.unread.append(f"{one.document.name}: {one.fault}")
            if self.example is None:
                found = (cell.run for cell in one.cells if cell.run and cell.status == "answered")
                self.example = next((str(Path(self.store) / run) for run in found), None)
            yield one


def told_in_words(ending: Ending) -> list[RenderableType]:
    """The end of a batch for a person."""
    from rich.text import Text

    outcome, spent = ending.outcome, ending.outcome.spent
    total = sum(ending.by_status.values())
    lines = [f"{outcome.batch}: {total:,} cells, {outcome.cells_from_cache:,} of them were in the store"]
    lines += [
        f"  {ending.by_status[status]:>8,}  {words}" for status, words in WORDS.items() if ending.by_status[status]
    ]
    if spent.calls:
        money = f", {spent.amount:.4f} {spent.currency}" if spent.amount is not None else ""
        lines.append(f"  {spent.calls:,} calls to the model{money}")
    lines += listed("documents that could not be read", ending.unread)
    lines += listed("changed since the last session", outcome.changed)
    lines += listed("note", ending.notes)
    if outcome.stopped_because:
        lines.append(f"stopped before the end: {outcome.stopped_because}")
    if ending.by_status["not_asked"]:
        lines.append(f"go on with: {resuming(outcome.batch, ending.store)}")
    places = {"results": str(ending.path)}
    if ending.example is not None:
        places["how one cell came about"] = f"lineproof show {shlex.quote(ending.example)}"
    told: list[RenderableType] = [Text(plain("\n".join(lines)))]
    return told + [Text(plain(f"{name}: {place}", keep_lines=False), no_wrap=True) for name, place in places.items()]


def told_as_json(ending: Ending) -> dict[str, Any]:
    """The same for a program."""
    outcome = ending.outcome
    return {
        "batch": outcome.batch,
        "results": str(ending.path),
        "by_status": dict(sorted(ending.by_status.items())),
        "cells_from_cache": outcome.cells_from_cache,
        "unread": ending.unread,
        "spent": outcome.spent.model_dump(mode="json"),
        "stopped_because": outcome.stopped_because,
        "changed": list(outcome.changed),
        "notes": list(ending.notes),
    }


def resuming(batch: str, store: str) -> str:
    """The command that goes on with a batch."""
    return f"lineproof batch --resume {batch}{'' if store == 'outputs' else f' --store {shlex.quote(store)}'}"


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


def listed(title: str, sentences: Sequence[str]) -> list[str]:
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
