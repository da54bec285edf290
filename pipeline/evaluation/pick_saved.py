"""An evaluation as `lineproof eval` saved it, for whoever builds on its figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pipeline.evaluation.rows import EVALUATION_DF, TIMING_DF
from pipeline.evaluation.summary import EvaluationSummary
from schemas.errors import RecordError, SettingsError, StoreError
from schemas.table_schema import TableSchema

SUMMARY_NAME, ROWS_NAME, TIMING_NAME = "summary.json", "rows.parquet", "timing.parquet"


@dataclass(frozen=True, slots=True)
class SavedEvaluation:
    """A summary with its rows and its times; no times where the file is not there."""

    summary: EvaluationSummary
    rows: pd.DataFrame
    timings: pd.DataFrame | None


def load_evaluation(folder: Path) -> SavedEvaluation:
    """The evaluation in a folder.

    Raises SettingsError where the folder holds none, StoreError where a file cannot be read, RecordError and TableError
    where it does not fit.
    """
    missing = [name for name in (SUMMARY_NAME, ROWS_NAME) if not (folder / name).is_file()]
    if missing:
        raise SettingsError(
            f"{folder}: no evaluation here ({' and '.join(missing)} not found); give a folder of `lineproof eval`"
        )
    try:
        data = (folder / SUMMARY_NAME).read_bytes()
    except OSError as error:
        raise StoreError(f"{folder / SUMMARY_NAME}: cannot be read ({error.strerror})") from error
    summary = EvaluationSummary.from_json(data, where=SUMMARY_NAME)
    timings = _read_table(folder / TIMING_NAME, TIMING_DF) if (folder / TIMING_NAME).is_file() else None
    return SavedEvaluation(summary, _read_table(folder / ROWS_NAME, EVALUATION_DF), timings)


def _read_table(path: Path, schema: TableSchema) -> pd.DataFrame:
    import pyarrow as pa

    try:
        frame = pd.read_parquet(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (pa.ArrowException, ValueError) as error:
        raise RecordError(f"{path.name}: not a parquet table ({error}); run `lineproof eval` again") from error
    return schema.restore(frame, where=path.name)
