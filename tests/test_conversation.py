"""Conversations through all four bricks: asked back, followed up, in parts, with something left out."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.case import ask_case
from pipeline.run import Run, ask
from pipeline.store.choices import CHOICES, load_choices
from pipeline.store.runs import load_run
from pipeline.store.sessions import check_session, load_session
from schemas.answer import Amount, Duration, Percentage
from schemas.errors import InputError, QuestionError, RecordError
from tests.commands import call
from tests.told_model import ToldModel

CONTRACT = """SERVICES AGREEMENT

This Agreement is made between Acme Services Limited (the "Supplier") and Beta Retail Limited (the "Customer").

1. TERM

1.1 Initial term. This Agreement starts on the effective date, 1 February 2024, and has an initial term of three years.

1.2 Renewal. It is renewed for one year unless a party gives notice of non-renewal at least ninety (90) days before.

2. PRICES

2.1 Price cap. The prices may be increased once a year; the price cap is four per cent (4 %) a year.

3. LIABILITY

3.1 Liability cap of the Supplier. The total liability of the Supplier shall not exceed EUR 2,000,000.

3.2 Liability cap of the Customer. The total liability of the Customer shall not exceed EUR 500,000.

4. INSURANCE

4.1 Insurance. The Supplier shall maintain liability insurance with a deductible of EUR 10,000 for each claim. The
insurance premium is EUR 3,000 a year.

5. TERMINATION

5.1 Termination for convenience. The Customer may terminate for convenience on sixty (60) days' written notice.

5.2 Termination for cause. Either party may terminate if the other does not remedy a material breach within thirty (30)
days of written notice.

6. GOVERNING LAW

6.1 Law. This Agreement, and any obligation that arises out of it or in connection with it, is governed by the laws of
Ireland.
"""


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """A contract with a price cap and a liability cap for each party."""
    path = tmp_path / "services.txt"
    path.write_text(CONTRACT, encoding="utf-8")
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of its own."""
    return tmp_path / "store"


def amounts(run: Run) -> list[Decimal]:
    """The amounts that a run gives."""
    return [item.value.value for item in run.answer.items if isinstance(item.value, Amount)]


def test_an_open_question_is_asked_back_and_answered_as_chosen(contract: Path, store: Path) -> None:
    """'The cap' is two caps here: both are offered as complete questions, and the one chosen is answered."""
    asked = ask(contract, "What's the cap?", store=store)
    assert (asked.answer.status, asked.answer.items) == ("needs_clarification", ())
    back = asked.question.clarification
    assert back is not None
    assert back.target_field == "concept"
    assert {"price_restrictions", "liability_cap"} <= set(back.candidate_values)
    assert back.default in back.choices
    assert back.default_reason
    number = back.candidate_values.index("price_restrictions") + 1
    chosen = ask(contract, "What's the cap?", store=store, choose=number)
    assert chosen.question.resolved_question == back.choices[number - 1]
    assert chosen.path != asked.path
    assert [item.value.value for item in chosen.answer.items if isinstance(item.value, Percentage)] == [Decimal(4)]
    settled = load_run(chosen.path).question.settled
    assert settled is not None
    assert (settled.by, settled.chosen) == ("reply", "price_restrictions")
    with pytest.raises(QuestionError, match="choice 9"):
        ask(contract, "What's the cap?", store=store, choose=9)
    with pytest.raises(InputError, match="no choice"):
        ask(contract, "What's the cap?", store=store, choose="perhaps")


def test_replies_are_remembered_until_nobody_need_be_asked(contract: Path, store: Path) -> None:
    """Six replies that agree are applied in silence, on record with their votes; one reply is not enough."""
    back = ask(contract, "What's the cap?", store=store).question.clarification
    assert back is not None
    number = back.candidate_values.index("price_restrictions") + 1
    ask(contract, "What's the cap?", store=store, choose=number)
    assert ask(contract, "What's the cap?", store=store).question.clarification == back
    ask(contract, "What's the cap?", store=store, choose=number)
    between = ask(contract, "What is the cap?", store=store).question.clarification
    assert between is not None
    assert (between.choices, between.default) == (
        tuple(choice.replace("What's", "What is") for choice in back.choices), "What is the price cap?",
    )  # fmt: skip
    for _ in range(4):
        ask(contract, "What's the cap?", store=store, choose=number)
    silent = ask(contract, "What's the cap?", store=store, session="one")
    assert silent.question.settled is not None
    assert (silent.question.settled.by, silent.question.settled.votes) == ("votes", 6)
    assert any("6 votes" in note for note in silent.question.notes)
    again = ask(contract, "What's the cap?", store=store)
    assert again.question == silent.question
    refused = ask(contract, "no, the liability cap", store=store, session="one")
    assert refused.question.settled is not None
    assert refused.question.settled.chosen == "liability_cap"
    assert load_choices(store).defaults[0].candidate_votes == {"liability_cap": 1, "price_restrictions": 5}


def test_a_reply_in_the_session_is_a_choice(contract: Path, store: Path) -> None:
    """A number, an ordinal or the words of one choice answer what was asked back; anything else is a question."""
    for reply in ("2", "the second one", None):
        asked = ask(contract, "What's the cap?", store=store, session="words")
        back = asked.question.clarification
        assert back is not None
        words = reply or "the price one"
        at = 1 if reply else back.candidate_values.index("price_restrictions")
        chosen = ask(contract, words, store=store, session="words")
        assert chosen.question.settled is not None
        assert chosen.question.settled.chosen == back.candidate_values[at]
        assert chosen.question.previous_question == "What's the cap?"
        (store / CHOICES).unlink()
    ask(contract, "What's the cap?", store=store, session="words")
    other = ask(contract, "What is the insurance premium?", store=store, session="words")
    assert (other.question.settled, other.question.resolved_question) == (None, None)


def test_a_reply_that_names_no_choice_is_refused(contract: Path, store: Path) -> None:
    """'9' after three choices is no new question: it is refused as --choose refuses it, and the choices stay open."""
    ask(contract, "What's the cap?", store=store, session="nine")
    for reply in ("9", "option 9", "both"):
        with pytest.raises(QuestionError, match="names no choice"):
            ask(contract, reply, store=store, session="nine")
    chosen = ask(contract, "1", store=store, session="nine")
    assert chosen.question.settled is not None


def test_a_no_moves_the_vote_and_the_default(contract: Path, store: Path) -> None:
    """A choice that is turned down loses a vote, and another one, with a reason, is the default of what is asked."""
    back = ask(contract, "What's the cap?", store=store, session="no").question.clarification
    assert back is not None
    number = back.candidate_values.index("price_restrictions") + 1
    ask(contract, str(number), store=store, session="no")
    assert load_choices(store).defaults[0].candidate_votes == {"price_restrictions": 1}
    refused = ask(contract, "no", store=store, session="no").question
    assert load_choices(store).defaults[0].candidate_votes == {"price_restrictions": 0}
    assert refused.clarification is not None
    assert refused.clarification.choices == back.choices
    assert refused.clarification.default != back.choices[number - 1]
    assert refused.clarification.default_reason
    other = ask(contract, "yes", store=store, session="no").question
    assert other.resolved_question == refused.clarification.default
    assert other.previous_question == back.choices[number - 1]


def test_a_follow_up_is_answered_after_the_question_before(contract: Path, store: Path) -> None:
    """'And for the Customer?' is the question before about the other party; without a session it is asked back."""
    first = ask(contract, "What is the liability cap for the Supplier?", store=store, session="caps")
    assert Decimal(2000000) in amounts(first)
    second = ask(contract, "and for the Customer?", store=store, session="caps")
    assert second.question.resolved_question == "What is the liability cap for the Customer?"
    assert second.question.previous_question == "What is the liability cap for the Supplier?"
    assert second.question.original_question == "and for the Customer?"
    assert Decimal(500000) in amounts(second)
    assert [turn.question for turn in load_session(store, "caps").turns] == [
        "What is the liability cap for the Supplier?", "and for the Customer?",
    ]  # fmt: skip
    ask(contract, "Who bears the cost of the audit?", store=store, session="other")
    elsewhere = ask(contract, "and for the Customer?", store=store, session="other")
    assert elsewhere.path != second.path
    alone = ask(contract, "and for the Customer?", store=store)
    assert alone.answer.status == "needs_clarification"
    assert alone.question.clarification is not None
    assert "the Customer" in alone.question.clarification.default


def test_a_model_is_asked_the_complete_question(contract: Path, store: Path) -> None:
    """A follow-up reaches the model as it was resolved; what is asked back reaches no model at all."""
    model = ToldModel(None)
    ask(contract, "What is the liability cap for the Supplier?", store=store, session="m", llm=model)
    model.prompts.clear()
    run = ask(contract, "and for the Customer?", store=store, session="m", llm=model)
    assert run.question.resolved_question == "What is the liability cap for the Customer?"
    assert model.prompts
    for prompt in model.prompts[:1]:
        assert "What is the liability cap for the Customer?" in str(prompt)
    model.prompts.clear()
    assert ask(contract, "What's the cap?", store=store, llm=model).answer.status == "needs_clarification"
    assert model.prompts == []


def test_a_compound_question_has_one_answer_with_a_status_a_part(contract: Path, store: Path) -> None:
    """Both parts are answered and told in order; where one finds nothing, the whole is answered in part."""
    both = ask(contract, "What is the insurance premium? And which law governs the agreement?", store=store)
    assert both.answer.status == "answered"
    assert [part.status for part in both.answer.parts] == ["answered", "answered"]
    assert [part.run for part in both.answer.parts] == [run.path.name for run in both.parts]
    assert "3,000" in both.answer.text
    assert "Ireland" in both.answer.text
    assert [item.label for item in both.answer.items] == [
        "What is the insurance premium?", "Which law governs the agreement?",
    ]  # fmt: skip
    assert load_run(both.path).answer == both.answer
    half = ask(contract, "What is the insurance premium, and is there a source code escrow?", store=store)
    assert half.answer.status == "partial"
    assert [part.status for part in half.answer.parts] == ["answered", "not_found"]
    assert half.answer.completeness.complete is False


def test_a_part_that_needs_the_one_before_is_asked_with_its_answer(contract: Path, store: Path) -> None:
    """The answer to the first part stands in the second, on record; without it the second is not asked."""
    run = ask(contract, "Find the effective date and say how long after it the initial term ends", store=store)
    assert run.question.decomposition.pattern == "sequential"
    second = run.parts[1].question
    assert second.resolved_question == (
        "How long after the effective date, 1 February 2024, does the initial term end?"
    )  # fmt: skip
    assert second.previous_question == "What is the effective date?"
    named = ask(contract, "Who is the Supplier and what is its liability cap?", store=store)
    assert any("Acme Services Limited" in note for note in named.parts[1].question.notes)
    assert Decimal(2000000) in amounts(named)
    stopped = ask(contract, "Who is the escrow agent and where is it incorporated?", store=store)
    assert stopped.answer.status == "not_found"
    assert [part.status for part in stopped.answer.parts] == ["not_found", "not_asked"]
    assert stopped.answer.parts[1].run is None
    assert len(stopped.parts) == 1


def test_what_is_left_out_is_not_given(contract: Path, store: Path) -> None:
    """'Not the deductible' never reaches retrieval and never becomes the answer."""
    run = ask(contract, "What is the insurance premium, not the deductible?", store=store)
    assert run.question.exclusions == ("not the deductible",)
    assert "deductible" not in run.question.retrieval_query().text
    assert amounts(run) == [Decimal(3000)]
    other = ask(contract, "What is the deductible, not the premium?", store=store)
    assert amounts(other) == [Decimal(10000)]


def test_a_session_remembers_the_question_not_the_document(contract: Path, store: Path, tmp_path: Path) -> None:
    """The follow-up may go to another document, or to several; each is asked the same complete question."""
    amended = tmp_path / "amended.txt"
    amended.write_text(CONTRACT.replace("500,000", "750,000"), encoding="utf-8")
    ask(contract, "What is the liability cap for the Supplier?", store=store, session="case")
    case = ask_case([contract, amended], "and for the Customer?", store=store, session="case")
    assert {run.question.resolved_question for run in case.runs} == {"What is the liability cap for the Customer?"}
    assert [run.question.previous_question for run in case.runs] == ["What is the liability cap for the Supplier?"] * 2
    assert case.answer.conflicts
    assert len(load_session(store, "case").turns[-1].runs) == 2


@pytest.mark.parametrize("name", ["", "../up", "a/b", "a\\b", ".hidden", "x" * 65, "con", "nul\0", "é"])
def test_a_name_of_a_session_is_never_a_path(name: str) -> None:
    """Letters, digits, '-' and '_' alone; what a file system keeps for itself is refused."""
    with pytest.raises(InputError, match="no name for a session"):
        check_session(name)


def test_a_damaged_memory_is_named(contract: Path, store: Path) -> None:
    """A broken file of sessions or replies ends the question with its name, and is not written over."""
    ask(contract, "What is the insurance premium?", store=store, session="kept")
    (store / "sessions" / "kept.json").write_text("{", encoding="utf-8")
    with pytest.raises(RecordError, match=r"kept\.json"):
        ask(contract, "and for the Customer?", store=store, session="kept")
    (store / CHOICES).write_text("[]", encoding="utf-8")
    with pytest.raises(RecordError, match=r"clarifications\.json"):
        ask(contract, "What is the insurance premium?", store=store)


def test_the_command_shows_the_choices_and_takes_one(contract: Path, store: Path) -> None:
    """Numbered choices, the default with its reason, how to reply; then the reply, as text and as JSON."""
    asked = call("ask", str(contract), "What's the cap?", "--store", str(store))
    assert asked.exit_code == 4
    assert "1  What's the liability cap?   default" in asked.stdout
    assert "--choose" in asked.stdout
    told = call("ask", str(contract), "What's the cap?", "--store", str(store), "--choose", "default", "--json")
    answer = json.loads(told.stdout)
    assert answer["resolved_question"] == "What's the liability cap?"
    assert answer["answer"]["status"] in ("answered", "partial")
    before = call("ask", str(contract), "What's the cap?", "--store", str(store), "--json")
    assert json.loads(before.stdout)["clarification"]["choices"][0] == "What's the liability cap?"
    assert call("ask", str(contract), "x?", "--store", str(store), "--session", "a/b").exit_code == 2


def test_notice_periods_are_told_apart(contract: Path, store: Path) -> None:
    """'The notice period' of three clauses is asked back; the one chosen gives its own days."""
    back = ask(contract, "What is the notice period?", store=store).question.clarification
    assert back is not None
    at = back.candidate_values.index("termination_for_convenience")
    run = ask(contract, "What is the notice period?", store=store, choose=at + 1)
    assert [item.value.number for item in run.answer.items if isinstance(item.value, Duration)][:1] == [Decimal(60)]
