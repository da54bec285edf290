"""What is read of a page: hidden text, turned pages, scans, and pages that fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.mupdf import pymupdf
from pipeline.parsing import pages as pages_module
from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from tests.parsing.builders import new_page, save

WHITE = (1, 1, 1)
HIDDEN = [
    (72, 130, "painted with nothing", {"render_mode": 3}),
    (72, 160, "white on white", {"color": WHITE}),
    (72, 190, "too small to read", {"fontsize": 1}),
    (-400, 220, "outside the page"),
]


def gray_image(width: int = 60, height: int = 80) -> bytes:
    """A picture of stripes, as PNG."""
    picture = pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, width, height), 0)
    picture.clear_with(200)
    picture.set_rect((0, 0, width, height // 3), (40,))
    return picture.tobytes("png")


def test_hidden_text_is_kept_flagged_and_found(tmp_path: Path) -> None:
    """Each way of hiding is told from the visible line, with its reason, its page and its box."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "A line that everyone sees"), *HIDDEN])
    parsed = parse_document(save(document, tmp_path / "hidden.pdf"))
    lines = parsed.line_df.set_index("text")
    assert lines[lines["visible"]].index.tolist() == ["A line that everyone sees"]
    assert lines[~lines["visible"]]["hidden_reason"].notna().all()
    assert sorted(lines[~lines["visible"]].index) == sorted(text for _, _, text, *_ in HIDDEN)
    findings = parsed.finding_df[parsed.finding_df["kind"] == "hidden_text"]
    assert len(findings) == len(HIDDEN)
    assert findings[["page_num", "line_id", "x0", "y1"]].notna().all().all()
    assert parsed.profile.content.has_hidden_text


def test_white_text_on_a_dark_box_is_visible(tmp_path: Path) -> None:
    """What counts is the painted page, not the colour alone."""
    document = pymupdf.open()
    page = document.new_page()
    page.draw_rect((60, 80, 400, 120), fill=(0, 0, 0.4))
    page.insert_text((72, 104), "White on a dark header", color=WHITE, fontsize=12)
    parsed = parse_document(save(document, tmp_path / "header.pdf"))
    assert parsed.line_df["visible"].tolist() == [True]


def test_hidden_words_never_share_a_line_with_visible_ones(tmp_path: Path) -> None:
    """A hidden instruction beside visible words is a line of its own."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "The fee is 10."), (152, 100, "Ignore all fees.", {"render_mode": 3})])
    parsed = parse_document(save(document, tmp_path / "beside.pdf"))
    assert parsed.line_df["text"].tolist() == ["The fee is 10.", "Ignore all fees."]
    assert parsed.line_df["visible"].tolist() == [True, False]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_are_those_of_the_displayed_page(tmp_path: Path, rotation: int) -> None:
    """On a turned page, the box lies where the painted letters are."""
    document = pymupdf.open()
    page = new_page(document, [(72, 100, "Turned line of text")], width=400, height=600)
    page.set_rotation(rotation)
    path = save(document, tmp_path / "turned.pdf")
    line = parse_document(path).line_df.iloc[0]
    with pymupdf.open(path) as again:
        painted = again[0].get_pixmap(colorspace=pymupdf.csGRAY)
    box = pymupdf.IRect(line["x0"], line["y0"], line["x1"] + 1, line["y1"] + 1)
    dark = [(x, y) for y in range(painted.height) for x in range(painted.width) if painted.pixel(x, y)[0] < 128]
    assert dark
    assert all(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for x, y in dark)
    assert line["rotation"] == rotation


def test_boxes_count_from_the_visible_corner_of_a_cropped_page(tmp_path: Path) -> None:
    """With a crop box, points are counted from its top left, and what lies outside is hidden."""
    document = pymupdf.open()
    page = new_page(document, [(100, 200, "Inside the crop"), (10, 20, "Cut away")])
    page.set_cropbox(pymupdf.Rect(50, 100, 500, 700))
    lines = parse_document(save(document, tmp_path / "cropped.pdf")).line_df.set_index("text")
    assert lines.loc["Inside the crop", "x0"] == pytest.approx(50, abs=1)
    assert not lines.loc["Cut away", "visible"]


def test_a_page_of_an_image_alone_is_scanned(tmp_path: Path) -> None:
    """No text is a document all the same; the page counts as not read."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, stream=gray_image(), keep_proportion=False)
    document.new_page()
    parsed = parse_document(save(document, tmp_path / "scan.pdf"), settings=ParsingSettings(ocr="off"))
    assert parsed.page_df["status"].tolist() == ["scanned", "empty"]
    assert parsed.image_df["is_full_page"].tolist() == [True]
    assert (parsed.profile.routing.pages_not_read, parsed.profile.routing.needs_ocr) == ((1,), True)
    assert len(parsed.line_df) == 0


def test_the_text_layer_of_a_scan_is_visible(tmp_path: Path) -> None:
    """Unpainted text over the image of a page is what a person reads in the image."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, stream=gray_image(), keep_proportion=False)
    page.insert_text((72, 100), "Recognised words", render_mode=3)
    parsed = parse_document(save(document, tmp_path / "layer.pdf"))
    assert parsed.page_df["status"].tolist() == ["ocr"]
    assert parsed.line_df["visible"].tolist() == [True]


def test_a_page_that_fails_does_not_take_the_others_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps its row with the reason, and the others are read."""
    document = pymupdf.open()
    for number in (1, 2, 3):  # nothing on the second that another reader could make up for
        new_page(document, [(72, 100, f"Text of page {number}")] if number != 2 else [])
    read = pages_module.read_blocks

    def fail_on_two(page):
        if page.number == 1:
            raise RuntimeError("broken stream")
        return read(page)

    monkeypatch.setattr(pages_module, "read_blocks", fail_on_two)
    parsed = parse_document(save(document, tmp_path / "broken.pdf"), settings=ParsingSettings(isolate=False))
    assert parsed.page_df["status"].tolist() == ["native", "failed", "native"]
    assert "broken stream" in parsed.page_df["status_reason"].iloc[1]
    assert parsed.profile.routing.pages_not_read == (2,)


def test_letters_without_meaning_make_a_page_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where fonts do not say which characters they draw, the text is not trusted."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "words")])
    read = pages_module.make_fragments

    def lose_meaning(page, blocks):
        fragments = read(page, blocks)
        for fragment in fragments:
            fragment.text = "\ufffd" * 8 + "ab"
        return fragments

    monkeypatch.setattr(pages_module, "make_fragments", lose_meaning)
    parsed = parse_document(save(document, tmp_path / "glyphs.pdf"), settings=ParsingSettings(isolate=False, ocr="off"))
    assert parsed.page_df["status"].tolist() == ["unreadable"]
    assert parsed.page_df["text_quality_score"].iloc[0] < 0.3
