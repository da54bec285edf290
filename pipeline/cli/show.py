"""`lineproof show`: a run as it was saved, for whoever has to defend it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Password, Store

if TYPE_CHECKING:
    from pipeline.audit.reviewing.told import ToldReviews
    from pipeline.cli.render_run import Held


def show(
    run: Annotated[
        str,
        typer.Argument(
            help="The folder of the run, its <doc_id>/<slug>_<hash>, its <slug>_<hash>, the hash, or the slug's start.",
            metavar="RUN",
        ),
    ],
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write it as one page that opens from disk, pages marked.", metavar="FILE"),
    ] = None,
    password: Password = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Show how an answer came about: methods, every candidate with role and reason, the checks, the model's part."""
    with ending_well(as_json=as_json):
        from pipeline.cli.output import show_all, show_json
        from pipeline.store.runs import find_run, is_case, load_case, load_run

        folder = find_run(Path(store), run)
        if html is not None:
            _write_page(folder, html, password, as_json=as_json)
            return
        if is_case(folder):
            case = load_case(folder)
            if as_json:
                show_json({"answer": case.model_dump(mode="json"), "run": str(folder), "reviews": _said(folder)})
            else:
                from pipeline.cli.render_answer import render_saved_case
                from pipeline.cli.render_standing import render_reviews

                show_all([*render_saved_case(case, folder), *render_reviews(_reviews(folder))])
            return
        saved = load_run(folder)
        if as_json:
            show_json(
                {
                    "answer": saved.answer.model_dump(mode="json"),
                    "retrieval": saved.retrieval.model_dump(mode="json"),
                    "run": str(folder),
                    "question": saved.question.model_dump(mode="json"),
                    "trace": saved.trace.model_dump(mode="json"),
                    "request": saved.request.model_dump(mode="json") if saved.request else None,
                    "seal": _held(folder).told(),
                    "reviews": _said(folder),
                }
            )
        else:
            from pipeline.cli.render_run import render_saved_run

            show_all(render_saved_run(saved, _held(folder), _reviews(folder)))


def _held(folder: Path) -> Held:
    """The seal of a run and its line in the ledger."""
    from pipeline.cli.render_run import Held
    from pipeline.store.ledger import find_seal
    from pipeline.store.runs import root_of_run
    from pipeline.store.seals import read_seal, seal_root

    seal = read_seal(folder)
    if seal is None:
        return Held()
    root = seal_root(seal)
    return Held(root, find_seal(root_of_run(folder), root))


def _reviews(folder: Path) -> ToldReviews:
    """What people said of a run or a case."""
    from pipeline.audit.reviewing.told import told_reviews
    from pipeline.store.runs import root_of_run

    return told_reviews(root_of_run(folder), folder)


def _said(folder: Path) -> dict[str, Any]:
    return _reviews(folder).model_dump(mode="json")


def _write_page(folder: Path, path: Path, password: str | None, *, as_json: bool) -> None:
    """The page of a run or a case, in the file that the user names.

    Raises InputError for a folder or a name inside the store's records, StoreError where it cannot be written.
    """
    from pipeline.audit.page import folder_page
    from pipeline.cli.files import write_file
    from pipeline.cli.output import show_all, show_json
    from pipeline.cli.render_answer import render_path
    from schemas.errors import InputError

    if path.is_dir() or str(path) == "-":
        raise InputError(f"--html {path}: name a file to write, such as trace.html")
    if path.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"--html {path}: this is inside the record, which is sealed as it is; name a file elsewhere")
    page = folder_page(folder, password=password)
    write_file(path, page, option="--html")
    if as_json:
        show_json({"page": str(path), "bytes": len(page), "run": str(folder)})
    else:
        show_all([render_path("page", str(path))])
