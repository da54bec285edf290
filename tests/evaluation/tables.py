"""Rows of an evaluation, built by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.evaluation.rows import EVALUATION_DF


def evaluation_row(
    *,
    document: str = "a.txt",
    question_id: str = "q",
    present: bool = True,
    covered: tuple[int, int, int] = (0, 0, 0),
    **changes: Any,
) -> dict[str, Any]:
    """One row; a present pair has one clause unless told otherwise."""
    row: dict[str, Any] = {
        "dataset": "small", "strategy": "arbiter", "document": document, "question_id": question_id,
        "question": "What?", "question_type": "type", "present": present, "gold_kind": "clauses",
        "gold_count": int(present), "covered_1": covered[0], "covered_3": covered[1], "covered_5": covered[2],
        "first_rank": 1 if covered[0] else 3 if covered[1] else 5 if covered[2] else 0, "context_count": 5,
        "covering_count": int(covered[2] > 0), "characters": 1_000, "candidate_count": 5, "not_found": False,
        "absence_verdict": None, "confidence": 0.5, "failure_cause": None, "failure_detail": None,
        "failure_kind": None, "answer_status": None, "quotes_checked": None, "expected_value": None,
        "given_value": None, "value_right": None, "model_calls": 0, "input_tokens": 0, "output_tokens": 0,
        "repaired": False, "fell_back": False, "downgraded": False, "valid": True, "result_sha256": "0" * 64,
    }  # fmt: skip
    return {**row, **changes}


def frame_of(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """The rows as a checked table."""
    frame = EVALUATION_DF.build({name: [row[name] for row in rows] for name in EVALUATION_DF.names()})
    return EVALUATION_DF.check(frame, where="test")
