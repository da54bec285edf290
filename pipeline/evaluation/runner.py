"""One run: documents x questions x steps, in worker processes, each document kept as soon as it is done."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline.evaluation.asking import AskedDocument, Tools, ask_all
from pipeline.evaluation.datasets import Dataset, LabelledDocument
from pipeline.evaluation.models import open_models
from pipeline.evaluation.progress_files import DoneDocuments, joined
from pipeline.evaluation.rows import EVALUATION_DF, TIMING_DF
from pipeline.evaluation.steps import Step
from pipeline.evaluation.summary import Skipped
from pipeline.opening import parse
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.run import dictionaries_of
from schemas.errors import DocumentError, StoreError

Narrate = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a worker needs to know; `store` keeps parsed documents and own dictionaries, `folder` model caches."""

    dataset: str
    steps: tuple[Step, ...]
    store: str
    folder: str
    with_llm: bool
    with_answers: bool
    settings_json: str


@dataclass(frozen=True, slots=True)
class RunRows:
    """What a run gives: rows in the order of the data set, and the documents that could not be asked."""

    rows: pd.DataFrame
    times: pd.DataFrame
    failed: tuple[Skipped, ...] = field(default=())


def run_all(dataset: Dataset, plan: RunPlan, done: DoneDocuments, *, workers: int, narrate: Narrate) -> RunRows:
    """The rows of every document, in the order of the data set whatever finished first.

    A document that cannot be read is told and left out. What is done is kept, so that the same run goes on later.

    Raises PipelineError as the bricks do, StoreError where a worker process was ended from outside.
    """
    open_ones = [at for at in range(len(dataset.documents)) if not done.has(at)]
    total = len(dataset.documents)
    if len(open_ones) < total:
        narrate(f"{total - len(open_ones)} of {total} documents were done before")
    for count, (at, asked) in enumerate(_asked(dataset, plan, open_ones, workers), start=total - len(open_ones) + 1):
        done.save(at, asked)
        narrate(f"document {count} of {total}: {dataset.documents[at].name}")
    loaded = [done.load(at) for at in range(total)]
    return RunRows(
        rows=_by_step(joined(EVALUATION_DF, [rows for rows, _, _ in loaded]), plan.steps),
        times=_by_step(joined(TIMING_DF, [times for _, times, _ in loaded]), plan.steps),
        failed=tuple(Skipped(name=name, reason=reason) for _, _, failed in loaded for name, reason in failed),
    )


def ask_document(document: LabelledDocument, plan: RunPlan) -> AskedDocument:
    """Rows and times of one document; without rows, and why, where it could not be read."""
    try:
        parsed = parse(document.path, store=plan.store)
    except DocumentError as error:
        why = " ".join(str(error).replace(str(document.path), document.name).split())
        return AskedDocument(failed=[(document.name, why)])
    return ask_all(
        parsed.document,
        document.questions,
        plan.steps,
        name=document.name,
        dataset=plan.dataset,
        tools=_tools(plan),
    )


@cache
def _tools(plan: RunPlan) -> Tools:
    """Dictionaries and models, opened once a process."""
    return Tools(
        dictionaries=dictionaries_of(plan.store),
        models=open_models(Path(plan.folder), with_llm=plan.with_llm),
        settings=RetrievalSettings.model_validate_json(plan.settings_json),
        with_answers=plan.with_answers,
    )


def _asked(dataset: Dataset, plan: RunPlan, numbers: list[int], workers: int) -> Iterator[tuple[int, AskedDocument]]:
    """Number and rows of each document, as they are done."""
    if workers == 1 or len(numbers) < 2:
        for at in numbers:
            yield at, ask_document(dataset.documents[at], plan)
        return
    # Fresh processes: a forked one would share open files and threads of libraries.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(max_workers=min(workers, len(numbers)), mp_context=context)
    waiting: dict[Future[Any], int] = {}
    try:
        for at in numbers:
            waiting[pool.submit(ask_document, dataset.documents[at], plan)] = at
        while waiting:
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in sorted(finished, key=waiting.__getitem__):
                yield waiting.pop(future), future.result()
    except BrokenProcessPool as error:
        raise StoreError(
            "a worker process was ended from outside, often for want of memory; run again to go on (--workers 1)"
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _by_step(frame: pd.DataFrame, steps: tuple[Step, ...]) -> pd.DataFrame:
    """The rows step by step, each in the order of the data set."""
    order = {step.name: at for at, step in enumerate(steps)}
    ranks = frame["strategy"].map(order)
    return frame.iloc[ranks.argsort(kind="stable").tolist()].reset_index(drop=True)
