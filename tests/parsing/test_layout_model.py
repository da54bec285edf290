"""The layout model, an option: what it says of a page, and what becomes of it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from pipeline.parsing import parse_document
from pipeline.parsing.body_headings import TYPE_SOURCE
from pipeline.parsing.layout_model import mark_regions, refine_headings
from pipeline.parsing.lines import PageRead, Region, flow_line
from pipeline.parsing.outline import Heading
from pipeline.parsing.settings import ParsingSettings


def page_of(*texts: str) -> PageRead:
    """A page with a line a text, twenty points apart."""
    page = PageRead(1, "native", width=400, height=400)
    for number, text in enumerate(texts):
        line = flow_line(text, method="test")
        line.line_id, line.x0, line.x1 = number + 1, 50.0, 350.0
        line.y0, line.y1 = 20.0 * number, 20.0 * number + 12
        page.lines.append(line)
    return page


def test_roles_come_from_the_regions() -> None:
    """Body lines take header, footnote and caption from their region; other roles and lines are left alone."""
    page = page_of("Running head", "The text.", "1 A note.", "Table 1 Fees")
    page.lines[3].role = "heading"
    page.regions = [
        Region("page-header", (40, 0, 360, 14)),
        Region("text", (40, 18, 360, 34)),
        Region("footnote", (40, 38, 360, 54)),
        Region("caption", (40, 58, 360, 74)),
    ]
    mark_regions([page])
    assert [line.role for line in page.lines] == ["header", "body", "footnote", "heading"]


def test_headings_told_by_type_alone_need_its_word() -> None:
    """A numbered heading stays whatever the model says; one told by type stays where the model sees one too."""
    page = page_of("1 Scope", "Big words", "Title", "Text")
    headings = [
        Heading(1, "1 Scope", 1, 1, True, "body_numbering", 0.9),
        Heading(1, "Big words", 2, 2, True, TYPE_SOURCE, 0.5),
        Heading(1, "Title", 3, 3, True, TYPE_SOURCE, 0.5),
    ]
    assert refine_headings(headings, [page]) == headings
    page.regions = [Region("section-header", (40, 38, 360, 54))]
    assert [heading.title for heading in refine_headings(headings, [page])] == ["1 Scope", "Title"]


@pytest.mark.slow
def test_the_model_runs_on_a_page(project: Path) -> None:
    """It works offline, changes no word, and stands in the stamp."""
    path = project / "examples" / "amendment_1.pdf"
    if importlib.util.find_spec("pymupdf.layout") is None:  # not imported: that changes MuPDF's settings here
        pytest.skip("the package pymupdf_layout is not installed")
    plain = parse_document(path, settings=ParsingSettings(pages=(1,)))
    modelled = parse_document(path, settings=ParsingSettings(pages=(1,), layout_model=True))
    assert modelled.line_df["text"].tolist() == plain.line_df["text"].tolist()
    assert modelled.stamp.settings["layout_model"] is True
