"""Rows summed up: the figures of every strategy and step, with what they were measured on and by what."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import pandas as pd

from pipeline.evaluation.datasets import Dataset
from pipeline.evaluation.metrics import Resampling, causes, figures, figures_by_type, resample
from pipeline.evaluation.models import ModelNames
from pipeline.evaluation.rows import FAILURE_CAUSES
from pipeline.evaluation.runner import RunRows
from pipeline.evaluation.steps import Step
from pipeline.evaluation.summary import DatasetAbout, EvaluationSummary, ModelFigures, Skipped, StrategyFigures

FAILURE_KINDS = ("vocabulary", "ambiguity")
TOKENS_PRICED = 1_000_000  # prices are for so many tokens
DIGITS = 6  # decimals of a cost


@dataclass(frozen=True, slots=True)
class RunAbout:
    """What a summary says beside the figures: on what, by what, with which options."""

    whole: Dataset
    dataset: Dataset
    steps: tuple[Step, ...]
    skipped: tuple[Skipped, ...]
    models: ModelNames
    prices: tuple[float, float, str] | None
    answers: bool
    resamples: int
    versions: dict[str, str]
    dictionary_versions: dict[str, str]
    settings: Mapping[str, object]


def sum_up(ran: RunRows, about: RunAbout) -> EvaluationSummary:
    """The summary of a run; the same rows give the same bytes."""
    resampling = resample(ran.rows, resamples=about.resamples)
    told = [_figures(step, ran.rows, resampling, about.prices) for step in about.steps]
    return EvaluationSummary(
        dataset=_dataset(ran, about),
        strategies=tuple(one for one in told if one.kind == "strategy"),
        ablation=tuple(one for one in told if one.kind == "ablation"),
        skipped=about.skipped,
        documents_failed=ran.failed,
        notes=about.dataset.notes,
        model=about.models.llm,
        embedder=about.models.embedder,
        cross_encoder=about.models.cross_encoder,
        sparse_encoder=about.models.sparse_encoder,
        answers_generated=about.answers,
        resamples=about.resamples,
        resampled="documents" if resampling.drawn == "documents" else "pairs",
        versions=about.versions,
        dictionary_versions=about.dictionary_versions,
        settings=dict(about.settings),
        rows_sha256=rows_sha256(ran.rows),
    )


def rows_sha256(rows: pd.DataFrame) -> str:
    """Hex SHA-256 of the rows as JSON, independent of the library that writes parquet."""
    columns = {name: [None if pd.isna(value) else value for value in rows[name].tolist()] for name in rows.columns}
    return sha256(json.dumps(columns, sort_keys=True).encode()).hexdigest()


def _dataset(ran: RunRows, about: RunAbout) -> DatasetAbout:
    first = ran.rows[ran.rows["strategy"] == about.steps[0].name]
    present = int(first["present"].sum())
    return DatasetAbout(
        name=about.dataset.name,
        kind=about.dataset.kind,
        labels_sha256=about.dataset.labels_sha256,
        documents=int(first["document"].nunique()),
        documents_in_all=len(about.whole.documents),
        questions=len(first),
        questions_in_all=about.whole.pair_count,
        present=present,
        absent=len(first) - present,
    )


def _figures(
    step: Step, rows: pd.DataFrame, resampling: Resampling, prices: tuple[float, float, str] | None
) -> StrategyFigures:
    own = rows[rows["strategy"] == step.name]
    return StrategyFigures(
        name=step.name,
        kind=step.kind,
        description=step.description,
        metrics=figures(own, resampling),
        by_question_type=figures_by_type(own, resampling),
        failures=dict(causes(own, "failure_cause", FAILURE_CAUSES)),
        failure_kinds=dict(causes(own, "failure_kind", FAILURE_KINDS)),
        model=_model_figures(own, prices),
    )


def _model_figures(rows: pd.DataFrame, prices: tuple[float, float, str] | None) -> ModelFigures:
    read, written = int(rows["input_tokens"].sum()), int(rows["output_tokens"].sum())
    cost = None if prices is None else round((read * prices[0] + written * prices[1]) / TOKENS_PRICED, DIGITS)
    return ModelFigures(
        questions=len(rows),
        valid_records=int(rows["valid"].sum()),
        calls=int(rows["model_calls"].sum()),
        input_tokens=read,
        output_tokens=written,
        repaired=int(rows["repaired"].sum()),
        fell_back=int(rows["fell_back"].sum()),
        downgraded=int(rows["downgraded"].sum()),
        cost=cost,
        currency=prices[2] if prices is not None else None,
    )
