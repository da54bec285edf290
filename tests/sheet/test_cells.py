"""Cells of a workbook: text of a document is never a formula, whatever it begins with."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from openpyxl import load_workbook

from pipeline.store.workbook import to_workbook


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t=", "\r=", "\n=", "＝", "＋", "－", "＠", "−", " =", "\u00a0=", "\u3000＝", "'="]
)
def test_no_cell_starts_a_formula(start: str) -> None:
    """The cell, and a heading too, is a string and carries the mark of a text."""
    words = f"{start}HYPERLINK(1)"
    frame = pd.DataFrame({words: [words]})
    sheet = load_workbook(io.BytesIO(to_workbook(frame, title="t"))).active
    for row in (1, 2):
        cell = sheet.cell(row, 1)
        assert cell.data_type == "s"
        assert cell.quotePrefix
