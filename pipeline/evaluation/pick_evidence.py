"""The figures that the picker weighs: those of the questions that count, differences of two strategies, and times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pandas as pd

from pipeline.evaluation.metrics import Resampling, estimates, figures, resample
from pipeline.evaluation.pick_records import QueryPattern, Wishes
from pipeline.evaluation.report_costs import MILLISECONDS, question_times
from pipeline.evaluation.report_figures import leading_metric
from pipeline.evaluation.summary import EvaluationSummary, Figure
from pipeline.question.anchors import find_anchors

# Questions below which a share of them is not evidence: its 95 % interval is then wider than a third.
MIN_QUESTIONS = 30
Latency: TypeAlias = tuple[float, float, int]  # median and 95th percentile in milliseconds, and how many questions
INTERVAL = (2.5, 97.5)  # percentiles, as of the figures themselves
# A capitalised word that does not open the question: 'Acme' in 'Does Acme insure ...'.
_NAME = re.compile(r"(?<=[\w,;)'’] )(?:[A-Z][\w&.-]*[a-z][\w&.-]*|[A-Z]{2,})(?![\w])")
_TOPIC = re.compile(r"^[^:?]{1,60}:\s+")  # 'Governing Law: Which ...': the name of a category, none of a thing


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more one strategy finds than another on the same questions, with the 95 % interval of that."""

    value: float
    low: float
    high: float
    question_count: int

    def told(self) -> str:
        """The difference in words."""
        return f"{self.value:+.3f} ({self.low:+.3f} to {self.high:+.3f}, {self.question_count:,} questions)"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Rows of the questions that count, of strategies alone; `narrowed` says that a query pattern chose them."""

    rows: pd.DataFrame
    all_rows: pd.DataFrame
    metric: str
    resampling: Resampling
    narrowed: bool
    pattern_questions: int  # with an answer, among those of the pattern; all of them where no pattern was said

    def figures(self, strategy: str) -> dict[str, Figure]:
        """The figures of a strategy on the questions that count; empty where it has no row."""
        own = self.rows[self.rows["strategy"] == strategy]
        return figures(own, self.resampling) if len(own) else {}

    def difference(self, one: str, other: str, *, metric: str | None = None) -> Difference | None:
        """How much more `one` finds than `other`; None where either was not measured on these questions."""
        return paired_difference(self.rows, self.resampling, one, other, metric or self.metric)


def gather(summary: EvaluationSummary, rows: pd.DataFrame, wishes: Wishes) -> Evidence:
    """The evidence for the wishes: the questions of the pattern where there are enough, else all questions."""
    names = {each.name for each in summary.strategies}
    own = rows[rows["strategy"].isin(names)]
    of_pattern = own[matches(own["question"].tolist(), wishes.patterns)] if len(own) else own
    first = of_pattern[of_pattern["strategy"] == summary.strategies[0].name] if summary.strategies else of_pattern
    count = int(first["present"].sum())
    narrowed = count >= MIN_QUESTIONS and len(of_pattern) < len(own)
    chosen = of_pattern if narrowed else own
    return Evidence(chosen, own, leading_metric(summary), resample(chosen), narrowed, count)


def matches(questions: Sequence[str], patterns: Sequence[QueryPattern]) -> np.ndarray:
    """Which questions hold what a pattern says; all where no pattern is said, or free text is among them.

    A code is an exact token as the question's parser reads it (code, label, quoted phrase); a name is a capitalised
    word inside the question. Both are signs, not proof: the number of questions found is told beside the figures.
    """
    wanted = set(patterns)
    if not wanted or "free_text" in wanted:
        return np.ones(len(questions), dtype=np.bool_)
    read: dict[str, bool] = {}
    for question in questions:
        if question not in read:
            text = _TOPIC.sub("", question)
            read[question] = ("codes" in wanted and bool(find_anchors(text))) or (
                "names" in wanted and bool(_NAME.search(text))
            )
    return np.array([read[question] for question in questions], dtype=np.bool_)


def paired_difference(
    rows: pd.DataFrame, resampling: Resampling, one: str, other: str, metric: str
) -> Difference | None:
    """The difference of a metric on the same resamples of the same documents; None where either lacks it."""
    found = [
        estimates(rows[rows["strategy"] == name], resampling).get(metric) if len(rows) else None
        for name in (one, other)
    ]
    first, second = found
    if first is None or second is None:
        return None
    resampled = first.resampled - second.resampled
    valid = resampled[~np.isnan(resampled)]
    if not len(valid):
        return None
    low, high = (float(end) for end in np.percentile(valid, INTERVAL))
    return Difference(first.value - second.value, low, high, min(first.case_count, second.case_count))


def latency(timings: pd.DataFrame | None, strategy: str, stage: str | None = None) -> Latency | None:
    """Median and 95th percentile in milliseconds and how many questions; of all stages, or of one; None: not timed."""
    if timings is None:
        return None
    own = timings[timings["strategy"] == strategy]
    seconds = question_times(own, strategy) if stage is None else own[own["stage"] == stage]["wall_seconds"]
    if not len(seconds):
        return None
    median, high = (float(seconds.quantile(share)) * MILLISECONDS for share in (0.5, 0.95))
    return median, high, len(seconds)
