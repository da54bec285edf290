"""No character is lost: line_df against an independent extractor, on real documents and on hard cases made by code."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.characters import compare_characters, count_characters
from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from tests.parsing.builders import new_page, paragraph, save

SAMPLE = [
    "papers/1706.03762v7.pdf",
    "nist/NIST.FIPS.199.pdf",
    "mmlongbench/pdfs/2023.acl-long.386.pdf",
    "mmlongbench/pdfs/Independents-Report.pdf",
    "financebench/pdfs/AMCOR_2022_8K_dated-2022-07-01.pdf",
    "torture/pdf/twocolumn_ligatures_tracemonkey.pdf",
    "torture/pdf/rtl_arabic_english_table.pdf",
    "torture/pdf/cjk_vertical_jo.pdf",
    "torture/pdf/superscripts_table.pdf",
    "torture/pdf/annual_report_reliance.pdf",
]
PAGES = 6


@pytest.mark.parametrize("name", SAMPLE)
def test_pages_hold_what_another_reader_finds(shared_data: Path, name: str) -> None:
    """The characters of each page, white space aside and hidden ones included, are those of pypdfium2."""
    path = shared_data / name
    settings = ParsingSettings(isolate=False, ocr="off", pages=tuple(range(1, PAGES + 1)))
    differences = compare_characters(path.read_bytes(), parse_document(path, settings=settings), pages=PAGES)
    compared = [page for page in differences if not page.exclusion]
    assert compared, [page.exclusion for page in differences]
    assert [(page.page_num, page.missing) for page in compared if page.is_fault] == []


def test_hidden_turned_and_columned_text_is_all_there(tmp_path: Path) -> None:
    """Whatever its place and look, each character is in line_df once."""
    document = pymupdf.open()
    left = [f"left {at} words of one column here" for at in range(6)]
    right = [f"right {at} words of another one" for at in range(6)]
    rows = [
        *paragraph(60, 120, left), *paragraph(320, 120, right), (60, 300, "white", {"color": (1, 1, 1)}),
        (60, 320, "unpainted", {"render_mode": 3}), (60, 400, "up", {"rotate": 90}), (60, 440, "tiny", {"fontsize": 1}),
        (60, 460, "same"), (200, 460, "same"),
    ]  # fmt: skip
    new_page(document, rows)
    path = save(document, tmp_path / "page.pdf")
    lines = parse_document(path, settings=ParsingSettings(isolate=False, ocr="off")).line_df
    assert count_characters(lines["text"]) == count_characters([row[2] for row in rows])


def test_a_word_printed_twice_in_one_place_is_read_once(tmp_path: Path) -> None:
    """Old printers made bold type by striking twice: the one exclusion of the invariant on readable pages."""
    document = pymupdf.open()
    new_page(document, [(60, 100, "Confidential"), (60.3, 100, "Confidential"), (60, 130, "Confidential")])
    path = save(document, tmp_path / "bold.pdf")
    lines = parse_document(path, settings=ParsingSettings(isolate=False, ocr="off")).line_df
    assert lines["text"].tolist() == ["Confidential", "Confidential"]
