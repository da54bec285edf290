"""`lineproof review cases` and `review check`: corrections as checks on the organisation's own documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store
from pipeline.cli.review_options import existing_store

if TYPE_CHECKING:
    from schemas.answer import Answer

FOUND_SOMETHING = 1  # exit code: a check found something


def cases(
    out: Annotated[
        str | None,
        typer.Option("--out", help="Also write them as a data set: cases.xlsx with the documents.", metavar="FOLDER"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a data set that is there already.")] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """List the cases that corrections make; with --out as a data set for `lineproof eval FOLDER/cases.xlsx`."""
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.cases import WORKBOOK, cases_of, export_files
        from pipeline.audit.reviewing.stored import read_reviews
        from pipeline.cli.files import write_file
        from pipeline.cli.output import show_all, show_json
        from schemas.errors import InputError

        found = cases_of(read_reviews(existing_store(store)))
        folder = Path(out) if out is not None else None
        if folder is not None:
            if (folder / WORKBOOK).exists() and not force:
                raise InputError(f"{folder / WORKBOOK}: is there already; name another folder, or use --force")
            for name, data in export_files(Path(store), found).items():
                write_file(folder / name, data)
        if as_json:
            show_json({"cases": found.model_dump(mode="json"), "path": str(folder) if folder is not None else None})
        else:
            from pipeline.cli.render_review import render_cases

            show_all(render_cases(found, folder / WORKBOOK if folder is not None else None))


def check(
    accepted: Annotated[
        bool, typer.Option("--accepted", help="Also ask what people accepted: its values must be the same today.")
    ] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Ask all corrected questions again, by rules, with the code and dictionaries of today; exit 1 where one fails.

    Nothing is saved and no model is called. A right value from other lines than the reviewer's passes and is told.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.accepted import check_accepted
        from pipeline.audit.reviewing.cases import cases_of
        from pipeline.audit.reviewing.checking import check_cases
        from pipeline.audit.reviewing.decisions import list_decisions
        from pipeline.audit.reviewing.stored import read_reviews
        from pipeline.cli.output import Progress, show_all, show_json
        from pipeline.run import dictionaries_of

        stored, words = read_reviews(existing_store(store)), dictionaries_of(store)
        found = cases_of(stored)
        with Progress() as progress:
            done = check_cases(Path(store), found.cases, words, judge=_is_right, narrate=progress)
            if accepted:
                decisions, _ = list_decisions(Path(store))
                done += check_accepted(Path(store), decisions, stored, words, narrate=progress)
        if as_json:
            show_json({"checked": [one.model_dump(mode="json") for one in done], "disputed": list(found.disputed)})
        else:
            from pipeline.cli.render_review import render_checked

            show_all(render_checked(done, found.disputed))
        if any(one.result in ("failed", "not_run") for one in done):
            raise typer.Exit(FOUND_SOMETHING)


def _is_right(expected: str, answer: Answer) -> bool | None:
    """Whether an answer gives the value, compared as evaluation does."""
    from pipeline.evaluation.datasets import ExpectedValue
    from pipeline.evaluation.values import is_right, kind_of

    return is_right(ExpectedValue(expected, kind_of(expected)), answer)
