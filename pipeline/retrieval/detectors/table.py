"""How a detector writes its hits down."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from pipeline.retrieval.lines import Lines
from schemas.tables import HIT_DF


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that a detector proposes; `first` and `last` are positions of lines, larger `score` is better."""

    first: int
    last: int
    score: float
    keywords: tuple[str, ...]
    reason: str


def hit_table(method: str, hits: list[Hit], lines: Lines, *, limit: int) -> pd.DataFrame:
    """HIT_DF of a method: the best `limit` hits, each range once, best score first, then in document order."""
    ordered = sorted(hits, key=lambda hit: (-hit.score, hit.first, hit.last))
    kept: dict[tuple[int, int], Hit] = {}
    for hit in ordered:
        kept.setdefault((hit.first, hit.last), hit)
    rows = list(kept.values())[:limit]
    return HIT_DF.build(
        {
            "method": [method] * len(rows),
            "rank": list(range(1, len(rows) + 1)),
            "score": [float(hit.score) for hit in rows],
            "line_start": [lines.line_ids[hit.first] for hit in rows],
            "line_end": [lines.line_ids[hit.last] for hit in rows],
            "page_num": [lines.page_nums[hit.first] for hit in rows],
            "section_id": [lines.section_ids[hit.first] for hit in rows],
            "matched_keywords": [hit.keywords for hit in rows],
            "reason": [hit.reason for hit in rows],
        }
    )
