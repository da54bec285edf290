"""From a question and the handed tables to a draft: a line as it stands, or a metric that code works out."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pipeline.generation.proposal import Draft
from pipeline.generation.tables.asked import Asked, read_asked
from pipeline.generation.tables.cells import Figure, Table, read_tables
from pipeline.generation.tables.columns import list_column
from pipeline.generation.tables.evaluate import (
    Lines,
    MissingLineError,
    SeveralLinesError,
    Worked,
    find_line,
    growth,
    in_percent,
    join,
)
from pipeline.generation.tables.formulas import Name
from pipeline.generation.tables.lookup import look_up
from pipeline.generation.tables.metrics import definitions
from pipeline.generation.tables.naming import Asking
from pipeline.generation.tables.periods import Period
from pipeline.generation.tables.proposals import propose_computed, propose_figure, tell_notes
from pipeline.generation.tables.whole import give_table
from pipeline.generation.tables.words import plain_label, plain_words
from schemas.handed_tables import HandedTable
from schemas.question import GenerationBrief

FIGURE_TYPES = ("amount", "percentage", "number", "duration", "date", "text", "identifier")


def draft_from_tables(
    records: Sequence[HandedTable], brief: GenerationBrief, *, doc_id: str = "", texts: Sequence[str] = ()
) -> Draft | None:
    """The draft of a question for a figure of a table; None where it is for the text to answer.

    `doc_id` and `texts` (the passages') tell the one who reports from its parts: the figure of Azure is not the whole.

    A draft without a proposal says in its caveat which line is missing: then no figure is given at all, since what
    stands near the words is another figure.
    """
    if records and brief.answer_shape in ("table", "nested_json"):
        return give_table(read_tables(records), brief)
    if not records or brief.answer_type not in FIGURE_TYPES:
        return None
    if brief.answer_shape != "single":
        return _of_several(read_tables(records), brief)
    of_each = list_column(read_tables(records), brief, of_each=True)
    if of_each is not None:
        return of_each
    asked = read_asked(brief)
    tables = read_tables(records)
    parts = Asking(brief).parts_in(doc_id, (*texts, *(record.text for record in records)))
    is_part = asked is not None and bool(parts & set(asked.entities))
    if asked is None or asked.rest or is_part or _names_a_row(asked, tables):
        return look_up(tables, brief, parts=parts)
    periods, caveats = _periods(asked, tables)
    if not periods:
        return look_up(tables, brief, parts=parts)
    return _answer(asked, periods, tables, brief, caveats)


def draft_from_cells(
    records: Sequence[HandedTable], brief: GenerationBrief, *, doc_id: str = "", texts: Sequence[str] = ()
) -> Draft:
    """The same where no passage was judged to answer: a cell named by its row and its column answers all the same."""
    draft = draft_from_tables(records, brief, doc_id=doc_id, texts=texts)
    if draft is None or not draft.proposals:
        return Draft(())
    caveat = "No passage by itself was judged to answer; the table that they stand in does, by its row and column."
    return Draft(draft.proposals, (*draft.caveats, caveat), ends=draft.ends)


def _of_several(tables: Sequence[Table], brief: GenerationBrief) -> Draft | None:
    """One cell where the question names row and column ('the sales of Zone NA'), else a column; None for text."""
    if brief.answer_shape != "listing":
        return None
    cell = look_up(tables, brief, is_named=True)
    return cell if cell is not None and cell.proposals else list_column(tables, brief)


def _answer(
    asked: Asked, periods: tuple[Period, ...], tables: Sequence[Table], brief: GenerationBrief, caveats: tuple[str, ...]
) -> Draft | None:
    try:
        if asked.is_line:
            return _line(asked, periods[0], tables, caveats)
        stated = _stated(asked, periods, tables)
        if stated is not None:
            return Draft((propose_figure(stated, asked.name),), (*caveats, *tell_notes([stated])))
        worked = _work_out(asked, periods, Lines(tables, asked.defined))
    except MissingLineError as fault:
        return _missing(asked, brief, tables, str(fault), is_open=isinstance(fault, SeveralLinesError))
    except ZeroDivisionError:
        return _missing(asked, brief, tables, f"{asked.name} is a division by nothing")
    return Draft(
        (propose_computed(worked, asked, brief),),
        (*caveats, *_how(asked, worked), *tell_notes([one.figure for one in worked.inputs])),
    )


def _periods(asked: Asked, tables: Sequence[Table]) -> tuple[tuple[Period, ...], tuple[str, ...]]:
    """The periods of the question; without one the latest year that the statements show, with a caveat."""
    if asked.periods:
        return asked.periods, ()
    years = [
        heading.years[0]
        for table in tables
        if table.record.statement
        for heading in table.headings.values()
        if len(heading.years) == 1 and not heading.compares and heading.span in ("year", "instant", None)
    ]
    if not years or asked.way != "value":
        return (), ()
    latest = Period(max(years))
    return (latest,), (f"The question names no period; the figure is that of {latest.name}, the latest shown.",)


def _names_a_row(asked: Asked, tables: Sequence[Table]) -> bool:
    """True where a name beside the line's is a row, group or column of a table: a segment or product, no company."""
    if not asked.entities:
        return False
    names = set(asked.entities)
    for table in tables:
        for row in table.record.rows:
            if any(words and set(words.split()) <= names for words in map(plain_label, (row.label, *row.groups))):
                return True
        for column in table.record.columns:
            if any(words and set(words.split()) <= names for words in map(plain_words, column.header)):
                return True
    return False


def _line(asked: Asked, period: Period, tables: Sequence[Table], caveats: tuple[str, ...]) -> Draft:
    """The figure of a line as it stands."""
    item = definitions().items[asked.formula.words if isinstance(asked.formula, Name) else ""]
    figure = find_line(tables, item, period)
    told = list(caveats)
    if item.outflow and figure.number < 0:
        if "benefit" in plain_words(figure.row.label):
            why = f"The row of {item.name} is printed as a benefit, so that its sign cannot be told."
            return Draft((), (why,))
        told.append(
            "The statement prints the figure in brackets, as a cost or cash that goes out; its amount is given."
        )
    if figure.is_nil:
        told.append("The table shows a stroke for this figure, which is read as nil.")
    told += tell_notes([figure])
    return Draft((propose_figure(figure, asked.name, is_outflow=item.outflow),), tuple(told))


def _stated(asked: Asked, periods: Sequence[Period], tables: Sequence[Table]) -> Figure | None:
    """The figure of a metric that a table states in percent under its own name; None without one."""
    if asked.way != "value" or not isinstance(asked.formula, Name) or asked.formula.words not in definitions().metrics:
        return None
    metric = definitions().metrics[asked.formula.words]
    if metric.unit != "percent" or any(name for name in asked.defined):
        return None
    figures = [
        figure
        for table in tables
        for row in table.record.rows
        if plain_label(row.label).removesuffix(" %").strip() in metric.asked and not row.groups[1:]
        for figure in table.figures(row)
        if figure.is_percent and table.headings[figure.cell.column].is_of(periods[0])
    ]
    return figures[0] if figures and len({figure.value for figure in figures}) == 1 else None


def _work_out(asked: Asked, periods: Sequence[Period], lines: Lines) -> Worked:
    first, last = periods[0], periods[-1]
    match asked.way:
        case "average":
            worked = lines.mean_of(asked.formula, periods)
        case "growth":
            return growth(lines.work_out(asked.formula, first), lines.work_out(asked.formula, last))
        case "difference":
            worked = join(lines.work_out(asked.formula, last), "-", lines.work_out(asked.formula, first))
        case "cagr":
            raise MissingLineError("a compound growth rate needs a root, which is not computed here")
        case _:
            worked = lines.work_out(asked.formula, last)
    return in_percent(worked) if asked.unit == "percent" and worked.money == 0 else worked


def _missing(
    asked: Asked, brief: GenerationBrief, tables: Sequence[Table], fault: str, *, is_open: bool = False
) -> Draft | None:
    """No figure, with the reason; the text may answer where it could state the figure itself."""
    if asked.is_line:
        named = look_up(tables, brief)
        return named if named is not None or not is_open else Draft((), (f"No figure is given: {fault}.",))
    if brief.answer_type in ("percentage", "amount") and not asked.defined:
        return None
    return Draft((), (f"{asked.name[:1].upper()}{asked.name[1:]} cannot be computed: {fault}.",))


def _how(asked: Asked, worked: Worked) -> tuple[str, ...]:
    said = [f"Computed by code from {len(worked.inputs)} cited figures"]
    said.append(f"; definition: {asked.source}" if asked.source else "")
    caveats = ["".join(said) + "."]
    if any(one.figure.is_nil for one in worked.inputs):
        caveats.append("One of the figures is a stroke in its table, which is read as nil.")
    if any(one.value == -one.figure.value != Decimal(0) for one in worked.inputs):
        caveats.append("A figure printed in brackets as a cost or cash that goes out counts as its amount.")
    return tuple(caveats)
