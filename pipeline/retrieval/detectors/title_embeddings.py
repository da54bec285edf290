"""title_embedding_match: sections whose title is near the question's meaning, where no title holds a word of it."""

from __future__ import annotations

import pandas as pd

from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.embedder import cosines
from pipeline.retrieval.lines import numbering_of
from pipeline.retrieval.search import Search

METHOD = "title_embedding_match"
MAX_SECTIONS = 3  # sections; the nearest titles beyond a few are noise
MIN_LETTERS = 3  # letters of a title that can mean something ('A.', '§ 4' cannot)


def find_similar_titles(search: Search) -> pd.DataFrame:
    """HIT_DF: headings of the few sections whose title is nearest to the question by cosine; the score is the cosine.

    Titles are read without their number. The question and its rewrites are compared, and the nearest counts. There is
    always a nearest title, so that a hit proves nothing by itself. Empty without an embedder or a table of contents.

    Raises SettingsError when the embedder gives vectors of the wrong shape or length.
    """
    lines, toc = search.lines, search.document.toc_df
    searched = set(lines.searched.tolist())
    rows = [
        (lines.position(start), numbering_of(title)[1], title)
        for start, title in zip(toc["start_line_id"].tolist(), toc["title"].tolist(), strict=True)
    ]
    rows = [row for row in rows if row[0] in searched and sum(map(str.isalpha, row[1])) >= MIN_LETTERS]
    if search.embedder is None or not rows:
        return hit_table(METHOD, [], lines, limit=1)
    queries = (search.query.text, *search.query.rewrites)
    nearest = cosines(search.embedder, queries, [words for _, words, _ in rows]).max(axis=1).tolist()
    hits = [
        Hit(first, first, cosine, (), f"The section's title '{title}' is near the question's meaning ({cosine:.3f}).")
        for (first, _, title), cosine in zip(rows, nearest, strict=True)
    ]
    return hit_table(METHOD, hits, lines, limit=MAX_SECTIONS)
