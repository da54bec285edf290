"""The figures out of the rows, each with a bootstrap interval; what each metric says stands in `summary.METRICS`.

The bootstrap resamples documents, not pairs (a cluster bootstrap: questions of one document go wrong together; Davison
and Hinkley, Bootstrap Methods, 1997, 3.8), with a fixed seed, so that equal rows give equal intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.evaluation.coverage import DEPTHS
from pipeline.evaluation.summary import METRICS, Figure

RESAMPLES = 400  # ends of a 95 % interval are then some ten resamples away from the extremes
SEED = 20_260_101  # any number, as long as it stays
INTERVAL = (2.5, 97.5)  # percentiles
MIN_CLUSTERS = 5  # documents; with fewer, pairs are drawn instead
TARGET_RECALL = 0.8  # Hendrycks et al. 2021 report the precision there
DIGITS = 6  # decimals of a figure; more is noise of the order of addition

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A metric on the rows as they are, and on each resample (NaN where a resample holds no case)."""

    value: float
    resampled: Floats
    case_count: int


@dataclass(frozen=True, slots=True)
class Resampling:
    """How often each cluster is drawn in each resample; `drawn` says what a cluster is."""

    names: tuple[str, ...]
    weights: Floats  # resamples x clusters
    drawn: str

    def of_rows(self, rows: pd.DataFrame) -> NDArray[np.int64]:
        """The cluster of each row."""
        places = {name: at for at, name in enumerate(self.names)}
        return np.array([places[key] for key in _keys(rows, self.drawn)], dtype=np.int64)


def resample(rows: pd.DataFrame, *, resamples: int = RESAMPLES) -> Resampling:
    """The resampling of the documents of some rows; of their pairs where there are fewer than five documents."""
    drawn = "documents" if rows["document"].nunique() >= MIN_CLUSTERS else "pairs"
    names = tuple(dict.fromkeys(_keys(rows, drawn)))
    count = max(len(names), 1)
    draws = np.random.default_rng(SEED).multinomial(count, np.full(count, 1.0 / count), size=resamples)
    return Resampling(names, draws.astype(np.float64), drawn)


def figures(rows: pd.DataFrame, resampling: Resampling) -> dict[str, Figure]:
    """The figures of the rows of one strategy, in the order of METRICS; metrics that do not apply are left out."""
    return {name: _figure(one) for name, one in estimates(rows, resampling).items()}


def figures_by_type(rows: pd.DataFrame, resampling: Resampling) -> dict[str, dict[str, Figure]]:
    """The figures of each question type, by name."""
    return {str(name): figures(part, resampling) for name, part in rows.groupby("question_type", sort=True)}


def estimates(rows: pd.DataFrame, resampling: Resampling) -> dict[str, Estimate]:
    """Every metric that applies to the rows of one strategy, as it is and on each resample."""
    if rows.empty:
        return {}
    counts = _Counts(rows, resampling)
    found = {**_recall(counts), **_absence(counts), **_ranked(counts), **_answers(counts)}
    return {name: found[name] for name in METRICS if name in found}


class _Counts:
    """Columns of the rows as arrays, and the sums of them over each resample."""

    def __init__(self, rows: pd.DataFrame, resampling: Resampling) -> None:
        self.rows = rows
        self.clusters = resampling.of_rows(rows)
        self.weights = resampling.weights
        self.present = self.flag("present")
        self.absent = ~self.present
        self.not_found = self.flag("not_found")

    def flag(self, name: str) -> NDArray[np.bool_]:
        column: NDArray[np.bool_] = self.rows[name].to_numpy(dtype=np.bool_)
        return column

    def number(self, name: str) -> Floats:
        column: Floats = self.rows[name].to_numpy(dtype=np.float64)
        return column

    def ratio(self, above: NDArray[np.generic], below: NDArray[np.generic]) -> Estimate:
        """The sum of `above` over the sum of `below`."""
        top, bottom = above.astype(np.float64), below.astype(np.float64)
        return Estimate(_share(top.sum(), bottom.sum()), _divide(self.sums(top), self.sums(bottom)), int(bottom.sum()))

    def sums(self, values: Floats) -> Floats:
        """The sum of a column over each resample."""
        by_cluster = np.bincount(self.clusters, weights=values, minlength=self.weights.shape[1])
        return self.weights @ by_cluster


def _recall(counts: _Counts) -> dict[str, Estimate]:
    gold = counts.number("gold_count")
    is_clauses = (counts.rows["gold_kind"] == "clauses").to_numpy(dtype=np.bool_)
    found: dict[str, Estimate] = {"characters": counts.ratio(counts.number("characters"), np.ones(len(gold)))}
    for kind, pairs in (("clauses", is_clauses & (gold > 0)), ("pages", ~is_clauses & (gold > 0))):
        if not pairs.any():
            continue
        for depth in DEPTHS:
            covered = counts.number(f"covered_{depth}")
            if kind == "clauses":
                found[f"recall@{depth}"] = counts.ratio(pairs & (covered > 0), pairs)
                found[f"clause_recall@{depth}"] = counts.ratio(np.where(pairs, covered, 0), np.where(pairs, gold, 0))
            else:
                found[f"page_hit@{depth}"] = counts.ratio(pairs & (covered > 0), pairs)
        name = "answered_recall@5" if kind == "clauses" else "answered_page_hit@5"
        found[name] = counts.ratio(pairs & (counts.number("covered_5") > 0) & ~counts.not_found, pairs)
    labelled = gold > 0
    if labelled.any():
        rank = counts.number("first_rank")
        reciprocal = np.where(labelled & (rank > 0), 1 / np.maximum(rank, 1), 0)
        found["mrr@5"] = counts.ratio(reciprocal, labelled)
        covering, contexts = (counts.number(name) for name in ("covering_count", "context_count"))
        found["context_precision"] = counts.ratio(np.where(labelled, covering, 0), np.where(labelled, contexts, 0))
    return found


def _absence(counts: _Counts) -> dict[str, Estimate]:
    found = {}
    if counts.present.any():
        found["present_kept"] = counts.ratio(counts.present & ~counts.not_found, counts.present)
    if not counts.absent.any():
        return found
    right = counts.absent & counts.not_found
    # F1 is a ratio too: twice the right ones over all called not found and all that are.
    doubled = counts.not_found.astype(np.float64) + counts.absent
    return found | {
        "absence_precision": _zero_without_cases(counts.ratio(right, counts.not_found)),
        "absence_recall": counts.ratio(right, counts.absent),
        "absence_f1": counts.ratio(2.0 * right, doubled),
    }


def _ranked(counts: _Counts) -> dict[str, Estimate]:
    """What depends on the order that confidence puts the pairs in; only where some are present and some are not."""
    if not (counts.present.any() and counts.absent.any()):
        return {}
    covered = counts.present & ((counts.number("covered_5") > 0) | (counts.number("gold_count") == 0))
    curve = _Curve(counts, counts.number("confidence"))
    found = {
        "aupr_present": curve.area(counts.present),
        "precision_at_80_recall": curve.precision_at(counts.present, counts.present),
        "covered_precision_at_80_recall": curve.precision_at(covered, counts.present),
    }
    return {name: Estimate(float(values[0]), values[1:], len(counts.present)) for name, values in found.items()}


class _Curve:
    """Precision and recall along falling confidence; pairs of equal confidence are taken together."""

    def __init__(self, counts: _Counts, confidence: Floats) -> None:
        self.order = np.argsort(-confidence, kind="stable")
        ranked = confidence[self.order]
        self.ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
        weights = counts.weights[:, counts.clusters[self.order]]
        self.weights = np.vstack([np.ones(len(ranked)), weights])  # the rows as they are come first
        self.retrieved = self._cumulated(np.ones(len(ranked), dtype=np.bool_))

    def area(self, relevant: NDArray[np.bool_]) -> Floats:
        """Average precision: the precision at each step of recall, weighted by the step."""
        hits = self._cumulated(relevant)
        steps = np.diff(hits, axis=1, prepend=0.0)
        precision = _divide(hits, self.retrieved)
        return _divide(np.nansum(steps * precision, axis=1), hits[:, -1])

    def precision_at(self, hits: NDArray[np.bool_], relevant: NDArray[np.bool_]) -> Floats:
        """Best precision of `hits` where 80 % of what is relevant are hits; 0 where that is never reached."""
        found = self._cumulated(hits)
        total = self._cumulated(relevant)[:, -1]
        reached = _divide(found, total[:, None]) >= TARGET_RECALL - 1e-12
        precision = np.nan_to_num(_divide(found, self.retrieved))
        best: Floats = np.where(reached, precision, 0.0).max(axis=1)
        return np.where(total > 0, best, np.nan)

    def _cumulated(self, flags: NDArray[np.bool_]) -> Floats:
        total: Floats = np.cumsum(self.weights * flags[self.order], axis=1)
        return total[:, self.ends]


def _answers(counts: _Counts) -> dict[str, Estimate]:
    found = {}
    compared = counts.rows["value_right"].notna().to_numpy(dtype=np.bool_)
    if compared.any():
        right = counts.rows["value_right"].fillna(value=False).to_numpy(dtype=np.bool_)
        found["value_accuracy"] = counts.ratio(right, compared)
    status = counts.rows["answer_status"]
    given = status.isin(["answered", "partial"]).to_numpy(dtype=np.bool_)
    if compared.any():
        told = compared & counts.rows["given_value"].notna().to_numpy(dtype=np.bool_)
        unlabelled = given & counts.absent & ~compared
        found["value_given"] = counts.ratio(told, compared)
        found["value_wrong"] = counts.ratio((told & ~right) | unlabelled, told | unlabelled)
    if given.any():
        checked = counts.rows["quotes_checked"].fillna(value=False).to_numpy(dtype=np.bool_)
        found["quotes_checked"] = counts.ratio(given & checked, given)
    asked = status.notna().to_numpy(dtype=np.bool_) & counts.present
    if asked.any():
        found["answered"] = counts.ratio(asked & given, asked)
    return found


def _figure(one: Estimate) -> Figure:
    value = None if np.isnan(one.value) else round(float(one.value), DIGITS)
    valid = one.resampled[~np.isnan(one.resampled)]
    if value is None or not len(valid):
        return Figure(value=value, case_count=one.case_count)
    low, high = (round(float(end), DIGITS) for end in np.percentile(valid, INTERVAL))
    return Figure(value=value, low=low, high=high, case_count=one.case_count)


def _zero_without_cases(one: Estimate) -> Estimate:
    """Precision of something never said is 0, as in the scoring that figures are compared with."""
    return Estimate(np.nan_to_num(one.value), np.nan_to_num(one.resampled), one.case_count)


def _share(above: float, below: float) -> float:
    return float(above / below) if below else float("nan")


def _divide(above: Floats, below: Floats) -> Floats:
    result: Floats = np.full(np.broadcast(above, below).shape, np.nan)
    np.divide(above, below, out=result, where=below != 0)
    return result


def _keys(rows: pd.DataFrame, drawn: str) -> Sequence[str]:
    documents: list[str] = rows["document"].tolist()
    if drawn == "documents":
        return documents
    return [f"{one}\0{other}" for one, other in zip(documents, rows["question_id"].tolist(), strict=True)]


def causes(rows: pd.DataFrame, column: str, names: Sequence[str]) -> Mapping[str, int]:
    """How many rows name each of the values in a column."""
    counted = rows[column].value_counts()
    return {name: int(counted.get(name, 0)) for name in names}
