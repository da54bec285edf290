"""Presentations: every word of a slide accounted for, in the order of reading, with what is not seen marked."""

from __future__ import annotations

import copy
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.presentation import Presentation as Deck
from pptx.util import Inches, Pt

from pipeline.parsing import parse_document
from pipeline.parsing.pptx.geometry import in_reading_order
from pipeline.parsing.pptx.pictures import read_size
from pipeline.parsing.settings import ParsingSettings
from schemas.document import ParsedDocument
from schemas.errors import EmptyDocumentError, LimitExceededError

A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
TITLE, CONTENT, TWO, COMPARISON, TITLE_ONLY, BLANK = 0, 1, 3, 4, 5, 6  # layouts of python-pptx's own template
PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\xdac\xfc\xcf\xc0P"
    b"\x0f\0\x04\x85\x01\x80\x84\xa9\x8c!\0\0\0\0IEND\xaeB`\x82"
)


def parse(deck: Deck | Path, tmp_path: Path, **options) -> ParsedDocument:
    """The document, read in this process: a test needs no shield."""
    path = deck if isinstance(deck, Path) else tmp_path / "deck.pptx"
    if not isinstance(deck, Path):
        deck.save(path)
    return parse_document(path, settings=ParsingSettings(isolate=False, **options))


def patch(deck: Deck, tmp_path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The saved deck with its parts changed by hand: what python-pptx does not write."""
    buffer = io.BytesIO()
    deck.save(buffer)
    with zipfile.ZipFile(buffer) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    path = tmp_path / "patched.pptx"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def add_slide(deck: Deck, layout: int, title: str = ""):
    """A slide of that layout with its title."""
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def add_box(slide, text: str, x: float, y: float, width: float = 2, height: float = 1):
    """A text box; places in inches."""
    box = slide.shapes.add_textbox(Inches(x), Inches(y), Inches(width), Inches(height))
    box.text_frame.text = text
    return box


def texts(document: ParsedDocument, page_num: int = 1, *roles: str) -> list[str]:
    """The visible lines of a slide, of some roles or of all."""
    frame = document.line_df
    frame = frame[(frame["page_num"] == page_num) & frame["visible"]]
    return (frame[frame["role"].isin(roles)] if roles else frame)["text"].tolist()


def test_a_slide_is_a_page_with_its_title_as_section(tmp_path: Path) -> None:
    """The title is a heading of level 1, each paragraph a line, the notes come last and are told apart."""
    deck = Presentation()
    slide = add_slide(deck, CONTENT, "Fees of the programme")
    frame = slide.placeholders[1].text_frame
    frame.text = "First point"
    frame.add_paragraph().text = "Second point"
    slide.notes_slide.notes_text_frame.text = "Say that fees are indexed."
    document = parse(deck, tmp_path)
    assert document.line_df["text"].tolist() == [
        "Fees of the programme", "First point", "Second point", "Say that fees are indexed.",
    ]  # fmt: skip
    assert document.line_df["role"].tolist() == ["heading", "body", "body", "note"]
    assert document.toc_df[["title", "level", "heading_found"]].iloc[0].tolist() == ["Fees of the programme", 1, True]
    assert document.profile.identity.page_unit == "slide"
    assert document.page_df[["width", "height"]].iloc[0].tolist() == [720.0, 540.0]
    title = document.line_df.iloc[0]
    assert 0 < title["x0"] < title["x1"] < 720
    assert 0 < title["y0"] < title["y1"] < 200


def test_columns_and_pairs_are_read_as_a_person_reads_them(tmp_path: Path) -> None:
    """Left before right; a head with what stands under it, not across; boxes in a group where the group stands."""
    deck = Presentation()
    slide = add_slide(deck, COMPARISON, "Comparison")
    for index, words in ((3, "Cons"), (4, "Slow"), (1, "Pros"), (2, "Cheap")):
        slide.placeholders[index].text_frame.text = words
    other = add_slide(deck, BLANK)
    group = other.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(5), Inches(1), Inches(2), Inches(1)).text_frame.text = "right"
    add_box(other, "below", 1, 5)
    add_box(other, "left", 1, 1)
    document = parse(deck, tmp_path)
    assert texts(document, 1) == ["Comparison", "Pros", "Cheap", "Cons", "Slow"]
    assert texts(document, 2) == ["left", "right", "below"]


def test_a_slide_without_a_title_is_a_section_by_its_number(tmp_path: Path) -> None:
    """Its words belong to no other slide's title."""
    deck = Presentation()
    add_slide(deck, CONTENT, "Intro")
    add_box(add_slide(deck, BLANK), "free words", 1, 1)
    document = parse(deck, tmp_path)
    assert document.toc_df["title"].tolist() == ["Intro", "Slide 2"]
    assert document.toc_df["heading_found"].tolist() == [True, False]
    assert document.line_df["section_id"].tolist() == ["1", "2"]


def test_tables_are_rows_and_cells(tmp_path: Path) -> None:
    """The first row heads the columns; a merged cell stands once, with what it covers and where."""
    deck = Presentation()
    slide = add_slide(deck, TITLE_ONLY, "Fees")
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(1.5)).table
    for row, words in enumerate([["Fee", "Amount (EUR)", "Due"], ["Setup", "250", "May"], ["Both", "", "June"]]):
        for column, word in enumerate(words):
            table.cell(row, column).text = word
    table.cell(2, 0).merge(table.cell(2, 1))
    document = parse(deck, tmp_path)
    assert texts(document, 1, "table") == ["Fee  Amount (EUR)  Due", "Setup  250  May", "Both  June"]
    cells = document.table_df.set_index(["row_num", "column_num"])
    assert cells.loc[(2, 2), ["text", "header"]].tolist() == ["250", "Amount (EUR)"]
    assert cells.loc[(3, 1), "column_span"] == 2
    assert (3, 2) not in cells.index
    assert cells.loc[(2, 2), ["x0", "y0"]].tolist() == pytest.approx([216.0, 180.0])


def test_the_figures_of_a_chart_are_a_table(tmp_path: Path) -> None:
    """Numbers that live only in a chart: title, axis, series and categories, as the format shows them."""
    deck = Presentation()
    slide = add_slide(deck, TITLE_ONLY, "Revenue")
    data = CategoryChartData(number_format="#,##0.0")
    data.categories = ["Q1", "Q2"]
    data.add_series("North", (1200.25, 2.5))
    data.add_series("South", (3, 4))
    frame = (Inches(1), Inches(2), Inches(6), Inches(3))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *frame, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Revenue by region"
    chart.value_axis.has_title = True
    chart.value_axis.axis_title.text_frame.text = "EUR million"
    points = XyChartData()
    for name, pair in (("Model", (0.7, 2.7)), ("Other", (1, 2))):
        points.add_series(name).add_data_point(*pair)
    add_slide(deck, BLANK).shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, *frame, points)
    document = parse(deck, tmp_path)
    assert texts(document)[1:] == [
        "Revenue by region",
        "EUR million",
        "North  South",
        "Q1  1,200.3  3.0",
        "Q2  2.5  4.0",
    ]
    cells = document.table_df.set_index(["table_id", "row_num", "column_num"])
    assert cells.loc[(1, 2, 2), ["text", "header"]].tolist() == ["1,200.3", "North"]
    assert texts(document, 2) == ["Model", "0.7  2.7", "Other", "1  2"]
    assert document.page_df["table_count"].tolist() == [1, 2]
    assert document.attachments == ()


def test_hidden_words_are_kept_apart_and_reported(tmp_path: Path) -> None:
    """Hidden slides, switched-off shapes, words off the slide, tiny, or white on white; white on a fill is seen."""
    deck = Presentation()
    slide = add_slide(deck, BLANK)
    add_box(slide, "seen", 1, 1)
    add_box(slide, "off", -5, 1)
    add_box(slide, "tiny", 1, 2).text_frame.paragraphs[0].runs[0].font.size = Pt(1)
    for words, y in (("white", 3), ("on dark", 4)):
        box = add_box(slide, words, 1, y)
        box.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(255, 255, 255)
        if words == "on dark":
            box.fill.solid()
            box.fill.fore_color.rgb = RGBColor(0, 0, 80)
    add_box(slide, "switched off", 1, 5)._element.nvSpPr.cNvPr.set("hidden", "1")
    add_slide(deck, CONTENT, "Covert plan")._element.set("show", "0")
    document = parse(deck, tmp_path)
    assert texts(document) == ["seen", "on dark"]
    hidden = document.line_df[~document.line_df["visible"]].set_index("text")["hidden_reason"].to_dict()
    assert hidden == {
        "off": "outside the slide",
        "tiny": "smaller than 2 points",
        "white": "its colour cannot be told from its background (white on white)",
        "switched off": "a shape that is switched off",
        "Covert plan": "on a hidden slide",
    }
    assert "Covert plan" not in document.toc_df["title"].tolist()
    assert (document.finding_df["kind"] == "hidden_text").sum() == 6


def test_running_text_is_told_from_the_slide(tmp_path: Path) -> None:
    """Footers, numbers and what the master shows on every slide come last and have their roles."""
    deck = Presentation()
    add_box_on_master = deck.slide_master.shapes._spTree
    box = add_box(add_slide(deck, BLANK), "Confidential", 1, 7, 2, 0.3)
    add_box_on_master.append(box._element)
    slide = add_slide(deck, CONTENT, "Title")
    for placeholder in slide.slide_layout.placeholders:
        if placeholder.placeholder_format.type in (15, 13):  # footer, slide number
            slide.shapes._spTree.append(copy.deepcopy(placeholder._element))
    slide.shapes[-2].text_frame.text = "Acme Ltd"
    slide.shapes[-1].text_frame.text = "2"
    document = parse(deck, tmp_path)
    roles = document.line_df[document.line_df["page_num"] == 2].set_index("text")["role"].to_dict()
    assert roles["Confidential"] == "footer"
    assert roles["Acme Ltd"] == "footer"
    assert roles["2"] == "page_number"


def test_lists_show_their_numbers_and_breaks_part_lines(tmp_path: Path) -> None:
    """An automatic number is what a person sees; a line break stays inside its paragraph."""
    deck = Presentation()
    slide = add_slide(deck, CONTENT, "Steps")
    frame = slide.placeholders[1].text_frame
    frame.text = "first"
    for words in ("second", "sub", "third"):
        frame.add_paragraph().text = words
    frame.paragraphs[2].level = 1
    frame.add_paragraph().text = "one\vtwo"
    for at, kind in ((0, "alphaLcParenR"), (1, "alphaLcParenR"), (2, "romanUcPeriod"), (3, "alphaLcParenR")):
        about = frame.paragraphs[at]._p.get_or_add_pPr()
        about.insert(0, about.makeelement(f"{{{A[9:-1]}}}buAutoNum", type=kind))
    document = parse(deck, tmp_path)
    assert texts(document, 1, "body") == ["a) first", "b) second", "I. sub", "c) third", "one", "two"]
    paragraphs = document.line_df.set_index("text")["paragraph_id"]
    assert paragraphs["one"] == paragraphs["two"]


def test_the_words_of_a_diagram_are_read_from_the_root_down(tmp_path: Path) -> None:
    """SmartArt keeps its words in a part of its own, in any order: the tree of the diagram gives the order."""
    deck = Presentation()
    slide = add_slide(deck, TITLE_ONLY, "Structure")
    slide.shapes.add_table(1, 1, Inches(1), Inches(2), Inches(4), Inches(2))
    dgm = "http://schemas.openxmlformats.org/drawingml/2006/diagram"

    def node(key: str, words: str) -> str:
        return f'<d:pt modelId="{key}"><d:t><a:p><a:r><a:t>{words}</a:t></a:r></a:p></d:t></d:pt>'

    points = '<d:pt modelId="0" type="doc"/>' + node("2", "Second") + node("1", "First") + node("3", "Under first")
    links = "".join(
        f'<d:cxn modelId="c{at}" srcId="{source}" destId="{target}" srcOrd="{order}"/>'
        for at, (source, target, order) in enumerate([("0", "2", 1), ("0", "1", 0), ("1", "3", 0)])
    )
    model = f'<d:dataModel xmlns:d="{dgm}" {A}><d:ptLst>{points}</d:ptLst><d:cxnLst>{links}</d:cxnLst></d:dataModel>'

    def change(parts: dict[str, bytes]) -> None:
        name = "ppt/slides/slide1.xml"
        text = parts[name].decode()
        start, end = text.index("<a:graphicData"), text.index("</a:graphicData>")
        frame = f'<a:graphicData uri="{dgm}"><dgm:relIds xmlns:dgm="{dgm}" r:dm="rIdD"/>'
        parts[name] = (text[:start] + frame + text[end:]).encode()
        rels = "ppt/slides/_rels/slide1.xml.rels"
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"
        relation = f'<Relationship Id="rIdD" Type="{kind}" Target="../diagrams/data1.xml"/></Relationships>'
        parts[rels] = parts[rels].replace(b"</Relationships>", relation.encode())
        parts["ppt/diagrams/data1.xml"] = model.encode()

    document = parse(patch(deck, tmp_path, change), tmp_path)
    assert texts(document) == ["Structure", "First", "Under first", "Second"]


def test_remarks_are_lines_of_their_own_and_findings(tmp_path: Path) -> None:
    """A remark of the newer kind with its reply: who said it is reported, and it is no part of the slide."""
    deck = Presentation()
    add_slide(deck, CONTENT, "Plan")
    p188 = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"

    def body(words: str) -> str:
        return f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{words}</a:t></a:r></a:p></p:txBody>"

    remark = (
        f'<p:cmLst xmlns:p="{p188}" {A}><p:cm id="1" authorId="x"><p:replyLst><p:reply id="2" authorId="y">'
        f"{body('I agree')}</p:reply></p:replyLst>{body('Check this')}</p:cm></p:cmLst>"
    )

    def change(parts: dict[str, bytes]) -> None:
        kind = "http://schemas.microsoft.com/office/2018/10/relationships"
        for rels, relation in (
            ("ppt/slides/_rels/slide1.xml.rels", f'Id="c" Type="{kind}/comments" Target="../comments/c.xml"'),
            ("ppt/_rels/presentation.xml.rels", f'Id="au" Type="{kind}/authors" Target="authors.xml"'),
        ):
            parts[rels] = parts[rels].replace(
                b"</Relationships>", f"<Relationship {relation}/></Relationships>".encode()
            )
        parts["ppt/comments/c.xml"] = remark.encode()
        people = '<p:author id="x" name="Ann"/><p:author id="y" name="Bob"/>'
        parts["ppt/authors.xml"] = f'<p:authorLst xmlns:p="{p188}">{people}</p:authorLst>'.encode()

    document = parse(patch(deck, tmp_path, change), tmp_path)
    assert texts(document, 1, "comment") == ["Check this", "I agree"]
    details = document.finding_df.loc[document.finding_df["kind"] == "comment", "detail"].tolist()
    assert details == ["Comment by Ann on slide 1.", "Comment by Bob on slide 1."]


def test_pictures_are_counted_and_a_slide_of_one_has_to_be_recognised(tmp_path: Path) -> None:
    """Words in pictures are not read: the status of the slide says so."""
    deck = Presentation()
    full = (0, 0, deck.slide_width, deck.slide_height)
    add_slide(deck, BLANK).shapes.add_picture(io.BytesIO(PNG), *full)
    half = add_slide(deck, CONTENT, "A title")
    half.shapes.add_picture(io.BytesIO(PNG), 0, Inches(2), deck.slide_width, Inches(4))
    small = add_slide(deck, CONTENT, "With a logo")
    small.shapes.add_picture(io.BytesIO(PNG), 0, 0, Inches(1), Inches(1))
    add_slide(deck, BLANK)
    document = parse(deck, tmp_path)
    assert document.page_df["status"].tolist() == ["scanned", "mixed", "native", "empty"]
    assert document.image_df["page_num"].tolist() == [1, 2, 3]
    assert document.image_df[["width_px", "height_px"]].iloc[0].tolist() == [1, 1]


def test_files_inside_are_documents_of_their_own(tmp_path: Path) -> None:
    """An embedded workbook is read; the workbook behind a chart is not one."""
    book = openpyxl.Workbook()
    book.active.append(["inside"])
    book.save(tmp_path / "in.xlsx")
    deck = Presentation()
    slide = add_slide(deck, TITLE_ONLY, "Attached")
    slide.shapes.add_ole_object(str(tmp_path / "in.xlsx"), "Excel.Sheet.12", Inches(1), Inches(1))
    document = parse(deck, tmp_path)
    assert [about.status for about in document.attachments] == ["parsed"]
    assert document.children[0].line_df["text"].tolist() == ["inside"]


def test_sections_of_the_presentation_are_the_level_above(tmp_path: Path) -> None:
    """Two sections or more divide the slides; their names stand in the table of contents."""
    deck = Presentation()
    keys = [str(add_slide(deck, CONTENT, title).slide_id) for title in ("One", "Two", "Three")]
    p14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"

    def entry(key: str) -> str:
        return f'<p14:sldId id="{key}"/>'

    inner = "".join(
        f'<p14:section name="{name}"><p14:sldIdLst>{"".join(map(entry, held))}</p14:sldIdLst></p14:section>'
        for name, held in (("Part A", keys[:1]), ("Part B", keys[1:]))
    )
    extension = (
        f'<p:extLst><p:ext uri="x"><p14:sectionLst xmlns:p14="{p14}">{inner}</p14:sectionLst></p:ext></p:extLst>'
        "</p:presentation>"
    )

    def change(parts: dict[str, bytes]) -> None:
        name = "ppt/presentation.xml"
        parts[name] = parts[name].replace(b"</p:presentation>", extension.encode())

    toc = parse(patch(deck, tmp_path, change), tmp_path).toc_df
    assert toc["breadcrumb"].tolist() == ["Part A", "Part A > One", "Part B", "Part B > Two", "Part B > Three"]


def test_links_to_other_slides_point_at_their_first_line(tmp_path: Path) -> None:
    """A contents slide whose words lead to slides is a set of references."""
    deck = Presentation()
    slide, target = add_slide(deck, CONTENT, "Contents"), add_slide(deck, CONTENT, "Fees")
    frame = slide.placeholders[1].text_frame
    frame.text = "go to fees"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    key = slide.part.relate_to(target.part, f"{kind}/slide")
    style = frame.paragraphs[0].runs[0]._r.get_or_add_rPr()
    link = style.makeelement(f"{{{A[9:-1]}}}hlinkClick", {f"{{{kind}}}id": key, "action": "ppaction://hlinksldjump"})
    style.append(link)
    document = parse(deck, tmp_path)
    row = document.cross_ref_df.iloc[0]
    assert (row["source"], row["line_id"], row["target_line_id"]) == ("link", 2, 3)


def test_damage_costs_the_slide_and_not_the_presentation(tmp_path: Path) -> None:
    """A broken, a missing and a hostile slide have a status; the others are read."""
    deck = Presentation()
    for title in ("Good", "Broken", "Missing", "Hostile"):
        add_slide(deck, CONTENT, title)

    def change(parts: dict[str, bytes]) -> None:
        parts["ppt/slides/slide2.xml"] = parts["ppt/slides/slide2.xml"][:300]
        del parts["ppt/slides/slide3.xml"]
        entity = b'<!DOCTYPE s [<!ENTITY a "lol">]><p:sld '
        parts["ppt/slides/slide4.xml"] = parts["ppt/slides/slide4.xml"].replace(b"<p:sld ", entity, 1)

    document = parse(patch(deck, tmp_path, change), tmp_path)
    assert document.page_df["status"].tolist() == ["native", "failed", "failed", "failed"]
    assert document.line_df["text"].tolist() == ["Good"]
    assert "does not hold it" in document.page_df["status_reason"][2]


def test_a_strict_presentation_is_read(tmp_path: Path) -> None:
    """The namespaces of ISO/IEC 29500 Strict are read as the usual ones."""
    deck = Presentation()
    add_slide(deck, CONTENT, "Strict")

    def change(parts: dict[str, bytes]) -> None:
        usual, strict = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"
        for name, data in parts.items():
            for family in (b"presentationml", b"drawingml", b"officeDocument"):
                data = data.replace(usual + family + b"/2006/", strict + family + b"/")  # noqa: PLW2901
            parts[name] = data

    assert texts(parse(patch(deck, tmp_path, change), tmp_path)) == ["Strict"]


def test_errors_name_the_cause(tmp_path: Path) -> None:
    """No slide, or more slides than the limit."""
    with pytest.raises(EmptyDocumentError, match="no slide"):
        parse(Presentation(), tmp_path)
    deck = Presentation()
    add_slide(deck, BLANK)
    add_slide(deck, BLANK)
    with pytest.raises(LimitExceededError, match="max_pages"):
        parse(deck, tmp_path, max_pages=1)


def test_the_same_bytes_give_the_same_record(tmp_path: Path) -> None:
    """Nothing depends on time, place or order of sets."""
    deck = Presentation()
    add_slide(deck, CONTENT, "Same")
    deck.save(tmp_path / "deck.pptx")
    assert parse(tmp_path / "deck.pptx", tmp_path).same_as(parse(tmp_path / "deck.pptx", tmp_path))


@given(
    st.lists(st.tuples(st.integers(0, 600), st.integers(0, 400), st.integers(1, 300), st.integers(1, 200)), max_size=20)
)
def test_reading_order_loses_no_shape(frames: list[tuple[int, int, int, int]]) -> None:
    """However frames overlap, each is read once."""
    boxes = [(float(x), float(y), float(x + width), float(y + height)) for x, y, width, height in frames]
    ordered = in_reading_order(range(len(boxes)), lambda at: boxes[at])
    assert sorted(ordered) == list(range(len(boxes)))


@given(st.binary(max_size=200))
def test_the_head_of_a_picture_never_fails(data: bytes) -> None:
    """Any bytes give a size, (0, 0) where they tell none."""
    for head in (b"", b"\x89PNG\r\n\x1a\n", b"GIF8", b"BM", b"\xff\xd8\xff"):
        assert all(side >= 0 for side in read_size(head + data))


@pytest.mark.parametrize("name", ["chart", "comments", "many_slides"])
def test_real_presentations_lose_no_words(shared_data: Path, name: str) -> None:
    """All words that python-pptx finds in text frames stand in the lines; the figures of charts do as well."""
    path = shared_data / "torture" / "pptx" / f"{name}.pptx"
    document = parse(path, path.parent)
    for page_num, slide in enumerate(Presentation(str(path)).slides, start=1):
        words = " ".join(document.line_df.loc[document.line_df["page_num"] == page_num, "text"])
        for shape in slide.shapes:
            for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else ():
                assert " ".join(paragraph.text.split()) in words
            if shape.has_chart:  # python-pptx knows no series of a three-dimensional chart: its XML does
                for value in shape.chart._chartSpace.iterfind(".//{*}val//{*}v"):
                    assert f"{float(value.text):g}" in words
