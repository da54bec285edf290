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
        assert [page.get_text() for page in after][1:] == texts[1:]
        first = after[0]
        links = [one for one in first.annots() if one.type[1] == "FreeText"]
        assert [one.info["content"] for one in links] == ["Answer 1: page 1"]  # of the hand-made line
        assert first.get_text() == f"{texts[0]}Answer 1: page 1\n"  # the label is an annotation, no content
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


def with_outline(pdf: bytes) -> bytes:
    """The PDF with an outline of two levels."""
    with pymupdf.open(stream=pdf) as opened:
        opened.set_toc([[1, "One", 1], [2, "One.One", 1], [1, "Two", 1]])
        return opened.tobytes()


@pytest.mark.parametrize("has_outline", [False, True])
def test_bookmarks_lead_to_each_citation_and_leave_those_of_the_file(has_outline: bool) -> None:
    """Our entry is the first; the file's own entries follow as they were, and the page count stays."""
    pdf, parsed = made(0)
    pdf = with_outline(pdf) if has_outline else pdf
    answer, result = answered()
    with open_pdf(highlight_pdf(pdf, parsed, answer, result, language="fr"), name="out") as out:
        entries = out.get_toc(simple=False)
        own = [[1, "One", 1], [2, "One.One", 1], [1, "Two", 1]] if has_outline else []
        assert [entry[:3] for entry in entries[2:]] == own
        assert entries[0][1] == "Lineproof: réponses"
        assert entries[1][1] == "Réponse 1 · page 1, ligne 2"
        row = parsed.line_df.iloc[1]
        assert (entries[1][3]["to"].x, entries[1][3]["to"].y) == pytest.approx((row["x0"], row["y0"]), abs=0.1)
        assert out.page_count == 1


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_links_on_the_first_page_stand_in_its_free_margin(rotation: int) -> None:
    """As displayed, the label and its link are at the top, clear of the text, and lead to the cited line."""
    pdf, parsed = made(rotation)
    answer, result = answered()
    with open_pdf(highlight_pdf(pdf, parsed, answer, result), name="out") as out:
        page = out[0]
        [link] = page.get_links()
        [label] = [one for one in page.annots() if one.type[1] == "FreeText"]
        shown = (label.rect * page.rotation_matrix).normalize()
        texts = [pymupdf.Rect(row.x0, row.y0, row.x1, row.y1) for row in parsed.line_df.itertuples()]
        assert not any(shown.intersects(text) for text in texts)
        assert link["page"] == 0


def test_a_first_page_without_a_free_margin_gets_no_links_but_bookmarks() -> None:
    """Nothing is ever written over the words of the document."""
    pdf, parsed = made(0)
    full = parsed.line_df.assign(y0=[0.0, 90.0, 280.0], y1=[20.0, 110.0, 300.0])
    parsed = parsed.model_copy(update={"line_df": full})
    answer, result = answered()
    with open_pdf(highlight_pdf(pdf, parsed, answer, result), name="out") as out:
        assert out[0].get_links() == []
        assert len(out.get_toc()) == 2


@pytest.mark.parametrize("owner_only", [True, False])
def test_a_protected_file_gives_a_copy_protected_alike(owner_only: bool) -> None:
    """It opens with the same password, and not without where one is needed."""
    pdf, parsed = made(0)
    with pymupdf.open(stream=pdf) as plain:
        locked = plain.tobytes(
            encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner", user_pw="" if owner_only else "user"
        )
    answer, result = answered()
    marked = highlight_pdf(locked, parsed, answer, result, password=None if owner_only else "user")
    with pymupdf.open(stream=marked) as out:
        assert bool(out.needs_pass) is not owner_only
    with open_pdf(marked, name="out", password=None if owner_only else "user") as out:
        assert "aggregate liability" in out[0].get_text()
        assert out.get_toc()[1][1] == "Answer 1 · page 1, line 2"
