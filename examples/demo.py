"""The main job on the sample contract: six questions, one proven absence among them, and a conflict with the amendment.

`make demo` runs it. It uses the functions behind `lineproof ask`, without a model and without a network, and exits with
1 when an answer is not the one that README.md beside it promises.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from rich.rule import Rule
from rich.text import Text

from pipeline.case import CaseRun, ask_case
from pipeline.cli.exits import CLOSED_PIPE
from pipeline.cli.output import show_all
from pipeline.cli.render_answer import render_case, render_path, render_run
from pipeline.run import Run, ask
from pipeline.store.runs import HIGHLIGHTED
from pipeline.values.equality import same_value
from schemas.answer import Amount, Answer, BooleanValue, DateValue, Duration, Value
from schemas.errors import PipelineError

EXAMPLES = Path(__file__).resolve().parent
PROJECT = EXAMPLES.parent
STORE = Path(os.path.relpath(PROJECT / "outputs" / "demo"))
CONTRACT, AMENDMENT = EXAMPLES / "supply_agreement.pdf", EXAMPLES / "amendment_1.pdf"
CONFLICT_QUESTION = "What is the liability cap?"
EVENTS = 6  # of Section 13.1, on two pages


@dataclass(frozen=True, slots=True)
class Example:
    """A question, what it shows, and the test of its answer; `pages` are those on which the document says it."""

    shows: str
    question: str
    holds: Callable[[Answer], bool]
    pages: tuple[int, ...] = ()


def is_value(expected: Value) -> Callable[[Answer], bool]:
    """True for an answer whose first value is the expected one."""
    return lambda answer: answer.status == "answered" and same_value(answer.items[0].value, expected)


def is_yes(answer: Answer) -> bool:
    """True for an answer that says yes."""
    first = answer.items[0].value if answer.items else None
    return answer.status == "answered" and isinstance(first, BooleanValue) and first.value


def lists_all_events(answer: Answer) -> bool:
    """True for an answer that gives all six events."""
    return answer.status == "answered" and len(answer.items) == EVENTS


def is_proven_absent(answer: Answer) -> bool:
    """True for a not-found answer whose proof is complete."""
    return answer.status == "not_found" and answer.absence is not None and answer.absence.verdict == "proven_absent"


def euros(number: str) -> Amount:
    """An amount in euros for each Contract Year."""
    return Amount(value=Decimal(number), currency="EUR", original=number)


EXAMPLE_QUESTIONS = (
    Example("an amount", "What is the annual programme fee?", is_value(euros("1250000")), (6,)),
    Example(
        "a date",
        "When does the agreement take effect?",
        is_value(DateValue(iso=date(2024, 3, 1), original="1 March 2024")),
        (1, 3),
    ),
    Example(
        "a duration",
        "How long is the initial term?",
        is_value(Duration(number=Decimal(5), unit="year", original="five (5) years")),
        (4,),
    ),
    Example("yes or no, with its clause", "Is there a non-compete?", is_yes, (8,)),
    Example("a list across two pages", "Which events allow termination for cause?", lists_all_events, (10,)),
    Example("a proven absence", "Is there an escrow of the source code?", is_proven_absent),
)


def main() -> int:
    """Ask everything, show everything; 0 when every answer is the promised one."""
    failures = []
    runs = []
    for example in EXAMPLE_QUESTIONS:
        show_all([Text(), Rule(Text(example.shows), style="dim")])
        run = ask(CONTRACT, example.question, store=STORE)
        show_all(render_run(run))
        runs.append(run)
        if not fits(example, run):
            failures.append(f"{example.question} -> {run.answer.status}: {run.answer.text}")
    show_all([Text(), Rule(Text("contract and amendment: a conflict, shown and not settled"), style="dim")])
    case = ask_case([CONTRACT, AMENDMENT], CONFLICT_QUESTION, store=STORE)
    show_all(render_case(case))
    if not shows_the_conflict(case):
        failures.append(f"{CONFLICT_QUESTION} -> {case.answer.text}")
    tell_what_next(runs)
    for failure in failures:
        sys.stderr.write(f"demo: not the answer that examples/README.md promises: {failure}\n")
    return 1 if failures else 0


def fits(example: Example, run: Run) -> bool:
    """True for the promised answer, cited on a promised page, with its lines highlighted."""
    if not example.holds(run.answer):
        return False
    if not example.pages:
        return True
    return run.answer.items[0].spans[0].page_start in example.pages and (run.path / HIGHLIGHTED).is_file()


def shows_the_conflict(case: CaseRun) -> bool:
    """True when both caps stand in one conflict and the clause on precedence is quoted."""
    told = " ".join(conflict.statement for conflict in case.answer.conflicts)
    return "2,500,000" in told and "4,000,000" in told and "this Amendment prevails" in case.answer.text


def tell_what_next(runs: list[Run]) -> None:
    """Say what to look at and what to run."""
    first = runs[0].path
    show_all(
        [
            Text(),
            Rule(Text("what next"), style="dim"),
            render_path("open", str(first / HIGHLIGHTED)),
            render_path("why", f".venv/bin/lineproof show {first}"),
            render_path("ask", '.venv/bin/lineproof ask FILE.pdf "QUESTION"'),
            Text(),
        ]
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PipelineError as error:
        sys.exit(f"demo: {error}")
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(CLOSED_PIPE)
