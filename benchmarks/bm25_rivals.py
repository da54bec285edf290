"""BM25 of ours and of other libraries behind one face: texts in, a search out. Each is imported where it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

TOP = 10  # passages that a search gives

Search = Callable[[str], object]


def ours(texts: Sequence[str]) -> Search:
    """The index of the named strategies."""
    import numpy as np

    from pipeline.retrieval.strategies.bm25 import index_texts, terms_in

    index = index_texts(texts)

    def search(query: str) -> object:
        return np.argsort(-index.search(Counter(terms_in(query))).scores, kind="stable")[:TOP]

    return search


def with_bm25s(texts: Sequence[str]) -> Search:
    """bm25s, on numpy."""
    import bm25s

    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(texts), show_progress=False), show_progress=False)

    def search(query: str) -> object:
        tokens = bm25s.tokenize([query], show_progress=False)
        return index.retrieve(tokens, k=min(TOP, len(texts)), show_progress=False)

    return search


def with_rank_bm25(texts: Sequence[str]) -> Search:
    """rank_bm25, in plain Python."""
    from rank_bm25 import BM25Okapi

    index = BM25Okapi([text.lower().split() for text in texts])
    return lambda query: index.get_top_n(query.lower().split(), range(len(texts)), n=TOP)


def with_tantivy(texts: Sequence[str]) -> Search:
    """tantivy, in Rust, its index in memory."""
    import tantivy

    fields = tantivy.SchemaBuilder()
    fields.add_text_field("body")
    index = tantivy.Index(fields.build())
    writer = index.writer(heap_size=50_000_000, num_threads=1)
    for text in texts:
        writer.add_document(tantivy.Document(body=[text]))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(query: str) -> object:
        words = "".join(letter if letter.isalnum() else " " for letter in query)
        return searcher.search(index.parse_query(words, ["body"]), TOP).hits

    return search


LIBRARIES: Mapping[str, Callable[[Sequence[str]], Search]] = {
    "ours": ours,
    "bm25s": with_bm25s,
    "rank_bm25": with_rank_bm25,
    "tantivy": with_tantivy,
}
