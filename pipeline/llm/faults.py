"""What an error of the server means: try again, ask otherwise, or give up with a message that says what to do."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

import openai

from pipeline.llm.wire import CHAT_LIMIT_NAMES, RESPONSES_LIMIT_NAMES, Api, storable_text
from schemas.errors import ModelError, ModelUnavailableError, PromptTooLargeError

# Statuses that pass by themselves: time-out, conflict, too early, too many requests (RFC 9110, 8470, 6585); and 5xx.
RETRIED_STATUSES = frozenset({408, 409, 425, 429})
NO_SUCH_API_STATUSES = frozenset({404, 405, 501})
MIN_SECRET_CHARS = 8  # a shorter key is a placeholder, and replacing it would garble the message
MAX_SAID_CHARS = 300  # characters quoted of what the server says

_OPTIONAL = ("temperature", *RESPONSES_LIMIT_NAMES, *CHAT_LIMIT_NAMES)
_REFUSED = re.compile(
    r"unsupported|not supported|does not support|unknown|unrecogni[sz]ed|not permitted|not allowed|extra inputs|invalid"
    r"|too large|must be|at most|only the default",
    re.IGNORECASE,
)
# Wordings of OpenAI, Azure, the compatible endpoints of Anthropic and Google, vLLM, llama.cpp, Ollama and TGI.
_TOO_LARGE = re.compile(
    r"context.?length|context.?window|context size|maximum context|prompt is too long|input is too long|too many tokens"
    r"|exceeds the (?:available|maximum|model)|reduce the length|input tokens? (?:count )?exceeds?",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(r"model\b.*(?:not found|not exist|unknown)|(?:unknown|no such) model", re.IGNORECASE | re.DOTALL)
_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?", re.ASCII)
_UNIT_SECONDS = (3600.0, 60.0, 1.0, 0.001)
_KEY_SHAPE = re.compile(r"\bsk-[\w*.-]{4,}")


TIMED_OUT_ATTEMPTS = 2  # a server that let one full wait pass is given one more, not four


@dataclass(frozen=True, slots=True)
class Fault:
    """What to do about an error, and the `error` to raise when that does not help.

    `retry` after `delay` seconds (None: the usual wait), leave the `parameter` out, use the other API, or give up.
    """

    action: Literal["retry", "parameter", "no_api", "final"]
    error: ModelError
    parameter: str | None = None
    delay: float | None = None
    max_attempts: int | None = None  # fewer than the settings allow, where each attempt is dear
    status: int | None = None  # of the response; None where none came


def read_connection_error(error: openai.APIConnectionError, *, timeout_seconds: float) -> Fault:
    """A broken or refused connection is worth all tries; a time-out one more: each costs its full wait again."""
    if isinstance(error, openai.APITimeoutError):
        message = f"the model server did not answer within {timeout_seconds:g} s; raise timeout_seconds or try later"
        return Fault("retry", ModelUnavailableError(message), max_attempts=TIMED_OUT_ATTEMPTS)
    cause = type(error.__cause__).__name__ if error.__cause__ is not None else "connection error"
    message = f"no connection to the model server ({cause}); check OPENAI_BASE_URL and that the server runs"
    return Fault("retry", ModelUnavailableError(message))


def read_status_error(
    error: openai.APIStatusError, *, api: Api, model: str, sent: Mapping[str, object], secret: str
) -> Fault:
    """What an HTTP status with its body means for a request `sent` to `api`; `secret` never shows in a message."""
    status, said = error.status_code, _said(error, secret)
    if error.code == "context_length_exceeded" or status == 413:
        return _too_large(model, said, status)
    if status in (400, 422):
        parameter = _refused_parameter(error, said, sent)
        if parameter is not None:
            refusal = ModelUnavailableError(f"the model server refuses the parameter {parameter}: {said}")
            return Fault("parameter", refusal, parameter=parameter, status=status)
    if status != 429 and status not in (401, 403) and _TOO_LARGE.search(said):
        return _too_large(model, said, status)
    if _lacks_api(error, api, said):
        return Fault("no_api", ModelUnavailableError(_message(status, model, said)), status=status)
    if error.code == "insufficient_quota":
        no_quota = ModelUnavailableError(f"the account of the API key has no quota left: {said}")
        return Fault("final", no_quota, status=402)  # sent as a 429, but no wait helps: 'payment required' is meant
    unavailable = ModelUnavailableError(_message(status, model, said))
    if status in RETRIED_STATUSES or (status >= 500 and status != 501):
        return Fault("retry", unavailable, delay=_retry_after(error.response.headers), status=status)
    return Fault("final", unavailable, status=status)


def _said(error: openai.APIStatusError, secret: str) -> str:
    body = error.body
    said = body.get("message") if isinstance(body, dict) else body
    text = storable_text(str(said or "nothing more"))
    if len(secret) >= MIN_SECRET_CHARS:
        text = text.replace(secret, "[key]")
    return " ".join(_KEY_SHAPE.sub("[key]", text)[:MAX_SAID_CHARS].split())


def _refused_parameter(error: openai.APIStatusError, said: str, sent: Mapping[str, object]) -> str | None:
    if not _REFUSED.search(said):
        return None
    named = [name for name in _OPTIONAL if name in sent and re.search(rf"\b{name}\b", f"{error.param or ''} {said}")]
    # A refusal of one name often recommends the other ("use 'max_completion_tokens' instead"), which was not sent.
    return named[0] if named else None


def _lacks_api(error: openai.APIStatusError, api: Api, said: str) -> bool:
    if error.code == "model_not_found" or _NO_MODEL.search(said):
        return False
    if error.status_code in NO_SUCH_API_STATUSES:
        return True
    # Servers that have the address but not for this model, or that refuse the way a schema is given there.
    words = re.search(r"responses api|/responses|text\.format|\bmessages\b", said, re.IGNORECASE)
    known_schema_fault = error.code == "invalid_json_schema"
    return api == "responses" and error.status_code in (400, 422) and bool(words) and not known_schema_fault


def _message(status: int, model: str, said: str) -> str:
    if status == 401:
        return "the model server refused the key (401); check OPENAI_API_KEY"
    if status == 403:
        return f"the key may not use the model {model} (403); check OPENAI_API_KEY and LINEPROOF_MODEL: {said}"
    if status == 404 and _NO_MODEL.search(said):
        return f"the model server has no model {model} (404); check LINEPROOF_MODEL: {said}"
    if status in NO_SUCH_API_STATUSES:
        return (
            f"the model server has no such address or no model {model} ({status}); check that OPENAI_BASE_URL ends "
            f"where the server's API begins, often in /v1, and LINEPROOF_MODEL: {said}"
        )
    if status == 429:
        return f"the model server is asked too often (429); try later or ask for a higher limit: {said}"
    if status >= 500:
        return f"the model server failed ({status}); try later: {said}"
    return f"the model server refused the request ({status}): {said}"


def _too_large(model: str, said: str, status: int) -> Fault:
    message = f"the prompt is larger than the model {model} accepts; ask for fewer or shorter passages: {said}"
    return Fault("final", PromptTooLargeError(message), status=status)


def seconds_until_reset(headers: Mapping[str, str]) -> float | None:
    """Seconds until the server has requests and tokens to give again; None where it has some left, or does not say.

    As OpenAI and those who follow it tell: `x-ratelimit-remaining-requests: 0`, `x-ratelimit-reset-requests: 6m0.5s`.
    """
    waits = [
        seconds
        for kind in ("requests", "tokens")
        if _number(headers.get(f"x-ratelimit-remaining-{kind}")) == 0
        and (seconds := _seconds(headers.get(f"x-ratelimit-reset-{kind}"))) is not None
    ]
    return max(waits, default=None)


def _seconds(said: str | None) -> float | None:
    """A duration such as '1s', '6m0s', '1h2m', '20ms', or a plain number of seconds."""
    number = _number(said)
    if number is not None or said is None:
        return number
    parts = _DURATION.fullmatch(said.strip())
    if parts is None or not said.strip():
        return None
    return sum(float(part) * unit for part, unit in zip(parts.groups(), _UNIT_SECONDS, strict=True) if part)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait: `retry-after-ms`, Retry-After in seconds or as a date (RFC 9110, 10.2.3).

    Where it gives neither: until what it has run out of comes back, as `seconds_until_reset` tells.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if value is None:
        return seconds_until_reset(headers)
    if seconds is not None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _number(value: str | None) -> float | None:
    try:
        number = float(value) if value is not None else None
    except ValueError:
        return None
    return number if number is not None and 0 <= number < float("inf") else None
