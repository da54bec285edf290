"""The JSON schema that a server is asked to enforce: structure only, in the dialect that every server takes.

The rules are those of OpenAI's structured outputs (platform.openai.com/docs/guides/structured-outputs): every object
is closed, every field required, `anyOf` instead of `oneOf`, no defaults, no keyword beside `$ref`. Limits (lengths,
ranges, patterns) are left out because Azure and several local servers refuse a schema that holds them; pydantic checks
them when the reply is read, and a breach goes into the repair.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from pydantic import BaseModel

_DEFS = "#/$defs/"
_LIMITS = frozenset(
    {"minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
    | {"multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
)
_DROPPED = _LIMITS | {"title", "default", "discriminator", "examples", "deprecated", "readOnly", "writeOnly"}
_BY_NAME = ("properties", "$defs")  # keywords whose keys are names of ours, not keywords


def strict_json_schema(output: type[BaseModel]) -> dict[str, Any]:
    """The strict schema of `output`; the same model gives the same schema, keys in declared order.

    Raises TypeError where the model holds what a strict schema cannot say: free-form mappings, fixed-length tuples.
    """
    schema = output.model_json_schema()
    return _strict(schema, schema.get("$defs", {}), output.__name__, ())


def schema_name(output: type[BaseModel]) -> str:
    """The name of `output` as servers accept one: letters, digits, `_` and `-`, at most 64 characters."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", output.__name__)[:64]


def _strict(node: dict[str, Any], defs: dict[str, Any], where: str, inlined: tuple[str, ...]) -> dict[str, Any]:
    kept = {key: value for key, value in node.items() if key not in _DROPPED}
    if "$ref" in kept and len(kept) > 1:
        return _inline(kept, defs, where, inlined)
    _refuse_inexpressible(kept, where)
    strict: dict[str, Any] = {}
    for key, value in kept.items():
        if key in _BY_NAME:
            strict[key] = {name: _strict(part, defs, f"{where}.{name}", inlined) for name, part in value.items()}
        elif key in ("oneOf", "anyOf"):
            strict["anyOf"] = [_strict(part, defs, where, inlined) for part in value]
        elif key == "items":
            strict[key] = _strict(value, defs, f"{where}[]", inlined)
        else:
            strict[key] = deepcopy(value)
    if strict.get("type") == "object":
        strict["required"] = list(strict.setdefault("properties", {}))
        strict["additionalProperties"] = False
    return strict


def _inline(node: dict[str, Any], defs: dict[str, Any], where: str, inlined: tuple[str, ...]) -> dict[str, Any]:
    """The definition itself with the description of the place; a reference that comes back to itself stays bare."""
    name = node["$ref"].removeprefix(_DEFS)
    if name in inlined:
        return {"$ref": node["$ref"]}
    beside = {key: value for key, value in node.items() if key != "$ref"}
    return _strict({**defs[name], **beside}, defs, where, (*inlined, name))


def _refuse_inexpressible(node: dict[str, Any], where: str) -> None:
    if isinstance(node.get("additionalProperties"), dict) or node.get("additionalProperties") is True:
        raise TypeError(f"{where}: a strict schema has no free-form mapping; use a list of records with a key field")
    if "prefixItems" in node:
        raise TypeError(f"{where}: a strict schema has no fixed-length tuple; use a record")
    if not node.keys() - {"description"}:
        raise TypeError(f"{where}: a strict schema needs a type; Any cannot be asked of a model")
    if "allOf" in node:
        raise TypeError(f"{where}: a strict schema has no allOf; use one record")
