# ruff: noqa: E501  # patterns and lists of words are read whole, on one line
"""A handed table ready to be read: each figure as a number in exact units, with the lines that prove it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from pipeline.generation.tables.figures import mark_of, read_figure
from pipeline.generation.tables.periods import Heading, read_heading
from pipeline.generation.tables.words import plain_label, plain_words
from pipeline.values.currencies import CODE, currency_code
from schemas.handed_tables import HandedCell, HandedNote, HandedRow, HandedTable

_SCALES: tuple[tuple[str, Decimal], ...] = (
    (r"billions?|milliards?|\bbn\b|miles de millones", Decimal(10**9)),
    (r"millions?|millones|[$€£]\s?mm?\b|\bmn?\b", Decimal(10**6)),
    (r"thousands?|\bmiles\b|milliers|000'?s?\b|[$€£]\s?k\b", Decimal(1000)),
)
_SIGN = re.compile(r"[$€£¥]|US\$|C\$|A\$|\bdollars?\b|\beuros?\b|\bpounds sterling\b", re.IGNORECASE)
_CURRENCY = re.compile(rf"{CODE}|(?:US|C|A|HK)\$|[$€£¥]")
_PER_SHARE = re.compile(r"\bper (?:[a-z]+ ){0,3}(?:share|unit|ads)\b|\bpor accion|\bpar action")
_SHARES = re.compile(
    r"\bweighted average\b.*\bshares?\b|\bshares?\b.*\b(?:used|outstanding)\b|\bnumber of\b.*\bshares\b"
)
_COUNTED = re.compile(
    r"\bshares?\b(?! repurchase)|\bemployees|\bstores\b|\bnumber of\b|\bheadcount|\bacciones\b|\bactions\b"
)
# Headers of columns of numbers that are no money, whatever currency stands over the column beside.
_COUNTS = re.compile(
    r"\b(?:units?|quantit(?:y|ies)|headcount|number of|no of|qty|pieces|shares|employees|stores|hours|days|volumes?"
    r"|unidades|cantidad(?:es)?|numero de|acciones|empleados|unites?|quantites?|nombre de|actions|effectifs?)\b"
)
_PRICES = re.compile(
    r"\b(?:prices?|costs?|fees?|amounts?|values?|rates?|charges?|revenue|income|per (?:share|unit|hour|day)|precios?|importes?"
    r"|costes?|tarifas?|prix|montants?|couts?|tarifs?|frais)\b"
)
_MONEY_SHARES = re.compile(r"\bper\b|\brepurchases?\b|\bissuances?\b|\bissued\b|\bproceeds\b|\bpurchases?\b|\bstock\b")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a table. `number` is as written, brackets as minus; `value` is in exact units."""

    table: Table
    row: HandedRow
    cell: HandedCell
    number: Decimal
    value: Decimal
    is_nil: bool
    is_percent: bool
    is_scaled: bool

    @property
    def lines(self) -> tuple[int, ...]:
        """Lines that prove it, ascending: the row, the header of its column, the currency; the unit's line apart."""
        own = range(self.row.line_ids[0], self.row.line_ids[1] + 1)
        header = self.table.columns_at[self.cell.column]
        line = self.table.currency_of(self.cell)[1] if self.kind in ("money", "per_share") else None
        sign = [line] if line else []
        groups = self.row.group_line_ids if self.kind == "per_share" else ()
        period = self.table.period_over_all
        over = (
            [period[1]] if period and not any(period[0] in title for title in self.table.titles_of(self.cell)) else []
        )
        return tuple(sorted({*own, *header, *sign, *groups, *over}))

    @property
    def notes(self) -> tuple[HandedNote, ...]:
        """Notes under the table whose mark stands in its label, its header or beside it."""
        header = next((one.header for one in self.table.record.columns if one.number == self.cell.column), ())
        marks = {mark_of(text) for text in (self.row.label, self.cell.text, *header, *self.row.groups)}
        return tuple(note for note in self.table.record.notes if note.mark in marks)

    @property
    def currency(self) -> str | None:
        """ISO code that its cell, the header of its column or the table names for it; None where none does."""
        return self.table.currency_of(self.cell)[0]

    @property
    def kind(self) -> str:
        """money, per_share, count or percent."""
        if self.is_percent:
            return "percent"
        if self.table.counts_in(self.cell.column):
            return "count"
        label = plain_words(" ".join((*self.row.groups, self.row.label)))
        if _SHARES.search(label):
            return "count"
        if _PER_SHARE.search(label):
            return "per_share"
        own = plain_words(self.row.label)
        if _COUNTED.search(label) and not _MONEY_SHARES.search(own) and not self.table.has_sign(self.row):
            return "count"
        return "money"


@dataclass(frozen=True)
class Table:
    """A handed table with its headings, unit and currency read.

    `donor` is another statement of the same report, whose unit words hold for this one where it has none.
    """

    record: HandedTable
    donor: Table | None = None

    @property
    def unit(self) -> tuple[str, int, str] | None:
        """Unit words, their line and the candidate that it is handed over with; None where none are known."""
        source = self.record if self.record.unit_line_id or self.donor is None else self.donor.record
        if source.unit is None or source.unit_line_id is None:
            return None
        return source.unit, source.unit_line_id, source.candidate_ids[0]

    @cached_property
    def around(self) -> str:
        """What stands over all columns: title, and the header of the column of labels."""
        first = self.record.columns[0].header if self.record.columns else ()
        return " ".join((self.record.title or "", *first))

    @cached_property
    def headings(self) -> dict[int, Heading]:
        """What each column is headed with, by its number."""
        period = self.period_over_all
        around = f"{self.around} {period[0]}" if period else self.around
        return {one.number: read_heading(" ".join(one.header), around) for one in self.record.columns}

    @cached_property
    def period_over_all(self) -> tuple[str, int] | None:
        """The one period in the header, with its line, where other columns stand without any: it is that of them all."""
        columns = self.record.columns[1:]
        dated = [(one, title) for one in columns for title in one.header if read_heading(title).years]
        if len({title for _, title in dated}) != 1 or all(
            any(title == dated[0][1] for title in one.header) for one in columns if one.header
        ):
            return None
        one, title = dated[0]
        return (title, one.line_ids[min(one.header.index(title), len(one.line_ids) - 1)]) if one.line_ids else None

    def titles_of(self, cell: HandedCell) -> tuple[str, ...]:
        """The titles over a cell's column, outer first."""
        return self._headers.get(cell.column, ())

    @cached_property
    def columns_at(self) -> dict[int, tuple[int, ...]]:
        """Lines of each column's header; those of the labels' column where a column has none of its own."""
        return {one.number: one.line_ids for one in self.record.columns}

    @cached_property
    def scale(self) -> Decimal:
        """By what a figure of money is multiplied: 1,000,000 for 'in millions'."""
        unit = self.unit[0].lower() if self.unit else ""
        unit = re.split(r"\bexcept\b|\bsalvo\b|\bsauf\b", unit)[0]
        return next((scale for words, scale in _SCALES if re.search(words, unit)), Decimal(1))

    def currency_of(self, cell: HandedCell) -> tuple[str | None, int | None]:
        """ISO code for a cell with the line that names it: its own, its column's, else the table's.

        A currency in the header of another column is that column's alone.
        """
        sign = _CURRENCY.search(cell.text)
        if sign is not None:
            return currency_code(sign.group(0), cell.text, *sign.span()), cell.line_start
        own = self._column_currencies.get(cell.column)
        if own is not None:
            return own
        return (None, None) if self._column_currencies else self._named_currency

    def counts_in(self, column: int) -> bool:
        """True for a column whose header says that it counts things: '(units per year)', 'Number of employees'."""
        header = plain_words(self.header_of(column))
        is_priced = column in self._column_currencies or _PRICES.search(header) is not None
        return _COUNTS.search(header) is not None and not is_priced

    def header_of(self, column: int) -> str:
        """The title right over a column; empty without one."""
        return " ".join(self._headers.get(column, ())[-1:])

    @cached_property
    def _headers(self) -> dict[int, tuple[str, ...]]:
        return {one.number: one.header for one in self.record.columns}

    @cached_property
    def _column_currencies(self) -> dict[int, tuple[str | None, int | None]]:
        """Currencies that the header right over a column names, where not all columns of figures have it."""
        found: dict[int, tuple[str | None, int | None]] = {}
        for one in self.record.columns[1:]:
            sign = _CURRENCY.search(one.header[-1]) if one.header else None
            if sign is not None:
                line = one.line_ids[-1] if one.line_ids else None
                found[one.number] = currency_code(sign.group(0), one.header[-1], *sign.span()), line
        return found

    @cached_property
    def _named_currency(self) -> tuple[str | None, int | None]:
        record = self.record
        texts = [(record.unit or "", record.unit_line_id)]
        texts += [
            (title, line) for one in record.columns for title, line in zip(one.header, one.line_ids, strict=False)
        ]
        texts += [(record.title or "", line) for line in record.title_line_ids[:1]]
        texts += [(cell.text, cell.line_start) for row in record.rows for cell in row.cells[1:]]
        for text, line in texts:
            sign = _CURRENCY.search(text) or _SIGN.search(text)
            if sign is not None:
                return currency_code(sign.group(0), text, *sign.span()), line
        return None, None

    @cached_property
    def language(self) -> str:
        """'en' where a point parts decimals in its figures, else 'es'."""
        figures = [cell.text for row in self.record.rows for cell in row.cells]
        english = sum(bool(re.search(r"\d,\d{3}(?!\d)|\d\.\d{1,2}(?!\d)", text)) for text in figures)
        other = sum(bool(re.search(r"\d\.\d{3}(?!\d)|\d,\d{1,2}(?!\d)", text)) for text in figures)
        return "es" if other > english else "en"

    def figures(self, row: HandedRow) -> list[Figure]:
        """The figures of a row, left to right; those of its label left out."""
        found = []
        for cell in row.cells:
            read = read_figure(cell.text, self.language)
            if read is None or (cell is row.cells[0] and row.label):
                continue
            number, is_nil, is_percent = read
            figure = Figure(self, row, cell, number, number, is_nil, is_percent, False)
            if figure.kind == "money" and self.scale != 1:
                figure = Figure(self, row, cell, number, number * self.scale, is_nil, is_percent, True)
            found.append(figure)
        return found

    def has_sign(self, row: HandedRow) -> bool:
        """True where a cell of the row holds a currency."""
        return any(_CURRENCY.search(cell.text) for cell in row.cells[1:])

    def label(self, row: HandedRow) -> str:
        """The row's label as plain words; a bare 'Total', and a row without a label that adds its group up, is its."""
        own = plain_label(row.label)
        if own == "total" and row.groups:
            return f"total {plain_label(row.groups[-1])}"
        return own or self._unlabelled_totals.get(row.row_num, "")

    @cached_property
    def _unlabelled_totals(self) -> dict[int, str]:
        """Rows without a label whose every figure is the sum of the rows of the group above them, by that group."""
        found: dict[int, str] = {}
        rows = self.record.rows
        for at, row in enumerate(rows[1:], 1):
            groups = rows[at - 1].groups
            if row.label or not groups:
                continue
            parts = [one for one in rows[:at] if one.groups == groups and one.label]
            sums = {figure.cell.column: Decimal(0) for figure in self.figures(row)}
            for figure in (figure for part in parts for figure in self.figures(part)):
                sums[figure.cell.column] = sums.get(figure.cell.column, Decimal(0)) + figure.number
            label = f"total {plain_label(groups[-1])}"
            is_told = any(plain_label(one.label) == label for one in rows)
            if len(parts) > 1 and not is_told and sums == {one.cell.column: one.number for one in self.figures(row)}:
                found[row.row_num] = label
        return found


def read_tables(records: Sequence[HandedTable]) -> tuple[Table, ...]:
    """The tables, in the document's order."""
    own = [Table(record) for record in records]
    stated = [table for table in own if table.record.statement and table.record.unit_line_id]
    donor = stated[0] if len({table.scale for table in stated}) == 1 else None
    return tuple(
        Table(table.record, donor) if table.record.statement and not table.record.unit_line_id else table
        for table in own
    )
