"""Remarks pinned to the pages of a PDF are reported, and never read as its text."""

from __future__ import annotations

from pathlib import Path

from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document


def test_a_pinned_note_is_a_finding_and_no_text(tmp_path: Path) -> None:
    """Its words, its author and its page are told; no line holds them."""
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 100), "The contract says nothing else.")
        note = page.add_text_annot((300, 100), "Disputes go to arbitration, see the side letter.")
        note.set_info(title="M. Clerk")
        note.update()
        document.save(tmp_path / "noted.pdf")
    parsed = parse_document(tmp_path / "noted.pdf")
    remark = parsed.finding_df[parsed.finding_df["kind"] == "comment"].iloc[0]
    assert "by M. Clerk" in remark["detail"]
    assert "arbitration" in remark["detail"]
    assert remark["page_num"] == 1
    assert parsed.line_df["text"].tolist() == ["The contract says nothing else."]
