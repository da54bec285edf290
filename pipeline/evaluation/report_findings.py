"""The outcome in a few sentences, for a reader who reads no further."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from pipeline.evaluation.metrics import resample
from pipeline.evaluation.pick_evidence import paired_difference
from pipeline.evaluation.report_figures import answered_metric, leading_metric, tell_figure, tell_range
from pipeline.evaluation.report_markup import Element, tag
from pipeline.evaluation.summary import METRICS, EvaluationSummary, StrategyFigures

TOLD_BEST = ("absence_f1", "aupr_present")  # beside what is found: saying so when nothing answers


def show_findings(summary: EvaluationSummary, rows: pd.DataFrame) -> Element | None:
    """Which strategy finds most and by how much, which is best at absence, and what was not run; None without any."""
    leading = leading_metric(summary)
    told = _tell_finding(leading, summary, rows)
    for name in TOLD_BEST if summary.dataset.absent else ():
        able = _measured(name, summary)
        if able:
            best = max(able, key=lambda each: _value(name, each))
            told.append(f"Best {METRICS[name].title}: {best.name}, {_spoken(name, best)}.")
    if summary.skipped:
        skipped = "; ".join(f"{each.name} ({each.reason.rstrip('.')})" for each in summary.skipped)
        told.append(f"Not run: {skipped}.")
    if not told:
        return None
    return tag(
        "div", tag("ul", *(tag("li", each) for each in told)), class_="finding", role="note", aria_label="Outcome"
    )


def _tell_finding(leading: str, summary: EvaluationSummary, rows: pd.DataFrame) -> list[str]:
    measured = sorted(_measured(leading, summary), key=lambda each: -_value(leading, each))  # equals keep their order
    if not measured:
        return []
    best, *others = measured
    title, count = METRICS[leading].title, best.metrics[leading].case_count
    most = f"Most is found by {best.name}: {title} {_spoken(leading, best)}, over {count:,} cases{_characters(best)}"
    told = [f"{most}{_not_called_not_found(leading, best)}."]
    if others:
        second = others[0]
        told.append(
            f"Next is {second.name} with {_spoken(leading, second)}{_characters(second)}"
            f"{_not_called_not_found(leading, second)}{_compare(leading, best, second, rows)}."
        )
    return told


def _compare(leading: str, best: StrategyFigures, second: StrategyFigures, rows: pd.DataFrame) -> str:
    """By how much the best finds more on the same questions, and whether that may be chance; nothing without rows."""
    both = rows[rows["strategy"].isin([best.name, second.name])]
    if both.empty:
        return ""
    found = paired_difference(both, resample(both), best.name, second.name, leading)
    if found is None:
        return ""
    verdict = "beyond chance" if found.low > 0 else "which may be chance"
    told = f"{found.value:+.3f} ({found.low:+.3f} to {found.high:+.3f})"
    return f"; on the same questions {best.name} finds {told}, {verdict}"


def _measured(name: str, summary: EvaluationSummary) -> Sequence[StrategyFigures]:
    return [each for each in summary.strategies if name in each.metrics and each.metrics[name].value is not None]


def _value(name: str, strategy: StrategyFigures) -> float:
    return strategy.metrics[name].value or 0.0


def _spoken(name: str, strategy: StrategyFigures) -> str:
    figure = strategy.metrics[name]
    told = tell_range(name, figure)
    return tell_figure(name, figure) + (f" (95 % interval {told})" if told else "")


def _not_called_not_found(leading: str, strategy: StrategyFigures) -> str:
    """How much of what is found the same result does not call not found; nothing where that was not measured."""
    answered = strategy.metrics.get(answered_metric(leading))
    if answered is None or answered.value is None:
        return ""
    found = round(_value(leading, strategy) * strategy.metrics[leading].case_count)
    kept = round(answered.value * answered.case_count)
    title = METRICS[answered_metric(leading)].title
    return f"; of these {found:,}, {kept:,} were not called not found ({title} {tell_figure(leading, answered)})"


def _characters(strategy: StrategyFigures) -> str:
    figure = strategy.metrics.get("characters")
    return f", at {figure.value:,.0f} characters a question" if figure is not None and figure.value is not None else ""
