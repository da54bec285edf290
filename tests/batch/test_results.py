"""Results: typed cells, links and comments in a workbook that opens; no text of a document is ever a formula."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import zipfile
from datetime import date, datetime
from pathlib import Path

import pytest
from openpyxl import load_workbook

from pipeline.batch.results import Facts, write_results
from schemas.batch import (
    BatchCell,
    BatchDocument,
    BatchQuestion,
    BatchRequest,
    CellAbsence,
    CellConflict,
    CellValue,
    DocumentCells,
    Spent,
)
from schemas.errors import InputError
from tests.batch.payloads import PAYLOADS

SHA = "a" * 64
MARCH = datetime.fromisoformat("2021-03-01")


def request(questions: list[BatchQuestion], documents: list[BatchDocument]) -> BatchRequest:
    """A request of these."""
    return BatchRequest(
        name="t", questions=tuple(questions), documents=tuple(documents), parsing_settings={}, retrieval_settings={},
        versions={"lineproof": "1"}, code_sha256=SHA,
    )  # fmt: skip


def cell(document: str, question: str, **changes: object) -> BatchCell:
    """A cell."""
    told: dict[str, object] = {"document": document, "question_id": question, "status": "answered", "text": "x"}
    return BatchCell(**{**told, **changes})  # type: ignore[arg-type]


def value(text: str, kind: str = "text", **changes: object) -> CellValue:
    """A value on line 3 of page 2."""
    told: dict[str, object] = {"text": text, "kind": kind, "quote": f"quote of {text}", "page": 2, "line_start": 3}
    return CellValue(**{**told, **changes})  # type: ignore[arg-type]


KINDS = {
    "amount": value("EUR 12,500", "amount", number=12500.0, unit="EUR"),
    "date": value("1 March 2021", "date", date="2021-03-01"),
    "share": value("5 %", "percentage", number=0.05),
    "days": value("90 days", "duration", number=90.0, unit="day"),
    "yes": value("yes", "boolean", boolean=True),
    "law": value("Ireland", "jurisdiction"),
}


def typed_book(tmp_path: Path) -> Path:
    """A workbook with a document whose cells have every type, and one that failed."""
    asked = [BatchQuestion(question_id=name, text=f"What {name}?") for name in KINDS]
    good, bad = BatchDocument(name="a b.pdf", metadata={"party": "Acme"}), BatchDocument(name="bad.pdf", fault="broken")
    cells = [
        cell(good.name, name, values=(one,), doc_id="d", run="d/questions/x", answer_sha256=SHA)
        for name, one in KINDS.items()
    ]
    cells[-1] = cells[-1].model_copy(update={
        "conflicts": (CellConflict(detail="two laws", quotes=("a", "b"), pages=(1, 2)),), "status": "partial",
    })  # fmt: skip
    failed = [cell(bad.name, name, status="failed", text="broken") for name in KINDS]
    failed[0] = cell(bad.name, "amount", status="not_found", absence=CellAbsence(
        verdict="not_found", searched=("fee (0)",), lines_read=10, pages_read=2, detail="nothing near"))  # fmt: skip
    documents = [
        DocumentCells(number=0, document=good, doc_id="d", cells=tuple(cells), findings=("hidden text",)),
        DocumentCells(number=1, document=bad, fault="broken", cells=tuple(failed)),
    ]
    facts = Facts("t_1", Spent(calls=3, amount=0.5, currency="USD"), notes=("a note",), folder="r files",
                  marked={"a b.pdf": "d.pdf"})  # fmt: skip
    path = tmp_path / "r.xlsx"
    path.write_bytes(write_results(path.name, request(asked, [good, bad]), documents, facts))
    assert path.read_bytes() == write_results(path.name, request(asked, [good, bad]), documents, facts)
    return path


def test_values_are_numbers_dates_and_links(tmp_path: Path) -> None:
    """Amounts, shares and days are numbers with their unit, dates are dates; each links to its page."""
    book = load_workbook(typed_book(tmp_path))
    assert book.sheetnames == [
        "summary",
        "grid",
        "not found",
        "conflicts",
        "not read",
        "cells",
        "questions",
        "versions",
    ]
    grid = book["grid"]
    shown = dict(zip(KINDS, grid[3][2:], strict=True))
    assert (shown["amount"].value, shown["amount"].number_format) == (12500, '#,##0" EUR"')
    assert shown["date"].value == MARCH
    assert (shown["share"].value, shown["share"].number_format) == (0.05, "0.0##%")
    assert (shown["days"].value, shown["days"].number_format) == (90, '#,##0" days"')
    assert (shown["yes"].value, shown["law"].value) == ("yes", "Ireland")
    assert shown["amount"].hyperlink.target == "r%20files/d.pdf#page=2"
    assert "page 2: quote of EUR 12,500" in shown["amount"].comment.text
    assert shown["law"].comment.text.startswith("CONFLICT: two laws")
    assert shown["amount"].fill.start_color.rgb != shown["law"].fill.start_color.rgb
    assert grid["A3"].value == "a b.pdf"
    assert grid["B3"].value == "Acme"
    assert (grid["C4"].value, grid["D4"].value) == ("not found", "failed")
    assert [row[1].value for row in book["conflicts"].iter_rows(min_row=2)] == ["law"]
    assert ["bad.pdf", "not read", "broken"] in [
        [one.value for one in row] for row in book["not read"].iter_rows(min_row=2)
    ]
    assert len(book["summary"]._charts) == 2


def test_the_long_sheet_has_a_row_a_cell(tmp_path: Path) -> None:
    """Value, quote, place, reason, run and hash, and blank columns for a reviewer with their choices."""
    sheet = load_workbook(typed_book(tmp_path))["cells"]
    titles = [one.value for one in sheet[1]]
    rows = [dict(zip(titles, (one.value for one in row), strict=True)) for row in sheet.iter_rows(min_row=2)]
    assert len(rows) == 12
    first = rows[0]
    assert (first["document"], first["number"], first["unit"], first["page"], first["lines"]) == (
        "a b.pdf",
        12500,
        "EUR",
        2,
        "3",
    )
    assert (first["run"], first["answer sha-256"]) == ("d/questions/x", SHA)
    assert rows[1]["date"] == MARCH
    assert first["review verdict"] is None
    assert sheet.auto_filter.ref
    assert {one.formula1 for one in sheet.data_validations.dataValidation} == {'"accept,reject,correct"', '"yes"'}


def hostile(tmp_path: Path) -> Path:
    """A workbook in which every text that comes from outside is a payload."""
    asked = [BatchQuestion(question_id=f"q{at}", text=text, row=at) for at, text in enumerate(PAYLOADS)]
    documents = []
    for number, text in enumerate(PAYLOADS):
        name = f"{text}.pdf"
        told = BatchDocument(name=name, metadata={"party": text})
        absence = CellAbsence(verdict="not_found", searched=(text,), lines_read=1, pages_read=1, detail=text)
        told_all = {
            "values": (value(text, quote=text, section=text, reason=text),), "text": text, "caveats": (text,),
            "conflicts": (CellConflict(detail=text, quotes=(text,)),), "absence": absence,
        }  # fmt: skip
        cells = [cell(name, one.question_id, **told_all) for one in asked[:2]]
        rest = [cell(name, one.question_id, status="failed", text=text) for one in asked[2:]]
        documents.append(
            DocumentCells(number=number, document=told, fault=text, findings=(text,), cells=(*cells, *rest))
        )
    path = tmp_path / "hostile.xlsx"
    facts = Facts(
        "=1+1", notes=PAYLOADS[:3], changed=PAYLOADS[3:6], marked={d.document.name: "=x.pdf" for d in documents}
    )
    path.write_bytes(write_results(path.name, request(asked, [d.document for d in documents]), documents, facts))
    return path


def test_no_text_is_written_as_a_formula(tmp_path: Path) -> None:
    """Sixty payloads as names, questions, metadata, values, quotes and notes: no cell is a formula or an error."""
    assert len(PAYLOADS) == 60
    path = hostile(tmp_path)
    with zipfile.ZipFile(path) as packed:
        sheets = [packed.read(name) for name in packed.namelist() if name.startswith("xl/worksheets/sheet")]
    assert sheets
    assert not any(b"<f>" in data or b"<f " in data or b't="e"' in data for data in sheets)
    book = load_workbook(path)
    kinds = {one.data_type for sheet in book.worksheets for row in sheet.iter_rows() for one in row}
    assert kinds <= {"s", "n", "d", "inlineStr"}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_nothing_evaluates_in_libreoffice(tmp_path: Path) -> None:
    """Opened and saved by LibreOffice, the workbook has no formula, and the texts are what they were."""
    path = hostile(tmp_path)
    out = tmp_path / "out"
    command = [
        "soffice",
        f"-env:UserInstallation=file://{tmp_path}/profile",
        "--headless",
        "--convert-to",
        "xlsx",
        "--outdir",
    ]
    subprocess.run([*command, str(out), str(path)], check=True, capture_output=True, timeout=240)
    book = load_workbook(out / path.name)
    formulas = [
        one.value for sheet in book.worksheets for row in sheet.iter_rows() for one in row if one.data_type == "f"
    ]
    assert formulas == []
    shown = {row[1].value for row in book["questions"].iter_rows(min_row=2)}
    assert {text for text in PAYLOADS if text.isascii() and text.isprintable() and "_x" not in text} <= shown


def test_csv_and_json_lines(tmp_path: Path) -> None:
    """The same cells as CSV, where a formula gets an apostrophe, and as JSON lines; another ending is refused."""
    asked, told = [BatchQuestion(question_id="q", text="=1+1")], BatchDocument(name="a.pdf")
    documents = [DocumentCells(number=0, document=told, cells=(cell("a.pdf", "q", values=(KINDS["date"],)),))]
    made = request(asked, [told])
    (row,) = csv.DictReader(io.StringIO(write_results("r.csv", made, documents, Facts("t")).decode("utf-8-sig")))
    assert row["question"] == "'=1+1"
    assert row["date"] == str(date(2021, 3, 1))
    line = write_results("r.jsonl", made, documents, Facts("t"))
    assert BatchCell.model_validate_json(line) == documents[0].cells[0]
    with pytest.raises(InputError, match="choose one of these endings"):
        write_results("r.doc", made, documents, Facts("t"))
