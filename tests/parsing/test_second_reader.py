"""The second reader: pages that the first finds nothing on, and files in which it finds no page."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing import pdf as pdf_module
from pipeline.parsing.lines import PageRead
from pipeline.parsing.second_reader import METHOD, read_again, reread_pages
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import read_source
from schemas.errors import DamagedDocumentError
from tests.parsing.builders import agreement, new_page, paragraph, save

HERE = ParsingSettings(isolate=False)
WHITE = (1, 1, 1)


def test_a_file_without_a_page_for_the_first_is_read_by_the_second(shared_data: Path) -> None:
    """Thirty pages of a file whose cross-reference chain loops, with a finding and the method on each row."""
    document = parse_document(shared_data / "torture" / "pdf" / "xref_loop.pdf")
    assert document.page_df["status"].value_counts().to_dict() == {"native": 30}
    assert set(document.line_df["parsing_method"]) == {METHOD} == set(document.page_df["parsing_method"])
    assert document.finding_df["kind"].tolist() == ["reader"]
    assert "pypdfium2" in document.stamp.libraries


def test_where_neither_finds_a_page_the_first_error_stands(shared_data: Path) -> None:
    """It says what is damaged."""
    with pytest.raises(DamagedDocumentError, match=r"fuzzed_zero_pages.pdf"):
        parse_document(shared_data / "torture" / "pdf" / "fuzzed_zero_pages.pdf")


def test_a_page_that_the_first_does_not_read_is_read_by_the_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Empty or failed: its words come, with status, method and a finding; the other pages are left alone."""
    path = agreement(tmp_path / "a.pdf")
    whole = parse_document(path, settings=HERE)
    read = pdf_module.read_page

    def lose_two(document: object, page_num: int, *rest: object, **options: object) -> PageRead:
        if page_num == 2:
            return PageRead(2, "failed", "The page could not be read: broken stream")
        if page_num == 3:
            return PageRead(3, "empty", "Neither text nor image.")
        return read(document, page_num, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(pdf_module, "read_page", lose_two)
    parsed = parse_document(path, settings=HERE)
    assert parsed.page_df["status"].tolist() == ["native"] * 3
    assert parsed.page_df["parsing_method"].tolist() == ["pymupdf", METHOD, METHOD]
    assert sorted(parsed.line_df["text"]) == sorted(whole.line_df["text"])
    assert parsed.finding_df.query("kind == 'reader'")["page_num"].tolist() == [2, 3]
    assert parsed.profile.structure.section_count == whole.profile.structure.section_count


def test_a_page_that_is_empty_for_both_stays_empty(tmp_path: Path) -> None:
    """A blank page is no loss, and costs no finding."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "A line")])
    document.new_page()
    parsed = parse_document(save(document, tmp_path / "blank.pdf"), settings=HERE)
    assert parsed.page_df["status"].tolist() == ["native", "empty"]
    assert parsed.finding_df.empty
    assert METHOD not in parsed.stamp.libraries


def test_hidden_words_stay_hidden_for_the_second_reader(tmp_path: Path) -> None:
    """Unpainted, tiny, white and off the page: none passes as text."""
    document = pymupdf.open()
    page = new_page(
        document,
        [
            (72, 100, "In plain sight"),
            (72, 200, "Not painted", {"render_mode": 3}),
            (72, 300, "Too small to see", {"fontsize": 1}),
            (72, 400, "White on white", {"color": WHITE}),
            (-400, 500, "Beside the page"),
        ],
    )
    assert page.rect.width == 595
    path = save(document, tmp_path / "hidden.pdf")
    reading = read_again(read_source(path, HERE), HERE)
    assert {line.text: line.visible for line in reading.pages[0].lines} == {
        "In plain sight": True,
        "Not painted": False,
        "Too small to see": False,
        "White on white": False,
        "Beside the page": False,
    }


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_both_readers_place_words_alike(tmp_path: Path, rotation: int) -> None:
    """Boxes within a point across and half the font size down, size and direction the same, on turned pages too."""
    document = pymupdf.open()
    page = new_page(document, [*paragraph(72, 100, ["The first line of text", "The second line of text"])])
    page.set_cropbox(pymupdf.Rect(20, 30, 500, 800))
    page.set_rotation(rotation)
    path = save(document, tmp_path / "turned.pdf")
    first = parse_document(path, settings=HERE).line_df
    lines = read_again(read_source(path, HERE), HERE).pages[0].lines
    assert [line.text for line in lines] == first["text"].tolist()
    for line, row in zip(lines, first.itertuples(), strict=True):
        assert (line.x0, line.x1) == pytest.approx((row.x0, row.x1), abs=6)
        assert (line.y0, line.y1) == pytest.approx((row.y0, row.y1), abs=6)
        assert line.size == pytest.approx(row.font_size, abs=0.1)
        assert line.rotation == row.rotation


def test_columns_are_not_joined(tmp_path: Path) -> None:
    """What stands at one height with a gap between is two runs."""
    document = pymupdf.open()
    left = [f"Left column line {at} speaks about delivery" for at in range(1, 13)]
    right = [f"Right column line {at} speaks about payment" for at in range(1, 13)]
    new_page(document, [*paragraph(60, 120, left), *paragraph(320, 120, right)])
    path = save(document, tmp_path / "columns.pdf")
    assert [line.text for line in read_again(read_source(path, HERE), HERE).pages[0].lines] == [*left, *right]


def test_a_password_opens_the_file_for_the_second_reader_too(tmp_path: Path) -> None:
    """Non-ASCII ones as well."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "A secret line")])
    path = tmp_path / "secret.pdf"
    document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="äöü", owner_pw="owner")
    source = read_source(path, HERE)
    assert read_again(source, HERE) is None
    page = PageRead(1, "failed", "lost")
    findings, libraries = reread_pages([page], source, settings=HERE, password="äöü")  # noqa: S106
    assert ([line.text for line in page.lines], len(findings), list(libraries)) == (["A secret line"], 1, [METHOD])
