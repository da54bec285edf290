"""A small made-up evaluation for the tests of the report and of the picker: rows, times and their summary."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from pipeline.evaluation.rows import EVALUATION_DF, TIMING_DF
from pipeline.evaluation.summary import (
    DatasetAbout,
    EvaluationSummary,
    Figure,
    ModelFigures,
    Skipped,
    StrategyFigures,
)  # fmt: skip

TYPES = ("Governing Law", "Insurance")


def build_row(strategy: str, document: str, question_id: str, **fields: Any) -> dict[str, Any]:
    """One row of an evaluation: an answer found at rank 1, unless `fields` say otherwise."""
    row: dict[str, Any] = {
        "dataset": "made_up", "strategy": strategy, "document": document, "question_id": question_id,
        "question": f"What does it say on {question_id}?", "question_type": TYPES[0], "present": True,
        "gold_kind": "clauses", "gold_count": 1, "covered_1": 1, "covered_3": 1, "covered_5": 1, "first_rank": 1,
        "context_count": 3, "covering_count": 1, "characters": 900, "candidate_count": 3, "not_found": False,
        "absence_verdict": None, "confidence": 0.9, "failure_cause": None, "failure_detail": None, "failure_kind": None,
        "answer_status": None, "quotes_checked": None, "expected_value": None, "given_value": None, "value_right": None,
        "model_calls": 0, "input_tokens": 0, "output_tokens": 0, "repaired": False, "fell_back": False,
        "downgraded": False, "valid": True, "result_sha256": "0" * 64,
    }  # fmt: skip
    assert not set(fields) - set(row), f"no such columns: {set(fields) - set(row)}"
    return {**row, **fields}


def missed(**fields: Any) -> dict[str, Any]:
    """The fields of a row whose answer was not found."""
    return {"covered_1": 0, "covered_3": 0, "covered_5": 0, "first_rank": 0, "covering_count": 0, **fields}


def build_rows(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The table of the rows, checked."""
    frame = EVALUATION_DF.build({name: [row[name] for row in rows] for name in EVALUATION_DF.names()})
    return EVALUATION_DF.check(frame, where="test")


def build_timings(rows: pd.DataFrame, stages: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Times of every row by strategy and stage, in seconds."""
    lines = [
        (row.dataset, row.strategy, row.document, row.question_id, stage, seconds, seconds)
        for row in rows.itertuples()
        for stage, seconds in stages.get(str(row.strategy), {}).items()
    ]
    columns = TIMING_DF.names()
    return TIMING_DF.build({name: [line[index] for line in lines] for index, name in enumerate(columns)})


def build_figures(name: str, values: Mapping[str, float], *, cases: int = 100, **fields: Any) -> StrategyFigures:
    """Figures of one strategy, each with an interval of 0.03 to both sides (200 for characters)."""

    def figure(metric: str, value: float) -> Figure:
        half = 200.0 if metric == "characters" else 0.03
        return Figure(value=value, low=max(value - half, 0.0), high=value + half, case_count=cases)

    made = {metric: figure(metric, value) for metric, value in values.items()}
    use = ModelFigures(
        questions=cases,
        valid_records=cases,
        calls=0,
        input_tokens=0,
        output_tokens=0,
        repaired=0,
        fell_back=0,
        downgraded=0,
    )
    given = {
        "kind": "strategy", "description": f"Runs {name}.", "by_question_type": dict.fromkeys(TYPES, made),
        "failures": {}, "model": use, **fields,
    }  # fmt: skip
    return StrategyFigures(name=name, metrics=made, **given)


def build_summary(strategies: Sequence[StrategyFigures], **fields: Any) -> EvaluationSummary:
    """A summary of these strategies over one hundred questions."""
    about = DatasetAbout(
        name="made_up", kind="workbook", labels_sha256="a" * 64, documents=10, documents_in_all=20, questions=100,
        questions_in_all=200, present=60, absent=40,
    )  # fmt: skip
    given: dict[str, Any] = {
        "dataset": about, "resamples": 1000, "versions": {"lineproof": "0.1.0"},
        "dictionary_versions": {"contracts": "1"}, "settings": {"rrf_k": 60}, "rows_sha256": "b" * 64, **fields,
    }  # fmt: skip
    return EvaluationSummary(strategies=tuple(strategies), **given)


def build_large(strategies: Sequence[str], *, seed: int = 5) -> tuple[EvaluationSummary, pd.DataFrame, pd.DataFrame]:
    """A whole evaluation drawn by chance: failures, absence, ablation, what was skipped, times."""
    chance = random.Random(seed)  # noqa: S311 - made-up data
    rows, figures = [], []
    for place, name in enumerate(strategies):
        skill = 0.92 - 0.07 * place
        rows += [_draw_row(chance, name, number, skill) for number in range(120)]
        values = dict.fromkeys(("recall@5", "absence_precision", "absence_recall", "absence_f1"), skill)
        values |= {
            "recall@1": skill - 0.15,
            "recall@3": skill - 0.05,
            "clause_recall@5": skill - 0.1,
            "mrr@5": skill - 0.1,
        }
        values |= {"present_kept": skill - 0.02, "aupr_present": skill - 0.05, "precision_at_80_recall": skill}
        values |= {"characters": 1500.0 + 300 * place}
        failures = {"never_proposed": 4, "wrong_order": 5 + place, "discarded": 3, "said_present": 6}
        figures.append(build_figures(name, values, failures=failures, failure_kinds={"vocabulary": 2, "ambiguity": 7}))
    ablation = []
    for i, step in enumerate(
        ("embedding only", "+ contents", "+ keywords and dictionary", "+ dispatcher", "+ arbiter")
    ):
        gains = {"recall@1": 0.5 + 0.06 * i, "recall@3": 0.6 + 0.06 * i, "recall@5": 0.66 + 0.06 * i}
        ablation.append(build_figures(step, gains, kind="ablation"))
    skipped = (Skipped(name="hybrid_rrf+llm_rerank", reason="no model is named (LINEPROOF_MODEL)."),)
    table = build_rows(rows)
    stages = {name: {"question": 0.002, "bm25": 0.004 + 0.001 * i, "judge": 0.003} for i, name in enumerate(strategies)}
    summary = build_summary(figures, ablation=tuple(ablation), skipped=skipped)
    return summary, table, build_timings(table, stages)


def _draw_row(chance: random.Random, strategy: str, number: int, skill: float) -> dict[str, Any]:
    """A row that is right with the probability `skill`, its confidence drawn after it."""
    present, good = number % 3 != 0, chance.random() < skill
    confidence = min(max((0.75 if present == good else 0.3) + chance.gauss(0, 0.15), 0.0), 1.0)
    fields: dict[str, Any] = {} if good and present else missed()
    if not good:
        cause = ("never_proposed", "wrong_order", "discarded")[number % 3] if present else "said_present"
        fields |= {"failure_cause": cause, "failure_detail": f"Detail {number}."}
    fields |= {"present": present, "gold_count": int(present), "confidence": round(confidence, 3)}
    fields |= {"question_type": TYPES[number % 2]}
    return build_row(strategy, f"contract {number % 12}.pdf", f"Category {number}", **fields)
