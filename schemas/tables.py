"""The relational tables that the bricks exchange: columns, dtypes, units, keys, and one check on entry.

A table is a pandas frame; its `TableSchema` says what is in it. Pages and lines count from 1; boxes are in PDF points
(1/72 inch) from the top left of the page as displayed. A text column never holds null unless it says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from schemas.errors import TableError

Dtype = Literal["int", "float", "bool", "text", "texts"]

_PANDAS_DTYPE: Mapping[tuple[Dtype, bool], str] = {
    ("int", False): "int64",
    ("int", True): "Int64",
    ("float", False): "float64",
    ("float", True): "float64",
    ("bool", False): "bool",
    ("bool", True): "boolean",
    ("text", False): "str",
    ("text", True): "str",
    ("texts", False): "object",
}
MAX_LISTED_FAULTS = 5  # faults printed of one table; the rest is counted


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `dtype` int, float, bool, text or texts (a tuple of str a row); `allowed`: its values, if set."""

    name: str
    dtype: Dtype
    description: str
    unit: str = ""
    nullable: bool = False
    allowed: tuple[str, ...] = ()

    @property
    def pandas_dtype(self) -> str:
        """The dtype that the column has in a frame (null is NaN in float and text, <NA> in int and bool)."""
        return _PANDAS_DTYPE[self.dtype, self.nullable]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A named table: its columns in order, and the columns that tell its rows apart."""

    name: str
    description: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def names(self) -> list[str]:
        """Column names, in order."""
        return [column.name for column in self.columns]

    def empty(self) -> pd.DataFrame:
        """The table with its columns and no row."""
        return self.build({column.name: [] for column in self.columns})

    def build(self, data: Mapping[str, Sequence[Any] | np.ndarray | pd.Series]) -> pd.DataFrame:
        """A frame with this schema's columns, order and dtypes out of `data` (column name -> values, equal lengths).

        Nulls, allowed values and keys are not looked at: `check` does that once, when the table enters a record.

        Raises TableError when a column is missing or surplus, or a value does not fit its dtype.
        """
        missing = [name for name in self.names() if name not in data]
        surplus = [name for name in data if name not in self.names()]
        if missing or surplus:
            raise TableError(f"{self.name}: missing columns {missing}, surplus columns {surplus}")
        series = {}
        for column in self.columns:
            try:
                series[column.name] = _as_series(data[column.name], column)
            except (TypeError, ValueError) as error:
                raise TableError(f"{self.name}.{column.name}: not all values are {column.dtype} ({error})") from error
        return pd.DataFrame(series, columns=self.names())

    def check(self, frame: pd.DataFrame, *, where: str) -> pd.DataFrame:
        """`frame`, unchanged, when it fits the schema; `where` names its origin in the message.

        Raises TableError with all faults at once: columns, order, dtypes, nulls, values not allowed, repeated keys.
        """
        faults = list(self._faults(frame))
        if faults:
            more = f"; and {len(faults) - MAX_LISTED_FAULTS} more" if len(faults) > MAX_LISTED_FAULTS else ""
            raise TableError(f"{where}: {self.name}: " + "; ".join(faults[:MAX_LISTED_FAULTS]) + more)
        return frame

    def _faults(self, frame: pd.DataFrame) -> list[str]:
        if list(frame.columns) != self.names():
            missing = [name for name in self.names() if name not in frame.columns]
            surplus = [str(name) for name in frame.columns if name not in self.names()]
            return [
                f"missing columns {missing}, surplus columns {surplus}"
                if missing or surplus
                else "columns out of order"
            ]
        faults = []
        for column in self.columns:
            series = frame[column.name]
            if str(series.dtype) != column.pandas_dtype:
                faults.append(f"{column.name} has dtype {series.dtype}, expected {column.pandas_dtype}")
            elif not column.nullable and bool(series.isna().any()):
                faults.append(f"{column.name} is null in row {int(np.flatnonzero(series.isna())[0])}")
            elif column.allowed and not bool(series.dropna().isin(column.allowed).all()):
                bad = series.dropna()[~series.dropna().isin(column.allowed)].iloc[0]
                faults.append(f"{column.name} holds {str(bad)!r}, allowed are {', '.join(column.allowed)}")
        if not faults and self.key and bool(frame.duplicated(list(self.key)).any()):
            row = frame[frame.duplicated(list(self.key))].iloc[0]
            faults.append(f"key {', '.join(f'{name}={row[name]}' for name in self.key)} occurs more than once")
        return faults

    def restore(self, frame: pd.DataFrame, *, where: str) -> pd.DataFrame:
        """The table as it was before parquet: dtypes and tuples put back, then checked.

        Raises TableError as `check` does.
        """
        if sorted(map(str, frame.columns)) != sorted(self.names()):
            return self.check(frame, where=where)
        try:
            return self.check(
                pd.DataFrame({c.name: _as_series(frame[c.name], c) for c in self.columns}, columns=self.names()),
                where=where,
            )
        except (TypeError, ValueError) as error:
            raise TableError(f"{where}: {self.name}: {error}") from error


def _as_series(values: Sequence[Any] | np.ndarray | pd.Series, column: Column) -> pd.Series:
    if column.dtype == "texts":
        cells = np.empty(len(values), dtype=object)
        for index, value in enumerate(values):
            cells[index] = tuple(str(text) for text in value)
        return pd.Series(cells)
    if isinstance(values, pd.Series):
        return values.reset_index(drop=True).astype(column.pandas_dtype)
    if column.dtype == "int" and isinstance(values, list) and any(isinstance(value, float) for value in values):
        raise ValueError("a float stands among whole numbers")
    return pd.Series(values, dtype=column.pandas_dtype)


def same_table(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """True when both tables have the same columns, dtypes and values in the same order; nulls equal nulls."""
    return (
        list(one.columns) == list(other.columns) and list(one.dtypes) == list(other.dtypes) and bool(one.equals(other))
    )


_BOX = (
    Column("x0", "float", "Left edge of the box.", "points"),
    Column("y0", "float", "Top edge of the box.", "points"),
    Column("x1", "float", "Right edge of the box.", "points"),
    Column("y1", "float", "Bottom edge of the box.", "points"),
)
_PAGE_NUM = Column("page_num", "int", "Physical page, the first is 1.", "page")
_METHOD = Column("parsing_method", "text", "Engine that produced the row, e.g. 'pymupdf'.")

PAGE_STATUSES = ("native", "scanned", "ocr", "mixed", "empty", "unreadable", "failed")
NOT_READ_STATUSES = ("scanned", "unreadable", "failed")  # no text of such a page could be trusted
LINE_ROLES = ("body", "heading", "header", "footer", "page_number", "caption", "toc_entry", "table", "footnote")

LINE_DF = TableSchema(
    "line_df",
    "One row a line of the document, in reading order; `line_id` is what every citation uses.",
    ("line_id",),
    (
        Column("line_id", "int", "Number of the line in the document, in reading order, the first is 1.", "line"),
        _PAGE_NUM,
        Column("line_num", "int", "Number of the line on its page, in reading order, the first is 1.", "line"),
        Column("text", "text", "The words of the line, verbatim, on one line; never null, may be empty."),
        *_BOX,
        Column("font_name", "text", "Font of most of the line's characters; empty where a format has none."),
        Column("font_size", "float", "Size of that font; 0 where a format has none.", "points"),
        Column("is_bold", "bool", "Most characters are bold."),
        Column("is_italic", "bool", "Most characters are italic."),
        Column(
            "visible",
            "bool",
            "A person sees the line on the page; hidden lines are never searched or shown to a model.",
        ),
        Column("hidden_reason", "text", "Why the line is not visible, e.g. 'white on white'.", nullable=True),
        Column("role", "text", "What the line is on its page.", allowed=LINE_ROLES),
        Column(
            "section_id", "text", "Deepest section the line belongs to; null before the first heading.", nullable=True
        ),
        Column(
            "paragraph_id",
            "int",
            "Number of the paragraph or list item in the document, from 1; context is cut along it.",
        ),
        Column("column_position", "text", "Column of the page's text.", allowed=("single", "left", "right", "multi")),
        Column("rotation", "int", "Direction of the text, clockwise.", "degrees"),
        Column(
            "confidence",
            "float",
            "Recognition confidence; null for text that was not recognised from an image.",
            "0-1",
            True,
        ),
        _METHOD,
    ),
)

PAGE_DF = TableSchema(
    "page_df",
    "One row a physical page, whatever became of it: no page is lost in silence.",
    ("page_num",),
    (
        _PAGE_NUM,
        Column("status", "text", "What was read of the page.", allowed=PAGE_STATUSES),
        Column("status_reason", "text", "Why it has that status, in one sentence."),
        Column("width", "float", "Width as displayed.", "points"),
        Column("height", "float", "Height as displayed.", "points"),
        Column("rotation", "int", "Rotation of the page, clockwise.", "degrees"),
        Column("label", "text", "Printed page label where the file gives one.", nullable=True),
        Column("line_count", "int", "Visible lines.", "lines"),
        Column("char_count", "int", "Characters of the visible lines.", "characters"),
        Column("hidden_char_count", "int", "Characters of lines that a person does not see.", "characters"),
        Column("image_count", "int", "Images displayed.", "images"),
        Column("image_coverage_ratio", "float", "Share of the page's area under images.", "0-1"),
        Column("column_count", "int", "Columns of text; 0 on a page without text.", "columns"),
        Column(
            "text_quality_score",
            "float",
            "Share of characters that are not replacement or control characters.",
            "0-1",
            True,
        ),
        _METHOD,
    ),
)

TOC_DF = TableSchema(
    "toc_df",
    "One row a section, in document order, bounded to the line; a section includes its subsections.",
    ("section_id",),
    (
        Column("section_id", "text", "Number of the entry in document order, from '1'."),
        Column("level", "int", "Depth in the tree, the top level is 1."),
        Column("parent_section_id", "text", "Enclosing section; null at the top level.", nullable=True),
        Column("title", "text", "Title as the outline gives it, on one line."),
        Column("breadcrumb", "text", "Titles from the top level down to this one, joined by ' > '."),
        Column("start_page", "int", "Page of the heading.", "page"),
        Column("end_page", "int", "Page of the last line.", "page"),
        Column("start_line_id", "int", "First line of the heading.", "line"),
        Column("end_line_id", "int", "Last line of the section, subsections included.", "line"),
        Column(
            "heading_found", "bool", "The heading was matched to its line; otherwise the start is the top of its page."
        ),
        Column("source", "text", "Where the entry comes from, e.g. 'native_outline'."),
        Column("confidence", "float", "How sure title, level and place are.", "0-1"),
    ),
)

OBJECT_DF = TableSchema(
    "object_df",
    "One row a named object that the text may refer to: figures, tables, equations, annexes.",
    ("object_type", "object_id"),
    (
        Column("object_type", "text", "figure, table, equation, annex, schedule, exhibit or appendix."),
        Column("object_id", "text", "Number or letter as written, e.g. '2' or 'B'."),
        Column("title", "text", "Text of the caption or heading line."),
        _PAGE_NUM,
        Column("line_id", "int", "Line of the caption or heading.", "line"),
    ),
)

CROSS_REF_DF = TableSchema(
    "cross_ref_df",
    "One row a mention of a section, figure, table, schedule ... elsewhere in the document.",
    ("line_id", "ref_type", "ref_id", "char_start"),
    (
        Column(
            "ref_type", "text", "section, article, clause, figure, table, equation, annex, schedule, exhibit, appendix."
        ),
        Column("ref_id", "text", "Number or letter as written."),
        _PAGE_NUM,
        Column("line_id", "int", "Line of the mention.", "line"),
        Column("char_start", "int", "Offset of the mention in the line's text, from 0.", "characters"),
        Column("context", "text", "The mention with some thirty characters each side."),
        Column("target_line_id", "int", "Line it points at; null where it could not be resolved.", "line", True),
        Column("source", "text", "'link' for a native link, 'pattern' for words in the text."),
    ),
)

IMAGE_DF = TableSchema(
    "image_df",
    "One row an image displayed on a page.",
    ("page_num", "image_num"),
    (
        _PAGE_NUM,
        Column("image_num", "int", "Number on the page, from 1."),
        *_BOX,
        Column("width_px", "int", "Intrinsic width.", "pixels"),
        Column("height_px", "int", "Intrinsic height.", "pixels"),
        Column("is_full_page", "bool", "The displayed image covers at least 95 % of the page."),
        _METHOD,
    ),
)

SPAN_DF = TableSchema(
    "span_df",
    "One row a run of equal style inside a line; empty unless asked for.",
    ("line_id", "span_num"),
    (
        Column("line_id", "int", "Line the run belongs to.", "line"),
        Column("span_num", "int", "Number in the line, from 1."),
        Column("text", "text", "Words of the run, verbatim."),
        *_BOX,
        Column("font_name", "text", "Font."),
        Column("font_size", "float", "Size.", "points"),
        Column("is_bold", "bool", "Bold."),
        Column("is_italic", "bool", "Italic."),
        Column("color", "int", "Fill colour as 0xRRGGBB."),
    ),
)

TABLE_DF = TableSchema(
    "table_df",
    "One row a table cell; the lines of line_df stay the truth, a cell points at them.",
    ("table_id", "row_num", "column_num"),
    (
        Column("table_id", "int", "Number of the table in the document, from 1."),
        _PAGE_NUM,
        Column("row_num", "int", "Row in the table, from 1."),
        Column("column_num", "int", "Column in the table, from 1."),
        Column("is_header", "bool", "The cell belongs to a header row."),
        Column("header", "text", "Header of the cell's column, empty where there is none."),
        Column("text", "text", "Words of the cell."),
        Column("line_start", "int", "First line of the cell.", "line", True),
        Column("line_end", "int", "Last line of the cell.", "line", True),
        *_BOX,
        _METHOD,
    ),
)

FINDING_DF = TableSchema(
    "finding_df",
    "One row a thing a reader of the document must know: hidden text, unreadable content, a broken outline entry.",
    ("finding_id",),
    (
        Column("finding_id", "int", "Number of the finding, from 1."),
        Column("kind", "text", "damage (of the file), hidden_text, outline, page (not fully read) ..."),
        Column("detail", "text", "What was found, in one sentence."),
        Column("page_num", "int", "Page; null for the whole document.", "page", True),
        Column("line_id", "int", "Line, where it is one.", "line", True),
        Column("x0", "float", "Left edge, where there is a box.", "points", True),
        Column("y0", "float", "Top edge, where there is a box.", "points", True),
        Column("x1", "float", "Right edge, where there is a box.", "points", True),
        Column("y1", "float", "Bottom edge, where there is a box.", "points", True),
    ),
)

HIT_DF = TableSchema(
    "hit_df",
    "One row a place that a detector proposes, best first within its method; every row says why.",
    ("method", "line_start", "line_end"),
    (
        Column("method", "text", "Detector, e.g. 'content_keyword_match'."),
        Column("rank", "int", "Rank within the method, the best is 1."),
        Column(
            "score",
            "float",
            "The method's own score, larger is better; not comparable between methods.",
            "method's own",
        ),
        Column("line_start", "int", "First line that matched.", "line"),
        Column("line_end", "int", "Last line that matched.", "line"),
        Column("page_num", "int", "Page of the first line.", "page"),
        Column("section_id", "text", "Section of the first line.", nullable=True),
        Column("matched_keywords", "texts", "Keywords of the question found there, in the question's order."),
        Column("reason", "text", "Why the detector proposes the place, in one sentence."),
    ),
)

RETRIEVED_PAGE_DF = TableSchema(
    "retrieved_page_df",
    "One row a page with at least one candidate: what the workbook retrieved_pages.xlsx shows.",
    ("page_num",),
    (
        _PAGE_NUM,
        Column("rank", "int", "Rank of its best candidate, from 1."),
        Column("match_count", "int", "Candidates anchored on the page."),
        Column("matched_keywords", "texts", "Keywords found on the page."),
        Column("methods", "texts", "Methods that proposed something on the page."),
        Column("roles", "texts", "Roles of its candidates."),
        Column("text", "text", "Text of its anchors."),
    ),
)

TABLES: tuple[TableSchema, ...] = (
    LINE_DF,
    PAGE_DF,
    TOC_DF,
    OBJECT_DF,
    CROSS_REF_DF,
    IMAGE_DF,
    SPAN_DF,
    TABLE_DF,
    FINDING_DF,
    HIT_DF,
    RETRIEVED_PAGE_DF,
)
DOCUMENT_TABLES: tuple[TableSchema, ...] = TABLES[:9]
