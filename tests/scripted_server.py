"""A real HTTP server on 127.0.0.1 that plays a language model: it answers both OpenAI dialects by script, and embeds.

    with ScriptedServer([Status(429, retry_after=0), Answer({"answer": 42})]) as server:
        client = openai.OpenAI(base_url=server.base_url, api_key="key")

A script is one behaviour (repeated for ever), a list (one a request; past its end every request fails), or a function
from the `ScriptedRequest` to a behaviour. `filled` and `ids_in` build replies from what a request holds, whatever its
schema: all ids, or some left out, repeated or invented.
"""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

from tests.llm.dialects import least_value, reply_body, schema_fault

CANDIDATE_ID = re.compile(r"\bp\d+_l\d+(?:_l\d+)?\b")
PATHS = {"/v1/responses": "responses", "/v1/chat/completions": "chat", "/v1/embeddings": "embeddings"}


@dataclass(frozen=True)
class ScriptedRequest:
    """A request as it came in."""

    api: Literal["responses", "chat", "embeddings"]
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages, in either dialect."""
        return self.body.get("input") or self.body.get("messages") or []

    @property
    def prompt(self) -> str:
        """The words of all messages."""
        return "\n".join(message["content"] for message in self.messages)

    @property
    def is_repair(self) -> bool:
        """An earlier reply is sent back."""
        return "<previous_reply>" in self.prompt

    @property
    def format(self) -> dict[str, Any]:
        """Name, schema and strictness, in either dialect."""
        if self.api == "responses":
            return self.body.get("text", {}).get("format", {})
        return self.body.get("response_format", {}).get("json_schema", {})

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema asked for."""
        return self.format.get("schema", {})


@dataclass(frozen=True)
class Answer:
    """A good reply: a JSON value, or a function from the request to one."""

    content: Any | Callable[[ScriptedRequest], Any]


@dataclass(frozen=True)
class Malformed:
    """Words that are no JSON, or not JSON of the schema, said as if all were well."""

    text: str = '{"roles": [{"candidate_id": "p1_'


@dataclass(frozen=True)
class Prose(Malformed):
    """Plain words instead of JSON."""

    text: str = "Sure! The most relevant passage is the second one."


@dataclass(frozen=True)
class Truncated:
    """A reply cut off at the output limit."""

    text: str = '{"roles": [{"candidate_id": "p1_'


@dataclass(frozen=True)
class Refusal:
    """The model declines."""

    text: str = "I cannot help with that."


@dataclass(frozen=True)
class Status:
    """An HTTP error with OpenAI's error body."""

    status: int
    message: str = "scripted error"
    code: str | None = None
    param: str | None = None
    retry_after: float | str | None = None


@dataclass(frozen=True)
class Slow:
    """Silence for some seconds (or until the server stops), then another behaviour."""

    seconds: float
    then: Any = field(default_factory=lambda: Answer({}))


@dataclass(frozen=True)
class Drop:
    """The connection breaks: before anything is sent, or in the middle of the body."""

    after: int = 0


@dataclass(frozen=True)
class Body:
    """Any bytes with status 200."""

    content: bytes
    content_type: str = "application/json"


Behaviour = Answer | Malformed | Truncated | Refusal | Status | Slow | Drop | Body
Script = Behaviour | Sequence[Behaviour] | Callable[[ScriptedRequest], Behaviour]


class ScriptedServer:
    """The server as a context manager; `base_url` is its address, `requests` what came in, in order.

    `responses_api`: 'full', 'missing' (404, does not use up the script) or 'unconstrained' (prose, as a bare llama.cpp
    server may give; does not use up the script either). `chat_api` False takes chat completions away.
    `refused_parameters` are answered with 400 as OpenAI's reasoning models do.
    """

    def __init__(
        self,
        script: Script,
        *,
        responses_api: Literal["full", "missing", "unconstrained"] = "full",
        chat_api: bool = True,
        refused_parameters: Sequence[str] = (),
    ) -> None:
        self.requests: list[ScriptedRequest] = []
        self._script = script
        self._responses_api = responses_api
        self._chat_api = chat_api
        self._refused = refused_parameters
        self._used = 0
        self._lock = threading.Lock()
        self.stopping = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.scripted = self
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def behaviour(self, request: ScriptedRequest) -> Behaviour:
        """What happens to a request: the fixed traits of the server first, then the script."""
        with self._lock:
            self.requests.append(request)
            if request.api == "responses" and self._responses_api == "missing":
                return Status(404, "Not Found")
            if request.api == "chat" and not self._chat_api:
                return Status(404, "Not Found")
            for name in self._refused:
                if name in request.body:
                    return Status(400, f"Unsupported parameter: '{name}'.", "unsupported_parameter", name)
            fault = None if request.api == "embeddings" else schema_fault(request.schema)
            if fault is not None:
                return Status(400, f"Invalid schema for response_format: {fault}", "invalid_json_schema", "text.format")
            if request.api == "responses" and self._responses_api == "unconstrained":
                return Prose()
            return self._next(request)

    def _next(self, request: ScriptedRequest) -> Behaviour:
        if callable(self._script):
            return self._script(request)
        if not isinstance(self._script, Sequence):
            return self._script
        self._used += 1
        if self._used > len(self._script):
            return Status(400, "the script is at its end: one request too many")
        return self._script[self._used - 1]


def ids_in(text: str, pattern: re.Pattern[str] = CANDIDATE_ID) -> list[str]:
    """The candidate ids that a prompt names, each once, in order."""
    return list(dict.fromkeys(pattern.findall(text)))


def filled(
    request: ScriptedRequest,
    *,
    ids: Iterable[str] | None = None,
    omit: Sequence[str] = (),
    repeat: Sequence[str] = (),
    invent: Sequence[str] = (),
    **fields: Any,
) -> Any:
    """A value that fits the request's schema: one entry an id where entries have a `candidate_id`, else the least.

    `ids` are those of the prompt unless given. `fields` sets properties by name, to a value or a function of the id.
    """
    known = list(ids) if ids is not None else ids_in(request.messages[1]["content"])
    used = [*(one for one in known if one not in omit), *repeat, *invent]
    return least_value(request.schema, request.schema.get("$defs", {}), used, "", fields)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    scripted: ScriptedServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is no fault of the server."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        """Answer one request as the script says."""
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        api: Any = PATHS.get(self.path)
        if api is None:
            return self._send(404, b'{"error": {"message": "no such address"}}')
        request = ScriptedRequest(api, body, {name.lower(): value for name, value in self.headers.items()})
        return self._behave(self.server.scripted.behaviour(request), request)

    def log_message(self, *_: object) -> None:
        """Stay silent."""

    def _behave(self, behaviour: Behaviour, request: ScriptedRequest) -> None:
        match behaviour:
            case Slow(seconds, then):
                self.server.scripted.stopping.wait(seconds)
                self._behave(then, request)
            case Drop(after):
                self._drop(after)
            case Body(content, content_type):
                self._send(200, content, {"content-type": content_type})
            case Status():
                headers = {} if behaviour.retry_after is None else {"retry-after": str(behaviour.retry_after)}
                error = {"message": behaviour.message, "code": behaviour.code, "param": behaviour.param, "type": "x"}
                self._send(behaviour.status, json.dumps({"error": error}).encode(), headers)
            case Answer(content):
                value = content(request) if callable(content) else content
                self._send(200, reply_body(request, text=json.dumps(value)))
            case Refusal(text):
                self._send(200, reply_body(request, refusal=text))
            case Truncated(text):
                self._send(200, reply_body(request, text=text, truncated=True))
            case Malformed(text):
                self._send(200, reply_body(request, text=text))

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _drop(self, after: int) -> None:
        if after:
            self.send_response(200)
            self.send_header("content-length", str(after + 1000))
            self.end_headers()
            self.wfile.write(b"{" * after)
            self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)
