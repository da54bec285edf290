"""An evaluation as `lineproof eval` saved it, for whoever builds on its figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pipeline.evaluation.evaluate import ROWS, SUMMARY, TIMES
from pipeline.evaluation.gate import read_summary
from pipeline.evaluation.progress_files import from_parquet
from pipeline.evaluation.rows import EVALUATION_DF, TIMING_DF
from pipeline.evaluation.summary import EvaluationSummary
from pipeline.evaluation.totals import rows_sha256
from schemas.errors import InputError, RecordError


@dataclass(frozen=True, slots=True)
class SavedEvaluation:
    """A summary with its rows and its times; no times where the file is not there."""

    summary: EvaluationSummary
    rows: pd.DataFrame
    timings: pd.DataFrame | None


def load_evaluation(folder: Path) -> SavedEvaluation:
    """The evaluation in a folder.

    Raises InputError where the folder holds none, RecordError and TableError where a file is damaged or of another run.
    """
    missing = [name for name in (SUMMARY, ROWS) if not (folder / name).is_file()]
    if missing:
        raise InputError(
            f"{folder}: no evaluation here ({' and '.join(missing)} not found); make one with "
            f"`lineproof eval DATASET --out {folder}`"
        )
    timings = from_parquet(folder / TIMES, TIMING_DF) if (folder / TIMES).is_file() else None
    summary, rows = read_summary(folder), from_parquet(folder / ROWS, EVALUATION_DF)
    if rows_sha256(rows) != summary.rows_sha256:
        raise RecordError(f"{folder / ROWS}: not the rows that {SUMMARY} was made of; run `lineproof eval` again")
    return SavedEvaluation(summary, rows, timings)
