"""The plots of the report from its figures: recall, recall against characters, and what confidence is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from pipeline.evaluation.plots import (
    Bars,
    Bin,
    Curve,
    Point,
    Value,
    draw_bars,
    draw_cloud,
    draw_curves,
    draw_reliability,
)  # fmt: skip
from pipeline.evaluation.report_figures import applying, leading_metric
from pipeline.evaluation.report_markup import Element, tag
from pipeline.evaluation.report_tables import as_value
from pipeline.evaluation.summary import METRICS, EvaluationSummary, Figure

BIN_COUNT = 10  # tenths of confidence, as usual for reliability diagrams (Niculescu-Mizil and Caruana, ICML 2005)
MAX_CURVES = 6  # curves that can be told apart in one plot; those with the best area are shown
FINEST_STEP = 0.0025  # of recall: a pixel of the plot; finer steps cannot be seen and would fill the file
WILSON_Z = 1.959964  # two-sided 95 % point of the normal distribution


def show_plots(summary: EvaluationSummary) -> list[Element]:
    """Bars of recall with whiskers, and recall against the characters handed over."""
    keys = [name for name in applying(summary.strategies) if name.startswith(("recall@", "page_hit@"))]
    if not keys:
        return []
    kind = "recall@" if any(name.startswith("recall@") for name in keys) else "page_hit@"
    keys = [name for name in keys if name.startswith(kind)]
    bars = [
        Bars(number, each.name, tuple(as_value(each.metrics.get(name)) for name in keys))
        for number, each in enumerate(summary.strategies, start=1)
    ]
    titles = [METRICS[name].title for name in keys]
    made = [
        tag(
            "figure",
            draw_bars("Recall of each strategy", titles, bars, x_title="share of the questions with an answer"),
            tag("figcaption", "How often the answer is among the first contexts. Whiskers: 95 % intervals."),
        )
    ]
    leading = leading_metric(summary)
    points = [
        Point(number, each.name, characters.value, value)
        for number, each in enumerate(summary.strategies, start=1)
        if (characters := each.metrics.get("characters")) is not None
        and characters.value is not None
        and (value := as_value(each.metrics.get(leading))) is not None
    ]
    if points:
        title = METRICS[leading].title
        plot = draw_cloud(f"{title} against characters", points, x_title="characters a question", y_title=title)
        told = "Recall bought with text is no gain: up and to the left is better. Numbers as in the tables."
        made.append(tag("figure", plot, tag("figcaption", told)))
    return made


def show_calibration(summary: EvaluationSummary, rows: pd.DataFrame) -> list[Element]:
    """Precision and recall of confidence as a curve, and reliability diagrams; nothing without both kinds of pairs."""
    if not (rows["present"].any() and (~rows["present"]).any()):
        return []
    chosen = _choose_curves(summary, rows)
    curves = [Curve(number, name, _precision_curve(own)) for number, name, own in chosen]
    diagrams = [_draw_diagram(number, name, _bin(own)) for number, name, own in chosen]
    first = rows[rows["strategy"] == rows["strategy"].iloc[0]]
    base = float(first["present"].mean())
    left_out = len(summary.strategies) - len(chosen)
    rest = f" The {len(chosen)} with the largest area are drawn, {left_out} are not." if left_out > 0 else ""
    told = (
        "The pairs are taken from the most confident down; the curve shows how many of those taken have an answer "
        f"(precision) and how many of all answers are reached (recall). Broken line: a guess, {base:.3f}.{rest}"
    )
    reliable = (
        "A confidence of 0.8 should mean that 8 of 10 such questions have an answer: then a disc lies on the broken "
        "line. Above it the strategy is too cautious, below it too sure. Larger discs hold more questions; bars are "
        "95 % intervals (Wilson); the mean gap is how far discs lie from the line, weighted by their questions. "
        "Strategies that rank alone give no calibrated confidence."
    )
    curve_plot = draw_curves(
        "Precision and recall of confidence", curves, x_title="recall", y_title="precision", floor=base
    )
    return [
        tag("figure", curve_plot, tag("figcaption", told)),
        tag("figure", tag("div", *diagrams, class_="row"), tag("figcaption", reliable)),
    ]


def _choose_curves(summary: EvaluationSummary, rows: pd.DataFrame) -> list[tuple[int, str, pd.DataFrame]]:
    """Number, name and rows of the strategies to draw: those with the largest area, in the order of the tables."""
    able = [
        (number, each)
        for number, each in enumerate(summary.strategies, start=1)
        if bool((rows["strategy"] == each.name).any())
    ]
    by_area = sorted(able, key=lambda pair: (-_area(pair[1].metrics), pair[0]))[:MAX_CURVES]
    return [
        (number, each.name, rows[rows["strategy"] == each.name]) for number, each in sorted(by_area, key=lambda p: p[0])
    ]


def _area(metrics: Mapping[str, Figure]) -> float:
    figure = metrics.get("aupr_present")
    return float(figure.value) if figure is not None and figure.value is not None else 0.0


def _precision_curve(rows: pd.DataFrame) -> tuple[tuple[float, float], ...]:
    """(recall, precision) from the most confident pairs down as a staircase; equal confidences come in at once."""
    total = int(rows["present"].sum())
    if not total:
        return ()
    steps = rows.groupby("confidence", sort=True)["present"].agg(["sum", "count"]).iloc[::-1].cumsum()
    points: list[tuple[float, float]] = []
    before = 0.0
    for right, taken in zip(steps["sum"].tolist(), steps["count"].tolist(), strict=True):
        recall, precision = right / total, right / taken
        if recall - before < FINEST_STEP and right < total:
            continue
        points += [(before, precision), (recall, precision)]
        before = recall
    return tuple(points)


def _bin(rows: pd.DataFrame) -> list[Bin]:
    """The pairs by tenths of confidence; empty tenths are left out."""
    tenths = (rows["confidence"] * BIN_COUNT).astype("int64").clip(0, BIN_COUNT - 1)
    grouped = rows.groupby(tenths, sort=True).agg(
        confidence=("confidence", "mean"), present=("present", "sum"), count=("present", "count")
    )
    return [
        Bin(float(each.confidence), wilson(int(each.present), int(each.count_)), int(each.count_))
        for each in grouped.rename(columns={"count": "count_"}).itertuples()
    ]


def wilson(hits: int, count: int) -> Value:
    """The share of hits with its 95 % interval (Wilson, JASA 1927); `count` from 1."""
    share, square = hits / count, WILSON_Z**2
    centre = (share + square / (2 * count)) / (1 + square / count)
    half = WILSON_Z / (1 + square / count) * ((share * (1 - share) / count + square / (4 * count**2)) ** 0.5)
    return Value(share, max(centre - half, 0.0), min(centre + half, 1.0))


def _draw_diagram(number: int, name: str, bins: Sequence[Bin]) -> Element:
    return draw_reliability(f"Reliability of {name}", number, name, bins, note=f"mean gap {_mean_gap(bins):.3f}")


def _mean_gap(bins: Sequence[Bin]) -> float:
    """How far confidence and share lie apart, weighted by the questions of a bin: the expected calibration error."""
    total = sum(one.count for one in bins)
    return sum(one.count * abs(one.share.value - one.confidence) for one in bins) / total if total else 0.0
