"""The two dialects of the wire: how a question is put to the Responses API and to chat completions, how a body is read.

Only flags that both OpenAI and the common local servers take are sent; a body is read with suspicion, because it may
come from any program that listens on that port.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Api = Literal["responses", "chat"]
Message = dict[str, str]

# How the limit on the reply is called, in the order tried: local servers know `max_tokens` (an unknown name would be
# ignored in silence and the reply run on), OpenAI's newer models refuse it and name the other.
CHAT_LIMIT_NAMES = ("max_tokens", "max_completion_tokens")
RESPONSES_LIMIT_NAMES = ("max_output_tokens",)
MAX_FAULT_CHARS = 200  # characters quoted of a body that is no reply


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the model, in no dialect; its JSON is what the transcript keeps."""

    model: str
    messages: tuple[Message, ...]
    schema_name: str
    schema: Mapping[str, Any]
    max_output_tokens: int
    temperature: float | None

    def as_json(self) -> dict[str, Any]:
        """The question as plain JSON values: no key, no address."""
        return {
            "model": self.model,
            "messages": [dict(message) for message in self.messages],
            "schema_name": self.schema_name,
            "schema": dict(self.schema),
            "max_output_tokens": self.max_output_tokens,
            "temperature": self.temperature,
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """What a body says. `fault` is set where it is no reply at all; `text` may then be empty."""

    text: str = ""
    refusal: str | None = None
    truncated: bool = False
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one exchange; 0 where the server does not say. Cached tokens are part of the input tokens."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


def request_body(question: Question, api: Api, left_out: Sequence[str]) -> dict[str, Any]:
    """The request in the dialect of `api`, without the parameters `left_out`."""
    body: dict[str, Any] = {"model": question.model}
    schema = {"name": question.schema_name, "schema": dict(question.schema), "strict": True}
    messages = [dict(message) for message in question.messages]
    if api == "responses":
        body["input"] = messages
        body["text"] = {"format": {"type": "json_schema", **schema}}
        limit_names: Sequence[str] = RESPONSES_LIMIT_NAMES
    else:
        body["messages"] = messages
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
        limit_names = CHAT_LIMIT_NAMES
    limit_name = next((name for name in limit_names if name not in left_out), None)
    if limit_name is not None:
        body[limit_name] = question.max_output_tokens
    if question.temperature is not None and "temperature" not in left_out:
        body["temperature"] = question.temperature
    return body


def read_body(body: str, api: Api) -> Reading:
    """The reply in a response body; a body that is none gives a `fault`, never an error."""
    fields = _json_object(body)
    if fields is None:
        return Reading(fault=f"the body of the response is no JSON object: {body[:MAX_FAULT_CHARS]!r}")
    reading = _read_response(fields) if api == "responses" else _read_completion(fields)
    refusal = None if reading.refusal is None else storable_text(reading.refusal)
    return replace(reading, text=storable_text(reading.text), refusal=refusal)


def storable_text(text: str) -> str:
    """The text with lone surrogates replaced by '?': broken PDFs and replies hold them, and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode()


def read_usage(body: str) -> Usage:
    """The tokens that a response body states, in either dialect."""
    usage = _mapping((_json_object(body) or {}).get("usage"))
    details = _mapping(usage.get("input_tokens_details")) or _mapping(usage.get("prompt_tokens_details"))
    return Usage(
        input_tokens=_count(usage.get("input_tokens", usage.get("prompt_tokens"))),
        cached_tokens=_count(details.get("cached_tokens")),
        output_tokens=_count(usage.get("output_tokens", usage.get("completion_tokens"))),
    )


def _read_response(fields: Mapping[str, Any]) -> Reading:
    messages = [item for item in _mappings(fields.get("output")) if item.get("type") == "message"]
    if not messages and fields.get("status") != "incomplete":
        return Reading(fault=_fault(fields, "has no message in its output"))
    parts = _mappings(messages[-1].get("content")) if messages else []  # earlier messages are commentary
    text = "".join(str(part.get("text") or "") for part in parts if part.get("type") == "output_text")
    refusals = [str(part.get("refusal")) for part in parts if part.get("type") == "refusal"]
    reason = _mapping(fields.get("incomplete_details")).get("reason")
    if reason == "content_filter":
        refusals.append("stopped by the provider's content filter")
    return Reading(text, refusals[0] if refusals else None, truncated=fields.get("status") == "incomplete")


def _read_completion(fields: Mapping[str, Any]) -> Reading:
    choices = _mappings(fields.get("choices"))
    if not choices:
        return Reading(fault=_fault(fields, "has no choices"))
    message, reason = _mapping(choices[0].get("message")), choices[0].get("finish_reason")
    content = message.get("content")
    if isinstance(content, list):  # some servers give the parts of a message
        content = "".join(str(part.get("text") or "") for part in _mappings(content))
    refusal = message.get("refusal")
    if reason == "content_filter":
        refusal = refusal or "stopped by the provider's content filter"
    return Reading(str(content or ""), str(refusal) if refusal else None, truncated=reason == "length")


def _fault(fields: Mapping[str, Any], what: str) -> str:
    error = fields.get("error")
    said = _mapping(error).get("message") or error
    return f"the response {what}" + (f"; the server says {str(said)[:MAX_FAULT_CHARS]!r}" if said else "")


def _json_object(body: str) -> Mapping[str, Any] | None:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
