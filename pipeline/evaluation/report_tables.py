"""The tables of figures: strategies side by side, the steps of the ablation, types of question."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from pipeline.evaluation.plots import Bars, Value, draw_bars
from pipeline.evaluation.report_figures import (
    applying,
    badge,
    figure_cell,
    find_best,
    leading_metric,
    name_cell,
    tell_figure,
)  # fmt: skip
from pipeline.evaluation.report_markup import NOTHING, Element, Node, table, tag
from pipeline.evaluation.summary import METRICS, EvaluationSummary, Figure, StrategyFigures

# Tables of at most this many columns can be read and printed; the metrics fall into these groups.
GROUPS = (
    (
        "Finding: what the first contexts cover",
        ("recall@", "clause_recall@", "answered_recall@", "page_hit@", "answered_page_hit@", "mrr@5",
         "context_precision", "characters"),
    ),
    (
        "Absence and confidence: saying so when nothing answers",
        ("absence_", "present_kept", "aupr_", "precision_at", "covered_precision_at"),
    ),
    ("Answers", ("value_", "quotes_checked", "answered")),  # what the groups above took is not repeated
)  # fmt: skip
POINTS = 100.0  # points of a share, for gains
TYPE_METRICS = (
    "recall@1", "recall@3", "recall@5", "clause_recall@5", "answered_recall@5", "page_hit@1", "page_hit@3",
    "page_hit@5", "answered_page_hit@5", "absence_f1", "present_kept", "aupr_present", "precision_at_80_recall",
    "value_accuracy", "value_wrong",
)  # fmt: skip


def show_strategies(summary: EvaluationSummary) -> list[Element]:
    """A table a group of metrics, a row a strategy, each figure with its interval, the best marked."""
    made: list[Element] = [
        tag(
            "p",
            "Under each figure stands its 95 % interval. ★ marks the best of a column as printed; where intervals "
            "overlap widely, the order may be chance. A strategy that never says 'not found' keeps every present pair: "
            "read 'present kept' beside the recall of absence.",
        )
    ]
    left = applying(summary.strategies)
    for title, beginnings in GROUPS:
        names = [name for name in left if name.startswith(beginnings)]
        left = [name for name in left if name not in names]
        if names:
            made.append(_metric_table(title, names, summary.strategies))
    return made if len(made) > 1 else []


def show_ablation(summary: EvaluationSummary) -> list[Element]:
    """The steps in the manner of the source text: what is added, what is found, and the gain over the step before."""
    if not summary.ablation:
        return []
    leading = leading_metric(summary)
    names = [name for name in _short_list(summary.ablation) if name != leading]
    lines = []
    before: float | None = None
    for number, step in enumerate(summary.ablation, start=1):
        figure = step.metrics.get(leading)
        value = figure.value if figure else None
        gain = NOTHING if value is None or before is None else f"{(value - before) * POINTS:+.1f}"
        cells = [figure_cell(name, step.metrics.get(name)) for name in names]
        lines.append([name_cell(number, step.name), figure_cell(leading, figure), gain, *cells])
        before = value if value is not None else before
    heads = ["Step", METRICS[leading].title, "Gain, points", *(METRICS[name].title for name in names)]
    keys = [name for name in applying(summary.ablation) if name.startswith(("recall@", "page_hit@"))][:3]
    plot = draw_bars(
        "Recall of each step of the ablation",
        [METRICS[name].title for name in keys],
        [
            Bars(number, step.name, tuple(as_value(step.metrics.get(name)) for name in keys))
            for number, step in enumerate(summary.ablation, start=1)
        ],
        x_title="share of the questions with an answer",
    )
    return [
        tag(
            "p",
            "One part is added at a time, from embeddings alone to the whole pipeline, on the same questions. The "
            "source text reports of its authors' system: embeddings alone 71 %, with contents 84 %, with keywords and "
            "dictionary 91 %, with the dispatcher 94 %. Those are other data: only the shape may be compared.",
        ),
        table("Ablation: each step keeps the parts of the step before", heads, lines, explained=_explain),
        tag("figure", plot, tag("figcaption", "Whiskers: 95 % intervals.")),
        tag("dl", *(part for step in summary.ablation for part in (tag("dt", step.name), tag("dd", step.description)))),
    ]


def show_question_types(summary: EvaluationSummary, rows: pd.DataFrame) -> list[Element]:
    """The default strategy's figures for each type of question, and the leading metric of every strategy beside."""
    if not summary.strategies:
        return []
    first = summary.strategies[0]
    types = sorted({name for each in summary.strategies for name in each.by_question_type})
    if not types:
        return []
    counts = _count_pairs(rows, first.name)
    names = [
        name
        for name in TYPE_METRICS
        if any(_measured(first.by_question_type.get(kind, {}).get(name)) for kind in types)
    ]
    lines = [
        [
            kind, *counts.get(kind, (NOTHING, NOTHING)),
            *(tell_figure(name, first.by_question_type.get(kind, {}).get(name)) for name in names),
        ]
        for kind in types
    ]  # fmt: skip
    heads = ["Type", "With an answer", "Without", *(METRICS[name].title for name in names)]
    made = [
        tag(
            "p",
            "Figures of one type rest on few questions: read them with the counts. Intervals stand in summary.json.",
        ),
        table(f"{first.name}, by type of question", heads, lines, explained=_explain),
    ]
    leading = leading_metric(summary)
    if len(summary.strategies) > 1:
        made.append(_compare_types(summary, types, leading))
    return made


def as_value(figure: Figure | None) -> Value | None:
    """A figure as the plots take it; None where it was not measured."""
    return Value(figure.value, figure.low, figure.high) if figure and figure.value is not None else None


def _compare_types(summary: EvaluationSummary, types: Sequence[str], leading: str) -> Element:
    lines = []
    for kind in types:
        figures = [each.by_question_type.get(kind, {}).get(leading) for each in summary.strategies]
        best = find_best(leading, figures)
        cells = [
            tag("td", tell_figure(leading, figure), class_="num best" if index in best else "num")
            for index, figure in enumerate(figures)
        ]
        lines.append([kind, *cells])
    heads: list[Node] = ["Type"]
    for number, each in enumerate(summary.strategies, start=1):
        heads.append(tag("span", badge(number), *_breakable(each.name)))
    return table(
        f"{METRICS[leading].title} by type of question, strategies side by side; the best shaded", heads, lines
    )


def _metric_table(title: str, names: Sequence[str], strategies: Sequence[StrategyFigures]) -> Element:
    best = {name: find_best(name, [each.metrics.get(name) for each in strategies]) for name in names}
    lines = [
        [
            name_cell(index + 1, each.name),
            *(figure_cell(name, each.metrics.get(name), best=index in best[name]) for name in names),
        ]
        for index, each in enumerate(strategies)
    ]
    return table(title, ["Strategy", *(METRICS[name].title for name in names)], lines, explained=_explain)


def _short_list(steps: Sequence[StrategyFigures]) -> list[str]:
    """The metrics of the ablation table: recall at each depth, absence, characters."""
    wanted = (
        "recall@1",
        "recall@3",
        "clause_recall@5",
        "page_hit@1",
        "page_hit@3",
        "mrr@5",
        "absence_f1",
        "present_kept",
        "characters",
    )
    return [name for name in applying(steps) if name in wanted]


def _count_pairs(rows: pd.DataFrame, strategy: str) -> dict[str, tuple[str, str]]:
    """Pairs with and without an answer of each type, as text."""
    own = rows[rows["strategy"] == strategy]
    present = own.groupby("question_type", sort=True)["present"].agg(["sum", "count"])
    return {
        str(kind): (f"{int(each['sum']):,}", f"{int(each['count'] - each['sum']):,}")
        for kind, each in present.iterrows()
    }


def _breakable(name: str) -> list[Node]:
    """A strategy's name that may go on in a new line before each '+'."""
    first, *rest = name.split("+")
    return [first, *(tag("span", f"+{part}", class_="part") for part in rest)]


def _explain(head: str) -> str | None:
    return next((metric.description for metric in METRICS.values() if metric.title == head), None)


def _measured(figure: Figure | None) -> bool:
    return figure is not None and figure.value is not None
