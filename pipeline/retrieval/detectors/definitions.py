"""definition_match: the line on which the document defines the term whose meaning is asked."""

from __future__ import annotations

import pandas as pd

from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.search import Search

METHOD = "definition_match"


def find_definitions(search: Search) -> pd.DataFrame:
    """HIT_DF: a row for each defined term of the question, where parsing found its definition; in document order.

    Empty when no meaning is asked, or the line is not searched (hidden, outside the scope).
    """
    lines = search.lines
    objects = search.document.object_df
    defined = objects[objects["object_type"] == "definition"]
    line_of = dict(zip(defined["object_id"].tolist(), defined["line_id"].tolist(), strict=True))
    hits: list[Hit] = []
    for anchor in search.query.anchors:
        line_id = line_of.get(anchor.target) if anchor.kind == "defined_term" else None
        if line_id is None:
            continue
        position = lines.position(line_id)
        if lines.block_at(position) is not None:
            hits.append(Hit(position, position, 1.0, (anchor.text,), f"The document defines '{anchor.target}' here."))
    return hit_table(METHOD, hits, lines, limit=search.settings.max_hits)
