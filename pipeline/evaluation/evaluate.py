"""One evaluation from labels to files: rows, times, summary and report in one folder."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline.evaluation.datasets import Dataset, read_dataset
from pipeline.evaluation.metrics import RESAMPLES
from pipeline.evaluation.models import ModelNames, open_models
from pipeline.evaluation.progress_files import OUT_OPTION, DoneDocuments, code_sha256, to_parquet
from pipeline.evaluation.runner import Narrate, RunPlan, RunRows, run_all
from pipeline.evaluation.selecting import select
from pipeline.evaluation.steps import Step, choose_steps
from pipeline.evaluation.summary import EvaluationSummary, Skipped
from pipeline.evaluation.totals import RunAbout, sum_up
from pipeline.llm.environment import prices_of_environment
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.run import dictionaries_of
from pipeline.store.files import replace_file
from pipeline.store.folders import locked, open_store, write_error
from schemas.errors import InputError

ROWS, TIMES, SUMMARY, REPORT = "evaluation.parquet", "timing.parquet", "summary.json", "report.html"
FAILURES = "failures.parquet"
PARSED = "parsed"  # folder of the parsed documents, a store of its own
PARSING_CODE = ("pipeline.parsing", "schemas")
ALL_CODE = ("pipeline", "dictionaries", "schemas")
LIBRARIES = ("lineproof", "ahocorasick-rs", "numpy", "pandas", "pymupdf")
FAILURE_COLUMNS = (
    "dataset", "strategy", "document", "question_id", "question", "question_type", "failure_cause", "failure_kind",
    "failure_detail",
)  # fmt: skip
_CODE_FOLDER = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """What is asked of a run. `documents` and `pairs` limit it to a sample; without `store` parsings stay in `out`."""

    strategies: tuple[str, ...] = ()
    ablate: bool = False
    with_llm: bool = False
    with_answers: bool = False
    documents: int | None = None
    pairs: int | None = None
    workers: int = 2
    store: str | None = None
    documents_folder: str | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a run gave, and where it was written."""

    summary: EvaluationSummary
    rows: pd.DataFrame
    times: pd.DataFrame
    folder: Path


def evaluate(
    dataset_path: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str],
    options: EvaluationOptions | None = None,
    narrate: Narrate,
) -> Evaluation:
    """The evaluation of the data set at a path, written into the folder `out`.

    Two runs of the same code on the same data give the same rows and summary. A run that was interrupted goes on where
    it stopped, unless labels, options, models or code have changed since.

    Raises InputError for labels, strategies and models that cannot be used, StoreError where files cannot be written.
    """
    options = options or EvaluationOptions()
    whole = read_dataset(dataset_path, documents_folder=options.documents_folder)
    dataset = select(whole, documents=options.documents, pairs=options.pairs)
    prices = prices_of_environment()
    folder = open_store(out, option=OUT_OPTION)
    with locked(folder, folder / "evaluation"):
        models = open_models(folder, with_llm=options.with_llm).names()
        steps, skipped = choose_steps(options.strategies, models, ablate=options.ablate)
        plan = _plan(dataset, steps, options, folder)
        told = _told(dataset, steps, options, models)
        done = DoneDocuments(folder, told)
        ran = run_all(dataset, plan, done, workers=options.workers, narrate=narrate)
        if not len(ran.rows):
            raise InputError(
                "no document could be asked: " + "; ".join(f"{one.name}: {one.reason}" for one in ran.failed)
            )
        about = _about(whole, dataset, options, models, prices, steps, skipped, plan)
        summary = sum_up(ran, about)
        _write(folder, summary, ran)
        done.clear()
    return Evaluation(summary, ran.rows, ran.times, folder)


def failures_of(rows: pd.DataFrame) -> pd.DataFrame:
    """The failing pairs, each with its cause, in the order of the rows."""
    return rows.loc[rows["failure_cause"].notna(), list(FAILURE_COLUMNS)].reset_index(drop=True)


def _plan(dataset: Dataset, steps: tuple[Step, ...], options: EvaluationOptions, folder: Path) -> RunPlan:
    return RunPlan(
        dataset=dataset.name,
        steps=steps,
        store=options.store or str(_parsed_folder(folder)),
        folder=str(folder),
        with_llm=options.with_llm,
        with_answers=options.with_answers,
        settings_json=RetrievalSettings().model_dump_json(),
    )


def _parsed_folder(folder: Path) -> Path:
    """The store of parsings by this very code; those of other code are removed, so that no figure rests on them."""
    chosen = folder / PARSED / code_sha256(*PARSING_CODE)[:12]
    try:
        for old in sorted((folder / PARSED).iterdir()) if (folder / PARSED).is_dir() else ():
            if old != chosen and _CODE_FOLDER.fullmatch(old.name):
                shutil.rmtree(old)
    except OSError as error:
        raise write_error(folder / PARSED, error, option=OUT_OPTION) from error
    return chosen


def _told(dataset: Dataset, steps: Sequence[Step], options: EvaluationOptions, models: ModelNames) -> dict[str, Any]:
    """Everything that shapes the rows: a run with another value of it starts anew."""
    pairs = "\n".join(f"{d.name}\0{d.path}\0{q.question_id}" for d in dataset.documents for q in d.questions)
    return {
        "labels": dataset.labels_sha256,
        "pairs": sha256(pairs.encode("utf-8", "surrogatepass")).hexdigest(),
        "steps": [f"{step.name}|{step.part}|{step.strategy}|{step.with_model}" for step in steps],
        "answers": options.with_answers,
        "store": options.store,
        "models": [models.llm, models.embedder, models.cross_encoder, models.sparse_encoder],
        "code": code_sha256(*ALL_CODE),
    }


def _about(
    whole: Dataset,
    dataset: Dataset,
    options: EvaluationOptions,
    models: ModelNames,
    prices: tuple[float, float, str] | None,
    steps: tuple[Step, ...],
    skipped: tuple[Skipped, ...],
    plan: RunPlan,
) -> RunAbout:
    settings: Mapping[str, object] = {
        "strategies": list(options.strategies),
        "ablate": options.ablate,
        "llm": options.with_llm,
        "answers": options.with_answers,
        "documents": options.documents,
        "sample": options.pairs,
        "retrieval": RetrievalSettings.model_validate_json(plan.settings_json).model_dump(mode="json"),
    }
    return RunAbout(
        whole=whole,
        dataset=dataset,
        steps=steps,
        skipped=skipped,
        models=models,
        prices=prices,
        answers=options.with_answers,
        resamples=RESAMPLES,
        versions={**{name: version(name) for name in LIBRARIES}, "code": code_sha256(*ALL_CODE)},
        dictionary_versions=dictionaries_of(plan.store).versions,
        settings=settings,
    )


def _write(folder: Path, summary: EvaluationSummary, ran: RunRows) -> None:
    replace_file(folder / ROWS, to_parquet(ran.rows), option=OUT_OPTION)
    replace_file(folder / TIMES, to_parquet(ran.times), option=OUT_OPTION)
    replace_file(folder / FAILURES, to_parquet(failures_of(ran.rows)), option=OUT_OPTION)
    replace_file(folder / SUMMARY, summary.to_json(), option=OUT_OPTION)
    from pipeline.evaluation.report import write_report

    page = write_report(summary, ran.rows, ran.times)
    replace_file(folder / REPORT, page.encode("utf-8", "replace"), option=OUT_OPTION)
