"""Views over a store for SQL: batches, questions, documents, cells, values, ledger; held in memory, closed to the rest.

The tables are read from the records and put into a DuckDB database in memory, which then may neither read nor write any
file, load no extension and change no setting: a query can see what the views show and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.batch.records import Cells, list_batches, load_request
from pipeline.store.ledger import read_entries
from schemas.batch import BatchCell, CellValue
from schemas.errors import InputError

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

MEMORY = "1GB"  # that a query may take
BLOCK = 5_000  # rows put into a table at a time

# View -> column -> type and what it holds. docs/store_views.md is written from it.
VIEWS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "batches": {
        "batch": ("VARCHAR", "Id of the batch."),
        "name": ("VARCHAR", "Name of the file of questions."),
        "documents": ("BIGINT", "Documents of the batch."),
        "questions": ("BIGINT", "Questions of the batch."),
        "model": ("VARCHAR", "The language model; null for rules alone."),
    },
    "questions": {
        "batch": ("VARCHAR", "Id of the batch."),
        "question_id": ("VARCHAR", "Id of the question."),
        "question": ("VARCHAR", "The question as it was typed."),
        "answer_type": ("VARCHAR", "Type laid down for the value; null where none was."),
    },
    "documents": {
        "batch": ("VARCHAR", "Id of the batch."),
        "document": ("VARCHAR", "Name of the document in the collection."),
        "doc_id": ("VARCHAR", "The document in the store; null where it was not read."),
        "pages": ("BIGINT", "Pages of it."),
        "pages_not_read": ("BIGINT", "Pages that could not be read."),
        "fault": ("VARCHAR", "Why it could not be read; null where it was."),
        "metadata": ("MAP(VARCHAR, VARCHAR)", "Its row of the metadata sheet: metadata['party']."),
    },
    "cells": {
        "batch": ("VARCHAR", "Id of the batch."),
        "document": ("VARCHAR", "Name of the document in the collection."),
        "doc_id": ("VARCHAR", "The document in the store."),
        "question_id": ("VARCHAR", "Id of the question."),
        "status": ("VARCHAR", "answered, partial, not_found, needs_clarification, refused, out_of_scope ..."),
        "absence": ("VARCHAR", "Verdict of the proof where nothing was found: proven_absent, not_found, inconclusive."),
        "text": ("VARCHAR", "The best value in plain words; null without one."),
        "kind": ("VARCHAR", "Kind of the value: amount, date, duration, percentage, boolean, party, text ..."),
        "number": ("DOUBLE", "Amount, count, length of a duration, or share (5 % is 0.05)."),
        "unit": ("VARCHAR", "Currency of an amount, unit of a duration."),
        "date": ("DATE", "The date of a date."),
        "boolean": ("BOOLEAN", "Yes or no."),
        "values": ("BIGINT", "How many values there are."),
        "quote": ("VARCHAR", "The cited lines."),
        "page": ("BIGINT", "First cited page."),
        "section": ("VARCHAR", "Title of the section."),
        "confidence": ("DOUBLE", "Confidence of retrieval, 0 to 1; for triage only."),
        "conflicts": ("BIGINT", "Passages that differ."),
        "allowed": ("BOOLEAN", "The value is among the allowed ones; null where none were laid down."),
        "run": ("VARCHAR", "Its run in the store: lineproof show RUN."),
        "answer_sha256": ("VARCHAR", "SHA-256 of the answer."),
    },
    "values": {
        "batch": ("VARCHAR", "Id of the batch."),
        "document": ("VARCHAR", "Name of the document."),
        "question_id": ("VARCHAR", "Id of the question."),
        "rank": ("BIGINT", "1 for the best."),
        "text": ("VARCHAR", "The value in plain words."),
        "kind": ("VARCHAR", "Kind of the value."),
        "number": ("DOUBLE", "As in cells."),
        "unit": ("VARCHAR", "As in cells."),
        "date": ("DATE", "As in cells."),
        "boolean": ("BOOLEAN", "As in cells."),
        "quote": ("VARCHAR", "The cited lines."),
        "page": ("BIGINT", "First cited page."),
    },
    "ledger": {
        "seq": ("BIGINT", "Number of the line."),
        "kind": ("VARCHAR", "run, case, replay, review, dictionary, anchor, forget, batch."),
        "at": ("VARCHAR", "When, UTC, by the clock of the machine."),
        "seal": ("VARCHAR", "Root of the sealed record; null without one."),
        "hash": ("VARCHAR", "Hash of the line."),
    },
}  # fmt: skip


def open_views(
    root: Path, *, batch: str | None = None, only: Collection[str] = tuple(VIEWS)
) -> duckdb.DuckDBPyConnection:
    """A connection that sees the views of a store; `batch` narrows them to one, and those not in `only` are empty.

    Raises InputError for a store without batches, RecordError for damaged records.
    """
    import duckdb

    names = [batch] if batch is not None else list_batches(root)
    if not names and not read_entries(root):
        raise InputError(f"{root}: holds no batch and no ledger; run `lineproof batch` first, or name the store")
    connection = duckdb.connect(
        ":memory:", config={"memory_limit": MEMORY, "autoinstall_known_extensions": "false", "threads": "2"}
    )
    for view, columns in VIEWS.items():
        declared = ", ".join(f'"{name}" {kind}' for name, (kind, _) in columns.items())
        connection.execute(f'CREATE TABLE "{view}" ({declared})')
    for name in names:
        for view, rows in _rows_of(root, name):
            if view in only:
                _insert(connection, view, rows)
    if "ledger" in only:
        _insert(connection, "ledger", [(one.seq, one.kind, one.at, one.seal, one.hash) for one in read_entries(root)])
    for setting in ("enable_external_access = false", "lock_configuration = true"):
        connection.execute(f"SET {setting}")
    return connection


def _insert(connection: duckdb.DuckDBPyConnection, view: str, rows: list[tuple[Any, ...]]) -> None:
    if not rows:
        return
    _arrow = _table(view, rows)
    connection.register("_arrow", _arrow)
    connection.execute(f'INSERT INTO "{view}" SELECT * FROM _arrow')  # noqa: S608 - our own names
    connection.unregister("_arrow")


def _table(view: str, rows: list[tuple[Any, ...]]) -> pa.Table:
    import pyarrow as pa

    kinds = {
        "VARCHAR": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "DATE": pa.date32(),
        "BOOLEAN": pa.bool_(),
        "MAP(VARCHAR, VARCHAR)": pa.map_(pa.string(), pa.string()),
    }  # fmt: skip
    columns = VIEWS[view]
    return pa.table(
        {
            name: pa.array([_storable(row[at]) for row in rows], type=kinds[kind])
            for at, (name, (kind, _)) in enumerate(columns.items())
        }
    )


def _storable(value: Any) -> Any:
    """Text that UTF-8 can hold: what came from a file name may be none."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _rows_of(root: Path, batch: str) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """The rows of a batch, view by view, some thousand at a time."""
    request = load_request(root, batch)
    if request is None:
        return
    yield "batches", [(batch, request.name, len(request.documents), len(request.questions), request.model)]
    yield "questions", [(batch, one.question_id, one.text, one.terms.answer_type) for one in request.questions]
    waiting: dict[str, list[tuple[Any, ...]]] = {"documents": [], "cells": [], "values": []}
    for document in Cells(root, batch, request):
        name = document.document.name
        waiting["documents"].append(
            (batch, name, document.doc_id, document.page_count, len(document.pages_not_read), document.fault,
             sorted(document.document.metadata.items()))
        )  # fmt: skip
        for cell in document.cells:
            waiting["cells"].append(_cell_row(batch, name, cell))
            waiting["values"] += [
                (batch, name, cell.question_id, rank, *_typed(one), one.quote, one.page)
                for rank, one in enumerate(cell.values, 1)
            ]
        if len(waiting["cells"]) >= BLOCK:
            yield from ((view, list(rows)) for view, rows in waiting.items())
            waiting = {view: [] for view in waiting}
    yield from waiting.items()


def _cell_row(batch: str, name: str, cell: BatchCell) -> tuple[Any, ...]:
    best = cell.values[0] if cell.values else None
    verdict = cell.absence.verdict if cell.absence else None
    cited = (best.quote, best.page, best.section) if best else (None, None, None)
    return (
        batch, name, cell.doc_id, cell.question_id, cell.status, verdict, *_typed(best), len(cell.values), *cited,
        cell.confidence, len(cell.conflicts), cell.among_allowed, cell.run, cell.answer_sha256,
    )  # fmt: skip


def _typed(value: CellValue | None) -> tuple[Any, ...]:
    """Text, kind, number, unit, date, truth of a value; nulls for none."""
    if value is None:
        return (None,) * 6
    return value.text, value.kind, value.number, value.unit, _day(value.date), value.boolean


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def views_in_words() -> str:
    """The views as Markdown: docs/store_views.md; a test holds the two together."""
    parts = ["# Views of a store\n", "What `lineproof query` sees; written from the code.\n"]
    for view, columns in VIEWS.items():
        parts.append(f"## {view}\n")
        parts.append("| column | type | what it holds |\n|---|---|---|")
        parts += [f"| {name} | {kind} | {what} |" for name, (kind, what) in columns.items()]
        parts.append("")
    return "\n".join(parts)
