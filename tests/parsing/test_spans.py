"""span_df: runs of equal style inside lines, for those who ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.mupdf import pymupdf
from pipeline.parsing.assemble import make_document
from pipeline.parsing.pdf import read_pdf
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source


def parse(data: bytes, *, spans: bool = True, pages: tuple[int, ...] | None = None):
    """The record with spans."""
    settings = ParsingSettings(ocr="off", spans=spans, pages=pages)
    source = Source(data, "spans.pdf", "0" * 64, "spans_00000000")
    return make_document(source, settings, read_pdf(source, settings))


def styled(rotation: int = 0) -> bytes:
    """One line of three styles, and one of a single style."""
    document = pymupdf.open()
    page = document.new_page()
    x = 72.0
    for text, font, color in (
        ("The ", "helv", (0, 0, 0)),
        ("Supplier", "hebo", (0, 0, 0)),
        (" pays", "heit", (1, 0, 0)),
    ):
        page.insert_text((x, 100), text, fontname=font, fontsize=11, color=color)
        x += pymupdf.Font(font).text_length(text, fontsize=11)
    page.insert_text((72, 130), "Plain words", fontsize=9)
    page.set_rotation(rotation)
    return document.tobytes(no_new_id=True)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_line_of_three_styles_has_three_spans(rotation: int) -> None:
    """Each run has its words, style, colour and place; they follow each other in the line."""
    parsed = parse(styled(rotation))
    line_id = parsed.line_df[parsed.line_df["text"] == "The Supplier pays"]["line_id"].iloc[0]
    spans = parsed.span_df[parsed.span_df["line_id"] == line_id]
    assert spans["text"].tolist() == ["The", "Supplier", "pays"]
    assert spans["span_num"].tolist() == [1, 2, 3]
    assert spans["is_bold"].tolist() == [False, True, False]
    assert spans["is_italic"].tolist() == [False, False, True]
    assert spans["color"].tolist() == [0, 0, 0xFF0000]
    assert spans["font_size"].tolist() == [11, 11, 11]
    line = parsed.line_df.set_index("line_id").loc[line_id]
    assert spans["x0"].min() == pytest.approx(line["x0"], abs=1)
    assert spans["y1"].max() == pytest.approx(line["y1"], abs=1)


def test_spans_are_only_made_where_asked_for() -> None:
    """Without the setting the table is empty, and has its columns."""
    parsed = parse(styled(), spans=False)
    assert parsed.span_df.empty
    assert "color" in parsed.span_df.columns


def test_spans_say_all_that_lines_say(shared_data: Path) -> None:
    """On real pages the runs of a line hold its characters, spaces apart."""
    parsed = parse((shared_data / "papers" / "1706.03762v7.pdf").read_bytes(), pages=(1, 3))
    lines = parsed.line_df.set_index("line_id")["text"].str.replace(r"\s", "", regex=True)
    spans = parsed.span_df.groupby("line_id")["text"].agg("".join).str.replace(r"\s", "", regex=True)
    same = sum(sorted(lines[line_id]) == sorted(text) for line_id, text in spans.items())
    assert same >= 0.98 * len(lines)
