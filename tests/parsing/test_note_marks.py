"""Footnotes are tied to the marks that lead to them."""

from __future__ import annotations

import pytest

from pipeline.parsing.lines import Line, flow_line
from pipeline.parsing.note_marks import tie_notes


def lines_of(*rows: tuple[str, str]) -> list[Line]:
    """Lines of (role, text), numbered."""
    lines = []
    for number, (role, text) in enumerate(rows, start=1):
        line = flow_line(text, method="test", role=role)
        line.line_id = number
        lines.append(line)
    return lines


@pytest.mark.parametrize(
    ("text", "note", "at"),
    [
        ("The price1 is fixed.", "1 Net of tax.", 9),
        ("The price is fixed.2 Nothing", "2 Net of tax.", 19),
        ("The price* is fixed.", "* Net of tax.", 9),
        ("The price[1] is fixed.", "1 Net of tax.", 9),
    ],
)
def test_a_note_finds_its_mark(text: str, note: str, at: int) -> None:
    """Glued to a word or its punctuation, as a figure or a sign; bracketed where a reader put it so."""
    ((line, start, mark, target),) = tie_notes(lines_of(("body", text), ("footnote", note)))
    assert (line.line_id, start, mark, target.line_id) == (1, at, note[0], 2)


def test_a_figure_of_the_text_is_no_mark() -> None:
    """Amounts, dates and numbers that stand alone tie nothing, nor does a note that goes on."""
    lines = lines_of(
        ("body", "EUR 1 is due on 1 May; see 2.1 and 15 %."), ("footnote", "1 Net of tax."), ("footnote", "and duties.")
    )
    assert list(tie_notes(lines)) == []
