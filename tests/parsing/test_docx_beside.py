"""What stands beside the text of a Word document or is not seen: notes, comments, changes, hidden words, files."""

from __future__ import annotations

import pytest

from pipeline.parsing.settings import ParsingSettings
from schemas.errors import DamagedDocumentError
from tests.parsing.docx_builder import cell, level, make_docx, numbered, para, row, run, table, wrap
from tests.parsing.docx_reading import lines_of, parse, read, seen


def test_notes_stand_after_the_paragraph_that_marks_them() -> None:
    """The mark is in the text and before the note, in the note's own format."""
    note = '<w:footnote w:id="{0}"><w:p><w:r><w:footnoteRef/></w:r>{1}</w:p></w:footnote>'
    inner = {
        "footnotes": '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'
        + note.format(2, run(" Net of tax.")) + note.format(3, run(" In euro.")),
        "endnotes": f'<w:endnote w:id="1"><w:p>{run("See the annex.")}</w:p></w:endnote>',
    }  # fmt: skip
    body = para(
        "The price",
        '<w:r><w:footnoteReference w:id="2"/></w:r>',
        " and the fee",
        '<w:r><w:footnoteReference w:id="3"/><w:endnoteReference w:id="1"/></w:r>',
    ) + para("Next.")
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
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="{0}"/><w:headerReference w:type="first" r:id="h3"/>'
        "</w:sectPr>"
    )
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
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData>'
        "<wps:wsp><wps:txbx>"
        + box.format(para("Boxed"))
        + "</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice>"
        "<mc:Fallback><w:pict><v:shape>"
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
    reading = read(data, ParsingSettings(max_attachment_depth=2))
    assert [line.text for line in reading.pages[0].lines] == ["Shell"] * 3
    assert "max_attachment_depth" in reading.findings[-1].detail


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


def test_pictures_are_counted_and_one_of_a_page_is_a_file_of_its_own() -> None:
    """A logo is counted; a scanned page that was pasted in is handed on, so that its words are recognised."""
    drawing = (
        '<w:r><w:drawing><wp:inline><wp:extent cx="{0}" cy="{1}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill>'
        '<a:blip r:embed="{2}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big")
    body = para(drawing.format(900_000, 900_000, "i1")) + para(drawing.format(6_000_000, 8_500_000, "i2"))
    reading = read(make_docx(body, extra={"i1": ("image/media/logo.png", png), "i2": ("image/media/scan.png", png)}))
    assert [(image.width_px, image.height_px) for image in reading.pages[0].images] == [(640, 480), (640, 480)]
    assert [child.name for child in reading.children] == ["scan.png"]
    assert reading.pages[0].status == "scanned"


def test_a_damaged_part_beside_the_text_is_a_finding() -> None:
    """Notes that cannot be read cost the notes, not the document; a damaged text is an error."""
    reading = read(make_docx(para("Text"), extra={"f": ("footnotes/footnotes.xml", b"<broken")}))
    assert [line.text for line in reading.pages[0].lines] == ["Text"]
    assert [finding.kind for finding in reading.findings] == ["damage"]
    with pytest.raises(DamagedDocumentError, match=r"document\.xml"):
        read(make_docx("<w:p>"))
