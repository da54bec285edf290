"""`lineproof ask`: one question to one document, or to several that belong together."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import case_exit_code, ending_well, exit_code
from pipeline.cli.options import AsJson, LayoutModel, NoOcr, Password, Store, Strategy, open_with

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
    session: Annotated[
        str | None,
        typer.Option("--session", help="Name of a conversation: a follow-up is read after its last question."),
    ] = None,
    choose: Annotated[
        str | None,
        typer.Option(
            "--choose",
            help="Reply to what the question is asked back: the number of a choice, or default.",
            metavar="N",
        ),
    ] = None,
    strategy: Strategy = "arbiter",
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
        way = _Way(store, opening, as_json=as_json, no_llm=no_llm, session=session, choose=choose, strategy=strategy)
        code = _ask_case([file, *with_files], text, way) if with_files else _ask_one(file, text, way)
    raise typer.Exit(code)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a question is asked, by the options."""

    store: str
    opening: Opening
    as_json: bool
    no_llm: bool
    session: str | None
    choose: str | None
    strategy: str


def _ask_one(file: str, text: str, way: _Way) -> int:
    from pipeline.cli.output import Progress, show_all, show_json
    from pipeline.run import ask as ask_document
    from pipeline.run import open_model
    from pipeline.searching import open_searching

    searching = open_searching(way.strategy, store=way.store)

    def once(choose: str | None) -> Run:
        with Progress() as progress:
            llm = None if way.no_llm else open_model(way.store)
            return ask_document(
                file, text, store=way.store, llm=llm, narrate=progress, opening=way.opening, session=way.session,
                choose=choose, searching=searching,
            )  # fmt: skip

    run = once(way.choose)
    if way.as_json:
        show_json(run_as_json(run))
    else:
        from pipeline.cli.render_answer import render_run

        show_all(render_run(run))
        chosen = _ask_user(run) if way.choose is None else None
        if chosen is not None:
            run = once(chosen)
            show_all(render_run(run))
    if run.inside:  # of several documents, as of a case, one that answers is enough
        return case_exit_code(each.answer.status for each in run.all())
    return exit_code([each.answer.status for each in run.all()])


def _ask_user(run: Run) -> str | None:
    """The choice that a person at the terminal makes; None where nobody is there, or nobody chooses."""
    asked = run.question.clarification
    if asked is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    reply = typer.prompt("Which one (number, Enter for the default, 0 for none)", default="default", show_default=False)
    valid = {"default", *map(str, range(1, len(asked.choices) + 1))}
    return reply if (reply := str(reply).strip()) in valid else None


def _ask_case(files: list[str], text: str, way: _Way) -> int:
    from pipeline.case import ask_case
    from pipeline.cli.output import Progress, show_all, show_json
    from pipeline.run import open_model
    from pipeline.searching import open_searching

    searching = open_searching(way.strategy, store=way.store)
    with Progress() as progress:
        llm = None if way.no_llm else open_model(way.store)
        case = ask_case(
            files, text, store=way.store, llm=llm, narrate=progress, opening=way.opening, session=way.session,
            choose=way.choose, searching=searching,
        )  # fmt: skip
    if way.as_json:
        show_json(case_as_json(case))
    else:
        from pipeline.cli.render_answer import render_case

        show_all(render_case(case))
    return case_exit_code(run.answer.status for run in case.runs)


def run_as_json(run: Run) -> dict[str, Any]:
    """The object that `--json` prints: answer, retrieval, run; `parts` of a compound question and `inside` alike.

    `resolved_question` is there where the question was made complete, `clarification` where it is asked back.
    """
    told: dict[str, Any] = {
        "answer": run.answer.model_dump(mode="json"),
        "retrieval": run.retrieval.model_dump(mode="json"),
        "run": str(run.path),
    }
    if run.question.resolved_question is not None:
        told["resolved_question"] = run.question.resolved_question
    if run.question.clarification is not None:
        told["clarification"] = run.question.clarification.model_dump(mode="json")
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
