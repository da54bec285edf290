"""Reading order: columns, tables of words, marks, turned and oblique text, scripts that run the other way."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing.page_text import Fragment
from pipeline.parsing.reading_order import order_lines
from pipeline.parsing.rows import join_text
from pipeline.parsing.settings import ParsingSettings
from tests.parsing.builders import new_page, paragraph, save

IN_PROCESS = ParsingSettings(isolate=False, ocr="off")


def piece(
    text: str, x: float, y: float, *, size: float = 10, width: float | None = None, rotation: int = 0, hidden: str = ""
) -> Fragment:
    """A run of text with its top left at x, y; five points a character unless `width` says otherwise."""
    box = (x, y, x + (5.0 * len(text) if width is None else width), y + 1.1 * size)
    return Fragment(text, box, box, "F", size, False, False, rotation, hidden)


def column(name: str, x: float, y: float, count: int, *, pitch: float = 12, words: str = "says a long enough line"):
    """Lines of prose one under the other."""
    return [piece(f"{name}{at} {words}", x, y + pitch * at) for at in range(1, count + 1)]


def texts(fragments: list[Fragment], rules: list[tuple[float, float, float, float]] | None = None) -> list[str]:
    """The page's lines in reading order."""
    return [join_text(line.fragments) for line in order_lines(fragments, rules or ())[0]]


def heads(fragments: list[Fragment], rules: list[tuple[float, float, float, float]] | None = None) -> list[str]:
    """The first word of each line in reading order."""
    return [text.split()[0] for text in texts(fragments, rules)]


def numbered(name: str, count: int) -> list[str]:
    """a1, a2, ..."""
    return [f"{name}{at}" for at in range(1, count + 1)]


@pytest.mark.parametrize("count", [2, 3])
def test_columns_are_read_one_after_the_other(count: int) -> None:
    """Two and three columns, whose lines are level, are not read across."""
    made = [x for at in range(count) for x in column("abc"[at], 50 + 170 * at, 100, 8)]
    assert heads(made[::2] + made[1::2]) == [word for name in "abc"[:count] for word in numbered(name, 8)]
    assert order_lines(made)[1] == count


def test_blocks_across_part_the_columns() -> None:
    """A title above, a line across in the middle, a footer below: each band is read for itself."""
    across = "x" * 80
    made = [
        piece(f"title {across}", 50, 80), *column("a", 50, 100, 6), *column("b", 300, 100, 6),
        piece(f"middle {across}", 50, 190), *column("c", 50, 210, 6), *column("d", 300, 210, 6),
        piece(f"end {across}", 50, 300),
    ]  # fmt: skip
    bands = [*numbered("a", 6), *numbered("b", 6), "middle", *numbered("c", 6), *numbered("d", 6)]
    assert heads(made) == ["title", *bands, "end"]


def test_a_quote_that_hangs_into_the_gutter_does_not_part_the_columns() -> None:
    """A line of the right column that begins a few points to its left belongs to it."""
    made = [*column("a", 50, 100, 9), *column("b", 210, 100, 9)]
    hanging = next(f for f in made if f.text.startswith("b5"))
    hanging.upright = hanging.box = (205.0, *hanging.box[1:])
    assert heads(made) == numbered("a", 9) + numbered("b", 9)


def test_a_heading_below_the_left_column_follows_the_right_one() -> None:
    """What stands apart above a line across belongs to that line, not to the column it stands under."""
    made = [
        *column("a", 50, 100, 6), *column("b", 300, 100, 6), piece("Heading", 50, 230),
        piece("text " + "x" * 80, 50, 250), piece("more " + "x" * 80, 50, 262),
    ]  # fmt: skip
    assert heads(made) == [*numbered("a", 6), *numbered("b", 6), "Heading", "text", "more"]


def test_a_page_number_under_the_gutter_comes_last() -> None:
    """It does not stand between the columns."""
    made = [*column("a", 50, 100, 8), *column("b", 300, 100, 8), piece("17", 285, 260)]
    assert heads(made) == [*numbered("a", 8), *numbered("b", 8), "17"]


def test_rows_of_short_cells_are_read_across() -> None:
    """A table without rules keeps its rows, two spaces between cells."""
    made = [piece(text, x, 100 + 14 * row) for row in range(6) for x, text in ((50, f"Item {row}"), (200, "12,500"))]
    assert texts(made) == [f"Item {row}  12,500" for row in range(6)]


def test_a_wordy_table_is_read_row_by_row_between_its_rules() -> None:
    """Each cell of a ruled row is read as a whole, and the row before the next."""
    made, rules = [], [(40.0, 98.0, 560.0, 98.6)]
    for row in range(3):
        top = 100 + 70 * row
        made += column(f"a{row}", 50, top - 10, 4) + column(f"b{row}", 300, top - 10, 5)
        rules.append((40.0, top + 66.0, 560.0, top + 66.6))
    expected = [
        word for row in range(3) for name, count in (("a", 4), ("b", 5)) for word in numbered(f"{name}{row}", count)
    ]
    assert heads(made, rules) == expected
    cells = [line.cell for line in order_lines(made, rules)[0]]
    assert len(set(cells)) == 6
    assert cells == sorted(cells)


def test_dotted_rules_count_as_rules() -> None:
    """Pieces of one rule are joined, and labels in the middle of their row stay with it."""
    made = [*column("head", 300, 88, 1), piece("head0 of the labels", 50, 100)]
    rules = []
    for row in range(4):
        top = 120 + 50 * row
        made += [piece(f"label{row} in the middle", 50, top + 15), *column(f"text{row}-", 300, top - 10, 3)]
        rules += [(40.0 + 10 * at, top - 4.0, 48.0 + 10 * at, top - 3.5) for at in range(50)]
    read = heads(made, rules)
    assert [word for word in read if word.startswith("label")] == [f"label{row}" for row in range(4)]
    assert read.index("label1") > read.index("text0-3")


def test_a_list_mark_stays_in_the_row_of_its_text() -> None:
    """Also where the text runs across a gutter that others make."""
    made = [
        *column("a", 50, 100, 6),
        *column("b", 300, 100, 6),
        piece("•", 50, 220, width=5),
        piece("z" * 80, 65, 220.4),
    ]
    assert texts(made)[-1] == "• " + "z" * 80


def test_indices_and_exponents_stay_in_their_line() -> None:
    """An exponent with an index below it, and what follows, is one line."""
    made = [
        piece("one relevant passage p+", 50, 100, width=110), piece("i and more", 154, 102, width=50),
        piece("next line of the text", 50, 114), piece("2", 155.2, 112, size=6, width=4),
    ]  # fmt: skip
    assert texts(made) == ["one relevant passage p+i and more", "next line of the text2"]


def test_notes_in_the_margin_keep_their_own_lines() -> None:
    """Small type far off, at another height, does not join the text's rows."""
    made = [piece("A sentence of the text", 50, 100), piece("see page 4", 400, 107, size=7)]
    assert texts(made) == ["A sentence of the text", "see page 4"]


def test_turned_and_oblique_and_hidden_text_comes_at_the_end() -> None:
    """A stamp up the edge, a DRAFT across the page, a hidden line: none stands between the lines."""
    made = [
        piece("DRAFT", 100, 130, rotation=315), piece("stamp at the edge", 10, 120, rotation=270),
        piece("ignore this", 50, 124, hidden="invisible"), *column("a", 50, 100, 6),
    ]  # fmt: skip
    assert texts(made)[6:] == ["stamp at the edge", "DRAFT", "ignore this"]


def test_rows_of_arabic_begin_at_the_right() -> None:
    """Figures have no direction: a row with one Arabic label and three numbers begins with the label."""
    made = [piece("63", 50, 100), piece("56", 100, 100), piece("37", 150, 100), piece("قائمة الحزب", 250, 100)]
    assert texts(made) == ["قائمة الحزب  37  56  63"]


def test_arabic_columns_begin_at_the_right() -> None:
    """The right column is read first."""
    words = "هذا نص طويل بما يكفي لسطر"
    made = [piece(f"{name} {words}", x, 100 + 12 * at) for at in range(8) for name, x in (("يمين", 300), ("يسار", 50))]
    assert heads(made) == ["يمين"] * 8 + ["يسار"] * 8


def test_vertical_writing_is_read_from_the_right_in_tiers() -> None:
    """Columns of characters run down, from right to left; the upper tier comes before the lower one."""
    made = []
    for tier, top in enumerate((50.0, 400.0)):
        for at in range(8):
            text = f"{tier}{at}" + "漢字の長い文です" * 2
            flat = (top, 100 + 24.0 * at, top + 14 * len(text), 114 + 24.0 * at)
            made.append(Fragment(text, flat, flat, "F", 14, False, False, 90, ""))
    assert [text[:2] for text in texts(made)] == [f"{tier}{at}" for tier in (0, 1) for at in range(8)]


def test_a_map_is_not_searched_for_columns() -> None:
    """Thousands of scattered labels are joined row by row."""
    made = [piece("x", 7.0 * (at % 80), 9.0 * (at // 80), width=4) for at in range(4000)]
    placed, columns = order_lines(made)
    assert (columns, sum(len(line.fragments) for line in placed)) == (1, 4000)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_columns_of_a_turned_page(tmp_path: Path, rotation: int) -> None:
    """However the page is turned, its columns are read one after the other."""
    document = pymupdf.open()
    left = [f"left {at} speaks about delivery of goods" for at in range(8)]
    right = [f"right {at} speaks about payment of fees" for at in range(8)]
    page = new_page(document, [*paragraph(60, 120, left), *paragraph(320, 120, right)])
    page.set_rotation(rotation)
    lines = parse_document(save(document, tmp_path / "turned.pdf"), settings=IN_PROCESS).line_df
    assert lines["text"].tolist() == left + right
    assert lines["column_position"].tolist() == ["left"] * 8 + ["right"] * 8


@pytest.mark.parametrize(
    ("name", "page", "first", "then"),
    [
        ("torture/pdf/twocolumn_acl_hyphenated.pdf", 1, "“Who is the bad guy", "be answered from"),
        ("torture/pdf/olmocr_two_column_issue.pdf", 2, "have the classical features of TS", "for investigations is"),
        ("nist/NIST.FIPS.199.pdf", 10, "[44 U.S.C., SEC. 3542]", "The unauthorized"),
    ],
)
def test_real_pages(shared_data: Path, name: str, page: int, first: str, then: str) -> None:
    """Lines that a person reads one soon after the other, over a hanging quote, a column's end, a cell's end."""
    settings = ParsingSettings(isolate=False, ocr="off", pages=(page,))
    lines = parse_document(shared_data / name, settings=settings).line_df["text"].tolist()
    at = next((at for at, text in enumerate(lines) if text.startswith(first[:20])), -1)
    assert any(text.startswith(then) for text in lines[at + 1 : at + 4])
