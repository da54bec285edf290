"""`lineproof eval DATASET`: strategies on labelled documents, side by side."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson

if TYPE_CHECKING:
    from pipeline.evaluation.evaluate import Evaluation

DEFAULT_OUT = "outputs/evaluation"  # with the name of the data set
SECONDS_BETWEEN = 5.0  # lines of progress; more often would bury what matters in the log of a job


def run(
    dataset: Annotated[
        str,
        typer.Argument(
            help="Folder of CUAD, ContractNLI (labels.json), FinanceBench or MMLongBench (questions.jsonl), or "
            "your own workbook (.xlsx) with the columns question, document, expected_pages or expected_quote, "
            "expected_value.",
            metavar="DATASET",
        ),
    ],
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy", help="Compare this one, e.g. arbiter or bm25_only; may be repeated.", metavar="NAME"
        ),
    ] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Also measure what each part adds, step by step.")] = False,
    llm: Annotated[bool, typer.Option("--llm", help="Use the model that LINEPROOF_MODEL names.")] = False,
    answers: Annotated[bool, typer.Option("--answers", help="Also answer, and compare the labelled values.")] = False,
    sample: Annotated[int | None, typer.Option("--sample", help="At most so many questions.", min=1)] = None,
    documents: Annotated[
        int | None, typer.Option("--documents", help="At most so many documents, evenly spread.", min=1)
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", help="Folder for summary.json, report.html and rows; else outputs/evaluation/NAME.", metavar="DIR"
        ),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", help="Processes that share the documents.", min=1, max=64)] = 2,
    store: Annotated[
        str | None,
        typer.Option(
            "--store", help="Store with parsed documents and own dictionaries; else within --out.", metavar="DIR"
        ),
    ] = None,
    documents_folder: Annotated[
        str | None,
        typer.Option(
            "--documents-folder", help="Where the documents of a workbook are; else beside it.", metavar="DIR"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure retrieval strategies on labelled documents, with intervals, causes of failure and a report.

    An interrupted run goes on where it stopped. `lineproof eval gate` compares two runs.
    """
    with ending_well(as_json=as_json):
        from pipeline.cli.output import show_all, show_json
        from pipeline.evaluation.evaluate import EvaluationOptions, evaluate

        folder = out or f"{DEFAULT_OUT}/{Path(dataset).resolve().stem}"
        options = EvaluationOptions(
            strategies=tuple(strategy or ()),
            ablate=ablate,
            with_llm=llm,
            with_answers=answers,
            documents=documents,
            pairs=sample,
            workers=workers,
            store=store,
            documents_folder=documents_folder,
        )
        done = evaluate(dataset, out=folder, options=options, narrate=Steps())
        if as_json:
            show_json(evaluation_as_json(done))
        else:
            from pipeline.cli.render_evaluation import render_evaluation

            show_all(render_evaluation(done.summary, str(done.folder)))


def evaluation_as_json(done: Evaluation) -> dict[str, object]:
    """The object that `--json` prints: the summary, and where the files are."""
    return {"summary": done.summary.model_dump(mode="json"), "path": str(done.folder)}


class Steps:
    """Progress on stderr: one line on a terminal, a line every few seconds elsewhere."""

    def __init__(self) -> None:
        self._last = -SECONDS_BETWEEN

    def __call__(self, words: str) -> None:
        """Say what is done."""
        from pipeline.cli.output import plain

        now = time.monotonic()
        if now - self._last >= SECONDS_BETWEEN:
            self._last = now
            sys.stderr.write(plain(words, keep_lines=False) + "\n")
            sys.stderr.flush()
