"""Word documents: what a person sees in Word is what stands in the lines, and what is hidden is flagged."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from pipeline.parsing import parse_document
from pipeline.parsing.assemble import make_document
from pipeline.parsing.docx import read_docx
from pipeline.parsing.lines import Line
from pipeline.parsing.reading import Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source, make_doc_id
from schemas.document import ParsedDocument
from schemas.errors import DamagedDocumentError
from tests.parsing.docx_builder import (
    cell,
    field,
    level,
    make_agreement,
    make_docx,
    numbered,
    para,
    paragraph_style,
    row,
    run,
    table,
    wrap,
)

HEADINGS = paragraph_style("Heading1", "heading 1") + paragraph_style("Heading2", "heading 2")


def source_of(data: bytes, name: str = "test.docx") -> Source:
    return Source(data, name, "0" * 64, make_doc_id(name, "0" * 64))


def read(data: bytes, **settings: object) -> Reading:
    return read_docx(source_of(data), ParsingSettings(**settings))  # type: ignore[arg-type]


def lines_of(data: bytes) -> list[Line]:
    return read(data).pages[0].lines


def seen(data: bytes) -> list[str]:
    return [line.text for line in lines_of(data) if line.visible]


def parse(data: bytes) -> ParsedDocument:
    return make_document(source_of(data), ParsingSettings(), read(data))


def test_a_paragraph_is_a_line_and_a_break_begins_another_of_the_same_paragraph() -> None:
    """Line breaks by hand are lines; empty paragraphs are none."""
    lines = lines_of(make_docx(para("One") + para() + para("Two", "<w:r><w:br/></w:r>", "three") + para("Four")))
    assert [(line.text, line.paragraph_id) for line in lines] == [("One", 1), ("Two", 2), ("three", 2), ("Four", 3)]


def test_one_page_without_a_number_stands_for_the_document() -> None:
    """Page breaks count no pages: where they fall depends on the printer."""
    document = parse(make_docx(para("One") + para('<w:r><w:br w:type="page"/></w:r>', "Two")))
    assert document.profile.identity.page_unit == "none"
    assert document.profile.identity.page_count is None
    assert document.page_df["status"].tolist() == ["native"]
    assert document.line_df["page_num"].tolist() == [1, 1]


def test_headings_are_told_by_outline_level_by_name_and_by_what_a_style_is_based_on() -> None:
    """A style of another name that is based on a heading's is one; level 9 is text."""
    styles = (
        HEADINGS
        + paragraph_style("Own", "Own Title", '<w:basedOn w:val="Heading2"/>')
        + paragraph_style("Lvl", "Level", '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>')
        + paragraph_style("Text", "Text", '<w:basedOn w:val="Heading1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>')
    )
    body = "".join(
        para(text, style=style)
        for text, style in (("One", "Heading1"), ("Two", "Own"), ("Three", "Lvl"), ("Four", "Text"))
    ) + para("Five", properties='<w:outlineLvl w:val="0"/>')
    headings = read(make_docx(body, inner={"styles": styles})).headings or []
    assert [(heading.title, heading.level) for heading in headings] == [
        ("One", 1), ("Two", 2), ("Three", 3), ("Five", 1),
    ]  # fmt: skip


def test_a_heading_style_that_is_not_defined_is_known_by_its_id() -> None:
    """Programs that write no styles still name the built-in ones."""
    document = parse(make_docx(para("Scope", style="Heading1") + para("Text of the scope.")))
    assert document.toc_df["title"].tolist() == ["Scope"]
    assert document.line_df["role"].tolist() == ["heading", "body"]


def test_a_clause_set_in_a_heading_style_is_no_heading_but_for_its_title() -> None:
    """A long paragraph in 'Heading 2' gives the title that it runs in with, or none."""
    long = "The Supplier shall deliver the goods to the place that the Buyer names in each order, " * 3
    body = para(f"Delivery. {long}", style="Heading2") + para(long, style="Heading2") + para("Price", style="Heading1")
    headings = read(make_docx(body, inner={"styles": HEADINGS})).headings or []
    assert [heading.title for heading in headings] == ["Delivery", "Price"]


def test_the_title_names_the_document_and_is_no_section() -> None:
    """A line in the style 'Title' before the first heading has the role, and opens no section."""
    styles = HEADINGS + paragraph_style("Title", "Title")
    body = para("Supply Agreement", style="Title") + para("Term", style="Heading1") + para("It lasts a year.")
    document = parse(make_docx(body, inner={"styles": styles}))
    assert document.toc_df["title"].tolist() == ["Term"]
    assert document.line_df["role"].tolist() == ["heading", "heading", "body"]


def test_numbers_stand_in_front_as_word_displays_them() -> None:
    """Levels, restarts and formats; a deeper level begins anew after a shallower one."""
    abstract = (
        level(0, "upperRoman", "Article %1.")
        + level(1, "decimal", "%1.%2", "<w:isLgl/>")
        + level(2, "lowerLetter", "(%3)")
        + level(3, "bullet", "\uf0b7", '<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr>')
    )
    levels = (0, 1, 2, 2, 1, 0, 1, 3)
    body = "".join(para("x", num=(1, at)) for at in levels)
    assert seen(make_docx(body, inner={"numbering": numbered(abstract)})) == [
        "Article I. x", "1.1 x", "(a) x", "(b) x", "1.2 x", "Article II. x", "2.1 x", "• x",
    ]  # fmt: skip


def test_a_level_restarts_only_after_the_level_it_names() -> None:
    """lvlRestart 0 never; 1 only after the top level."""
    never = level(0, "decimal", "%1.") + level(1, "decimal", "%2)", '<w:lvlRestart w:val="0"/>')
    body = "".join(para("x", num=(1, at)) for at in (0, 1, 1, 0, 1))
    assert seen(make_docx(body, inner={"numbering": numbered(never)}))[-1] == "3) x"
    top = (
        level(0, "decimal", "%1.")
        + level(1, "decimal", "%1.%2")
        + level(2, "lowerLetter", "(%3)", '<w:lvlRestart w:val="1"/>')
    )
    body = "".join(para("x", num=(1, at)) for at in (0, 1, 2, 1, 2, 0, 1, 2))
    shown = seen(make_docx(body, inner={"numbering": numbered(top)}))
    assert [shown[2], shown[4], shown[7]] == ["(a) x", "(b) x", "(a) x"]


def test_two_lists_of_one_kind_count_on_unless_one_starts_anew() -> None:
    """Uses of one abstract list share its count; startOverride begins another."""
    uses = (
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>',
        '<w:num w:numId="3"><w:abstractNumId w:val="0"/>'
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>',
    )
    numbering = numbered(level(0, "decimal", "%1."), *uses)
    body = "".join(para("x", num=(use, 0)) for use in (1, 2, 3, 3, 1))
    assert seen(make_docx(body, inner={"numbering": numbering})) == ["1. x", "2. x", "5. x", "6. x", "7. x"]


def test_a_number_comes_with_the_style_at_the_level_that_names_it() -> None:
    """Headings are numbered by the list that their style belongs to; numId 0 takes the number away."""
    linked = level(0, "decimal", "%1.", '<w:pStyle w:val="Heading1"/>') + level(
        1, "decimal", "%1.%2", '<w:pStyle w:val="Heading2"/>'
    )
    styles = paragraph_style(
        "Heading1", "heading 1", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    ) + paragraph_style("Heading2", "heading 2", '<w:basedOn w:val="Heading1"/>')
    body = (
        para("Term", style="Heading1") + para("Start", style="Heading2") + para("End", style="Heading2")
        + para("Annex", style="Heading1", num=(0, 0))
    )  # fmt: skip
    data = make_docx(body, inner={"styles": styles, "numbering": numbered(linked)})
    assert seen(data) == ["1. Term", "1.1 Start", "1.2 End", "Annex"]
    assert [heading.title for heading in read(data).headings or []] == ["1. Term", "1.1 Start", "1.2 End", "Annex"]


def test_a_list_may_take_its_levels_from_a_numbering_style() -> None:
    """numStyleLink -> style -> list -> the abstract list with styleLink."""
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="Legal"/></w:abstractNum>'
        f'<w:abstractNum w:abstractNumId="1"><w:styleLink w:val="Legal"/>{level(0, "ordinal", "%1")}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    )
    styles = (
        '<w:style w:type="numbering" w:styleId="Legal"><w:name w:val="Legal"/>'
        '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
    )
    data = make_docx(para("x", num=(1, 0)) + para("x", num=(1, 0)), inner={"styles": styles, "numbering": numbering})
    assert seen(data) == ["1st x", "2nd x"]


@pytest.mark.parametrize(
    ("fmt", "start", "shown"),
    [
        ("decimalZero", 7, "07"), ("lowerRoman", 1999, "mcmxcix"), ("upperLetter", 28, "BB"), ("ordinal", 112, "112th"),
        ("cardinalText", 42, "Forty-two"), ("ordinalText", 20, "Twentieth"), ("ordinalText", 101, "One hundred first"),
        ("decimalEnclosedParen", 3, "(3)"), ("chicago", 5, "**"), ("russianLower", 2, "б"),
    ],
)  # fmt: skip
def test_number_formats(fmt: str, start: int, shown: str) -> None:
    """Each format as Word writes it."""
    numbering = numbered(level(0, fmt, "%1", start=start))
    assert seen(make_docx(para("x", num=(1, 0)), inner={"numbering": numbering})) == [f"{shown} x"]


def test_a_format_that_is_not_known_is_a_finding() -> None:
    """Its numbers are shown in figures, and the record says so."""
    reading = read(make_docx(para("x", num=(1, 0)), inner={"numbering": numbered(level(0, "thaiLetters", "%1."))}))
    assert reading.pages[0].lines[0].text == "1. x"
    assert "thaiLetters" in reading.findings[0].detail


def test_a_row_is_a_line_and_its_cells_point_at_it() -> None:
    """Short cells share a line; a header that the file marks names the columns."""
    data = make_docx(
        table(row("Item", "Price", properties="<w:tblHeader/>"), row("Pump", "EUR 20"), row("Motor", "EUR 35"))
    )
    reading = read(data)
    assert [(line.text, line.role) for line in reading.pages[0].lines] == [
        ("Item  Price", "table"), ("Pump  EUR 20", "table"), ("Motor  EUR 35", "table"),
    ]  # fmt: skip
    last = reading.cells[-1]
    assert (last.row_num, last.column_num, last.text, last.header, last.is_header) == (3, 2, "EUR 35", "Price", False)
    assert last.lines == (reading.pages[0].lines[2],)


def test_long_cells_keep_a_line_a_paragraph() -> None:
    """A clause's number shares a line with the first paragraph of its text only."""
    body = table(row("1.1", cell("The Buyer pays.", "Within ten days.")), row("word " * 60, "parola " * 60))
    assert seen(make_docx(body)) == [
        "1.1  The Buyer pays.", "Within ten days.", ("word " * 60).strip(), ("parola " * 60).strip(),
    ]  # fmt: skip


def test_merged_cells_have_spans() -> None:
    """gridSpan over columns, vMerge over rows; what stands in a merged cell below is not shown."""
    body = table(
        row(cell("A", properties='<w:vMerge w:val="restart"/>'), cell("B", properties='<w:gridSpan w:val="2"/>')),
        row(cell("ghost", properties="<w:vMerge/>"), "c", "d"),
    )
    reading = read(make_docx(body))
    assert [(c.text, c.row_num, c.column_num, c.row_span, c.column_span) for c in reading.cells] == [
        ("A", 1, 1, 2, 1), ("B", 1, 2, 1, 2), ("c", 2, 2, 1, 1), ("d", 2, 3, 1, 1),
    ]  # fmt: skip
    ghost = reading.pages[0].lines[-1]
    assert (ghost.text, ghost.visible) == ("ghost", False)


def test_a_table_in_a_cell_is_a_table_of_its_own() -> None:
    """Its lines stand inside the outer cell's."""
    body = table(row("out", cell(para("before"), table(row("in 1", "in 2")))), row("a", "b"))
    reading = read(make_docx(body))
    assert [line.text for line in reading.pages[0].lines] == ["out  before", "in 1  in 2", "a  b"]
    assert {(cell.table_id, cell.text) for cell in reading.cells} >= {(2, "in 1"), (1, "before in 1  in 2")}


def test_a_table_of_one_cell_is_a_frame_around_text() -> None:
    """Boxed text stays body text."""
    reading = read(make_docx(table(row(cell("Notice", "Read this first.")))))
    assert [(line.text, line.role) for line in reading.pages[0].lines] == [
        ("Notice", "body"), ("Read this first.", "body"),
    ]  # fmt: skip
    assert reading.cells == []


def test_the_first_row_is_a_header_where_it_is_set_apart() -> None:
    """Bold over plain cells; two plain rows have none."""
    bold = [cell(para(run(text, "<w:b/>"))) for text in ("Item", "Price")]
    assert [c.is_header for c in read(make_docx(table(row(*bold), row("Pump", "20")))).cells] == [
        True,
        True,
        False,
        False,
    ]
    assert not any(c.is_header for c in read(make_docx(table(row("a", "b"), row("c", "d")))).cells)


def test_notes_stand_after_the_paragraph_that_marks_them() -> None:
    """The mark is in the text and before the note, in the note's own format."""
    note = '<w:footnote w:id="{0}"><w:p><w:r><w:footnoteRef/></w:r>{1}</w:p></w:footnote>'
    inner = {
        "footnotes": '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'
        + note.format(2, run(" Net of tax.")) + note.format(3, run(" In euro.")),
        "endnotes": f'<w:endnote w:id="1"><w:p>{run("See the annex.")}</w:p></w:endnote>',
    }  # fmt: skip
    body = para(
        "The price", '<w:r><w:footnoteReference w:id="2"/></w:r>', " and the fee", '<w:r><w:footnoteReference w:id="3"/></w:r>',
        '<w:r><w:endnoteReference w:id="1"/></w:r>',
    ) + para("Next.")  # fmt: skip
    assert [(line.text, line.role) for line in lines_of(make_docx(body, inner=inner))] == [
        ("The price[1] and the fee[2][i]", "body"), ("1 Net of tax.", "footnote"), ("2 In euro.", "footnote"),
        ("i See the annex.", "footnote"), ("Next.", "body"),
    ]  # fmt: skip


def test_comments_are_no_part_of_the_text() -> None:
    """A line of their own after the paragraph, and a finding with the author."""
    inner = {
        "comments": f'<w:comment w:id="0" w:author="Ann" w:date="2024-05-01T10:00:00Z">{para("Too long?")}</w:comment>'
        f'<w:comment w:id="1" w:author="Bob">{para("Left over.")}</w:comment>'
    }
    body = para("Ten years.", '<w:r><w:commentReference w:id="0"/></w:r>') + para("Next.")
    reading = read(make_docx(body, inner=inner))
    assert [(line.text, line.role) for line in reading.pages[0].lines] == [
        ("Ten years.", "body"), ("Too long?", "comment"), ("Next.", "body"), ("Left over.", "comment"),
    ]  # fmt: skip
    assert [finding.detail for finding in reading.findings] == [
        "Comment by Ann on 2024-05-01: Too long?", "Comment by Bob: Left over.",
    ]  # fmt: skip


def test_headers_and_footers_come_once_and_last() -> None:
    """The same header of two sections is one line; one that no page shows is hidden."""
    section = '<w:sectPr><w:headerReference w:type="default" r:id="{0}"/><w:headerReference w:type="first" r:id="h3"/></w:sectPr>'
    extra = {
        "h1": ("header/header1.xml", wrap("w:hdr", para("Confidential"))),
        "h2": ("header/header2.xml", wrap("w:hdr", para("Confidential"))),
        "h3": ("header/header3.xml", wrap("w:hdr", para("Cover"))),
    }
    body = para("Text", properties=section.format("h1")) + section.format("h2")
    assert [(x.text, x.role, x.visible) for x in lines_of(make_docx(body, extra=extra))] == [
        ("Text", "body", True), ("Confidential", "header", True), ("Cover", "header", False),
    ]  # fmt: skip


def test_tracked_changes_give_the_final_text() -> None:
    """What was inserted is text and flagged; what was deleted is a hidden line; each is a finding."""
    by = 'w:author="Ann" w:date="2024-05-01T10:00:00Z"'
    body = para(
        "The term is ",
        f'<w:del w:id="1" {by}><w:r><w:delText>two</w:delText></w:r></w:del>',
        f'<w:ins w:id="2" {by}>{run("five")}</w:ins>',
        " years.",
    )
    reading = read(make_docx(body))
    assert [(x.text, x.change, x.visible, x.hidden) for x in reading.pages[0].lines] == [
        ("The term is five years.", "inserted", True, ""),
        ("two", "deleted", False, "deleted by a tracked change"),
    ]
    assert sorted(finding.detail for finding in reading.findings) == [
        "Tracked change by Ann on 2024-05-01, deleted: two", "Tracked change by Ann on 2024-05-01, inserted: five",
    ]  # fmt: skip


def test_a_paragraph_whose_end_was_deleted_runs_on() -> None:
    """In the final text the two are one; a paragraph that is wholly deleted takes no number."""
    gone = '<w:rPr><w:del w:id="1" w:author="Ann"/></w:rPr>'
    body = para("The Buyer ", properties=gone) + para("pays.")
    assert seen(make_docx(body)) == ["The Buyer pays."]
    deleted = '<w:del w:id="2" w:author="Ann"><w:r><w:delText>old</w:delText></w:r></w:del>'
    listed = para("a", num=(1, 0)) + para(deleted, num=(1, 0), properties=gone) + para("b", num=(1, 0))
    data = make_docx(listed, inner={"numbering": numbered(level(0, "decimal", "%1."))})
    assert seen(data) == ["1. a", "2. b"]
    assert [line.text for line in lines_of(data) if line.change == "deleted"] == ["old"]


def test_moved_text_stands_at_its_new_place() -> None:
    """The old place is hidden, the new one inserted."""
    body = para(f'<w:moveFrom w:id="1" w:author="A">{run("clause")}</w:moveFrom>') + para(
        f'<w:moveTo w:id="2" w:author="A">{run("clause")}</w:moveTo>'
    )
    assert [(x.visible, x.change) for x in lines_of(make_docx(body))] == [(False, "deleted"), (True, "inserted")]


def test_many_tracked_changes_are_counted() -> None:
    """Fifty are listed, the rest is one finding."""
    body = "".join(para(f'<w:ins w:id="{at}" w:author="A">{run("x")}</w:ins>') for at in range(60))
    findings = [finding for finding in read(make_docx(body)).findings if finding.kind == "tracked_change"]
    assert len(findings) == 51
    assert findings[-1].detail == "10 more tracked changes of the text."


@pytest.mark.parametrize(
    "properties",
    ["<w:vanish/>", '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>', '<w:color w:val="FEFEFE"/>'],
)
def test_text_that_nobody_sees_is_a_hidden_line(properties: str) -> None:
    """Hidden formatting, white on white and tiny print are kept apart from the text they stand in."""
    document = parse(make_docx(para("Pay ", run("nothing", properties), "in May.")))
    assert document.line_df["text"].tolist() == ["Pay in May.", "nothing"]
    assert document.line_df["visible"].tolist() == [True, False]
    assert document.finding_df["kind"].tolist() == ["hidden_text"]


def test_white_letters_on_a_dark_ground_are_seen() -> None:
    """Shading of the run, the paragraph, the cell or the table's style is what stands behind."""
    white = run("Price", '<w:color w:val="FFFFFF"/>')
    dark = '<w:shd w:val="clear" w:fill="1F3864"/>'
    styles = (
        '<w:style w:type="table" w:styleId="T"><w:name w:val="T"/><w:tblStylePr w:type="firstRow">'
        f"<w:tcPr>{dark}</w:tcPr></w:tblStylePr></w:style>"
    )
    bodies = [
        para(run("Price", f'<w:color w:val="FFFFFF"/>{dark}')),
        para(white, properties=dark),
        table(row(cell(para(white), properties=dark), "x")),
        table(row(cell(para(white)), "x"), properties='<w:tblStyle w:val="T"/>'),
    ]
    for body in bodies:
        assert all(line.visible for line in lines_of(make_docx(body, inner={"styles": styles})))
    same = para(run("secret", '<w:color w:val="000000"/><w:highlight w:val="black"/>'))
    assert not lines_of(make_docx(same))[0].visible


def test_a_box_is_read_once_of_its_two_forms() -> None:
    """Of mc:AlternateContent the choice that is known, else the fallback; the box follows its paragraph."""
    box = "<w:txbxContent>{0}</w:txbxContent>"
    drawn = (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx>'
        + box.format(para("Boxed"))
        + "</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape>"
        f"<v:textbox>{box.format(para('Boxed'))}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    old = f"<w:r><w:pict><v:shape><v:textbox>{box.format(para('Old box'))}</v:textbox></v:shape></w:pict></w:r>"
    assert seen(make_docx(para("Before", drawn, " after") + para(old))) == ["Before after", "Boxed", "Old box"]


def test_a_chunk_of_another_format_is_read_in_its_place() -> None:
    """altChunk: plain text and a Word document inside stand where they are referred to."""
    inside = make_docx(para("Inside", num=(1, 0)), inner={"numbering": numbered(level(0, "decimal", "%1."))})
    body = para("First.") + '<w:altChunk r:id="c1"/>' + para("Middle.") + '<w:altChunk r:id="c2"/>' + para("Last.")
    extra = {"c1": ("aFChunk/chunk1.txt", b"Plain text.\n"), "c2": ("aFChunk/chunk2.docx", inside)}
    lines = lines_of(make_docx(body, extra=extra))
    assert [line.text for line in lines] == ["First.", "Plain text.", "Middle.", "1. Inside", "Last."]
    assert [line.paragraph_id for line in lines] == [1, 2, 3, 4, 5]


def test_a_chunk_that_cannot_be_read_is_surfaced() -> None:
    """RTF is not read: a finding says that a part of the text is missing, the file is listed."""
    reading = read(make_docx('<w:altChunk r:id="c1"/>', extra={"c1": ("aFChunk/chunk.rtf", b"{\\rtf1 text}")}))
    assert [finding.kind for finding in reading.findings] == ["placeholder"]
    assert reading.children[0].why_not


def test_a_chunk_that_holds_itself_again_and_again_ends() -> None:
    """Depth is limited by the setting for files inside files."""
    data = make_docx(para("Core"))
    for _ in range(6):
        data = make_docx(para("Shell") + '<w:altChunk r:id="c1"/>', extra={"c1": ("aFChunk/inner.docx", data)})
    reading = read(data, max_attachment_depth=2)
    assert [line.text for line in reading.pages[0].lines] == ["Shell"] * 3
    assert "max_attachment_depth" in reading.findings[-1].detail


def test_a_field_shows_its_result_not_its_instruction() -> None:
    """Also one inside another, and a mail merge field."""
    body = para("Dear ", field("MERGEFIELD Name", "«Name»"), ", ", field("IF 1 = 1", field("DATE", "May"), "!"))
    assert seen(make_docx(body)) == ["Dear «Name», May!"]


def test_entries_of_a_contents_field_have_their_role_and_no_links() -> None:
    """A table of contents is a field over several paragraphs; its entries are no headings and no references."""
    begin = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC \\o "1-3"</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    )
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    entry = '<w:hyperlink w:anchor="_Toc1"><w:r><w:t>1. Term</w:t></w:r><w:r><w:tab/><w:t>3</w:t></w:r></w:hyperlink>'
    body = (
        para(begin, entry) + para("2. Price", "<w:r><w:tab/><w:t>4</w:t></w:r>") + para(end)
        + para('<w:bookmarkStart w:id="1" w:name="_Toc1"/>', "1. Term", style="Heading1") + para("Text.")
    )  # fmt: skip
    document = parse(make_docx(body))
    assert document.line_df["role"].tolist() == ["toc_entry", "toc_entry", "heading", "body"]
    assert document.toc_df["title"].tolist() == ["1. Term"]
    assert len(document.cross_ref_df) == 0


def test_references_to_bookmarks_are_links() -> None:
    """REF fields and internal hyperlinks point at the line that holds the bookmark."""
    body = (
        para('<w:bookmarkStart w:id="1" w:name="_Ref1"/>', "Payment term")
        + para("As said in ", field(" REF _Ref1 \\h ", "Payment term"), ".")
        + table(
            row("See", cell(para('<w:hyperlink w:anchor="_Ref1"><w:r><w:t>there</w:t></w:r></w:hyperlink>'))),
            row("a", "b"),
        )
    )
    reading = read(make_docx(body))
    lines = reading.pages[0].lines
    assert [(link.text, link.char_start, link.line is lines[1 + at]) for at, link in enumerate(reading.links)] == [
        ("Payment term", 11, True), ("there", 5, True),
    ]  # fmt: skip
    assert all(link.target is lines[0] for link in reading.links)


def test_symbols_hyphens_and_tabs_are_what_a_person_sees() -> None:
    """Signs of symbol fonts, hyphens that do not break or do not show, tabs behind a number and between columns."""
    body = (
        para(
            '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>',
            run(" Yes "),
            run("\uf061", '<w:rFonts w:ascii="Symbol"/>'),
        )
        + para(
            "<w:r><w:t>non</w:t><w:noBreakHyphen/><w:t>compete</w:t></w:r>",
            "<w:r><w:t> agree</w:t><w:softHyphen/><w:t>ment</w:t></w:r>",
        )
        + para("<w:r><w:t>1.</w:t><w:tab/><w:t>Term</w:t></w:r>")
        + para("<w:r><w:t>Pump</w:t><w:tab/><w:tab/><w:t>20</w:t></w:r>")
        + para(run("shout", "<w:caps/>"))
    )
    assert seen(make_docx(body)) == ["☑ Yes α", "non-compete agreement", "1. Term", "Pump  20", "SHOUT"]


def test_form_fields_tell_what_was_filled_in() -> None:
    """Legacy fields and content controls: text, boxes, choices; a placeholder is no value."""
    begin = '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="{0}"/>{1}</w:ffData></w:fldChar></w:r>'
    code = "<w:r><w:instrText>{0}</w:instrText></w:r>"
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    sep = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    control = '<w:sdt><w:sdtPr><w:alias w:val="{0}"/>{1}</w:sdtPr><w:sdtContent>{2}</w:sdtContent></w:sdt>'
    body = (
        para("Name: ", begin.format("Who", "<w:textInput/>") + code.format("FORMTEXT") + sep + run("Ann") + end)
        + para(
            begin.format("Ok", "<w:checkBox><w:checked/></w:checkBox>") + code.format("FORMCHECKBOX") + end, " agreed"
        )
        + para(control.format("Box", '<w14:checkbox><w14:checked w14:val="0"/></w14:checkbox>', run("☐")), " not")
        + control.format("City", "<w:text/><w:showingPlcHdr/>", para("Click here"))
        + para(control.format("Pick", "<w:dropDownList/>", run("Blue")))
    )
    reading = read(make_docx(body))
    assert [(f.name, f.kind, f.value, f.is_checked, f.line and f.line.text) for f in reading.fields] == [
        ("Who", "text", "Ann", None, "Name: Ann"), ("Ok", "checkbox", "☒", True, "☒ agreed"),
        ("Box", "checkbox", "", False, "☐ not"), ("City", "text", "", None, "Click here"),
        ("Pick", "choice", "Blue", None, "Blue"),
    ]  # fmt: skip


def test_files_inside_are_children_and_links_outside_are_findings() -> None:
    """An embedded workbook is handed on; a sub-document elsewhere is only named."""
    reading = read(
        make_docx(
            para("Text") + '<w:subDoc r:id="s1"/>',
            extra={"e1": ("package/embeddings/costs.xlsx", b"PK...")},
            external={"s1": ("subDocument", "http://example.org/part.docx")},
        )
    )
    assert [(child.name, child.data) for child in reading.children] == [("costs.xlsx", b"PK...")]
    assert "http://example.org/part.docx" in reading.findings[0].detail


def test_a_drop_cap_begins_its_paragraph() -> None:
    """The large first letter in a frame of its own is part of the word."""
    body = para("T", properties='<w:framePr w:dropCap="drop" w:lines="3"/>') + para("he Buyer pays.")
    assert seen(make_docx(body)) == ["The Buyer pays."]


def test_a_formula_is_one_line_of_text() -> None:
    """Fractions, powers and roots in a typist's signs."""
    part = "<m:r><m:t>{0}</m:t></m:r>"
    formula = (
        f"<m:oMath>{part.format('x=')}<m:f><m:num>{part.format('a+b')}</m:num><m:den>{part.format('2')}</m:den></m:f>"
        f"<m:sSup><m:e>{part.format('y')}</m:e><m:sup>{part.format('2')}</m:sup></m:sSup></m:oMath>"
    )
    assert seen(make_docx(para("Fee: ", formula))) == ["Fee: x=(a+b)/2y^2"]


def test_style_of_a_line_is_that_of_most_of_its_characters() -> None:
    """Defaults, style and direct formatting; two styles that say bold cancel each other out."""
    styles = (
        '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial"/><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>'
        + paragraph_style("Loud", "Loud", "<w:rPr><w:b/></w:rPr>")
        + '<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>'
    )
    body = (
        para("plain")
        + para("bold by style", style="Loud")
        + para(run("not bold", '<w:rStyle w:val="Strong"/>'), style="Loud")
        + para(run("big", '<w:sz w:val="40"/><w:i/>'), " x")
    )
    lines = lines_of(make_docx(body, inner={"styles": styles}))
    assert [(x.font, x.size, x.bold, x.italic) for x in lines] == [
        ("Arial", 11.0, False, False), ("Arial", 11.0, True, False), ("Arial", 11.0, False, False),
        ("Arial", 20.0, False, True),
    ]  # fmt: skip


def test_metadata_are_the_files_own_words() -> None:
    """No document properties: nothing is said."""
    about = parse(make_docx(para("x"))).profile.identity
    assert (about.title, about.author, about.format_version) == (None, None, "Office Open XML Transitional")


def test_a_document_without_text_is_a_document() -> None:
    """An empty body is an empty page."""
    document = parse(make_docx(""))
    assert document.page_df["status"].tolist() == ["empty"]
    assert len(document.line_df) == 0


def test_a_damaged_part_beside_the_text_is_a_finding() -> None:
    """Notes that cannot be read cost the notes, not the document; a damaged text is an error."""
    reading = read(make_docx(para("Text"), extra={"f": ("footnotes/footnotes.xml", b"<broken")}))
    assert [line.text for line in reading.pages[0].lines] == ["Text"]
    assert [finding.kind for finding in reading.findings] == ["damage"]
    with pytest.raises(DamagedDocumentError, match="document.xml"):
        read(make_docx("<w:p>"))


def test_the_shared_documents_lose_no_character(shared_data: Path) -> None:
    """Every character of the text parts stands in a line, whatever else the reader makes of it."""
    import re
    import zipfile
    from collections import Counter

    from lxml import etree

    text = re.compile(r"word/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml")
    for path in sorted((shared_data / "torture" / "docx").glob("*.docx")):
        if not zipfile.is_zipfile(path) or path.stat().st_size > 100_000:
            continue
        found = Counter("".join("".join(line.text for line in read(path.read_bytes()).pages[0].lines).split()))
        wanted: Counter[str] = Counter()
        with zipfile.ZipFile(path) as archive:
            for name in filter(text.fullmatch, archive.namelist()):
                for element in etree.fromstring(archive.read(name)).iter("{*}t", "{*}delText"):
                    if not any(parent.tag.endswith("}Fallback") for parent in element.iterancestors()):
                        wanted.update("".join((element.text or "").split()))
        assert not wanted - found, path.name


@pytest.fixture(scope="module")
def agreement_pdf(project: Path) -> ParsedDocument:
    return parse_document(project / "examples" / "supply_agreement.pdf")


@pytest.fixture
def agreement_parts(project: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[tuple[Any, ...], Any]:
    """Blocks and tables of the sample agreement."""
    monkeypatch.syspath_prepend(str(project / "examples"))
    blocks = importlib.import_module("blocks")
    general = importlib.import_module("agreement_general").GENERAL
    schedules = importlib.import_module("agreement_schedules")
    terms = importlib.import_module("agreement_terms").TERMS
    return blocks.read_blocks(terms + general + schedules.SCHEDULES), schedules.TABLES


def sections_of(document: ParsedDocument, *, numbered_only: bool) -> list[tuple[int, str]]:
    """Level and title of each section, blanks and quotation marks made equal."""
    rows = zip(document.toc_df["level"].tolist(), document.toc_df["title"].tolist(), strict=True)
    told = [(level, " ".join(title.replace("\u00a0", " ").split())) for level, title in rows]
    return [row for row in told if not numbered_only or row[1][0].isdigit()]


def test_a_contract_in_word_has_the_sections_of_its_pdf(
    agreement_pdf: ParsedDocument, agreement_parts: tuple[tuple[Any, ...], Any]
) -> None:
    """Headings in heading styles, numbered by Word: the same tree, title by title and level by level."""
    document = parse(make_agreement(*agreement_parts, styled=True))
    assert sections_of(document, numbered_only=False) == sections_of(agreement_pdf, numbered_only=False)


def test_a_contract_whose_headings_are_only_bold_and_numbered_has_them_too(
    agreement_pdf: ParsedDocument, agreement_parts: tuple[tuple[Any, ...], Any]
) -> None:
    """No style says heading: the numbers that Word displays tell the tree."""
    document = parse(make_agreement(*agreement_parts, styled=False))
    assert sections_of(document, numbered_only=True) == sections_of(agreement_pdf, numbered_only=True)


def test_a_contract_in_word_says_what_its_pdf_says(
    agreement_pdf: ParsedDocument, agreement_parts: tuple[tuple[Any, ...], Any]
) -> None:
    """Every sentence of the PDF's clauses stands in the Word document's lines of the same section."""
    document = parse(make_agreement(*agreement_parts, styled=True))

    def texts(of: ParsedDocument) -> dict[str, str]:
        titles = of.toc_df.set_index("section_id")["title"]
        frame = of.line_df[of.line_df["role"].isin(["body", "heading"]) & of.line_df["section_id"].notna()]
        frame = frame.assign(title=frame["section_id"].map(titles))
        return {
            str(title).replace("\u00a0", " "): "".join(group)
            .replace("\u00a0", " ")
            .replace(" ", "")
            .replace("[1]", "1")
            for title, group in frame.groupby("title")["text"]
        }

    pdf, word = texts(agreement_pdf), texts(document)
    clauses = [title for title in pdf if title[0].isdigit()]
    assert {title: word.get(title) for title in clauses} == {title: pdf[title] for title in clauses}
