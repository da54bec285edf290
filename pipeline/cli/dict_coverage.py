"""`lineproof dict coverage`: how the terms of a dictionary fare in real documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from dictionaries.coverage import Coverage


def coverage(
    name: Annotated[str, typer.Argument(help="Name of the dictionary, as `dict list` has it.", metavar="NAME")],
    folder: Annotated[str, typer.Argument(help="Folder of documents, with the folders in it.", metavar="FOLDER")],
    concept: Annotated[
        list[str] | None, typer.Option("--concept", help="Only this concept; may be repeated.", metavar="ID")
    ] = None,
    xlsx: Annotated[
        str | None, typer.Option("--xlsx", help="Also write the counts as a workbook.", metavar="FILE")
    ] = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Count the lines and documents that each term of a dictionary is found in; name the terms that find nothing."""
    with ending_well(as_json=as_json):
        from pipeline.cli.output import show_all, show_json

        counted, unread = count_coverage(name, folder, concept or [], store=store)
        if xlsx is not None:
            write_workbook(Path(xlsx), counted)
        if as_json:
            unused = [term.model_dump(mode="json") for term in counted.unused]
            show_json({"coverage": counted.model_dump(mode="json"), "unused": unused, "unread": unread, "xlsx": xlsx})
        else:
            from pipeline.cli.render_dict import render_coverage

            show_all(render_coverage(counted, unread, xlsx))


def count_coverage(
    name: str, folder: str, concepts: list[str], *, store: str
) -> tuple[Coverage, list[dict[str, str]]]:  # fmt: skip
    """The counts, and the files that could not be read.

    Raises DictionaryError for a dictionary or concept that is not there, InputError for a folder without documents.
    """
    from dictionaries.coverage import CoverageCount
    from dictionaries.loading import load_dictionaries
    from pipeline.cli.dict_documents import Unread, read_documents
    from pipeline.cli.output import Progress
    from pipeline.store.dictionaries import own_dictionaries
    from schemas.errors import DictionaryError

    dictionaries = load_dictionaries(names=[name], overlay=own_dictionaries(store))
    known = [entry.concept_id for entry in dictionaries.concepts]
    missing = sorted(set(concepts) - set(known))
    if missing:
        raise DictionaryError(f"{name}: no concept named {', '.join(missing)}; see them with `dict show {name}`")
    counting = CoverageCount([entry for entry in dictionaries.concepts if not concepts or entry.concept_id in concepts])
    unread: list[dict[str, str]] = []
    with Progress() as progress:
        for each in read_documents(folder, store=store, narrate=progress):
            if isinstance(each, Unread):
                unread.append({"file": each.name, "reason": each.reason})
            else:
                counting.add(each.name, each.text)
    return counting.result(dictionary=name, version=dictionaries.versions[name]), unread


def write_workbook(path: Path, counted: Coverage) -> None:
    """Write a row a term, those that find nothing included.

    Raises StoreError where it cannot be written.
    """
    import pandas as pd

    from pipeline.cli.files import write_file
    from pipeline.store.workbook import to_workbook

    columns = ["concept", "language", "kind", "text", "lines", "documents", "overdue"]
    rows = [[getattr(term, column) for column in columns] for term in counted.terms]
    frame = pd.DataFrame(rows, columns=columns, dtype=object)
    write_file(path, to_workbook(frame, title="coverage"), option="--xlsx")
