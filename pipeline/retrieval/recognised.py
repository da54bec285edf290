"""Which lines of a context were recognised from an image, and how surely: generation judges a figure by it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from schemas.document import ParsedDocument
from schemas.retrieval import RecognisedLine


def recognised_lines(document: ParsedDocument, context: Sequence[int]) -> tuple[RecognisedLine, ...]:
    """The lines of a context (positions in line_df, from 0) that a recogniser wrote, in order; empty for native text.

    A line of a text layer that the file brought along has no confidence of its own: null.
    """
    sure = document.line_df["confidence"].to_numpy()[list(context)]
    pages = document.line_df["page_num"].to_numpy()[list(context)]
    is_layered = document.page_df["has_ocr_layer"].to_numpy(dtype=bool)
    layered = document.page_df["page_num"].to_numpy()[is_layered]
    if np.isnan(sure).all() and not np.isin(pages, layered).any():
        return ()
    line_ids = document.line_df["line_id"].to_numpy()[list(context)]
    return tuple(
        RecognisedLine(line_id=line_id, confidence=None if math.isnan(own) else own)
        for line_id, own, page in zip(line_ids.tolist(), sure.tolist(), pages.tolist(), strict=True)
        if not math.isnan(own) or page in layered
    )
