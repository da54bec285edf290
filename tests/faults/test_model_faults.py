"""Everything a model can do wrong, over real HTTP through all four bricks: an honest record comes out every time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.generation import GenerationSettings
from pipeline.llm import Transcript
from pipeline.run import TRANSCRIPT, Run, ask
from pipeline.store.folders import open_store
from pipeline.store.runs import load_run
from tests.llm.doors import KEY, door
from tests.scripted_server import (
    Answer,
    Behaviour,
    Body,
    Drop,
    Malformed,
    Prose,
    Refusal,
    Script,
    ScriptedRequest,
    ScriptedServer,
    Slow,
    Status,
    Truncated,
    filled,
    ids_in,
)

QUESTION = "What is the liability cap?"
INVENTED = "p999_l1_l2"
TIMEOUT = 0.4  # seconds; a scripted server answers in milliseconds
QUICK = {"timeout_seconds": TIMEOUT, "max_attempts": 2}


def role(request: ScriptedRequest, **changes: Any) -> Any:
    """A good reply for whatever is asked, with a reason where one is due, changed by `changes`."""
    return filled(request, reason="it carries the clause", **changes)


def omit_all(request: ScriptedRequest) -> Any:
    """A reply that judges nothing."""
    return role(request, omit=ids_in(request.messages[1]["content"]))


def omit_first(request: ScriptedRequest) -> Any:
    """A reply that leaves one candidate out."""
    return role(request, omit=ids_in(request.messages[1]["content"])[:1])


def repeat_first(request: ScriptedRequest) -> Any:
    """A reply that judges one candidate twice."""
    return role(request, repeat=ids_in(request.messages[1]["content"])[:1])


def invent_one(request: ScriptedRequest) -> Any:
    """A reply that judges a candidate that is none."""
    return role(request, invent=[INVENTED])


FAULTS: dict[str, Script] = {
    "good": Answer(role),
    "malformed": Malformed(),
    "prose": Prose(),
    "truncated": Truncated(),
    "refusal": Refusal(),
    "empty object": Answer({}),
    "empty body": Body(b""),
    "a page of HTML": Body(b"<html>gateway</html>", "text/html"),
    "slow": Slow(30),
    "dropped": Drop(),
    "dropped half way": Drop(after=20),
    "rate limit": Status(429, retry_after=0),
    "server error": Status(500),
    "no right": Status(401),
    "no such model": Status(404),
    "too large": Status(400, "too long", "context_length_exceeded"),
    "omits one": Answer(omit_first),
    "omits all": Answer(omit_all),
    "repeats one": Answer(repeat_first),
    "invents one": Answer(invent_one),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for the module, so that the sample is parsed once."""
    return open_store(tmp_path_factory.mktemp("faults"))


def ask_model(project: Path, store: Path, script: Script, name: str, **traits: Any) -> tuple[Run, ScriptedServer]:
    """A run with a model that behaves by `script`; each with a transcript of its own, so no reply is remembered."""
    contract = project / "examples" / "supply_agreement.pdf"
    with ScriptedServer(script, **traits) as server, Transcript(store / f"{name}_{TRANSCRIPT}") as transcript:
        return ask(contract, QUESTION, store=store, llm=door(server, transcript, **QUICK)), server


def assert_honest(run: Run, server: ScriptedServer) -> None:
    """The record is whole, accounts for every candidate and every call, and publishes only what its lines prove."""
    saved = load_run(run.path)
    assert (saved.question, saved.retrieval, saved.answer) == (run.question, run.retrieval, run.answer)
    assert KEY.encode() not in b"".join(path.read_bytes() for path in run.path.iterdir())
    assert_no_candidate_is_lost(run, server)
    assert_quotes_are_lines(run)
    records = (run.question, run.retrieval, run.answer)
    uses = [use for record in records for use in record.model_uses]
    recorded = {call.call_key for call in run.trace.model_calls}
    for use in uses:
        assert set(use.call_keys) <= recorded
    failed = [use for use in uses if use.outcome == "failed"]
    assert len(failed) <= len(run.trace.downgrades)
    if server.requests:
        assert run.trace.model_calls
        assert uses


def assert_no_candidate_is_lost(run: Run, server: ScriptedServer) -> None:
    """Candidates in are candidates out, each with a role and a reason, and none is invented."""
    judged = {each.candidate_id for each in run.retrieval.provenances}
    assert INVENTED not in judged
    shown = [ids_in(r.messages[1]["content"]) for r in server.requests if "candidates>" in r.prompt and not r.is_repair]
    for ids in shown:
        assert set(ids) <= judged
    assert all(each.reason.strip() for each in run.retrieval.provenances)


def assert_quotes_are_lines(run: Run) -> None:
    """Every quote is the text of its lines, and every line is one of a kept candidate."""
    texts = dict(zip(run.document.line_df["line_id"], run.document.line_df["text"], strict=True))
    kept = {c.candidate_id: {line.line_id for line in c.lines} for c in run.retrieval.candidates}
    for item in run.answer.items:
        for span in item.spans:
            lines = [line for line in range(span.line_start, span.line_end + 1) if line in kept[span.candidate_id]]
            assert span.quote == "\n".join(texts[line] for line in lines)


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_ends_in_an_honest_record(project: Path, store: Path, name: str) -> None:
    """The same fault at every call: the answer is still one, what the model did is on record, nothing is lost."""
    run, server = ask_model(project, store, FAULTS[name], name.replace(" ", "_"))
    assert_honest(run, server)
    assert server.requests, "the model was asked"
    if name not in ("good", "omits one", "omits all", "repeats one", "invents one"):
        assert run.answer.answered_by == "rules"
        assert run.retrieval.arbiter == "rules"
        assert "2,500,000" in run.answer.text
        assert {step.stage for step in run.trace.downgrades} >= {"retrieval", "generation"}


@pytest.mark.parametrize("traits", [{"responses_api": "missing"}, {"responses_api": "unconstrained"}])
def test_a_server_without_the_responses_api_is_asked_by_chat(
    project: Path, store: Path, traits: dict[str, Any]
) -> None:
    """The same records come out of chat completions, and the trace says which API answered."""
    run, server = ask_model(project, store, Answer(role), f"chat_{traits['responses_api']}", **traits)
    assert_honest(run, server)
    assert run.retrieval.arbiter == "llm"
    assert "chat" in {call.api for call in run.trace.model_calls}


def test_the_calls_of_a_question_are_bounded(project: Path, store: Path) -> None:
    """Question and arbiter one call each, generation a passage a call up to its limit, at most one repair of each."""
    run, server = ask_model(project, store, Answer(role), "three_calls")
    first = [request for request in server.requests if not request.is_repair]
    assert len(first) <= 2 + GenerationSettings().model_calls
    assert len(server.requests) <= 2 * len(first)
    told = [use.purpose for record in (run.question, run.retrieval, run.answer) for use in record.model_uses]
    assert told[:2] == ["question", "arbiter"]
    assert set(told[2:]) == {"generation"}
    assert [call.from_cache for call in run.trace.model_calls] == [False] * len(server.requests)


def test_a_question_asked_again_costs_nothing(project: Path, store: Path) -> None:
    """The second run reads the transcript: no request, the same answer."""
    contract = project / "examples" / "supply_agreement.pdf"
    with ScriptedServer(Answer(role)) as server, Transcript(store / "again.sqlite") as transcript:
        first = ask(contract, QUESTION, store=store, llm=door(server, transcript, **QUICK))
        count = len(server.requests)
        second = ask(contract, QUESTION, store=store, llm=door(server, transcript, **QUICK))
        assert len(server.requests) == count
    assert second.answer == first.answer
    assert second.retrieval == first.retrieval
    assert all(call.from_cache for call in second.trace.model_calls)


def test_instructions_and_quotes_of_the_model_are_never_published_unchecked(project: Path, store: Path) -> None:
    """A model that claims a value that stands nowhere is overruled: the value is refused and kept for the auditor."""

    def lying(request: ScriptedRequest) -> Any:
        return json.loads(json.dumps(role(request)).replace('"as scripted"', '"EUR 9,999,999"'))

    run, server = ask_model(project, store, Answer(lying), "lying")
    assert_honest(run, server)
    assert "9,999,999" not in json.dumps([item.model_dump(mode="json") for item in run.answer.items])


def _bad_reply(changes: dict[str, list[int]]) -> Callable[[ScriptedRequest], Any]:
    def reply(request: ScriptedRequest) -> Any:
        ids = ids_in(request.messages[1]["content"])
        pick = {key: [ids[n % len(ids)] for n in numbers if ids] for key, numbers in changes.items()}
        return role(request, omit=pick["omit"], repeat=pick["repeat"], invent=[INVENTED] * len(changes["invent"]))

    return reply


BEHAVIOURS: st.SearchStrategy[Behaviour] = st.one_of(
    st.sampled_from(
        [Malformed(), Prose(), Truncated(), Refusal(), Drop(), Drop(after=9), Body(b""), Answer({}), Answer([]),
         Status(429, retry_after=0), Status(500), Status(400), Answer(role), Answer(invent_one), Answer(omit_all)]
    ),
    st.fixed_dictionaries({key: st.lists(st.integers(0, 9), max_size=4) for key in ("omit", "repeat", "invent")}).map(
        lambda changes: Answer(_bad_reply(changes))
    ),
)  # fmt: skip
count = iter(range(1_000_000))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=st.lists(BEHAVIOURS, min_size=1, max_size=8))
def test_no_sequence_of_faults_loses_or_invents_a_candidate(
    project: Path, store: Path, script: list[Behaviour]
) -> None:
    """Any mixture of good and bad replies, call after call: the account of candidates is always complete."""
    run, server = ask_model(project, store, script, f"mixture{next(count)}")
    assert_honest(run, server)
