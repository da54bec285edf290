"""An answer for a person: what became of the question, the value, the lines that prove it, and where to look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.segment import Segment
from rich.text import Text

from pipeline.cli.output import plain
from pipeline.store.runs import HIGHLIGHTED
from pipeline.wording import place_of, tell_sweep, words_of
from schemas.answer import Answer, AnswerItem, CaseAnswer, EvidenceSpan
from schemas.question import Clarification, ParsedQuestion
from schemas.retrieval import AbsenceProof, Conflict

if TYPE_CHECKING:
    from pipeline.case import CaseRun
    from pipeline.run import Run

MAX_TERMS = 12  # searched terms listed; the rest is counted, and all stand in the record
MAX_MISSES = 3
MAX_SHOWN = 4_000  # characters of one text on a terminal, some fifty lines of it; the record keeps all
_STATUS = {
    "answered": ("Answered", "bold green"),
    "partial": ("Answered in part", "bold yellow"),
    "not_found": ("Not found", "bold yellow"),
    "needs_clarification": ("The question needs to be clearer", "bold magenta"),
    "refused": ("Refused: a check failed, so no answer is given", "bold red"),
}
_VERDICT = {
    "proven_absent": "proven absent: the words searched cover the topic and the whole document was read",
    "not_found": "searched and not found; other words for it cannot be ruled out",
    "inconclusive": "inconclusive: part of the document could not be searched",
}
_METHOD = {
    "verbatim": "as it stands in the lines",
    "computed": "computed from values in the lines",
    "inferred": "concluded from the lines",
}


class Quote:
    """A text with a bar at its left, on wrapped lines too."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """The lines, each after its bar."""
        bar = Segment("│ ", console.get_style("green"))
        for line in console.render_lines(self._text, options.update_width(options.max_width - 2), pad=False):
            yield from (bar, *line, Segment.line())


def render_run(run: Run) -> list[RenderableType]:
    """A run for the terminal; of a compound question every part."""
    parts: list[RenderableType] = []
    if run.parts:
        parts += [Text(), *_render_whole(run.answer)]
    if run.inside:
        parts += [Text(), Text("with files inside: each is a document of its own and was asked the same", style="dim")]
    for each in run.all():
        parts += [Text(), *render_answer(each.answer, each.document.source_name, each.question)]
        earlier = [step for step in each.trace.downgrades if step not in each.answer.downgrades]
        parts += [_note(f"{step.used} instead of {step.wanted}: {step.reason}", "lesser means") for step in earlier]
        parts += [_note(note, "note") for note in each.trace.notes]
        parts += _paths(each.path, has_highlights=(each.path / HIGHLIGHTED).is_file())
    return parts


def render_case(case: CaseRun) -> list[RenderableType]:
    """The runs of a case, then what they say together."""
    parts = [part for run in case.runs for part in render_run(run)]
    return [*parts, Text(), *_outcome(case.answer, [run.document.source_name for run in case.runs]), *_saved(case.path)]


def render_saved_case(case: CaseAnswer, folder: Path) -> list[RenderableType]:
    """A case as it was saved."""
    parts: list[RenderableType] = []
    for each in case.answers:
        parts += [Text(), *render_answer(each.answer, each.source_name)]
    return [*parts, Text(), *_outcome(case, [each.source_name for each in case.answers]), *_saved(folder)]


def render_answer(answer: Answer, source_name: str, question: ParsedQuestion | None = None) -> list[RenderableType]:
    """The question, its status in plain words, and all that the status calls for.

    With the analysed `question` also what it was read as, and the choices of one that is asked back.
    """
    words, style = _STATUS[answer.status]
    by = "by a model, each value checked against its lines" if answer.answered_by == "llm" else "by rules, no model"
    parts: list[RenderableType] = [
        Text(plain(answer.question, keep_lines=False), style="bold"),
        Text.assemble((words, style), (f"   {plain(source_name, keep_lines=False)}, {by}", "dim")),
    ]
    if question is not None and question.resolved_question is not None:
        parts.insert(1, render_reading(question))
    if question is not None:
        parts += [_note(note, "note") for note in question.shown_notes]
    if answer.items and answer.answer_shape != "single":
        parts.append(Text(_counted(answer), style="dim"))
    parts += [render_item(item, source_name) for item in answer.items]
    parts += [render_conflict(conflict) for conflict in answer.conflicts]
    if answer.absence is not None:
        parts += render_absence(answer.absence)
    if answer.status == "needs_clarification" and answer.clarification:
        asked = question.clarification if question is not None else None
        parts += render_choices(asked) if asked is not None else [_indented(Text(plain(answer.clarification)))]
    if not answer.items and answer.status == "refused":
        parts += [_note(f"{item.value_text}: {item.reason}", "refused") for item in answer.refused_items]
    parts += [_note(caveat, "note") for caveat in answer.caveats]
    if answer.pages_not_read:
        parts.append(_note(f"pages {_numbers(answer.pages_not_read)} of the document", "not read"))
    parts += [
        _note(f"{step.used} instead of {step.wanted}: {step.reason}", "lesser means") for step in answer.downgrades
    ]
    return parts


def render_reading(question: ParsedQuestion) -> RenderableType:
    """What a question that was not complete was read as, and by whose choice."""
    read = plain(question.resolved_question or question.original_question, keep_lines=False)
    taken = question.settled
    by = {"votes": "as earlier replies chose", "only_option": "nothing else in the document fits"}
    why = by.get(taken.by, "as chosen") if taken is not None else "after the question before"
    return Text.assemble(("read as  ", "dim"), read, (f"  ({why})", "dim"))


def render_choices(asked: Clarification) -> list[RenderableType]:
    """A question back: its reason, the numbered choices with the default, and how to reply."""
    told: list[RenderableType] = [
        Text(plain(asked.question_to_user, keep_lines=False), style="bold"),
        Text(plain(asked.reason, keep_lines=False), style="dim"),
    ]
    for number, choice in enumerate(asked.choices, 1):
        default = f"   default: {plain(asked.default_reason, keep_lines=False)}" if choice == asked.default else ""
        told.append(Text.assemble((f"{number}  ", "bold"), plain(choice, keep_lines=False), (default, "dim")))
    told.append(Text("reply with --choose NUMBER or --choose default, or in the next turn of a --session", style="dim"))
    return [_indented(part) for part in told]


def _render_whole(answer: Answer) -> list[RenderableType]:
    """A compound question, what became of it, and its parts in a line each."""
    words, style = _STATUS[answer.status]
    done = sum(part.status in ("answered", "partial") for part in answer.parts)
    count = f"   {len(answer.parts)} questions in one, {done} answered"
    told: list[RenderableType] = [
        Text(plain(answer.question, keep_lines=False), style="bold"), Text.assemble((words, style), (count, "dim"))
    ]  # fmt: skip
    for number, part in enumerate(answer.parts, 1):
        what, its_style = _STATUS.get(part.status, ("Not asked", "bold yellow"))
        line = Text.assemble((f"{number}  ", "bold"), plain(part.question, keep_lines=False) + "  ", (what, its_style))
        if part.run is None:
            line.append(f"  {plain(part.text, keep_lines=False)}", style="dim")
        told.append(_indented(line))
    return told


def render_item(item: AnswerItem, source_name: str) -> RenderableType:
    """One value, large, with the lines that prove it."""
    value = Text(_shown(words_of(item.value)), style="bold green")
    if item.label:
        value = Text.assemble((plain(item.label, keep_lines=False) + "  ", "dim"), value)
    head: RenderableType = Panel(value, expand=False, border_style="green", padding=(0, 2))
    shown = (words_of(item.value), f"{item.label} {words_of(item.value)}")
    proofs = [render_span(span, source_name, shown=shown) for span in item.spans]
    return _indented(Group(head, *proofs, Text(_METHOD[item.extraction_method], style="dim")))


def render_span(span: EvidenceSpan, source_name: str, *, shown: Sequence[str]) -> RenderableType:
    """A quote with its document, section, page and lines; the quote is left out where it was `shown` as the value."""
    where = [plain(source_name, keep_lines=False), place_of(span)]
    if span.section_title:
        where.insert(1, plain(span.section_title, keep_lines=False))
    place = Text(" · ".join(where), style="cyan")
    if span.quote.split() in [words.split() for words in shown]:
        return place
    return Group(Quote(Text(_shown(span.quote), "italic")), place)


def render_conflict(conflict: Conflict) -> RenderableType:
    """A conflict, both sides, unsettled."""
    told = Text.assemble(("They differ", "bold red"), f" on {conflict.point}: {_shown(conflict.statement)}")
    return _indented(Panel(told, border_style="red", padding=(0, 2)))


def render_absence(absence: AbsenceProof) -> list[RenderableType]:
    """What was searched, in what, and what follows."""
    told: list[RenderableType] = [Text(plain(absence.statement)), Text(_VERDICT[absence.verdict], style="bold")]
    terms = [f"{plain(term.term, keep_lines=False)} ({term.hit_count})" for term in absence.terms]
    if terms and absence.lines_searched:
        more = f" and {len(terms) - MAX_TERMS} more" if len(terms) > MAX_TERMS else ""
        told.append(Text.assemble(("searched (hits): ", "dim"), ", ".join(terms[:MAX_TERMS]) + more))
    swept = tell_sweep(absence.lines_searched, absence.pages_searched, absence.page_unit)
    told.append(Text.assemble(("swept: ", "dim"), swept))
    if absence.references_not_followed:
        told.append(Text.assemble(("leads out: ", "dim"), plain("; ".join(absence.references_not_followed))))
    for miss in absence.nearest_misses[:MAX_MISSES]:
        place = "" if absence.page_unit == "none" else f"{absence.page_unit} {miss.page_num}: "
        near = place + plain(miss.snippet, keep_lines=False)
        told.append(Text.assemble(("nearest: ", "dim"), near, (f"  {plain(miss.why_not)}", "dim")))
    return [_indented(part) for part in told]


def _outcome(answer: CaseAnswer, names: Sequence[str]) -> list[RenderableType]:
    heading = Text("Together: " + plain(" and ".join(names), keep_lines=False), style="bold")
    said = plain(answer.text).split("\n")[len(answer.answers) :]  # the first lines repeat each answer
    return [
        heading,
        *(render_conflict(conflict) for conflict in answer.conflicts),
        *(_indented(Text(line)) for line in said if not line.startswith("The documents differ:")),
    ]


def _counted(answer: Answer) -> str:
    counted = answer.completeness
    known = {True: "all there are", False: "not all there are", None: "whether these are all cannot be told"}
    return f"{counted.found_count} given; {known[counted.complete]}: {plain(counted.reason, keep_lines=False)}"


def render_path(label: str, path: str) -> RenderableType:
    """A path or a command on one line, however long."""
    return Text.assemble((f"{label:<12} ", "dim"), path, no_wrap=True)


def _paths(path: Path, *, has_highlights: bool) -> list[RenderableType]:
    return [*([render_path("highlighted", str(path / HIGHLIGHTED))] if has_highlights else []), *_saved(path)]


def _saved(path: Path) -> list[RenderableType]:
    return [render_path("why", f"lineproof show {path}")]


def _note(text: str, kind: str) -> RenderableType:
    return _indented(Text.assemble((f"{kind}: ", "yellow"), plain(text, keep_lines=False)))


def _numbers(pages: Sequence[int]) -> str:
    return ", ".join(str(page) for page in pages)


def _shown(text: str) -> str:
    """A text of a document for the terminal, cut after 4,000 characters with a note of how much is left out."""
    if len(text) <= MAX_SHOWN:
        return plain(text)
    more = len(text) - MAX_SHOWN
    return f"{plain(text[:MAX_SHOWN])} ... [{more:,} more characters; the saved record holds them all]"


def _indented(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 0, 2))
