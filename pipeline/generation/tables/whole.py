"""A table as the answer: the one that the question names, whole or the rows and columns that it asks for, verbatim."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.tables.cells import Table
from pipeline.generation.tables.naming import Asking
from pipeline.generation.tables.words import plain_label, plain_words
from schemas.answer import TableValue
from schemas.handed_tables import HandedColumn, HandedRow
from schemas.question import GenerationBrief

MAX_ROWS = 100  # rows of a table that is given as an answer; a longer one is cut, and said to be


def give_table(tables: Sequence[Table], brief: GenerationBrief) -> Draft | None:
    """The table whose title, headers and labels hold the words of the question; None where none holds them all."""
    words = Asking(brief)
    ranked = [(words.found_in(_texts(table)), -at, table) for at, table in enumerate(tables) if table.record.rows]
    held = [one for one in ranked if one[0] and not words.missing_in(_texts(one[2]))]
    if not held:
        return None
    table = max(held, key=lambda one: one[:2])[2]
    rows = [row for row in table.record.rows if _is_named(row, table, words)] or list(table.record.rows)
    columns = _columns(table, words)
    caveats = []
    if not table.record.is_whole or len(rows) > MAX_ROWS:
        caveats.append(f"The table has more rows than are handed over; {min(len(rows), MAX_ROWS)} are given.")
    rows = rows[:MAX_ROWS]
    value = TableValue(
        title=table.record.title,
        headers=tuple(" ".join(column.header) for column in columns),
        rows=tuple(tuple(_cell(row, column) for column in columns) for row in rows),
    )
    return Draft((Proposal(value, _spans(table, rows, columns), "", "rules"),), tuple(caveats), ends=not caveats)


def _is_named(row: HandedRow, table: Table, words: Asking) -> bool:
    """True for a row that the question names by words that are not those of the table itself: 'Plan B', not 'Plan'."""
    around = plain_words(" ".join([table.record.title or "", *(" ".join(one.header) for one in table.record.columns)]))
    own = " ".join(word for word in plain_label(row.label).split() if word not in around.split())
    return bool(own) and words.covers(own) > 0


def _texts(table: Table) -> list[str]:
    record = table.record
    headers = [title for column in record.columns for title in column.header]
    labels = [text for row in record.rows for text in (row.label, *row.groups)]
    return [record.title or "", *headers, *labels]


def _columns(table: Table, words: Asking) -> list[HandedColumn]:
    """All columns; of a question for a period the labels' and those of the period."""
    columns = list(table.record.columns)
    if not words.periods:
        return columns
    chosen = [one for one in columns[1:] if any(table.headings[one.number].is_of(period) for period in words.periods)]
    return [columns[0], *chosen] if chosen else columns


def _cell(row: HandedRow, column: HandedColumn) -> str:
    return next((cell.text for cell in row.cells if cell.column == column.number), "")


def _spans(table: Table, rows: Sequence[HandedRow], columns: Sequence[HandedColumn]) -> tuple[ProposedSpan, ...]:
    """The lines of the rows and of the headers, runs of the table's lines together."""
    order = [line.line_id for line in table.record.lines]
    wanted = {line for column in columns for line in column.line_ids} | set(table.record.title_line_ids)
    wanted |= {line for row in rows for cell in row.cells for line in range(cell.line_start, cell.line_end + 1)}
    spans: list[ProposedSpan] = []
    last = -2
    for at, line in enumerate(order):
        if line not in wanted:
            continue
        if at == last + 1:
            spans[-1] = ProposedSpan(spans[-1].candidate_id, spans[-1].line_start, line)
        else:
            spans.append(ProposedSpan(table.record.candidate_ids[0], line, line))
        last = at
    return tuple(spans)
