"""`lineproof parse`: what a document is, its contents, and what could not be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.files import write_file
from pipeline.cli.options import AsJson, LayoutModel, NoOcr, Password, Store, open_with
from schemas.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from pipeline.run import Parsed
    from schemas.document import ParsedDocument


def parse(
    file: Annotated[
        str,
        typer.Argument(help="The document: PDF, Office, HTML, mail, text or image.", metavar="FILE"),
    ],
    as_json: AsJson = False,
    store: Store = "outputs",
    password: Password = None,
    layout_model: LayoutModel = False,
    no_ocr: NoOcr = False,
    page: Annotated[
        int | None,
        typer.Option(
            "--show", help="Draw this page with its lines, numbers and roles, and print where.", metavar="PAGE", min=1
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", help="PNG file for --show; else pages/page_N.png in the document's folder.", metavar="FILE"
        ),
    ] = None,
) -> None:
    """Read a document: its profile, its contents, the pages that could not be read, and what else to know."""
    with ending_well(as_json=as_json):
        from pipeline.cli.output import Progress, show_all, show_json
        from pipeline.run import parse as parse_document
        from pipeline.store.names import parsing_folder

        with Progress() as progress:
            parsed = parse_document(
                file,
                store=store,
                narrate=progress,
                opening=open_with(password, layout_model=layout_model, no_ocr=no_ocr),
            )
        folder = str(parsing_folder(parsed.root, parsed.document.doc_id))
        if out is not None and page is None:
            raise InputError("--out names the picture of a page; say which one with --show PAGE")
        picture = None if page is None else str(save_picture(parsed, page, out, password=password))
        if as_json:
            told = {**document_as_json(parsed.document), "notes": list(parsed.notes), "path": folder}
            show_json(told if picture is None else {**told, "picture": picture})
        elif picture is not None:
            typer.echo(picture)
        else:
            from pipeline.cli.render_document import render_document

            show_all(render_document(parsed, folder))


def save_picture(parsed: Parsed, page_num: int, out: str | None = None, *, password: str | None = None) -> Path:
    """The path of the PNG that shows the page with its lines; written beside and renamed.

    Raises InputError for a page that cannot be drawn, StoreError where the file cannot be written.
    """
    from pipeline.parsing.picture import draw_page

    document = parsed.document
    picture = draw_page(parsed.data, document.line_df, page_num, name=document.source_name, password=password)
    path = parsed.root / document.doc_id / "pages" / f"page_{page_num}.png" if out is None else Path(out)
    write_file(path, picture, in_store=out is None)
    return path


def document_as_json(document: ParsedDocument) -> dict[str, Any]:
    """The object that `--json` prints: the record, its contents, pages and findings, and the rows of each table."""
    return {
        "document": document.model_dump(mode="json"),
        "contents": _rows(document.toc_df),
        "pages": _rows(document.page_df),
        "findings": _rows(document.finding_df),
        "row_counts": {name: len(frame) for name, frame in document.tables().items()},
    }


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON values; every kind of null becomes None."""
    plain = frame.astype(object).where(frame.notna(), None)
    return [{str(name): _scalar(value) for name, value in row.items()} for row in plain.to_dict("records")]


def _scalar(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
