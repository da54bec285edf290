# ruff: noqa: E501  # lists of words are read whole
"""Any table by row and column: the row whose label the question names, the column by its period or its header's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.generation.checks.ground import with_article
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.tables.cells import Figure, Table
from pipeline.generation.tables.figures import read_figure
from pipeline.generation.tables.naming import Asking, names_of
from pipeline.generation.tables.proposals import propose_figure, spans_of_cell, tell_notes
from pipeline.values import VALUE_TYPES, find_values
from schemas.answer import Identifier, TextValue
from schemas.handed_tables import HandedCell, HandedColumn, HandedRow
from schemas.question import GenerationBrief

MAX_TOLD = 4  # cells named in a caveat
_KINDS = {"amount": ("money", "per_share"), "percentage": ("percent",), "number": ("count",)}
# Kinds for which the words of a cell answer in place of a value: 'When is it due?' 'on release of first samples'.
_WORDED = ("text", "date", "duration", "amount", "percentage", "number")


def look_up(
    tables: Sequence[Table], brief: GenerationBrief, *, is_named: bool = False, parts: frozenset[str] = frozenset()
) -> Draft | None:
    """The one cell that the question names by its row and its column; no value where several of a table fit as well.

    None where it names none, or cells of several tables. Of cells that differ by their year alone that of the latest is
    given, with a caveat. `is_named`: only a cell whose column the question names too; `parts`: names that must stand
    with the cell.
    """
    words = Asking(brief)
    if len(words.periods) > 1 or not words.all:
        return None
    found: list[_Cell] = []
    names = parts.union(*(words.names_in(table) for table in tables))
    for table in tables:
        for row in table.record.rows:
            label = max(words.covers(name) for name in names_of(row))
            if not label:
                continue
            for column, matched in _columns(table, row, words):
                if is_named and not matched:
                    continue
                rank = _rank(table, row, column, words, (label, matched), names)
                proposal = _proposal(table, row, column, brief, is_named=matched > 0) if rank is not None else None
                if rank is not None and proposal is not None:
                    found.append(_Cell(rank, proposal, _notes(table, row, column), table, row, column))
    if not found:
        return None
    best = max(one.rank for one in found)
    chosen = [one for one in found if one.rank == best]
    caveats: tuple[str, ...] = ()
    if _differ(chosen) and not words.periods:
        chosen, caveats = _latest(chosen)
    if _differ(chosen):
        is_one = len({one.table.record.table_id for one in chosen}) == 1
        return _tell_several([one.proposal for one in chosen]) if is_one else None
    return Draft((chosen[0].proposal,), (*caveats, *_tell_kind(chosen[0].proposal, brief), *chosen[0].notes))


@dataclass(frozen=True, slots=True)
class _Cell:
    rank: tuple[int, ...]
    proposal: Proposal
    notes: tuple[str, ...]
    table: Table
    row: HandedRow
    column: HandedColumn


def _differ(cells: Sequence[_Cell]) -> bool:
    return any(one.proposal.value != cells[0].proposal.value for one in cells)


def _latest(cells: Sequence[_Cell]) -> tuple[list[_Cell], tuple[str, ...]]:
    """Those of the latest year where the cells are of one row's name and each of one year; all of them otherwise."""
    headings = [one.table.headings[one.column.number] for one in cells]
    is_plain = all(len(heading.years) == 1 and not heading.compares for heading in headings)
    is_one = len({one.row.label for one in cells}) == len({heading.span for heading in headings}) == 1
    if not is_plain or not is_one:
        return list(cells), ()
    latest = max(heading.years[0] for heading in headings)
    chosen = [one for one, heading in zip(cells, headings, strict=True) if heading.years[0] == latest]
    return chosen, (f"The question names no period; the figure is that of {latest}, the latest shown.",)


def _tell_several(proposals: Sequence[Proposal]) -> Draft:
    """No value where several cells of one table fit the question as well; they are named."""
    told = [f"{one.label}: {one.value_text}" for one in proposals[:MAX_TOLD]]
    more = f" and {len(proposals) - MAX_TOLD} more" if len(proposals) > MAX_TOLD else ""
    return Draft((), (f"Several cells of the table fit, and none is chosen ({'; '.join(told)}{more}).",))


def _tell_kind(proposal: Proposal, brief: GenerationBrief) -> tuple[str, ...]:
    """A caveat where the cell is of another kind than the question asks for."""
    kind = proposal.value.kind if proposal.value is not None else brief.answer_type
    if brief.answer_type in ("text", kind):
        return ()
    if kind == "text":
        return (f"The table states no {brief.answer_type} there; the words of the cell are given.",)
    return (f"The column states {with_article(kind)}, no {brief.answer_type}.",)


def _notes(table: Table, row: HandedRow, column: HandedColumn) -> tuple[str, ...]:
    return tell_notes([one for one in table.figures(row) if one.cell.column == column.number])


def _columns(table: Table, row: HandedRow, words: Asking) -> list[tuple[HandedColumn, int]]:
    """Columns that the question means, with how many of their words it has; all of them where it names none."""
    cells = {cell.column for cell in row.cells[1:]}
    columns = [column for column in table.record.columns if column.number in cells]
    if words.periods:
        return [(column, 1) for column in columns if table.headings[column.number].is_of(words.periods[0])]
    named = [(column, words.covers(" ".join(_own_header(column)))) for column in columns]
    matched = [(column, count) for column, count in named if count]
    if matched:
        return matched
    touched = [(words.found_in(_own_header(column)), column) for column in columns]
    best = max((count for count, _ in touched), default=0)
    nearest = [column for count, column in touched if count == best]
    return [(nearest[0], 1)] if best and len(nearest) == 1 else [(column, 0) for column in columns]


def _own_header(column: HandedColumn) -> Sequence[str]:
    return column.header[-1:]


def _rank(
    table: Table,
    row: HandedRow,
    column: HandedColumn,
    words: Asking,
    matched: tuple[int, int],
    names: frozenset[str],
) -> tuple[int, ...] | None:
    """How well a cell is named; None where a telling word of the question stands nowhere around it."""
    first = table.record.columns[0].header
    if words.missing_in((row.label, *row.groups, *column.header, table.record.title or "", *first), names):
        return None
    groups = sum(words.covers(group) for group in row.groups)
    return matched[0], groups, matched[1], words.covers(table.record.title or "")


def _proposal(
    table: Table, row: HandedRow, column: HandedColumn, brief: GenerationBrief, *, is_named: bool
) -> Proposal | None:
    """The cell as a value of the kind asked for, in a column that the question names also its words; None else."""
    cell = next((one for one in row.cells if one.column == column.number), None)
    if cell is None:
        return None
    figure = next((one for one in table.figures(row) if one.cell is cell), None)
    kinds = _KINDS.get(brief.answer_type, ())
    if kinds and Asking(brief).is_of_money:
        kinds = (*kinds, "money")
    if figure is not None and _is_sure(figure):
        is_told = is_named and (figure.kind == "percent" or table.counts_in(cell.column))
        if figure.kind in kinds or (is_named and brief.answer_type == "text") or (is_told and kinds):
            return propose_figure(figure, row.label)
    if brief.answer_type in VALUE_TYPES:
        typed = _typed_cell(table, row, cell, brief)
        if typed is not None:
            return typed
    if is_named and brief.answer_type == "identifier":
        value = Identifier(text=cell.text)
        return Proposal(value, spans_of_cell(table, row, cell), cell.text, "rules", "verbatim", row.label)
    has_words = read_figure(cell.text, table.language) is None
    if is_named and has_words and brief.answer_type in _WORDED:
        return Proposal(
            TextValue(text=cell.text), spans_of_cell(table, row, cell), cell.text, "rules", "verbatim", row.label
        )
    return None


def _is_sure(figure: Figure) -> bool:
    """True for a figure whose currency is known, where it is money, and that is no stroke."""
    return not figure.is_nil and (figure.kind != "money" or figure.currency is not None)


def _typed_cell(table: Table, row: HandedRow, cell: HandedCell, brief: GenerationBrief) -> Proposal | None:
    """A cell that is a value by itself: '30 days', 'EUR 2,400', 'March 1, 2024'."""
    read = find_values(cell.text, brief.answer_type, language=brief.language)
    if len(read) != 1:
        return None
    return Proposal(read[0].value, spans_of_cell(table, row, cell), cell.text, "rules", "verbatim", row.label)
