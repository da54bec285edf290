"""Every nasty file ends in a record or in one line that names the cause; none hangs, none loses a page."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from schemas.errors import DocumentError

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "torture"
WITHOUT_OCR = ParsingSettings(ocr="off")  # recognition has tests of its own, and takes seconds a page
SECONDS = 120  # wall clock in which each must end on a busy machine; a hang ends the test


def _index() -> list[dict[str, str]]:
    if not (FOLDER / "index.tsv").is_file():
        return []
    with (FOLDER / "index.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _cases() -> list[object]:
    cases = [
        pytest.param(row, id=row["file"], marks=[pytest.mark.slow] if "long" in row["tags"].split(",") else [])
        for row in _index()
    ]
    return cases or [pytest.param({}, marks=pytest.mark.skip(reason="the measuring data are not beside this checkout"))]


@pytest.mark.shared
@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("row", _cases())
def test_each_ends_in_a_record_or_one_line_and_loses_no_page(
    row: dict[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    """A page has a row each, a page that is not read a reason; nothing reaches the terminal."""
    password = row["password"] if row["password"] not in ("", "unknown") else None
    path = FOLDER / row["file"]
    message, document = "", None
    try:
        document = parse_document(path, settings=WITHOUT_OCR, password=password)
    except DocumentError as error:
        message = str(error)
    if document is None:
        assert path.name in message
        assert "\n" not in message
    else:
        page_df = document.page_df
        assert page_df["page_num"].tolist() == list(range(1, len(page_df) + 1))
        assert (page_df["status_reason"].str.len() > 0).all()
        if row["kind"] == "pdf":
            assert len(page_df) == _pages_seen(path, password)
    assert capfd.readouterr() == ("", "")


def _pages_seen(path: Path, password: str | None) -> int:
    """The most pages that either of two other readers sees."""
    import pypdf
    import pypdfium2

    seen = []
    try:
        with pypdfium2.PdfDocument(path, password=password) as document:
            seen.append(len(document))
    except pypdfium2.PdfiumError:
        pass
    try:
        reader = pypdf.PdfReader(path, password=password)
        seen.append(len(reader.pages))
        reader.close()
    except (pypdf.errors.PyPdfError, ValueError, KeyError, RecursionError, NotImplementedError):
        pass
    return max(seen)
