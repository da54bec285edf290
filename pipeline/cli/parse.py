"""`lineproof parse`: what a document is, its contents, and what could not be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    import pandas as pd

    from schemas.document import ParsedDocument


def parse(
    file: Annotated[str, typer.Argument(help="The document, a PDF.", metavar="FILE")],
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Read a document: its profile, its contents, the pages that could not be read, and what else to know."""
    with ending_well(as_json=as_json):
        from pipeline.cli.output import Progress, show_all, show_json
        from pipeline.run import parse as parse_document
        from pipeline.store.names import parsing_folder

        with Progress() as progress:
            parsed = parse_document(file, store=store, narrate=progress)
        folder = str(parsing_folder(parsed.root, parsed.document.doc_id))
        if as_json:
            show_json({**document_as_json(parsed.document), "notes": list(parsed.notes), "path": folder})
        else:
            from pipeline.cli.render_document import render_document

            show_all(render_document(parsed, folder))


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
