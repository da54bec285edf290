"""Answers read off tables: by row and column header, or computed from the lines of statements by a named formula.

`draft_from_tables` is the face; `data/metrics.toml` holds the lines and metrics that the experts signed.
"""

from __future__ import annotations

from pipeline.generation.tables.columns import list_names
from pipeline.generation.tables.drafting import draft_from_cells, draft_from_tables
from pipeline.generation.tables.listed import refuse_unnamed

__all__ = ["draft_from_cells", "draft_from_tables", "list_names", "refuse_unnamed"]
