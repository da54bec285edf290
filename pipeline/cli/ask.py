"""`lineproof ask`: one question to one document, or to several that belong together."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import case_exit_code, ending_well, exit_code
from pipeline.cli.options import AsJson, LayoutModel, NoOcr, Password, Store, open_with

if TYPE_CHECKING:
    from pipeline.case import CaseRun
    from pipeline.run import Opening, Run


def ask(
    file: Annotated[
        str,
        typer.Argument(help="The document: PDF, Office, HTML, mail, text or image.", metavar="FILE"),
    ],
    question: Annotated[str, typer.Argument(help="The question; - reads it from standard input.", metavar="QUESTION")],
    with_files: Annotated[
        list[str] | None,
        typer.Option(
            "--with", help="A document that belongs with FILE, e.g. an amendment; may be repeated.", metavar="FILE"
        ),
    ] = None,
    as_json: AsJson = False,
    no_llm: Annotated[
        bool, typer.Option("--no-llm", help="Use rules alone, even where LINEPROOF_MODEL names a model.")
    ] = False,
    store: Store = "outputs",
    password: Password = None,
    layout_model: LayoutModel = False,
    no_ocr: NoOcr = False,
) -> None:
    """Ask a document a question: the answer, the lines that prove it, and where they are highlighted.

    With a model only where LINEPROOF_MODEL names one; otherwise by rules, free and the same every time.
    """  # fmt: skip
    with ending_well(as_json=as_json):
        text = _read_stdin() if question == "-" else question
        opening = open_with(password, layout_model=layout_model, no_ocr=no_ocr)
        if with_files:
            code = _ask_case([file, *with_files], text, as_json=as_json, no_llm=no_llm, store=store, opening=opening)
        else:
            code = _ask_one(file, text, as_json=as_json, no_llm=no_llm, store=store, opening=opening)
    raise typer.Exit(code)


def _ask_one(file: str, text: str, *, as_json: bool, no_llm: bool, store: str, opening: Opening) -> int:
    from pipeline.cli.output import Progress, show_all, show_json
    from pipeline.run import ask as ask_document
    from pipeline.run import open_model

    with Progress() as progress:
        llm = None if no_llm else open_model(store)
        run = ask_document(file, text, store=store, llm=llm, narrate=progress, opening=opening)
    if as_json:
        show_json(run_as_json(run))
    else:
        from pipeline.cli.render_answer import render_run

        show_all(render_run(run))
    if run.inside:  # of several documents, as of a case, one that answers is enough
        return case_exit_code(each.answer.status for each in run.all())
    return exit_code([each.answer.status for each in run.all()])


def _ask_case(files: list[str], text: str, *, as_json: bool, no_llm: bool, store: str, opening: Opening) -> int:
    from pipeline.case import ask_case
    from pipeline.cli.output import Progress, show_all, show_json
    from pipeline.run import open_model

    with Progress() as progress:
        llm = None if no_llm else open_model(store)
        case = ask_case(files, text, store=store, llm=llm, narrate=progress, opening=opening)
    if as_json:
        show_json(case_as_json(case))
    else:
        from pipeline.cli.render_answer import render_case

        show_all(render_case(case))
    return case_exit_code(run.answer.status for run in case.runs)


def run_as_json(run: Run) -> dict[str, Any]:
    """The object that `--json` prints: answer, retrieval, run; `parts` of a compound question and `inside` alike."""
    told = {
        "answer": run.answer.model_dump(mode="json"),
        "retrieval": run.retrieval.model_dump(mode="json"),
        "run": str(run.path),
    }
    more = {"parts": run.parts, "inside": run.inside}
    return told | {name: [run_as_json(each) for each in runs] for name, runs in more.items() if runs}


def case_as_json(case: CaseRun) -> dict[str, Any]:
    """The object for several documents: the case's answer and folder, and `retrieval` and `runs` a document each."""
    return {
        "answer": case.answer.model_dump(mode="json"),
        "retrieval": [run.retrieval.model_dump(mode="json") for run in case.runs],
        "run": str(case.path),
        "runs": [str(run.path) for run in case.runs],
    }


def _read_stdin() -> str:
    from schemas.errors import QuestionError

    try:
        return sys.stdin.read().strip()
    except UnicodeDecodeError as error:
        raise QuestionError("the question on standard input is not UTF-8 text; convert it first") from error
