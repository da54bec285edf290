"""One question to a model over real HTTP: what comes back, and what stands on record, whatever the server does."""

from __future__ import annotations

import hashlib
import json

import pytest

from pipeline.llm import ModelUseError, Prompt, Transcript
from schemas.errors import ModelReplyError, ModelUnavailableError
from tests.llm.dialects import reply_body
from tests.llm.doors import IDS, KEY, PROMPT, QUICK, Rulings, ask, door, good
from tests.scripted_server import (
    Answer,
    Body,
    Malformed,
    Prose,
    Refusal,
    ScriptedRequest,
    ScriptedServer,
    Status,
    Truncated,
    filled,
)


def test_a_good_reply_is_valid_at_once(transcript):
    """One request, a checked value, and a record of what was asked and what it took."""
    with ScriptedServer([Answer(filled)]) as server:
        reply = ask(door(server, transcript))
    assert [ruling.candidate_id for ruling in reply.value.rulings] == IDS
    (call,) = transcript.calls()
    use = reply.use
    assert (use.outcome, use.problems, use.purpose, use.model) == ("valid", (), "arbiter", "test-model")
    assert use.call_keys == (call.call_key,)
    assert use.prompt_name == "arbiter"
    assert use.prompt_sha256 == hashlib.sha256(b"Judge {ids}.").hexdigest()
    assert use.input_tokens == call.input_tokens > 0
    assert use.cached_tokens == call.cached_tokens == 1  # as the scripted server says
    assert use.output_tokens == call.output_tokens > 0


def test_the_request_is_deterministic_and_holds_no_optional_flag(transcript):
    """Temperature 0, the strict schema, the limit; nothing that a local server may refuse."""
    with ScriptedServer([Answer(good())]) as server:
        ask(door(server, transcript))
    body = server.requests[0].body
    assert set(body) == {"model", "input", "text", "max_output_tokens", "temperature"}
    assert body["temperature"] == 0
    assert body["text"]["format"]["strict"] is True
    assert [message["role"] for message in body["input"]] == ["system", "user"]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Malformed(), "not one complete JSON object"),
        (Prose(), "not one complete JSON object"),
        (Truncated(), "cut off"),
        (Refusal(), "refused"),
        (Answer({"rulings": [{"candidate_id": "p3_l7"}]}), "role"),
        (Answer(good("p1_l2_l4", "p3_l7", "p9_l9")), "p9_l9 is not a candidate"),
        (Answer(good("p1_l2_l4")), "p3_l7 is missing"),
        (Answer(good("p1_l2_l4", "p3_l7", "p3_l7")), "p3_l7 is repeated"),
        (Answer({"rulings": [{"candidate_id": "p3_l7", "role": "primary", "weight": 10}]}), "less than or equal to 9"),
        (Body(b"<html>login</html>", "text/html"), "no JSON object"),
        (Body(b'{"error": {"message": "overloaded"}}'), "overloaded"),
    ],
)
def test_an_invalid_reply_is_sent_back_once_with_its_problems(transcript, bad, said):
    """The repair holds the previous reply and what is wrong with it; a good one makes the outcome 'repaired'."""
    with ScriptedServer([bad, Answer(good())]) as server:
        reply = ask(door(server, transcript))
    assert reply.use.outcome == "repaired"
    assert reply.problems == ()
    assert any(said in problem for problem in reply.use.problems)
    assert len(set(reply.use.call_keys)) == 2
    first, repair = server.requests
    assert not first.is_repair
    assert [message["role"] for message in repair.messages] == ["system", "user"]
    assert repair.messages[0] == first.messages[0]
    request, again = repair.messages[1]["content"].split("\n\n---\n")
    assert request == first.messages[1]["content"]
    assert said in again
    if isinstance(bad, Malformed | Truncated | Refusal):
        assert f"<previous_reply>\n{bad.text}\n</previous_reply>" in again


def test_a_truncated_reply_gets_more_room(transcript):
    """The repair of a reply that was cut off may be longer, up to the limit of the settings."""
    with ScriptedServer([Truncated(), Answer(good())]) as server:
        ask(door(server, transcript, max_repair_output_tokens=500), max_output_tokens=200)
    assert [request.body["max_output_tokens"] for request in server.requests] == [200, 500]


def test_a_reply_as_long_as_the_limit_and_broken_off_counts_as_truncated(transcript):
    """Llama.cpp's Responses API says 'completed' all the same."""

    def cut(request: ScriptedRequest) -> Body:
        body = json.loads(reply_body(request, text='{"rulings": ['))
        body["usage"]["output_tokens"] = 200
        return Body(json.dumps(body).encode())

    with ScriptedServer(lambda request: Answer(good()) if request.is_repair else cut(request)) as server:
        reply = ask(door(server, transcript), max_output_tokens=200)
    assert "cut off" in reply.use.problems[0]
    assert [request.body["max_output_tokens"] for request in server.requests] == [200, 800]


def test_what_remains_wrong_after_the_repair_is_said(transcript):
    """A reply that fits the schema but not the check comes back as 'partial' with its problems."""
    with ScriptedServer([Answer(good("p1_l2_l4", "p9_l9")), Answer(good("p1_l2_l4"))]) as server:
        reply = ask(door(server, transcript))
    assert reply.use.outcome == "partial"
    assert reply.problems == ("p3_l7 is missing",)
    assert reply.use.problems[-1] == "after the repair: p3_l7 is missing"
    assert len(server.requests) == 2


@pytest.mark.parametrize("second", [Malformed(), Status(500), Answer(good("p9_l9"))])
def test_a_repair_that_is_worse_does_not_replace_the_first_reply(transcript, second):
    """The first reply fitted the schema: a useless repair must not lose it."""
    script = [Answer(good("p1_l2_l4")), *[second] * QUICK.max_attempts]
    with ScriptedServer(script) as server:
        reply = ask(door(server, transcript))
    assert reply.value == Rulings.model_validate(good("p1_l2_l4"))
    assert (reply.use.outcome, reply.problems) == ("partial", ("p3_l7 is missing",))


@pytest.mark.parametrize("bad", [Malformed(), Prose(), Truncated(), Refusal(), Answer([]), Body(b""), Body(b"[]")])
def test_two_bad_replies_are_the_end(transcript, bad):
    """Never more than one repair; the error carries an honest record of both calls."""
    with ScriptedServer(bad) as server, pytest.raises(ModelUseError) as caught:
        ask(door(server, transcript))
    assert isinstance(caught.value.__cause__, ModelReplyError)
    use = caught.value.use
    assert use.outcome == "failed"
    assert len(use.call_keys) == 2
    assert len(use.problems) == 2
    assert len(server.requests) == 2


def test_an_answered_call_is_never_paid_again(tmp_path):
    """The same question makes no request, in this process or the next, and gives the same record."""
    with ScriptedServer([Malformed(), Answer(filled)]) as server:
        with Transcript(tmp_path / "calls.sqlite") as transcript:
            first = ask(door(server, transcript))
            assert ask(door(server, transcript)) == first
        with Transcript(tmp_path / "calls.sqlite") as transcript:
            assert ask(door(None, transcript)) == first
            assert [call.from_cache for call in transcript.calls()] == [True, True]
    assert len(server.requests) == 2


def test_another_limit_prompt_or_schema_is_another_call(transcript):
    """The key covers all that may change the reply."""
    with ScriptedServer(Answer(good())) as server:
        model = door(server, transcript)
        ask(model)
        ask(model, max_output_tokens=201)
        ask(model, prompt=Prompt("arbiter", "t", "Another system.", PROMPT.user))
        ask(door(server, transcript, temperature=0.5))
    assert len(server.requests) == 4


def test_the_reply_is_on_record_before_it_is_parsed(tmp_path):
    """A crash in the check loses nothing that was paid for."""

    def crash(_: Rulings) -> list[str]:
        raise KeyboardInterrupt

    with ScriptedServer([Answer(good())]) as server:
        with Transcript(tmp_path / "calls.sqlite") as transcript, pytest.raises(KeyboardInterrupt):
            ask(door(server, transcript), check=crash)
        with Transcript(tmp_path / "calls.sqlite") as transcript:
            reply = ask(door(None, transcript))
    assert reply.use.outcome == "valid"
    assert len(server.requests) == 1


def test_the_transcript_holds_the_reply_verbatim(transcript):
    """Also a reply that is no JSON: the body as it came."""
    with (
        ScriptedServer([Body(b'{"choices": "\xff\xfe"'), Body(b"second \x00")]) as server,
        pytest.raises(ModelUseError),
    ):
        ask(door(server, transcript))
    assert [call.reply for call in transcript.calls()] == ['{"choices": "\\xff\\xfe"', "second \x00"]


def test_a_replay_sends_nothing_and_gives_the_same(tmp_path):
    """Offline, answered and failed calls come from the transcript; the key and the server are not needed."""
    path = tmp_path / "calls.sqlite"
    other = Prompt("arbiter", "t", "s", "Something else.")
    with ScriptedServer([Malformed(), Answer(filled), *[Status(500)] * 4]) as server, Transcript(path) as transcript:
        live = ask(door(server, transcript))
        with pytest.raises(ModelUseError) as failed:
            ask(door(server, transcript), prompt=other)
    with Transcript(path, offline=True) as transcript:
        assert ask(door(None, transcript)) == live
        with pytest.raises(ModelUseError) as replayed:
            ask(door(None, transcript), prompt=other)
        assert replayed.value.use == failed.value.use
        with pytest.raises(ModelUseError, match="not in the transcript") as missing:
            ask(door(None, transcript), prompt=Prompt("arbiter", "t", "s", "Never asked."))
    assert isinstance(missing.value.__cause__, ModelUnavailableError)
    assert missing.value.use.call_keys == ()


@pytest.mark.parametrize(
    "text",
    [
        "```json\n{json}\n```",
        "Here it is:\n```\n{json}\n```\nAnything else?",
        "<think>First {{ then }}</think>\n{json}",
        "thoughts without an opening tag</think>{json}",
    ],
)
def test_fences_and_thoughts_around_the_json_are_tolerated(transcript, text):
    """Local models think aloud and fence; the raw reply is stored all the same."""
    said = text.replace("{json}", json.dumps(good()))
    with ScriptedServer([Malformed(said)]) as server:
        assert ask(door(server, transcript)).use.outcome == "valid"
    assert json.dumps(said)[1:-1] in str(transcript.calls()[0].reply)


def test_a_tag_that_a_reply_quotes_is_left_alone(transcript):
    """A document may hold any words; JSON that begins at once is taken whole."""
    content = {"rulings": [{"candidate_id": one, "role": "says </think> ```x```", "weight": 1} for one in IDS]}
    with ScriptedServer([Answer(content)]) as server:
        assert ask(door(server, transcript)).value.rulings[0].role == "says </think> ```x```"


def test_lone_surrogates_of_a_broken_document_do_not_break_a_call(transcript):
    """They are sent as '?', in the prompt and in the repair."""
    prompt = Prompt("arbiter", "t\ud800", "s", "Judge \udcff p1_l2_l4 and p3_l7.")
    with ScriptedServer([Malformed('{"rulings": "\ud800"}'), Answer(good())]) as server:
        assert ask(door(server, transcript), prompt=prompt).use.outcome == "repaired"
    assert "Judge ? p1_l2_l4" in server.requests[0].prompt


def test_neither_key_nor_address_is_on_record(tmp_path):
    """The transcript can be handed to an auditor as it is."""
    path = tmp_path / "calls.sqlite"
    script = [Status(401, f"Incorrect key {KEY}"), Answer(good())]
    with ScriptedServer(script) as server, Transcript(path) as transcript:
        with pytest.raises(ModelUseError):
            ask(door(server, transcript))
        ask(door(server, transcript))
    stored = path.read_bytes()
    assert KEY.encode() not in stored
    assert server.base_url.encode() not in stored
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
