"""Further passes: a cut list, a definition two hops away, a footnote; few, on record, and none without a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pipeline import looping
from pipeline.looping import Reading
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.run import Run, ask
from pipeline.searching import Searching
from pipeline.triggers import Step
from schemas.answer import Amount, Answer, TextValue
from schemas.audit import ModelUse

FILL = "The parties cooperate in good faith and keep each other informed of all matters of importance."
FIRST = [
    "#SERVICES AGREEMENT",
    'This Services Agreement is made on 1 March 2024 between Alpha Ltd ("Supplier") and',
    'Beta Inc. ("Client").',
    "#1. Definitions",
    '"Renewal Term" has the meaning set forth in Section 3.',
    '"Service Credit" has the meaning given in Section 4.',
    "#2. Events of default",
    "Either party may terminate this agreement on any of the following five events of default:",
    "(a) a material breach that is not remedied within thirty days of notice;",
    "(b) the insolvency of the other party;",
    "(c) a change of control of the other party;",
]
SECOND = [
    "(d) the loss of a licence that is needed to perform the services; and",
    "(e) a breach of the anti-corruption laws that apply to either party.",
    "#3. Term and renewal",
    "This agreement continues for three years and then renews for successive periods of one",
    'year each (each a "Renewal Term").',
    "#4. Reductions",
    "Each reduction is as described in Section 5.",
    "#5. Missed levels",
    "The monthly fee falls by two per cent for each service level that was missed.",
    "#6. Deposit",
    "The Client pays a deposit on signature.1",
    *[FILL] * 3,
    "^1 The deposit amounts to EUR 2,500 and bears no interest.",
]


@pytest.fixture(scope="module")
def agreement(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pages, a list parted by the page."""
    return write_pdf(tmp_path_factory.mktemp("looping") / "agreement.pdf", [FIRST, SECOND])


def write_pdf(path: Path, pages: Sequence[Sequence[str]]) -> Path:
    """A PDF of these lines; '#' opens a heading, '^' a footnote at the foot of its page."""
    import pymupdf

    pdf = pymupdf.open()
    for texts in pages:
        page, y = pdf.new_page(), 72
        for text in texts:
            size = {"#": 13, "^": 8}.get(text[0], 11)
            font = "hebo" if text[0] == "#" else "helv"
            place = (72, 760) if text[0] == "^" else (72, y)
            page.insert_text(place, text.lstrip("#^"), fontsize=size, fontname=font)
            y += 18
    pdf.save(path)
    return path


def asked(path: Path, text: str, store: Path, *, characters: int = 3_000) -> Run:
    """The run of a question; `characters` is the longest context of a passage."""
    return ask(path, text, store=store, searching=Searching(RetrievalSettings(context_characters=characters)))


def words(run: Run) -> list[str]:
    """The items in words."""
    return [item.value.text for item in run.answer.items if isinstance(item.value, TextValue)]


def test_a_list_across_a_page_break_is_whole(agreement: Path, tmp_path: Path) -> None:
    """Five are stated, five are given, three on one page and two on the next, in one pass."""
    run = asked(agreement, "What are the events of default?", tmp_path)
    assert [(item.label, item.spans[0].page_start) for item in run.answer.items] == [
        ("(a)", 1), ("(b)", 1), ("(c)", 1), ("(d)", 2), ("(e)", 2)
    ]  # fmt: skip
    assert (run.answer.status, run.answer.completeness.complete, run.answer.history) == ("answered", True, ())


def test_a_cut_list_is_read_on(agreement: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The context ends inside the list: the next pass reads on, its history says why, and the trace has it."""
    monkeypatch.setattr("pipeline.generation.listing.tail_after", lambda *_: [])  # no other passage goes on with it
    run = asked(agreement, "What are the events of default?", tmp_path, characters=330)
    assert [item.label for item in run.answer.items] == ["(a)", "(b)", "(c)", "(d)", "(e)"]
    assert (run.answer.status, run.answer.completeness.complete) == ("answered", True)
    assert {one.action for one in run.answer.history if one.kept} == {"widen"}
    assert not run.answer.exhausted
    stages = [stage for stage in run.trace.stages if stage.stage == "loop"]
    assert len(stages) == len(run.answer.history)
    assert stages[-1].output_sha256["answer.json"] == run.answer.content_sha256()
    assert stages[-1].output_sha256["retrieval_result.json"] == run.retrieval.content_sha256()
    first = next(stage for stage in run.trace.stages if stage.stage == "generation")
    assert "answer.json" not in first.output_sha256


def test_a_definition_two_hops_away_is_followed(agreement: Path, tmp_path: Path) -> None:
    """1 points to 4, 4 points to 5: the answer stands in 5, the way is on record, the pointing clause supports it."""
    run = asked(agreement, "What does 'Service Credit' mean?", tmp_path)
    (text,) = words(run)
    assert text == "The monthly fee falls by two per cent for each service level that was missed."
    assert [(one.action, one.kept) for one in run.answer.history] == [("two_hop", True), ("two_hop", True)]
    assert "Section 5" in run.answer.history[1].detail
    assert sum("only points to the place" in caveat for caveat in run.answer.caveats) == 2
    cited = run.answer.items[0].spans[0].candidate_id
    best = run.retrieval.candidates[0]
    assert (best.candidate_id, best.role) == (cited, "primary")
    assert best.reference_path


def test_an_answer_in_a_footnote_is_found(agreement: Path, tmp_path: Path) -> None:
    """The sum stands in the note alone."""
    value = asked(agreement, "How much is the deposit?", tmp_path).answer.items[0].value
    assert isinstance(value, Amount)
    assert value.original == "EUR 2,500"


def test_without_a_reason_there_is_no_further_pass(agreement: Path, tmp_path: Path) -> None:
    """A plain answer has no history and no stage of it; the same bytes come out again."""
    one, again = (asked(agreement, "What does 'Renewal Term' mean?", tmp_path / name) for name in ("a", "b"))
    assert one.answer.to_json() == again.answer.to_json()
    plain = asked(agreement, "How long does the agreement continue?", tmp_path / "a")
    assert plain.answer.history == ()
    assert "loop" not in [stage.stage for stage in plain.trace.stages]


def test_a_proven_absence_is_never_tried_again(agreement: Path, tmp_path: Path) -> None:
    """What the exhaustive vocabulary denies stays denied."""
    answer = asked(agreement, "Is there a most favoured nation clause?", tmp_path).answer
    assert (answer.status, answer.history, answer.exhausted) == ("not_found", (), False)


def test_further_passes_end_with_the_budget_of_calls(
    agreement: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two passes of three calls each use it up: what is left to try is not tried, and the answer says so."""
    run = asked(agreement, "What is the Renewal Term?", tmp_path)
    calls = iter(range(100))

    def generated(*_: object, **__: object) -> Answer:
        keys = tuple(f"call {next(calls)}" for _ in range(3))
        use = ModelUse(
            purpose="generation", model="m", prompt_name="answer", prompt_sha256="0" * 64, call_keys=keys,
            input_tokens=1, output_tokens=1, outcome="valid",
        )  # fmt: skip
        return run.answer.model_copy(update={"model_uses": (use,), "history": ()})

    def triggered(*_: object) -> Iterator[Step]:
        for number in range(9):
            found = run.retrieval.model_copy(update={"candidates": run.retrieval.candidates[: number % 2]})
            yield Step("cut", "widen", f"step {number}", ("step", str(number)), lambda found=found: found)  # type: ignore[misc]

    monkeypatch.setattr(looping, "generate", generated)
    monkeypatch.setattr(looping, "triggered", triggered)
    reading, stages = looping.look_again(
        run.document, run.question, Reading(run.retrieval, run.answer), searching=Searching()
    )
    assert len(reading.answer.history) == len(stages) == looping.MAX_CALLS // 3
    assert reading.answer.exhausted
    assert sum(len(use.call_keys) for use in reading.answer.model_uses) == looping.MAX_CALLS
