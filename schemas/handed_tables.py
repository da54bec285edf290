"""Tables that retrieval hands over beside the passages: their grid, with the line of every cell."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from schemas.places import LineRef
from schemas.record import Part


class HandedCell(Part):
    """One cell of a table, as written."""

    column: int = Field(ge=1, description="Number of its first column, from 1.")
    column_span: int = Field(default=1, ge=1, description="Columns that it covers.")
    text: str = Field(description="Its words; never empty, empty cells are left out.")
    line_start: int = Field(ge=1, description="line_id of its first line.")
    line_end: int = Field(ge=1, description="line_id of its last line.")


class HandedColumn(Part):
    """One column of a table with what stands over it."""

    number: int = Field(ge=1, description="From 1, left to right.")
    header: tuple[str, ...] = Field(
        description="Titles over it, outer first: ('Year ended December 31,', '2018'); a title that spans several "
        "columns is repeated for each; empty without a header."
    )
    line_ids: tuple[int, ...] = Field(default=(), description="Lines of these titles, ascending.")


class HandedRow(Part):
    """One row below the header."""

    row_num: int = Field(ge=1, description="Number in the table.")
    label: str = Field(description="What stands left of the figures, on one line; empty without a label.")
    groups: tuple[str, ...] = Field(
        default=(), description="Labels of the groups that it stands in, outer first: 'Premium' under 'Plan A'."
    )
    group_line_ids: tuple[int, ...] = Field(default=(), description="First lines of these labels, in their order.")
    cells: tuple[HandedCell, ...] = Field(description="Its cells, left to right, the label's too.")

    @property
    def line_ids(self) -> tuple[int, int]:
        """First and last line of its cells."""
        return min(cell.line_start for cell in self.cells), max(cell.line_end for cell in self.cells)


class HandedNote(Part):
    """A note under a table that a mark in it points at."""

    mark: str = Field(description="The mark without brackets: '1', 'a', '*'.")
    text: str = Field(description="The note on one line, its mark too.")
    line_ids: tuple[int, ...] = Field(description="Its lines, ascending.")


class HandedTable(Part):
    """A table that a handed passage stands in, or that stands with it, as far as it is handed over."""

    table_id: int = Field(ge=0, description="Number in the document's table_df; 0 where the lines alone show it.")
    candidate_ids: tuple[str, ...] = Field(
        description="Candidates that it is handed over with: those whose context it overlaps, else the one that it was "
        "fetched for; 'table_3' where no candidate was kept.",
        min_length=1,
    )
    title: str | None = Field(default=None, description="Its caption, or the heading right above it; null without one.")
    title_line_ids: tuple[int, ...] = Field(default=(), description="Lines of the title.")
    statement: Literal["income", "position", "cash_flow"] | None = Field(
        default=None,
        description="The primary statement that it is part of, by its title; null for another table.",
    )
    unit: str | None = Field(
        default=None, description="The words that say in what its figures are: '(in millions, except per share data)'."
    )
    unit_line_id: int | None = Field(default=None, description="The line of these words; null without them.")
    columns: tuple[HandedColumn, ...] = Field(description="Its columns, left to right.")
    rows: tuple[HandedRow, ...] = Field(description="Its rows in order, header rows left out.")
    notes: tuple[HandedNote, ...] = Field(default=(), description="Notes under it whose marks stand in it, in order.")
    is_whole: bool = Field(description="False: rows were left out since the table exceeds what is handed over.")
    lines: tuple[LineRef, ...] = Field(description="Every line of title, unit, header, rows and notes, in order.")
    text: str = Field(description="These lines, verbatim, joined by newlines, one for each of `lines`.")

    @model_validator(mode="after")
    def _one_text_a_line(self) -> HandedTable:
        if len(self.lines) != self.text.count("\n") + 1:
            raise ValueError(f"table {self.table_id}: {len(self.lines)} lines named, the text has another number")
        return self
