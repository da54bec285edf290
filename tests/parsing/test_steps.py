"""The steps on hand-made lines: numbering, paragraphs, outline matching, sections, headings, references, subjects."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.parsing.body_headings import find_headings
from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.numbering import drop_number, ends_sentence, read_number, squeeze
from pipeline.parsing.outline import Entry, Heading, match_outline
from pipeline.parsing.page_text import Fragment, clean_text
from pipeline.parsing.paragraphs import number_paragraphs
from pipeline.parsing.reading_order import order_lines
from pipeline.parsing.references import find_objects, find_references
from pipeline.parsing.roles import mark_captions, mark_contents
from pipeline.parsing.running_text import mark_running_text
from pipeline.parsing.sections import make_toc
from pipeline.parsing.semantics import count_languages, guess_type
from schemas.tables import OBJECT_DF, TOC_DF


def line(
    line_id: int, text: str, *, y: float | None = None, page: int = 1, bold: bool = False, size: float = 10
) -> Line:
    """A line at the left margin, 14 points below the one before it, unless `y` says otherwise."""
    top = 14.0 * line_id if y is None else y
    box = (72.0, top, 72.0 + 5 * len(text), top + 12)
    return Line(line_id, page, line_id, text, *box, "Times", size, bold, False, 0, "single", "", box)


def lines(*texts: str) -> list[Line]:
    """Lines one under the other."""
    return [line(at, text) for at, text in enumerate(texts, start=1)]


@pytest.mark.parametrize(
    ("text", "kind", "number", "title"),
    [
        ("3.5 Positional Encoding", "decimal", "3.5", "Positional Encoding"),
        ("ARTICLE IV - TERM", "article", "IV", "TERM"),
        ("Section 2.01 Appointment", "section", "2.01", "Appointment"),
        ("SCHEDULE A", "schedule", "A", ""),
        ("Exhibit B-1: Fees", "exhibit", "B-1", "Fees"),
        ("Item 1A. Risk Factors", "item", "1A", "Risk Factors"),
        ("XIV. INSURANCE", "roman", "XIV", "INSURANCE"),
        ("§ 5 Haftung", "section", "5", "Haftung"),
        ("Cláusula 3. Precio", "clause", "3", "Precio"),
    ],
)
def test_numbers_at_the_head_of_a_line(text: str, kind: str, number: str, title: str) -> None:
    """Kind, number and title are told apart."""
    read = read_number(text)
    assert read is not None
    assert (read.kind, read.id, read.title) == (kind, number, title)


@pytest.mark.parametrize(
    "text", ["part of the fee", "EXHIBITS: see below", "3.5 million euros", "Sections apply", "2023"]
)
def test_what_is_no_number_of_a_heading(text: str) -> None:
    """Words and amounts that look like numbering are left alone, or carry no capital title."""
    read = read_number(text)
    assert read is None or not read.title[:1].isupper()


def test_titles_are_compared_without_spacing_ligatures_and_numbers() -> None:
    """Letter-spaced, ligated and numbered forms of a title are one."""
    assert squeeze("D e ﬁ n i t i o n s") == squeeze("DEFINITIONS")
    assert drop_number("3.2.1 Scaled Dot-Product") == "Scaled Dot-Product"
    assert drop_number("42") == "42"


@given(st.text())
def test_cleaned_text_is_one_line_that_can_be_written(text: str) -> None:
    """Whatever a file holds, the text is on one line, stripped, and valid UTF-8."""
    clean = clean_text(text)
    assert len(clean.splitlines()) <= 1
    assert clean == clean.strip()
    clean.encode("utf-8")


def test_paragraphs_break_at_blank_space_and_list_items() -> None:
    """Wrapped lines stay together; '(a)', '1.1' and a gap begin anew; a broken amount does not."""
    made = lines(
        "The Supplier shall pay a sum of", "3.5 million euros to the Customer.", "(a) First item", "goes on", "1.1 Next"
    )
    made.append(line(6, "After a gap", y=14 * 5 + 40))
    number_paragraphs(made)
    assert [x.paragraph_id for x in made] == [1, 1, 2, 2, 3, 4]


def test_running_text_needs_company() -> None:
    """The same text at the same height on three pages is a header; numbers that count pages are page numbers."""
    pages = []
    for number in (1, 2, 3):
        texts = [line(1, "Confidential", y=30, page=number), line(2, f"Chapter {4 - number}", y=60, page=number)]
        texts += [line(3, "Some text", y=400, page=number), line(4, str(number + 4), y=800, page=number)]
        pages.append(PageRead(number, width=595, height=842, lines=texts))
    mark_running_text(pages)
    assert [[x.role for x in page.lines] for page in pages] == [["header", "body", "body", "page_number"]] * 3


def test_an_outline_height_from_either_end_picks_the_right_line() -> None:
    """The same title twice on a page: the outline's y decides, counted from the top or from the bottom."""
    made = [line(1, "Results", y=100), line(2, "text", y=200), line(3, "Results", y=500), line(4, "text", y=600)]
    for y in (500.0, 842.0 - 500.0):
        found, _ = match_outline([Entry(1, "Results", 1, y)], {1: made}, {1: 842.0})
        assert [(h.line_id, h.found) for h in found] == [(3, True)]


def test_a_title_is_not_found_inside_a_longer_word() -> None:
    """'Term' is no beginning of 'Termination'; unmatched entries start at the top of their page."""
    made = lines("Top of the page", "Termination of this agreement")
    found, _ = match_outline([Entry(1, "Term", 1, None)], {1: made}, {1: 842.0})
    assert [(h.line_id, h.found) for h in found] == [(1, False)]


def test_an_outline_for_another_file_is_left_out_and_told() -> None:
    """Dozens of entries on a page without their titles are no sections."""
    entries = [Entry(1, f"Chapter number {at}", 1, None) for at in range(40)]
    found, faults = match_outline(entries, {1: lines("One line", "Another")}, {1: 842.0})
    assert found == []
    assert "40 outline entries" in faults[0]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 30)), max_size=12))
def test_sections_are_nested_and_cover_their_lines(headings: list[tuple[int, int]]) -> None:
    """Any headings give sections inside their parents, and each line the deepest one around it."""
    made = lines(*[f"line {at}" for at in range(1, 31)])
    toc = make_toc([Heading(level, "T", at, at, True, "x", 1.0) for level, at in headings], made)
    rows = {row.section_id: row for row in toc.itertuples()}
    for row in rows.values():
        assert row.start_line_id <= row.end_line_id
        if isinstance(row.parent_section_id, str):
            parent = rows[row.parent_section_id]
            assert parent.level == row.level - 1
            assert parent.start_line_id <= row.start_line_id <= row.end_line_id <= parent.end_line_id
    for x in made:
        around = [row for row in rows.values() if row.start_line_id <= x.line_id <= row.end_line_id]
        deepest = [row for row in around if row.start_line_id == max(r.start_line_id for r in around)]
        assert x.section_id in {row.section_id for row in deepest} if around else x.section_id is None


def test_headings_are_recovered_by_numbering_and_type() -> None:
    """Bold numbered lines and run-in titles are headings; clauses, amounts and contents lines are not."""
    made = [
        line(1, "1. Definitions", bold=True),
        line(2, "In this agreement words have a meaning."),
        line(3, "1.1 Fees. The Customer shall pay the fees."),
        line(4, "1.2 The Supplier shall deliver on time."),
        line(5, "2. Term", bold=True),
        line(6, "The term is 2 years."),
        line(7, "SCHEDULE A", bold=True),
        line(8, "1. Prices", bold=True),
        line(9, "They follow."),
    ]
    found = find_headings(made)
    assert [(h.level, h.title) for h in found] == [
        (1, "1. Definitions"),
        (2, "1.1 Fees"),
        (1, "2. Term"),
        (1, "SCHEDULE A"),
        (2, "1. Prices"),
    ]
    assert all(h.confidence < 1 and h.source == "body_numbering" for h in found)


def test_contents_pages_are_no_sections() -> None:
    """Lines with dot leaders get the role toc_entry and are left out of the headings."""
    made = lines("CONTENTS", "1. Definitions ........ 2", "2. Fees ............... 3", "3. Term .............. 4")
    mark_contents(made)
    assert [x.role for x in made] == ["body", "toc_entry", "toc_entry", "toc_entry"]
    assert find_headings(made) == []


def test_captions_are_told_from_sentences() -> None:
    """'Figure 2: ...' is a caption; 'Figure 2 shows' and a sentence broken before 'Figure 2.' are not."""
    made = lines("The model is described in detail and drawn to scale in", "Figure 2. The results are", "better.")
    made += [line(4, "Figure 2: The model", y=200), line(5, "Table 1 shows that", y=260)]
    mark_captions(made)
    assert [x.role for x in made] == ["body", "body", "body", "caption", "body"]
    assert find_objects(made)[["object_type", "object_id", "line_id"]].to_numpy().tolist() == [["figure", "2", 4]]


def test_mentions_in_a_row_are_all_found() -> None:
    """'Sections 2, 3 and 4.1' gives three; 'article a' gives none."""
    made = lines("Sections 2, 3 and 4.1 apply, and article a does not; see Exhibit B.")
    references = find_references(made, OBJECT_DF.empty(), TOC_DF.empty())
    assert references[["ref_type", "ref_id"]].to_numpy().tolist() == [
        ["section", "2"],
        ["section", "3"],
        ["section", "4.1"],
        ["exhibit", "B"],
    ]
    assert [made[0].text[at : at + 1] for at in references["char_start"]] == ["S", "3", "4", "E"]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 700), st.integers(1, 40)), max_size=40))
def test_reading_order_loses_and_repeats_nothing(places: list[tuple[int, int, int]]) -> None:
    """Whatever the layout, each fragment is in exactly one line."""
    fragments = []
    for at, (x, y, length) in enumerate(places):
        box = (float(x), float(y), x + 5.0 * length, y + 11.0)
        fragments.append(Fragment(f"{at} " + "w" * length, box, box, "F", 10, False, False, 0, ""))
    placed, columns = order_lines(fragments)
    seen = sorted(id(f) for row in placed for f in row.fragments)
    assert seen == sorted(map(id, fragments))
    assert (columns == 0) == (not fragments)


@pytest.mark.parametrize(
    ("name", "text", "doc_type"),
    [
        ("x.pdf", "This Supply Agreement is entered into by and between A and B", "contract"),
        ("x.pdf", "FIRST AMENDMENT to the Supply Agreement between A and B", "contract_amendment"),
        ("x.pdf", "UNITED STATES SECURITIES FORM 10-K annual report", "annual_report"),
        ("John_Smith_CV_2023.pdf", "John Smith, engineer", "resume"),
        ("x.pdf", "Invoice number 17, total due", "invoice"),
        ("x.pdf", "nothing to tell", "unknown"),
    ],
)
def test_types_are_guessed_from_words_and_names(name: str, text: str, doc_type: str) -> None:
    """The first pages' words go before the file's name."""
    assert guess_type(name, text) == doc_type


def test_languages_are_counted() -> None:
    """Each of the four is told from the others, and none is told from a few words."""
    assert count_languages(["the fee of the contract and the term for which it is to be paid by the party"]) == ("en",)
    assert count_languages(["el precio del contrato y los plazos para el pago por las partes con una firma"]) == ("es",)
    assert count_languages(["le prix du contrat et les dates pour une partie qui est dans le contrat avec"]) == ("fr",)
    assert count_languages(["der Preis und die Frist für das Werk ist nicht von der Partei zu zahlen"]) == ("de",)
    assert count_languages(["Invoice 17"]) == ()


def test_sentence_ends() -> None:
    """Full stops, also before quotes and footnote marks; not commas."""
    assert ends_sentence("it ends.")
    assert ends_sentence("“it ends.”")
    assert not ends_sentence("it goes on,")
