"""Servers as they are: without one API or the other, choosy about parameters, busy, slow, broken, or not there."""

from __future__ import annotations

import pytest

from pipeline.llm import ModelUseError, Prompt
from schemas.errors import ModelUnavailableError, PromptTooLargeError
from tests.llm.doors import KEY, ask, door, good
from tests.scripted_server import (
    Answer,
    Drop,
    Malformed,
    ScriptedServer,
    Slow,
    Status,
    filled,
)


def test_without_a_responses_api_chat_completions_are_used_and_remembered(transcript):
    """The 404 costs one request in the life of a model, not one a call."""
    with ScriptedServer(Answer(filled), responses_api="missing") as server:
        model = door(server, transcript)
        assert ask(model).use.outcome == "valid"
        assert ask(model, prompt=Prompt("arbiter", "t", "s", "Judge p1_l2_l4 or p3_l7.")).use.outcome == "valid"
    assert [request.api for request in server.requests] == ["responses", "chat", "chat"]
    assert server.requests[1].body["response_format"]["type"] == "json_schema"
    assert server.requests[1].body["max_tokens"] == 200


@pytest.mark.parametrize("status", [405, 501])
def test_other_signs_of_a_missing_responses_api(transcript, status):
    """405 and 501 mean the same as 404."""
    with ScriptedServer(lambda request: Status(status) if request.api == "responses" else Answer(good())) as server:
        assert ask(door(server, transcript)).use.outcome == "valid"
    assert [request.api for request in server.requests] == ["responses", "chat"]


def test_a_responses_api_that_ignores_the_schema_is_noticed(transcript):
    """Prose over /responses (llama.cpp) is repaired over chat completions, and later calls go there at once."""
    with ScriptedServer(Answer(filled), responses_api="unconstrained") as server:
        model = door(server, transcript)
        assert ask(model).use.outcome == "repaired"
        assert ask(model, prompt=Prompt("arbiter", "t", "s", "Judge p1_l2_l4 or p3_l7.")).use.outcome == "valid"
    assert [request.api for request in server.requests] == ["responses", "chat", "chat"]


def test_a_model_that_is_no_better_over_chat_keeps_the_responses_api(transcript):
    """Malformed replies on both sides are the model's fault: the preference does not change."""
    with ScriptedServer(Malformed()) as server:
        model = door(server, transcript)
        for words in ("Judge p1_l2_l4.", "Judge p3_l7."):
            with pytest.raises(ModelUseError):
                ask(model, prompt=Prompt("arbiter", "t", "s", words))
    assert [request.api for request in server.requests] == ["responses", "chat", "responses", "chat"]


def test_a_server_with_the_responses_api_alone_gets_the_repair_there(transcript):
    """Where chat completions are missing, a malformed reply is repaired over the Responses API."""
    with ScriptedServer([Malformed(), Answer(good())], chat_api=False) as server:
        assert ask(door(server, transcript)).use.outcome == "repaired"
    assert [request.api for request in server.requests] == ["responses", "chat", "responses"]


@pytest.mark.parametrize(
    "passing", [Status(429, retry_after=0), Status(500), Status(503), Status(408), Drop(), Drop(9)]
)
def test_passing_trouble_is_ridden_out(transcript, passing):
    """429, 5xx and broken connections are tried again; the attempts are on record."""
    with ScriptedServer([passing, passing, Answer(good())]) as server:
        assert ask(door(server, transcript)).use.outcome == "valid"
    (call,) = transcript.calls()
    assert call.attempts == 3


def test_a_slow_server_is_a_time_out_and_tried_again(transcript):
    """Silence longer than the time-out is a failed attempt like any other."""
    with ScriptedServer([Slow(9), Answer(good())]) as server:
        assert ask(door(server, transcript, timeout_seconds=0.2)).use.outcome == "valid"
    assert transcript.calls()[0].attempts == 2


def test_retry_after_is_honoured_and_capped(transcript, monkeypatch):
    """The server's wait replaces ours, but never beyond the limit of the settings; without one the wait doubles."""
    waits: list[float] = []
    monkeypatch.setattr("pipeline.llm.delivery.time.sleep", waits.append)
    trouble = [
        Status(429, retry_after=0.02),
        Status(429, retry_after=3600),
        Status(503),
        Status(503, retry_after="soon"),
    ]
    with ScriptedServer([*trouble, Answer(good())]) as server:
        ask(door(server, transcript, max_attempts=5, first_delay_seconds=0.001))
    assert waits == [0.02, 0.05, 0.004, 0.008]


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (Status(429), "asked too often"),
        (Status(500), "failed (500)"),
        (Drop(), "no connection"),
        (Slow(9), "did not answer within"),
    ],
)
def test_lasting_trouble_ends_in_an_honest_error(transcript, trouble, said):
    """After all attempts the call is on record as failed, and is no answer for a later run."""
    with ScriptedServer(trouble) as server, pytest.raises(ModelUseError, match="arbiter call") as caught:
        ask(door(server, transcript, timeout_seconds=0.1, max_attempts=2))
    assert isinstance(caught.value.__cause__, ModelUnavailableError)
    assert said in str(caught.value)
    (call,) = transcript.calls()
    assert (call.status, call.reply, call.attempts) == ("failed", None, 2)
    assert caught.value.use.call_keys == (call.call_key,)
    assert transcript.lookup(call.call_key) is None


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status(400, "bad request"), "refused the request (400)"),
        (Status(401, f"Incorrect API key provided: {KEY}."), "check OPENAI_API_KEY"),
        (Status(403, f"Key {KEY} has no access"), "may not use the model test-model"),
        (Status(404, "The model `test-model` does not exist", "model_not_found"), "no model test-model"),
        (Status(429, "You exceeded your quota", "insufficient_quota"), "no quota left"),
    ],
)
def test_what_no_retry_would_cure_fails_at_once(transcript, status, said):
    """One request, a message that says what to do, and the key nowhere."""
    with ScriptedServer(status) as server, pytest.raises(ModelUseError) as caught:
        ask(door(server, transcript))
    assert len(server.requests) == 1
    assert said in str(caught.value)
    assert KEY not in str(caught.value) + repr(caught.value.use) + repr(transcript.calls())


def test_an_address_with_neither_api_says_so(transcript):
    """A wrong OPENAI_BASE_URL is named as such."""
    with (
        ScriptedServer([], responses_api="missing", chat_api=False) as server,
        pytest.raises(ModelUseError, match="OPENAI_BASE_URL ends"),
    ):
        ask(door(server, transcript))
    assert [request.api for request in server.requests] == ["responses", "chat"]


def test_nobody_listening_is_said(transcript):
    """No server at all."""
    with pytest.raises(ModelUseError, match="no connection to the model server"):
        ask(door(None, transcript, max_attempts=1))


@pytest.mark.parametrize(
    "status",
    [
        Status(400, "Your input exceeds the context window of this model.", "context_length_exceeded"),
        Status(
            400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
        ),
        Status(400, "the request exceeds the available context size, try increasing it"),
        Status(500, "the request exceeds the available context size"),
        Status(413, "Payload Too Large"),
    ],
)
def test_a_prompt_beyond_the_window_is_never_retried(transcript, status):
    """Whatever the wording of the server."""
    with ScriptedServer(status) as server, pytest.raises(ModelUseError) as caught:
        ask(door(server, transcript))
    assert isinstance(caught.value.__cause__, PromptTooLargeError)
    assert len(server.requests) == 1


def test_a_prompt_beyond_the_limit_of_the_settings_is_never_sent(transcript):
    """Four characters a token; nothing is on record, because nothing was sent."""
    prompt = Prompt("arbiter", "t", "s", "x" * 4_000)
    with ScriptedServer([]) as server, pytest.raises(ModelUseError, match="max_input_tokens is 900") as caught:
        ask(door(server, transcript, max_input_tokens=900), prompt=prompt)
    assert isinstance(caught.value.__cause__, PromptTooLargeError)
    assert caught.value.use.call_keys == ()
    assert (server.requests, transcript.calls()) == ([], ())


def test_parameters_that_a_model_refuses_are_left_out_and_that_is_recorded(transcript):
    """Reasoning models refuse the temperature, local ones this or that limit: dropped once, remembered."""
    refused = ("temperature", "max_tokens", "max_output_tokens")
    with ScriptedServer(Answer(filled), refused_parameters=refused, responses_api="missing") as server:
        model = door(server, transcript)
        ask(model)
        ask(model, prompt=Prompt("arbiter", "t", "s", "Judge p1_l2_l4 or p3_l7."))
    assert [request.api for request in server.requests] == ["responses", "chat", "chat", "chat", "chat"]
    assert server.requests[-1].body["max_completion_tokens"] == 200
    assert "temperature" not in server.requests[-1].body
    assert transcript.calls()[-1].request["left_out"] == ["temperature", "max_tokens"]
    assert "temperature" in str(transcript.calls()[1].error)


def test_a_server_that_is_down_is_tried_in_full_once_and_then_once_a_call(transcript):
    """A dead server costs one round of waiting, not one a call; when it is back, retries are back too."""
    faults = [Status(500)] * 4 + [Status(500), Answer(filled), Status(500), Answer(filled)]
    with ScriptedServer(faults) as server:
        model = door(server, transcript, max_attempts=4)
        for words in ("Judge p1_l2_l4.", "Judge p3_l7."):
            with pytest.raises(ModelUseError):
                ask(model, prompt=Prompt("arbiter", "t", "s", words))
        assert len(server.requests) == 5
        assert ask(model, prompt=Prompt("arbiter", "t", "s", "Judge p1_l2_l4 and p3_l7.")).use.outcome == "valid"
        assert ask(model, prompt=Prompt("arbiter", "t", "s", "Judge p1_l2_l4 or p3_l7.")).use.outcome == "valid"
    assert len(server.requests) == 8


def test_a_time_out_is_tried_once_more_and_no_oftener(transcript):
    """Each time-out costs its full wait: two are enough to know."""
    with ScriptedServer(Slow(9)) as server, pytest.raises(ModelUseError, match="did not answer within"):
        ask(door(server, transcript, timeout_seconds=0.1, max_attempts=4))
    assert [call.attempts for call in transcript.calls()] == [2]
