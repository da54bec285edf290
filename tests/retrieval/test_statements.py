"""Figures of reports: primary statements, rows of tables, components of a ratio, and the reasons of a change."""

from __future__ import annotations

import pytest

from pipeline.retrieval import retrieve
from pipeline.retrieval.lines import read_lines
from pipeline.retrieval.reasons import asks_why, gives_reason
from pipeline.retrieval.statements import kinds_named, row_of, statement_kind, statements_of
from tests.builders import document, lines
from tests.retrieval.build import concept, question

BALANCE = [
    "Example Corp.",
    "Consolidated Balance Sheets",
    "(in millions)",
    "December 31,  2021  2020",
    "Cash and cash equivalents  $  120  $  110",
    "Accounts receivable, net  300  280",
    "Inventories  90  80",
    "Total current assets  510  470",
    "Property, plant and equipment, net  700  640",
    "Goodwill  200  200",
    "Total assets  1,410  1,310",
    "Accounts payable  150  140",
    "Total current liabilities  260  250",
]
CASH_FLOWS = [
    "Consolidated Statements of Cash Flows",
    "(in millions)",
    "Years ended December 31,  2021  2020",
    "Net income (loss)  100  (90)",
    "Depreciation and amortization  50  45",
    "Accounts receivable  (20)  (10)",
    "Inventories  (10)  5",
    "Accounts payable  10  12",
    "Net cash provided by operating activities  130  142",
    "Purchases of property, plant and equipment  (110)  (95)",
    "Dividends paid  (40)  (38)",
]
PROSE = [
    "We believe that property, plant and equipment of $5 million was damaged by the flood.",
    "Accounts payable of a segment rose by $3 million, mainly in Europe.",
]


def report():
    """Prose on page 1, the balance sheet on page 2, the cash flows on page 3."""
    texts = PROSE + BALANCE + CASH_FLOWS
    pages = [1] * len(PROSE) + [2] * len(BALANCE) + [3] * len(CASH_FLOWS)
    role = ["body"] * len(PROSE)
    for table, head in ((BALANCE, 2), (CASH_FLOWS, 1)):
        role += ["heading"] * head + ["table"] * (len(table) - head)
    return document(lines(texts, page=pages, role=role))


def asked(text, one, **changes):
    """A question for an amount of a concept."""
    return question(text, **{"concepts": [one], "answer_type": "amount", **changes})


PAYABLES = concept("payables", terms=("accounts payable",), section_titles=("Balance Sheet",))


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("CONSOLIDATED STATEMENTS OF OPERATIONS", "income"),
        ("Condensed Consolidated Statement of Earnings (Unaudited)", "income"),
        ("Consolidated Balance Shee t", "position"),
        ("NIKE, Inc. Consolidated Balance Sheets", "position"),
        ("CASH FLOWS STATEMENTS", "cash_flow"),
        ("Consolidated Statements of Comprehensive Income", "other"),
        ("Cuenta de pérdidas y ganancias consolidada", "income"),
        ("Bilan consolidé", "position"),
        ("Notes to the Consolidated Balance Sheets", None),
        ("as shown in the consolidated balance sheets.", None),
        ("PARENT COMPANY ONLY - CONDENSED BALANCE SHEETS", None),
    ],
)
def test_the_title_of_a_primary_statement_is_told(title, kind):
    """A title that names a statement and nothing else gives its kind; notes, sentences and the parent's own do not."""
    assert statement_kind(title) == kind


def test_a_statement_needs_rows_of_two_periods():
    """A title with rows beneath is a statement; the same title over prose is not."""
    read = read_lines(report())
    assert {one.kind for one in statements_of(read).values()} == {"position", "cash_flow"}
    assert {one.years for one in statements_of(read).values()} == {frozenset({2021, 2020})}
    alone = read_lines(document(lines(["Consolidated Balance Sheets", *PROSE], role=["heading", "body", "body"])))
    assert statements_of(alone) == {}


@pytest.mark.parametrize(
    ("text", "label", "figures"),
    [
        ("Net income (loss)  $  100  $  (90)", "Net income (loss)", 2),
        ("Goodwill 200 200", "Goodwill", 2),
        ("Effective tax rate  21.6 %  24.6 %", "Effective tax rate", 2),
        ("Accounts receivable, net of $95 and $103  5,020  4,911", "Accounts receivable, net of $95 and", 3),
    ],
)
def test_a_row_is_taken_apart(text, label, figures):
    """The label of a row and the number of its figures."""
    row = row_of(read_lines(document(lines([text]))), 0)
    assert (row.label, row.figures) == (label, figures)


@pytest.mark.parametrize(
    "text", ["Years ended December 31,  2021  2020", "Commitments (Note 16)", "See Form10", "2,021"]
)
def test_heads_and_references_are_no_rows(text):
    """Dates over columns, a note's number, a code and bare figures are no row."""
    assert row_of(read_lines(document(lines([text]))), 0) is None


def test_a_figure_is_read_off_the_statement_that_carries_its_line():
    """The line of the balance sheet comes before its change in the cash flows and before an amount in prose."""
    found = retrieve(report(), asked("What are accounts payable in FY2021?", PAYABLES))
    first = found.provenances[0]
    assert (first.rule, first.anchor.page_start) == ("statement_line", 2)
    assert "Consolidated Balance Sheets" in first.reason
    assert "2021" in first.reason


def test_the_statement_that_the_question_names_goes_first():
    """'in the cash flow statement' reads the line there, wherever it usually stands."""
    found = retrieve(
        report(), asked("Using the cash flow statement, what is the change in accounts payable?", PAYABLES)
    )
    assert found.provenances[0].anchor.page_start == 3
    assert kinds_named("Using the cash flow statement") == {"cash_flow"}


def test_a_row_is_handed_over_with_its_head():
    """The context of a row is the title, the heads of its columns and the row, not the rows between."""
    text = retrieve(report(), asked("What are accounts payable in FY2021?", PAYABLES)).candidates[0].text
    assert text.splitlines() == [BALANCE[1], BALANCE[2], BALANCE[3], "Accounts payable  150  140"]


def test_a_column_of_another_period_is_no_answer():
    """A row without a column of the asked year is not the line that is asked."""
    found = retrieve(report(), asked("What were accounts payable in FY2015?", PAYABLES))
    assert "statement_line" not in {one.rule for one in found.provenances}


def test_a_ratio_is_worked_out_from_its_components():
    """Where no row states the ratio, lines of the primary statement that it is made of are primary."""
    ratio = concept("quick_ratio", terms=("quick ratio",), section_titles=("Balance Sheet",))
    made_of = [("total current liabilities", "quick_ratio"), ("cash and cash equivalents", "quick_ratio")]
    found = retrieve(report(), asked("What is the quick ratio in FY2021?", ratio, secondary=made_of))
    primary = [one for one in found.provenances if one.role == "primary"]
    assert {(one.rule, one.anchor.page_start) for one in primary} == {("statement_component", 2)}
    assert len(primary) == 2
    assert not found.not_found


def test_a_question_for_prose_reads_no_rows():
    """A question that asks for no figure has no statement lines."""
    found = retrieve(report(), question("What is said of accounts payable?", concepts=[PAYABLES]))
    assert not {one.rule for one in found.provenances} & {"statement_line", "statement_component", "table_row"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Why did margins fall?", True),
        ("What drove the change in gross margin?", True),
        ("What were the main reasons for the decline?", True),
        ("Has the ratio improved? If it is not useful, state that and explain why.", False),
        ("¿Por qué bajó el margen?", True),
        ("Pourquoi la marge a-t-elle baissé ?", True),
        ("What is the gross margin?", False),
    ],
)
def test_a_question_for_reasons_is_told(text, why):
    """'Why did ...' and 'what drove ...' ask for reasons; an aside that ends in 'explain why' does not."""
    assert asks_why(text) is why


def test_reasons_come_before_figures_where_they_are_asked():
    """A passage that says what a change comes from is primary, a row of figures stays beside it."""
    texts = ["Gross margin  40%  42%", "Gross margin fell by two points, primarily due to higher freight costs."]
    margin = concept("gross_margin", terms=("gross margin",))
    found = retrieve(document(lines(texts)), question("What drove the fall in gross margin?", concepts=[margin]))
    assert [one.rule for one in found.provenances] == ["gives_reason", "figures_without_reason"]
    assert gives_reason(texts[1])
