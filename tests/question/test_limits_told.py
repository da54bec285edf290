"""What a question says of where, when and how is no word of its topic, and a limit that cannot be met is told."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from pipeline.cli.render_answer import render_run
from pipeline.run import Run, ask

CONTRACT = Path(__file__).parents[2] / "examples" / "supply_agreement.pdf"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store, so that the contract is parsed once."""
    return tmp_path_factory.mktemp("store")


def put(question: str, store: Path) -> Run:
    """The question, asked of the example contract."""
    return ask(CONTRACT, question, store=store)


@pytest.mark.parametrize(
    "question",
    [
        "Only on pages 8 to 9, what is the liability cap?",
        "What is the liability cap, only on pages 8 to 9?",
        "What is the liability cap on pages 8-9 only?",
        "Solo en las páginas 8 a 9, ¿cuál es el límite de responsabilidad?",
        "Quel est le plafond de responsabilité, uniquement aux pages 8 à 9 ?",
    ],
)
def test_a_limit_of_pages_is_no_word_of_the_topic(question: str, store: Path) -> None:
    """The pages restrict the search, and no value has to stand with the words that named them."""
    run = put(question, store)
    assert run.question.filters.page_range == (8, 9)
    assert "2,500,000" in run.answer.text


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Only on page 99, what is the liability cap?", "the document has 16"),
        ("Only in the sheet 'Prices', what is the liability cap?", "no workbook"),
        ("What is the liability cap, only in section 99?", "no section '99'"),
        ("What is the liability cap, only on slide 3?", "no slides"),
    ],
)
def test_a_place_allowed_alone_that_is_not_there_is_the_reason(question: str, reason: str, store: Path) -> None:
    """Where the question allows only a place that the document has not, nothing is given, and the text says why."""
    answer = put(question, store).answer
    assert answer.status == "not_found"
    assert reason in answer.text


@pytest.mark.parametrize(
    "question",
    [
        'What is the liability cap, not "the insurance limit"?',
        "¿Cuál es el límite de responsabilidad, no «el límite del seguro»?",
    ],
)
def test_a_quoted_phrase_that_is_excluded_need_not_stand_anywhere(question: str, store: Path) -> None:
    """It is no anchor and no keyword; what it names is told apart as an unquoted one is."""
    run = put(question, store)
    assert run.question.anchors == ()
    assert not [word for word in run.question.keywords if word.source == "quoted"]
    unquoted = put("What is the liability cap, not the insurance limit?", store).question
    assert len(run.question.must_distinguish) == len(unquoted.must_distinguish) == 1
    assert run.question.must_distinguish[0].terms == unquoted.must_distinguish[0].terms
    assert "2,500,000" in run.answer.text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("terminatin", "termination"),
        ("lawe", "law"),
        ("insurence", "insurance"),
        ("shareholdr", "shareholder"),
        ("costt", "cost"),
        ("sublicensee", "sublicensee"),
        ("licensor", "licensor"),
    ],
)
def test_a_slip_at_the_end_of_a_word_is_mended(written: str, meant: str, store: Path) -> None:
    """A letter too many, lacking or wrong in an ending is a slip; a word for another person is none."""
    run = put(f"What does the agreement say about the {written} terms?", store)
    assert f" {meant} " in run.question.corrected_question


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the warrenty period?", "'warrenty' was read as 'warranty'."),
        ("What is the liability cap on page 99?", "the document has 16"),
        ("What is the liability cap on the 'Prices' sheet?", "no workbook"),
    ],
)
def test_a_word_read_as_another_and_a_place_that_is_not_there_are_shown(question: str, told: str, store: Path) -> None:
    """The terminal says with the answer what the question was read as, in a line, and nothing of how it is searched."""
    run = put(question, store)
    assert [note for note in run.question.shown_notes if told in note] == list(run.question.shown_notes)
    console = Console(width=200, record=True, file=StringIO())
    for part in render_run(run):
        console.print(part)
    assert told in console.export_text()


@pytest.mark.parametrize(
    "question",
    [
        "What is an Insolvency Event?",
        "¿Qué es un Insolvency Event?",
        "Qu'est-ce qu'un Insolvency Event ?",
        "What does “Insolvency Event” mean?",
        "What does the Agreement mean by “Insolvency Event”?",
    ],
)
def test_what_a_defined_term_is_is_told_by_its_definition(question: str, store: Path) -> None:
    """A question of nothing but a defined term leads to its definition."""
    run = put(question, store)
    assert [anchor.kind for anchor in run.question.anchors] == ["defined_term"]
    assert "“Insolvency Event” means" in run.answer.text


def test_a_defined_term_that_names_a_value_is_answered_by_the_value(store: Path) -> None:
    """'What is the Effective Date?' asks for a date."""
    assert put("What is the Effective Date?", store).answer.answer_type == "date"


def test_a_definition_ends_before_the_next_one(store: Path) -> None:
    """Behind 'Part A.' too, which looks like an abbreviation."""
    text = put('What does "Products" mean?', store).answer.text
    assert "Schedule 1, Part A." in text
    assert "Rolling Forecast" not in text


@pytest.mark.parametrize("term", ["Widget", "Good Industry Practice", "Force Majeure"])
def test_a_term_that_is_not_defined_is_said_to_be_not_defined(term: str, store: Path) -> None:
    """Another clause that holds the words is no definition."""
    answer = put(f'What does "{term}" mean?', store).answer
    assert answer.status == "not_found"
    assert f"does not define '{term}'" in answer.text


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is the price of spare parts?", "spare parts"),
        ("Who may order spare parts?", "spare parts"),
        ("How many working days are there in the year?", "working days"),
        ("Is the fee due in each Contract Year?", "Contract Year"),
    ],
)
def test_a_noun_of_asking_is_kept_in_a_name(question: str, name: str, store: Path) -> None:
    """Beside a content word, in a defined term, or where nothing else is left to search for."""
    words = put(question, store).question.keywords
    assert name in [word.text for word in words]
    assert name.rsplit(maxsplit=1)[-1] not in [word.text for word in words]
