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
from pipeline.store.runs import DECISION, HIGHLIGHTED, HIGHLIGHTED_LINES
from pipeline.wording import (
    LANGUAGES,
    lay_out,
    pages_of,
    place_of,
    say,
    tell_computed,
    tell_note,
    tell_reading,
    tell_sweep,
    typed_of,
)
from schemas.answer import Answer, AnswerItem, CaseAnswer, EvidenceSpan
from schemas.question import Clarification, ParsedQuestion
from schemas.retrieval import AbsenceProof, Conflict

if TYPE_CHECKING:
    from pipeline.case import CaseRun
    from pipeline.run import Run

MAX_TERMS = 12  # searched terms listed; the rest is counted, and all stand in the record
MAX_MISSES = 3
MAX_SHOWN = 4_000  # characters of one text on a terminal, some fifty lines of it; the record keeps all
_STYLE = {
    "answered": "bold green",
    "partial": "bold yellow",
    "not_found": "bold yellow",
    "needs_clarification": "bold magenta",
    "refused": "bold red",
    "not_asked": "bold yellow",
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
        parts += _paths(each.path, each.question.language)
    return parts


def render_case(case: CaseRun) -> list[RenderableType]:
    """The runs of a case, then what they say together."""
    parts = [part for run in case.runs for part in render_run(run)]
    names = [run.document.source_name for run in case.runs]
    language = case.runs[0].question.language if case.runs else "en"
    return [*parts, Text(), *_outcome(case.answer, names, language), *_saved(case.path, language)]


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
    language = question.language if question is not None else "en"
    head = plain(source_name, keep_lines=False)
    parts: list[RenderableType] = [
        Text(plain(answer.question, keep_lines=False), style="bold"),
        Text.assemble(
            (say(f"status_{answer.status}", language), _STYLE[answer.status]),
            (f"   {head}, {say(f'by_{answer.answered_by}', language)}", "dim"),
        ),
    ]
    if question is not None and question.resolved_question is not None:
        parts.insert(1, render_reading(question))
    if question is not None:
        parts += [_note(note, say("note", language)) for note in question.shown_notes]
    if answer.items and answer.answer_shape != "single":
        parts.append(Text(_counted(answer, language), style="dim"))
    parts += [render_item(item, source_name, language) for item in answer.items]
    parts += [render_conflict(conflict, language) for conflict in answer.conflicts]
    if answer.absence is not None:
        parts += render_absence(answer.absence, language)
    if answer.status == "needs_clarification" and answer.clarification:
        asked = question.clarification if question is not None else None
        parts += render_choices(asked) if asked is not None else [_indented(Text(plain(answer.clarification)))]
    return [*parts, *_remarks(answer, language)]


def _remarks(answer: Answer, language: str) -> list[RenderableType]:
    """What was refused, what a reader must know, what was found and not followed, further passes, what was not read."""
    refused = say("refused", language)
    told: list[RenderableType] = []
    if not answer.items and answer.status == "refused":
        told += [_note(f"{item.value_text}: {item.reason}", refused) for item in answer.refused_items]
    elif answer.refused_items:
        told.append(_note(say("refused_count", language, count=len(answer.refused_items)), refused))
    told += [_note(tell_note(caveat, language), say("note", language)) for caveat in answer.caveats]
    told += [_note(f"{one.detail} “{one.quote}”", say("finding", language)) for one in answer.findings]
    for one in answer.history:
        told.append(_note(f"{one.trigger}: {one.detail}. {one.result}", say("pass", language, number=one.number)))
    if answer.exhausted:
        told.append(_note(say("exhausted", language), say("note", language)))
    if answer.pages_not_read:
        pages = say("pages_of_document", language, pages=pages_of(answer.pages_not_read))
        told.append(_note(pages, say("not_read", language)))
    lesser = say("lesser", language)
    return told + [_note(f"{step.used} instead of {step.wanted}: {step.reason}", lesser) for step in answer.downgrades]


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
    done = sum(part.status in ("answered", "partial") for part in answer.parts)
    count = f"   {len(answer.parts)} questions in one, {done} answered"
    status = (say(f"status_{answer.status}", "en"), _STYLE[answer.status])
    told: list[RenderableType] = [
        Text(plain(answer.question, keep_lines=False), style="bold"),
        Text.assemble(status, (count, "dim")),
    ]
    for number, part in enumerate(answer.parts, 1):
        what = (say(f"status_{part.status}", "en"), _STYLE[part.status])
        line = Text.assemble((f"{number}  ", "bold"), plain(part.question, keep_lines=False) + "  ", what)
        if part.run is None:
            line.append(f"  {plain(part.text, keep_lines=False)}", style="dim")
        told.append(_indented(line))
    return told


def render_item(item: AnswerItem, source_name: str, language: str = "en") -> RenderableType:
    """One value, large, with the lines that prove it, how it was read and how it came about."""
    words = lay_out(item.value, language)
    value = Text(_shown(words), style="bold green")
    if item.label and not words.endswith(f"({item.label})"):  # a party's words tell its short name already
        value = Text.assemble((plain(item.label, keep_lines=False) + "  ", "dim"), value)
    head: RenderableType = Panel(value, expand=False, border_style="green", padding=(0, 2))
    proofs = [render_span(span, source_name, shown=(words, f"{item.label} {words}"), language=language)
              for span in item.spans]  # fmt: skip
    typed = typed_of(item.value, language)
    told = [f"{say(f'kind_{item.value.kind}', language)}: {typed}"] if typed and typed != words else []
    told += [say("wished", language, told=item.wished)] if item.wished else []
    told.append(tell_computed(item, language) or say(f"method_{item.extraction_method}", language))
    told += [say("repaired", language)] if item.outcome == "repaired" else []
    return _indented(Group(head, *proofs, Text(plain(" · ".join(told), keep_lines=False), style="dim")))


def render_span(span: EvidenceSpan, source_name: str, *, shown: Sequence[str], language: str = "en") -> RenderableType:
    """A quote with its document, section, page and lines; the quote is left out where it was `shown` as the value."""
    where = [plain(source_name, keep_lines=False), place_of(span, language)]
    if span.section_title:
        where.insert(1, plain(span.section_title, keep_lines=False))
    where += [told] if (told := tell_reading(span, language)) else []
    place = Text(" · ".join(where), style="cyan")
    if span.quote.split() in [words.split() for words in shown]:
        return place
    return Group(Quote(Text(_shown(span.quote), "italic")), place)


def render_conflict(conflict: Conflict, language: str = "en") -> RenderableType:
    """A conflict, every side with its quote, unsettled; the clause that says what prevails, where one does."""
    what = say("differ_on", language, point=plain(conflict.point, keep_lines=False), statement="\0").partition("\0")
    told = Text.assemble((say("differ", language), "bold red"), f" {what[0]}{_shown(conflict.statement)}")
    for side in conflict.sides:
        told.append(f"\n{plain(side.place, keep_lines=False)}: ", style="cyan")
        told.append(f"“{_shown(' '.join(side.quote.split()))}”", style="italic")
    if conflict.prevails is not None:
        told.append(f"\n{say('prevails', language)} ({plain(conflict.prevails.place, keep_lines=False)}): ", "bold")
        told.append(f"“{_shown(' '.join(conflict.prevails.quote.split()))}”", style="italic")
    return _indented(Panel(told, border_style="red", padding=(0, 2)))


def render_absence(absence: AbsenceProof, language: str = "en") -> list[RenderableType]:
    """What was searched, in what, and what follows."""
    verdict = Text(say(f"verdict_{absence.verdict}", language), style="bold")
    told: list[RenderableType] = [Text(plain(absence.statement)), verdict] if language == "en" else [verdict]
    terms = [f"{plain(term.term, keep_lines=False)} ({term.hit_count})" for term in absence.terms]
    if terms and absence.lines_searched:
        left = len(terms) - MAX_TERMS
        more = f" {say('and_more', language, count=left)}" if left > 0 else ""
        told.append(Text.assemble((say("searched_hits", language), "dim"), ", ".join(terms[:MAX_TERMS]) + more))
    swept = tell_sweep(absence.lines_searched, absence.pages_searched, absence.page_unit, language)
    told.append(Text.assemble((say("swept_label", language), "dim"), swept))
    if absence.references_not_followed:
        leads = plain("; ".join(absence.references_not_followed))
        told.append(Text.assemble((say("leads_out", language), "dim"), leads))
    for miss in absence.nearest_misses[:MAX_MISSES]:
        place = "" if absence.page_unit == "none" else f"{say(absence.page_unit, language)} {miss.page_num}: "
        near = place + plain(miss.snippet, keep_lines=False)
        told.append(Text.assemble((say("nearest", language), "dim"), near, (f"  {plain(miss.why_not)}", "dim")))
    return [_indented(part) for part in told]


def _outcome(answer: CaseAnswer, names: Sequence[str], language: str = "en") -> list[RenderableType]:
    heading = Text(say("together", language, names=plain("; ".join(names), keep_lines=False)), style="bold")
    differ = tuple(say("documents_differ", told, statement="\0").partition("\0")[0] for told in LANGUAGES)
    said = plain(answer.text).split("\n")[len(answer.answers) :]  # the first lines repeat each answer
    return [
        heading,
        *(render_conflict(conflict, language) for conflict in answer.conflicts),
        *(_indented(Text(line)) for line in said if not line.startswith(differ)),
    ]


def _counted(answer: Answer, language: str) -> str:
    counted = answer.completeness
    known = {True: "complete_true", False: "complete_false", None: "complete_none"}[counted.complete]
    given = say("given", language, count=counted.found_count)
    return f"{given}; {say(known, language)}: {plain(tell_note(counted.reason, language), keep_lines=False)}"


def render_path(label: str, path: str) -> RenderableType:
    """A path or a command on one line, however long."""
    return Text.assemble((f"{label:<12} ", "dim"), path, no_wrap=True)


def _paths(path: Path, language: str) -> list[RenderableType]:
    labelled = (("highlighted", HIGHLIGHTED), ("highlighted", HIGHLIGHTED_LINES), ("papers", DECISION))
    told = [render_path(say(key, language), str(path / name)) for key, name in labelled if (path / name).is_file()]
    return [*told, *_saved(path, language)]


def _saved(path: Path, language: str = "en") -> list[RenderableType]:
    return [render_path(say("why", language), f"lineproof show {path}")]


def _note(text: str, kind: str) -> RenderableType:
    return _indented(Text.assemble((f"{kind}: ", "yellow"), plain(text, keep_lines=False)))


def _shown(text: str) -> str:
    """A text of a document for the terminal, cut after 4,000 characters with a note of how much is left out."""
    if len(text) <= MAX_SHOWN:
        return plain(text)
    more = len(text) - MAX_SHOWN
    return f"{plain(text[:MAX_SHOWN])} ... [{more:,} more characters; the saved record holds them all]"


def _indented(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 0, 2))
