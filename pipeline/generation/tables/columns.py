"""A column as a list: 'the revenue of each segment', 'the service levels', 'the products and their unit prices'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.tables.cells import Figure, Table, read_tables
from pipeline.generation.tables.figures import read_figure
from pipeline.generation.tables.metrics import definitions
from pipeline.generation.tables.naming import Asking, is_among, names_of
from pipeline.generation.tables.proposals import propose_figure, spans_of_cell
from pipeline.generation.tables.words import fits_label, plain_label, plain_words
from schemas.answer import TextValue
from schemas.handed_tables import HandedCell, HandedColumn, HandedRow, HandedTable
from schemas.question import GenerationBrief

MIN_LISTED = 2  # rows of a list
_EACH = re.compile(r"\b(?:each|every|per|by|cada|por|chaque|par)\s+(?:[a-z]+\s+)?(?P<noun>[a-z]{3,})")
_TOTAL = re.compile(r"\b(?:sub)?total(?:s|es)?\b|\bunallocated\b|\beliminations?\b|\bno asignad|\bnon alloue")


def list_column(tables: Sequence[Table], brief: GenerationBrief, *, of_each: bool = False) -> Draft | None:
    """Each row's value of the column that the question names, else the names of the rows; None where it names none.

    `of_each`: only for a question that says 'of each ...'. Totals are no elements. None too where two tables fit as
    well: of two periods the later one is taken, with a caveat.
    """
    words = Asking(brief)
    noun = _EACH.search(words.core)
    if of_each and noun is None:
        return None
    found: list[tuple[int, int, Table, Draft]] = []
    for table in tables:
        column = _named(table, words)
        rows = _elements(table)
        if column is None or len(rows) < MIN_LISTED or _lacks(table, column, words) or _names_one(rows, words):
            continue
        proposals = [one for row in rows if (one := _value(table, row, column)) is not None]
        if len(proposals) < MIN_LISTED:
            continue
        whole = len(proposals) == len(rows) and table.record.is_whole
        draft = Draft(tuple(proposals), _left_out(len(rows) - len(proposals)), ends=whole or None)
        found.append((_year(table, column), words.found_in([table.record.title or ""]), table, draft))
    return _chosen(found)


def list_names(records: Sequence[HandedTable], brief: GenerationBrief, noun: str) -> Draft | None:
    """The names in the column that is headed by a noun, 'products' by 'Product'; None where no one table has such."""
    words = Asking(brief)
    lists = []
    for table in read_tables(records):
        column = next((one for one in table.record.columns if one.header and _is_called(one.header[-1], noun)), None)
        rows = _elements(table)
        if column is None or len(rows) < MIN_LISTED or words.missing_in([noun, *_all_texts(table)]):
            continue
        proposals = [one for row in rows if (one := _value(table, row, column)) is not None]
        if len(proposals) == len(rows) and all(isinstance(one.value, TextValue) for one in proposals):
            lists.append(Draft(tuple(proposals), ends=table.record.is_whole or None))
    return lists[0] if len(lists) == 1 else None


def _is_called(header: str, noun: str) -> bool:
    return plain_label(header).removesuffix("s") == plain_words(noun).removesuffix("s")


def _all_texts(table: Table) -> list[str]:
    texts = [table.record.title or "", *(title for one in table.record.columns for title in one.header)]
    return [*texts, *(text for row in table.record.rows for text in (row.label, *row.groups))]


def _chosen(found: Sequence[tuple[int, int, Table, Draft]]) -> Draft | None:
    """The list whose title has most of the question's words; of those, that of the latest period."""
    if not found:
        return None
    titled = max(fit for _, fit, *_ in found)
    held = [one for one in found if one[1] == titled]
    latest = max(year for year, *_ in held)
    last = [one for one in held if one[0] == latest]
    draft = last[0][3]
    if any([p.value for p in one[3].proposals] != [p.value for p in draft.proposals] for one in last):
        heads = {tuple(column.header for column in table.record.columns) for _, _, table, _ in last}
        if len(heads) > 1 or latest:
            return None
        every = tuple(proposal for one in last for proposal in one[3].proposals)  # parts of one table, page after page
        caveats = tuple(dict.fromkeys(caveat for one in last for caveat in one[3].caveats))
        draft = Draft(every, caveats, ends=None if any(one[3].ends is None for one in last) else True)
    if len(held) > len(last) and latest:
        told = f"The question names no period; the figures are those of {latest}, the latest shown."
        draft = replace(draft, caveats=(told, *draft.caveats))
    return draft


def _named(table: Table, words: Asking) -> HandedColumn | None:
    """The column whose title the question names, one of figures before that of the names; None for none or several."""
    columns = [one for one in table.record.columns if one.header]
    if words.periods:
        columns = [one for one in columns if not _is_other_period(table, one, words)]
    first = table.record.columns[0].number if table.record.columns else 0
    named = [one for one in columns if words.covers(one.header[-1])] or [
        one for one in columns if one.number != first and _is_item(one.header[-1], words)
    ]
    filled = {cell.column for cell in _figures(table)}
    chosen = [one for one in named if one.number in filled] or named
    if len(chosen) == 1 and chosen[0].number not in filled and words.brief.answer_type in ("amount", "percentage"):
        priced = [one for one in columns if one.number in filled and not table.counts_in(one.number)]
        chosen = priced if len(priced) == 1 else chosen  # 'List the fees': what they are called, and how much they are
    return chosen[0] if len(chosen) == 1 else None


def _is_other_period(table: Table, column: HandedColumn, words: Asking) -> bool:
    heading = table.headings[column.number]
    return bool(heading.years) and not any(heading.is_of(period) for period in words.periods)


def _figures(table: Table) -> list[HandedCell]:
    return [figure.cell for row in table.record.rows for figure in table.figures(row)]


def _is_item(header: str, words: Asking) -> bool:
    """True where the question names a line of statements that the column's title is a name of: revenue, 'Sales'."""
    signed = definitions()
    keys = {key for _, _, key in signed.named(" ".join(words.all)) if key in signed.items}
    label = plain_label(header)
    return any(fits_label(pattern, label) for key in keys for pattern in signed.items[key].labels)


def _lacks(table: Table, column: HandedColumn, words: Asking) -> bool:
    """True where a telling word of the question stands neither in title, headers nor names of the rows."""
    missing = words.missing_in(_all_texts(table))
    if column.header and _is_item(column.header[-1], words):
        signed = definitions()
        named = {word for start, end, _ in signed.named(" ".join(words.all)) for word in _slice(words, start, end)}
        missing = tuple(word for word in missing if word not in named)
    return bool(missing)


def _slice(words: Asking, start: int, end: int) -> list[str]:
    return " ".join(words.all)[start:end].split()


def _names_one(rows: Sequence[HandedRow], words: Asking) -> bool:
    """True where the question is of one row, by its whole name."""
    return any(words.covers(name) for row in rows for name in names_of(row))


def _elements(table: Table) -> list[HandedRow]:
    return [row for row in table.record.rows if row.label and not _TOTAL.search(plain_words(row.label))]


def _value(table: Table, row: HandedRow, column: HandedColumn) -> Proposal | None:
    """The row's cell in the column, a figure with its unit or words; None for an empty cell."""
    cell = next((one for one in row.cells if one.column == column.number), None)
    if cell is None:
        return None
    figure: Figure | None = next((one for one in table.figures(row) if one.cell is cell), None)
    if figure is not None:
        return propose_figure(figure, row.label)
    if read_figure(cell.text, table.language) is not None:
        return None
    label = row.label if not is_among(cell.text, (row.label,)) else None
    return Proposal(TextValue(text=cell.text), spans_of_cell(table, row, cell), cell.text, "rules", "verbatim", label)


def _year(table: Table, column: HandedColumn) -> int:
    """The year of a column; 0 where it has none, or several."""
    years = table.headings[column.number].years
    return years[0] if len(years) == 1 else 0


def _left_out(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    return (f"{count} row{'' if count == 1 else 's'} of the table without a value in the column left out.",)
