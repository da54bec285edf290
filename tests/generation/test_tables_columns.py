"""Columns as lists, cells of one row's name in several periods, parts of who reports, and lists that are none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dictionaries import load_dictionaries
from pipeline.generation import generate
from pipeline.generation.stated import stated_count
from pipeline.parsing import parse_document
from pipeline.question import parse_question
from pipeline.retrieval import retrieve
from schemas.answer import Amount, Answer, TextValue

REPORT = """# Annual report of Acme Inc.

## Operating segments

(in millions of USD)

| Segment | Revenue 2022 | Revenue 2021 | Operating profit 2022 |
|---|---|---|---|
| Anvils | 700 | 600 | 90 |
| Hammers | 300 | 200 | 20 |
| Total | 1,000 | 800 | 110 |

Sales of the brand Rocket grew.

## Support plans

| Plan | Monthly fee (EUR) | Seats (units) |
|---|---|---|
| Basic | 40 | 5 |
| Team | 90 | 20 |
| Firm | 200 | 100 |
"""


@pytest.fixture(scope="module")
def put(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Answer]:
    """Asks the report."""
    path: Path = tmp_path_factory.mktemp("columns") / "report.md"
    path.write_text(REPORT, encoding="utf-8")
    document, words = parse_document(path), load_dictionaries()

    def answered(text: str) -> Answer:
        question = parse_question(text, document.profile, words)
        return generate(question, retrieve(document, question))

    return answered


def test_a_column_of_each_row(put: Callable[[str], Answer]) -> None:
    """Each with the name of its row, the total left out, and the year that was asked for."""
    answer = put("What was the revenue of each segment in 2021?")
    told = [(item.label, item.value.value) for item in answer.items if isinstance(item.value, Amount)]
    assert told == [("Anvils", 600_000_000), ("Hammers", 200_000_000)]
    assert "Anvils: USD 600" in answer.text


def test_the_names_of_a_column(put: Callable[[str], Answer]) -> None:
    """The cells under the title that the question names."""
    listed = put("List the plans.")
    assert [item.value.text for item in listed.items if isinstance(item.value, TextValue)] == ["Basic", "Team", "Firm"]


def test_a_column_in_euros_is_none_for_its_neighbour(put: Callable[[str], Answer]) -> None:
    """Seats are counted, the fee beside them is money."""
    fee, seats = put("What is the monthly fee of Team?"), put("How many seats does Team have?")
    assert isinstance(fee.items[0].value, Amount)
    assert (fee.items[0].value.value, fee.items[0].value.currency) == (90, "EUR")
    assert not any(isinstance(item.value, Amount) for item in seats.items)


def test_no_figure_of_the_whole_for_a_part(put: Callable[[str], Answer]) -> None:
    """A brand that the report names and no table lists has no revenue of its own there."""
    answer = put("What was the revenue of Rocket in 2022?")
    assert not answer.items


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("cualquiera de los siguientes seis supuestos:", 6), ("los dos (2) supuestos siguientes:", 2),
        ("las cinco condiciones siguientes:", 5), ("l'un des six événements suivants :", 6),
        ("les trois conditions suivantes :", 3), ("dentro de los treinta días siguientes", None),
        ("dans les dix jours suivants :", None),
    ],
)  # fmt: skip
def test_a_stated_count_in_spanish_and_french(words: str, count: int | None) -> None:
    """Elements are counted, days are not."""
    assert stated_count(words) == count
