"""Word documents: what a person sees in Word is what stands in the lines, under the headings that its styles name."""

from __future__ import annotations

from pipeline.parsing.settings import ParsingSettings
from tests.parsing.docx_builder import level, make_docx, numbered, para, paragraph_style, run
from tests.parsing.docx_reading import lines_of, parse, read, seen

HEADINGS = paragraph_style("Heading1", "heading 1") + paragraph_style("Heading2", "heading 2")


def test_a_paragraph_is_a_line_and_a_break_begins_another_of_the_same_paragraph() -> None:
    """Line breaks by hand are lines; empty paragraphs are none."""
    lines = lines_of(make_docx(para("One") + para() + para("Two", "<w:r><w:br/></w:r>", "three") + para("Four")))
    assert [(line.text, line.paragraph_id) for line in lines] == [("One", 1), ("Two", 2), ("three", 2), ("Four", 3)]


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
        '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial"/><w:sz w:val="22"/></w:rPr></w:rPrDefault>'
        "</w:docDefaults>"
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


def test_runs_are_kept_where_they_are_asked_for() -> None:
    """span_df has the words of equal look, with their colour."""
    body = para("The ", run("Fee", '<w:b/><w:color w:val="C00000"/>'), " is due.", num=(1, 0))
    data = make_docx(body, inner={"numbering": numbered(level(0, "decimal", "%1."))})
    spans = parse(data, ParsingSettings(spans=True)).span_df
    assert spans[["text", "is_bold", "color"]].to_numpy().tolist() == [
        ["1. The", False, 0], ["Fee", True, 0xC00000], ["is due.", False, 0],
    ]  # fmt: skip


def test_a_heading_that_runs_into_its_clause_shares_its_paragraph() -> None:
    """A style separator hides the heading's end: two lines, one paragraph."""
    body = para("1. Term.", style="Heading1", properties="<w:rPr><w:vanish/><w:specVanish/></w:rPr>") + para(
        "It lasts."
    )
    lines = lines_of(make_docx(body + para("Next.")))
    assert [(line.text, line.paragraph_id) for line in lines] == [("1. Term.", 1), ("It lasts.", 1), ("Next.", 2)]


def test_metadata_are_the_files_own_words() -> None:
    """No document properties: nothing is said."""
    about = parse(make_docx(para("x"))).profile.identity
    assert (about.title, about.author, about.format_version) == (None, None, "Office Open XML Transitional")


def test_a_document_without_text_is_a_document() -> None:
    """An empty body is an empty page."""
    document = parse(make_docx(""))
    assert document.page_df["status"].tolist() == ["empty"]
    assert len(document.line_df) == 0
