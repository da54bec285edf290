"""Questions of a collection in words: read by rules in three languages, counted by SQL, never guessed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.batch.collection import ask_collection, run_query
from pipeline.batch.collection.vocabulary import same_word
from pipeline.batch.collection.wishes import read_wish
from pipeline.batch.records import save_request, save_state
from schemas.batch import (
    BatchCell,
    BatchDocument,
    BatchQuestion,
    BatchRequest,
    CellAbsence,
    CellConflict,
    CellValue,
    DocumentState,
)
from schemas.errors import InputError
from schemas.request import QuestionTerms
from tests.commands import call

BATCH = "grid_1"
QUESTIONS = {
    "cap": ("What is the cap on liability?", "amount"),
    "has insurance": ("Is there a requirement for insurance?", "boolean"),
    "expiry": ("When does the agreement expire?", "date"),
    "law": ("Which law governs the agreement?", "jurisdiction"),
    "fee": ("What is the annual fee?", "amount"),
    "notice": ("What is the notice period for termination?", "duration"),
}
Told = CellValue | str  # a value, or the status or the verdict of a cell without one


def _money(number: float, unit: str) -> CellValue:
    return CellValue(text=f"{unit} {number:,.0f}", kind="amount", number=number, unit=unit, quote="the sum of", page=2)


def _day(iso: str) -> CellValue:
    return CellValue(text=iso, kind="date", date=iso, quote=f"until {iso}", page=3)


def _time(number: float, unit: str) -> CellValue:
    return CellValue(text=f"{number:g} {unit}", kind="duration", number=number, unit=unit, page=4)


def _law(name: str) -> CellValue:
    return CellValue(text=name, kind="jurisdiction", quote=f"the laws of {name}", page=5)


def _truth(*, value: bool) -> CellValue:
    return CellValue(text="yes" if value else "no", kind="boolean", boolean=value, page=6)


GRID: dict[str, dict[str, Told]] = {
    "a.pdf": {
        "cap": _money(100_000, "EUR"), "has insurance": _truth(value=True), "expiry": _day("2025-12-31"),
        "law": _law("State of New York"), "fee": _money(1_000.1, "EUR"), "notice": _time(3, "month"),
    },
    "b.pdf": {
        "cap": "proven_absent", "has insurance": _truth(value=False), "expiry": _day("2026-01-01"),
        "law": _law("France"), "fee": _money(2_000.2, "EUR"), "notice": _time(90, "day"),
    },
    "c.pdf": {
        "cap": "not_found", "has insurance": "proven_absent", "expiry": _time(2, "year"),
        "law": _law("New Jersey"), "fee": _money(5_000, "USD"), "notice": _time(30, "day"),
    },
    "d.pdf": {
        "cap": "inconclusive", "has insurance": "not_asked", "expiry": _day("2024-06-30"),
        "law": "not_found", "fee": "refused", "notice": _time(20, "business_day"),
    },
    "e.pdf": dict.fromkeys(QUESTIONS, "failed"),
    "f.pdf": dict.fromkeys(QUESTIONS, "out_of_scope"),
    "g.pdf": {
        "cap": _money(250_000, "USD"), "has insurance": CellValue(text="as agreed", kind="text"),
        "expiry": "not_found", "law": _law("new york"), "fee": "not_found", "notice": "not_found",
    },
}  # fmt: skip


def _cell(document: str, question: str, told: Told) -> BatchCell:
    if isinstance(told, CellValue):
        conflicts = (CellConflict(detail="5 or 6"),) if (document, question) == ("a.pdf", "cap") else ()
        fields: dict[str, Any] = {"status": "answered", "text": told.text, "values": (told,), "conflicts": conflicts}
    elif told in ("proven_absent", "not_found", "inconclusive"):
        absence = CellAbsence(verdict=told, lines_read=10, pages_read=1)
        fields = {"status": "not_found", "text": "", "absence": absence}
    else:
        fields = {"status": told, "text": ""}
    return BatchCell(document=document, doc_id="x_00000000", question_id=question, **fields)


def put_grid(root: Path, grid: dict[str, dict[str, Told]], questions: dict[str, tuple[str, str]]) -> Path:
    """A store with a batch of these cells."""
    documents = tuple(BatchDocument(name=name, sha256="0" * 64, byte_count=1) for name in grid)
    asked = tuple(
        BatchQuestion(question_id=name, text=text, terms=QuestionTerms(answer_type=kind))
        for name, (text, kind) in questions.items()
    )
    request = BatchRequest(
        name="grid", questions=asked, documents=documents, parsing_settings={}, retrieval_settings={}, code_sha256="0"
    )
    save_request(root, BATCH, request)
    for number, (name, cells) in enumerate(grid.items()):
        told = tuple(_cell(name, question, cells[question]) for question in questions)
        save_state(root, BATCH, DocumentState(number=number, document=documents[number], without=told))
    return root


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven documents and six questions."""
    return put_grid(tmp_path_factory.mktemp("grid"), GRID, QUESTIONS)


FITTING = [
    ("Which of my contracts have no liability cap?", "cap", "bc", "de"),
    ("¿Qué contratos no tienen límite de responsabilidad?", "cap", "bc", "de"),
    ("Quels contrats n'ont pas de plafond de responsabilité ?", "cap", "bc", "de"),
    ("contracts with a liability cap", "cap", "ag", "de"),
    ("list the contracts without insurance clause", "has insurance", "bc", "deg"),
    ("contratos sin seguro", "has insurance", "bc", "deg"),
    ("contrats sans assurance", "has insurance", "bc", "deg"),
    ("which contracts have insurance?", "has insurance", "a", "deg"),
    ("How many contracts are governed by New York law?", "law", "ag", "e"),
    ("¿Cuántos contratos se rigen por la ley de Nueva York?", "law", "ag", "e"),
    ("Combien de contrats sont régis par le droit de New York ?", "law", "ag", "e"),
    ("contracts that are not governed by New York law", "law", "bc", "e"),
    ("contracts governed by French law", "law", "b", "e"),
    ("contracts governed by the law of Delaware", "law", "", "e"),
    ("contracts expiring before 2026", "expiry", "ad", "ce"),
    ("¿Qué contratos vencen antes de 2026?", "expiry", "ad", "ce"),
    ("Quels contrats expirent avant le 1er janvier 2026 ?", "expiry", "ad", "ce"),
    ("contracts expiring in 2026", "expiry", "b", "ce"),
    ("contracts expiring after 30 June 2024", "expiry", "ab", "ce"),
    ("contracts expiring between June 2024 and December 2025", "expiry", "ad", "ce"),
    ("contracts that do not expire before 2026", "expiry", "b", "ce"),
    ("contracts with a liability cap of more than EUR 50,000", "cap", "a", "deg"),
    ("contracts with a liability cap of at least $250,000", "cap", "g", "ade"),
    ("contracts with a notice period of more than 60 days", "notice", "ab", "de"),
    ("contracts with a notice period of less than 3 months", "notice", "bc", "de"),
    ("contracts with a notice period of 90 days or more", "notice", "ab", "de"),
    ("préavis de moins de 2 mois", "notice", "c", "de"),
]


@pytest.mark.parametrize(("text", "question", "fitting", "untold"), FITTING)
def test_which_documents_fit(store: Path, text: str, question: str, fitting: str, untold: str) -> None:
    """Each document is told to fit, not to fit, or that it cannot be told; what cannot be told is never a 'no'."""
    answer = ask_collection(text, store)
    assert answer.question_id == question
    assert "".join(row.document[0] for row in answer.rows) == fitting
    assert "".join(row.document[0] for row in answer.untold) == untold
    assert sum(answer.counts.values()) == len(GRID)
    assert answer.counts["out_of_scope"] == 1
    assert all(row.why for row in answer.untold)
    assert f"{len(fitting)} " in answer.sentence
    assert " 6 " in answer.sentence


@pytest.mark.parametrize(
    ("text", "value", "documents"),
    [
        ("earliest expiry", "2024-06-30", "d"),
        ("which contract expires first?", "2024-06-30", "d"),
        ("fecha de vencimiento más tardía", "2026-01-01", "b"),
        ("la date d'expiration la plus tardive", "2026-01-01", "b"),
        ("highest liability cap", "EUR 100,000", "ag"),
        ("longest notice period", "3 month", "ad"),
        ("el plazo de preaviso más corto", "30 day", "dc"),
    ],
)
def test_the_first_in_an_order(store: Path, text: str, value: str, documents: str) -> None:
    """Dates, lengths of time in one measure, and amounts of each currency for itself."""
    answer = ask_collection(text, store)
    assert {row.document[0] for row in answer.rows} == set(documents)
    assert value in answer.sentence


def test_totals_by_currency(store: Path) -> None:
    """Amounts of different currencies are never added, those of one exactly."""
    answer = ask_collection("total of the annual fees by currency", store)
    assert [(one.unit, one.total, one.count) for one in answer.figures] == [("EUR", "3000.3", 2), ("USD", "5000", 1)]
    assert "3,000.3 EUR (2) + 5,000 USD (1)" in answer.sentence
    assert [row.why for row in answer.untold] == [
        "the answer was refused by a check", "the document could not be read or asked",
    ]  # fmt: skip
    assert "amounts of different currencies are neither added nor compared" in answer.notes[0]


def test_average_of_lengths_of_time(store: Path) -> None:
    """In days by a declared rule, business days apart."""
    answer = ask_collection("average notice period", store)
    assert [(one.unit, one.count) for one in answer.figures] == [("business_day", 1), ("day", 3)]
    assert answer.figures[1].mean == pytest.approx((3 * 30.436875 + 90 + 30) / 3)
    assert "a month 30.436875" in answer.notes[0]


def test_on_what_an_absence_rests(store: Path) -> None:
    """What is proven absent, what was only not found, and what says no are counted apart."""
    assert ask_collection("contracts without a liability cap", store).bases == {"not_found": 1, "proven_absent": 1}
    told = ask_collection("contratos sin seguro", store)
    assert told.bases == {"proven_absent": 1, "says_no": 1}
    assert "ausencia probada 1, dice que no 1" in told.sentence


def test_a_conflict_is_flagged(store: Path) -> None:
    """A value that a passage of the same document contradicts is told with it."""
    rows = ask_collection("contracts with a liability cap", store).rows
    assert [row.flags for row in rows] == [("1 conflict",), ()]


def test_the_query_that_is_shown_gives_the_same(store: Path) -> None:
    """The SQL, its parameters written in, runs as it is, whatever the user had in mind."""
    for text in ("contracts governed by New York law", "contracts expiring before 2026", "contracts without insurance"):
        answer = ask_collection(text, store)
        again = run_query(store, answer.sql)
        fitting = [row[again.columns.index("document")] for row in again.rows if row[0] == "yes"]
        assert fitting == [row.document for row in answer.rows]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("which contracts mention unicorns?", "no question of the batch is about 'unicorns'; add to the workbook"),
        ("highest insurance", "'has insurance' of the batch asks for yes or no"),
        ("how many contracts?", "names no subject"),
        ("earliest and latest expiry", "asks for several things at a time"),
        ("earliest expiry before 2026", "two questions"),
        ("earliest expiry of contracts without a cap", "cannot be told"),
        ("contracts with a liability cap of more than 50000", "names no unit"),
        ("contracts governed by New York law without liability cap", "ask one after the other"),
        ("contracts with a liability cap [nothing]", "the batch has no question 'nothing'"),
    ],
)
def test_what_cannot_be_answered_is_told(store: Path, text: str, told: str) -> None:
    """A question that no column answers, or that asks more than one thing, is refused with what to do."""
    with pytest.raises(InputError, match=told):
        ask_collection(text, store)


def test_two_questions_that_fit_equally_are_asked_back(tmp_path: Path) -> None:
    """The user names one in brackets."""
    questions = {"fee one": ("What is the annual fee?", "amount"), "fee two": ("What is the annual fee?", "amount")}
    grid: dict[str, dict[str, Told]] = {"a.pdf": {"fee one": _money(1, "EUR"), "fee two": _money(2, "EUR")}}
    store = put_grid(tmp_path, grid, questions)
    assert ask_collection("highest annual fee", store).options == ("fee one", "fee two")
    assert ask_collection("highest annual fee [fee two]", store).rows[0].number == 2
    assert call("query", "--ask", "highest annual fee", "--store", store).exit_code == 4


def test_words_of_documents_are_no_sql(tmp_path: Path) -> None:
    """Names and values that look like SQL or parameters stay what they are, in the query that is shown too."""
    evil = "New York'); DROP TABLE cells; -- $batch"
    store = put_grid(tmp_path, {evil: {"o'law": _law(evil)}}, {"o'law": ("Which law governs it?", "jurisdiction")})
    answer = ask_collection("contracts governed by New York law", store)
    assert [row.document for row in answer.rows] == [evil]
    assert run_query(store, answer.sql).rows[0][2] == evil


def test_a_weak_word_in_the_middle_counts_nothing() -> None:
    """'First refusal' and 'minimum commitment' are subjects, 'first expiry' is an order."""
    assert read_wish("contracts with a right of first refusal", "en").aggregate == "list"
    assert read_wish("contracts without minimum commitment", "en").topic == "minimum commitment"
    assert read_wish("first expiry", "en").aggregate == "earliest"


def test_forms_of_a_word() -> None:
    """Forms of one word are the same, other words that begin alike are not."""
    assert same_word("expire", "expiration")
    assert same_word("fees", "fee")
    assert not same_word("contract", "contractor's-liability-cover")
    assert not same_word("term", "terminate")


def test_the_command(store: Path, tmp_path: Path) -> None:
    """A sentence, the documents, those that cannot be told, and the SQL; JSON and CSV alike."""
    shown = call("query", "--ask", "which contracts have no liability cap?", "--store", store)
    assert shown.exit_code == 0
    assert shown.stdout.startswith("2 of 6 documents have none for 'cap' (not found 1, proven absent 1); of 2")
    assert "question_id = 'cap'" in shown.stdout
    told = json.loads(call("query", "--ask", "expiring before 2026", "--store", store, "--json").stdout)
    assert [row["document"] for row in told["rows"]] == ["a.pdf", "d.pdf"]
    assert told["parameters"]["low"] == "2026-01-01"
    out = tmp_path / "r.csv"
    assert call("query", "--ask", "earliest expiry", "--store", store, "-o", out).exit_code == 0
    assert out.read_text(encoding="utf-8-sig").splitlines()[1].startswith("yes,d.pdf,2024-06-30")
    assert call("query", "SELECT 1", "--ask", "earliest expiry", "--store", store).exit_code == 2
