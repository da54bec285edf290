"""`lineproof query`: SQL over the stored grids."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from pipeline.batch.collection import Rows

MAX_SHOWN = 1_000  # rows on a terminal


def query(
    sql: Annotated[str | None, typer.Argument(help="The query, in DuckDB's SQL.", metavar="SQL")] = None,
    batch: Annotated[str | None, typer.Option("--batch", help="Only this batch.", metavar="BATCH")] = None,
    views: Annotated[bool, typer.Option("--views", help="List the views and their columns.")] = False,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Write the rows as CSV.", metavar="FILE")] = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Count and compare over the cells of batches by SQL: which have none, the earliest, the sum by currency.

    The views (documented in docs/store_views.md) are batches, questions, documents, cells, values and ledger.
    """
    with ending_well(as_json=as_json):
        from pipeline.batch.collection import VIEWS, run_query
        from pipeline.batch.records import find_batch
        from pipeline.cli.output import show_json
        from schemas.errors import InputError

        if views:
            for view, columns in VIEWS.items():
                typer.echo(f"{view}: {', '.join(columns)}")
            raise typer.Exit(0)
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
