"""Passages of the strategies: every searched line in exactly one, cut at structure and never inside it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval.lines import read_lines
from pipeline.retrieval.strategies.chunks import cut_chunks
from schemas.tables import TABLE_DF
from tests.builders import document, lines, toc

SENTENCE = "The tenant shall pay the rent on the first day. "


def cut(parsed, characters=500):
    """The passages as lists of line_ids."""
    read = read_lines(parsed)
    return [[read.line_ids[at] for at in chunk.positions] for chunk in cut_chunks(parsed, read, characters=characters)]


def table(*rows):
    """A table_df of `(row, is_header, first line, last line)` rows, one cell each."""
    data = {name: [None] * len(rows) for name in TABLE_DF.names()}
    data |= {name: [0.0] * len(rows) for name in ("x0", "y0", "x1", "y1")}
    data |= {name: [1] * len(rows) for name in ("table_id", "page_num", "column_num", "row_span", "column_span")}
    data |= {name: [""] * len(rows) for name in ("header", "text", "parsing_method")}
    for name, at in (("row_num", 0), ("is_header", 1), ("line_start", 2), ("line_end", 3)):
        data[name] = [row[at] for row in rows]
    return TABLE_DF.build(data)


def test_short_paragraphs_are_packed_and_sections_are_not_mixed():
    """Paragraphs of one section fill a passage up to its size; the next section begins a new one."""
    texts = ["1 Rent", *[SENTENCE * 3] * 5, "2 Law", "The law of France."]
    section = ["1"] * 6 + ["2"] * 2
    line_df = lines(texts, role=["heading", *["body"] * 5, "heading", "body"], section_id=section)
    parsed = document(line_df, toc_df=toc([(1, "Rent", 1, 6), (1, "Law", 7, 8)], line_df))
    assert cut(parsed) == [[1, 2, 3, 4], [5, 6], [7, 8]]


def test_a_heading_stays_with_the_text_under_it():
    """Headings in a row go with the first text below them, however long that is."""
    texts = ["ARTICLE II", "2.1 Rent", SENTENCE * 12, "2.2 Term", "Two years."]
    line_df = lines(texts, role=["heading", "heading", "body", "heading", "body"], section_id=["1", "2", "2", "3", "3"])
    entries = [(1, "ARTICLE II", 1, 5), (2, "2.1 Rent", 2, 3), (2, "2.2 Term", 4, 5)]
    assert cut(document(line_df, toc_df=toc(entries, line_df))) == [[1, 2, 3], [4, 5]]


def test_a_long_paragraph_is_cut_where_a_sentence_ends():
    """Of the ends of lines near the size the one that ends a sentence is taken, and no scrap is left."""
    words = "and the tenant shall pay what is due under this lease to the landlord in full"
    texts = [words, words, words + ".", "The landlord " + words, words, words, words + "."]
    parsed = document(lines(texts, paragraph_id=[1] * 7))
    assert cut(parsed, 300) == [[1, 2, 3], [4, 5, 6, 7]]


def test_a_table_row_is_never_cut_and_a_header_stays_with_its_first_row():
    """Lines of one row are one piece, though each is a paragraph of its own."""
    texts = ["Item", "Fee"]
    for n in range(6):
        texts += [f"{n} service of some kind that has quite a long name", f"USD {n}00"]
    rows = [(1, True, 1, 2)] + [(n + 2, False, 3 + 2 * n, 4 + 2 * n) for n in range(6)]
    parsed = document(lines(texts, role=["table"] * len(texts)), table_df=table(*rows))
    chunks = cut(parsed, 150)
    assert len(chunks) > 1
    assert chunks[0][:4] == [1, 2, 3, 4]
    assert all(len(chunk) % 2 == 0 for chunk in chunks)


def test_a_caption_stays_with_what_it_names():
    """'Table 2: Fees' begins the passage of its first row."""
    parsed = document(
        lines([SENTENCE * 9, "Table 2: Fees", "Base 100", "Late 20"], role=["body", "caption", *["table"] * 2])
    )
    assert cut(parsed) == [[1], [2, 3, 4]]


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["heading", "body", "table", "caption", "header", "list"]),
            st.sampled_from(["", "Short one.", SENTENCE, SENTENCE * 4, "word " * 200]),
            st.booleans(), st.booleans(),
        ),
        min_size=1, max_size=15,
    ),
    st.integers(100, 700),
)  # fmt: skip
def test_every_searched_line_is_in_exactly_one_passage(rows, characters):
    """Nothing is lost or doubled, order is kept, ids are unique, text is verbatim."""
    paragraph, number = [], 0
    for _, _, joined, _ in rows:
        number += not joined or not paragraph
        paragraph.append(number)
    parsed = document(
        lines(
            [text for _, text, _, _ in rows], role=["body" if role == "list" else role for role, *_ in rows],
            paragraph_id=paragraph, visible=[visible for *_, visible in rows],
            hidden_reason=[None if visible else "tiny" for *_, visible in rows],
        )
    )  # fmt: skip
    read = read_lines(parsed)
    chunks = cut_chunks(parsed, read, characters=characters)
    assert [at for chunk in chunks for at in chunk.positions] == read.searched.tolist()
    assert len({chunk.candidate_id for chunk in chunks}) == len(chunks)
    assert all(chunk.text == "\n".join(read.texts[at] for at in chunk.positions) for chunk in chunks)
