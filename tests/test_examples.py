"""The sample documents: what their README promises, and that their script still makes them."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from itertools import takewhile
from pathlib import Path

import pymupdf
import pytest
from openpyxl import load_workbook

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NAMES = ("supply_agreement", "amendment_1")
PAGE_COUNTS = {"supply_agreement": 16, "amendment_1": 3}
LARGEST = 200_000  # bytes: the samples ship with the project
ABSENT = ("escrow", "arbitra", "drag-along", "drag along", "most favoured", "most favored", "brib", "corrupt")
ROW = re.compile(r"^\| (supply_agreement|amendment_1) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \| (\d+) \|$", re.MULTILINE)
FACTS = ROW.findall((EXAMPLES / "README.md").read_text(encoding="utf-8"))
REFERENCE = re.compile(r"\bSections? (\d+(?:\.\d+)+)")


@cache
def page_texts(name: str) -> tuple[str, ...]:
    """Text of each page, white space made single."""
    with pymupdf.open(EXAMPLES / f"{name}.pdf") as document:
        return tuple(" ".join(page.get_text().split()) for page in document)


@cache
def outline(name: str) -> tuple[tuple[int, str, int, float], ...]:
    """Level, title, page and y of each entry of the outline."""
    with pymupdf.open(EXAMPLES / f"{name}.pdf") as document:
        return tuple((level, title, page, to["to"].y) for level, title, page, to in document.get_toc(simple=False))


@pytest.mark.parametrize("name", NAMES)
def test_page_count_and_size(name: str) -> None:
    """The samples have the length that the README says and stay small."""
    assert len(page_texts(name)) == PAGE_COUNTS[name]
    assert (EXAMPLES / f"{name}.pdf").stat().st_size < LARGEST


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact[0]}-{fact[4]}-{fact[1][:40]}")
def test_fact_stands_on_its_page(fact: tuple[str, ...]) -> None:
    """The words that the README quotes stand on the page that it names."""
    name, _, _, words, _, page_num = fact
    assert words in page_texts(name)[int(page_num) - 1]


def test_readme_covers_every_kind_of_answer() -> None:
    """The README lists at least a dozen facts of both documents."""
    assert len(FACTS) >= 12
    assert {fact[0] for fact in FACTS} == set(NAMES)


@pytest.mark.parametrize("word", ABSENT)
def test_absent_topic_is_absent(word: str) -> None:
    """What the README calls absent occurs in neither document, whatever the case and the line breaks."""
    for name in NAMES:
        assert word not in " ".join(page_texts(name)).lower()


def test_agreement_outline_has_three_levels() -> None:
    """Articles, sections and sub-sections are in the outline of the agreement."""
    levels = [level for level, *_ in outline("supply_agreement")]
    assert [levels.count(level) for level in (1, 2, 3)] == [22, 60, 21]
    assert {level for level, *_ in outline("amendment_1")} == {1, 2}


@pytest.mark.parametrize("name", NAMES)
def test_outline_points_at_the_heading(name: str) -> None:
    """Every entry of the outline points at the top of the line that bears its title, within 20 points."""
    with pymupdf.open(EXAMPLES / f"{name}.pdf") as document:
        for _, title, page_num, y in outline(name):
            tops = [box.y0 for box in document[page_num - 1].search_for(title)]
            assert any(y <= top + 2 and top - y < 20 for top in tops), (title, y, tops)


def test_contents_page_agrees_with_outline() -> None:
    """The contents page prints every article and schedule with its page, and links to it."""
    contents = page_texts("supply_agreement")[1]
    entries = [(title, page) for level, title, page, _ in outline("supply_agreement") if level == 1]
    for title, page in entries:
        assert re.search(rf"{re.escape(title)} \.+ ?{page}\b", contents), title
    with pymupdf.open(EXAMPLES / "supply_agreement.pdf") as document:
        assert [link["page"] + 1 for link in document[1].get_links()] == [page for _, page in entries]


def test_references_have_a_target() -> None:
    """Every section that the agreement refers to exists, and so does every one that the amendment names in it."""
    numbers = {title.split()[0] for _, title, *_ in outline("supply_agreement")}
    for name in NAMES:
        mentioned = set(REFERENCE.findall(" ".join(page_texts(name))))
        assert mentioned
        assert mentioned <= numbers


def test_definitions_are_many_and_sorted() -> None:
    """Section 1.1 of the agreement defines at least fifteen terms, in alphabetical order."""
    text = " ".join(page_texts("supply_agreement"))
    section = text[text.index("have the meanings set out below") : text.index("1.2 Interpretation")]
    terms = re.findall(r"“([^”]+)” (?:means|has the meaning)", section)
    singular = [term for term in terms if term != "Parties"]
    assert len(singular) == 26
    assert singular == sorted(singular)


def test_list_spans_a_page_break() -> None:
    """The six events of termination are lettered (a) to (f), the first two on one page and the rest on the next."""
    pages = page_texts("supply_agreement")
    first = pages[9][pages[9].index("following six events") :]
    rest = pages[10][: pages[10].index("13.2 Termination")]
    assert re.findall(r"\(([a-z])\) ", first) == ["a", "b"]
    assert re.findall(r"\(([a-z])\) ", rest) == ["c", "d", "e", "f"]


def test_running_header_and_footer() -> None:
    """Every page but the title page bears the title, the reference, and its own number out of all."""
    for name in NAMES:
        pages = page_texts(name)
        for number, text in enumerate(pages, start=1):
            assert (f"Page {number} of {len(pages)}" in text) == (number > 1 or name == "amendment_1")
            assert ("Ref. MSA-2024-017" in text) == (number > 1 or name == "amendment_1")


def test_schedule_three_is_in_two_columns() -> None:
    """The lines of Schedule 3 stand in a left and a right column that do not touch."""
    with pymupdf.open(EXAMPLES / "supply_agreement.pdf") as document:
        page = document[15]
        boxes = [
            pymupdf.Rect(line["bbox"])
            for block in page.get_text("dict")["blocks"]
            for line in block["lines"]
            if 140 < line["bbox"][1] < 770
        ]
        middle = page.rect.width / 2
    left = [box for box in boxes if box.x0 < middle]
    right = [box for box in boxes if box.x0 >= middle]
    assert min(len(left), len(right)) > 30
    assert max(box.x1 for box in left) < min(box.x0 for box in right)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_overlaps_or_leaves_the_margins(name: str) -> None:
    """No two lines share ink, and every line keeps the margins of the page."""
    with pymupdf.open(EXAMPLES / f"{name}.pdf") as document:
        for page in document:
            cores = sorted((y0 + 4, y1 - 4, x0 + 0.5, x1 - 0.5) for x0, y0, x1, y1, *_ in page.get_text("words"))
            assert all(x0 > 71 and x1 < 524 for _, _, x0, x1 in cores)
            for index, (_, bottom, x0, x1) in enumerate(cores):
                below = takewhile(lambda other, bottom=bottom: other[0] < bottom, cores[index + 1 :])
                assert not any(other_x0 < x1 and x0 < other_x1 for _, _, other_x0, other_x1 in below)


def test_script_makes_the_committed_documents(tmp_path: Path) -> None:
    """Two runs give the same bytes; page contents, outline and metadata are those of the committed files."""
    made = []
    for run in ("one", "two"):
        folder = tmp_path / run
        folder.mkdir()
        subprocess.run(  # the interpreter that runs the tests, on a script of this project
            [sys.executable, EXAMPLES / "make_samples.py", folder], check=True, capture_output=True
        )
        made.append(folder)
    for name in NAMES:
        assert (made[0] / f"{name}.pdf").read_bytes() == (made[1] / f"{name}.pdf").read_bytes()
        with pymupdf.open(made[0] / f"{name}.pdf") as fresh, pymupdf.open(EXAMPLES / f"{name}.pdf") as committed:
            assert [page.read_contents() for page in fresh] == [page.read_contents() for page in committed]
            assert fresh.get_toc() == committed.get_toc()
            assert fresh.metadata == committed.metadata
    assert (made[0] / "questions.xlsx").read_bytes() == (made[1] / "questions.xlsx").read_bytes()
    rows = [list(load_workbook(at / "questions.xlsx").active.values) for at in (made[0], EXAMPLES)]
    assert rows[0] == rows[1]
