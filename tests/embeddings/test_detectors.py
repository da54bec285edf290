"""The two searches by meaning: pieces of whole lines, every rewrite, vectors kept for the next question."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.embeddings.cache import CachedEmbedder
from pipeline.embeddings.memory import RememberingEmbedder
from pipeline.retrieval import retrieve
from pipeline.retrieval.detectors.embeddings import MAX_CHUNK_CHARACTERS, find_similar, passages_of
from pipeline.retrieval.detectors.title_embeddings import find_similar_titles
from pipeline.retrieval.lines import read_lines
from pipeline.retrieval.search import index_search
from pipeline.retrieval.settings import RetrievalSettings
from schemas.errors import SettingsError
from tests.builders import document, lines, toc
from tests.embeddings.build import LetterEmbedder
from tests.retrieval.build import question

LONG = [f"{letter * 150} line {number}" for number, letter in enumerate("abcdefgh")]


def search(parsed, asked, embedder):
    """A search with an embedder."""
    return index_search(parsed, asked.retrieval_query(), RetrievalSettings(), embedder)


def test_a_long_paragraph_is_embedded_in_parts_of_whole_lines():
    """Parts are runs of lines, cover the paragraph once, and none is longer than the limit."""
    passages = passages_of(read_lines(document(lines(LONG, paragraph_id=[1] * 8))))
    assert [(one.first, one.last) for one in passages] == [(0, 2), (3, 5), (6, 7)]
    assert all(len(one.text) <= MAX_CHUNK_CHARACTERS for one in passages)


def test_a_line_longer_than_the_limit_stays_whole():
    """A line is never cut: it is what a citation points at."""
    passages = passages_of(read_lines(document(lines(["a" * 2000, "b" * 100], paragraph_id=[1, 1]))))
    assert [(one.first, one.last) for one in passages] == [(0, 0), (1, 1)]


def test_the_nearest_part_of_a_paragraph_is_proposed_once():
    """Of a paragraph the nearest part is the hit, and other paragraphs come behind it."""
    parsed = document(lines([*LONG, "p" * 60], paragraph_id=[1] * 8 + [2]))
    table = find_similar(search(parsed, question("g"), LetterEmbedder()))
    assert list(zip(table["line_start"], table["line_end"], strict=True)) == [(7, 8), (9, 9)]
    found = retrieve(parsed, question("g"), embedder=LetterEmbedder())
    assert "chunk_embedding_match" in found.methods_used
    assert {(7, 8), (9, 9)} == {(min(one.anchor_line_ids), max(one.anchor_line_ids)) for one in found.candidates}


def test_the_nearest_rewrite_counts():
    """A rewrite that is near lifts a passage, and one that is far does not lower it."""
    parsed = document(lines(["a" * 40, "p" * 40]))
    alone = find_similar(search(parsed, question("aaa"), LetterEmbedder()))
    both = find_similar(search(parsed, question("aaa", rewrites=("ppp",)), LetterEmbedder()))
    assert alone["line_start"].tolist() == [1, 2]
    assert alone["score"].tolist()[1] < 0.5
    assert both["score"].tolist() == pytest.approx([1.0, 1.0], abs=0.01)


@pytest.mark.parametrize("kept_in", ["memory", "folder"])
def test_a_second_question_embeds_only_the_question(tmp_path, kept_in):
    """The passages of a document are asked for once; the next question costs its own vector."""
    model = LetterEmbedder()
    embedder = RememberingEmbedder(model) if kept_in == "memory" else CachedEmbedder(model, tmp_path)
    parsed = document(lines([f"passage number {i} on something or other" for i in range(9)]))
    find_similar(search(parsed, question("first"), embedder))
    model.asked.clear()
    find_similar(search(parsed, question("second", rewrites=("third",)), embedder))
    assert model.asked == [["second", "third"]]


def test_titles_near_the_question_are_proposed_by_their_heading():
    """The nearest titles are proposed, read without their number, by the line of their heading."""
    line_df = lines(
        ["1. aaa", "Body of the first.", "2. pppp", "Body of the second.", "3.", "Third.", "4. bbb", "Last."]
    )
    contents = toc([(1, "1. aaa", 1, 2), (1, "2. pppp", 3, 4), (1, "3.", 5, 6), (1, "4. bbb", 7, 8)], line_df)
    table = find_similar_titles(search(document(line_df, toc_df=contents), question("pp"), LetterEmbedder()))
    assert table["line_start"].tolist()[0] == 3
    assert 5 not in table["line_start"].tolist()
    assert "'2. pppp'" in table["reason"].tolist()[0]


def test_titles_without_an_embedder_or_contents():
    """Without an embedder, and without titles, nothing is proposed."""
    line_df = lines(["1. aaa", "Body."])
    contents = toc([(1, "1. aaa", 1, 2)], line_df)
    assert find_similar_titles(search(document(line_df, toc_df=contents), question("a"), None)).empty
    assert find_similar_titles(search(document(line_df), question("a"), LetterEmbedder())).empty


def test_lengths_that_differ_are_refused():
    """An embedder whose questions have vectors of another length than its passages is refused by name."""

    class Uneven(LetterEmbedder):
        def __call__(self, texts):
            vectors = super().__call__(texts)
            return vectors if len(self.asked) == 1 else np.eye(3, dtype=np.float32)[: len(texts)]

    parsed = document(lines(["a passage long enough to be embedded"]))
    with pytest.raises(SettingsError, match="embedder letters: vectors of 16 numbers, then of 3"):
        find_similar(search(parsed, question("a"), Uneven()))
