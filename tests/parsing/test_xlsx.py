"""Workbooks: every cell accounted for, shown as a person sees it, in rows that can be cited."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.table import Table

from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.xlsx.places import MAX_COLUMNS, MAX_ROWS, name_cell, read_cell, read_range
from schemas.document import ParsedDocument
from schemas.errors import DamagedDocumentError, EmptyDocumentError, LimitExceededError

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
STRICT = {
    MAIN: "http://purl.oclc.org/ooxml/spreadsheetml/main",
    OFFICE: "http://purl.oclc.org/ooxml/officeDocument/relationships",
}
IN_PROCESS = ParsingSettings(isolate=False)


def parse(path: Path, **options) -> ParsedDocument:
    """The document, read in this process: a test needs no shield."""
    return parse_document(path, settings=IN_PROCESS.model_copy(update=options))


def raw_workbook(path: Path, sheets: dict[str, str], *, parts: dict[str, str] | None = None, about: str = "") -> Path:
    """A workbook of sheets given as the XML inside <worksheet>; `parts` adds to or replaces the package's own."""
    entries = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="r{i}"/>' for i, name in enumerate(sheets, start=1))
    relations = "".join(
        f'<Relationship Id="r{i}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{i}.xml"/>'
        for i in range(1, len(sheets) + 1)
    )
    relations += f'<Relationship Id="s" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    relations += f'<Relationship Id="t" Type="{OFFICE}/styles" Target="styles.xml"/>'
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    content = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{types}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{about}<sheets>{entries}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{relations}</Relationships>',
    }
    for i, inner in enumerate(sheets.values(), start=1):
        content[f"xl/worksheets/sheet{i}.xml"] = f'<worksheet xmlns="{MAIN}" xmlns:r="{OFFICE}">{inner}</worksheet>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**content, **(parts or {})}.items():
            archive.writestr(name, text)
    return path


def fees(path: Path) -> Path:
    """A title, a table of fees with a total, and a note."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Fees"
    for row in [
        ["Schedule of fees"],
        [],
        ["Fee", "Amount (EUR)", "Basis", "Due"],
        ["Annual Programme Fee", 1250000, "per year", date(2025, 3, 31)],
        ["Expedite Fee", 2400.5, "per order", date(2025, 4, 30)],
        ["Storage Fee", 35, "per pallet", date(2025, 5, 31)],
        [],
        ["Note: all fees exclude VAT."],
    ]:
        sheet.append(row)
    for cell in sheet["B"][3:6]:
        cell.number_format = "#,##0.00"
    for cell in sheet["D"][3:6]:
        cell.number_format = "d mmm yyyy"
    book.save(path)
    return path


def texts(document: ParsedDocument, page_num: int = 1) -> list[str]:
    """The visible lines of a sheet."""
    frame = document.line_df
    return frame.loc[(frame["page_num"] == page_num) & frame["visible"], "text"].tolist()


def cell(document: ParsedDocument, row: int, column: int, page_num: int = 1) -> pd.Series:
    """The one cell at a place of a sheet."""
    frame = document.table_df
    found = frame[(frame["page_num"] == page_num) & (frame["row_num"] == row) & (frame["column_num"] == column)]
    assert len(found) == 1
    return found.iloc[0]


def test_a_row_is_a_line_of_what_its_cells_show(tmp_path: Path) -> None:
    """Cells are parted by two blanks; numbers and dates read as on the screen; the sheet is the page."""
    document = parse(fees(tmp_path / "fees.xlsx"))
    assert texts(document) == [
        "Schedule of fees",
        "Fee  Amount (EUR)  Basis  Due",
        "Annual Programme Fee  1,250,000.00  per year  31 Mar 2025",
        "Expedite Fee  2,400.50  per order  30 Apr 2025",
        "Storage Fee  35.00  per pallet  31 May 2025",
        "Note: all fees exclude VAT.",
    ]
    assert document.format == "xlsx"
    assert document.profile.identity.page_unit == "sheet"
    assert document.page_df["label"].tolist() == ["Fees"]
    assert document.line_df["role"].tolist() == ["body", "table", "table", "table", "table", "body"]
    assert document.toc_df["title"].tolist() == ["Fees"]


def test_cells_keep_their_place_and_carry_their_header(tmp_path: Path) -> None:
    """Rows and columns are those of the sheet; a header of words over figures is told; notes have none."""
    document = parse(fees(tmp_path / "fees.xlsx"))
    amount = cell(document, 5, 2)
    assert (amount["text"], amount["header"], amount["is_header"]) == ("2,400.50", "Amount (EUR)", False)
    assert bool(cell(document, 3, 2)["is_header"])
    assert cell(document, 8, 1)["header"] == ""
    assert document.line_df.set_index("line_id").loc[amount["line_start"], "text"].startswith("Expedite Fee")


def test_a_short_table_is_one_paragraph_and_a_long_one_a_paragraph_a_row(tmp_path: Path) -> None:
    """Context is cut along paragraphs: the header of a short table is read with its rows."""
    document = parse(fees(tmp_path / "fees.xlsx"))
    assert document.line_df["paragraph_id"].tolist() == [1, 2, 2, 2, 2, 3]
    book = openpyxl.Workbook()
    for number in range(200):
        book.active.append([f"row {number}", number])
    book.save(tmp_path / "long.xlsx")
    assert parse(tmp_path / "long.xlsx").line_df["paragraph_id"].is_unique


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([["Name", "Score"], ["a", 1], ["b", 2]], {1}),
        ([["Name", 2023, 2022], ["Sales", 10.5, 9.5], ["Costs", 4.5, 5.5]], {1}),
        ([["Party", "Acme Ltd"], ["Date", date(2024, 1, 1)], ["Amount", 100], ["Country", "Spain"]], set()),
        ([["a", "b"], ["c", "d"]], set()),
        ([[1, 2], [3, 4]], set()),
        ([["Title only"], ["Name", "Score"], ["a", 1]], {2}),
    ],
)
def test_a_header_is_words_over_figures(tmp_path: Path, rows: list[list[object]], header: set[int]) -> None:
    """Years may head columns; a form of names and values has no header, nor has a grid of words."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    frame = parse(tmp_path / "a.xlsx").table_df
    assert set(frame.loc[frame["is_header"], "row_num"]) == header


def test_the_sheet_itself_may_say_what_a_header_is(tmp_path: Path) -> None:
    """Table objects, rows kept in view, and bold or filled rows head columns of words too."""
    book = openpyxl.Workbook()
    table, frozen, bold, filled = (book.active, *(book.create_sheet() for _ in range(3)))
    for sheet in book:
        for row in [["Clause", "Owner"], ["Fees", "Ann"], ["Term", "Bob"]]:
            sheet.append(row)
    table.add_table(Table(displayName="clauses", ref="A1:B3"))
    frozen.freeze_panes = "A2"
    for one in bold[1]:
        one.font = Font(bold=True)
    for one in filled[1]:
        one.fill = PatternFill("solid", fgColor="FFDDDDDD")
    book.save(tmp_path / "a.xlsx")
    document = parse(tmp_path / "a.xlsx")
    assert [cell(document, 3, 2, page)["header"] for page in (1, 2, 3, 4)] == ["Owner"] * 4


def test_headers_over_several_rows_and_columns_are_joined(tmp_path: Path) -> None:
    """A merged period over measures belongs to each of its columns; the merged cell says what it covers."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [["Segment", "2023", None], [None, "Sales", "Profit"], ["North", 10.5, 2.5], ["South", 8.5, 1.5]]:
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    book.save(tmp_path / "a.xlsx")
    document = parse(tmp_path / "a.xlsx")
    assert cell(document, 3, 3)["header"] == "2023 Profit"
    assert cell(document, 1, 2)["column_span"] == 2
    assert texts(document)[0] == "Segment  2023"


def test_hidden_content_is_kept_apart_and_reported(tmp_path: Path) -> None:
    """Sheets, rows, columns, white words and formats that show nothing: kept, not visible, each with its reason."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["seen", "covert column", "next"])
    sheet.append(["covert row"])
    sheet.append(["white words", "beside"])
    sheet.append([42, "shown"])
    sheet["A3"].font = Font(color="FFFFFFFF")
    sheet["A4"].number_format = ";;;"
    sheet.column_dimensions["B"].hidden = True
    sheet.row_dimensions[2].hidden = True
    secret = book.create_sheet("Salaries")
    secret.append(["covert sheet"])
    secret.sheet_state = "veryHidden"
    book.save(tmp_path / "a.xlsx")
    document = parse(tmp_path / "a.xlsx")
    hidden = document.line_df[~document.line_df["visible"]].set_index("text")["hidden_reason"].to_dict()
    assert hidden == {
        "covert column": "in a hidden column",
        "covert row": "in a hidden row",
        "white words": "its colour cannot be told from its background (white on white)",
        "beside": "in a hidden column",
        "shown": "in a hidden column",
        "42": "its number format shows nothing",
        "covert sheet": "on a hidden sheet",
    }
    assert texts(document)[0] == "seen  next"
    assert "Salaries" not in document.toc_df["title"].tolist()
    assert (document.finding_df["kind"] == "hidden_text").sum() >= 6
    assert document.page_df["status"].tolist() == ["native", "native"]


def test_white_words_on_a_fill_are_seen(tmp_path: Path) -> None:
    """A white header on a dark band is the usual look of a table: no false alarm."""
    book = openpyxl.Workbook()
    book.active.append(["Fee", "Amount"])
    book.active.append(["Setup", 5])
    for one in book.active[1]:
        one.font = Font(color="FFFFFFFF", bold=True)
        one.fill = PatternFill("solid", fgColor="FF1F3864")
    book.save(tmp_path / "a.xlsx")
    assert texts(parse(tmp_path / "a.xlsx")) == ["Fee  Amount", "Setup  5"]


def test_formulas_show_their_last_value_and_are_never_computed(tmp_path: Path) -> None:
    """A stored result is shown in its format; a formula without one is shown as written, and is a finding."""
    rows = (
        '<row r="1"><c r="A1"><f>6*7</f><v>41</v></c><c r="B1" t="str"><f>"a"&amp;"b"</f><v>ab</v></c>'
        '<c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D1" t="b"><f>TRUE()</f><v>1</v></c></row>'
        '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">B2*2</f></c></row>'
        '<row r="3"><c r="A3"><f t="shared" si="0"/></c></row>'
        '<row r="4"><c r="A4" t="str"><f>IF(1,"","")</f><v></v></c></row>'
    )
    path = raw_workbook(tmp_path / "a.xlsx", {"S": f"<sheetData>{rows}</sheetData>"})
    document = parse(path)
    assert texts(document) == ["41  ab  #DIV/0!  TRUE", "=B2*2", "=B3*2"]
    kinds = document.finding_df.set_index("kind")["detail"]
    assert "A2 (=B2*2), A3 (=B3*2)" in kinds["placeholder"]
    assert "C1 (#DIV/0!)" in kinds["cell_error"]


def test_strings_of_every_kind_are_read(tmp_path: Path) -> None:
    """Shared, rich, inline, with escapes, breaks and control characters; phonetic guides are left out."""
    strings = (
        f'<sst xmlns="{MAIN}"><si><t>plain</t></si><si><r><t xml:space="preserve">rich </t></r><r><t>text</t></r>'
        "<rPh sb='0' eb='1'><t>guide</t></rPh></si><si><t>two\nlines_x000D_ and_x0007_bell</t></si></sst>"
    )
    rows = (
        '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c>'
        '<c t="inlineStr"><is><t>in  line</t></is></c><c t="s"><v>99</v></c></row>'
    )
    path = raw_workbook(
        tmp_path / "a.xlsx", {"S": f"<sheetData>{rows}</sheetData>"}, parts={"xl/sharedStrings.xml": strings}
    )
    document = parse(path)
    assert texts(document) == ["plain  rich text  two lines and\ufffdbell  in line  \ufffd"]
    assert "E1" in document.finding_df.set_index("kind")["detail"]["damage"]


def test_comments_are_lines_of_their_own_and_findings(tmp_path: Path) -> None:
    """A remark is no part of what the sheet says; its cell and author are reported."""
    book = openpyxl.Workbook()
    book.active.append(["Fee", 5])
    book.active["B1"].comment = Comment("Ask legal", "Ann")
    book.save(tmp_path / "a.xlsx")
    document = parse(tmp_path / "a.xlsx")
    last = document.line_df.iloc[-1]
    assert (last["role"], last["text"]) == ("comment", "Ask legal")
    finding = document.finding_df.set_index("kind").loc["comment"]
    assert finding["detail"] == "Comment by Ann on cell B1 of 'Sheet'."
    assert finding["line_id"] == last["line_id"]


def test_links_inside_the_workbook_point_at_lines(tmp_path: Path) -> None:
    """A link to a place in another sheet becomes a reference to the row there."""
    book = openpyxl.Workbook()
    book.active.append(["See fees"])
    book.active["A1"].hyperlink = "#'My Fees'!A2"
    book.active["B1"] = "click"
    book.active["B1"].hyperlink = "https://elsewhere.example/fees"
    other = book.create_sheet("My Fees")
    other.append(["Fee"])
    other.append(["Setup"])
    book.save(tmp_path / "a.xlsx")
    document = parse(tmp_path / "a.xlsx")
    link = document.cross_ref_df.iloc[0]
    assert link["source"] == "link"
    assert document.line_df.set_index("line_id").loc[link["target_line_id"], "text"] == "Setup"
    assert "B1 (https://elsewhere.example/fees)" in document.finding_df.set_index("kind")["detail"]["link"]


def test_a_strict_workbook_shows_its_sheets(tmp_path: Path) -> None:
    """Openpyxl finds no sheet in Strict OOXML; dates stand there as words in ISO 8601."""
    source = raw_workbook(
        tmp_path / "a.xlsx",
        {"First": '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>words</t></is></c>'
                  '<c r="B1" t="d"><v>2025-01-31</v></c></row></sheetData>'},
    )  # fmt: skip
    target = tmp_path / "strict.xlsx"
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            for usual, strict in STRICT.items():
                text = text.replace(usual, strict)
            new.writestr(name, text)
    assert texts(parse(target)) == ["words  2025-01-31"]


def test_a_huge_used_range_with_three_values_costs_three_cells(tmp_path: Path) -> None:
    """Rows and columns at the far end of the sheet are read; what is only formatted is no cell."""
    rows = (
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2" s="0"/><c r="B2"/></row>'
        f'<row r="{MAX_ROWS}"><c r="XFD{MAX_ROWS}"><v>2</v></c></row><row r="7"><c r="ZZZZ7"><v>3</v></c></row>'
    )
    document = parse(raw_workbook(tmp_path / "a.xlsx", {"S": f"<sheetData>{rows}</sheetData>"}))
    assert texts(document) == ["1", "2"]
    assert document.table_df["column_num"].tolist() == [1, MAX_COLUMNS]
    assert "no place" in document.finding_df.set_index("kind")["detail"]["damage"]


def test_more_cells_than_the_limit_make_the_sheet_unreadable(tmp_path: Path) -> None:
    """What was read stays; the status says how much was not, so that no absence is proven."""
    book = openpyxl.Workbook()
    for number in range(10):
        book.active.append([number, number])
    book.save(tmp_path / "a.xlsx")
    document = parse(tmp_path / "a.xlsx", max_cells=8)
    assert len(document.table_df) == 8
    assert document.page_df["status"].tolist() == ["unreadable"]
    assert "12 cells" in document.page_df["status_reason"][0]


def test_damage_costs_the_sheet_and_not_the_workbook(tmp_path: Path) -> None:
    """A broken or missing sheet has a status; the others are read."""
    path = raw_workbook(
        tmp_path / "a.xlsx",
        {"Good": '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>', "Broken": "<sheetData/>"},
        parts={"xl/worksheets/sheet2.xml": f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>5</v></c>'
                                           "</row><row r=2>"},
    )  # fmt: skip
    document = parse(path)
    assert document.page_df["status"].tolist() == ["native", "failed"]
    assert texts(document, 2) == ["5"]
    assert "after row 1" in document.page_df["status_reason"][1]


def test_a_damaged_part_beside_the_sheets_costs_no_sheet(tmp_path: Path) -> None:
    """Broken styles lose formats, and a finding says so; the cells are read."""
    sheet = '<sheetData><row r="1"><c r="A1" s="3"><v>45658</v></c></row></sheetData>'
    document = parse(raw_workbook(tmp_path / "a.xlsx", {"S": sheet}, parts={"xl/styles.xml": "<styleSheet"}))
    assert texts(document) == ["45658"]
    assert "styles.xml" in document.finding_df.set_index("kind")["detail"]["damage"]


def test_what_is_printed_on_each_page_is_running_text(tmp_path: Path) -> None:
    """Headers and footers on paper keep their words without their codes, and are not searched."""
    sheet = (
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><headerFooter>'
        '<oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Acme R&amp;&amp;D&amp;RConfidential</oddHeader>'
        "<oddFooter>&amp;C&amp;P / &amp;N</oddFooter></headerFooter>"
    )
    document = parse(raw_workbook(tmp_path / "a.xlsx", {"S": sheet}))
    assert document.line_df["text"].tolist() == ["1", "Acme R&D Confidential"]
    assert document.line_df["role"].tolist() == ["table", "header"]


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    """A workbook that declares entities is hostile: its sheet is refused, nothing is expanded."""
    bomb = (
        '<!DOCTYPE w [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>'
        f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1" t="str"><v>&b;</v></c></row></sheetData>'
        "</worksheet>"
    )
    path = raw_workbook(tmp_path / "a.xlsx", {"S": ""}, parts={"xl/worksheets/sheet1.xml": bomb})
    document = parse(path)
    assert document.page_df["status"].tolist() == ["failed"]
    assert "entities" in document.page_df["status_reason"][0]
    assert not document.line_df["text"].str.contains("lol").any()


def test_words_over_the_cells_are_read(tmp_path: Path) -> None:
    """Text boxes are lines, pictures are counted in a finding: words in them were not read."""
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    xdr = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
    drawing = (
        f'<x:wsDr xmlns:x="{xdr}" xmlns:a="{a}"><x:twoCellAnchor><x:sp><x:txBody><a:p><a:r><a:t>Draft only</a:t></a:r>'
        "</a:p></x:txBody></x:sp><x:pic/></x:twoCellAnchor></x:wsDr>"
    )
    relation = f'<Relationship Id="d" Type="{OFFICE}/drawing" Target="../drawings/d.xml"/>'
    rels = f'<Relationships xmlns="{PACKAGE}/relationships">{relation}</Relationships>'
    parts = {"xl/drawings/d.xml": drawing, "xl/worksheets/_rels/sheet1.xml.rels": rels}
    document = parse(raw_workbook(tmp_path / "a.xlsx", {"S": "<sheetData/>"}, parts=parts))
    assert texts(document) == ["Draft only"]
    assert "1 picture(s)" in document.finding_df.set_index("kind")["detail"]["image"]


def test_errors_name_the_cause(tmp_path: Path) -> None:
    """No sheet, too many sheets, no package: one clear sentence each."""
    with pytest.raises(EmptyDocumentError, match="no sheet"):
        parse(raw_workbook(tmp_path / "none.xlsx", {}))
    path = raw_workbook(tmp_path / "two.xlsx", {"A": "<sheetData/>", "B": "<sheetData/>"})
    with pytest.raises(LimitExceededError, match="max_pages"):
        parse(path, max_pages=1)
    torn = tmp_path / "torn.xlsx"
    data = path.read_bytes()
    torn.write_bytes(data.replace(b"xl/workbook.xml", b"xl/w0rkbook.xml"))
    with pytest.raises(DamagedDocumentError):
        parse(torn)


def test_only_the_sheets_asked_for_are_read(tmp_path: Path) -> None:
    """The others keep a row that says so."""
    path = raw_workbook(
        tmp_path / "a.xlsx",
        {name: f'<sheetData><row r="1"><c r="A1" t="str"><v>{name}</v></c></row></sheetData>' for name in ("A", "B")},
    )
    document = parse(path, pages=(2,))
    assert document.line_df["text"].tolist() == ["B"]
    assert document.page_df["status"].tolist() == ["unreadable", "native"]


def test_the_same_bytes_give_the_same_record(tmp_path: Path) -> None:
    """Nothing depends on time, place or order of sets."""
    path = fees(tmp_path / "fees.xlsx")
    assert parse(path).same_as(parse(path))


@given(st.integers(1, MAX_ROWS), st.integers(1, MAX_COLUMNS))
def test_places_are_read_as_they_are_named(row: int, column: int) -> None:
    """Row and column survive the way to letters and back."""
    assert read_cell(name_cell(row, column)) == (row, column)
    assert read_range(f"{name_cell(row, column)}:A1") == (1, 1, row, column)


@settings(max_examples=25)
@given(
    st.dictionaries(
        st.tuples(st.integers(1, 30), st.integers(1, 12)),
        st.one_of(
            st.integers(-(10**9), 10**9), st.booleans(), st.text("abc xyz1.,", min_size=1, max_size=12),
            st.dates(date(1950, 1, 1), date(2100, 1, 1)),
        ),
        min_size=1, max_size=40,
    )
)  # fmt: skip
def test_no_cell_is_lost(tmp_path_factory: pytest.TempPathFactory, cells: dict[tuple[int, int], object]) -> None:
    """Against openpyxl: each cell with words is one row of table_df, and its words stand in its line."""
    book = openpyxl.Workbook()
    for (row, column), value in cells.items():
        book.active.cell(row, column, value)
    path = tmp_path_factory.mktemp("book") / "a.xlsx"
    book.save(path)
    document = parse(path)
    there = {place for place, value in cells.items() if str(value).strip()}
    assert set(zip(document.table_df["row_num"], document.table_df["column_num"], strict=True)) == there
    lines = document.line_df.set_index("line_id")["text"]
    for one in document.table_df.itertuples():
        assert one.text in lines[one.line_start]


def test_the_number_formats_of_a_real_workbook(shared_data: Path) -> None:
    """What stands beside the values there is what the cells show."""
    document = parse(shared_data / "torture" / "xlsx" / "number_formats.xlsx")
    rows = " ".join(document.line_df["text"])
    for shown in ("1,599.99", "($1,599.99)", "-1.98E+08", "2.50%", "2 1/2", "6:15 PM", "18:15", "17-May-07",
                  "19 dollars and .99 cents", "At 4:20 AM on Thursday May 17, 2007"):  # fmt: skip
        assert shown in rows


@pytest.mark.parametrize("name", ["half_year_segments", "more_than_1k_cells", "financial_sample_700_rows"])
def test_real_workbooks_lose_no_cell(shared_data: Path, name: str) -> None:
    """As many cells with words as openpyxl finds, sheet by sheet."""
    path = shared_data / "torture" / "xlsx" / f"{name}.xlsx"
    document = parse(path)
    book = openpyxl.load_workbook(io.BytesIO(path.read_bytes()), data_only=True)
    for page_num, sheet in enumerate(book.worksheets, start=1):
        there = {
            (one.row, one.column)
            for row in sheet.iter_rows()
            for one in row
            if one.value is not None and str(one.value).strip()
        }
        frame = document.table_df[document.table_df["page_num"] == page_num]
        assert set(zip(frame["row_num"], frame["column_num"], strict=True)) == there
        assert document.page_df["label"][page_num - 1] == re.sub(r"\s+", " ", sheet.title).strip()
