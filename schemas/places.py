"""What a page number counts (a format without pages has none to cite), and where a line stands."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.record import Part

PageUnit = Literal["page", "slide", "sheet", "none"]


class LineRef(Part):
    """Where one line of a context stands."""

    line_id: int = Field(ge=1, description="Number of the line in the document: what a citation uses.")
    page_num: int = Field(ge=1, description="Page.")
    line_num: int = Field(ge=1, description="Number of the line on its page.")
