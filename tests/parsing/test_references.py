"""Cross references and named objects: what is a mention, what it points at, and what it must not point at."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.body_headings import find_headings
from pipeline.parsing.lines import Line
from pipeline.parsing.mentions import read_mentions
from pipeline.parsing.objects import find_definitions, find_objects
from pipeline.parsing.paragraphs import number_paragraphs
from pipeline.parsing.reading import LinkRead
from pipeline.parsing.references import find_references
from pipeline.parsing.roles import mark_captions, mark_headings
from pipeline.parsing.sections import make_toc

BOLD = "*"  # a line that begins with it is set in bold


def make_lines(*texts: str) -> list[Line]:
    """Lines one under the other, a blank line's distance apart; '*' before one makes it bold."""
    made = []
    for at, text in enumerate(texts, start=1):
        bold, words = text.startswith(BOLD), text.removeprefix(BOLD)
        box = (72.0, 24.0 * at, 72.0 + 5 * len(words), 24.0 * at + 11)
        made.append(Line(at, 1, at, words, *box, "Times", 10, bold, False, 0, "single", "", box))
    return made


def read(*texts: str, links: list[tuple[int, str, int]] | None = None) -> tuple[pd.DataFrame, pd.DataFrame, list[Line]]:
    """cross_ref_df and object_df of the lines; links as (line, words, target line)."""
    lines = make_lines(*texts)
    mark_captions(lines)
    headings = find_headings(lines)
    mark_headings(lines, headings)
    number_paragraphs(lines)
    toc = make_toc(headings, lines)
    objects = find_objects(lines)
    made = [
        LinkRead(lines[at - 1], lines[at - 1].text.index(words), words, lines[target - 1])
        for at, words, target in links or []
    ]
    return find_references(lines, objects, toc, made), objects, lines


def targets(references: pd.DataFrame) -> list[tuple[str, str, int | None]]:
    """(type, id, target) of each mention, defined terms aside."""
    rows = references[references["ref_type"] != "definition"]
    found = zip(rows["ref_type"], rows["ref_id"], rows["target_line_id"], strict=True)
    return [(kind, name, None if pd.isna(target) else int(target)) for kind, name, target in found]


CONTRACT = (
    "*SUPPLY AGREEMENT",
    "This Supply Agreement (the “Agreement”) is made between A and B.",
    "*1. Definitions",
    "“Term” means the period stated in Section 2.",
    "*2. Term",
    "2.1 The Term begins on the first day and lasts two years.",
    "2.2 Either party may end it where:",
    "(a) the other is insolvent; or",
    "(b) the other fails to",
    "(i) pay; or",
    "(ii) deliver.",
    "*3. Fees",
    "The fees stand in Schedule A.",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sections 2 to 4 and 7", ["2", "3", "4", "7"]),
        ("Clauses 2.1-2.3", ["2.1", "2.2", "2.3"]),
        ("Schedules A to C", ["A", "B", "C"]),
        ("Section 5(b)(ii)", ["5(b)(ii)"]),
        ("las cláusulas 3 y 4, y la cláusula quinta", ["3", "4", "quinta"]),
        ("les articles 3 à 5", ["3", "4", "5"]),
        ("véase el anexo II", ["II"]),
        ("the article a and the article I wrote", []),
        ("a fig leaf, a table of 3 legs, an annex to it", []),
        ("Sections 1 to 999", ["1", "999"]),
    ],
)
def test_mentions_are_read_with_their_ranges(text: str, expected: list[str]) -> None:
    """Lists, ranges, list items and Spanish and French forms; words that only look like mentions give none."""
    assert [mention.id for mention in read_mentions(text)] == expected


def test_a_mention_points_at_the_deepest_line_that_exists() -> None:
    """Sections, clauses without a heading, list items; the deepest existing one where an item is missing."""
    references, _, _ = read(
        *CONTRACT,
        "As to the end see Section 2.2(b)(ii), Section 2.2(c), clause 2.1, Section 3 and Section 9.",
    )
    assert targets(references)[-5:] == [
        ("section", "2.2(b)(ii)", 11),
        ("section", "2.2(c)", 7),
        ("clause", "2.1", 6),
        ("section", "3", 12),
        ("section", "9", None),
    ]


def test_what_is_said_of_another_document_points_nowhere() -> None:
    """'Section 2 of the Credit Agreement', of a code, of an act; but this Agreement's own sections resolve."""
    references, _, _ = read(
        *CONTRACT,
        "Section 2 of the Credit Agreement, Section 3 of the Bankruptcy Code and Code Section 2 apply.",
        "Section 2 of this Agreement, Section 3 of the Agreement, Section 3 hereof and Section 2 above apply.",
        "Section 3 of the Supply Agreement applies.",
    )
    assert [target for _, _, target in targets(references)[-8:]] == [None, None, None, 5, 12, 12, 5, 12]


def test_an_amendment_speaks_of_the_agreement_that_it_amends() -> None:
    """In an amendment 'Section 2 of the Agreement' and 'Section 1 is hereby amended' are not its own sections."""
    references, _, _ = read(
        "*FIRST AMENDMENT TO SUPPLY AGREEMENT",
        "This First Amendment amends that certain Supply Agreement dated May 1, 2019 (the “Agreement”).",
        "*1. Term",
        "Section 2 of the Agreement is hereby amended to read as follows.",
        "*2. Effect",
        "Section 1 is hereby deleted. Section 1 of this Amendment governs.",
    )
    assert targets(references) == [("section", "2", None), ("section", "1", None), ("section", "1", 3)]


def test_an_article_is_no_section_where_both_exist() -> None:
    """'Article 2' points at the article, 'Section 2.1' at the section, 'Section 2' at neither."""
    references, _, _ = read(
        "*ARTICLE I DEFINITIONS",
        "*Section 1.1 Terms",
        "Words have a meaning that this article gives to them.",
        "*ARTICLE II FEES",
        "*Section 2.1 Amount",
        "Article 2, Article II, Section 2.1 and Section 2 are mentioned here.",
    )
    assert targets(references) == [
        ("article", "2", 4),
        ("article", "II", 4),
        ("section", "2.1", 5),
        ("section", "2", None),
    ]


def test_a_schedule_has_sections_of_its_own() -> None:
    """'Section 1 of Schedule A' is the schedule's; 'Section 1' alone is the main text's; a missing schedule is null."""
    references, objects, _ = read(
        "*1. Fees",
        "The fees of Section 1 of Schedule A apply, with Section 1 and Schedule B.",
        "*2. Term",
        "It lasts two years from the date that stands above.",
        "*SCHEDULE A",
        "*1. Prices",
        "They follow in the table that stands below this line.",
        "*2. Rebates",
        "None are given to anyone at any time.",
    )
    assert targets(references) == [
        ("section", "1", 6),
        ("schedule", "A", 5),
        ("section", "1", 1),
        ("schedule", "B", None),
    ]
    assert objects[["object_type", "object_id", "line_id"]].to_numpy().tolist() == [["schedule", "A", 5]]


def test_a_mention_broken_over_two_lines_belongs_to_the_first() -> None:
    """'Section' at a line's end and its number on the next one are one mention."""
    lines = make_lines(
        "*1. Fees", "They are due as stated in Section", "2 of this Agreement, whatever else holds.", "*2. Term"
    )
    for line in lines:
        line.flat = line.flat[0], 12.0 * line.line_id, line.flat[2], 12.0 * line.line_id + 10
    headings = find_headings(lines)
    mark_headings(lines, headings)
    number_paragraphs(lines)
    objects = find_objects(lines)
    references = find_references(lines, objects, make_toc(headings, lines))
    assert [(r.ref_id, r.line_id, r.char_start) for r in references.itertuples()] == [("2", 2, 26)]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("“Term” means the period of two years.", ["Term"]),
        ('"Net Sales" shall have the meaning set forth in Section 2.', ["Net Sales"]),
        (
            "Acme Inc. (the “Supplier”) and B (each a “Party” and together the “Parties”)",
            ["Supplier", "Party", "Parties"],
        ),
        ("la sociedad Acme (en adelante, el “Proveedor”)", ["Proveedor"]),
        ("“Plazo” significa el periodo de dos años.", ["Plazo"]),
        ("la société Acme (ci-après le « Fournisseur »)", ["Fournisseur"]),
        ("« Durée » désigne la période de deux ans.", ["Durée"]),
        ("He said “yes” and went (the “usual” way).", []),
    ],
)
def test_defined_terms_are_found(text: str, terms: list[str]) -> None:
    """In quotation marks before 'means', or in brackets; in three languages; quoted speech is none."""
    assert [term for term, _ in find_definitions(make_lines(text))] == terms


def test_the_first_use_of_a_term_in_each_section_is_listed() -> None:
    """A term's uses point at its definition; whole words only, its own line aside."""
    references, objects, _ = read(*CONTRACT, "The Term and the Term again; Terms are other.")
    uses = references[references["ref_type"] == "definition"]
    line_id = int(objects.loc[objects["object_id"] == "Term", "line_id"].iloc[0])
    assert line_id == 4
    found = uses[uses["ref_id"] == "Term"]
    assert found[["line_id", "target_line_id"]].to_numpy().tolist() == [[5, 4], [14, 4]]


def test_a_link_gives_its_target_to_the_mention_that_it_lies_on() -> None:
    """A native link on '9' of 'Section 9' tells where it points; other links are rows of their own."""
    references, _, _ = read(*CONTRACT, "See Section 9 or click here.", links=[(14, "9", 13), (14, "here.", 5)])
    rows = references[references["line_id"] == 14]
    assert rows[["ref_type", "ref_id", "target_line_id", "source"]].to_numpy().tolist() == [
        ["section", "9", 13, "link"],
        ["link", "here.", 5, "link"],
    ]


@given(st.lists(st.text(alphabet="Section 1.2(a)–ToBAandof,“”the§Artículo \n", max_size=60), max_size=12))
def test_every_mention_stands_where_it_says(texts: list[str]) -> None:
    """Whatever the words: places lie in their lines, targets are lines of the document, keys do not repeat."""
    references, _, lines = read(*(" ".join(text.split()) for text in texts))
    for row in references.itertuples():
        text = lines[row.line_id - 1].text
        assert 0 <= row.char_start < len(text)
        assert pd.isna(row.target_line_id) or 1 <= row.target_line_id <= len(lines)
    assert not references.duplicated(["line_id", "ref_type", "ref_id", "char_start"]).any()
