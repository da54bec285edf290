"""`lineproof query`: SQL over the stored grids."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.batch.collection import CollectionAnswer, CollectionRow, Rows

MAX_SHOWN = 1_000  # rows on a terminal
MAX_QUOTE = 160  # characters of a quote on a terminal
NEEDS_CLARIFICATION = 4


def query(
    sql: Annotated[str | None, typer.Argument(help="The query, in DuckDB's SQL.", metavar="SQL")] = None,
    ask: Annotated[str | None, typer.Option("--ask", help="A question in words instead.", metavar="QUESTION")] = None,
    batch: Annotated[str | None, typer.Option("--batch", help="Only this batch.", metavar="BATCH")] = None,
    views: Annotated[bool, typer.Option("--views", help="List the views and their columns.")] = False,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Write the rows as CSV.", metavar="FILE")] = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Count and compare over the cells of batches: which have none, the earliest, the sum by currency.

    By SQL over the views (see --views and docs/store_views.md), or in words (--ask "which contracts have no liability
    cap?", in English, Spanish or French): these are read by rules, and the SQL that answers them is shown.
    """
    with ending_well(as_json=as_json):
        from pipeline.batch.collection import VIEWS, ask_collection, run_query
        from pipeline.batch.records import find_batch
        from pipeline.cli.output import show_json
        from schemas.errors import InputError

        if views:
            for view, columns in VIEWS.items():
                typer.echo(f"{view}: {', '.join(columns)}")
            raise typer.Exit(0)
        if ask is not None and sql is not None:
            raise InputError("give a query in SQL or a question by --ask, not both")
        if ask is not None:
            answer = ask_collection(ask, Path(store), batch=batch)
            _tell(answer, Path(out) if out else None, as_json=as_json)
            raise typer.Exit(NEEDS_CLARIFICATION if answer.status == "needs_clarification" else 0)
        if sql is None:
            raise InputError(
                'no query is given; try: lineproof query "SELECT status, count(*) FROM cells GROUP BY ALL"'
            )
        root = Path(store)
        found = run_query(root, sql, batch=find_batch(root, batch) if batch else None)
        if out is not None:
            _write(found, Path(out))
        elif as_json:
            show_json(
                {"columns": list(found.columns), "rows": [_plain(row) for row in found.rows], "is_cut": found.is_cut}
            )
        else:
            _show(found)


def _tell(answer: CollectionAnswer, out: Path | None, *, as_json: bool) -> None:
    """The answer to a question in words: as a file of its rows, as JSON, or for a person."""
    from pipeline.batch.collection import Rows
    from pipeline.cli.output import show_json

    if out is not None and answer.status == "answered":
        names = ("verdict", "document", "text", "number", "unit", "date", "page", "section", "quote", "status", "run")
        rows = [
            (*(getattr(row, name) for name in names), "; ".join(row.flags), row.why)
            for row in (*answer.rows, *answer.untold)
        ]
        _write(Rows((*names, "flags", "why"), tuple(rows)), out)
    elif as_json:
        show_json(_plain_answer(answer))
    else:
        _show_answer(answer)


def _plain_answer(answer: CollectionAnswer) -> dict[str, Any]:
    from dataclasses import asdict

    told = asdict(answer)
    told["parameters"] = {
        name: value if isinstance(value, str | int | float | list) else str(value)
        for name, value in answer.parameters.items()
    }
    return told


def _show_answer(answer: CollectionAnswer) -> None:
    from rich.text import Text

    from pipeline.cli.output import plain, show_all

    parts: list[Any] = [Text(plain(answer.sentence), style="bold")]
    if answer.question is not None:
        parts.append(Text(plain(f"asked there as: {answer.question}", keep_lines=False), style="dim"))
    if answer.rows:
        parts += [Text(""), _rows_of(answer.rows, why=False)]
    if answer.untold:
        parts += [Text("\nIt cannot be told of:"), _rows_of(answer.untold, why=True)]
    parts += [Text(plain(f"\n- {note}")) for note in answer.notes]
    if answer.sql:
        parts += [Text("\nBy this query:", style="dim"), Text(plain(answer.sql), style="dim", no_wrap=True)]
    show_all(parts)


def _rows_of(rows: Sequence[CollectionRow], *, why: bool) -> Any:
    from rich.table import Table
    from rich.text import Text

    from pipeline.cli.output import plain

    table = Table(box=None, pad_edge=False)
    for name in ("document", "value", "page", "why" if why else "quote", "note"):
        table.add_column(name, overflow="fold")
    for row in rows[:MAX_SHOWN]:
        quote = row.quote or ""
        shown = row.why if why else quote[:MAX_QUOTE] + (" [...]" if len(quote) > MAX_QUOTE else "")
        cells = (row.document, (row.text or "")[:MAX_QUOTE], str(row.page or ""), shown or "", "; ".join(row.flags))
        table.add_row(*(Text(plain(one, keep_lines=False)) for one in cells))
    if len(rows) > MAX_SHOWN:
        table.add_row(Text(f"{len(rows) - MAX_SHOWN:,} more: use --out"))
    return table


def _show(found: Rows) -> None:
    from rich.table import Table
    from rich.text import Text

    from pipeline.cli.output import plain, show_all

    table = Table(box=None, pad_edge=False)
    for name in found.columns:
        table.add_column(Text(plain(name)), overflow="fold")
    for row in found.rows[:MAX_SHOWN]:
        table.add_row(*(Text(plain("" if value is None else str(value), keep_lines=False)) for value in row))
    more = len(found.rows) - MAX_SHOWN
    told = f"{len(found.rows):,} rows" + (f", {more:,} not shown: use --out" if more > 0 else "")
    show_all([table, Text(told)])


def _write(found: Rows, path: Path) -> None:
    import csv
    import io

    from pipeline.batch.results.texts import csv_text
    from pipeline.cli.files import write_file

    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow([csv_text(name) for name in found.columns])
    writer.writerows([csv_text(value) for value in row] for row in found.rows)
    write_file(path, sink.getvalue().encode("utf-8-sig", "replace"), option="-o")
    typer.echo(f"{path}: {len(found.rows):,} rows")


def _plain(row: tuple[Any, ...]) -> list[Any]:
    return [value if isinstance(value, str | int | float | bool | None) else str(value) for value in row]
