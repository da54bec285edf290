"""Whether the figures of a summary follow from the rows beside it: a figure that was written by hand is none."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from pipeline.evaluation.metrics import DIGITS, figures, figures_by_type, resample
from pipeline.evaluation.summary import EvaluationSummary, Figure
from pipeline.evaluation.totals import rows_sha256
from schemas.errors import InputError

APART = 2 * 10.0**-DIGITS  # least difference of two figures that is not of rounding; both have six decimals


def check_rows(summary: EvaluationSummary, rows: pd.DataFrame, *, where: str, beside: str) -> None:
    """Nothing, where the rows are those of the summary and give its figures; `where` and `beside` name the two files.

    Compared are values and numbers of cases, of every strategy and type of question; a metric that the summary does not
    have (it was written before there was one) is no fault.

    Raises InputError naming the first figure that differs.
    """
    remedy = "one of the two was changed, or is of another run; run `lineproof eval` again, or restore both files"
    if rows_sha256(rows) != summary.rows_sha256:
        raise InputError(f"{where}: not made of the rows beside it ({beside}); {remedy}")
    told = _difference(summary, rows)
    if told is not None:
        raise InputError(f"{where}: its figures do not follow from the rows beside it ({beside}): {told}; {remedy}")


def _difference(summary: EvaluationSummary, rows: pd.DataFrame) -> str | None:
    once = resample(rows, resamples=1)  # values alone are compared: intervals are not needed
    for one in (*summary.strategies, *summary.ablation):
        own = rows[rows["strategy"] == one.name]
        told = _compare(one.metrics, figures(own, once), one.name)
        by_type = figures_by_type(own, once) if one.by_question_type else {}
        for kind, given in one.by_question_type.items():
            told = told or _compare(given, by_type.get(kind, {}), f"{one.name}, {kind}")
        if told is not None:
            return told
    return None


def _compare(given: Mapping[str, Figure], made: Mapping[str, Figure], name: str) -> str | None:
    for metric, figure in given.items():
        counted = made.get(metric, Figure(value=None, case_count=0))
        if figure.case_count != counted.case_count or not _equal(figure.value, counted.value):
            return f"{metric} of {name} is {_tell(figure)} there, and {_tell(counted)} by the rows"
    return None


def _equal(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= APART * max(1.0, abs(one))


def _tell(figure: Figure) -> str:
    return "no value" if figure.value is None else f"{figure.value:g} ({figure.case_count:,} cases)"
