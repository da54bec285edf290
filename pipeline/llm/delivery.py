"""One call brought to the server: which API, which parameters, how often; each request and reply is put on record."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol

import openai

from pipeline.llm.faults import Fault, read_connection_error, read_status_error, seconds_until_reset
from pipeline.llm.settings import ModelSettings
from pipeline.llm.transcript import PastFailure, Transcript
from pipeline.llm.wire import (
    CHAT_LIMIT_NAMES,
    RESPONSES_LIMIT_NAMES,
    Api,
    Question,
    Usage,
    read_usage,
    request_body,
)
from schemas import errors
from schemas.audit import ModelCall
from schemas.errors import ModelError, ModelUnavailableError, PipelineError

_OTHER: dict[Api, Api] = {"responses": "chat", "chat": "responses"}


class Gate(Protocol):
    """What lets requests pass, and hears what came of them: limits of rate and money that many callers share."""

    def admit(self, question: Question, *, is_bounded: bool) -> object:
        """Wait until one request may be sent; gives what `settle` is to be told.

        `is_bounded` is False where the server takes no limit on the length of the reply.

        Raises BudgetError where it may never be, StoreError where nothing is sent any more.
        """
        ...

    def settle(self, admitted: object, *, usage: Usage | None, status: int | None, delay: float | None) -> None:
        """A request has ended: with tokens used, or None where there was no reply; what the server said of waiting."""
        ...


class Sender(Protocol):
    """What brings a call to a server: a `Delivery`, or what hands it to the process that has one."""

    def prefer(self, api: Api) -> None:
        """Use `api` from now on, where the server has it."""
        ...

    def send(self, question: Question, *, purpose: str, prompt_name: str) -> ModelCall:
        """The answered call, on record."""
        ...


class Delivery:
    """The way to one server. It learns which API the server has and enforces, and which parameters it refuses."""

    def __init__(
        self, client: openai.OpenAI, transcript: Transcript, *, settings: ModelSettings, gate: Gate | None = None
    ) -> None:
        """With a `gate`, each request passes it first, retries too."""
        self._gate = gate
        # Retries are ours: the transcript counts them, and the client's own waits cannot be bounded.
        self._client = client.with_options(max_retries=0, timeout=settings.timeout_seconds)
        self._transcript = transcript
        self._settings = settings
        self._api: Api = "responses"
        self._missing: frozenset[Api] = frozenset()
        self._left_out: tuple[str, ...] = ()
        self._gave_up = False  # the last call used up its attempts: until the server answers, one attempt is enough

    def prefer(self, api: Api) -> None:
        """Use `api` from now on, where the server has it."""
        if api not in self._missing:
            self._api = api

    def send(self, question: Question, *, purpose: str, prompt_name: str) -> ModelCall:
        """The answered call; request and reply are in the transcript, the reply unparsed.

        Raises ModelUnavailableError after all retries or at once where none would help, PromptTooLargeError.
        """
        api, left_out, missing = self._api, self._left_out, self._missing
        while True:
            body = request_body(question, api, left_out)
            admitted = self._admit(question, body)
            row_id = self._transcript.begin(question, api, purpose=purpose, prompt_name=prompt_name, left_out=left_out)
            try:
                outcome, seconds, attempts = self._try(question, body, api, admitted)
            except PipelineError as error:  # a further attempt is not let through; those before it failed
                self._transcript.fail(row_id, PastFailure("ModelUnavailableError", str(error)), seconds=0.0, attempts=1)
                raise
            if isinstance(outcome, bytes):
                call = self._transcript.answer(
                    row_id, outcome, read_usage(outcome.decode("utf-8", "replace")), seconds=seconds, attempts=attempts
                )
                if missing != self._missing:  # only now is it known that the address was right and the API not there
                    self._api, self._missing = api, missing
                return call
            failure = PastFailure(type(outcome.error).__name__, str(outcome.error))
            self._transcript.fail(row_id, failure, seconds=seconds, attempts=attempts)
            if outcome.action == "parameter" and outcome.parameter is not None:
                left_out = (*left_out, outcome.parameter)
                if "too large" not in failure.message:  # that is about this call's value, not about the parameter
                    self._left_out = left_out
            elif outcome.action == "no_api" and _OTHER[api] not in missing:
                missing, api = missing | {api}, _OTHER[api]
            else:
                raise outcome.error

    def _try(
        self, question: Question, body: dict[str, Any], api: Api, admitted: object
    ) -> tuple[bytes | Fault, float, int]:
        """The body of the response or the fault that remains, the seconds it took and the requests sent."""
        start, attempt = time.monotonic(), 0
        while True:
            attempt += 1
            if attempt > 1:
                admitted = self._admit(question, body)
            outcome, headers = self._request(body, api, question.model)
            self._settle(admitted, outcome, headers)
            if isinstance(outcome, bytes):
                self._gave_up = False
            elif outcome.action == "retry":
                allowed = self._settings.max_attempts
                most = 1 if self._gave_up else min(allowed, outcome.max_attempts or allowed)
                if attempt < most:
                    time.sleep(self._delay(attempt, outcome.delay))
                    continue
                self._gave_up = True
                outcome = Fault("final", ModelUnavailableError(f"{outcome.error} (requests sent: {attempt})"))
            return outcome, time.monotonic() - start, attempt

    def _admit(self, question: Question, body: Mapping[str, Any]) -> object:
        if self._gate is None:
            return None
        is_bounded = any(name in body for name in (*RESPONSES_LIMIT_NAMES, *CHAT_LIMIT_NAMES))
        return self._gate.admit(question, is_bounded=is_bounded)

    def _settle(self, admitted: object, outcome: bytes | Fault, headers: Mapping[str, str]) -> None:
        if self._gate is None:
            return
        if isinstance(outcome, bytes):
            usage = read_usage(outcome.decode("utf-8", "replace"))
            self._gate.settle(admitted, usage=usage, status=200, delay=seconds_until_reset(headers))
        else:
            self._gate.settle(admitted, usage=None, status=outcome.status, delay=outcome.delay)

    def _request(self, body: dict[str, Any], api: Api, model: str) -> tuple[bytes | Fault, Mapping[str, str]]:
        """The body of the response with its headers, or the fault."""
        resource: Any = self._client.responses if api == "responses" else self._client.chat.completions
        try:
            # The raw response, not `.parse`: that would parse the reply before it could be put on record.
            response = resource.with_raw_response.create(**body)
            content: bytes = response.content
        except openai.APIConnectionError as error:
            return read_connection_error(error, timeout_seconds=self._settings.timeout_seconds), {}
        except openai.APIStatusError as error:
            return read_status_error(error, api=api, model=model, sent=body, secret=self._client.api_key), {}
        except openai.OpenAIError as error:  # the client itself refuses, such as for want of credentials
            return Fault("final", ModelUnavailableError(f"the openai client cannot send: {type(error).__name__}")), {}
        return content, response.headers

    def _delay(self, attempt: int, asked: float | None) -> float:
        """Seconds before the next attempt: what the server asks, else doubling; never more than the settings allow."""
        delay = self._settings.first_delay_seconds * 2 ** (attempt - 1) if asked is None else asked
        return min(delay, self._settings.max_delay_seconds)


def past_error(failure: PastFailure) -> ModelError:
    """The error that a call on record failed with, as it was raised then."""
    kind = getattr(errors, failure.kind, ModelUnavailableError)
    is_model_error = isinstance(kind, type) and issubclass(kind, ModelError)
    return kind(failure.message) if is_model_error else ModelUnavailableError(failure.message)
