"""Marked copies of a batch: every question in its colour, none over another, bookmarks by question, plain text."""

from __future__ import annotations

import html
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pipeline.batch.marking import MAX_BANDS, Citation, citations_of, hash_of, mark_document
from pipeline.generation.highlight.palette import COLOURS, colour_of
from pipeline.mupdf import open_pdf, pymupdf
from pipeline.parsing import parse_document
from schemas.batch import BatchCell, BatchQuestion, CellValue
from schemas.document import ParsedDocument
from schemas.errors import InputError
from tests.builders import document, lines

TEXTS = [
    "Governing law",
    "This Agreement is governed by the laws of Ireland.",
    "It ends on 28 February 2024.",
    "Signed.",
]
HOSTILE = "</a><script>alert(1)</script>\x00\u202e=cmd|'/c calc'!A1 (x\\)"


def made(rotation: int = 0, pages: int = 1) -> tuple[bytes, ParsedDocument]:
    """Pages of four lines each, displayed with the rotation, and their table with boxes as displayed."""
    boxes = []
    with pymupdf.open() as pdf:
        for _ in range(pages):
            page = pdf.new_page(width=400, height=300)
            for number, text in enumerate(TEXTS):
                page.insert_text((50, 60 + 40 * number), text, fontsize=12)
            page.set_rotation(rotation)
            boxes += [(page.search_for(text)[0] * page.rotation_matrix).normalize() for text in TEXTS]
        columns = {name: [float(box[at]) for box in boxes] for at, name in enumerate(("x0", "y0", "x1", "y1"))}
        numbers = [page for page in range(1, pages + 1) for _ in TEXTS]
        return pdf.tobytes(), document(lines(TEXTS * pages, page=numbers, **columns))


def cited(number: int, start: int, end: int | None = None, value: str = "Ireland", question: str = "") -> Citation:
    """A citation of a question with this number."""
    return Citation(number, f"q{number + 1}", question or f"Question {number + 1}?", value, start, end or start)


def marks_of(page: Any) -> list[tuple[Any, str, tuple[float, ...]]]:
    """Rectangle as displayed, note and colour of each highlight."""
    return [
        ((one.rect * page.rotation_matrix).normalize(), one.info["content"], tuple(one.colors["stroke"]))
        for one in page.annots()
        if one.type[1] == "Highlight"
    ]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_each_question_has_its_colour_on_its_lines(rotation: int) -> None:
    """On turned pages, too; the note tells id, question and value."""
    pdf, parsed = made(rotation)
    data, suffix = mark_document(parsed, pdf, [cited(0, 2), cited(1, 3, value="28 February 2024")])
    assert suffix == ".pdf"
    with open_pdf(data, name="out") as out:
        found = marks_of(out[0])
        assert [note for _, note, _ in found] == ["q1 · Question 1? · Ireland", "q2 · Question 2? · 28 February 2024"]
        for line_id, (rect, _, colour) in zip((2, 3), found, strict=True):
            row = parsed.line_df.iloc[line_id - 1]
            box = pymupdf.Rect(row["x0"], row["y0"], row["x1"], row["y1"])
            assert (rect & box).get_area() == pytest.approx(box.get_area(), rel=0.02)
            assert rect.get_area() < 1.7 * box.get_area()  # its ends are rounded by half the height of the line
            assert colour == pytest.approx(colour_of(line_id - 2), abs=0.01)


@pytest.mark.parametrize("count", [2, 4, 5, 9, 41])
def test_questions_share_a_line_and_it_stays_legible(count: int) -> None:
    """No mark lies over another, so that the page is never darker than the palest marker."""
    pdf, parsed = made()
    data, _ = mark_document(parsed, pdf, [cited(number, 2) for number in range(count)])
    with open_pdf(data, name="out") as out:
        found = marks_of(out[0])
        assert {note.partition(" ")[0] for _, note, _ in found} == {f"q{number + 1}" for number in range(count)}
        row = parsed.line_df.iloc[1]
        line = pymupdf.Rect(row["x0"], row["y0"], row["x1"], row["y1"])
        assert sum((rect & line).get_area() for rect, *_ in found) >= 0.98 * line.get_area()
        quads = [pymupdf.Quad(one.vertices).rect for one in out[0].annots() if one.type[1] == "Highlight"]
        assert all((a & b).is_empty or (a & b).get_area() < 0.05 * a.get_area() for a, b in combinations(quads, 2))
        assert min(quad.height for quad in quads) > 0.95 * line.height / MAX_BANDS
        before, after = (
            out[0].get_pixmap(dpi=100, clip=line, annots=told, colorspace=pymupdf.csGRAY).samples
            for told in (False, True)
        )
    paper = [a for b, a in zip(before, after, strict=True) if b > 250]
    darkest = 255 * min(0.299 * red + 0.587 * green + 0.114 * blue for red, green, blue in COLOURS)
    assert sorted(paper)[len(paper) // 20] > darkest - 25  # bands meet in the middle of a pixel


def test_values_of_one_question_on_one_line_are_one_mark() -> None:
    """Two marks of one colour would be darker than one."""
    pdf, parsed = made()
    data, _ = mark_document(parsed, pdf, [cited(0, 2, 3, value="a"), cited(0, 2, value="b"), cited(0, 2, value="b")])
    with open_pdf(data, name="out") as out:
        assert [note for _, note, _ in marks_of(out[0])] == ["q1 · Question 1? · a", "q1 · Question 1? · a; b"]


def test_bookmarks_lead_to_each_value_by_question() -> None:
    """One entry a question, closed, with an entry a value; the file's own outline stays behind them."""
    pdf, parsed = made(pages=2)
    with pymupdf.open(stream=pdf) as opened:
        opened.set_toc([[1, "Own entry", 2]])
        pdf = opened.tobytes()
    data, _ = mark_document(parsed, pdf, [cited(0, 2), cited(0, 7, value="France"), cited(4, 3, value="2024")])
    with open_pdf(data, name="out") as out:
        assert out.get_toc() == [
            [1, "Lineproof: answers", 1], [2, "q1: Question 1?", 1], [3, "Ireland", 1], [3, "France", 2],
            [2, "q5: Question 5?", 1], [3, "2024", 1], [1, "Own entry", 2],
        ]  # fmt: skip
        assert [one.info["content"] for one in out[0].annots() if one.type[1] == "FreeText"] == ["q1", "q5"]
        assert [one["page"] for one in out[0].get_links()] == [0, 0]
        assert [page.get_text().split("\n")[:4] for page in out] == [TEXTS, TEXTS]
        assert out.page_count == 2


def test_a_long_question_leaves_room_for_the_value() -> None:
    """Notes are short; what was found is told in any case."""
    pdf, parsed = made()
    data, _ = mark_document(parsed, pdf, [cited(0, 2, question="long " * 200)])
    with open_pdf(data, name="out") as out:
        ((_, note, _),) = marks_of(out[0])
    assert note.endswith("… · Ireland")
    assert len(note) < 300


def test_questions_and_values_are_plain_text_in_the_pdf() -> None:
    """No script, no control characters, no marks that turn the text; no action comes into the file."""
    pdf, parsed = made()
    hostile = Citation(0, HOSTILE, HOSTILE, HOSTILE, 2, 2)
    data, _ = mark_document(parsed, pdf, [hostile])
    with open_pdf(data, name="out") as out:
        told = [note for _, note, _ in marks_of(out[0])] + [title for _, title, _ in out.get_toc()]
        assert all(text.isprintable() for text in told)
        assert any("<script>alert(1)</script>=cmd|'/c calc'!A1 (x\\)" in text for text in told)
        keys = {key for xref in range(1, out.xref_length()) for key in out.xref_get_keys(xref)}
        assert not keys & {"AA", "JS", "URI", "OpenAction"}


def test_the_same_citations_give_the_same_bytes() -> None:
    """No clock and no random id; the order of the citations of a question counts, and nothing else."""
    pdf, parsed = made(pages=2)
    told = [cited(0, 2), cited(1, 2, 3), cited(2, 8)]
    assert mark_document(parsed, pdf, told) == mark_document(parsed, pdf, told)
    assert hash_of(told) == hash_of(list(told))
    assert len({hash_of(told), hash_of(told[:2]), hash_of([*told[:2], cited(2, 7)]), hash_of([cited(3, 2)])}) == 4


def test_lines_that_are_not_there_are_not_marked() -> None:
    """A hidden line, one without a place, one beyond the document; a page beyond the file is an error."""
    pdf, parsed = made()
    frame = parsed.line_df.copy()
    frame.loc[0, "visible"] = False
    frame.loc[2, ["x0", "y0", "x1", "y1"]] = float("nan")
    parsed = parsed.model_copy(update={"line_df": frame})
    data, _ = mark_document(parsed, pdf, [cited(0, 1), cited(1, 3), cited(2, 99), cited(3, 1, 2)])
    with open_pdf(data, name="out") as out:
        assert [note for _, note, _ in marks_of(out[0])] == ["q4 · Question 4? · Ireland"]
        assert [title for level, title, _ in out.get_toc() if level == 2] == ["q2: Question 2?", "q4: Question 4?"]
    two_pages = made(pages=2)[1]
    with pytest.raises(InputError, match="a line stands on page 2, the file has 1"):
        mark_document(two_pages, pdf, [cited(0, 6)])


def test_a_format_without_pages_gives_a_page_with_an_anchor_a_question(tmp_path: Path) -> None:
    """Each question has its id, its links lead to its lines, and each line names the questions that cite it."""
    path = tmp_path / "agreement.txt"
    path.write_text("\n\n".join(TEXTS), encoding="utf-8")
    parsed = parse_document(path)
    ids = {row.text: row.line_id for row in parsed.line_df.itertuples()}
    law, end = ids[TEXTS[1]], ids[TEXTS[2]]
    told = [cited(0, law), cited(2, law, end, value="x"), Citation(9, HOSTILE, HOSTILE, HOSTILE, end, end)]
    data, suffix = mark_document(parsed, path.read_bytes(), told)
    assert suffix == ".html"
    assert data == mark_document(parsed, path.read_bytes(), told)[0]
    page = data.decode()
    for anchor in ("Q1", "Q3", "Q10"):
        assert page.count(f'id="{anchor}"') == 1
    assert page.count(f'href="#L{law}"') == 2
    assert page.count('href="#Q3" class="chip c2"') == 2
    assert page.count('href="#Q10" class="chip c1"') == 1
    assert "<script" not in page
    assert "\u202e" not in page
    assert html.escape("<script>alert(1)</script>") in page


def test_a_pdf_that_cannot_be_written_gives_its_lines() -> None:
    """One reader may repair what another cannot: the answers are not lost with the copy, and the page says why."""
    _, parsed = made()
    data, suffix = mark_document(parsed, b"%PDF-1.7 broken", [cited(0, 2)])
    assert suffix == ".html"
    assert b"the file is damaged and cannot be marked itself" in data
    assert b'id="Q1"' in data


def test_a_document_nothing_is_cited_of_is_a_plain_copy() -> None:
    """No group of bookmarks, no marks."""
    pdf, parsed = made()
    data, _ = mark_document(parsed, pdf, [])
    with open_pdf(data, name="out") as out:
        assert out.get_toc() == []
        assert list(out[0].annots()) == []


def test_citations_are_those_of_the_values_in_the_order_of_questions() -> None:
    """A value without lines cites nothing; the number is that of the question in the batch."""
    asked = [BatchQuestion(question_id=name, text=f"{name}?") for name in ("a", "b", "c")]
    values = (
        CellValue(text="v", kind="text", line_start=4),
        CellValue(text="w", kind="text", line_start=6, line_end=7),
        CellValue(text="none", kind="text"),
    )
    cells = [
        BatchCell(document="d", question_id="c", status="answered", text="", values=values),
        BatchCell(document="d", question_id="a", status="not_found", text=""),
    ]
    assert citations_of(cells, asked) == (
        Citation(2, "c", "c?", "v", 4, 4), Citation(2, "c", "c?", "w", 6, 7),
    )  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["pdf/olmocr_rot90_27p.pdf", "pdf/scan_rotated_90.pdf", "pdf/twocolumn_acl_hyphenated.pdf", "pdf/outline_cycle.pdf",
     "pdf/annotations_links.pdf", "docx/nested_tables.docx", "xlsx/number_formats.xlsx"],
)  # fmt: skip
def test_odd_documents_are_marked(shared_data: Path, name: str) -> None:
    """Turned pages, scans, columns, broken outlines, tables: marked, the same bytes each time, no page lost."""
    path = shared_data / "torture" / name
    parsed = parse_document(path)
    ids = parsed.line_df["line_id"].tolist()
    told = [cited(number, ids[(5 * number) % len(ids)]) for number in range(12)]
    data, suffix = mark_document(parsed, path.read_bytes(), told)
    assert data == mark_document(parsed, path.read_bytes(), told)[0]
    if suffix == ".pdf":
        with open_pdf(data, name="out") as out, open_pdf(path.read_bytes(), name="in") as before:
            assert out.page_count == before.page_count
            assert sum(len(marks_of(page)) for page in out) > 0
    else:
        assert data.count(b'id="Q') == 12
