"""Fields, links and forms of Word documents."""

from __future__ import annotations

from tests.parsing.docx_builder import cell, field, make_docx, para, row, run, table
from tests.parsing.docx_reading import parse, read, seen


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


def test_a_field_that_never_ends_does_not_swallow_the_text() -> None:
    """A damaged file loses no words: what follows the broken field is read, and the record says so."""
    broken = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>'
    reading = read(make_docx(para("See ", broken) + para("The term is ", field("REF y", "five"), " years.")))
    assert [line.text for line in reading.pages[0].lines] == ["See", "The term is five years."]
    assert [finding.kind for finding in reading.findings] == ["damage"]


def test_a_form_field_in_a_paragraph_that_runs_on_keeps_its_line() -> None:
    """Where the end of a paragraph was deleted, its fields and links go along."""
    gone = '<w:rPr><w:del w:id="1" w:author="Ann"/></w:rPr>'
    control = (
        f'<w:sdt><w:sdtPr><w:tag w:val="who"/><w:text/></w:sdtPr><w:sdtContent>{run("Ann")}</w:sdtContent></w:sdt>'
    )
    reading = read(make_docx(para("Name: ", control, properties=gone) + para(" of Cork")))
    assert [(f.value, f.line and f.line.text) for f in reading.fields] == [("Ann", "Name: Ann of Cork")]
