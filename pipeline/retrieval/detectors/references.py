"""reference_follow: the places that passages on the topic refer to for what is asked, with the way there."""

from __future__ import annotations

import pandas as pd

from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.search import Search

METHOD = "reference_follow"


def find_references(search: Search) -> pd.DataFrame:
    """HIT_DF: a row for each place that a passage on the topic refers to, one with the value asked for first.

    At most two mentions lead there; they stand in the reason. Empty where nothing refers elsewhere.
    """
    hits = [
        Hit(target.first, target.last, float(-order), (), _reason(target.path, has_value=target.has_value))
        for order, target in enumerate(search.followed.targets)
    ]
    return hit_table(METHOD, hits, search.lines, limit=search.settings.max_hits)


def _reason(path: tuple[str, ...], *, has_value: bool) -> str:
    way = f"'{path[0]}'" + "".join(f", then '{mention}'" for mention in path[1:])
    value = " and holds a value of the expected type" if has_value else ""
    return f"A passage on the topic refers here ({way}){value}."
