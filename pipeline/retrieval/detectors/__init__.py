"""The detectors: each proposes places in the document, with a reason a row, and decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from pipeline.retrieval.detectors import (
    codes,
    definitions,
    embeddings,
    keywords,
    pages,
    references,
    title_embeddings,
    titles,
)
from pipeline.retrieval.search import Search

Detector = Callable[[Search], pd.DataFrame]

# Method name -> detector, in dispatch order. A detector reads a Search and gives a HIT_DF.
DETECTORS: Mapping[str, Detector] = {
    titles.METHOD: titles.find_titles,
    keywords.METHOD: keywords.find_keywords,
    codes.METHOD: codes.find_codes,
    definitions.METHOD: definitions.find_definitions,
    references.METHOD: references.find_references,
    pages.METHOD: pages.find_pages,
    embeddings.METHOD: embeddings.find_similar,
    title_embeddings.METHOD: title_embeddings.find_similar_titles,
}
