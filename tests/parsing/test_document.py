"""A small agreement, parsed as a whole: lines, roles, sections, paragraphs, objects, references."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from schemas.document import ParsedDocument
from tests.parsing import builders


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The agreement as a file."""
    return builders.agreement(tmp_path_factory.mktemp("agreement") / "Master Supply (final).pdf")


@pytest.fixture(scope="module")
def document(path: Path) -> ParsedDocument:
    """The agreement as parsed."""
    return parse_document(path)


def lines_of(document: ParsedDocument, title: str) -> list[str]:
    """Texts of the section's lines."""
    section = document.toc_df.set_index("title").loc[title]
    lines = document.line_df
    return lines[lines["line_id"].between(section["start_line_id"], section["end_line_id"])]["text"].tolist()


def test_lines_are_numbered_without_gaps_in_the_document_and_on_each_page(document: ParsedDocument) -> None:
    """line_id runs from 1 over the document, line_num from 1 on each page."""
    assert document.line_df["line_id"].tolist() == list(range(1, len(document.line_df) + 1))
    for _, page in document.line_df.groupby("page_num"):
        assert page["line_num"].tolist() == list(range(1, len(page) + 1))


def test_running_text_has_its_role_and_is_read_last(document: ParsedDocument) -> None:
    """Header and page number are recognised over the pages and do not interrupt the text."""
    lines = document.line_df
    assert lines[lines["text"] == "Master Supply Agreement"]["role"].tolist() == ["header"] * 3
    assert lines[lines["text"].str.startswith("Page ")]["role"].tolist() == ["page_number"] * 3
    assert lines[lines["page_num"] == 2]["text"].iloc[0] == "the date of the invoice."


def test_sections_that_share_a_page_are_split_at_the_line(document: ParsedDocument) -> None:
    """Each section holds its own lines and none of its neighbours'."""
    assert lines_of(document, "1. Definitions") == [
        "1. Definitions",
        "In this agreement the terms below have the meaning given",
        "to them in this section.",
    ]
    assert lines_of(document, "2. Fees")[-1] == "Invoices are sent monthly, see Section 1 and Section 2."
    assert lines_of(document, "2.1 Invoices")[0] == "2.1 Invoices"


def test_a_heading_over_two_lines_is_found(document: ParsedDocument) -> None:
    """'3. Term and / Termination' is one heading."""
    term = document.toc_df.set_index("title").loc["3. Term and Termination"]
    assert term["heading_found"]
    assert lines_of(document, "3. Term and Termination")[:2] == ["3. Term and", "Termination"]


def test_parents_and_breadcrumbs_follow_the_outline(document: ParsedDocument) -> None:
    """A subsection names its parent, and its breadcrumb the way down."""
    invoices = document.toc_df.set_index("title").loc["2.1 Invoices"]
    assert (invoices["parent_section_id"], invoices["breadcrumb"]) == ("2", "2. Fees > 2.1 Invoices")


def test_every_line_belongs_to_the_deepest_section_around_it(document: ParsedDocument) -> None:
    """section_id is the last section that began and has not ended."""
    for line in document.line_df.itertuples():
        around = document.toc_df.query("start_line_id <= @line.line_id <= end_line_id")
        assert line.section_id == around.iloc[-1]["section_id"] if len(around) else line.section_id != line.section_id


def test_an_outline_entry_that_points_nowhere_is_a_finding(document: ParsedDocument) -> None:
    """It is told, and is no section."""
    assert "Nowhere" not in document.toc_df["title"].tolist()
    assert document.finding_df["detail"].str.contains("'Nowhere'").sum() == 1


def test_a_sentence_that_runs_over_the_page_is_one_paragraph(document: ParsedDocument) -> None:
    """The paragraph goes on past header and page number; list items stand alone."""
    number = document.line_df.set_index("text")["paragraph_id"]
    assert number["within thirty days of"] == number["the date of the invoice."]
    items = [number["(a) Late payments bear interest."], number["(b) Fees exclude tax."]]
    assert len({number["the date of the invoice."], *items}) == 3


def test_cells_of_one_row_share_a_line(document: ParsedDocument) -> None:
    """A label and its value stand together, two spaces apart."""
    assert "Monthly fee  EUR 1,000" in document.line_df["text"].tolist()


def test_schedules_are_objects_and_mentions_point_at_them(document: ParsedDocument) -> None:
    """'Schedule A' in the text resolves to its heading, sections to theirs."""
    schedule = document.object_df.set_index("object_id").loc["A"]
    references = document.cross_ref_df
    assert schedule["object_type"] == "schedule"
    assert references[references["ref_type"] == "schedule"]["target_line_id"].tolist() == [schedule["line_id"]]
    sections = references[references["ref_type"] == "section"]
    starts = document.toc_df.set_index("section_id")["start_line_id"]
    assert sections["target_line_id"].tolist() == [starts["1"], starts["2"]]


def test_parsing_twice_gives_the_same_document(path: Path, document: ParsedDocument) -> None:
    """Same bytes in, same fields and tables out."""
    assert document.same_as(parse_document(str(path)))


def test_neither_path_nor_clock_is_in_the_record(path: Path, document: ParsedDocument, tmp_path: Path) -> None:
    """A copy in another folder at another time gives the same bytes."""
    copy = shutil.copy(path, tmp_path / path.name)
    assert parse_document(copy).to_json() == document.to_json()
    assert str(path.parent) not in document.to_json().decode()
    assert json.loads(document.to_json())["stamp"]["settings"] == ParsingSettings().model_dump(mode="json")


def test_the_id_is_a_safe_stem_and_eight_digits_of_the_hash(document: ParsedDocument) -> None:
    """Spaces and brackets give way to underscores."""
    assert document.doc_id == f"Master_Supply_final_{document.sha256[:8]}"
    assert document.source_name == "Master Supply (final).pdf"


def test_the_profile_tells_what_was_found(document: ParsedDocument) -> None:
    """All five zones are filled."""
    profile = document.profile
    assert (profile.identity.page_count, profile.content.content_type) == (3, "native")
    assert (profile.structure.toc_source, profile.structure.section_count) == ("native_outline", 5)
    assert (profile.routing.pages_not_read, profile.routing.usable_toc) == ((), True)
    assert (profile.semantic.doc_type, profile.semantic.languages) == ("contract", ("en",))


def test_pages_that_were_not_asked_for_keep_a_row_that_says_so(path: Path) -> None:
    """Nothing is lost in silence: the other pages count as not read."""
    document = parse_document(path, settings=ParsingSettings(pages=(2,)))
    assert document.page_df["status"].tolist() == ["unreadable", "native", "unreadable"]
    assert document.profile.routing.pages_not_read == (1, 3)


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    """Left column whole, then the right one, between the lines that run across."""
    document = parse_document(builders.two_columns(tmp_path / "columns.pdf"))
    lines = document.line_df
    assert lines["column_position"].tolist() == ["single", *["left"] * 12, *["right"] * 12, "single"]
    assert lines["text"].iloc[12].startswith("Left column line 12")
    assert document.page_df["column_count"].tolist() == [2]


def test_rows_of_a_table_are_read_across(tmp_path: Path) -> None:
    """A label stands on one line with its values, and what follows the table stays behind it."""
    texts = parse_document(builders.fee_table(tmp_path / "table.pdf")).line_df["text"].tolist()
    assert texts[2] == "Annual Programme Fee  1,250,000  per Contract Year  in quarterly instalments"
    assert texts[-1] == "4.2 Annual Programme Fee"
    assert len(texts) == 8
