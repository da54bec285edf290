"""What a question says of where, when and how is no word of its topic, and a limit that cannot be met is told."""

from __future__ import annotations

from pathlib import Path

import pytest

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
