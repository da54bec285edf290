"""Whatever a server does, in whatever order: a checked reply or an error, each with an honest record."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.llm import ModelUseError, Transcript
from schemas.errors import ModelError
from tests.llm.doors import IDS, Rulings, accounts, ask, door, good
from tests.scripted_server import Answer, Body, Drop, Malformed, Prose, Refusal, ScriptedServer, Status, Truncated

ANSWERS = st.lists(st.sampled_from([*IDS, "p9_l9", ""]), max_size=4).map(lambda ids: Answer(good(*ids)))
BEHAVIOURS = st.one_of(
    ANSWERS,
    st.sampled_from([Malformed(), Malformed("{}"), Malformed("null"), Prose(), Truncated(), Refusal(), Drop()]),
    st.sampled_from([400, 401, 403, 404, 405, 409, 413, 418, 422, 429, 500, 501, 503]).map(Status),
    st.sampled_from(["temperature", "max_output_tokens", "max_tokens"]).map(
        lambda name: Status(400, f"Unsupported parameter: '{name}'", "unsupported_parameter", name)
    ),
    st.integers(1, 9).map(Drop),
    st.binary(max_size=40).map(Body),
    st.recursive(st.none() | st.text(max_size=5) | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["output", "choices", "message", "content", "usage", "error", "type", "status"]), inner
    ), max_leaves=8).map(lambda value: Body(json.dumps(value).encode())),
)  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    script=st.lists(BEHAVIOURS, min_size=1, max_size=8),
    api=st.sampled_from(["full", "missing", "unconstrained"]),
    chat=st.booleans(),
)
def test_every_fault_ends_in_a_reply_or_an_error_with_an_honest_record(script, api, chat):
    """No other error, at most one repair, all tokens counted, nothing claimed that did not happen."""
    with (
        ScriptedServer(script, responses_api=api, chat_api=chat) as server,
        Transcript(None) as transcript,
    ):
        model = door(server, transcript, first_delay_seconds=0, max_attempts=2)
        reply, use, cause = None, None, None
        try:
            reply = ask(model)
            use = reply.use
        except ModelUseError as error:
            use, cause = error.use, error.__cause__
        if reply is None:
            assert isinstance(cause, ModelError)
            assert use.outcome == "failed"
            assert use.problems
        else:
            assert isinstance(reply.value, Rulings)
            assert list(reply.problems) == accounts(reply.value)
            assert use.outcome == ("partial" if reply.problems else "repaired" if use.problems else "valid")
        calls = transcript.calls()
    answered = [call for call in calls if call.status == "answered"]
    assert len(answered) <= 2
    assert (use.input_tokens, use.output_tokens) == (
        sum(call.input_tokens for call in answered),
        sum(call.output_tokens for call in answered),
    )
    assert list(use.call_keys) == list(dict.fromkeys(call.call_key for call in calls))
    assert sum(call.attempts for call in calls) == len(server.requests)
