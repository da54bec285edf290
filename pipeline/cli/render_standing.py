"""How a decision stands with those who reviewed it, for a person: beside the answer, and by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from pipeline.cli.output import plain
from pipeline.cli.render_review import STYLES, counted, cut, fault_line, note_lines

if TYPE_CHECKING:
    from pipeline.audit.reviewing.standing import Standing
    from pipeline.audit.reviewing.told import ToldReviews


def render_standings(told: ToldReviews, *, heading: bool = False) -> list[RenderableType]:
    """How the answer and the reviewed candidates stand, each with the last word of each person."""
    shown: list[RenderableType] = []
    if heading:
        shown.append(Text(plain(told.run, keep_lines=False), style="bold", no_wrap=True))
    for one in told.standings:
        subject = "answer" if one.subject == "answer" else f"candidate {plain(one.subject, keep_lines=False)}"
        state = one.state.replace("_", " ")
        shown.append(Text.assemble(f"{subject}  ", (state, STYLES[one.state]), _who(one)))
        for said in one.said:
            right = said.value or ("not in the document" if said.verdict == "correct" else "")
            value = f" ({plain(cut(right), keep_lines=False)})" if right else ""
            signed = ", signed" if said.signed else ""
            person = plain(said.person, keep_lines=False)
            words = f"{person}{signed}: {said.verdict}{value}, {plain(cut(said.reason), keep_lines=False)}"
            shown.append(Text(f"  {words}"))
        if one.missing:
            verdicts = counted(one.missing, "verdict")
            lost = f"the ledger names {verdicts} on it that the store does not hold as recorded"
            shown.append(Text(f"  {lost}", style="bold red"))
        if one.outdated:
            is_same = told.outdated_answer_is_the_same and one.subject == "answer"
            same = "; its answer was byte for byte the same" if is_same else ""
            verdicts = counted(one.outdated, "verdict")
            words = f"{verdicts} on other records in its place {'does' if one.outdated == 1 else 'do'} not count{same}"
            shown.append(Text(f"  {words}", style="yellow"))
        shown += [fault_line(name, why) for name, why in one.not_counted]
    if told.unread:
        words = f"{counted(told.unread, 'review')} of the store cannot be read; `lineproof review list` names them"
        shown.append(Text(f"  {words}", style="red"))
    return [*shown, *note_lines(told.warnings)]


def render_reviews(told: ToldReviews) -> list[RenderableType]:
    """What people said of an answer, to stand below it; nothing where nobody said a thing."""
    return [] if told.is_empty else [Text(), Text("What people said of it", style="bold"), *render_standings(told)]


def _who(one: Standing) -> str:
    """How many people stand behind a state, after its name."""
    people, needed = counted(one.people_count, "reviewer"), counted(one.eyes, "reviewer")
    if one.state == "disputed":
        ways = "say different things" if one.people_count > 1 else "says different things under several keys"
        own = "only new verdicts of theirs can settle it"
        return f": {people} {ways}; {own}"
    if one.state == "not_reviewed":
        return f": no verdict on these records counts; {needed} must agree"
    if one.state == "settled":
        return f", {one.verdict}: {people} {'agree' if one.people_count > 1 else 'said so'}, {one.eyes:,} needed"
    return f", {one.verdict}: {one.people_count:,} of {needed} so far"
