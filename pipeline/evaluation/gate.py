"""Whether a run is worse than the one before, beyond chance: what continuous integration stops at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import Field

from pipeline.evaluation.metrics import DIGITS, INTERVAL, estimates, resample
from pipeline.evaluation.progress_files import from_parquet
from pipeline.evaluation.rows import EVALUATION_DF
from pipeline.evaluation.rows_behind import check_rows
from pipeline.evaluation.summary import METRICS, EvaluationSummary, Figure, StrategyFigures
from pipeline.store.files import read_file
from schemas.errors import InputError, RecordError, SchemaVersionError
from schemas.record import Part

ROWS, SUMMARY = "evaluation.parquet", "summary.json"
# Shown, but not gated: each is one half of a figure that is, or hangs on a single point of a curve.
NOT_GATED = ("absence_precision", "absence_recall", "precision_at_80_recall", "covered_precision_at_80_recall")
MORE_TEXT = 0.10  # share by which the characters a question may grow: a little more text is no loss, a lot buys recall

Verdict = Literal["worse", "better", "same", "not gated"]


class GateCheck(Part):
    """One metric of one strategy, before and now."""

    strategy: str = Field(description="The strategy.")
    metric: str = Field(description="The metric, of METRICS.")
    before: float = Field(description="Its value in the baseline, on the pairs compared.")
    now: float = Field(description="Its value now.")
    change: float = Field(description="Now minus before.")
    low: float | None = Field(description="Lower end of the 95 % interval of the change; null where none is known.")
    high: float | None = Field(description="Upper end of it.")
    case_count: int = Field(description="Cases it rests on.")
    significant: bool = Field(description="The interval of the change leaves out zero.")
    verdict: Verdict = Field(description="worse: a significant change for the worse, at which the gate stops.")


class GateReport(Part):
    """What the gate found."""

    passed: bool = Field(description="Nothing is significantly worse.")
    method: Literal["paired", "intervals"] = Field(
        description="paired: bootstrap of the differences on the common pairs; intervals: of the two summaries alone."
    )
    pairs: int = Field(description="Pairs compared, of one strategy.")
    checks: tuple[GateCheck, ...] = Field(description="Every metric that both runs have, strategy by strategy.")
    notes: tuple[str, ...] = Field(default=(), description="What to know about the comparison, a sentence each.")

    def worse(self) -> tuple[GateCheck, ...]:
        """The checks at which the gate stops."""
        return tuple(check for check in self.checks if check.verdict == "worse")


def compare_runs(baseline: Path, current: Path, *, strategies: Sequence[str] = ()) -> GateReport:
    """What changed from the run whose summary is `baseline` to that of `current`, on the strategies they share.

    Each is a `summary.json` or its folder. Where both have their rows beside them the differences are resampled on the
    pairs that both runs put; else the intervals of the two summaries are compared, which notices less.

    Raises InputError for a missing summary, for one whose figures do not follow from the rows beside it, for runs on
    other labels, and where a strategy of the baseline is missing.
    """
    before, now = read_summary(baseline), read_summary(current)
    if before.dataset.labels_sha256 != now.dataset.labels_sha256:
        raise InputError(
            f"{baseline}: the baseline was measured on other labels ({before.dataset.name}, "
            f"{before.dataset.labels_sha256[:12]}) than {current} ({now.dataset.name}, "
            f"{now.dataset.labels_sha256[:12]}); run both on the same data set"
        )
    names = _strategies(before, now, strategies, current)
    old_rows, new_rows = _rows(baseline, before), _rows(current, now)
    if old_rows is not None and new_rows is not None:
        return _paired(old_rows, new_rows, names)
    if (before.dataset.questions, before.dataset.documents) != (now.dataset.questions, now.dataset.documents):
        raise InputError(
            f"the runs put {before.dataset.questions} and {now.dataset.questions} pairs, and the rows ({ROWS}) that "
            "would tell which are the same are not beside both summaries; run both on the same sample"
        )
    return _by_intervals(before, now, names)


def read_summary(path: Path) -> EvaluationSummary:
    """The summary in a file, or in the folder of a run.

    Raises InputError where there is none, RecordError where the file is damaged or no summary.
    """
    file = path / SUMMARY if path.is_dir() else path
    data = read_file(file)
    if data is None:
        raise InputError(f"{file}: there is no summary of an evaluation; make one with `lineproof eval DATASET --out`")
    try:
        return EvaluationSummary.from_json(data, where=str(file))
    except SchemaVersionError:
        raise
    except RecordError as error:
        raise RecordError(
            f"{file}: no summary of an evaluation; give the summary.json that `lineproof eval DATASET --out DIR` "
            f"writes, or its folder DIR ({error})"
        ) from error


def _rows(path: Path, summary: EvaluationSummary) -> pd.DataFrame | None:
    """The rows beside a summary, found to be those that it was made of; None where there are none."""
    folder = path if path.is_dir() else path.parent
    if not (folder / ROWS).is_file():
        return None
    rows = from_parquet(folder / ROWS, EVALUATION_DF)
    check_rows(summary, rows, where=str(folder / SUMMARY if path.is_dir() else path), beside=ROWS)
    return rows


def _strategies(
    before: EvaluationSummary, now: EvaluationSummary, wanted: Sequence[str], current: Path
) -> tuple[str, ...]:
    old, new = ([one.name for one in summary.strategies] for summary in (before, now))
    unknown = [name for name in wanted if name not in old]
    if unknown:
        raise InputError(f"the baseline has no strategy {unknown[0]!r}; it has {', '.join(old)}")
    names = tuple(name for name in old if not wanted or name in wanted)
    missing = [name for name in names if name not in new]
    if missing:
        raise InputError(
            f"{current}: strategy {missing[0]!r} of the baseline was not run; run it, or name the ones to compare with "
            "--strategy"
        )
    return names


def _paired(old_rows: pd.DataFrame, new_rows: pd.DataFrame, names: Sequence[str]) -> GateReport:
    checks: list[GateCheck] = []
    notes: list[str] = []
    pairs = 0
    for name in names:
        old, new = (rows[rows["strategy"] == name] for rows in (old_rows, new_rows))
        old, new = _common(old, new)
        if old.empty:
            raise InputError(f"strategy {name!r}: the two runs have no pair of document and question in common")
        pairs = max(pairs, len(old))
        larger = max(int((rows["strategy"] == name).sum()) for rows in (old_rows, new_rows))
        if larger > len(old):
            notes.append(f"{name}: {len(old)} of {larger} pairs are in both runs; the others are not compared.")
        drawn = resample(old)
        one, other = estimates(old, drawn), estimates(new, drawn)
        for metric in METRICS:
            if metric in one and metric in other:
                change = other[metric].resampled - one[metric].resampled
                valid = change[~np.isnan(change)]
                ends = np.percentile(valid, INTERVAL) if len(valid) else None
                bounds = (float(ends[0]), float(ends[1])) if ends is not None else None
                values = one[metric].value, other[metric].value
                if not np.isnan(values).any():
                    checks.append(_check(name, metric, values, bounds, other[metric].case_count))
    return _report("paired", pairs, checks, notes)


def _common(old: pd.DataFrame, new: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of the pairs that both have, in the same order."""
    keys = ["document", "question_id"]
    one, other = old.set_index(keys, drop=False), new.set_index(keys, drop=False)
    shared = [key for key in one.index if key in set(other.index)]
    return one.loc[shared].reset_index(drop=True), other.loc[shared].reset_index(drop=True)


def _by_intervals(before: EvaluationSummary, now: EvaluationSummary, names: Sequence[str]) -> GateReport:
    checks = []
    for name in names:
        old, new = (_named(summary, name).metrics for summary in (before, now))
        for metric in METRICS:
            one, other = old.get(metric), new.get(metric)
            if one is not None and other is not None and one.value is not None and other.value is not None:
                bounds = _bounds(one, other, other.value - one.value)
                checks.append(_check(name, metric, (one.value, other.value), bounds, other.case_count))
    note = "The rows of a run are missing: its interval alone was compared, which notices smaller changes less."
    return _report("intervals", now.dataset.questions, checks, [note])


def _named(summary: EvaluationSummary, name: str) -> StrategyFigures:
    return next(one for one in summary.strategies if one.name == name)


def _bounds(one: Figure, other: Figure, change: float) -> tuple[float, float] | None:
    """The 95 % interval of a difference of two independent figures, out of their own intervals."""
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return None
    half = math.hypot(one.high - one.low, other.high - other.low) / 2  # standard errors add up as their squares
    return change - half, change + half


def _check(
    strategy: str, metric: str, values: tuple[float, float], bounds: tuple[float, float] | None, case_count: int
) -> GateCheck:
    before, now = (round(value, DIGITS) for value in values)
    low, high = (round(end, DIGITS) for end in bounds) if bounds is not None else (None, None)
    significant = low is not None and high is not None and (low > 0 or high < 0)
    return GateCheck(
        strategy=strategy, metric=metric, before=before, now=now, change=round(now - before, DIGITS), low=low,
        high=high, case_count=case_count, significant=significant,
        verdict=_verdict(metric, before, now, significant=significant),
    )  # fmt: skip


def _verdict(metric: str, before: float, now: float, *, significant: bool) -> Verdict:
    if metric in NOT_GATED:
        return "not gated"
    if not significant or now == before:
        return "same"
    lower_is_better = METRICS[metric].better == "lower"
    if (now < before) == lower_is_better:
        return "better"
    return "same" if lower_is_better and now <= before * (1 + MORE_TEXT) else "worse"


def _report(
    method: Literal["paired", "intervals"], pairs: int, checks: Sequence[GateCheck], notes: Sequence[str]
) -> GateReport:
    if not checks:
        raise InputError("the two runs have no figure in common")
    passed = all(check.verdict != "worse" for check in checks)
    return GateReport(passed=passed, method=method, pairs=pairs, checks=tuple(checks), notes=tuple(notes))
