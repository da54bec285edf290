"""Contents: contents pages printed and linked, numbering and type of the body, and what is no heading."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing.body_headings import find_headings
from pipeline.parsing.combining import combine_headings
from pipeline.parsing.contents_lines import mark_contents
from pipeline.parsing.lines import Line, flow_line, lay_out
from pipeline.parsing.numbering import drop_number, read_item, read_number
from pipeline.parsing.outline import Heading
from pipeline.parsing.sections import make_toc
from tests.parsing.builders import LOREM, new_page, paragraph, save

PROSE = [LOREM[:70], LOREM[70:140], "and goes on until it is over."]
HEAD = {"fontname": "hebo", "fontsize": 13}
SUB = {"fontname": "hebo", "fontsize": 11}


def make_lines(*texts: str, pitch: float = 14.0, page: int = 1) -> list[Line]:
    """Lines one under the other; '*' before one makes it bold, '#' large; an empty one is a blank."""
    made: list[Line] = []
    y = 60.0
    for text in texts:
        y += pitch
        if not text:
            continue
        size = 16.0 if text.startswith("#") else 10.0
        words = text.lstrip("*#")
        box = (72.0, y, 72.0 + 0.5 * size * len(words), y + size)
        line = Line(
            len(made) + 1, page, len(made) + 1, words, *box, "Times", size, words != text, False, 0, "single", "", box
        )
        made.append(line)
    return made


def titles(lines: list[Line]) -> list[tuple[int, str]]:
    """(level, title) of the headings found."""
    return [(heading.level, heading.title) for heading in find_headings(lines)]


def report(path: Path, *, linked: bool = False, numbered: bool = True, offset: int = 0) -> Path:
    """A cover, a contents page, and chapters of two sections each, the pages numbered from `offset` + 1."""
    document = pymupdf.open()
    chapters = ["Introduction", "Market Overview", "Financial Results", "Outlook and Risks"]
    new_page(document, [(72, 200, "Annual Review", {"fontname": "hebo", "fontsize": 26})])
    entries = [(72, 80, "Contents", HEAD)]
    for at, title in enumerate(chapters):
        label = f" {'.' * 60} {at + 1 + offset}" if numbered else ""
        entries.append((72, 120 + 40 * at, title + label, {}))
        entries.append((92, 140 + 40 * at, f"Details of {title}{label}", {}))
    new_page(document, entries)
    for at, title in enumerate(chapters):
        new_page(
            document,
            [
                (72, 80, title, HEAD),
                *paragraph(72, 110, PROSE),
                (72, 200, f"Details of {title}", SUB),
                *paragraph(72, 230, PROSE),
                (290, 810, str(at + 1 + offset), {"fontsize": 8}),
            ],
        )
    if linked:
        for at in range(len(chapters)):
            for y, top in ((120 + 40 * at, 70), (140 + 40 * at, 190)):
                where = pymupdf.Rect(72, y - 10, 400, y + 3)
                goal = {"kind": pymupdf.LINK_GOTO, "from": where, "page": at + 2, "to": pymupdf.Point(72, top)}
                document[1].insert_link(goal)
    return save(document, path)


@pytest.mark.parametrize(
    ("linked", "numbered", "offset"), [(False, True, 0), (False, True, 17), (True, True, 3), (True, False, 0)]
)
def test_a_contents_page_gives_the_sections(tmp_path: Path, linked: bool, numbered: bool, offset: int) -> None:
    """Linked or printed, with page numbers that are shifted or none: titles, levels by indent, pages and lines."""
    document = parse_document(report(tmp_path / "r.pdf", linked=linked, numbered=numbered, offset=offset))
    toc = document.toc_df
    assert toc["level"].tolist() == [1, 2] * 4
    assert toc["title"].tolist()[:3] == ["Introduction", "Details of Introduction", "Market Overview"]
    assert toc["start_page"].tolist() == [3, 3, 4, 4, 5, 5, 6, 6]
    assert toc["heading_found"].all()
    assert set(toc["source"]) == {"linked_contents" if linked else "printed_contents"}
    entries = document.line_df[document.line_df["role"] == "toc_entry"]
    assert len(entries) == 8
    assert set(entries["page_num"]) == {2}


def test_a_table_with_leaders_is_no_contents_page() -> None:
    """Amounts behind dots fall as often as they rise; page numbers do not."""
    made = make_lines(
        "Rent ........ 900", "Heating ........ 80", "Water ........ 400", "Power ........ 20", "Gas ........ 90"
    )
    mark_contents(made)
    assert {line.role for line in made} == {"body"}


def test_a_contents_list_without_page_numbers_is_told_by_its_return() -> None:
    """After 'TABLE OF CONTENTS', lines that stand in the text once more are entries; the headings are further on."""
    made = make_lines(
        "*TABLE OF CONTENTS", "ARTICLE I DEFINITIONS", "ARTICLE II FEES", "ARTICLE III TERM", "", "",
        "This agreement is made between two parties that are named in it below.", "",
        "*ARTICLE I DEFINITIONS", "Words have the meaning that this article gives to them here.", "",
        "*ARTICLE II FEES", "The fees are paid each month by the one party to the other one.", "",
        "*ARTICLE III TERM", "The term is two years from the date that stands above in words.",
    )  # fmt: skip
    mark_contents(made)
    assert [line.role for line in made[:5]] == ["body", "toc_entry", "toc_entry", "toc_entry", "body"]
    assert [heading.line_id for heading in find_headings(made)] == [6, 8, 10]


@pytest.mark.parametrize(
    ("text", "kind", "parts", "title"),
    [
        ("CLÁUSULA PRIMERA.- OBJETO", "clause", (1,), "OBJETO"),
        ("SEGUNDA.- Precio", "clause", (2,), "Precio"),
        ("Artículo 3º. Plazo", "article", (3,), "Plazo"),
        ("Article premier. Objet", "article", (1,), "Objet"),
        ("ANEXO II", "annex", (2,), ""),
        ("Disposición adicional primera. Plazos", "provision", (1,), "Plazos"),
        ("Chapitre 4 – Durée", "chapter", (4,), "Durée"),
        ("NOTE 12. LEASES", "note", (12,), "LEASES"),
        ("1.0 Scope", "decimal", (1,), "Scope"),
    ],
)
def test_numbering_of_three_languages(text: str, kind: str, parts: tuple[int, ...], title: str) -> None:
    """Spanish and French words, ordinals in letters, notes to accounts."""
    number = read_number(text)
    assert number is not None
    assert (number.kind, number.parts, number.title) == (kind, parts, title)
    assert drop_number(text) in (title, text)


@pytest.mark.parametrize(
    "text", ["part one of the services", "section a", "(see 4.2)", "4.5% of sales", "first of all"]
)
def test_words_that_only_look_like_numbers(text: str) -> None:
    """No number, or none with a title that begins in capitals."""
    number = read_number(text)
    assert number is None or not number.title[:1].isupper()
    assert read_item(text) is None or not read_item(text).title[:1].isupper()  # type: ignore[union-attr]


def test_clauses_of_a_contract() -> None:
    """Articles, run-in titles of clauses, titles in small letters; clauses without a title only count."""
    made = make_lines(
        "*ARTICLE I", "*GENERAL TERMS", "",
        "1.01 Certain Terms. The words below have a meaning of their own here.", "",
        "1.02 The parties shall act in good faith at all times and in all places.", "",
        "1.03 The parties shall tell each other of whatever they come to know.", "",
        "1.04 The parties shall keep to themselves what they are told by the other.", "",
        "1.05 Notices. They are sent by post to the address that stands above.", "",
        "*ARTICLE II", "*TERM AND END", "",
        "2.01 Payment terms. The Customer pays each invoice within thirty days.", "",
        "2.02 Supply of goods", "The goods are supplied as they are ordered from time to time.",
    )  # fmt: skip
    assert titles(made) == [
        (1, "ARTICLE I GENERAL TERMS"),
        (2, "1.01 Certain Terms"),
        (2, "1.05 Notices"),
        (1, "ARTICLE II TERM AND END"),
        (2, "2.01 Payment terms"),
        (2, "2.02 Supply of goods"),
    ]


def test_titles_of_items_stand_before_their_text() -> None:
    """'(a) Fees. The ...' under its clause; items without a title count, labels and lists are none."""
    made = make_lines(
        "*1. Duties", "",
        "(a) Of the Buyer. The Buyer takes the goods at the place that is agreed.", "",
        "(b) the parties shall tell each other of whatever they come to know,", "",
        "(c) the parties shall keep to themselves what they are told,", "",
        "(d) Checking of goods: The Buyer looks at them within a month of their coming.", "",
        "*2. Notices", "",
        "(a) If to the Buyer: The Head of Sales, High Street 12, Town.", "",
        "(b) Mr. Smith is told of what is sent to either of the two.", "",
        "(c) Delta Kitchens Limited: boards for ovens, and what belongs to them.",
    )  # fmt: skip
    assert titles(made) == [
        (1, "1. Duties"), (2, "(a) Of the Buyer"), (2, "(d) Checking of goods"), (1, "2. Notices")
    ]  # fmt: skip


def test_titles_that_end_on_the_next_line_and_sentences_that_only_begin_on_one() -> None:
    """A run-in title may be broken; a line without room for the next word is no title; nor is what leads to a list."""
    made = make_lines(
        "1. Retention of the Agent; Compensation of the Agent; Sale and Delivery",
        "of the Shares. Subject to what is said here, the one takes the other", "as an agent for the time that is.", "",
        "2. For the purposes of collecting orders for goods of all the kinds", "Products are shown on the pages that",
        "the one of them keeps for the other.", "",
        "*3. Subject to Clause 2:", "", "(a) the first is done, and so is the second,", "",
        "4. Payment of fees:", "(a) the fees are paid when the goods are there,", "(b) or before.",
    )  # fmt: skip
    assert titles(made) == [
        (1, "1. Retention of the Agent; Compensation of the Agent; Sale and Delivery of the Shares"),
        (1, "4. Payment of fees:"),
    ]  # fmt: skip


def test_a_reference_on_a_line_of_its_own_breaks_no_row() -> None:
    """'Section 1.1 [Fees]' between 1.1 and 1.2 of a text that numbers without the word."""
    made = make_lines(
        "*1. Fees", "", "*1.1 Amount", "It is paid as agreed between the two of them, and so is that under",
        "*Section 1.1 [Amount].", "", "*1.2 Place", "It is paid at the place that is agreed between the two of them.",
    )  # fmt: skip
    assert titles(made) == [(1, "1. Fees"), (2, "1.1 Amount"), (2, "1.2 Place")]


def test_bold_is_no_emphasis_where_all_is_bold() -> None:
    """Numbered sentences of a text that is bold throughout."""
    made = make_lines(
        *(x for at in range(1, 9) for x in (f"*{at}. No partner leaves before the end of the", "*year it is in.", ""))
    )
    assert titles(made) == []


def test_marks_in_quotes_and_points_after_a_blank() -> None:
    """Exhibit “A”, '3 .TERM' as it is typed at times, and '2.1Term' where a tab stands for the blank; no units."""
    exhibit, point = read_number("EXHIBIT “A”"), read_number("3 .TERM OF THE CONTRACT")
    assert read_number("2.1Term. It lasts") is not None
    assert read_number("1.5M euros") is None
    assert exhibit is not None
    assert (exhibit.kind, exhibit.id, exhibit.title) == ("exhibit", "A", "")
    assert point is not None
    assert (point.parts, point.title) == ((3,), "TERM OF THE CONTRACT")


def test_untitled_recitals_are_no_level() -> None:
    """'A. The Seller makes goods' before '1. Sale' does not make the clauses its parts."""
    made = make_lines(
        "A. The Seller makes goods of all kinds and sells them to whoever asks.", "",
        "B. The Buyer wishes to buy some of them for the time that is agreed.", "",
        "*1. Sale", "", "1.1 Goods. They are those that the list names, and no others.", "",
        "*2. Term", "It lasts two years from the date on which both have signed it.",
    )  # fmt: skip
    assert titles(made) == [(1, "1. Sale"), (2, "1.1 Goods"), (1, "2. Term")]


def test_a_list_is_over_before_the_titles_of_items() -> None:
    """'(1) to tell ...' in the text neither takes the place of '(1) Fees' nor breaks the row of 'a. Duties'."""
    text = "The parties mean by these words what is said of them in this part."
    made = make_lines(
        "*1. Rules", "", "(1) to tell the other party of all that it comes to know of them.", "",
        "a. Duties", text, "", "(1) Fees", text, "", "(2) Costs", text, "",
        "(1) at the beginning of each year, and whenever else it is asked for it.", "",
        "b. Rights", text, "", "*2. Term", text,
    )  # fmt: skip
    assert titles(made) == [
        (1, "1. Rules"), (2, "a. Duties"), (3, "(1) Fees"), (3, "(2) Costs"), (2, "b. Rights"), (1, "2. Term")
    ]  # fmt: skip


def test_side_headings_stand_under_parts() -> None:
    """A bold line in small letters under 'PART I', itself bold and in capitals."""
    text = "The parties mean by these words what is said of them in this part."
    made = make_lines(
        *(x for part in ("I", "II", "III") for x in (
            f"*PART {part} WORDS", "", f"*Words of {part}", "", text, "", f"*More of {part}", "", text, ""
        ))
    )  # fmt: skip
    assert titles(made)[:4] == [(1, "PART I WORDS"), (2, "Words of I"), (2, "More of I"), (1, "PART II WORDS")]


def test_what_is_no_heading() -> None:
    """Cross references, list items, addresses, dates, amounts, sentences broken before a number, filing labels."""
    made = make_lines(
        "EXHIBIT 10.4", "",
        "*1. Fees", "The fees are due as stated in the schedule and in Section",
        "4.2.1 Payment of this agreement, whatever else may be agreed upon there.", "",
        "Section 5 provides for more, and so does the law of the place of payment.", "",
        "(a) the first of the goods is delivered at once,", "(b) the second is delivered later, and", "",
        "(c) ALL EFFORTS ARE MADE TO ENSURE THE", "goods are there in time for the day on which they are due.", "",
        "12 High Street", "1 January 2020", "3.5 million euros are due to the one party.", "",
        "*2. Term", "It lasts two years from the date on which both have signed it.",
    )  # fmt: skip
    assert titles(made) == [(1, "1. Fees"), (1, "2. Term")]


def test_numbering_begins_anew_in_each_part_and_schedule() -> None:
    """'A.' and '1.' restart under their parents; a schedule counts for itself, one level down."""
    made = make_lines(
        "*I. SCOPE", "", "*A. Goods", "", "1. Kinds", "They are of many kinds and all of them are named in a list.", "",
        "2. Colours", "They come in all the colours that the maker has in his store.", "",
        "*B. Services", "", "1. Training", "It is given to all who ask for it in the time that is agreed.", "",
        "*II. PRICES", "They stand in the schedule that is attached to this paper.", "",
        "*SCHEDULE A", "", "*1. Goods", "Their prices are those of the list that is in force today.", "",
        "*2. Services", "Their prices are agreed upon from one case to the next one.",
    )  # fmt: skip
    assert titles(made) == [
        (1, "I. SCOPE"), (2, "A. Goods"), (3, "1. Kinds"), (3, "2. Colours"), (2, "B. Services"), (3, "1. Training"),
        (1, "II. PRICES"), (1, "SCHEDULE A"), (2, "1. Goods"), (2, "2. Services"),
    ]  # fmt: skip


def test_type_alone_makes_headings_where_it_is_a_habit() -> None:
    """Large and bold lines that return above text; a label that is repeated over and over is none."""
    text = ["This is a line of text that goes on for a while and then it", "ends with a full stop."]
    made = make_lines(
        *text, "", "", "#Results", "", *text, "", "*Revenue", *text, "", "*Costs", *text, "", "",
        "#Outlook", "", *text, "", "*Revenue of the next year", *text,
        *(x for _ in range(5) for x in ("", "*CAUTION", *text)),
    )  # fmt: skip
    made[-1].page_num = 2
    assert titles(made) == [
        (1, "Results"), (2, "Revenue"), (2, "Costs"), (1, "Outlook"), (2, "Revenue of the next year")
    ]  # fmt: skip


def test_the_body_adds_what_a_contents_page_leaves_out() -> None:
    """Listed chapters keep their level; numbers below them join; further ones of a listed kind do not."""
    made = make_lines(
        "*1. Fees", "", "*1.1 Amount", "It is paid as agreed between the two of them in the list.", "",
        "*2. Term", "", "*2.1 Length", "It lasts as long as both of them wish it to last.", "",
        "*3. Not Listed", "It stands in the text and yet the contents do not name it.",
    )  # fmt: skip
    upper = [
        Heading(1, "1. Fees", 1, 1, True, "printed_contents", 0.9),
        Heading(1, "2. Term", 4, 4, True, "printed_contents", 0.9),
    ]
    combined = combine_headings(upper, find_headings(made), {line.line_id: line for line in made})
    assert [(heading.level, heading.title) for heading in combined] == [
        (1, "1. Fees"), (2, "1.1 Amount"), (1, "2. Term"), (2, "2.1 Length")
    ]  # fmt: skip


def test_named_styles_for_some_levels_and_numbers_for_others() -> None:
    """Where a format names the chapters alone, the numbers below them join; where it names few, the others too."""
    made = make_lines(
        "*1. Fees", "", "*1.1 Amount", "It is paid as agreed between the two of them in the list.", "",
        "*2. Term", "", "*2.1 Length", "It lasts as long as both of them wish it to last.", "",
        *(x for at in range(3, 8) for x in ("", f"*{at}. Law", "It is that of the place where the goods are kept.")),
    )  # fmt: skip
    by_id = {line.line_id: line for line in made}
    first, second, third = (Heading(1, made[at].text, at + 1, at + 1, True, "native_heading", 0.95) for at in (0, 3, 6))
    chapters = combine_headings([first, second, third], find_headings(made), by_id)
    assert [heading.level for heading in chapters] == [1, 2, 1, 2, 1]
    few = combine_headings([first], find_headings(made), by_id, is_list=False)
    assert [heading.level for heading in few] == [1, 2, 1, 2, 1, 1, 1, 1, 1]


def test_a_text_without_a_layout_is_numbered_too() -> None:
    """Lines of a text file, one a paragraph: the virtual layout lets the same rules work."""
    texts = ["1. Definitions", "Words have a meaning.", "1.1 Terms. They are defined.", "2. Fees", "They are due."]
    made = [flow_line(text, method="text") for text in texts]
    for at, line in enumerate(made, start=1):
        line.line_id = line.line_num = at
    lay_out(made)
    assert titles(made) == [(1, "1. Definitions"), (2, "1.1 Terms"), (1, "2. Fees")]


_PIECE = st.sampled_from(
    ["1. Fees", "*2. Term", "1.1 Scope", "*ARTICLE I", "#Results", "*SCHEDULE A", "(a) Goods", "a. Goods", "IV. Law",
     "text that goes on and on until it ends with a stop.", "Contents", "Fees ..... 3", "", "*RECITALS", "12", "A. B"]
)  # fmt: skip


@given(st.lists(_PIECE, max_size=40))
def test_every_line_belongs_to_one_section_and_sections_nest(texts: list[str]) -> None:
    """Whatever the text: headings are lines in order, levels have no gap, sections tile the text from the first on."""
    made = make_lines(*texts)
    mark_contents(made)
    headings = find_headings(made)
    assert [heading.line_id for heading in headings] == sorted({heading.line_id for heading in headings})
    assert all(heading.line_id <= heading.last_line_id <= len(made) for heading in headings)
    toc = make_toc(headings, made)
    rows = {row.section_id: row for row in toc.itertuples()}
    for row in rows.values():
        if isinstance(row.parent_section_id, str):
            parent = rows[row.parent_section_id]
            assert row.level == parent.level + 1
            assert parent.start_line_id < row.start_line_id <= row.end_line_id <= parent.end_line_id
    for line in made:
        inside = [row for row in rows.values() if row.start_line_id <= line.line_id <= row.end_line_id]
        assert line.section_id == (max(inside, key=lambda row: row.start_line_id).section_id if inside else None)
        assert bool(inside) == bool(headings and line.line_id >= headings[0].line_id)


@pytest.mark.parametrize("name", ["papers/1706.03762v7.pdf", "nist/NIST.CSWP.29.pdf"])
def test_a_hidden_outline_is_found_again(shared_data: Path, name: str) -> None:
    """With its outline taken away, a real document keeps nine of ten entries, on their levels."""
    from benchmarks.contents import measure_file

    measured = measure_file(shared_data / name)
    assert measured is not None
    assert measured[0].f1 >= 0.9
    assert measured[0].level_accuracy >= 0.95
