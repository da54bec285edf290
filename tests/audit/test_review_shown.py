"""What people said of an answer stands wherever the answer is shown: terminal, JSON, page, bundle."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from pipeline.audit.bundle import BundleOptions, make_bundle
from pipeline.audit.page import folder_page
from pipeline.audit.reviewing.told import told_reviews
from pipeline.run import ask
from tests.audit.bundle_store import kinds
from tests.commands import assert_clear, call

LEASE = """LEASE

1. Deposit
The security deposit is EUR 900.

2. Term
The term of this lease is twelve (12) months.
"""
QUESTION = "What is the term of this lease?"
PREGUNTA = "¿Cuál es la duración del contrato (term of this lease)?"
NASTY = "<b>wrong</b> \x1b[31m\u202ered"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run that three people judged, one in hostile words, and one in Spanish that nobody judged."""
    folder = tmp_path_factory.mktemp("shown")
    (folder / "lease.txt").write_text(LEASE, encoding="utf-8")
    root = folder / "store"
    for question in (QUESTION, PREGUNTA):
        ask(folder / "lease.txt", question, store=root)
    run = run_in(root)
    assert call("review", "accept", run, "--by", "Ana", "--reason", "read it", "--store", root).exit_code == 0
    for name in ("Ben", "Cy"):
        given = ("--by", name, "--reason", NASTY, "--value", "24 months", "--page", 1, "--lines", "3")
        assert call("review", "correct", run, *given, "--store", root).exit_code == 0
    return root


def run_in(store: Path, word: str = "what-is-the-term") -> Path:
    """A run by the beginning of its name."""
    return next(one for one in sorted(store.glob("*/questions/*")) if one.name.startswith(word))


def test_show_tells_it_beside_the_answer(store: Path) -> None:
    """Who, what, why and that it is disputed; hostile words move no cursor; a run without verdicts tells nothing."""
    told = call("show", run_in(store), "--store", store).stdout
    assert "answer  disputed: 3 reviewers say different things" in told
    assert "Ben: correct (24 months), <b>wrong</b> [31mred" in told
    assert told.index("What people said of it") < told.index("How this answer came about")
    other = next(one for one in store.glob("*/questions/*") if one != run_in(store))
    assert "What people said" not in call("show", other, "--store", store).stdout


def test_show_json_holds_the_record(store: Path) -> None:
    """`reviews` is the record that `review status --json` prints, too."""
    shown = json.loads(call("show", run_in(store), "--store", store, "--json").stdout)["reviews"]
    assert shown == json.loads(call("review", "status", run_in(store), "--store", store, "--json").stdout)
    assert [(one["person"], one["verdict"], one["value"]) for one in shown["standings"][0]["said"]] == [
        ("Ana", "accept", None), ("Ben", "correct", "24 months"), ("Cy", "correct", "24 months")
    ]  # fmt: skip


def test_the_page_tells_it_escaped_and_the_same_each_time(store: Path) -> None:
    """In the question's language, between the answer and how it came about."""
    page = folder_page(run_in(store)).decode()
    assert page == folder_page(run_in(store)).decode()
    assert "Disputed: reviewers say different things (3)" in page
    assert "&lt;b&gt;wrong&lt;/b&gt;" in page
    assert "<b>wrong" not in page
    assert page.index('id="reviews"') < page.index('id="path"')
    other = next(one for one in store.glob("*/questions/*") if one != run_in(store))
    assert 'id="reviews"' not in folder_page(other).decode()


def test_the_page_of_a_spanish_question_tells_it_in_spanish(store: Path, tmp_path: Path) -> None:
    """All words of our own; what people wrote stays theirs."""
    copy = Path(shutil.copytree(store, tmp_path / "store"))
    run = next(one for one in copy.glob("*/questions/*") if one.name != run_in(copy).name)
    given = ("--by", "Ana", "--reason", "consta", "--value", "doce meses")
    assert call("review", "correct", run, *given, "--store", copy).exit_code == 0
    page = folder_page(run).decode()
    assert "Abierta: corregida, por 1 de 2 revisores" in page
    assert "lo correcto sería: <b>doce meses</b>" in page


def test_a_bundle_tells_it_on_its_first_page_and_has_a_page_a_review(store: Path, tmp_path: Path) -> None:
    """No empty box; the verifier agrees; the same store gives the same pages."""
    made = [make_bundle(store, [run_in(store)], tmp_path / f"{at}.zip") for at in (1, 2)]
    assert made[0].sha256 == made[1].sha256
    assert kinds(tmp_path / "1.zip") == set()
    with zipfile.ZipFile(tmp_path / "1.zip") as bundle:
        pages = {name: bundle.read(name).decode() for name in bundle.namelist() if name.endswith(".html")}
    index = pages["index.html"]
    assert "Disputed: reviewers say different things (3)" in index
    assert 'class="value"></p>' not in index
    assert "correct: 24 months" in index
    reviews = [pages[f"pages/{at}.html"] for at in (2, 3, 4)]
    assert all("What holds it fast" in page for page in reviews)
    assert sum("does not stand in the quoted lines" in page for page in reviews) == 2
    assert not any("<b>wrong" in page for page in pages.values())


def test_a_redacted_bundle_tells_the_state_and_nobody_and_no_value(store: Path, tmp_path: Path) -> None:
    """States and verdicts are shown; names, values and reasons are not."""
    make_bundle(store, [run_in(store)], tmp_path / "r.zip", options=BundleOptions(redact=True))
    with zipfile.ZipFile(tmp_path / "r.zip") as bundle:
        index = bundle.read("index.html").decode()
    assert "Disputed: reviewers say different things (3)" in index
    assert not any(word in index for word in ("Ana", "Ben", "24 months", "wrong"))


def test_a_verdict_that_was_altered_is_named_where_the_answer_is_shown(store: Path, tmp_path: Path) -> None:
    """It counts for nothing, with the reason and without a place of this machine."""
    copy = Path(shutil.copytree(store, tmp_path / "store"))
    for file in copy.glob("reviews/*/review.json"):
        if b'"Ana"' in file.read_bytes():
            file.write_bytes(file.read_bytes().replace(b'"accept"', b'"reject"'))
            file.with_name("seal.json").unlink()
    told = told_reviews(copy, run_in(copy))
    (standing,) = told.standings
    assert (standing.missing, len(standing.not_counted)) == (1, 1)
    assert str(copy) not in told.model_dump_json()
    assert (
        "Verdicts that the ledger names and the store does not hold as recorded: 1."
        in folder_page(run_in(copy)).decode()
    )


@pytest.mark.parametrize("command", ["check", "list", "cases", "agreement", "sample", "export --out q.xlsx"])
def test_a_mistyped_store_is_refused(command: str, tmp_path: Path) -> None:
    """It is no store without reviews."""
    assert_clear(call("review", *command.split(), "--store", tmp_path / "none"), 2, "there is no such store")


def test_what_is_not_in_the_quoted_lines_is_told_at_once(store: Path, tmp_path: Path) -> None:
    """Under the quote, before anything else."""
    copy = Path(shutil.copytree(store, tmp_path / "store"))
    given = ("--by", "Di", "--reason", "r", "--value", "24 months", "--page", 1, "--lines", "3", "--store", copy)
    told = call("review", "correct", run_in(copy), *given).stdout
    assert "but        The duration '24 months' does not stand in the quoted lines." in told
    assert told.index("but  ") < told.index("ledger  ")
