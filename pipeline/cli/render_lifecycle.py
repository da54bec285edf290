"""Proposals, decisions and what an edit would change, for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pipeline.cli.output import plain
from pipeline.cli.render_dict import changes_lines

if TYPE_CHECKING:
    from pipeline.lifecycle.comparing import Comparison, Outcome, RunDifference
    from pipeline.lifecycle.suggesting import Suggestion
    from schemas.proposals import Proposal

MAX_PROPOSALS = 40  # listed; the sheet and --json hold all
MAX_DIFFERENCES = 50  # listed; --json holds all
MAX_UNREAD = 10  # named; the rest is counted
MAX_VALUES = 3  # values of one answer that are shown
MAX_CHARS = 160  # characters of a value or a question
_STATUS_STYLE = {"answered": "green", "partial": "yellow", "not_found": "yellow", "refused": "red"}


def render_suggestion(found: Suggestion, path: Path | None) -> list[RenderableType]:
    """The proposals that wait, by concept, and what to do with them."""
    read = f"{_counted(found.run_count, 'run')} of {_counted(found.document_count, 'document')} read"
    decided = f"; {found.decided_count:,} decided before" if found.decided_count else ""
    shown: list[RenderableType] = [Text(f"{read}, {_counted(len(found.pending), 'proposal')} waiting{decided}")]
    if found.pending:
        shown.append(_proposals(found.pending[:MAX_PROPOSALS]))
    if len(found.pending) > MAX_PROPOSALS:
        shown.append(Text(f"and {len(found.pending) - MAX_PROPOSALS:,} more; --xlsx FILE lists them", style="dim"))
    shown += _unread([(one.run, one.reason) for one in found.unread])
    if path is not None:
        shown.append(Text(plain(str(path), keep_lines=False), style="dim", no_wrap=True))
    elif found.pending:
        shown.append(Text("decide: --accept ID, --reject ID, or --xlsx FILE and then --decide FILE", style="dim"))
    return shown


def render_decisions(told: dict[str, Any]) -> list[RenderableType]:
    """What was added, where, and what was rejected."""
    shown: list[RenderableType] = []
    for each in told["dictionaries"]:
        shown += [Padding(line, (0, 0, 0, 2)) for line in changes_lines(each["changes"])]
        shown.append(Text(plain(f"{each['dictionary']}: in force as version {each['version']}"), style="green"))
    accepted, rejected = len(told["accepted"]), len(told["rejected"])
    shown.append(Text(f"{accepted:,} accepted, {rejected:,} rejected"))
    shown += [Text.assemble(("note: ", "yellow"), plain(note, keep_lines=False)) for note in told["notes"]]
    return shown


def render_comparison(compared: Comparison, edited: str) -> list[RenderableType]:
    """What changes in the dictionary, then in the stored answers, then the counts."""
    versions = f"{compared.former_version or 'none'} to {compared.edited_version}"
    head = f"{compared.dictionary}, version {versions} ({Path(edited).name})"
    shown: list[RenderableType] = [Text(plain(head, keep_lines=False), style="bold")]
    if compared.changes is None:
        shown.append(Text(f"  a new dictionary of {_counted(compared.concept_count, 'concept')}"))
    elif compared.changes.is_empty:
        shown.append(Text("  says the same as the dictionary in force", style="green"))
    else:
        lines = changes_lines(compared.changes.model_dump(mode="json"))
        shown += [Padding(line, (0, 0, 0, 2)) for line in lines]
    shown.append(Text())
    changed = [one for one in compared.differences if one.answer_changes]
    for difference in changed[:MAX_DIFFERENCES]:
        shown += _difference(difference)
    if len(changed) > MAX_DIFFERENCES:
        shown.append(Text(f"and {len(changed) - MAX_DIFFERENCES:,} answers more; --json lists them", style="dim"))
    shown += _search_changes([one for one in compared.differences if not one.answer_changes])
    return [*shown, *_unread(compared.unread), *_verdict(compared)]


def _proposals(proposals: Sequence[Proposal]) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("id", "concept", "kind", "words", "why"):
        table.add_column(title, no_wrap=title == "id", overflow="fold")
    for one in proposals:
        target = (
            f"{one.dictionary or '?'}.{one.concept or '?'}" if one.concept else f"{one.dictionary or '?'}, to be named"
        )
        kind = f"{one.kind.removesuffix('s')} {one.language}"
        table.add_row(one.proposal_id, _one(target), kind, _one(one.text, "bold"), _one(one.reason))
    return table


def _difference(one: RunDifference) -> Iterator[RenderableType]:
    yield Text(plain(_cut(one.question), keep_lines=False), style="bold")
    yield _row("document", one.source_name)
    if one.asked_as:
        yield _row("asked as", one.asked_as)
    yield _outcome("before", one.before)
    yield _outcome("after", one.after)
    if one.before.concepts != one.after.concepts:
        yield _row("concepts", _concepts(one))
    if one.gained or one.lost:
        yield _row("passages", f"{len(one.gained)} gained, {len(one.lost)} lost")
    if one.made_with_model:
        yield _row("note", "the stored answer was made with a model; this compares what rules make of it")
    elif one.stored_differs:
        yield _row("note", f"the stored answer ({one.stored_status}) is older: it is not what 'before' gives today")
    yield _row("run", one.run)
    yield Text()


def _search_changes(differences: Sequence[RunDifference]) -> Iterator[RenderableType]:
    """Runs whose answer stays while concepts or passages change, a line for each question that does so alike."""
    grouped: dict[tuple[str, str], int] = {}
    for one in differences:
        told = _concepts(one) if one.before.concepts != one.after.concepts else "other passages"
        grouped[one.question, told] = grouped.get((one.question, told), 0) + 1
    if not grouped:
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("the answer stays", "runs", "what changes"):
        table.add_column(title, justify="right" if title == "runs" else "left", overflow="fold")
    for (question, told), count in sorted(grouped.items(), key=lambda item: (-item[1], item[0]))[:MAX_DIFFERENCES]:
        table.add_row(_one(_cut(question)), f"{count:,}", _one(told))
    yield table
    if len(grouped) > MAX_DIFFERENCES:
        yield Text(f"and {len(grouped) - MAX_DIFFERENCES:,} questions more; --json lists them", style="dim")
    yield Text()


def _concepts(one: RunDifference) -> str:
    before, after = (", ".join(each.concepts) or "none" for each in (one.before, one.after))
    return f"{before} became {after}"


def _outcome(title: str, outcome: Outcome) -> RenderableType:
    values = [_cut(value) for value in outcome.values[:MAX_VALUES]]
    told = [f"{value}  [{place}]" for value, place in zip(values, outcome.places, strict=False)]
    more = len(outcome.values) - MAX_VALUES
    if more > 0:
        told.append(f"and {more} more")
    status = outcome.status.replace("_", " ")
    absence = f", {outcome.absence.replace('_', ' ')}" if outcome.absence not in (None, outcome.status) else ""
    style = _STATUS_STYLE.get(outcome.status, "magenta")
    words = plain("; ".join(told), keep_lines=False)
    return Text.assemble((f"  {title:<10}", "dim"), (f"{status}{absence}", style), f"  {words}" if words else "")


def _verdict(compared: Comparison) -> Iterator[RenderableType]:
    others = len(compared.differences) - compared.changed_answers
    runs = _counted(compared.run_count, "stored run")
    same = f"{compared.unchanged_count:,} of {runs} unchanged"
    if compared.changed_answers:
        yield Text(f"{_counted(compared.changed_answers, 'answer')} would change; {same}", style="bold red")
    elif compared.unread:
        yield Text(f"no answer changes, of the runs that could be asked again; {same}", style="yellow")
    else:
        yield Text(f"no stored answer changes; {same}", style="green")
    if others:
        yield Text(f"in {_counted(others, 'run')} only concepts or passages change", style="cyan")


def _unread(unread: Sequence[tuple[str, str]]) -> Iterator[RenderableType]:
    for run, reason in unread[:MAX_UNREAD]:
        yield Text.assemble(("not read: ", "yellow"), plain(f"{run}: {reason}", keep_lines=False))
    if len(unread) > MAX_UNREAD:
        yield Text(f"and {len(unread) - MAX_UNREAD:,} more not read", style="yellow")


def _row(title: str, words: str) -> RenderableType:
    return Text.assemble((f"  {title:<10}", "dim"), plain(words, keep_lines=False))


def _one(text: str, style: str = "") -> Text:
    return Text(plain(text, keep_lines=False), style=style)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 3] + "..."


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
