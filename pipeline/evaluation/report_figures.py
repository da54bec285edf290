"""How figures are chosen and written in the report: which metrics apply, which is best, how many digits."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.evaluation.plots_axes import colour
from pipeline.evaluation.report_markup import NOTHING, Element, Node, tag
from pipeline.evaluation.summary import METRICS, EvaluationSummary, Figure, StrategyFigures


def applying(strategies: Sequence[StrategyFigures]) -> list[str]:
    """Names of the metrics that at least one of the strategies has a value for, in the order of METRICS."""
    return [
        name
        for name in METRICS
        if any(name in each.metrics and each.metrics[name].value is not None for each in strategies)
    ]


def leading_metric(summary: EvaluationSummary) -> str:
    """The metric that tells most of this data set: recall@5 where clauses are labelled, else page hit@5."""
    names = applying((*summary.strategies, *summary.ablation))
    return "recall@5" if "recall@5" in names or "page_hit@5" not in names else "page_hit@5"


def answered_metric(leading: str) -> str:
    """The metric that counts, of what a leading metric counts as found, what is not called not found."""
    return f"answered_{leading}"


def find_best(name: str, figures: Sequence[Figure | None]) -> set[int]:
    """Places of the best value as printed, equals included; empty where all that are measured are equal."""
    shown = {
        index: _rounded(name, figure) for index, figure in enumerate(figures) if figure and figure.value is not None
    }
    if len(shown) < 2:
        return set()
    pick = max if METRICS[name].better == "higher" else min
    best = pick(shown.values())
    found = {index for index, value in shown.items() if value == best}
    return found if len(found) < len(shown) else set()


def tell_figure(name: str, figure: Figure | None) -> str:
    """A value as printed: three decimals for shares, whole characters."""
    if figure is None or figure.value is None:
        return NOTHING
    return _tell(name, figure.value)


def tell_range(name: str, figure: Figure | None) -> str | None:
    """The 95 % interval as printed; None without one."""
    if figure is None or figure.low is None or figure.high is None:
        return None
    return f"{_tell(name, figure.low)} to {_tell(name, figure.high)}"


def figure_cell(name: str, figure: Figure | None, *, best: bool = False) -> Element:
    """A table cell with the value and its interval beneath; the number of cases shows under the pointer."""
    told = tell_range(name, figure)
    cases = f"{figure.case_count:,} cases" if figure is not None else None
    value: Node = tell_figure(name, figure)
    if best:
        value = tag("span", value, tag("span", " ★", aria_label="best"))
    return tag(
        "td", value, tag("span", told, class_="range") if told else None,
        class_="num best" if best else "num", title=cases,
    )  # fmt: skip


def name_cell(number: int, name: str) -> Element:
    """The head of a strategy's row: its number as in the plots, and its name."""
    return tag("th", badge(number), name, scope="row")


def badge(number: int) -> Element:
    """The number of a strategy on its colour, as in the plots."""
    return tag("span", str(number), class_=f"badge-cell b{colour(number)[1:]}")


def _tell(name: str, value: float) -> str:
    return f"{value:,.0f}" if METRICS[name].unit == "characters" else f"{value:.3f}"


def _rounded(name: str, figure: Figure) -> float:
    return round(figure.value or 0.0, 0 if METRICS[name].unit == "characters" else 3)
