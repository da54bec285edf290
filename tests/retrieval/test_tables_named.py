"""Tables that are handed over since the question names one of their rows, also where no passage was kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.run import Run, ask
from schemas.answer import Amount, Count, Identifier, Percentage, TextValue

SAMPLE = Path(__file__).parents[2] / "examples" / "supply_agreement.pdf"


@pytest.fixture(scope="module")
def put(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Asks the sample agreement."""
    store = tmp_path_factory.mktemp("named")
    return lambda text: ask(SAMPLE, text, store=store)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What is the Storage Fee?", 35), ("How much does an engineering change cost?", 950),
        ("¿Cuál es el importe del Tooling Fee?", 480_000), ("Combien coûte le Expedite Fee ?", 2_400),
        ("What is the unit price of the drive motor, 250 W?", 21.75), ("Quel est le prix du CP-35 ?", 12.6),
        ("¿Cuál es el precio unitario de CB-8?", 26.9),
    ],
)  # fmt: skip
def test_every_fee_by_its_row(put: Callable[[str], Run], question: str, number: float) -> None:
    """In the currency that stands only in the header, in three languages."""
    value = put(question).answer.items[0].value
    assert isinstance(value, Amount)
    assert (float(value.value), value.currency) == (number, "EUR")


def test_a_column_that_counts_is_no_money(put: Callable[[str], Run]) -> None:
    """Units beside a column in euros, also where the question was taken for one of an amount."""
    for question in ("What is the minimum quantity of CP-20?", "¿Cuál es la cantidad mínima de CP-20?"):
        answer = put(question).answer
        value = answer.items[0].value
        assert isinstance(value, Count)
        assert value.number == 80_000
        assert "The column states a number, no amount." in answer.caveats


def test_the_rows_of_a_column_are_counted(put: Callable[[str], Run]) -> None:
    """By code, each of them an input."""
    item = put("How many products are there?").answer.items[0]
    assert isinstance(item.value, Count)
    assert (item.value.number, len(item.inputs), item.extraction_method) == (7, 7, "computed")


def test_a_row_that_no_passage_was_kept_for(put: Callable[[str], Run]) -> None:
    """The table stands for itself, with a caveat."""
    run = put("What is the email address of the Supplier?")
    value = run.answer.items[0].value
    assert isinstance(value, Identifier)
    assert value.text == "legal@alpha.example"
    assert any("by its row and column" in caveat for caveat in run.answer.caveats)


def test_words_and_shares_of_a_cell(put: Callable[[str], Run]) -> None:
    """The column that the question names most of, whatever stands in it."""
    due = put("When is the Tooling Fee due?").answer.items[0].value
    assert isinstance(due, TextValue)
    assert due.text == "on release of first samples"
    credit = put("What is the credit if on-time delivery is missed?").answer.items[0].value
    assert isinstance(credit, Percentage)
    assert credit.value == 3


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the customs clearance fee?", "No amount stands with what was asked"),
        ("What is the unit price of the drive motor?", "none is chosen"),
    ],
)
def test_no_value_of_another_row(put: Callable[[str], Run], question: str, told: str) -> None:
    """A fee that the table of fees does not list, and a name that two rows have."""
    answer = put(question).answer
    assert answer.status == "not_found"
    assert any(told in caveat for caveat in answer.caveats)
