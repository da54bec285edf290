"""`lineproof pick`: which retrieval to use, by the figures of one's own evaluation."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pipeline.evaluation.pick_records import Considered, Recommendation

NONE_FITS = 4  # exit code: every strategy was refused


class QuestionKind(StrEnum):
    """What questions hold."""

    CODES = "codes"
    NAMES = "names"
    FREE_TEXT = "free_text"


class Risk(StrEnum):
    """What hangs on the first passages."""

    LOW = "low"
    HIGH = "high"


def pick(
    folder: Annotated[str, typer.Option("--from", help="Folder that `lineproof eval` wrote.", metavar="FOLDER")],
    documents: Annotated[
        int | None, typer.Option("--documents", min=1, help="How many documents are to be searched.", metavar="N")
    ] = None,
    questions: Annotated[
        list[QuestionKind] | None,
        typer.Option(
            "--questions",
            help="What questions hold: codes, names or free_text; may be repeated.",
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget-ms", min=0.001, help="Most milliseconds that 19 of 20 questions may take.", metavar="MS"
        ),
    ] = None,
    stakes: Annotated[
        Risk,
        typer.Option(
            "--stakes",
            help="high: the first passages decide.",
        ),
    ] = Risk.HIGH,
    offline: Annotated[bool, typer.Option("--offline", help="Nothing may leave the machine.")] = False,
    no_model: Annotated[bool, typer.Option("--no-model", help="No language model may be used.")] = False,
    language: Annotated[
        list[str] | None, typer.Option("--language", help="Language of the questions, e.g. es; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Recommend a retrieval stack from an evaluation: strategy, encoder, reranker and a plan, with their figures.

    What was not measured is not recommended: it is named, with the command that measures it.

    Where no strategy meets the wishes, none is recommended and the exit code is 4.
    """  # fmt: skip
    with ending_well(as_json=as_json):
        from pathlib import Path

        from pipeline.cli.output import show_all, show_json
        from pipeline.evaluation.pick import recommend
        from pipeline.evaluation.pick_records import Wishes
        from pipeline.evaluation.pick_saved import load_evaluation

        saved = load_evaluation(Path(folder))
        wishes = Wishes(
            corpus_size=documents,
            patterns=tuple(each.value for each in questions or ()),
            latency_budget_ms=budget,
            stakes=stakes.value,
            offline=offline,
            no_model=no_model,
            languages=tuple(language or ()),
        )
        found = recommend(saved.summary, saved.rows, wishes, timings=saved.timings)
        if as_json:
            show_json(found.model_dump(mode="json"))
        else:
            show_all(render_recommendation(found))
    raise typer.Exit(0 if found.strategy is not None else NONE_FITS)


def render_recommendation(found: Recommendation) -> list[RenderableType]:
    """The recommendation for a person: the stack first, then what carries it, what is refused, and what is missing."""
    from rich.padding import Padding
    from rich.text import Text

    from pipeline.cli.output import plain

    def head(text: str) -> Text:
        return Text("\n" + text, style="bold")

    def line(text: str, label: str = "-") -> Padding:
        return Padding(Text(f"{label} {plain(text, keep_lines=False)}"), (0, 0, 0, 2))

    stack = f"{found.strategy}: {found.stack}" if found.strategy else "none of the measured strategies"
    parts: list[RenderableType] = [head(f"Stack           {plain(stack, keep_lines=False)}"), line(found.why, "")]
    for label, choice in (("Dense encoder", found.dense_encoder), ("Reranker", found.reranker)):
        parts += [head(f"{label:<15} {plain(choice.name or 'none', keep_lines=False)}"), line(choice.why, "")]
    parts += [head(f"Figures ({plain(found.dataset, keep_lines=False)}, {found.documents:,} documents)")]
    parts.append(_figure_table(found))
    if found.refusals:
        parts.append(head("Refused"))
        parts += [line(f"{each.what}: {each.why}. Remedy: {each.remedy}.") for each in found.refusals]
    if found.flags:
        parts += [head("Know before relying on it"), *(line(each) for each in found.flags)]
    if found.not_measured:
        parts.append(head("Not measured"))
        parts += [
            line(f"{each.name}: {each.why.rstrip('.')}. Measure it: {each.command}") for each in found.not_measured
        ]
    steps = [line(each, f"{number}.") for number, each in enumerate(found.evaluation_plan, start=1)]
    return [*parts, head("Evaluation plan"), *steps]


def _figure_table(found: Recommendation) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from pipeline.cli.output import plain
    from pipeline.evaluation.summary import METRICS

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("strategy", overflow="fold")
    for name in (METRICS[found.metric].title, "95 %", "cases", "MRR@5", "characters", "ms, median", "ms, 95th"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for each in found.considered:
        table.add_row(*(Text(plain(cell, keep_lines=False)) for cell in _figure_cells(each)))
    return table


def _figure_cells(each: Considered) -> list[str]:
    low, high = each.recall.low, each.recall.high
    return [
        each.strategy,
        _tell(each.recall.value, 3),
        "-" if low is None or high is None else f"{low:.3f}-{high:.3f}",
        f"{each.recall.case_count:,}",
        _tell(each.mrr.value if each.mrr else None, 3),
        _tell(each.characters, 0),
        _tell(each.latency_median_ms, 1),
        _tell(each.latency_p95_ms, 1),
        each.verdict,
    ]


def _tell(value: float | None, digits: int) -> str:
    return "not measured" if value is None else f"{value:,.{digits}f}"
