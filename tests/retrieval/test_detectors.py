"""The detectors: what each proposes on small tables, and what all of them promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval import retrieve
from pipeline.retrieval.detectors import DETECTORS
from pipeline.retrieval.detectors.bm25 import bm25_scores
from pipeline.retrieval.fusion import fuse
from pipeline.retrieval.labels import anchor_places
from pipeline.retrieval.lines import read_lines
from pipeline.retrieval.passages import is_reference
from pipeline.retrieval.search import index_search
from pipeline.retrieval.settings import RetrievalSettings
from schemas.errors import SettingsError
from schemas.question import Anchor, ScopeFilters, StructuralHints
from schemas.tables import HIT_DF, same_table
from tests.builders import document, lines, toc
from tests.retrieval.build import concept, question


def search(line_df, asked, *, embedder=None, **tables):
    """A search over the given lines."""
    return index_search(document(line_df, **tables), asked.retrieval_query(), RetrievalSettings(), embedder)


def hits(method, line_df, asked, **options):
    """Line ids of a detector's hits, best first."""
    table = HIT_DF.check(DETECTORS[method](search(line_df, asked, **options)), where=method)
    return list(zip(table["line_start"].tolist(), table["line_end"].tolist(), strict=True))


class CountingEmbedder:
    """An embedder whose vectors count letters: same text, same vector."""

    name = "letters"

    def __call__(self, texts):
        rows = np.array([[text.lower().count(chr(97 + i)) + 1e-3 for i in range(26)] for text in texts], np.float32)
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def labelled(text, target="2", kind="figure"):
    """True when a line names the label."""
    places = anchor_places(read_lines(document(lines([text]))), (Anchor(kind=kind, text=f"x {target}", target=target),))
    return bool(places[0])


@pytest.mark.parametrize(
    "text",
    ["See Figure 2.", "FIGURE 2: Attention", "as Fig. 2 shows", "Figures 1 and 2", "Figs. 1, 2 and 5", "Figures 1-3",
     "Figure 2a", "Figure 2(b)", "figura 2", "Figures 1 to 4"],
)  # fmt: skip
def test_a_figure_is_found_however_it_is_written(text):
    """'Figure 2' is found in abbreviations, lists, ranges and parts."""
    assert labelled(text)


@pytest.mark.parametrize("text", ["Figure 20", "Figure 2.1", "Figures 3-5", "Table 2", "figure of 2", "Figure A2", "2"])
def test_another_figure_is_not_found(text):
    """'Figure 2' is not found in 'Figure 20' or 'Figure 2.1'."""
    assert not labelled(text)


def test_section_labels():
    """Sections are found by their sign, in brackets and with a paragraph behind them, not by a longer number."""
    assert labelled("pursuant to Section 4.2(a)", "4.2", "section")
    assert labelled("see § 4.2 above", "4.2", "section")
    assert not labelled("Section 4.21", "4.2", "section")
    assert not labelled("Section 4.2.1", "4.2", "section")


def test_a_label_is_found_across_a_line_break():
    """A label whose number stands on the next line is one hit over both lines."""
    asked = question(anchors=[("figure", "Figure 2", "2")])
    assert hits("bm25", lines(["as depicted in Figure", "2 of this paper"], paragraph_id=[1, 1]), asked) == [(1, 2)]


def test_codes_rank_by_bm25():
    """Every line with the code is a hit, a short one before a long one."""
    asked = question(anchors=[("code", "L131-1", "L131-1")])
    texts = ["Article L131-1 and many other words that say little on it", "L131-1 applies", "L131-10 is another"]
    assert hits("bm25", lines(texts), asked) == [(2, 2), (1, 1)]


def test_bm25_by_hand():
    """The score of one term in one of two texts is the formula's."""
    scores = bm25_scores(np.array([[2.0], [0.0]]), np.array([4.0, 6.0]))
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert scores[0] == pytest.approx(idf * 2 * 2.5 / (2 + 1.5 * (1 - 0.75 + 0.75 * 4 / 5)))
    assert scores[1] == 0


def test_topic_and_value_together_come_first():
    """A line with the topic and a value outranks lines that repeat the topic."""
    texts = ["The liability cap, the liability cap, the liability cap.", "The liability cap is USD 500,000.", "Other."]
    asked = question(concepts=[concept()], answer_type="amount")
    assert hits("content_keyword_match", lines(texts), asked)[0] == (2, 2)


def test_a_phrase_over_two_lines_is_one_hit():
    """A term that runs over a line break inside a paragraph is found, its anchor both lines."""
    asked = question(concepts=[concept(terms=["limitation of liability"])])
    table = lines(["The limitation of", "liability is fair."], paragraph_id=[1, 1])
    assert hits("content_keyword_match", table, asked) == [(1, 2)]


def test_running_headers_are_neither_searched_nor_break_a_paragraph():
    """A header between two lines of a paragraph gives no hit and does not cut a term in two."""
    asked = question(concepts=[concept(terms=["limitation of liability"])])
    texts = ["The limitation of", "limitation of liability", "liability is fair."]
    table = lines(texts, page=[1, 2, 2], role=["body", "header", "body"], paragraph_id=[1, 9, 1])
    assert hits("content_keyword_match", table, asked) == [(1, 3)]


def test_hidden_and_contents_lines_are_not_searched():
    """Lines that nobody sees, and entries of a printed contents page, give no hit."""
    asked = question(words=["escrow"])
    hidden = lines(["escrow", "text"], visible=[False, True], hidden_reason=["white on white", None])
    assert hits("content_keyword_match", hidden, asked) == []
    assert hits("content_keyword_match", lines(["Escrow .... 4", "text"], role=["toc_entry", "body"]), asked) == []


def test_title_hits_give_the_best_lines_of_the_section():
    """An exact title proposes the lines of its section that hold the words, or its heading without any."""
    line_df = lines(["Fees", "You pay.", "Escrow", "Nothing here.", "Term", "Years.", "Law", "Ours."])
    sections = [(1, "Fees", 1, 2), (1, "Escrow", 3, 4), (1, "Term", 5, 6), (1, "Law", 7, 8)]
    found = hits("title_keyword_match", line_df, question(words=["escrow"]), toc_df=toc(sections, line_df))
    assert found == [(3, 3)]


def test_section_named_by_number():
    """A section that the user names by its number is found by the number in its heading."""
    line_df = lines(["1 Fees", "You pay.", "2 Escrow", "Held by a bank."])
    sections = toc([(1, "Fees", 1, 2), (1, "Escrow", 3, 4)], line_df)
    asked = question(hints=StructuralHints(section_hint="Section 2"))
    assert hits("title_keyword_match", line_df, asked, toc_df=sections)[0][0] == 3


def test_scope_is_applied_inside_the_search():
    """Pages and sections outside the filters are not searched at all."""
    line_df = lines(["escrow", "escrow", "escrow"], page=[1, 2, 3])
    asked = question(words=["escrow"], filters=ScopeFilters(page_range=(2, 2)))
    assert hits("content_keyword_match", line_df, asked) == [(2, 2)]
    sections = toc([(1, "One", 1, 2), (1, "Two", 3, 3)], line_df)
    asked = question(words=["escrow"], filters=ScopeFilters(sections=("Two",)))
    assert hits("content_keyword_match", line_df, asked, toc_df=sections) == [(3, 3)]


def test_pinned_pages_survive_without_a_match():
    """A page that the user named is proposed though nothing matches."""
    asked = question(words=["escrow"], hints=StructuralHints(pages_hint=(2,)))
    assert hits("page_hint", lines(["a", "b", "c"], page=[1, 2, 2]), asked) == [(2, 3)]


def test_embeddings_only_with_an_embedder():
    """Without an embedder nothing is proposed; with one the nearest passages are, never more than asked."""
    line_df = lines([f"passage number {i} about something or other" for i in range(9)])
    assert hits("chunk_embedding_match", line_df, question()) == []
    assert len(hits("chunk_embedding_match", line_df, question(), embedder=CountingEmbedder())) == 5


def test_a_bad_embedder_is_refused():
    """Vectors of another length than one are refused with the embedder's name."""

    class Bad(CountingEmbedder):
        name = "bad"

        def __call__(self, texts):
            return super().__call__(texts) * 2

    table = lines(["a passage long enough to be embedded"])
    with pytest.raises(SettingsError, match=r"embedder bad: .*L2-normalised"):
        hits("chunk_embedding_match", table, question(), embedder=Bad())


def test_fusion_by_hand():
    """RRF sums 1/(k + rank); ties go by id."""
    assert fuse([{"a": 1, "b": 2}, {"b": 1}], k=60) == {"b": 1 / 62 + 1 / 61, "a": 1 / 61}
    assert list(fuse([{"b": 1}, {"a": 1}])) == ["a", "b"]


WORDS = st.sampled_from(
    ["escrow", "cap", "USD 5", "means", "shall", "Section 9", "Figure 2", "agreement", "-", "x" * 40]
)


@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=14),
    data=st.data(),
)
def test_every_hit_points_at_a_real_line(texts, data):
    """Whatever the document, each hit is a searched line with a reason, and the inputs stay as they were."""
    count = len(texts)
    pages = sorted(data.draw(st.lists(st.integers(1, 3), min_size=count, max_size=count)))
    paragraphs = sorted(data.draw(st.lists(st.integers(1, 6), min_size=count, max_size=count)))
    roles = data.draw(st.lists(st.sampled_from(["body", "header", "heading"]), min_size=count, max_size=count))
    line_df = lines(texts, page=pages, paragraph_id=paragraphs, role=roles)
    parsed = document(line_df)
    before = line_df.copy(deep=True)
    asked = question(
        words=["escrow", "cap"], anchors=[("figure", "Figure 2", "2")], hints=StructuralHints(pages_hint=(1,)),
        concepts=[concept(terms=["agreement"], distractors=("shall",))], answer_type="amount",
    )  # fmt: skip
    indexed = index_search(parsed, asked.retrieval_query(), RetrievalSettings(), CountingEmbedder())
    shown = {i + 1 for i in range(count) if roles[i] != "header"}
    for method, detector in DETECTORS.items():
        table = HIT_DF.check(detector(indexed), where=method)
        assert table["rank"].tolist() == list(range(1, len(table) + 1))
        assert all(table["reason"])
        assert {*table["line_start"], *table["line_end"]} <= shown
        assert all(table["line_start"] <= table["line_end"])
    found = retrieve(parsed, asked, embedder=CountingEmbedder())
    assert same_table(before, parsed.line_df)
    assert found.to_json() == retrieve(parsed, asked, embedder=CountingEmbedder()).to_json()
    for candidate in found.candidates:
        assert candidate.context.contains(candidate.anchor)
        assert candidate.anchor_line_ids
        assert {line.line_id for line in candidate.lines} <= shown


@pytest.mark.parametrize(
    ("text", "term", "refers"),
    [
        ("See Section 9 (Insurance) for this.", "Insurance", True),
        ("as set out in Section 9, Insurance.", "Insurance", True),
        ("Subject to Section 9, the fee is due on receipt.", "fee", False),
        ("Subject to Section 9, fees are due on receipt.", "fees", False),
        ("Under Section 9, Fees shall be paid monthly.", "Fees", False),
        ("as described in Clause 4: Termination", "Termination", True),
    ],
)
def test_a_sentence_behind_a_reference_says_something(text: str, term: str, refers: bool) -> None:
    """The title of another place is a mere reference; what a sentence goes on to say behind one is not."""
    start = text.index(term)
    assert is_reference(text, start, start + len(term)) is refers
