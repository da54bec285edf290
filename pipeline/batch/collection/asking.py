"""SQL over the views of a store: the user's own words, run in a database that can reach nothing else."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.batch.collection.views import VIEWS, open_views
from schemas.errors import InputError

if TYPE_CHECKING:
    import duckdb

SECONDS = 60.0  # longest time for a query
MAX_ROWS = 100_000  # rows fetched; more is cut, and told


@dataclass(frozen=True, slots=True)
class Rows:
    """What a query gave; `is_cut`: there are more rows than were fetched."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    is_cut: bool = False


def run_query(root: Path, sql: str, *, batch: str | None = None, limit: int = MAX_ROWS) -> Rows:
    """The rows of a query over the views (`VIEWS`) of a store.

    Raises InputError for SQL that cannot be run, or takes longer than a minute; RecordError for damaged records.
    """
    with open_views(root, batch=batch) as connection:
        return fetch(connection, sql, limit=limit)


def fetch(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    limit: int = MAX_ROWS,
) -> Rows:
    """The rows of a query with its parameters (`$name`) over views that are open.

    Raises InputError as `run_query` does.
    """
    import duckdb

    clock = threading.Timer(SECONDS, connection.interrupt)
    clock.daemon = True
    clock.start()
    try:
        found = connection.execute(sql, dict(parameters) if parameters else None)
        columns = tuple(str(one[0]) for one in found.description or ())
        rows = found.fetchmany(limit + 1) if columns else []
    except duckdb.InterruptException as error:
        raise InputError(f"the query took longer than {SECONDS:g} s and was ended; narrow it") from error
    except duckdb.Error as error:
        there = "; ".join(f"{view}({', '.join(names)})" for view, names in VIEWS.items())
        raise InputError(f"the query cannot be run: {str(error).splitlines()[0]}; there are: {there}") from error
    finally:
        clock.cancel()
    return Rows(columns, tuple(rows[:limit]), len(rows) > limit)
