"""Paragraphs and list items: where a person sees one end, and where a sentence goes on elsewhere."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.lines import Line
from pipeline.parsing.paragraphs import number_paragraphs

FULL = 400.0  # points, width of a full line


def make(*rows: tuple[Any, ...]) -> list[Line]:
    """Lines of one column given as text, options: left, width, top (else 14 points below), page, column, and others."""
    lines: list[Line] = []
    top = 100.0
    for at, (text, *rest) in enumerate(rows, start=1):
        told = dict(rest[0]) if rest else {}
        top = told.pop("top", top + 14)
        left = 72.0 + told.pop("left", 0.0)
        box = (left, top, left + told.pop("width", FULL), top + 12)
        page, column, size = told.pop("page", 1), told.pop("column", "single"), told.pop("size", 10.0)
        line = Line(at, page, at, text, *box, "F", size, told.pop("bold", False), False, 0, column, "", box)
        for name, value in told.items():
            setattr(line, name, value)
        lines.append(line)
    return lines


def cut(*rows: tuple[Any, ...]) -> list[list[int]]:
    """Numbers of the lines of each paragraph."""
    lines = make(*rows)
    number_paragraphs(lines)
    ordered = sorted(lines, key=lambda line: (line.paragraph_id, line.line_id))
    return [[line.line_id for line in group] for _, group in groupby(ordered, key=lambda line: line.paragraph_id)]


def test_indented_first_lines() -> None:
    """A line further right after a full stop begins a paragraph; the next one returns to the margin."""
    assert cut(("One sentence that",), ("ends here.",), ("Then an indent", {"left": 20}), ("and on.",)) == [
        [1, 2],
        [3, 4],
    ]


def test_hanging_items_and_what_follows_them() -> None:
    """An item's lines stay together; a line back at the margin is no part of it."""
    rows = [
        ("(a) the first item that", {"left": 20}),
        ("goes on below it;", {"left": 40}),
        ("(b) the second.", {"left": 20}),
    ]
    assert cut(*rows, ("The text goes on", {"top": 170})) == [[1, 2], [3], [4]]


def test_a_word_that_would_have_fitted_was_not_wrapped() -> None:
    """A short line of a full paragraph ends it, also without a full stop."""
    assert cut(("A full line of the text that",), ("ends early", {"width": 90}), ("Notices are sent to",)) == [
        [1, 2],
        [3],
    ]


def test_lines_of_an_address_stay_together() -> None:
    """Short lines one under the other are a block."""
    rows = [("ACME Corporation", {"width": 60}), ("12 Long Street", {"width": 80}), ("London", {"width": 40})]
    assert cut(*rows) == [[1, 2, 3]]


def test_definitions_are_paragraphs_of_their_own() -> None:
    """Also where no blank parts them."""
    rows = [
        ("“Fee” means the amount that is", {}),
        ("stated in Schedule A.",),
        ("“Goods” means what is", {}),
        ("ordered.",),
    ]
    assert cut(*rows) == [[1, 2], [3, 4]]


def test_rows_of_a_table_are_paragraphs_of_their_own() -> None:
    """By their role, or by their cells."""
    assert cut(("Fee  100", {"role": "table"}), ("Rent  200", {"role": "table"})) == [[1], [2]]
    assert cut(("Name  City  Zip",), ("Ann  Paris  75001",)) == [[1], [2]]
    assert cut(("Net sales  1,200",), ("Gross profit  800",)) == [[1], [2]]


def test_cells_of_a_wordy_table_do_not_run_on() -> None:
    """A cell without a full stop ends where the next one begins; its own lines stay together."""
    rows = [
        ("loss of the", {"cell": 1}),
        ("goods in transit", {"cell": 1}),
        ("is borne by", {"cell": 2}),
        ("the Buyer", {"cell": 2}),
    ]
    assert cut(*rows) == [[1, 2], [3, 4]]


def test_a_caption_goes_on_below_its_first_line() -> None:
    """Only its first line has the role."""
    assert cut(("Figure 2: the scores of", {"role": "caption"}), ("the four models.",)) == [[1, 2]]


def test_a_sentence_goes_on_over_a_page_and_its_running_text() -> None:
    """Footer and header between are paragraphs of their own; the next page's first line is not."""
    rows = [
        ("The Supplier shall pay the",), ("3", {"role": "page_number", "top": 800}),
        ("ACME", {"role": "header", "page": 2, "top": 30}), ("Customer the amount due.", {"page": 2, "top": 100}),
    ]  # fmt: skip
    assert cut(*rows) == [[1, 4], [2], [3]]


def test_a_sentence_goes_on_after_footnotes() -> None:
    """A footnote at the column's end does not part it."""
    note = {"role": "footnote", "column": "left", "size": 8.0, "top": 740}
    rows = [("the risk is borne by the", {"column": "left", "top": 700}), ("1 See Schedule B.", note)]
    assert cut(*rows, ("buyer of the goods.", {"column": "right", "top": 100})) == [[1, 3], [2]]


def test_headings_stand_alone() -> None:
    """A heading is no part of the text below it, whatever its size."""
    assert cut(("3. Term", {"role": "heading", "bold": True, "width": 50}), ("The term is two years.",)) == [[1], [2]]


def test_double_spaced_text_among_single_spaced() -> None:
    """The usual distance is that of the page's own column."""
    rows = [(f"line {at} of a sentence", {"top": 100.0 + 14 * at}) for at in range(8)]
    rows += [(f"line {at} double spaced", {"top": 100.0 + 24 * at, "page": 2}) for at in range(8)]
    assert len(cut(*rows)) <= 2


def test_hidden_lines_interrupt_nothing() -> None:
    """A hidden line between two halves of a sentence is a paragraph of its own."""
    assert cut(("The fee is",), ("ignore this", {"hidden": "tiny", "top": 115}), ("due monthly.", {"top": 128})) == [
        [1, 3],
        [2],
    ]


@given(
    st.lists(
        st.tuples(
            st.text("aA1(•. ,", min_size=1, max_size=12),
            st.sampled_from(["body", "heading", "footnote", "table", "caption", "header", "toc_entry"]),
            st.integers(1, 3), st.floats(0, 60), st.floats(5, 400), st.floats(0, 40),
        ),
        max_size=25,
    )
)  # fmt: skip
def test_every_line_is_in_one_paragraph(rows: list[tuple[str, str, int, float, float, float]]) -> None:
    """Numbers count from 1 without a gap, in the order of their first lines, and running text shares none."""
    lines = make(*[(text, {"role": role, "page": page, "left": left, "width": width, "top": 100 + at * 14 + more})
                   for at, (text, role, page, left, width, more) in enumerate(rows)])  # fmt: skip
    number_paragraphs(lines)
    firsts = list(dict.fromkeys(line.paragraph_id for line in lines))
    assert firsts == list(range(1, len(firsts) + 1))
    for line in lines:
        if line.role == "header":
            assert sum(other.paragraph_id == line.paragraph_id for other in lines) == 1
