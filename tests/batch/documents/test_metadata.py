"""The metadata sheet: joined to its documents, every fault told at once by sheet, row and column."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from pipeline.batch.documents import find_documents
from schemas.errors import InputError
from tests.batch.documents.test_folders import put


def sheet(path: Path, rows: Sequence[Sequence[Any]], *, title: str = "documents") -> Path:
    """A workbook whose second sheet holds the rows."""
    book = Workbook()
    book.worksheets[0].title = "notes"
    book.worksheets[0].append(["not", "this", "one"])
    other = book.create_sheet(title)
    for row in rows:
        other.append(row)
    book.save(path)
    return path


def test_columns_of_a_workbook_become_metadata(tmp_path: Path) -> None:
    """By path or by a name that is unique; dates as ISO 8601, numbers plainly; columns in small letters."""
    docs = put(tmp_path / "docs", "a/x.pdf", "b/x.pdf", "y.pdf", "z.pdf")
    table = sheet(
        tmp_path / "m.xlsx",
        [
            ["Party", "File", "Signed", "Version", "Amount", "Open", "At"],
            ["Acme  Ltd", "a/x.pdf", date(2021, 3, 1), 2, 0.00001, True, datetime(2021, 3, 1, 9, 30)],  # noqa: DTZ001 - cells have no zone
            [None, ".\\b\\x.pdf", None, 2.0, 1_000_000.5, False, None],
            ["=cmd", "y.pdf", None, None, None, None, None],
        ],
    )
    # a text that begins with '=' would be a formula: as text it is plain data
    from openpyxl import load_workbook

    book = load_workbook(table)
    book["documents"]["A4"].data_type = "s"
    book.save(table)
    found = find_documents([str(docs)], metadata=table)
    assert found.columns == ("party", "signed", "version", "amount", "open", "at")
    assert {one.name: one.metadata for one in found.documents} == {
        "a/x.pdf": {
            "party": "Acme Ltd", "signed": "2021-03-01", "version": "2", "amount": "0.00001", "open": "true",
            "at": "2021-03-01T09:30:00",
        },
        "b/x.pdf": {"version": "2", "amount": "1000000.5", "open": "false"},
        "y.pdf": {"party": "=cmd"},
        "z.pdf": {},
    }  # fmt: skip
    assert found.notes == ("1 documents have no row in the metadata sheet: z.pdf",)


def test_all_faults_are_told_at_once_by_row_and_column(tmp_path: Path) -> None:
    """Formula, error value, no file, unknown file, two rows of one file, ambiguous name, a value without a title."""
    docs = put(tmp_path / "docs", "a/x.pdf", "b/x.pdf", "y.pdf")
    rows = [
        ["file", "party", "party"],
        ["y.pdf", "=1+1", None],
        ["gone.pdf", "#N/A", None],
        ["x.pdf", None, None],
        ["./y.pdf", None, None],
        [None, "Acme", None],
        ["a/x.pdf", "Acme", None, "extra"],
        ["=A1", None, None],
    ]
    with pytest.raises(InputError) as caught:
        find_documents([str(docs)], metadata=sheet(tmp_path / "m.xlsx", rows))
    told = str(caught.value)
    assert told.startswith("m.xlsx: ")
    for part in (
        "row 1, column C: the column 'party' stands there twice",
        "row 2, column B: ", "row 3, column B: ",
        "row 3, column A: 'gone.pdf' is not in the collection",
        "row 4, column A: 'x.pdf' may be any of 2 documents: a/x.pdf, b/x.pdf",
        "row 5, column A: './y.pdf' is the document of row 2, too",
        "row 6, column A: no file is named",
        "row 7, column D: the column of 'extra' has no title",
        "row 8, column A: ",
    ):  # fmt: skip
        assert f"sheet 'documents', {part}" in told, part


def test_names_are_matched_exactly_but_for_accents(tmp_path: Path) -> None:
    """Systems write an accent in two ways; small and capital letters are two names."""
    docs = put(tmp_path / "docs", "cafe\u0301.pdf", "Y.pdf")
    table = tmp_path / "m.csv"
    table.write_text("file,party\ncaf\u00e9.pdf,Acme\n", encoding="utf-8")
    assert find_documents([str(docs)], metadata=table).documents[1].metadata == {"party": "Acme"}
    table.write_text("file,party\ny.pdf,Acme\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"m\.csv, row 2, column A: 'y\.pdf' is not in the collection"):
        find_documents([str(docs)], metadata=table)


def test_a_sheet_without_a_column_of_files_is_refused(tmp_path: Path) -> None:
    """The message names the title to give it."""
    docs = put(tmp_path / "docs", "y.pdf")
    with pytest.raises(InputError, match=r"row 1: no column names the file; call one 'file'"):
        find_documents([str(docs)], metadata=sheet(tmp_path / "m.xlsx", [["party"], ["Acme"]]))


def test_error_values_in_csv_are_faults(tmp_path: Path) -> None:
    """A spreadsheet program writes them as text."""
    docs = put(tmp_path / "docs", "y.pdf")
    table = tmp_path / "m.csv"
    table.write_text("file;amount\ny.pdf;#REF!\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"row 2, column B: an error value, #REF!"):
        find_documents([str(docs)], metadata=table)
