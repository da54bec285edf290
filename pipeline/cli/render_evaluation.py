"""An evaluation for a person: strategies side by side, what failed and why, and what a gate found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pipeline.cli.output import plain
from pipeline.evaluation.summary import METRICS, EvaluationSummary, Figure, ModelFigures, StrategyFigures

if TYPE_CHECKING:
    from pipeline.evaluation.gate import GateCheck, GateReport

# Shown in the compact table, in this order, under these heads; the report has all metrics with their intervals.
SHOWN = {
    "recall@1": "r@1", "recall@3": "r@3", "recall@5": "r@5", "clause_recall@5": "clauses@5",
    "answered_recall@5": "answered r@5", "page_hit@1": "page@1",
    "page_hit@3": "page@3", "page_hit@5": "page@5", "answered_page_hit@5": "answered page@5",
    "mrr@5": "mrr@5", "characters": "chars", "absence_f1": "absent F1",
    "present_kept": "kept", "aupr_present": "aupr", "precision_at_80_recall": "p@80r", "value_accuracy": "values",
    "value_wrong": "wrong values",
    "quotes_checked": "checked", "answered": "answered",
}  # fmt: skip
_VERDICT_STYLE = {"worse": "red", "better": "green", "same": "", "not gated": "dim"}
MAX_FAILED = 10  # documents that could not be asked, listed; the rest is counted


def render_evaluation(summary: EvaluationSummary, folder: str) -> list[RenderableType]:
    """What was measured, the strategies side by side, the ablation, failures by cause, and what was left out."""
    about = summary.dataset
    parts: list[RenderableType] = [
        Text(
            f"{_line(about.name)} ({about.kind}): {about.questions:,} of {about.questions_in_all:,} questions, "
            f"{about.documents:,} of {about.documents_in_all:,} documents; {about.present:,} answered by the labels, "
            f"{about.absent:,} not"
        ),
        Text(""),
        _table(summary.strategies),
    ]
    if summary.ablation:
        parts += [Text(""), Text("What each part adds", style="bold"), _table(summary.ablation)]
    measured = (*summary.strategies, *summary.ablation)
    if any(count for one in measured for count in one.failures.values()):
        parts += [Text(""), Text("Failures by cause", style="bold"), _failures(measured)]
    if summary.model is not None:
        parts += [Text(""), Text(f"Use of {_line(summary.model)}", style="bold"), _model(summary.strategies)]
    parts += _told(summary)
    return [*parts, Text(""), Text(f"{folder}/report.html", no_wrap=True)]


def render_gate(report: GateReport) -> list[RenderableType]:
    """The metrics that changed beyond chance, and the verdict."""
    changed = [check for check in report.checks if check.significant or check.verdict == "worse"]
    parts: list[RenderableType] = []
    if changed:
        table = Table(box=None, pad_edge=False, header_style="dim")
        for title in ("strategy", "metric", "before", "now", "change", "95 % interval", ""):
            table.add_column(title, justify="left" if title in ("strategy", "metric", "") else "right")
        for check in changed:
            table.add_row(*_changed(check))
        parts += [table, Text("")]
    parts += [Text(plain(note, keep_lines=False), style="dim") for note in report.notes]
    how = "on the common pairs" if report.method == "paired" else "by their intervals"
    told = f"{len(report.checks)} figures compared {how}, {report.pairs:,} pairs: "
    worse = report.worse()
    if not worse:
        return [*parts, Text(told + "nothing is significantly worse", style="green")]
    names = ", ".join(f"{check.metric} of {check.strategy} {_signed(check)}" for check in worse)
    return [*parts, Text(f"{told}{len(worse)} significantly worse: {names}", style="red")]


def _table(figures: Sequence[StrategyFigures]) -> Table:
    shown = [name for name in SHOWN if any(name in one.metrics for one in figures)]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("strategy")
    for name in shown:
        table.add_column(SHOWN[name], justify="right")
    for one in figures:
        table.add_row(Text(one.name, style="bold"), *(_value(name, one.metrics.get(name)) for name in shown))
    return table


def _value(metric: str, figure: Figure | None) -> Text:
    if figure is None or figure.value is None:
        return Text("")
    return Text(f"{figure.value:,.0f}" if METRICS[metric].unit == "characters" else f"{figure.value:.3f}")


def _failures(figures: Sequence[StrategyFigures]) -> Table:
    causes = [
        cause for cause in (figures[0].failures if figures else ()) if any(one.failures[cause] for one in figures)
    ]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("strategy")
    for cause in causes:
        table.add_column(cause.replace("_", " "), justify="right")
    for one in figures:
        table.add_row(Text(one.name, style="bold"), *(Text(f"{one.failures[cause]:,}") for cause in causes))
    return table


def _model(figures: Sequence[StrategyFigures]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    heads = (
        "strategy",
        "questions",
        "valid",
        "repaired",
        "rules judged",
        "downgraded",
        "calls",
        "tokens in",
        "out",
        "cost",
    )
    for head in heads:
        table.add_column(head, justify="left" if head == "strategy" else "right")
    for one in figures:
        table.add_row(Text(one.name, style="bold"), *map(Text, _use(one.model)))
    return table


def _use(use: ModelFigures) -> list[str]:
    counts = (
        use.questions, use.valid_records, use.repaired, use.fell_back, use.downgraded, use.calls, use.input_tokens,
        use.output_tokens,
    )  # fmt: skip
    cost = "no prices set" if use.cost is None else f"{use.cost:.4f} {use.currency}"
    return [*(f"{count:,}" for count in counts), cost if use.calls else ""]


def _told(summary: EvaluationSummary) -> list[RenderableType]:
    """What was skipped, what could not be asked, what was left out of the labels."""
    lines = [f"skipped {_line(one.name)}: {_line(one.reason)}" for one in summary.skipped]
    failed = summary.documents_failed
    lines += [f"not asked {_line(one.name)}: {_line(one.reason)}" for one in failed[:MAX_FAILED]]
    if len(failed) > MAX_FAILED:
        lines.append(f"and {len(failed) - MAX_FAILED} more could not be asked; summary.json lists them")
    lines += [_line(note) for note in summary.notes]
    return [Text(""), *(Padding(Text(line, style="dim"), 0) for line in lines)] if lines else []


def _changed(check: GateCheck) -> list[Text]:
    interval = "" if check.low is None or check.high is None else f"{check.low:+.3f} to {check.high:+.3f}"
    whole = METRICS[check.metric].unit == "characters"
    before, now = (f"{value:,.0f}" if whole else f"{value:.3f}" for value in (check.before, check.now))
    if whole and check.low is not None and check.high is not None:
        interval = f"{check.low:+,.0f} to {check.high:+,.0f}"
    verdict = Text(check.verdict, style=_VERDICT_STYLE[check.verdict])
    return [Text(check.strategy, style="bold"), Text(check.metric), Text(before), Text(now), Text(_signed(check)),
            Text(interval), verdict]  # fmt: skip


def _signed(check: GateCheck) -> str:
    return f"{check.change:+,.0f}" if METRICS[check.metric].unit == "characters" else f"{check.change:+.3f}"


def _line(text: str) -> str:
    return plain(text, keep_lines=False)
