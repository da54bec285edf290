"""bm25: every line that names an exact token of the question, ranked by BM25 over lines.

Codes, labels ('Figure 2') and quoted phrases are found letter by letter; the formula and its source stand in `bm25.py`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.retrieval.detectors.bm25 import bm25_scores
from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.labels import anchor_places
from pipeline.retrieval.search import Search

METHOD = "bm25"


def find_codes(search: Search) -> pd.DataFrame:
    """HIT_DF: one row a place that names an anchor of the question, best BM25 score first.

    The terms of the score are the anchors and the question's other words. Empty without anchors, or where the document
    names none of them.
    """
    lines, anchors = search.lines, search.query.anchors
    places = anchor_places(lines, anchors)
    row_of = {position: row for row, position in enumerate(lines.searched.tolist())}
    named: dict[tuple[int, int], list[int]] = {}
    words = [index for index, term in enumerate(search.terms.terms) if term.kind == "word"]
    frequencies = np.zeros((len(row_of), len(anchors) + len(words)), dtype=np.float64)
    for index, spans in places.items():
        for first, last in spans:
            named.setdefault((first, last), []).append(index)
            frequencies[row_of[first], index] += 1
    if not named:
        return hit_table(METHOD, [], lines, limit=search.settings.max_hits)
    _count_words(search, row_of, {term: len(anchors) + at for at, term in enumerate(words)}, frequencies)
    lengths = np.array([len(text.split()) for text in lines.searched_texts], dtype=np.float64)
    scores = bm25_scores(frequencies, lengths)
    hits = [
        Hit(
            first,
            last,
            round(float(scores[row_of[first]]), 6),
            tuple(dict.fromkeys(anchors[index].text for index in indices)),
            f"Names {', '.join(dict.fromkeys(repr(anchors[index].text) for index in indices))} (BM25 over lines).",
        )
        for (first, last), indices in sorted(named.items())
    ]
    return hit_table(METHOD, hits, lines, limit=search.settings.max_hits)


def _count_words(
    search: Search, row_of: dict[int, int], column_of: dict[int, int], frequencies: NDArray[np.float64]
) -> None:
    for unit in search.evidence.units.values():
        for match in unit.own:
            column = column_of.get(match.term)
            if column is not None:
                frequencies[row_of[match.first], column] += 1
