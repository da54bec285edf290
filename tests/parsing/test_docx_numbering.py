"""Numbers of lists and headings in Word documents, as Word displays them."""

from __future__ import annotations

import pytest

from tests.parsing.docx_builder import cell, level, make_docx, numbered, para, paragraph_style, row, table
from tests.parsing.docx_reading import parse, read, seen


def test_one_page_without_a_number_stands_for_the_document() -> None:
    """Page breaks count no pages: where they fall depends on the printer."""
    document = parse(make_docx(para("One") + para('<w:r><w:br w:type="page"/></w:r>', "Two")))
    assert document.profile.identity.page_unit == "none"
    assert document.profile.identity.page_count is None
    assert document.page_df["status"].tolist() == ["native"]
    assert document.line_df["page_num"].tolist() == [1, 1]


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
    """With lvlRestart 0 never; 1 only after the top level."""
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
    anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    uses = [
        f'<w:num w:numId="{use}"><w:abstractNumId w:val="0"/>{anew if use == 3 else ""}</w:num>' for use in (1, 2, 3)
    ]
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
    """From numStyleLink -> style -> list -> the abstract list with styleLink."""
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


def test_a_number_without_a_text_is_read_and_a_bullet_is_not() -> None:
    """A column of numbers that Word counts has nothing else in its cells."""
    numbering = numbered(level(0, "decimal", "%1.")) + numbered(level(0, "bullet", "-"), number=1)
    body = table(row(cell(para(num=(1, 0))), "Pump"), row(cell(para(num=(1, 0))), "Motor")) + para(num=(2, 0))
    assert seen(make_docx(body, inner={"numbering": numbering})) == ["1.  Pump", "2.  Motor"]


def test_a_format_that_is_not_known_is_a_finding() -> None:
    """Its numbers are shown in figures, and the record says so."""
    reading = read(make_docx(para("x", num=(1, 0)), inner={"numbering": numbered(level(0, "thaiLetters", "%1."))}))
    assert reading.pages[0].lines[0].text == "1. x"
    assert "thaiLetters" in reading.findings[0].detail
