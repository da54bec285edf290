"""How OpenAI words its replies in both dialects, and which schemas its strict mode takes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.scripted_server import ScriptedRequest


def reply_body(
    request: ScriptedRequest, *, text: str = "", refusal: str | None = None, truncated: bool = False
) -> bytes:
    """A response in the dialect of the request, as OpenAI words it."""
    read, written = len(request.prompt) // 4, len(text) // 4
    if request.api == "responses":
        part = {"type": "output_text", "text": text, "annotations": []}
        if refusal is not None:
            part = {"type": "refusal", "refusal": refusal}
        message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
        body: dict[str, Any] = {
            "id": "resp_1", "object": "response", "created_at": 0, "model": request.body.get("model"), "error": None,
            "status": "incomplete" if truncated else "completed",
            "incomplete_details": {"reason": "max_output_tokens"} if truncated else None,
            "output": [message], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
            "usage": {
                "input_tokens": read, "input_tokens_details": {"cached_tokens": 1}, "output_tokens": written,
                "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": read + written,
            },
        }  # fmt: skip
    else:
        said = {"role": "assistant", "content": text if refusal is None else None, "refusal": refusal}
        body = {
            "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": request.body.get("model"),
            "choices": [{"index": 0, "message": said, "finish_reason": "length" if truncated else "stop"}],
            "usage": {
                "prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written,
                "prompt_tokens_details": {"cached_tokens": 1},
            },
        }  # fmt: skip
    return json.dumps(body).encode()


def schema_fault(schema: dict[str, Any]) -> str | None:
    """Why OpenAI's strict mode would refuse the schema; None when it would not."""
    if not schema or schema.get("type") != "object":
        return "the schema must be an object"
    for node in _nodes(schema):
        if "$ref" in node and len(node) > 1:
            return "$ref cannot have keywords beside it"
        if node.get("type") == "object":
            if node.get("additionalProperties") is not False:
                return "additionalProperties must be false"
            if list(node["properties"]) != node.get("required"):
                return "required must name every property"
        unknown = node.keys() & {"oneOf", "allOf", "default", "title", "discriminator", "prefixItems"}
        if unknown:
            return f"{sorted(unknown)} are not permitted"
    return None


def least_value(node: dict[str, Any], defs: dict[str, Any], ids: list[str], at: str, fields: dict[str, Any]) -> Any:
    """The least value that fits the schema `node`, with one entry an id where entries have a `candidate_id`."""
    if "$ref" in node:
        node = defs[node["$ref"].rpartition("/")[2]]
    if "anyOf" in node:
        return least_value(node["anyOf"][0], defs, ids, at, fields)
    if "const" in node or "enum" in node:
        return node.get("const", node.get("enum", [None])[0])
    if node["type"] == "object":
        value = {}
        for name, part in node["properties"].items():
            if name in fields:
                value[name] = fields[name](at) if callable(fields[name]) else fields[name]
            else:
                value[name] = at if name == "candidate_id" and at else least_value(part, defs, ids, at, fields)
        return value
    if node["type"] == "array":
        items = node["items"]
        items = defs[items["$ref"].rpartition("/")[2]] if "$ref" in items else items
        each = ids if "candidate_id" in items.get("properties", {}) else []
        return [least_value(items, defs, ids, one, fields) for one in each]
    return {"string": "as scripted", "integer": 1, "number": 0.5, "boolean": False, "null": None}[node["type"]]


def _nodes(node: dict[str, Any]) -> Iterable[dict[str, Any]]:
    yield node
    for key, value in node.items():
        if key in ("properties", "$defs"):
            for part in value.values():
                yield from _nodes(part)
        elif key == "items":
            yield from _nodes(value)
        elif key in ("anyOf", "oneOf", "allOf"):
            for part in value:
                yield from _nodes(part)
