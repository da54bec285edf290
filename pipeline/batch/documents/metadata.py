"""The metadata sheet: what is known of each document beside its text, by which questions choose documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from dictionaries.workbook_cells import Problem
from pipeline.batch.reading.sheets import Faults, read_tables
from schemas.batch import BatchDocument

FILE_COLUMNS = ("file", "filename", "document", "name", "path", "archivo", "fichero", "documento", "fichier")
SHEET = "documents"  # of the workbook, where it has several


@dataclass(frozen=True, slots=True)
class Metadata:
    """Rows of the sheet: the file as the user names it -> column -> value. `where` tells the place of each row."""

    columns: tuple[str, ...] = ()
    rows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    where: Mapping[str, str] = field(default_factory=dict)


def read_metadata(path: Path) -> Metadata:
    """The metadata of a workbook (sheet 'documents', or the first) or a CSV file.

    Dates are told as ISO 8601, numbers plainly, yes and no as 'true' and 'false'.

    Raises InputError with all faults at once, by sheet, row and column.
    """
    tables = read_tables(path)
    table = next((one for one in tables if one.name == SHEET), tables[0])
    faults = Faults(path.name)
    titles = [" ".join(str(one or "").lower().split()) for one in table.titles]
    at = next((titles.index(name) for name in FILE_COLUMNS if name in titles), None)
    if at is None:
        faults.add(table, table.title_row, None, f"no column names the file; call one {FILE_COLUMNS[0]!r}")
        faults.raise_all()
        return Metadata()
    for number, title in enumerate(titles):
        if title and titles.index(title) != number:
            faults.add(table, table.title_row, number, f"the column {title!r} stands there twice")
    rows: dict[str, dict[str, str]] = {}
    where: dict[str, str] = {}
    for row in table.rows:
        name = _plain(row.cells[at] if at < len(row.cells) else None)
        if not isinstance(name, str) or not name:
            faults.add(table, row.number, at, name.reason if isinstance(name, Problem) else "no file is named")
            continue
        if name in rows:
            faults.add(table, row.number, at, f"{name!r} has a row already ({where[name]})")
            continue
        values = {}
        for number, title in enumerate(titles):
            value = _plain(row.cells[number] if number < len(row.cells) else None)
            if isinstance(value, Problem):
                faults.add(table, row.number, number, value.reason)
            elif number != at and title and value:
                values[title] = value
        rows[name], where[name] = values, f"{table.place}, row {row.number}"
    faults.raise_all()
    return Metadata(tuple(one for number, one in enumerate(titles) if one and number != at), rows, where)


def join_metadata(
    documents: Sequence[BatchDocument], metadata: Metadata
) -> tuple[tuple[BatchDocument, ...], tuple[str, ...]]:
    """The documents with their metadata, and notes: how many have none.

    A row names a document by its name in the collection or, where only one is called so, by its last part.

    Raises InputError for rows that name no document, or several.
    """
    if not metadata.rows:
        return tuple(documents), ()
    by_name = {one.name: one for one in documents}
    by_last: dict[str, list[str]] = {}
    for one in documents:
        by_last.setdefault(one.name.rpartition("/")[2], []).append(one.name)
    faults = Faults("metadata")
    known: dict[str, Mapping[str, str]] = {}
    for name, values in metadata.rows.items():
        wanted = name.replace("\\", "/").removeprefix("./")
        matches = [wanted] if wanted in by_name else by_last.get(wanted, [])
        if len(matches) == 1 and matches[0] not in known:
            known[matches[0]] = values
        elif len(matches) == 1:
            faults.told.append(f"{metadata.where[name]}: {name!r} names a document that another row names, too")
        elif matches:
            faults.told.append(
                f"{metadata.where[name]}: {name!r} names {len(matches)} documents: {', '.join(matches[:5])}"
            )
        else:
            faults.told.append(f"{metadata.where[name]}: {name!r} is not in the collection")
    faults.raise_all()
    bare = [one.name for one in documents if one.name not in known]
    notes = (f"{len(bare)} documents have no row in the metadata sheet, the first is {bare[0]}",) if bare else ()
    return tuple(one.model_copy(update={"metadata": dict(known.get(one.name, {}))}) for one in documents), notes


def _plain(value: Any) -> str | Problem:
    match value:
        case None:
            return ""
        case Problem():
            return value
        case bool():
            return str(value).lower()
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(timespec="seconds")
        case date():
            return value.isoformat()
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return " ".join(str(value).split())
