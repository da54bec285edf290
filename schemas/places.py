"""What a page number counts; a format without pages has none to cite."""

from __future__ import annotations

from typing import Literal

PageUnit = Literal["page", "slide", "sheet", "none"]
