"""A dictionary as a workbook, for experts without Python: out with `to_workbook`, back with `read_workbook`."""

from __future__ import annotations

from dictionaries.workbook_reading import read_workbook
from dictionaries.workbook_writing import to_workbook

__all__ = ["read_workbook", "to_workbook"]
