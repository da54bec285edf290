"""The parts of table answers: formulas, periods, figures, labels, and the data that the experts signed."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import pytest

from pipeline.generation.tables.asked import read_asked
from pipeline.generation.tables.cells import Table
from pipeline.generation.tables.evaluate import Lines, MissingLineError
from pipeline.generation.tables.figures import mark_of, read_figure
from pipeline.generation.tables.formulas import Average, Formula, FormulaError, Joined, Name, read_formula
from pipeline.generation.tables.metrics import definitions
from pipeline.generation.tables.periods import Period, find_periods, read_heading
from pipeline.generation.tables.words import fits_label, plain_label
from schemas.handed_tables import HandedCell, HandedColumn, HandedRow, HandedTable
from schemas.places import LineRef
from tests.generation.handed import ask

Statement = Literal["income", "position", "cash_flow"]


def table(
    rows: dict[str, list[str]], years: list[str], *, statement: Statement | None = "income", unit: str = ""
) -> Table:
    """A handed table with a line a row; the header is line 1, the unit words line 2."""
    cells = [
        (label, [HandedCell(column=1, text=label, line_start=at, line_end=at)]
         + [HandedCell(column=2 + n, text=text, line_start=at, line_end=at) for n, text in enumerate(texts)])
        for at, (label, texts) in enumerate(rows.items(), 3)
    ]  # fmt: skip
    lines = ["  ".join(years), unit, *("  ".join((label, *texts)) for label, texts in rows.items())]
    columns = [HandedColumn(number=2 + n, header=(year,), line_ids=(1,)) for n, year in enumerate(years)]
    return Table(
        HandedTable(
            table_id=1, candidate_ids=("p1",), statement=statement, unit=unit or None, is_whole=True,
            unit_line_id=2 if unit else None, text="\n".join(lines),
            columns=(HandedColumn(number=1, header=()), *columns),
            rows=tuple(HandedRow(row_num=n, label=one, cells=tuple(own)) for n, (one, own) in enumerate(cells, 2)),
            lines=tuple(LineRef(line_id=n, page_num=1, line_num=n) for n in range(1, len(lines) + 1)),
        )
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "number", "nil", "percent"),
    [
        ("$ 1,577", "1577", False, False), ("(1,577)", "-1577", False, False), ("$ (0.57)", "-0.57", False, False),
        ("26.1 %", "26.1", False, True), ("(0.4)%", "-0.4", False, True), ("—", "0", True, False),
        ("-%", "0", True, True), ("2,400 (1)", "2400", False, False), ("-12", "-12", False, False),
    ],
)  # fmt: skip
def test_figures_of_statements(text: str, number: str, nil: bool, percent: bool) -> None:
    """Brackets and a leading minus are negative, a stroke is nil, a note's mark is no part of the figure."""
    assert read_figure(text, "en") == (Decimal(number), nil, percent)


@pytest.mark.parametrize("text", ["Note 4", "2018-2020 plan", "n/a", "", "Q2"])
def test_words_are_no_figures(text: str) -> None:
    """A cell of words, or of words and digits, is no figure."""
    assert read_figure(text, "en") is None


def test_european_figures() -> None:
    """A table whose points part thousands is read so throughout."""
    made = table({"Ingresos": ["1.234", "1.500,5"]}, ["2022", "2021"])
    assert [figure.number for figure in made.figures(made.record.rows[0])] == [Decimal(1234), Decimal("1500.5")]


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("fy2018", [Period(2018)]), ("fy22", [Period(2022)]), ("fiscal year 2020", [Period(2020)]),
        ("q2 2023", [Period(2023, "quarter", 2)]), ("q2'2023", [Period(2023, "quarter", 2)]),
        ("second quarter of fiscal 2023", [Period(2023, "quarter", 2)]), ("h1 fy2023", [Period(2023, "half")]),
        ("fy2016 to fy2018", [Period(2016), Period(2018)]), ("2,018 units", []),
    ],
)  # fmt: skip
def test_periods_of_questions(text: str, periods: list[Period]) -> None:
    """Years, fiscal years, quarters and halves as questions write them."""
    assert [period for _, _, period in find_periods(text)] == periods


def test_columns_of_periods() -> None:
    """A year is not answered from a quarter, nor from a column of changes."""
    assert read_heading("Year Ended December 31, 2018").is_of(Period(2018))
    assert read_heading("December 31, 2018").is_of(Period(2018))
    assert not read_heading("Three Months Ended June 30, 2018").is_of(Period(2018))
    assert read_heading("Three Months Ended June 30, 2018").is_of(Period(2018, "quarter", 2))
    assert not read_heading("2018 vs. 2017").is_of(Period(2018))
    assert not read_heading("% Change 2018").is_of(Period(2018))


def test_formulas_of_questions() -> None:
    """Signs, words for signs and brackets; a hyphen inside a name is no minus."""
    ratio = Joined("/", Name("total current assets"), Name("total current liabilities"))
    assert read_formula("total current assets divided by total current liabilities") == ratio
    assert read_formula("current assets less current liabilities") == Joined(
        "-", Name("current assets"), Name("current liabilities")
    )
    assert read_formula("short-term investments + cash") == Joined("+", Name("short-term investments"), Name("cash"))
    assert isinstance(read_formula("average(inventory)"), Average)


@pytest.mark.parametrize("text", ["", "a +", "(a", "a ) b", "* a", "(" * 50 + "a" + ")" * 50])
def test_what_is_no_formula(text: str) -> None:
    """Half a formula, and one nested beyond reason, is none."""
    with pytest.raises(FormulaError):
        read_formula(text)


def test_every_signed_formula_can_be_read() -> None:
    """The names of every formula of the data are lines or metrics of it."""
    signed = definitions()
    known = {*signed.items, *signed.metrics}
    for metric in signed.metrics.values():
        assert metric.source
        for written in metric.formulas:
            assert set(_names(read_formula(written))) <= known, metric.key
    assert all(item.in_formula is None or item.in_formula in signed.items for item in signed.items.values())


def test_labels() -> None:
    """Brackets, notes and signs are no part of a label; '*' stands for any words."""
    assert plain_label("Net income (loss) attributable to Acme (Note 4)") == "net income attributable to acme"
    assert plain_label("Property, plant & equipment — net") == "property plant and equipment net"
    assert fits_label("inventories *", "inventories net of reserves")
    assert fits_label("inventories *", "inventories")
    assert not fits_label("inventories", "total inventories")
    assert mark_of("Expedite fee (1)") == "1"
    assert mark_of("(12)") is None


def test_a_line_is_taken_from_its_own_statement() -> None:
    """'Inventories' of the cash flow statement is a change, not the stock."""
    flows = table({"Inventories": ["(5)"]}, ["2022"], statement="cash_flow", unit="(in millions)")
    stock = table({"Inventories": ["$ 110"]}, ["2022"], statement="position", unit="(in millions)")
    worked = Lines((flows, stock)).work_out(Name("inventory"), Period(2022))
    assert worked.value == Decimal(110_000_000)


def test_several_currencies_are_never_joined() -> None:
    """Lines in dollars and in euros make no ratio."""
    made = (
        table({"Net sales": ["$ 10"]}, ["2022"]),
        table({"Total assets": ["€ 5"], "x": ["€ 1"]}, ["2022"], statement="position"),
    )
    with pytest.raises(MissingLineError, match="currencies"):
        Lines(made).work_out(read_formula("revenue / total_assets"), Period(2022))


def test_an_unlabelled_total_is_that_of_its_group() -> None:
    """A row without a label whose figures are the sums of the group above is its total."""
    made = table({"a": ["$ 4", "3"], "b": ["2", "1"], "": ["6", "4"]}, ["2022", "2021"])
    rows = tuple(
        row.model_copy(
            update={"groups": ("Revenues",) if row.label else (), "group_line_ids": (3,) if row.label else ()}
        )
        for row in made.record.rows
    )
    again = Table(made.record.model_copy(update={"rows": rows}))
    assert [again.label(row) for row in rows] == ["a", "b", "total revenues"]


@pytest.mark.parametrize(
    ("question", "name", "way"),
    [
        ("What is the FY2018 capital expenditure amount for Acme?", "capital expenditure", "value"),
        ("How much did Acme pay out in cash dividends for FY2020?", "dividends paid", "value"),
        ("What is Acme's FY2019 EBITDA less capital expenditures?", "EBITDA less capital expenditure", "value"),
        ("What is the FY2019 - FY2020 total revenue growth rate for Acme?", "revenue", "growth"),
        ("What was the change in inventory between FY2017 and FY2018?", "inventories", "difference"),
        ("¿Cuáles fueron los ingresos en el ejercicio 2022?", "revenue", "value"),
    ],
)
def test_what_questions_ask(question: str, name: str, way: str) -> None:
    """The line or metric of a question, and how it is worked out."""
    asked = read_asked(ask(question, "amount").generation_brief())
    assert asked is not None
    assert (asked.name, asked.way, asked.rest) == (name, way, ())


def test_words_that_make_it_another_line() -> None:
    """A part of the company, an adjusted figure: the line of the whole is not what is asked."""
    for question in ("What was the organic revenue in FY2022?", "What was the adjusted EBITDA in FY2022?"):
        asked = read_asked(ask(question, "amount").generation_brief())
        assert asked is None or asked.rest


def _names(formula: Formula) -> list[str]:
    match formula:
        case Name():
            return [formula.words]
        case Average():
            return _names(formula.of)
        case Joined():
            return [*_names(formula.left), *_names(formula.right)]
    return []
