"""SQL over the grid: typed columns, nothing reached but the views, faults in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.batch.collection import VIEWS, run_query
from pipeline.batch.collection.views import views_in_words
from pipeline.batch.running import Listening, run_batch
from schemas.errors import InputError
from tests.batch.small import Here, put_collection, wanted
from tests.commands import call


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a batch over three agreements."""
    folder = tmp_path_factory.mktemp("query")
    run_batch(wanted(put_collection(folder / "docs"), folder / "store"), Here(), Listening())
    return folder / "store"


def test_counting_and_comparing(store: Path) -> None:
    """Which have none, the highest, the sum: by typed columns."""
    absent = run_query(
        store, "SELECT document FROM cells WHERE question_id = 'insurance' AND status = 'not_found' ORDER BY 1"
    )
    assert [row[0] for row in absent.rows] == ["agreement_0.txt", "agreement_1.txt", "agreement_2.txt"]
    highest = run_query(
        store, "SELECT document, number, unit FROM cells WHERE question_id = 'fee' ORDER BY number DESC LIMIT 1"
    )
    assert highest.rows == (("agreement_2.txt", 99999.0, "EUR"),)
    total = run_query(store, "SELECT unit, sum(number) FROM cells WHERE kind = 'amount' GROUP BY unit")
    assert total.rows == (("EUR", 120499.0),)
    laws = run_query(store, "SELECT count(*) FROM values WHERE question_id = 'law' AND text LIKE 'New York%'")
    assert laws.rows == ((1,),)
    assert run_query(store, "SELECT count(*) FROM ledger WHERE kind = 'run'").rows == ((9,),)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_its_columns(store: Path, view: str) -> None:
    """What is documented is there, in its order."""
    assert run_query(store, f"FROM {view}").columns == tuple(VIEWS[view])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY cells TO 'x.csv'",
        "ATTACH 'x.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SELECT * FROM '/etc/passwd'",
        "SELECT getenv('HOME')",
        "SELECT nothing FROM cells",
        "SELECT",
    ],
)
def test_nothing_but_the_views_can_be_reached(store: Path, sql: str, tmp_path: Path) -> None:
    """Files, settings and extensions are closed; a wrong query is told with the views that there are."""
    with pytest.raises(InputError, match=r"there are: batches\("):
        run_query(store, sql)


def test_the_views_are_documented(project: Path) -> None:
    """docs/store_views.md is what the code says."""
    assert (project / "docs" / "store_views.md").read_text(encoding="utf-8") == views_in_words()


def test_the_command(store: Path, tmp_path: Path) -> None:
    """A table for a person, JSON for a program, CSV for a spreadsheet; wrong SQL in one sentence."""
    sql = "SELECT document, number FROM cells WHERE question_id = 'fee' ORDER BY 1"
    shown = call("query", sql, "--store", store)
    assert shown.exit_code == 0
    assert "12500" in shown.stdout
    assert "3 rows" in shown.stdout
    assert '"agreement_0.txt"' in call("query", sql, "--store", store, "--json").stdout
    assert call("query", sql, "--store", store, "-o", tmp_path / "r.csv").exit_code == 0
    assert (tmp_path / "r.csv").read_text(encoding="utf-8-sig").startswith("document,number")
    wrong = call("query", "SELEKT", "--store", store)
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("lineproof: the query cannot be run")
    assert call("query", "--store", store).exit_code == 2
    assert "cells: batch, document" in call("query", "--views").stdout
