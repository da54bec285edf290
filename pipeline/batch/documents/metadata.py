"""The metadata sheet: what is known of each document beside its text, by which questions choose documents."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from dictionaries.workbook_cells import Problem
from pipeline.batch.documents.lists import FILE_TITLES
from pipeline.batch.reading.sheets import ERROR_VALUES, Faults, Table, read_tables
from schemas.batch import BatchDocument

SHEET = "documents"  # of the workbook, where it has several
MAX_NAMED = 5  # documents named in a fault or a note


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the sheet: the file as the user names it, and column -> value."""

    number: int
    file: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Metadata:
    """The sheet as it was read, with all that is wrong with it; `file_at` is the position of the column of files."""

    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    table: Table | None = None
    file_at: int = 0
    faults: Faults = field(default_factory=lambda: Faults("metadata"))


def read_metadata(path: Path) -> Metadata:
    """The metadata of a workbook (sheet 'documents', or the first) or a CSV file.

    Dates are told as ISO 8601, numbers plainly, yes and no as 'true' and 'false'. What is wrong with a cell is told
    by `join_metadata`, together with rows that name no document.

    Raises InputError for a file that cannot be read, and for one without a column of files.
    """
    tables = read_tables(path)
    table = next((one for one in tables if one.name == SHEET), tables[0])
    faults = Faults(path.name)
    titles = _titles(table, faults)
    at = next((titles.index(name) for name in FILE_TITLES if name in titles), None)
    if at is None:
        faults.add(table, table.title_row, None, f"no column names the file; call one {FILE_TITLES[0]!r}")
        faults.raise_all()
        return Metadata()
    rows = []
    for row in table.rows:
        file = _cell(row.cells, at)
        if isinstance(file, Problem) or not file:
            why = file.reason if isinstance(file, Problem) else "no file is named"
            faults.add(table, row.number, at, why)
        values: dict[str, str] = {}
        for number in range(max(len(titles), len(row.cells))):
            value = _cell(row.cells, number)
            title = titles[number] if number < len(titles) else ""
            if number == at or value == "":
                continue
            if isinstance(value, Problem):
                faults.add(table, row.number, number, value.reason)
            elif title:
                values[title] = " ".join(value.split())
            else:
                faults.add(table, row.number, number, f"the column of {value[:40]!r} has no title; give it one")
        if isinstance(file, str) and file:
            rows.append(Row(row.number, file, values))
    columns = tuple(one for number, one in enumerate(titles) if one and number != at)
    return Metadata(columns, tuple(rows), table, at, faults)


def join_metadata(
    documents: Sequence[BatchDocument], metadata: Metadata
) -> tuple[tuple[BatchDocument, ...], tuple[str, ...]]:
    """The documents with their metadata, and notes: how many have none.

    A row names a document by its name in the collection or, where only one is called so, by its last part.

    Raises InputError with all faults at once, by sheet, row and column: those of the cells, and rows that name no
    document, several, or one that another row names.
    """
    if metadata.table is None:
        return tuple(documents), ()
    by_name = {_alike(one.name): one.name for one in documents}
    by_last: dict[str, list[str]] = {}
    for one in documents:
        by_last.setdefault(_alike(one.name).rpartition("/")[2], []).append(one.name)
    known: dict[str, Row] = {}
    for row in metadata.rows:
        wanted = _alike(row.file.replace("\\", "/").removeprefix("./"))
        matches = [by_name[wanted]] if wanted in by_name else by_last.get(wanted, [])
        why = _why_not(row, matches, known)
        if why is None:
            known[matches[0]] = row
        else:
            metadata.faults.add(metadata.table, row.number, metadata.file_at, why)
    metadata.faults.raise_all()
    bare = [one.name for one in documents if one.name not in known]
    shown = f"{', '.join(bare[:MAX_NAMED])}{' ...' if len(bare) > MAX_NAMED else ''}"
    notes = (f"{len(bare):,} documents have no row in the metadata sheet: {shown}",) if bare else ()
    return tuple(
        one.model_copy(update={"metadata": dict(known[one.name].values)}) if one.name in known else one
        for one in documents
    ), notes


def _titles(table: Table, faults: Faults) -> list[str]:
    """The titles in small letters; empty for a column without one, or whose title cannot be taken."""
    titles: list[str] = []
    for number in range(len(table.titles)):
        cell = _cell(table.titles, number)
        if isinstance(cell, Problem):
            faults.add(table, table.title_row, number, cell.reason)
        title = "" if isinstance(cell, Problem) else " ".join(cell.lower().split())
        if title and title in titles:
            faults.add(table, table.title_row, number, f"the column {title!r} stands there twice")
        titles.append(title)
    return titles


def _why_not(row: Row, matches: Sequence[str], known: Mapping[str, Row]) -> str | None:
    """Why a row cannot be joined; None where it can."""
    if not matches:
        return f"{row.file!r} is not in the collection; name it by its path from the folder"
    if len(matches) > 1:
        more = " ..." if len(matches) > MAX_NAMED else ""
        return f"{row.file!r} may be any of {len(matches)} documents: {', '.join(matches[:MAX_NAMED])}{more}"
    if matches[0] in known:
        return f"{row.file!r} is the document of row {known[matches[0]].number}, too; leave one of them"
    return None


def _alike(name: str) -> str:
    """Names are told apart exactly, but for the two ways in which systems write an accent."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def _cell(cells: Sequence[Any], number: int) -> str | Problem:
    """A cell as text; '' for an empty one."""
    value = cells[number] if number < len(cells) else None
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
        case float():
            return format(Decimal(repr(value)).normalize(), "f")
        case str() if value.strip() in ERROR_VALUES:
            return Problem(f"an error value, {value.strip()}; correct it in the sheet")
        case _:
            return str(value).strip()
