"""bm25: every line that names an exact token of the question, ranked by BM25 over lines.

Codes, labels ('Figure 2') and quoted phrases are found letter by letter; the formula and its source stand in `bm25.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.retrieval.detectors.bm25 import TermScores, term_scores
from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.labels import anchor_places
from pipeline.retrieval.search import Search
from schemas.retrieval import ScoreTerm

METHOD = "bm25"


@dataclass(frozen=True, slots=True)
class _Scored:
    """Places that name an anchor (first and last position -> indices of the anchors), and the scores of all lines."""

    named: Mapping[tuple[int, int], list[int]]
    row_of: Mapping[int, int]  # position of a searched line -> its row
    terms: tuple[str, ...]
    by_term: TermScores


def find_codes(search: Search) -> pd.DataFrame:
    """HIT_DF: one row a place that names an anchor of the question, best BM25 score first.

    The terms of the score are the anchors and the question's other words. Empty without anchors, or where the document
    names none of them.
    """
    scored, anchors = _score(search), search.query.anchors
    if scored is None:
        return hit_table(METHOD, [], search.lines, limit=search.settings.max_hits)
    scores = scored.by_term.scores
    hits = [
        Hit(
            first,
            last,
            float(scores[scored.row_of[first]]),
            tuple(dict.fromkeys(anchors[index].text for index in indices)),
            f"Names {', '.join(dict.fromkeys(repr(anchors[index].text) for index in indices))} (BM25 over lines).",
        )
        for (first, last), indices in sorted(scored.named.items())
    ]
    return hit_table(METHOD, hits, search.lines, limit=search.settings.max_hits)


def explain_codes(
    search: Search, anchors: Mapping[str, tuple[int, int]]
) -> dict[str, tuple[float, tuple[ScoreTerm, ...]]]:
    """The BM25 score of candidates and the terms that add up to it; `anchors` has first and last position of each.

    Of several places in a candidate the best counts, as for its rank. One without a place is left out.
    """
    scored = _score(search) if anchors else None
    if scored is None:
        return {}
    told: dict[str, tuple[float, tuple[ScoreTerm, ...]]] = {}
    scores = scored.by_term.scores
    for candidate_id, (first, last) in anchors.items():
        rows = [scored.row_of[start] for start, end in scored.named if first <= start and end <= last]
        if rows:
            best = min(rows, key=lambda row: (-scores[row], row))
            told[candidate_id] = float(scores[best]), scored.by_term.explain(best, scored.terms)
    return told


def _score(search: Search) -> _Scored | None:
    """None where the document names no anchor of the question."""
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
        return None
    _count_words(search, row_of, {term: len(anchors) + at for at, term in enumerate(words)}, frequencies)
    lengths = np.array([len(text.split()) for text in lines.searched_texts], dtype=np.float64)
    terms = (*(anchor.text for anchor in anchors), *(search.terms.terms[index].text for index in words))
    return _Scored(named, row_of, terms, term_scores(frequencies, lengths))


def _count_words(
    search: Search, row_of: Mapping[int, int], column_of: Mapping[int, int], frequencies: NDArray[np.float64]
) -> None:
    for unit in search.evidence.units.values():
        for match in unit.own:
            column = column_of.get(match.term)
            if column is not None:
                frequencies[row_of[match.first], column] += 1
