"""Workbooks (XLSX): what each cell shows, a line a row, a page a sheet."""

from __future__ import annotations

from pipeline.parsing.xlsx.reader import read_xlsx

__all__ = ["read_xlsx"]
