"""An embedder behind /v1/embeddings: what is sent, what is checked, how often it is tried, and what is said."""

from __future__ import annotations

import json

import numpy as np
import openai
import pytest

from pipeline.embeddings.endpoint import MAX_BATCH_TEXTS, EndpointEmbedder, host_of
from pipeline.llm.settings import ModelSettings
from schemas.errors import ModelReplyError, ModelUnavailableError, PromptTooLargeError
from tests.scripted_server import Body, Drop, ScriptedServer, Status

KEY = "sk-test-0123456789"
_CLIENT = openai.OpenAI(api_key=KEY, base_url="http://127.0.0.1:9/v1")  # made once: it reads all certificates
QUICK = ModelSettings(timeout_seconds=2, first_delay_seconds=0.001, max_delay_seconds=0.05)


def vector(text: str) -> list[float]:
    """Three numbers that tell a text, of no particular length."""
    return [len(text) + 1.0, float(sum(map(ord, text)) % 97), 3.0]


def embedded(request, *, rows=None) -> Body:
    """The reply to a request, last text first: order is said by the index."""
    rows = [vector(text) for text in request.body["input"]] if rows is None else rows
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
    return Body(json.dumps({"object": "list", "data": data[::-1], "model": "m"}).encode())


def embedder(server) -> EndpointEmbedder:
    """An embedder at a scripted server."""
    return EndpointEmbedder(
        "bge-m3",
        lambda: _CLIENT.with_options(base_url=server.base_url),
        settings=QUICK,
        host=host_of(server.base_url),
    )


def test_vectors_are_normalised_and_in_order():
    """Whatever order and length the server gives, rows are those of the texts and of length one."""
    texts = ["one", "four", "one", "eleven"]
    with ScriptedServer(embedded) as server:
        vectors = embedder(server)(texts)
    expected = np.array([vector(text) for text in texts])
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert vectors.dtype == np.float32
    (request,) = server.requests
    assert request.body == {"model": "bge-m3", "input": ["one", "four", "eleven"], "encoding_format": "float"}
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_many_texts_go_in_batches():
    """No request holds more texts than a server takes, and no text is sent twice."""
    texts = [f"text {number}" for number in range(2 * MAX_BATCH_TEXTS + 1)]
    with ScriptedServer(embedded) as server:
        vectors = embedder(server)([*texts, *texts])
    assert [len(request.body["input"]) for request in server.requests] == [MAX_BATCH_TEXTS, MAX_BATCH_TEXTS, 1]
    assert (vectors[: len(texts)] == vectors[len(texts) :]).all()


def test_nothing_is_sent_for_no_text():
    """Of no text there is no request."""
    with ScriptedServer(embedded) as server:
        assert len(embedder(server)([])) == 0
    assert server.requests == []


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([[1.0, 2.0]], "1 vectors for 2 texts"),
        ([[1.0, 2.0]] * 3, "3 vectors for 2 texts"),
        ([[1.0, 2.0], [1.0]], "no rows of numbers of one length"),
        ([[1.0, 2.0], [float("nan"), 1.0]], "no finite numbers"),
        ([[1.0, 2.0], [1e400, 1.0]], "no finite numbers"),
        ([[1.0, 2.0], [0.0, 0.0]], "only zeros"),
        ([[], []], "shape"),
        ([["a", "b"], ["c", "d"]], "no rows of numbers"),
        ([None, None], "shape|no rows of numbers"),
        (["AAAA", "AAAA"], "no rows of numbers|shape"),
    ],
)
def test_a_reply_that_cannot_be_used_is_refused(rows, said):
    """A missing, surplus, uneven, empty or infinite vector is an error with its reason, never a hole."""
    with (
        ScriptedServer(lambda request: embedded(request, rows=rows)) as server,
        pytest.raises(ModelReplyError, match=said),
    ):
        embedder(server)(["one", "two"])


@pytest.mark.parametrize("body", [b"", b"[]", b'{"data": 3}', b'{"data": [{"embedding": [1.0]}]}', b"<html></html>"])
def test_a_server_that_embeds_nothing_is_named(body):
    """What is no list of embeddings ends in an error that says which address to check."""
    with ScriptedServer(Body(body)) as server, pytest.raises(ModelReplyError, match="OPENAI_BASE_URL"):
        embedder(server)(["one"])


def test_the_length_of_vectors_may_not_change():
    """Vectors of another length in a later reply come from another model."""
    with ScriptedServer(lambda request: embedded(request, rows=[[1.0] * len(request.body["input"][0])])) as server:
        model = embedder(server)
        model(["abc"])
        with pytest.raises(ModelReplyError, match="4 numbers after such of 3"):
            model(["abcd"])


def test_trouble_that_passes_is_ridden_out():
    """Too many requests, a failing server and a broken connection are tried again."""
    script = [Status(429, retry_after=0), Status(503), Drop()]
    with ScriptedServer(lambda request: script.pop(0) if script else embedded(request)) as server:
        assert len(embedder(server)(["one"])) == 1
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("status", "kind", "said", "requests"),
    [
        (Status(500), ModelUnavailableError, r"failed \(500\).*requests sent: 4", 4),
        (Status(401, f"bad key {KEY}"), ModelUnavailableError, "refused the key", 1),
        (Status(404, "model bge-m3 not found"), ModelUnavailableError, "check LINEPROOF_EMBEDDINGS", 1),
        (Status(400, "input is too long"), PromptTooLargeError, "larger than the model bge-m3 accepts", 1),
    ],
)
def test_trouble_that_does_not_pass_is_said(status, kind, said, requests):
    """The message says what to do, names the right variable, and never holds the key."""
    with ScriptedServer(status) as server, pytest.raises(kind, match=said) as raised:
        embedder(server)(["one"])
    assert len(server.requests) == requests
    assert KEY not in str(raised.value)


def test_a_server_that_is_not_there_is_said():
    """No connection is an error of its own after all tries."""
    with ScriptedServer(embedded) as server:
        model = embedder(server)
    with pytest.raises(ModelUnavailableError, match="no connection"):
        model(["one"])


def test_the_name_says_where_texts_go():
    """The record names model and host, never the name or password in an address."""
    assert host_of("http://user:secret@127.0.0.1:8080/v1") == "127.0.0.1:8080"
    assert host_of("") == "api.openai.com"
    assert EndpointEmbedder("m", openai.OpenAI, settings=QUICK, host="h").name == "m at h"
