"""What every step leaves for the auditor: model calls, downgrades, timings. The trace of a run: `schemas.trace`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from schemas.record import Part

Purpose = Literal["question", "arbiter", "generation", "narrowing", "rerank", "situating", "hyde"]
Stage = Literal["parsing", "question", "retrieval", "generation", "loop", "highlight"]


class ModelUse(Part):
    """One use of a language model: a call and, where needed, its repair. No clock in it, so a replay is identical."""

    purpose: Purpose = Field(description="What the model was asked for.")
    model: str = Field(description="Model name as configured.")
    prompt_name: str = Field(description="Name of the prompt template.")
    prompt_sha256: str = Field(description="Hex SHA-256 of the prompt template.")
    call_keys: tuple[str, ...] = Field(
        description="Keys of the calls in the transcript, in order: the call, then its repair."
    )
    input_tokens: int = Field(description="Tokens read, all calls.")
    cached_tokens: int = Field(default=0, description="Of these, tokens that the provider's prompt cache served.")
    output_tokens: int = Field(description="Tokens written, all calls.")
    outcome: Literal["valid", "repaired", "partial", "failed"] = Field(
        description="valid at once, valid after one repair, valid in part after the repair, or of no use."
    )
    problems: tuple[str, ...] = Field(default=(), description="What was wrong with the replies, a sentence each.")


class Downgrade(Part):
    """A step that was done by lesser means than asked for."""

    stage: Stage = Field(description="Where.")
    wanted: str = Field(description="What was asked for, e.g. 'llm arbiter'.")
    used: str = Field(description="What was done instead, e.g. 'rules arbiter'.")
    reason: str = Field(description="Why, in one sentence.")


class StageTrace(Part):
    """What one stage took and gave."""

    stage: Stage = Field(description="Which stage.")
    input_sha256: dict[str, str] = Field(description="Hex SHA-256 of what it read, by name.")
    output_sha256: dict[str, str] = Field(description="Hex SHA-256 of each file it wrote, by file name.")
    seconds: float = Field(description="Wall time in seconds.")
    from_cache: bool = Field(description="Read from the store instead of made anew.")


class ModelCall(Part):
    """One exchange with the model as the transcript holds it."""

    call_key: str = Field(description="Key of the call: hash of model, schema and messages.")
    purpose: str = Field(description="What the model was asked for.")
    api: Literal["responses", "chat"] = Field(description="Which endpoint answered.")
    request: dict[str, Any] = Field(description="What was sent: messages, schema, limits. No key, no address.")
    reply: str | None = Field(description="What came back, verbatim; null when nothing did.")
    status: Literal["answered", "failed"] = Field(description="Whether a reply arrived.")
    error: str | None = Field(description="Why none arrived.")
    error_kind: str | None = Field(default=None, description="Class of that error, for a replay; null without one.")
    prompt_name: str = Field(default="", description="Name of the prompt; empty in records of older versions.")
    input_tokens: int = Field(description="Tokens read; 0 where the server does not say.")
    cached_tokens: int = Field(default=0, description="Of these, tokens that the provider's prompt cache served.")
    output_tokens: int = Field(description="Tokens written; 0 where the server does not say.")
    seconds: float = Field(description="Wall time in seconds.")
    attempts: int = Field(description="Requests sent until this outcome.")
    from_cache: bool = Field(description="Read from the transcript instead of sent.")
