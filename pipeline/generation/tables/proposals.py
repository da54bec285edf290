"""Figures and results as proposals: typed values, the lines that prove them, how they were worked out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from pipeline.generation.proposal import Proposal, ProposedSpan
from pipeline.generation.tables.asked import Asked
from pipeline.generation.tables.cells import Figure, Table
from pipeline.generation.tables.evaluate import Worked
from pipeline.generation.tables.formulas import settle
from schemas.answer import Amount, ComputedInput, Count, Duration, Percentage, Value
from schemas.handed_tables import HandedCell, HandedRow
from schemas.question import GenerationBrief

SHOWN_DECIMALS = {"percent": 1, "ratio": 2, "days": 2, "money": 2}  # where the question does not say how many
_PER_SHARE = re.compile(r"\bper (?:[a-z]+ ){0,3}(?:share|unit)\b", re.IGNORECASE)


def propose_figure(figure: Figure, name: str, *, is_outflow: bool = False) -> Proposal:
    """A figure as it stands, with its row, the header of its column, and the lines of its unit and currency."""
    value = typed(figure, is_outflow=is_outflow)
    return Proposal(value, spans_of([figure]), figure.cell.text, "rules", "verbatim", figure.row.label or name)


def propose_computed(worked: Worked, asked: Asked, brief: GenerationBrief) -> Proposal:
    """A result with its inputs, each in its line, and the formula over their names."""
    inputs = tuple(
        ComputedInput(
            name=one.name,
            value=typed(one.figure, is_outflow=one.value != one.figure.value),
            line_start=one.figure.row.line_ids[0],
            line_end=one.figure.row.line_ids[1],
        )
        for one in worked.inputs
    )
    value = _result(worked, asked, brief)
    spans = spans_of([one.figure for one in worked.inputs])
    return Proposal(value, spans, "", "rules", "computed", asked.name, inputs, worked.words)


def typed(figure: Figure, *, is_outflow: bool = False) -> Value:
    """The typed value of a figure; of an outflow its amount, in the digits inside the brackets."""
    written, value = figure.cell.text, figure.value
    if is_outflow and value < 0:
        written, value = re.sub(r"^[^\d]*\(?\s*|[\s)]+$", "", written), -value
    if figure.is_percent:
        return Percentage(value=value, original=written)
    table = figure.table
    if figure.kind == "count":
        header = table.header_of(figure.cell.column) if table.counts_in(figure.cell.column) else ""
        return Count(number=value, of=(header or figure.row.label).lower(), original=written)
    unit = table.unit[0] if figure.is_scaled and table.unit else None
    basis = None
    if figure.kind == "per_share":
        label = " ".join((*figure.row.groups, figure.row.label))
        found = _PER_SHARE.search(label)
        unit = basis = found.group(0) if found else None
    return Amount(value=value, currency=figure.currency, unit=unit, basis=basis, original=written)


def spans_of(figures: Sequence[Figure]) -> tuple[ProposedSpan, ...]:
    """The rows of the figures first, then the lines of headers, units and currencies; each line once."""
    spans: list[ProposedSpan] = []
    for figure in figures:
        first, last = figure.row.line_ids
        row = ProposedSpan(_holder(figure.table), first, last)
        if row not in spans:
            spans.append(row)
    rows = {line for span in spans for line in range(span.line_start, span.line_end + 1)}
    for figure in figures:
        notes = [(line, _holder(figure.table)) for note in figure.notes for line in note.line_ids]
        unit = [figure.table.unit[1:]] if figure.is_scaled and figure.table.unit else []
        for line, holder in [*((line, _holder(figure.table)) for line in figure.lines), *unit, *notes]:
            if line not in rows:
                rows.add(line)
                spans.append(ProposedSpan(holder, line, line))
    return tuple(spans)


def tell_notes(figures: Sequence[Figure]) -> tuple[str, ...]:
    """A caveat for each note under a table that a figure is marked with."""
    notes = [note.text for figure in figures for note in figure.notes]
    return tuple(f'A note to the table applies: "{note}"' for note in dict.fromkeys(notes))


def spans_of_cell(table: Table, row: HandedRow, cell: HandedCell) -> tuple[ProposedSpan, ...]:
    """The row of a cell, and the header of its column."""
    first, last = row.line_ids
    spans = [ProposedSpan(_holder(table), first, last)]
    header = [line for line in table.columns_at[cell.column] if not first <= line <= last]
    spans += [ProposedSpan(_holder(table), line, line) for line in header]
    return tuple(spans)


def _holder(table: Table) -> str:
    return table.record.candidate_ids[0]


def _result(worked: Worked, asked: Asked, brief: GenerationBrief) -> Value:
    value = settle(worked.value)
    unit = asked.unit
    if worked.money == 1:
        currency = next((one.figure.currency for one in worked.inputs if one.figure.kind == "money"), None)
        return Amount(value=value, currency=currency, original=shown(value, "money", brief, currency))
    if unit == "percent":
        return Percentage(value=value, original=shown(value, "percent", brief))
    if unit == "days" or brief.answer_type == "duration":
        return Duration(number=value, unit="day", original=f"{shown(value, 'days', brief)} days")
    return Count(number=value, of=asked.name, original=shown(value, "ratio", brief))


_SCALES = {"thousands": Decimal(1000), "millions": Decimal(10**6), "billions": Decimal(10**9)}


def shown(value: Decimal, unit: str, brief: GenerationBrief, currency: str | None = None) -> str:
    """The result as it is told: in the scale and with the decimals of the question, else those of `SHOWN_DECIMALS`."""
    wished = brief.format_constraint
    decimals = wished.decimals if wished.decimals is not None else SHOWN_DECIMALS.get(unit, 2)
    scale = wished.scale if unit == "money" and wished.scale in _SCALES else None
    number = value / _SCALES[scale] if scale else value
    rounded = f"{number.quantize(Decimal(1).scaleb(-decimals)):,f}"
    if unit == "percent":
        return f"{rounded} %"
    if unit == "money":
        return " ".join(piece for piece in (currency, rounded, scale.removesuffix("s") if scale else None) if piece)
    return rounded
