"""Running headers, footers and page numbers: told from headings, table headers and what ends a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.running_text import mark_running_text

Row = tuple[str, float] | tuple[str, float, float]  # text, top, size


def make_page(number: int, rows: Sequence[Row], *, landscape: bool = False) -> PageRead:
    """A page with lines given as text, top, and perhaps size."""
    width, height = (842.0, 595.0) if landscape else (595.0, 842.0)
    lines = []
    for at, (text, top, *rest) in enumerate(rows, start=1):
        size = rest[0] if rest else 10.0
        box = (72.0, top, 72.0 + 5 * len(text), top + 1.2 * size)
        lines.append(Line(at, number, at, text, *box, "F", size, False, False, 0, "single", "", box))
    return PageRead(number, width=width, height=height, lines=lines)


def make_pages(count: int, rows: Callable[[int], list[Row]]) -> list[PageRead]:
    """Pages with a body of their own, and what `rows` adds to each."""
    pages = [
        make_page(n, [*rows(n), (f"Body of page {n * n}", 300), ("and more of it", 314)]) for n in range(1, count + 1)
    ]
    mark_running_text(pages)
    return pages


def roles(pages: Sequence[PageRead], row: int = 0) -> list[str]:
    """Role of the line number `row` of each page."""
    return [page.lines[row].role for page in pages]


def test_headers_footers_and_numbers_of_every_page() -> None:
    """The same text at the same height, and numbers in many forms that count the pages."""
    pages = make_pages(4, lambda n: [("ACME Supply Agreement", 30), ("Initials: ____", 790), (f"Page {n} of 4", 810)])
    assert roles(pages, 0) == ["header"] * 4
    assert roles(pages, 1) == ["footer"] * 4
    assert roles(pages, 2) == ["page_number"] * 4


@pytest.mark.parametrize(
    "form", [str, lambda n: f"- {n} -", lambda n: ["i", "ii", "iii", "iv", "v"][n - 1], lambda n: f"F-{n + 20}"]
)
def test_forms_of_page_numbers(form: Callable[[int], str]) -> None:
    """Arabic, Roman, dashed and prefixed numbers."""
    assert roles(make_pages(5, lambda n: [(form(n), 800)])) == ["page_number"] * 5


def test_left_and_right_pages_have_headers_of_their_own() -> None:
    """Odd and even pages, also in a document of four."""
    pages = make_pages(4, lambda n: [("Annual Report" if n % 2 else "Notes to the Accounts", 30)])
    assert roles(pages) == ["header"] * 4


def test_the_first_page_may_have_none() -> None:
    """Two later pages of three are enough; a title in larger type on the first is no header."""
    pages = make_pages(3, lambda n: [("Supply Agreement", 30, 18.0 if n == 1 else 9.0)])
    assert roles(pages) == ["body", "header", "header"]


def test_changing_chapters_are_running_text_where_they_recur() -> None:
    """Three pages of each chapter carry its name."""
    pages = make_pages(9, lambda n: [(f"Chapter {'ABC'[(n - 1) // 3]} of the report", 30)])
    assert roles(pages) == ["header"] * 9


def test_a_section_heading_at_the_top_of_each_page_stays() -> None:
    """Other words, or numbers that count sections, are no running header."""
    names = ["Definitions", "Fees", "Term", "Liability"]
    assert roles(make_pages(4, lambda n: [(f"{n}. {names[n - 1]}", 60)])) == ["body"] * 4
    assert roles(make_pages(4, lambda n: [(f"Section {n}", 60)])) == ["body"] * 4


def test_the_first_of_a_part_title_stays() -> None:
    """'EXHIBIT A' repeated on the pages of the exhibit: the first one is its heading."""
    pages = make_pages(5, lambda n: [("EXHIBIT A", 40)] if n > 1 else [("Other words", 40)])
    assert roles(pages) == ["body", "body", "header", "header", "header"]


def test_the_header_row_of_a_table_stays() -> None:
    """It recurs on each page right above the table's rows."""
    pages = make_pages(4, lambda n: [("Name  City  Amount", 60), (f"Row {n}  Paris  {n}00", 73), ("Report", 30)])
    assert roles(pages, 0) == ["body"] * 4
    assert roles(pages, 2) == ["header"] * 4


def test_rare_repetitions_are_no_running_text() -> None:
    """The same words at the top of three pages far from each other are three headings."""
    pages = make_pages(40, lambda n: [("Exercises", 60) if n in (5, 18, 33) else (f"Text of its own {n * 7}", 60)])
    assert roles(pages) == ["body"] * 40


def test_a_landscape_page_has_the_same_header() -> None:
    """At another height, measured on a page of another size."""
    pages = [make_page(n, [("ACME Report", 30), (f"Body {n * n}", 300)]) for n in range(1, 6)]
    pages[2] = make_page(3, [("ACME Report", 48), ("Body of the table", 200)], landscape=True)
    mark_running_text(pages)
    assert roles(pages) == ["header"] * 5


def test_a_footer_that_follows_the_text_of_a_short_page() -> None:
    """Filings made from web pages end where their text does: the last line, set apart, with a number that counts."""
    pages = [
        make_page(n, [(f"Body {n * n}", 100), (f"Pfizer Inc.  2021 Form 10-K  {n + 6}", 200 + 50 * n)])
        for n in range(1, 6)
    ]
    mark_running_text(pages)
    assert roles(pages, 1) == ["footer"] * 5


def test_text_that_runs_up_the_edge_of_each_page() -> None:
    """A stamp in another direction is measured in that direction."""
    pages = []
    for number in range(1, 5):
        page = make_page(number, [(f"Body {number * number}", 300), ("Downloaded by a user", 0)])
        stamp = page.lines[1]
        stamp.rotation, stamp.flat = 270, (200.0, 10.0, 400.0, 20.0)
        pages.append(page)
    mark_running_text(pages)
    assert roles(pages, 1) == ["header"] * 4


def test_one_page_alone_has_no_running_text() -> None:
    """Its first line and its amounts stay; only a number that is its own is a page number."""
    pages = [make_page(1, [("Invoice", 30), ("Total", 400), ("250", 600), ("1", 800)])]
    mark_running_text(pages)
    assert roles(pages) == ["body"]
    assert [line.role for line in pages[0].lines][1:] == ["body", "body", "page_number"]


def test_repeated_sentences_of_the_text_stay() -> None:
    """Pages that begin with the same lines of text, set like the lines below them, have no header."""
    text = ["The Supplier shall deliver", "the goods in time", "and bear the risk"]
    pages = [
        make_page(n, [(row, 72 + 14.0 * at) for at, row in enumerate([*text, f"of loss {n * n}"])]) for n in (1, 2, 3)
    ]
    mark_running_text(pages)
    assert [line.role for page in pages for line in page.lines] == ["body"] * 12
