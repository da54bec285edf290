"""The model beside the rules: what it fills, what the rules keep, what it is told, when it is asked anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dictionaries import Dictionaries, load_dictionaries
from pipeline.llm import Transcript
from pipeline.question import parse_question
from schemas.question import ParsedQuestion
from tests.llm.doors import door
from tests.question.test_refine import GOOD, profile
from tests.scripted_server import Answer, ScriptedServer
from tests.told_model import ToldModel

DICTIONARIES = load_dictionaries()
QUESTION = "What did the supplier pay in fees before 2020, in euros?"
FORMAT: dict[str, Any] = dict(GOOD["format"])
REPLY: dict[str, Any] = {
    **GOOD,
    "corrected_question": QUESTION,
    "exclusions": [],
    "concept_ids": [],
    "expansion_keywords": [],
}


def told(question: str, **changes: Any) -> tuple[ParsedQuestion, ToldModel]:
    """The question with a model that replies so."""
    model = ToldModel({**REPLY, "corrected_question": question, **changes})
    return parse_question(question, profile(), DICTIONARIES, llm=model), model


def test_what_rules_read_in_the_users_words_stays() -> None:
    """A limit in time, a party and a page that the rules read are theirs, whatever the model says of them."""
    question = "What did the Supplier pay on page 3 before 2020?"
    parsed, _ = told(question, date_from="1990-01-01", date_to="1990-12-31", pages_hint=[7], parties=["Supplier"])
    assert parsed.filters.date_range is not None
    assert parsed.filters.date_range.end == "2019-12-31"
    assert parsed.hints.pages_hint == (3,)
    assert parsed.field_sources["filters.date_range"] == "rules"
    assert parsed.field_sources["hints.pages_hint"] == "rules"


def test_the_model_fills_what_the_rules_leave_open() -> None:
    """A limit that no rule reads, a sheet, a jurisdiction and rewrites come from the model, and the record says so."""
    question = "Fees since the merger closed, for the Iberian business?"
    parsed, _ = told(
        question,
        date_from="2021-03-01",
        jurisdictions=["Iberian"],
        sheets_hint=["Fees"],
        rewrites=["fees payable  after closing", "fees payable after closing", "a", "b"],
        answer_type="amount",
    )
    assert parsed.filters.date_range is not None
    assert (parsed.filters.date_range.start, parsed.filters.date_range.end) == ("2021-03-01", None)
    assert parsed.filters.jurisdictions == ("Iberian",)
    assert parsed.hints.sheets_hint == ("Fees",)
    assert "fees payable after closing" in parsed.rewrites
    assert "a" in parsed.rewrites
    assert "b" not in parsed.rewrites
    for name in ("filters.date_range", "filters.jurisdictions", "hints.sheets_hint", "rewrites"):
        assert parsed.field_sources[name] == "llm"
    assert parsed.retrieval_query().rewrites == parsed.rewrites
    assert not hasattr(parsed.generation_brief(), "rewrites")


def test_the_model_fills_the_format_behind_the_rules() -> None:
    """What a wish comes to is the rules' where they understand it, the model's where they do not."""
    question = "What is the fee in euros?"
    wish = "in euros"
    parsed, _ = told(question, format_wishes=[wish], format={**FORMAT, "currency": "USD", "decimals": 2})
    assert parsed.format_constraint.currency == "EUR"
    assert parsed.format_constraint.decimals == 2
    unwished, _ = told("What is the fee?", format={**FORMAT, "currency": "USD"})
    assert unwished.format_constraint.currency is None


@pytest.mark.parametrize(
    ("change", "problem", "field"),
    [
        ({"date_from": "soon"}, "no day", "filters"),
        ({"parties": ["the Martians"]}, "does not stand in the question", "filters"),
        ({"slides_hint": [0]}, "no page 0", "hints"),
        ({"format": {**FORMAT, "currency": "euro"}}, "ISO 4217", "format"),
    ],
)
def test_inventions_are_problems_and_not_taken_over(change: dict[str, Any], problem: str, field: str) -> None:
    """Each is told to the model, and what is left of it after the repair is named in a note."""
    parsed, model = told("What is the fee?", **change)
    assert any(problem in one for one in model.problems)
    assert any(problem in note for note in parsed.notes)
    assert parsed.filters.date_range is None
    assert parsed.filters.parties == ()
    assert parsed.hints.slides_hint == ()
    assert parsed.format_constraint.currency is None
    assert field


def test_the_registry_is_that_of_such_documents() -> None:
    """For a contract the concepts of annual reports are left out, unless the question's own words choose one."""
    _, model = told("What is the fee?")
    user = model.prompts[0].user
    assert "liability_cap: " in user
    assert "earnings_per_share" not in user
    assert all(f"{name} {version}" in user for name, version in DICTIONARIES.versions.items())


def of_version(version: str) -> Dictionaries:
    """The dictionaries with another version of the first."""
    first, *others = DICTIONARIES.sources
    return DICTIONARIES.model_copy(update={"sources": (first.model_copy(update={"version": version}), *others)})


def test_a_call_is_paid_for_once_a_question_profile_and_version(tmp_path: Path) -> None:
    """The same again costs nothing; another question, document profile or dictionary version is asked anew."""
    reply = {**REPLY, "corrected_question": "What is the fee?"}
    with ScriptedServer(Answer(reply)) as server, Transcript(tmp_path / "calls.sqlite") as transcript:
        model = door(server, transcript)

        def asked(text: str, pages: Any, words: Dictionaries) -> int:
            before = len(server.requests)
            parse_question(text, pages, words, llm=model)
            return len(server.requests) - before

        assert asked("What is the fee?", profile(), DICTIONARIES) == 1
        assert asked("What is the fee?", profile(), DICTIONARIES) == 0
        assert asked("What is the  fee ?", profile(languages=("fr",)), DICTIONARIES) == 1
        assert asked("What is the fee?", profile(doc_type="invoice"), DICTIONARIES) == 1
        assert asked("What is the fee?", profile(), of_version("99.0.0")) == 1
