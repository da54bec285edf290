"""page_hint: the pages that the user named, kept without any match."""

from __future__ import annotations

import pandas as pd

from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.search import Search

METHOD = "page_hint"


def find_pages(search: Search) -> pd.DataFrame:
    """HIT_DF: the text of each named page in pieces of whole blocks, none longer than a context; in page order.

    Empty when no page is named, or the named pages have no text.
    """
    hits: list[Hit] = []
    for page in search.query.hints.pages_hint:
        for first, last in _pieces(search, page):
            hits.append(Hit(first, last, 1.0, (), f"The question names page {page}."))
    return hit_table(METHOD, hits, search.lines, limit=search.settings.max_hits)


def _pieces(search: Search, page: int) -> list[tuple[int, int]]:
    lines, limit = search.lines, search.settings.context_characters
    pieces: list[tuple[int, int]] = []
    size = 0
    for block in range(lines.block_count):
        positions = [position for position in lines.block_positions(block) if lines.page_nums[position] == page]
        if not positions:
            continue
        length = sum(len(lines.texts[position]) + 1 for position in positions)
        if pieces and size + length <= limit:
            pieces[-1] = (pieces[-1][0], positions[-1])
            size += length
        else:
            pieces.append((positions[0], positions[-1]))
            size = length
    return pieces
