"""Real documents: the paper's outline to the line, contracts without one, and hostile files that end well."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.parsing import parse_document
from schemas.document import ParsedDocument

pytestmark = pytest.mark.shared


@pytest.fixture
def paper(shared_data: Path) -> ParsedDocument:
    """Attention Is All You Need, version 7."""
    return parse_document(shared_data / "papers" / "1706.03762v7.pdf")


def text_of(document: ParsedDocument, title: str) -> list[str]:
    """Lines of the section with this title."""
    section = document.toc_df.set_index("title").loc[title]
    lines = document.line_df
    return lines[lines["line_id"].between(section["start_line_id"], section["end_line_id"])]["text"].tolist()


def test_all_outline_entries_of_the_paper_find_their_heading(paper: ParsedDocument) -> None:
    """22 entries, 22 headings, and every line has its deepest section or stands before the first."""
    assert len(paper.toc_df) == 22
    assert paper.toc_df["heading_found"].all()
    first = paper.toc_df["start_line_id"].min()
    assert (paper.line_df["section_id"].isna() == (paper.line_df["line_id"] < first)).all()


def test_positional_encoding_is_bounded_to_its_lines(paper: ParsedDocument) -> None:
    """Section 3.5 shares its page with what comes before and after, and holds neither."""
    text = text_of(paper, "Positional Encoding")
    assert text[0] == "3.5 Positional Encoding"
    assert text[-1] == "during training."
    assert not any("Maximum path lengths" in line or "Why Self-Attention" in line for line in text)
    assert any("sinusoidal version" in line for line in text)


def test_objects_and_references_of_the_paper(paper: ParsedDocument) -> None:
    """Five figures and four tables with their captions; section mentions resolve to numbered headings."""
    counts = paper.object_df["object_type"].value_counts()
    assert (counts["figure"], counts["table"]) == (5, 4)
    mention = paper.cross_ref_df.query("ref_type == 'section' and ref_id == '3.2.2'").iloc[0]
    assert paper.line_df.loc[mention["target_line_id"] - 1, "text"] == "3.2.2 Multi-Head Attention"


def test_sections_are_recovered_where_the_outline_is_gone(shared_data: Path, paper: ParsedDocument) -> None:
    """The same paper printed without its outline gives the same sections at the same lines."""
    printed = parse_document(shared_data / "papers" / "v7_pdfium_printed_no_outline.pdf")
    by_type = printed.toc_df[printed.toc_df["source"] == "body_typography"]
    assert by_type["title"].tolist() == ["Abstract", "References"]  # headings that have no number, and no outline entry
    assert set(printed.toc_df["source"]) == {"body_numbering", "body_typography"}
    ours, native = printed.toc_df, paper.toc_df
    found = {(row.level, row.title.split(" ", 1)[-1]) for row in ours.itertuples()}
    assert {(row.level, row.title) for row in native.itertuples()} <= found


def test_two_columns_of_a_paper_are_not_read_across(shared_data: Path) -> None:
    """Sentences of one column follow each other."""
    document = parse_document(shared_data / "torture" / "pdf" / "twocolumn_acl_hyphenated.pdf")
    assert (document.page_df["column_count"] == 2).mean() > 0.9
    lines = document.line_df["text"].tolist()
    at = lines.index("At run-time, DPR applies a different encoder EQ(·)")
    assert lines[at + 1] == "that maps the input question to a d-dimensional"
