"""Results in the form that the ending of their file says."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import PurePath

from pipeline.batch.results.book import Facts, to_book
from pipeline.batch.results.rows import COLUMNS, joined, rows_of
from pipeline.batch.results.texts import csv_text
from schemas.batch import BatchRequest, DocumentCells
from schemas.errors import InputError

SUFFIXES = (".xlsx", ".csv", ".jsonl")


def write_results(name: str, request: BatchRequest, documents: Iterable[DocumentCells], facts: Facts) -> bytes:
    """The results as the bytes of a file called `name`: a workbook, the long sheet as CSV, or a cell a line as JSON.

    Raises InputError for another ending.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix == ".xlsx":
        return to_book(request, documents, facts)
    if suffix == ".csv":
        return _to_csv(request, documents)
    if suffix == ".jsonl":
        lines = (cell.model_dump_json() for document in documents for cell in document.cells)
        return "".join(f"{line}\n" for line in lines).encode()
    raise InputError(f"{name}: results are written as {', '.join(SUFFIXES)}; choose one of these endings")


def _to_csv(request: BatchRequest, documents: Iterable[DocumentCells]) -> bytes:
    questions = {one.question_id: one for one in request.questions}
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for document in documents:
        for row in rows_of(document, questions):
            writer.writerow([csv_text(joined(read(row))) for read in COLUMNS.values()])
    return sink.getvalue().encode("utf-8-sig", "replace")
