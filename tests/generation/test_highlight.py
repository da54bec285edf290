"""Marks in the PDF: on the right words, upright or turned, with harmless notes, the same bytes each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.generation import generate
from pipeline.generation.highlight import CITED, MAX_NOTE_CHARACTERS, highlight_pdf, plan_marks
from pipeline.mupdf import open_pdf, pymupdf
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.errors import InputError
from schemas.retrieval import RetrievalResult
from tests.builders import document, lines, pages
from tests.generation.handed import LIABILITY, ask, candidate, found

TEXTS = ["7.2 Liability cap", "The aggregate liability shall not exceed EUR 2,500,000.", "Nothing else is said here."]


def made(rotation: int) -> tuple[bytes, ParsedDocument]:
    """A page of three lines, displayed with the rotation, and its table with boxes as displayed."""
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=400, height=300)
        for number, text in enumerate(TEXTS):
            page.insert_text((50, 60 + 40 * number), text, fontsize=10)
        page.set_rotation(rotation)
        boxes = [page.search_for(text)[0] * page.rotation_matrix for text in TEXTS]
        boxes = [box.normalize() for box in boxes]
        columns = {name: [float(box[index]) for box in boxes] for index, name in enumerate(("x0", "y0", "x1", "y1"))}
        return pdf.tobytes(), document(lines(TEXTS, **columns))


def answered(text: str = "\n".join(TEXTS), **changes: Any) -> tuple[Answer, RetrievalResult]:
    """An answer that cites line 2."""
    result = found(candidate(text).model_copy(update=changes))
    return generate(ask("What is the liability cap?", "amount", concepts=[LIABILITY]), result), result


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_cited_words_are_under_the_mark(rotation: int) -> None:
    """On a turned page too: the annotation, seen as displayed, covers the line's box."""
    pdf, parsed = made(rotation)
    answer, result = answered()
    with open_pdf(highlight_pdf(pdf, parsed, answer, result), name="out") as out:
        page = out[0]
        strong = [one for one in page.annots() if one.colors["stroke"] == pytest.approx(CITED, abs=0.01)]
        assert len(strong) == 1
        shown = (strong[0].rect * page.rotation_matrix).normalize()
        row = parsed.line_df.iloc[1]
        box = pymupdf.Rect(row["x0"], row["y0"], row["x1"], row["y1"])
        assert abs((shown & box).get_area() - box.get_area()) < 0.02 * box.get_area()
        other = parsed.line_df.iloc[2]
        assert (shown & pymupdf.Rect(other["x0"], other["y0"], other["x1"], other["y1"])).is_empty
        assert strong[0].info["content"].startswith("Answer 1: p1_l1 (primary). holds the words")


def test_the_same_inputs_give_the_same_bytes() -> None:
    """No clock and no random id in the file."""
    pdf, parsed = made(0)
    answer, result = answered()
    assert highlight_pdf(pdf, parsed, answer, result) == highlight_pdf(pdf, parsed, answer, result)


def test_notes_are_plain_short_text() -> None:
    """A reason that holds a script, control or bidirectional characters is only words."""
    _, parsed = made(0)
    answer, result = answered(reason="\x00\u202e<script>app.alert(1)</script>\n" + "x" * 900)
    for mark in plan_marks(parsed, answer, result):
        assert len(mark.note) <= MAX_NOTE_CHARACTERS
        assert mark.note.isprintable()


def test_a_line_that_the_document_does_not_have_is_an_error() -> None:
    """Marks are never put by guess."""
    pdf, parsed = made(0)
    result = found(candidate(TEXTS[1], first=40))
    answer = generate(ask("What is the liability cap?", "amount", concepts=[LIABILITY]), result)
    with pytest.raises(InputError, match="line 40 is cited"):
        highlight_pdf(pdf, parsed, answer, result)


def test_the_sample_contract_is_marked_without_touching_its_text(project: Path) -> None:
    """The words of every page stay as they were."""
    path = project / "examples" / "supply_agreement.pdf"
    if not path.is_file():
        pytest.skip("examples/supply_agreement.pdf is not in this checkout")
    pdf = path.read_bytes()
    with open_pdf(pdf, name="in") as before:
        texts = [page.get_text() for page in before]
        box = before[7].search_for("EUR 2,500,000")[0]
    columns = {"x0": [box.x0], "y0": [box.y0], "x1": [box.x1], "y1": [box.y1], "page": [8]}
    text = "The aggregate liability shall not exceed EUR 2,500,000."
    parsed = document(lines([text], **columns))
    answer, result = answered(text)
    with open_pdf(highlight_pdf(pdf, parsed, answer, result), name="out") as after:
        assert [page.get_text() for page in after] == texts
        assert [len(list(page.annots())) for page in after][7] == 1


def test_lines_are_marked_on_a_picture() -> None:
    """A picture file becomes a PDF of the page's size with the mark at the line's place, the same bytes each time."""
    pdf, parsed = made(0)
    with pymupdf.open(stream=pdf) as native:
        picture = native[0].get_pixmap(dpi=150).tobytes("png")
    sizes = pages(1).assign(width=400.0, height=300.0)
    parsed = parsed.model_copy(update={"format": "image", "page_df": sizes})
    answer, result = answered()
    marked = highlight_pdf(picture, parsed, answer, result)
    assert marked == highlight_pdf(picture, parsed, answer, result)
    with pymupdf.open(stream=marked) as out:
        page = out[0]
        assert tuple(page.rect) == (0, 0, 400, 300)
        strong = [one for one in page.annots() if one.colors["stroke"] == pytest.approx(CITED, abs=0.01)]
        row = parsed.line_df.iloc[1]
        assert [one.rect.contains(pymupdf.Rect(row["x0"], row["y0"], row["x1"], row["y1"])) for one in strong] == [True]
        assert len(page.get_images()) == 1
