"""Model calls of a batch: one keeper sends them, within budget and pace, and no kill makes one be paid twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.batch.calls.prices import Price, price_of
from pipeline.batch.calls.purse import Purse, most_tokens
from pipeline.batch.calls.rates import Rates
from pipeline.batch.results import Facts, write_results
from pipeline.batch.running import Listening, Outcome, run_batch
from pipeline.llm.wire import Question, Usage
from schemas.batch import Budget
from schemas.errors import BudgetError, SettingsError
from tests.batch.small import Here, put_collection, wanted
from tests.scripted_server import Answer, ScriptedRequest, ScriptedServer, Slow, Status, filled

PRICE = Price(1.0, 2.0, "USD", "a test")
KILLS = int(os.environ.get("LINEPROOF_BATCH_KILLS", "6"))
SEED = 20_261_201
ROOT = Path(__file__).resolve().parents[2]


def question(text: str = "x" * 1_000, *, most: int = 500) -> Question:
    """A question to a model."""
    return Question("m", ({"role": "user", "content": text},), "s", {}, most, 0.0)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The environment of a model whose server a test starts."""
    monkeypatch.setenv("LINEPROOF_MODEL", "scripted")
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-of-the-tests")
    monkeypatch.setenv("LINEPROOF_PRICE_INPUT", "1")
    monkeypatch.setenv("LINEPROOF_PRICE_OUTPUT", "2")
    return monkeypatch


def reply(request: ScriptedRequest) -> Answer:
    """A good reply to any request."""
    return Answer(filled)


def run(docs: Path, store: Path, **changes: object) -> Outcome:
    """The batch with the model of the environment."""
    return run_batch(wanted(docs, store, use_model=True, **changes), Here(), Listening())


def book(outcome: Outcome) -> bytes:
    """The results as JSON lines: what must not change."""
    return write_results("r.jsonl", outcome.request, outcome.cells, Facts(outcome.batch))


def test_the_sweep_answers_what_is_absent_without_a_call(tmp_path: Path, model: pytest.MonkeyPatch) -> None:
    """Only cells where rules found something are asked of the model, and what was asked is counted."""
    with ScriptedServer(reply) as server:
        model.setenv("OPENAI_BASE_URL", server.base_url)
        outcome = run(put_collection(tmp_path / "docs"), tmp_path / "store")
        served = len(server.requests)
    by_question = {(cell.question_id, cell.answered_by, cell.cost.calls) for one in outcome.cells for cell in one.cells}
    assert all(calls == 0 for name, _, calls in by_question if name == "insurance")
    assert any(by == "llm" or calls > 0 for name, by, calls in by_question if name == "law")
    assert outcome.spent.calls == served > 0
    again = run(tmp_path / "docs", tmp_path / "store")
    assert again.spent.calls == served
    assert book(again) == book(outcome)


def test_a_budget_stops_before_it_is_exceeded(tmp_path: Path, model: pytest.MonkeyPatch) -> None:
    """Finished cells are saved, the rest is marked with the reason, and the next session goes on."""
    docs = put_collection(tmp_path / "docs", 4)
    with ScriptedServer(reply) as server:
        model.setenv("OPENAI_BASE_URL", server.base_url)
        first = run(docs, tmp_path / "store", budget=Budget(max_calls=3))
        assert len(server.requests) <= 3
        assert first.stopped_because is not None
        waiting = [cell for one in first.cells for cell in one.cells if cell.status == "not_asked"]
        assert waiting
        assert all("budget of 3 calls" in cell.text for cell in waiting)
        assert any(cell.status == "not_found" for one in first.cells for cell in one.cells)
        assert run(docs, tmp_path / "store", budget=Budget(amount=0.0)).by_status["not_asked"] == len(waiting)
        assert len(server.requests) <= 3
        ended = run(docs, tmp_path / "store")
        assert "not_asked" not in ended.by_status
        other = run(docs, tmp_path / "other")
    assert book(ended) == book(other)


def test_a_budget_without_a_known_price_is_refused(tmp_path: Path, model: pytest.MonkeyPatch) -> None:
    """Money cannot be kept within a limit where nobody knows the price."""
    model.delenv("LINEPROOF_PRICE_INPUT")
    model.delenv("LINEPROOF_PRICE_OUTPUT")
    model.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(SettingsError, match="price is not known"):
        run(put_collection(tmp_path / "docs"), tmp_path / "store", budget=Budget(amount=1.0))


@given(
    st.lists(st.tuples(st.integers(0, 3_000), st.integers(1, 2_000), st.integers(0, 100), st.booleans()), max_size=30),
    st.floats(0, 0.02),
)
def test_what_is_spent_never_exceeds_the_budget(steps: list[tuple[int, int, int, bool]], amount: float) -> None:
    """Whatever is asked in whatever order, spent money stays within the budget while servers keep to the limits."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spending.jsonl"
        purse = Purse(path, Budget(amount=amount), PRICE)
        for size, most, share, is_lost in steps:
            asked = question("x" * size, most=most)
            try:
                one = purse.reserve(asked)
            except BudgetError:
                continue
            usage = Usage(input_tokens=size * share // 100, output_tokens=most * share // 100)
            purse.settle(one, None if is_lost else usage, may_be_paid=is_lost)
        spent = purse.spent()
        assert (spent.amount or 0.0) <= amount + 1e-6
        assert Purse(path, Budget(amount=amount), PRICE).spent() == spent


def test_a_killed_purse_counts_what_was_on_its_way(tmp_path: Path) -> None:
    """A call that was set aside and never settled counts at its most; a torn line counts for nothing."""
    path = tmp_path / "spending.jsonl"
    purse = Purse(path, Budget(), PRICE)
    one = purse.reserve(question())
    with path.open("ab") as file:
        file.write(b'{"reserve": 2, "inp')
    again = Purse(path, Budget(), PRICE)
    assert again.spent().calls == 1
    assert again.spent().amount == pytest.approx(one.amount)
    again.settle(again.reserve(question()), Usage(10, 0, 5), may_be_paid=False)
    assert Purse(path, Budget(), PRICE).spent().calls == 2


def test_no_token_is_shorter_than_a_byte() -> None:
    """The most tokens of a request are its bytes, also in other scripts."""
    assert most_tokens(question("日本語")) >= 9


def test_a_refusal_slows_everyone_down() -> None:
    """After a 429 nothing is sent for as long as the server asks, then at half the pace, which rises with replies."""
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    rates = Rates(60, None, clock=lambda: now[0], sleep=sleep)
    assert rates.wait(1) == 0
    assert rates.wait(1) == pytest.approx(1.0)
    rates.refused(7.0)
    assert rates.slowed() is not None
    assert rates.wait(1) == pytest.approx(7.0)
    assert rates.wait(1) == pytest.approx(2.0)
    for _ in range(5):
        rates.replied()
    assert rates.slowed() is None
    rates.wait(1)
    assert rates.wait(1) == pytest.approx(1.0)


def test_tokens_a_minute_are_kept() -> None:
    """A request of half a minute's tokens makes the next wait half a minute."""
    now = [0.0]
    rates = Rates(None, 1_000, clock=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds))
    assert rates.wait(500) == 0
    assert rates.wait(500) == pytest.approx(30.0)


def test_a_refused_request_is_tried_again_by_the_keeper(tmp_path: Path, model: pytest.MonkeyPatch) -> None:
    """A 429 costs a try, not a cell."""
    seen = [0]

    def refuse_second(request: ScriptedRequest) -> Answer | Status:
        seen[0] += 1
        return Status(429, retry_after=0) if seen[0] == 2 else reply(request)

    with ScriptedServer(refuse_second) as server:
        model.setenv("OPENAI_BASE_URL", server.base_url)
        outcome = run(put_collection(tmp_path / "docs", 1), tmp_path / "store")
        assert outcome.spent.calls == len(server.requests)
    assert not any(cell.downgrades for one in outcome.cells for cell in one.cells)


def test_prices_have_a_date_and_can_be_overridden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest fitting name counts; a file and the environment win over the shipped list."""
    mini, large = price_of("gpt-4o-mini-2024-07-18"), price_of("gpt-4o-2024-08-06")
    assert mini is not None
    assert large is not None
    assert mini.input < large.input
    assert "20" in mini.source
    assert price_of("a-model-of-nobody") is None
    path = tmp_path / "prices.toml"
    path.write_text('date="2026-01-01"\nsource="ours"\n[[price]]\nmodel="m"\ninput=1\noutput=2\ncurrency="EUR"\n')
    own = price_of("m", file=path)
    assert own is not None
    assert own.of(1_000_000, 500_000) == 2.0
    path.write_text("nothing")
    with pytest.raises(SettingsError, match="list of prices"):
        price_of("m", file=path)


PROGRAM = """
import sys
from pathlib import Path
from pipeline.batch.engines import LocalExecutor
from pipeline.batch.running import Listening, run_batch
from tests.batch.small import wanted
run_batch(wanted(Path(sys.argv[1]), Path(sys.argv[2]), use_model=True), LocalExecutor(2), Listening())
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX matter")
def test_nothing_is_paid_twice_whatever_is_killed(tmp_path: Path, model: pytest.MonkeyPatch) -> None:
    """Killed at random moments: calls served are calls needed, and the results those of a calm run."""
    docs, moments = put_collection(tmp_path / "docs", 6), random.Random(SEED)  # noqa: S311 - moments, not secrets

    def take_time(request: ScriptedRequest) -> Slow:
        return Slow(0.05, reply(request))

    with ScriptedServer(take_time) as server:
        model.setenv("OPENAI_BASE_URL", server.base_url)
        calm = run(docs, tmp_path / "calm")
        needed = [json.dumps(one.body, sort_keys=True) for one in server.requests]
        server.requests.clear()
        for _ in range(KILLS):
            process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, str(docs), str(tmp_path / "store")], cwd=ROOT, stdout=subprocess.DEVNULL
            )
            time.sleep(moments.uniform(2.0, 7.0))
            victims = [process.pid, *_children_of(process.pid)] if moments.random() < 0.5 else [process.pid]
            for pid in victims:
                _kill(pid)
            process.wait()
        ended = run(docs, tmp_path / "store")
        served = [json.dumps(one.body, sort_keys=True) for one in server.requests]
    assert sorted(served) == sorted(needed)
    assert ended.spent.calls == len(needed)
    assert book(ended) == book(calm)


def _children_of(pid: int) -> list[int]:
    """The workers of a batch; the keeper, which is to survive, is in a session of its own."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and int(fields[3]) != int(path.parent.name):
            found.append(int(path.parent.name))
    return found


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
