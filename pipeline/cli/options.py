"""Options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pipeline.run import Opening

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else.")]
Password = Annotated[
    str | None,
    typer.Option(
        "--password",
        help="Opens a protected document; kept nowhere. Others may see it in the process list: the variable is safer.",
        envvar="LINEPROOF_PASSWORD",
        metavar="TEXT",
    ),
]
LayoutModel = Annotated[
    bool,
    typer.Option("--layout-model", help="Let PyMuPDF's layout model look at each page, about half a second a page."),
]
NoOcr = Annotated[bool, typer.Option("--no-ocr", help="Recognise no scans; such pages are named as not read.")]
Store = Annotated[str, typer.Option("--store", help="Folder that keeps every record.", metavar="DIR")]

Strategy = Annotated[
    str,
    typer.Option(
        "--strategy",
        help="How the document is searched: arbiter, or bm25_only, embedding_only, hybrid_rrf with any of +contextual, "
        "+hyde, +sparse, +parent and one of +llm_rerank, +llm_rerank_ids, +cross_encoder.",
        metavar="NAME",
    ),
]


def open_with(password: str | None, *, layout_model: bool, no_ocr: bool) -> Opening:
    """How the file is opened, by the options."""
    from pipeline.parsing.settings import ParsingSettings
    from pipeline.run import Opening

    settings = ParsingSettings(layout_model=layout_model, ocr="off" if no_ocr else "auto")
    return Opening(settings, password)
