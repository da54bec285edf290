"""Tables of PDF pages: found, read cell by cell, joined over pages, and nothing else taken for one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.mupdf import pymupdf
from pipeline.parsing.assemble import make_document
from pipeline.parsing.pdf import read_pdf
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.table_pieces import is_figure, is_year
from pipeline.parsing.table_rules import find_grids, join_rules, turn_box
from schemas.document import ParsedDocument
from tests.parsing.builders import LOREM, paragraph

FEES = [
    ["Service", "Monthly fee", "Term"],
    ["Hosting", "1,200.00", "24 months"],
    ["Support", "300.00", "12 months"],
    ["Backup", "75.50", "12 months"],
]


def parse(document, *, pages: tuple[int, ...] | None = None) -> ParsedDocument:
    """The document's record, made in this process."""
    data = document if isinstance(document, bytes) else document.tobytes(no_new_id=True)
    settings = ParsingSettings(ocr="off", pages=pages)
    source = Source(data, "table.pdf", "0" * 64, "table_00000000")
    return make_document(source, settings, read_pdf(source, settings))


def draw_grid(page, rows: Sequence[Sequence[str]], *, x=72.0, y=100.0, wide=130.0, high=20.0, rules=True) -> float:
    """A table with its rules; gives where it ends."""
    columns = max(map(len, rows))
    for at, row in enumerate(rows):
        for column, text in enumerate(row):
            for line, part in enumerate(text.split("\n")):
                page.insert_text((x + column * wide + 4, y + at * high + 13 + 11 * line), part, fontsize=10)
    if rules:
        for at in range(len(rows) + 1):
            page.draw_line((x, y + at * high), (x + columns * wide, y + at * high), width=0.5)
        for column in range(columns + 1):
            page.draw_line((x + column * wide, y), (x + column * wide, y + len(rows) * high), width=0.5)
    return y + len(rows) * high


def put_right(page, x: float, y: float, text: str, *, size: float = 10) -> None:
    """Text that ends at x."""
    page.insert_text((x - pymupdf.get_text_length(text, fontsize=size), y), text, fontsize=size)


def rows_of(document: ParsedDocument, table_id: int = 1) -> list[list[str]]:
    """The table's texts by row and column, empty where there is no cell."""
    frame = document.table_df[document.table_df["table_id"] == table_id]
    width = int((frame["column_num"] + frame["column_span"]).max()) - 1
    rows: dict[int, list[str]] = {}
    for cell in frame.itertuples():
        rows.setdefault(cell.row_num, [""] * width)[cell.column_num - 1] = cell.text
    return [rows[number] for number in sorted(rows)]


def test_a_ruled_table_is_read_cell_by_cell() -> None:
    """Each word stands in its row and column, with the header of its column and the line that holds it."""
    document = pymupdf.open()
    draw_grid(document.new_page(), FEES)
    parsed = parse(document)
    assert rows_of(parsed) == FEES
    table = parsed.table_df
    fee = table[table["text"] == "300.00"].iloc[0]
    assert (fee["header"], bool(fee["is_header"])) == ("Monthly fee", False)
    assert table[table["row_num"] == 1]["is_header"].all()
    line = parsed.line_df.set_index("line_id").loc[int(fee["line_start"])]
    assert "Support" in line["text"]
    assert "300.00" in line["text"]
    assert fee["x0"] < line["x1"]
    assert set(parsed.line_df["role"]) == {"table"}
    assert parsed.page_df["table_count"].tolist() == [1]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_table_on_a_turned_page_is_the_same_table(rotation: int) -> None:
    """What counts is the page as it is displayed."""
    document = pymupdf.open()
    page = document.new_page()
    draw_grid(page, FEES)
    page.set_rotation(rotation)
    assert rows_of(parse(document)) == FEES


def test_cells_over_several_rows_and_columns_have_their_spans() -> None:
    """A title over two columns heads both of them."""
    document = pymupdf.open()
    page = document.new_page()
    rows = [["Region", "Sales", ""], ["", "2023", "2024"], ["North", "10", "20"], ["South", "30", "40"]]
    draw_grid(page, rows, rules=False)
    x, y, wide, high = 72, 100, 130, 20
    for at in (0, 2, 3, 4):
        page.draw_line((x, y + at * high), (x + 3 * wide, y + at * high))
    page.draw_line((x + wide, y + high), (x + 3 * wide, y + high))
    for column in (0, 1, 3):
        page.draw_line((x + column * wide, y), (x + column * wide, y + 4 * high))
    page.draw_line((x + 2 * wide, y + high), (x + 2 * wide, y + 4 * high))
    table = parse(document).table_df.set_index("text")
    assert (table.loc["Region", "row_span"], table.loc["Sales", "column_span"]) == (2, 2)
    assert table.loc["40", "header"] == "Sales 2024"
    assert table.loc["30", "header"] == "Sales 2023"
    assert table.loc["South", "header"] == "Region"
    assert table[table["is_header"]].index.tolist() == ["Region", "Sales", "2023", "2024"]


def test_an_open_table_of_figures_is_told_by_its_columns() -> None:
    """A financial statement: signs apart from figures, parentheses, dashes, labels over two lines, group titles."""
    document = pymupdf.open()
    page = document.new_page()
    for x, text in ((330, "2024"), (430, "2023")):
        put_right(page, x, 90, text)
    lines = [
        ("Revenue", "$", "1,250", "$", "1,100"),
        ("Operating expenses:", "", "", "", ""),
        ("Cost of goods sold", "", "(700)", "", "(655)"),
        ("Impairment", "", "-", "", "(12)"),
        ("Income before income taxes and minority", "", "", "", ""),
        ("interests", "", "550", "", "433"),
        ("Net income", "$", "412", "$", "320"),
    ]
    for at, (label, sign, first, other, second) in enumerate(lines):
        y = 110 + 14 * at
        page.insert_text((72, y), label, fontsize=10)
        page.insert_text((285, y), sign, fontsize=10)
        put_right(page, 330, y, first)
        page.insert_text((385, y), other, fontsize=10)
        put_right(page, 430, y, second)
    parsed = parse(document)
    assert rows_of(parsed) == [
        ["", "2024", "2023"],
        ["Revenue", "$ 1,250", "$ 1,100"],
        ["Operating expenses:", "", ""],
        ["Cost of goods sold", "(700)", "(655)"],
        ["Impairment", "-", "(12)"],
        ["Income before income taxes and minority interests", "550", "433"],
        ["Net income", "$ 412", "$ 320"],
    ]
    table = parsed.table_df
    assert table[table["text"] == "$ 320"]["header"].tolist() == ["2023"]
    wrapped = table[table["text"].str.startswith("Income before")].iloc[0]
    assert wrapped["line_end"] == wrapped["line_start"] + 1


def test_titles_over_several_columns_head_each_of_them() -> None:
    """Two lines of titles: the upper one is centred over the columns that it belongs to."""
    document = pymupdf.open()
    page = document.new_page()
    for middle, text in ((310, "Three months ended"), (470, "Six months ended")):
        width = pymupdf.get_text_length(text, fontsize=10)
        page.insert_text((middle - width / 2, 90), text, fontsize=10)
    ends = (290, 360, 450, 520)
    for x, text in zip(ends, ("2024", "2023", "2024", "2023"), strict=True):
        put_right(page, x, 104, text)
    for at, label in enumerate(("Revenue", "Cost", "Profit")):
        page.insert_text((72, 120 + 14 * at), label, fontsize=10)
        for column, x in enumerate(ends):
            put_right(page, x, 120 + 14 * at, f"{(at + 1) * (column + 1) * 1111:,}")
    table = parse(document).table_df
    header = table[(table["row_num"] == 3)].set_index("column_num")["header"].to_dict()
    assert header == {
        1: "",
        2: "Three months ended 2024",
        3: "Three months ended 2023",
        4: "Six months ended 2024",
        5: "Six months ended 2023",
    }


def test_a_rule_under_the_first_rows_makes_them_the_header() -> None:
    """A paper's table: rules above, under the header and below; words in every cell, a caption above."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 80), "Table 1: Layers and their cost", fontsize=10)
    rows = [["Layer", "Complexity", "Path"], ["Attention", "quadratic", "constant"], ["Recurrent", "linear", "linear"]]
    draw_grid(page, rows, y=90, high=16, rules=False)
    for y in (92, 108, 140):
        page.draw_line((72, y), (72 + 3 * 130, y))
    parsed = parse(document)
    assert rows_of(parsed) == rows
    assert parsed.table_df[parsed.table_df["text"] == "linear"]["header"].tolist() == ["Complexity", "Path"]
    caption = parsed.line_df[parsed.line_df["role"] == "caption"]["line_id"].tolist()
    assert parsed.table_df["caption_line_id"].unique().tolist() == caption
    assert parsed.object_df["object_type"].tolist() == ["table"]


def _pages(first: Sequence[Sequence[str]], second: Sequence[Sequence[str]], *, title: str = "", wide: float = 130):
    document = pymupdf.open()
    page = document.new_page()
    for line in paragraph(72, 60, ["The fees are these:"]):
        page.insert_text(line[:2], line[2], fontsize=11)
    draw_grid(page, first)
    page = document.new_page()
    if title:
        page.insert_text((72, 60), title, fontsize=11)
    draw_grid(page, second, y=80, wide=wide)
    return document


def test_a_table_that_goes_on_keeps_its_number_and_header() -> None:
    """The second page has no header: its cells have that of the first, and their rows are counted on."""
    more = [["Audit", "900.00", "1 month"], ["Training", "80.00", "2 months"]]
    parsed = parse(_pages(FEES, more))
    assert rows_of(parsed) == FEES + more
    training = parsed.table_df[parsed.table_df["text"] == "80.00"].iloc[0]
    assert (training["page_num"], training["row_num"], training["header"]) == (2, 6, "Monthly fee")
    assert parsed.page_df["table_count"].tolist() == [1, 1]


def test_a_repeated_header_is_left_out() -> None:
    """A header printed again on the next page is no row of the table; its lines are rows of one all the same."""
    more = [FEES[0], ["Audit", "900.00", "1 month"], ["Training", "80.00", "2 months"]]
    parsed = parse(_pages(FEES, more, title="Fees (continued)"))
    assert rows_of(parsed) == FEES + more[1:]
    again = parsed.line_df[parsed.line_df["text"].str.startswith("Service")]
    assert again["role"].tolist() == ["table", "table"]


@pytest.mark.parametrize(
    ("second", "title", "wide"),
    [
        ([["Audit", "900.00"], ["Training", "80.00"]], "", 195),  # other columns
        ([["Item", "Price", "Unit"], ["Audit", "900.00", "day"], ["Desk", "80.00", "day"]], "", 130),  # other header
        ([["Audit", "900.00", "1 month"], ["Training", "80.00", "2 months"]], "Travel costs are paid apart.", 130),
    ],
)
def test_another_table_is_another_table(second: list[list[str]], title: str, wide: float) -> None:
    """Other columns, another header or words in between begin a new table."""
    parsed = parse(_pages(FEES, second, title=title, wide=wide))
    assert parsed.table_df["table_id"].unique().tolist() == [1, 2]
    assert rows_of(parsed, 2) == second


def test_what_only_looks_like_a_table_is_none() -> None:
    """Clauses, a contents page, a signature block, a frame around text, a form of labels, two columns of prose."""
    document = pymupdf.open()
    page = document.new_page()
    for at, text in enumerate(("Definitions", "Fees", "Term", "Liability")):
        page.insert_text((72, 80 + 40 * at), f"{at + 1}.1", fontsize=11)
        page.insert_text((110, 80 + 40 * at), f"{text}. {LOREM[:60]}", fontsize=11)
    page = document.new_page()
    page.insert_text((72, 60), "Contents", fontsize=14)
    for at, text in enumerate(("Definitions", "Fees", "Term", "Liability", "Notices")):
        page.insert_text((72, 100 + 16 * at), f"{text} {'.' * 40}", fontsize=11)
        page.insert_text((480, 100 + 16 * at), str(3 + at), fontsize=11)
    page = document.new_page()
    for x, party in ((72, "ACME LTD"), (320, "WIDGET INC")):
        for at, text in enumerate(
            (party, "By: ______________", "Name: John Smith", "Title: Director", "Date: 1 May 2020")
        ):
            page.insert_text((x, 100 + 20 * at), text, fontsize=11)
    page = document.new_page()
    page.draw_rect((60, 80, 500, 200))
    for at in range(4):
        page.insert_text((72, 100 + 14 * at), LOREM[:80], fontsize=10)
    page = document.new_page()
    form = [["Name: Jane", "Phone: 12 34"], ["Street: High St", "Town: Ely"], ["Date: 1 May", "Fax: none"]]
    draw_grid(page, form, wide=200)
    page = document.new_page()
    for x in (60, 310):
        for at in range(12):
            page.insert_text((x, 100 + 14 * at), LOREM[at : at + 44], fontsize=10)
    parsed = parse(document)
    assert parsed.table_df.empty, parsed.table_df[["page_num", "text"]].to_string()
    assert "table" not in set(parsed.line_df["role"])


def test_words_below_the_last_row_that_look_like_titles_begin_no_table_without_rows() -> None:
    """What follows the last row after a small blank, right of all labels, is the rest of that row's cell."""
    rows = [["Hosting", "1,200.00", "24.00"], ["Support", "300.00", "12.00"], ["Backup", "75.50", "12.00"]]
    document = pymupdf.open()
    page = document.new_page()
    for at, row in enumerate(rows):
        for x, text in zip((72, 200, 330), row, strict=True):
            page.insert_text((x, 100 + 10.5 * at), text, fontsize=10)
    page.insert_text((330, 100 + 10.5 * 2 + 15.5), "a month", fontsize=10)
    found = rows_of(parse(document))
    assert found[:2] == rows[:2]
    assert found[-1][-1].endswith("a month")


def test_a_chart_of_many_strokes_costs_nothing() -> None:
    """A page of thousands of drawn pieces is a picture: no table is looked for in its rules."""
    document = pymupdf.open()
    page = document.new_page()
    shape = page.new_shape()
    for at in range(3000):
        shape.draw_line((10 + at % 500, 10 + at // 5), (18 + at % 500, 10 + at // 5))
        shape.draw_line((10 + at % 500, 10 + at // 5), (10 + at % 500, 18 + at // 5))
    shape.finish(width=0.3)
    shape.commit()
    page.insert_text((72, 700), "Figure 1: a chart", fontsize=10)
    assert parse(document).table_df.empty


def test_lines_stay_what_they_were() -> None:
    """The words of a table's lines are those of the page; cells only point at them."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 60), "4. Fees and Payment", fontsize=12, fontname="hebo")
    draw_grid(page, FEES)
    parsed = parse(document)
    words = " ".join(parsed.line_df["text"]).split()
    assert sorted(words) == sorted(pymupdf.open(stream=document.tobytes())[0].get_text().split())
    assert parsed.line_df["role"].tolist()[0] == "heading"


@pytest.mark.parametrize(
    "text",
    ["1,234", "(1,234)", "$ 1,234.50", "$(0.57)", "12.5 %", "—", "-", "n/a", "€ 3.400,00", "1 234 567", "8.5x", "+3"],
)
def test_figures_are_told(text: str) -> None:
    """Amounts, percentages, negatives and dashes are figures, in the ways that reports write them."""
    assert is_figure(text)


@pytest.mark.parametrize("text", ["Total", "Section 4", "12 months", "A1", "July 29, 2023", "", "(in millions)"])
def test_words_are_no_figures(text: str) -> None:
    """Words with numbers in them are words."""
    assert not is_figure(text)


def test_years_head_columns() -> None:
    """A year or a quarter is a title, an amount of four digits with a comma is none."""
    assert all(map(is_year, ("2018", "FY 2023", "Q2 2024", "2023 (a)")))
    assert not any(map(is_year, ("2,018", "1234", "20180", "18")))


@given(
    columns=st.lists(st.integers(20, 90), min_size=2, max_size=5),
    rows=st.lists(st.integers(12, 60), min_size=1, max_size=6),
)
def test_a_full_grid_gives_every_cell_once(columns: list[int], rows: list[int]) -> None:
    """Any full grid of rules gives rows x columns cells that tile its box."""
    xs, ys = [40.0], [50.0]
    for width in columns:
        xs.append(xs[-1] + width)
    for height in rows:
        ys.append(ys[-1] + height)
    rules = [(xs[0], y - 0.3, xs[-1], y + 0.3) for y in ys] + [(x - 0.3, ys[0], x + 0.3, ys[-1]) for x in xs]
    (grid,) = find_grids(*join_rules(rules))
    assert len(grid.cells) == len(columns) * len(rows)
    area = sum((cell.box[2] - cell.box[0]) * (cell.box[3] - cell.box[1]) for cell in grid.cells)
    assert area == pytest.approx((xs[-1] - xs[0]) * (ys[-1] - ys[0]))


@given(
    box=st.tuples(*[st.floats(0, 500)] * 4),
    quarter=st.integers(0, 3),
    width=st.floats(100, 900),
    height=st.floats(100, 900),
)
def test_turning_there_and_back_gives_the_same_box(box, quarter: int, width: float, height: float) -> None:
    """Boxes of cells come back to the page as displayed."""
    x0, y0, x1, y1 = min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3])
    size = (width, height) if quarter % 2 == 0 else (height, width)
    there = turn_box((x0, y0, x1, y1), quarter, width, height)
    assert turn_box(there, (4 - quarter) % 4, *size) == pytest.approx((x0, y0, x1, y1))


def test_tables_of_a_paper(shared_data: Path) -> None:
    """Columns that only narrow white space parts, titles over columns, a caption above: as printed."""
    parsed = parse((shared_data / "papers" / "1706.03762v7.pdf").read_bytes(), pages=(6, 8, 9, 10))
    assert parsed.table_df["table_id"].nunique() == 4
    table = parsed.table_df
    cell = table[(table["page_num"] == 8) & (table["text"] == "41.16")].iloc[0]
    assert cell["header"] == "BLEU EN-FR"
    big = table[(table["page_num"] == 9) & (table["row_num"] == table[table["text"] == "big"]["row_num"].iloc[0])]
    assert big[big["column_num"] == 12]["text"].tolist() == ["26.4"]
    assert table.groupby("table_id")["caption_line_id"].first().notna().all()


def test_a_wordy_ruled_table_is_read_by_its_rows(shared_data: Path) -> None:
    """Page 10 of FIPS 199: the sentences of a cell stay together, and rows follow each other."""
    parsed = parse((shared_data / "nist" / "NIST.FIPS.199.pdf").read_bytes(), pages=(10,))
    table = parsed.table_df
    row = table[table["text"].str.startswith("Integrity")]["row_num"].iloc[0]
    high = table[(table["row_num"] == row) & (table["header"] == "POTENTIAL IMPACT HIGH")]["text"].iloc[0]
    assert high.startswith("The unauthorized modification or destruction of information could be expected to have")
    text = " ".join(parsed.line_df["text"])
    assert text.index("Confidentiality") < text.index("Integrity") < text.index("Availability")
    said = "The unauthorized disclosure of information could be expected to have a limited adverse effect"
    assert said in text
