"""Tables of Word documents: rows as lines, and every cell with its place."""

from __future__ import annotations

from tests.parsing.docx_builder import cell, make_docx, para, row, run, table
from tests.parsing.docx_reading import read, seen


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
    """A gridSpan goes over columns, vMerge over rows; what stands in a merged cell below is not shown."""
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


def test_a_row_that_was_taken_out_has_no_place_in_the_grid() -> None:
    """Its words are hidden lines; the rows below move up."""
    gone = row("Pump", "20", properties='<w:del w:id="1" w:author="Ann"/>')
    reading = read(make_docx(table(row("Item", "Price"), gone, row("Motor", "35"))))
    assert [(x.text, x.change) for x in reading.pages[0].lines] == [
        ("Item  Price", ""), ("Pump", "deleted"), ("20", "deleted"), ("Motor  35", ""),
    ]  # fmt: skip
    assert [(c.row_num, c.text) for c in reading.cells] == [(1, "Item"), (1, "Price"), (2, "Motor"), (2, "35")]


def test_a_heading_style_in_a_cell_makes_a_heading_only_where_the_row_is_its_own() -> None:
    """Titles of columns are cells; a title over a row of text, or beside its number, is a heading."""
    title = para("Scope", style="Heading1")
    columns = table(row(cell(para("Item", style="Heading1")), cell(para("Price", style="Heading1"))), row("a", "b"))
    assert read(make_docx(columns)).headings == []
    numbered_row = table(row("1.", cell(title)), row("1.1", "The Supplier delivers."))
    assert [heading.title for heading in read(make_docx(numbered_row)).headings or []] == ["Scope"]


def test_a_table_style_that_shades_its_header_row_names_the_columns() -> None:
    """The style's first row counts where the table asks for it."""
    styles = (
        '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/><w:tblStylePr w:type="firstRow">'
        "<w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>"
    )
    for wanted in (True, False):
        look = f'<w:tblStyle w:val="Grid"/><w:tblLook w:val="04A0" w:firstRow="{int(wanted)}"/>'
        data = make_docx(table(row("Item", "Price"), row("Pump", "20"), properties=look), inner={"styles": styles})
        assert [cell.is_header for cell in read(data).cells] == [wanted, wanted, False, False]


def test_a_box_to_tick_around_a_cell_is_a_field() -> None:
    """A content control may wrap a whole cell."""
    control = (
        '<w:sdt><w:sdtPr><w:tag w:val="ok"/><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr>'
        f"<w:sdtContent>{cell('☒')}</w:sdtContent></w:sdt>"
    )
    reading = read(make_docx(f"<w:tbl><w:tr>{control}{cell('agreed')}</w:tr></w:tbl>"))
    assert [(f.name, f.is_checked, f.line and f.line.text) for f in reading.fields] == [("ok", True, "☒  agreed")]
