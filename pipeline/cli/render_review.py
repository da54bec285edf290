"""Verdicts, standings, samples and cases, for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pipeline.cli.output import plain

if TYPE_CHECKING:
    from pipeline.audit.reviewing.agreement import Agreement
    from pipeline.audit.reviewing.checking import Checked
    from pipeline.audit.reviewing.decisions import LeftOut
    from pipeline.audit.reviewing.recording import Recorded
    from pipeline.audit.reviewing.stored import StoredReview
    from schemas.review import RegressionCases, Review

MAX_ROWS = 60  # rows listed; --json and the workbook hold all
MAX_CHARS = 90  # characters of a question, a reason or a value
MAX_OWNER = 26  # characters of a document's name in a table
STYLES = {
    "accept": "green", "reject": "red", "correct": "yellow", "settled": "bold green", "disputed": "bold red",
    "open": "yellow", "not_reviewed": "dim", "passed": "green", "other_lines": "yellow", "failed": "red",
    "not_run": "magenta", "not_compared": "dim",
}  # fmt: skip


def render_recorded(done: Recorded) -> list[RenderableType]:
    """What was recorded, the quote that code copied, and what is odd about it."""
    review = done.review
    signed = f", signed with key {review.key_id}" if review.key_id else ", not signed"
    shown: list[RenderableType] = [
        Text.assemble((review.verdict, STYLES[review.verdict]), f" by {plain(review.reviewer)}{signed}"),
        Text(f"  {'run':<11}{plain(review.run, keep_lines=False)}", no_wrap=True),
    ]
    shown += [_row("candidate", f"{each.candidate_id}: {each.role}") for each in review.roles]
    right = review.correction
    if right is not None:
        shown.append(_row("right", right.text if right.text is not None else "not in the document"))
        if right.quote is not None:
            shown.append(_row("lines", f"page {right.page_num}, lines {right.line_start}-{right.line_end}"))
            shown += [Text(f"             {plain(line, keep_lines=False)}") for line in right.quote.split("\n")]
            shown.append(_row("then", _told_role(right.role_then)))
        shown += [Text(f"  {'but':<11}{plain(note, keep_lines=False)}", style="bold yellow") for note in right.notes]
        if right.notes:
            shown.append(_row("", "it is recorded as you gave it; correct once more where that was a slip"))
    shown.append(_row("ledger", f"line {done.entry.seq}"))
    shown += note_lines([words for words in done.warnings if right is None or words not in right.notes])
    return [*shown, Text(plain(str(done.folder), keep_lines=False), style="dim", no_wrap=True)]


def render_list(reviews: Sequence[StoredReview], unread: Sequence[LeftOut]) -> list[RenderableType]:
    """A row a review, in the order of the ledger; those that count for nothing with the reason below."""
    shown: list[RenderableType] = [Text(counted(len(reviews), "review"))]
    if reviews:
        table = table_of("line", "verdict", "by", "run", "of", "why")
        for one in reviews[-MAX_ROWS:]:
            review = one.review
            verdict = Text(review.verdict, style=STYLES[review.verdict] if not one.faults else "strike red")
            table.add_row(
                str(one.seq), verdict, cell(f"{review.reviewer}{' (signed)' if review.signature else ''}"),
                cell(short_place(review.run)), cell(_subject(review)), cell(cut(review.reason)),
            )  # fmt: skip
        shown.append(table)
    if len(reviews) > MAX_ROWS:
        shown.append(Text(f"the last {MAX_ROWS} of {len(reviews):,}; --json lists all", style="dim"))
    shown += [fault_line(one.place, fault) for one in reviews for fault in one.faults]
    return [*shown, *(fault_line(one.place, one.reason) for one in unread)]


def render_agreement(found: Agreement) -> list[RenderableType]:
    """The coefficients over all, then each pair."""
    verdicts = ", ".join(f"{count:,} {name}" for name, count in found.verdicts.items()) or "none"
    shown: list[RenderableType] = [
        Text(f"{found.judged:,} answers judged, {found.judged_twice:,} by two people or more; verdicts: {verdicts}"),
    ]
    for title, value in (
        ("raw share", found.raw), ("Krippendorff's alpha", found.alpha), ("Gwet's AC1", found.ac1),
        ("prevalence", found.prevalence),
    ):  # fmt: skip
        shown.append(Text.assemble((f"  {title:<22}", "dim"), _coefficient(value)))
    if found.pairs:
        table = table_of("reviewers", "both", "raw", "kappa", "AC1", right=("both", "raw", "kappa", "AC1"))
        for pair in found.pairs[:MAX_ROWS]:
            names = cell(f"{pair.first} and {pair.second}")
            table.add_row(names, f"{pair.both:,}", *map(_coefficient, (pair.raw, pair.kappa, pair.ac1)))
        shown.append(table)
    return [*shown, *(_note(note) for note in found.notes)]


def render_import(told: dict[str, Any], *, dry_run: bool) -> list[RenderableType]:
    """How many verdicts were recorded and how many left out."""
    count = counted(told["ready"], "verdict")
    words = f"{count} can be recorded; nothing was written" if dry_run else f"{count} recorded"
    left = [
        f"{told[name]:,} {name.replace('_', ' ')}" for name in ("already_recorded", "without_verdict") if told[name]
    ]
    return [Text("; ".join([words, *left])), *note_lines(told["warnings"])]


def render_cases(found: RegressionCases, path: Path | None) -> list[RenderableType]:
    """A row a case, then what people do not agree on."""
    shown: list[RenderableType] = [Text(counted(len(found.cases), "case"))]
    if found.cases:
        table = table_of("document", "question", "right", "lines", "by")
        for case in found.cases[:MAX_ROWS]:
            right = case.right
            where = f"page {right.page_num}, {right.line_start}-{right.line_end}" if right.quote is not None else ""
            value = right.text if right.text is not None else "not in the document"
            table.add_row(
                cell(right.doc_id),
                cell(cut(right.question)),
                cell(cut(value)),
                where,
                cell(", ".join(case.reviewers)),
            )
        shown.append(table)
    if len(found.cases) > MAX_ROWS:
        shown.append(Text(f"and {len(found.cases) - MAX_ROWS:,} more; --json lists all", style="dim"))
    return [*shown, *(_note(words) for words in found.disputed), *path_lines(path)]


def render_checked(done: Sequence[Checked], disputed: Sequence[str]) -> list[RenderableType]:
    """The cases that go wrong first, then the counts."""
    shown: list[RenderableType] = []
    order = ("failed", "not_run", "not_compared", "other_lines", "passed")
    for one in sorted(done, key=lambda one: order.index(one.result)):
        if one.result != "passed":
            name = one.result.replace("_", " ")
            shown.append(Text.assemble((f"{name:<12}", STYLES[one.result]), cell(cut(one.case.right.question))))
            shown.append(_row("document", one.case.right.doc_id))
            shown.append(_row("why", one.detail))
    numbers = [(name, sum(one.result == name for one in done)) for name in reversed(order)]
    counts = [f"{count:,} {name.replace('_', ' ')}" for name, count in numbers if count or name in ("passed", "failed")]
    failed = any(one.result in ("failed", "not_run") for one in done)
    told = f"{counted(len(done), 'case')}: {', '.join(counts)}"
    return [*shown, Text(told, style="bold red" if failed else "green"), *(_note(words) for words in disputed)]


def _told_role(role: str | None) -> str:
    if role == "not_proposed":
        return "no method had proposed these lines; `dict suggest` now learns their words"
    return "the run had them as " + (role or "nothing")


def _subject(review: Review) -> str:
    if review.subject == "candidate":
        return ", ".join(f"{each.candidate_id}: {each.role}" for each in review.roles)
    return cut(review.correction.text or "not in the document") if review.correction is not None else "answer"


def short_place(place: str) -> str:
    """The run without the middle of a long document's name; `--json` has it in full."""
    owner, _, name = place.replace("/questions/", "/").rpartition("/")
    half = MAX_OWNER // 2
    return f"{owner if len(owner) <= MAX_OWNER else f'{owner[:half]}…{owner[-half:]}'}/{name}"


def table_of(*titles: str, right: Sequence[str] = ()) -> Table:
    """A table without lines; the columns named in `right` stand to the right."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in titles:
        table.add_column(title, justify="right" if title in right else "left", overflow="fold")
    return table


def _coefficient(value: float | None) -> str:
    return f"{value:.3f}" if value is not None else "not defined"


def note_lines(warnings: Iterable[str]) -> Iterator[RenderableType]:
    """A line a note."""
    for words in warnings:
        yield _note(words)


def _note(words: str) -> Text:
    return Text.assemble(("note: ", "yellow"), plain(words, keep_lines=False))


def fault_line(place: str, words: str) -> Text:
    """What counts for nothing, and why."""
    return Text.assemble(("not counted: ", "red"), plain(f"{place}: {words}", keep_lines=False))


def path_lines(path: Path | None) -> list[RenderableType]:
    """A file that was written; nothing without one."""
    return [Text(plain(str(path), keep_lines=False), style="dim", no_wrap=True)] if path is not None else []


def _row(title: str, words: str) -> Text:
    return Text.assemble((f"  {title:<11}", "dim"), plain(words, keep_lines=False))


def cell(text: str) -> Text:
    """A text on one line."""
    return Text(plain(text, keep_lines=False))


def cut(text: str) -> str:
    """A text of a width that a line can take."""
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 3] + "..."


def counted(count: int, word: str) -> str:
    """A number with what it counts."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
