"""Answers that stand only in a table: small documents, parsed, searched and answered without a model."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from dictionaries import load_dictionaries
from pipeline.generation import generate
from pipeline.parsing import parse_document
from pipeline.question import parse_question
from pipeline.retrieval import retrieve
from schemas.answer import Amount, Answer, Duration, Percentage, TableValue, TextValue
from schemas.retrieval import AuditedRetrievalResult

Asked = tuple[Answer, AuditedRetrievalResult]

FEES = """# Schedule 1 Fees

The following fees apply to the Services. Amounts are stated per shipment.

| Service | Amount (EUR) | Notice |
|---|---|---|
| Standard Handling Fee | 1,200 | 30 days |
| Expedite Fee (1) | 2,400 | 10 days |
| Storage Fee | 300 | 60 days |

(1) Waived for orders above EUR 10,000.

## Plans

| Plan | Premium (USD) | Deductible (USD) |
|---|---|---|
| Plan A | 1,000 | 250 |
| Plan B | 1,500 | 100 |
"""

REPORT = """# Annual report of Acme Corp

Acme Corp makes anvils.

## CONSOLIDATED STATEMENTS OF INCOME

(in thousands, except per share data)

| | 2022 | 2021 | 2020 |
|---|---|---|---|
| Net sales | $ 1,200 | $ 1,000 | $ 800 |
| Cost of sales | 700 | 600 | 500 |
| Gross profit | 500 | 400 | 300 |
| Selling, general and administrative expenses | 200 | 180 | 160 |
| Restructuring costs | — | 20 | 10 |
| Operating income | 300 | 200 | 130 |
| Interest expense | (20) | (20) | (20) |
| Income before income taxes | 280 | 180 | 110 |
| Income tax expense | 70 | 45 | 30 |
| Net income | $ 210 | $ 135 | $ 80 |

## CONSOLIDATED BALANCE SHEETS

(in thousands)

| | December 31, 2022 | December 31, 2021 |
|---|---|---|
| Cash and cash equivalents | $ 90 | $ 80 |
| Accounts receivable, net | 150 | 130 |
| Inventories | 110 | 90 |
| Total current assets | 400 | 350 |
| Property, plant and equipment, net | 500 | 450 |
| Total assets | 900 | 800 |
| Accounts payable | 120 | 100 |
| Total current liabilities | 250 | 200 |
"""


PLAIN = """Harbour Authority, yearly figures

The Authority runs the port and reports its figures every year in thousands of dollars.

(in thousands)
2022  2021
Berthing dues  $ 410  $ 390
Crane hire  220  205
Pilotage  95  90
Storage  60  58

The figures above were audited.
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Asked]:
    """Asks a question of a document that a text makes."""
    folder: Path = tmp_path_factory.mktemp("tables")
    words = load_dictionaries()
    documents = {}
    for name, text in (("fees.md", FEES), ("report.md", REPORT), ("plain.txt", PLAIN)):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        documents[path.stem] = parse_document(path)

    def answered(name: str, text: str) -> Asked:
        document = documents[name]
        question = parse_question(text, document.profile, words)
        found = retrieve(document, question)
        return generate(question, found), found

    return answered


def test_an_answer_that_stands_only_in_a_table(ask: Callable[[str, str], Asked]) -> None:
    """The figure of the row that the question names, in the currency of its column's header, both cited."""
    answer, _ = ask("fees", "What is the storage fee?")
    value = answer.items[0].value
    assert isinstance(value, Amount)
    assert (value.value, value.currency) == (Decimal(300), "EUR")
    quotes = [span.quote for span in answer.items[0].spans]
    assert quotes == ["Storage Fee  300  60 days", "Service  Amount (EUR)  Notice"]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the deductible of Plan B?", Decimal(100)),
        ("What is the premium for Plan A?", Decimal(1000)),
        ("What is the premium of Plan B?", Decimal(1500)),
    ],
)
def test_row_and_column_together(ask: Callable[[str, str], Asked], question: str, value: Decimal) -> None:
    """Row label and column header choose the cell; the neighbours are not given."""
    answer, _ = ask("fees", question)
    given = answer.items[0].value
    assert isinstance(given, Amount)
    assert (given.value, given.currency) == (value, "USD")


def test_a_note_to_the_table_is_told_and_cited(ask: Callable[[str, str], Asked]) -> None:
    """A figure whose label bears a mark is given with the note that the mark points at."""
    answer, found = ask("fees", "What is the expedite fee?")
    assert any("Waived for orders above EUR 10,000" in caveat for caveat in answer.caveats)
    assert any("Waived" in span.quote for span in answer.items[0].spans)
    assert any(table.notes for table in found.tables)
    other, _ = ask("fees", "What is the storage fee?")
    assert not any("Waived" in caveat for caveat in other.caveats)


def test_a_cell_of_another_kind(ask: Callable[[str, str], Asked]) -> None:
    """A duration in a cell answers a question for a duration, under its own column."""
    answer, _ = ask("fees", "What is the notice period for the storage fee?")
    value = answer.items[0].value
    assert isinstance(value, Duration)
    assert (value.number, value.unit) == (Decimal(60), "day")


def test_words_of_a_cell(ask: Callable[[str, str], Asked]) -> None:
    """A question for no kind of value gets the cell's words where row and column are named."""
    answer, _ = ask("fees", "What notice applies to the Storage Fee?")
    assert answer.items[0].value == TextValue(text="60 days")


def test_a_row_that_does_not_exist_gives_nothing(ask: Callable[[str, str], Asked]) -> None:
    """A fee that no row names is not answered with the figure of a neighbouring row."""
    answer, _ = ask("fees", "What is the customs clearance fee?")
    assert not {getattr(item.value, "value", None) for item in answer.items} & {
        Decimal(1200),
        Decimal(2400),
        Decimal(300),
    }


def test_the_table_itself(ask: Callable[[str, str], Asked]) -> None:
    """A question for a table gets its cells verbatim, headers apart from rows."""
    answer, _ = ask("fees", "Show the table of plans with premium and deductible.")
    value = answer.items[0].value
    assert isinstance(value, TableValue)
    assert value.headers == ("Plan", "Premium (USD)", "Deductible (USD)")
    assert value.rows == (("Plan A", "1,000", "250"), ("Plan B", "1,500", "100"))


def test_a_line_of_a_statement_in_its_unit(ask: Callable[[str, str], Asked]) -> None:
    """The scale above the table is multiplied in and cited; the year chooses the column."""
    answer, _ = ask("report", "What was the FY2021 operating income (in USD thousands)?")
    value = answer.items[0].value
    assert isinstance(value, Amount)
    assert (value.value, value.currency) == (Decimal(200_000), "USD")
    assert value.unit == "(in thousands, except per share data)"
    quotes = [span.quote for span in answer.items[0].spans]
    assert any(quote.startswith("Operating income") for quote in quotes)
    assert any("2021" in quote for quote in quotes)
    assert any("in thousands" in quote for quote in quotes)


def test_a_cost_in_brackets_is_an_amount(ask: Callable[[str, str], Asked]) -> None:
    """A cost that is printed as a deduction is given without its sign, and that is said."""
    answer, _ = ask("report", "What is the FY2022 interest expense?")
    value = answer.items[0].value
    assert isinstance(value, Amount)
    assert value.value == Decimal(20_000)
    assert any("brackets" in caveat for caveat in answer.caveats)


def test_a_metric_is_computed_from_cited_lines(ask: Callable[[str, str], Asked]) -> None:
    """A well-known ratio is worked out, with its inputs in their lines and its formula over their names."""
    answer, _ = ask("report", "What is the gross margin for FY2022?")
    item = answer.items[0]
    assert isinstance(item.value, Percentage)
    assert item.value.value == Decimal("41.666667")
    assert item.extraction_method == "computed"
    assert item.formula == "100 * gross profit FY2022 / revenue FY2022"
    assert [one.name for one in item.inputs] == ["gross profit FY2022", "revenue FY2022"]
    cited = {line for span in item.spans for line in range(span.line_start, span.line_end + 1)}
    assert all(one.line_start in cited for one in item.inputs)


def test_the_question_s_own_definition(ask: Callable[[str, str], Asked]) -> None:
    """A formula that the question defines is worked out as it stands, over two tables and two years."""
    text = (
        "What is the FY2022 days payable outstanding (DPO) for Acme? DPO is defined as: 365 * (average accounts "
        "payable between FY2021 and FY2022) / (FY2022 COGS + change in inventory between FY2021 and FY2022). "
        "Round your answer to two decimal places."
    )
    answer, _ = ask("report", text)
    value = answer.items[0].value
    assert isinstance(value, Duration)
    assert value.number == Decimal("55.763889")  # 365 * 110 / 720
    assert "55.76" in answer.text


@pytest.mark.parametrize(
    ("question", "percent"),
    [
        ("What is the FY2021 - FY2022 revenue growth rate?", "20"),
        ("What was the three year average of cost of sales as a % of revenue from FY2020 to FY2022?", "60.277778"),
        ("What was the operating margin in FY2022?", "25"),
    ],
)
def test_growth_average_and_share(ask: Callable[[str, str], Asked], question: str, percent: str) -> None:
    """Growth between two years, the mean of yearly shares, a rate."""
    answer, _ = ask("report", question)
    value = answer.items[0].value
    assert isinstance(value, Percentage)
    assert value.value == Decimal(percent)


def test_a_missing_line_is_said(ask: Callable[[str, str], Asked]) -> None:
    """A ratio whose line no table holds for the year gets no figure."""
    question = "What is the FY2019 working capital ratio? Define working capital ratio as total current assets / "
    answer, _ = ask("report", f"{question}total current liabilities.")
    assert not answer.items
    assert any("cannot be computed" in caveat for caveat in answer.caveats)


def test_a_stroke_is_nil_and_said(ask: Callable[[str, str], Asked]) -> None:
    """A stroke in a row of another name than the statement's lines is no figure of money to be given."""
    answer, _ = ask("report", "What were the restructuring costs in FY2022?")
    assert not [item for item in answer.items if isinstance(item.value, Amount) and item.value.value != 0]


def test_a_segment_is_not_the_company(ask: Callable[[str, str], Asked]) -> None:
    """A question for the revenue of a part is not answered with that of the whole."""
    answer, _ = ask("report", "What was the revenue of the anvil segment in FY2022?")
    assert not [item for item in answer.items if isinstance(item.value, Amount)]


def test_a_table_that_only_the_lines_show(ask: Callable[[str, str], Asked]) -> None:
    """Figures under their years in plain text are read by row and year, where the parser marked no table."""
    answer, found = ask("plain", "How much was crane hire in 2021?")
    assert [table.table_id for table in found.tables] == [0]
    value = answer.items[0].value
    assert isinstance(value, Amount)
    assert (value.value, value.currency) == (Decimal(205_000), "USD")
