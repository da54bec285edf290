"""What a question limits its answer to, through all four bricks: party, place, section, pages, words together."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pymupdf
import pytest

from dictionaries import Dictionaries, load_dictionaries
from pipeline.run import ask
from schemas.answer import Amount, Answer, BooleanValue, Duration
from schemas.retrieval import AuditedRetrievalResult

HEAD = (
    "SUPPLY AGREEMENT\n\n"
    'This Agreement is made between Acme Ltd (the "Supplier") and Beta Ltd (the "Customer").\n\n'
)  # fmt: skip
CUSTOMER_ENDS = "The Customer may terminate this Agreement for convenience on thirty days' notice.\n\n"
SUPPLIER_ENDS = "The Supplier may terminate this Agreement for convenience on ninety days' notice.\n\n"
BOTH_END = f"{HEAD}2. Termination\n\n{CUSTOMER_ENDS}{SUPPLIER_ENDS}"
ONE_ENDS = f"{HEAD}2. Termination\n\n{CUSTOMER_ENDS}"
CAPS = (
    f"{HEAD}8. Liability\n\nIn Spain, the liability cap is EUR 200,000.\n\n"
    "In France, the liability cap is EUR 300,000.\n"
)  # fmt: skip


@cache
def shipped() -> Dictionaries:
    """The shipped dictionaries, read once."""
    return load_dictionaries()


def put(text: str, question: str, folder: Path) -> tuple[AuditedRetrievalResult, Answer]:
    """What retrieval and generation say of a made document."""
    path = folder / "agreement.txt"
    path.write_text(text, encoding="utf-8")
    run = ask(path, question, store=folder / "store", dictionaries=shipped())
    return run.retrieval, run.answer


def values(answer: Answer, kind: type) -> list[object]:
    """The values of a kind, as written."""
    return [getattr(item.value, "original", item.value) for item in answer.items if isinstance(item.value, kind)]


NOTICE = "What notice must the {} give to terminate for convenience?"


@pytest.mark.parametrize(
    ("question", "notice"),
    [
        (NOTICE.format("Supplier"), "ninety"),
        (NOTICE.format("Customer"), "thirty"),
        ("Can Acme terminate for convenience?", "ninety"),
    ],
)
def test_the_notice_is_that_of_the_party_asked_about(question: str, notice: str, tmp_path: Path) -> None:
    """The other party's clause ranks behind with a reason, and the answer is the party's own, by role or by name."""
    found, answer = put(BOTH_END.replace("The Supplier may", "Acme may"), question, tmp_path)
    assert notice in answer.text
    behind = [one for one in found.candidates if one.missed_limits]
    assert [one.role for one in behind] == ["supporting"]
    assert "the question of" in (behind[0].reason or "")


def test_another_partys_right_is_no_yes(tmp_path: Path) -> None:
    """Where only the customer may terminate, 'can the supplier?' is not found; the answer says whose right it is."""
    _, answer = put(ONE_ENDS, "Can the Supplier terminate for convenience?", tmp_path)
    assert (answer.status, answer.items) == ("not_found", ())
    assert any("'Customer'" in caveat and "'Supplier'" in caveat for caveat in answer.caveats)
    _, own = put(ONE_ENDS, "Can the Customer terminate for convenience?", tmp_path)
    assert [item.value.value for item in own.items if isinstance(item.value, BooleanValue)] == [True]


def test_a_text_of_another_party_is_given_with_a_caveat(tmp_path: Path) -> None:
    """The only clause on the topic is shown, in part, and said to be of the other party."""
    text = f"{HEAD}1. Payment\n\nThe Customer shall pay the Supplier EUR 500 a month.\n"
    _, answer = put(text, "What must the Supplier pay?", tmp_path)
    assert answer.status == "partial"
    assert any("'Customer'" in caveat for caveat in answer.caveats)


@pytest.mark.parametrize(
    "clause",
    [
        "Either party may terminate this Agreement for convenience on ten days' notice.",
        "Each Party may terminate this Agreement for convenience.",
        "This Agreement may be terminated for convenience on ten days' notice.",
        "If the Customer agrees, the Supplier may terminate this Agreement for convenience.",
    ],
)
def test_every_party_and_no_party_are_no_other(clause: str, tmp_path: Path) -> None:
    """'Either party' includes the one asked about, and a clause that names none stays."""
    found, answer = put(f"{HEAD}2. Termination\n\n{clause}\n", "Can the Supplier terminate for convenience?", tmp_path)
    assert not any(one.missed_limits for one in found.candidates)
    assert answer.items


def test_the_obligations_listed_are_the_partys_own(tmp_path: Path) -> None:
    """A list that the other party's duties make up is not the list asked for."""
    text = (
        f"{HEAD}4. Obligations\n\nThe Customer shall:\n\n(a) keep the premises safe; and\n\n(b) name a contact.\n\n"
        "The Supplier shall:\n\n(a) deliver the goods on time; and\n\n(b) keep records of deliveries.\n"
    )
    _, answer = put(text, "What are the Supplier's obligations?", tmp_path)
    assert "records" in answer.text
    assert "premises" not in answer.text


@pytest.mark.parametrize(("place", "amount"), [("Spain", "EUR 200,000"), ("France", "EUR 300,000")])
def test_the_value_is_that_of_the_place(place: str, amount: str, tmp_path: Path) -> None:
    """What holds in another country ranks behind and is not given."""
    found, answer = put(CAPS, f"What is the liability cap in {place}?", tmp_path)
    assert values(answer, Amount) == [amount]
    assert {one.missed_limits[0].limit for one in found.candidates if one.missed_limits} == {"jurisdiction"}


def test_no_value_of_another_place_is_given(tmp_path: Path) -> None:
    """A cap for Spain and one for France are no cap for Italy."""
    _, answer = put(CAPS, "What is the liability cap in Italy?", tmp_path)
    assert (answer.status, answer.items) == ("not_found", ())


def test_a_union_speaks_of_its_members(tmp_path: Path) -> None:
    """A cap for the European Union holds in Italy, and a seat in Ireland limits nothing."""
    text = f"{HEAD}8. Liability\n\nIn the European Union, the liability cap is EUR 5. Acme is registered in Ireland.\n"
    found, answer = put(text, "What is the liability cap in Italy?", tmp_path)
    assert values(answer, Amount) == ["EUR 5"]
    assert not any(one.missed_limits for one in found.candidates)


SECTIONS = (
    f"{HEAD}3. Delivery\n\nDelivery takes place at the premises.\n\n"
    "4. Warranty\n\nThe warranty period is 12 months.\n\n"
    "7. Law\n\n7.1 This Agreement is governed by the laws of Ireland.\n\n7.2 Notices shall be in writing.\n"
)


def test_a_named_clause_is_found_without_an_outline(tmp_path: Path) -> None:
    """A document without a table of contents has clause 4 all the same, by the line that opens with its number."""
    found, answer = put(SECTIONS, "How long is the warranty period in clause 4?", tmp_path)
    assert values(answer, Duration) == ["12 months"]
    assert "the question names" in (found.candidates[0].reason or "")


def test_a_value_outside_the_named_clause_is_not_given_as_if_inside(tmp_path: Path) -> None:
    """What stands in clause 4 either is not given for clause 3, or is given with both clauses named."""
    found, answer = put(SECTIONS, "How long is the warranty period in clause 3?", tmp_path)
    outside = [one for one in found.candidates if one.missed_limits]
    assert [(one.limit, one.asked, one.found) for one in outside[0].missed_limits] == [
        ("section", "clause 3", "4. Warranty")
    ]
    assert not answer.items or any("clause 3" in one and "4. Warranty" in one for one in answer.caveats)


@pytest.mark.parametrize("name", ["clause 3", "clause 15"])
def test_only_a_clause_is_only_that_clause(name: str, tmp_path: Path) -> None:
    """With 'only', what the clause does not say is not found, and a clause that does not exist is not passed over."""
    _, answer = put(SECTIONS, f"How long is the warranty period, only in {name}?", tmp_path)
    assert (answer.status, answer.items) == ("not_found", ())


def test_a_clause_of_one_line_answers(tmp_path: Path) -> None:
    """A numbered line that is a whole sentence is the governing law, not a heading over the next clause."""
    _, answer = put(SECTIONS, "What is the governing law?", tmp_path)
    assert "Ireland" in answer.text
    assert "laws of Ireland" in answer.items[0].spans[0].quote
    assert "Notices" not in answer.text + answer.items[0].spans[0].quote


@pytest.mark.parametrize(
    ("clause", "value"),
    [
        ("During the term the Supplier shall not compete with the Customer.", True),
        ("The Supplier agrees not to compete.", True),
        ("The Supplier may freely compete with the Customer.", False),
    ],
)
def test_a_non_compete_by_its_verb(clause: str, value: bool, tmp_path: Path) -> None:  # a table column
    """'Shall not compete' is a non-compete, and 'may freely compete' is none."""
    _, answer = put(f"{HEAD}9. Restrictions\n\n{clause}\n", "Is there a non-compete?", tmp_path)
    assert [item.value.value for item in answer.items if isinstance(item.value, BooleanValue)] == [value]


def test_words_in_one_sentence(tmp_path: Path) -> None:
    """A paragraph that holds both words in two sentences is no answer; the one that holds them in one is."""
    apart = "1. First\n\nThe warranty period is 12 months. The escrow agent keeps the source code.\n\n"
    near = "2. Second\n\nThe warranty period covers the source code escrow.\n"
    question = "Which clause mentions warranty period and escrow in the same sentence?"
    found, answer = put(f"{HEAD}{apart}{near}", question, tmp_path)
    assert [one.role for one in found.candidates if one.missed_limits] == ["supporting"]
    assert "covers" in answer.text
    _, nothing = put(f"{HEAD}{apart}", question, tmp_path)
    assert nothing.status == "not_found"


def test_a_list_of_pages_is_no_range(tmp_path: Path) -> None:
    """'Only on pages 1 and 3' leaves page 2 out of the search."""
    with pymupdf.open() as pdf:
        for amount in ("EUR 100", "EUR 200", "EUR 300"):
            page = pdf.new_page()
            page.insert_text((72, 100), f"The liability cap is {amount} for each claim.")
        pdf.save(tmp_path / "pages.pdf")
    only = "What is the liability cap, only on pages {}?"

    def pages_of(named: str) -> tuple[tuple[int, ...], tuple[int, int] | None, set[int]]:
        run = ask(tmp_path / "pages.pdf", only.format(named), store=tmp_path / "store", dictionaries=shipped())
        filters = run.question.filters
        return filters.pages, filters.page_range, {one.anchor.page_start for one in run.retrieval.candidates}

    assert pages_of("1 and 3") == ((1, 3), None, {1, 3})
    assert pages_of("1 to 2") == ((), (1, 2), {1, 2})
