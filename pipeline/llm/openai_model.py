"""The door to every OpenAI-compatible server: one question, one reply that fits, repaired at most once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Literal

import openai

from pipeline.llm.delivery import Delivery, Sender, past_error
from pipeline.llm.json_schema import schema_name, strict_json_schema
from pipeline.llm.model import ModelUseError, Output, Prompt, Purpose, Reply
from pipeline.llm.reply_text import (
    Judgement,
    bare_json,
    is_json,
    judge_reply,
    judge_value,
    limit_problems,
    runs_in_circles,
)
from pipeline.llm.settings import ModelSettings
from pipeline.llm.transcript import NOT_ON_RECORD, Transcript, call_key
from pipeline.llm.wire import Message, Question, Reading, read_body, storable_text
from schemas.audit import ModelCall, ModelUse
from schemas.errors import ModelError, ModelReplyError, ModelUnavailableError, PromptTooLargeError

CHARS_PER_TOKEN = (
    4  # characters; OpenAI's rule of thumb for English. Dense tables take more: the server has the last word
)
REPAIR_OUTPUT_FACTOR = (
    4  # a reply that was cut off gets four times the room: reasoning models think on the same account
)
MAX_ECHO_CHARS = 40_000  # characters of a bad reply that go back with the repair, some ten thousand tokens
MAX_PROSE_ECHO_CHARS = (
    1_000  # the same of a reply that is no JSON, or runs in circles: of no use, and small models have small windows
)

# The repair stands in the user's message: llama.cpp's Responses API refuses an assistant message ("Cannot determine
# type of 'item'"), and the chat templates of several local models refuse two user messages in a row.
_REPAIR = (
    "{request}\n\n---\nYou have replied to this request before:\n<previous_reply>\n{reply}\n</previous_reply>\n"
    "That reply cannot be used. What is wrong with it:\n{problems}\n\n"
    "Reply again to the whole request, with one complete JSON object that follows the schema and has none of these "
    "faults. No words before or after it."
)


_SHORTER = (
    "{request}\n\n---\nYou have replied to a longer request of this kind before:\n<previous_reply>\n[... what was good "
    "in it is kept and not shown]\n</previous_reply>\nWhat was wrong with the rest:\n{problems}\n\n"
    "Reply to the request above, which holds only that rest, with one complete JSON object that follows the schema. "
    "No words before or after it."
)


class OpenAIModel:
    """A `LanguageModel` behind the Responses API or, where that is lacking or ignores the schema, chat completions."""

    def __init__(
        self,
        name: str,
        transcript: Transcript,
        *,
        settings: ModelSettings,
        client: openai.OpenAI | None = None,
        delivery: Sender | None = None,
    ) -> None:
        """A model by its `name`; without a `client` one is made from OPENAI_API_KEY and OPENAI_BASE_URL when needed.

        With a `delivery`, that alone brings calls to the server: a process that many workers share.
        """
        self._name = name
        self._transcript = transcript
        self._settings = settings
        self._client = client
        self._delivery: Sender | None = delivery
        self._templates: dict[str, str] = {}

    @property
    def name(self) -> str:
        """Name of the model as configured."""
        return self._name

    @property
    def settings(self) -> ModelSettings:
        """The options, for the stamp of a record."""
        return self._settings

    @property
    def transcript(self) -> Transcript:
        """Where every exchange is put on record."""
        return self._transcript

    @property
    def templates(self) -> Mapping[str, str]:
        """The templates of the prompts asked so far, by the hex SHA-256 that stands in the records."""
        return self._templates

    def ask(
        self,
        prompt: Prompt,
        output: type[Output],
        *,
        purpose: Purpose,
        max_output_tokens: int,
        check: Callable[[Output], Sequence[str]],
    ) -> Reply[Output]:
        """The model's reply as an `output`, repaired at most once; see `LanguageModel.ask`.

        Raises ModelUseError as described there, StoreError when the transcript cannot be written.
        """
        tally = _Tally(self._name, prompt, purpose)
        self._templates[tally.template_sha256] = storable_text(prompt.template)
        question = self._question(prompt, output, max_output_tokens)
        try:
            reading = self._hear(question, tally)
        except ModelError as error:
            raise tally.failure(error) from error
        first = judge_reply(reading, output, check)
        tally.problems += first.problems
        if first.value is not None and not first.problems:
            return Reply(first.value, (), tally.use("valid"))
        try:
            second = self._repair(question, reading, first, output, check, tally)
        except ModelError as error:
            if first.value is None:
                raise tally.failure(error) from error
            tally.problems.append(f"the repair could not be asked for: {error}")
            return Reply(first.value, first.problems, tally.use("partial"))
        return self._settle(first, second, tally)

    def _repair(
        self,
        question: Question,
        reading: Reading,
        first: Judgement[Output],
        output: type[Output],
        check: Callable[[Output], Sequence[str]],
        tally: _Tally,
    ) -> Judgement[Output]:
        """The judgement of the one further reply, asked for with the first reply and what is wrong with it.

        Where the check said how, only what is missing is asked for, and put together with what was good.
        """
        short = first.shortfall
        distrusted = not first.constrained and tally.last_api == "responses"
        if distrusted:  # the schema was ignored there (llama.cpp does); chat completions enforce it
            self._prefer("chat")
        if short is not None:
            shorter = self._question(short.prompt, output, short.max_output_tokens)
            repaired = replace(shorter, messages=_shorter_messages(shorter.messages, first.problems))
        else:
            more_room = reading.truncated and not runs_in_circles(reading.text)
            repaired = replace(
                question,
                messages=_repair_messages(question.messages, reading, first.problems),
                max_output_tokens=self._repair_limit(question, truncated=more_room),
            )
        reading = self._hear(repaired, tally)
        second = judge_reply(reading, output, check if short is None else lambda _: ())
        if short is not None and second.value is not None:
            second = judge_value(short.merge(second.value), check)
        tally.problems += (f"after the repair: {problem}" for problem in second.problems)
        if distrusted and not second.constrained:  # chat completions are no better: it is the model, not the API
            self._prefer("responses")
        return second

    def _settle(self, first: Judgement[Output], second: Judgement[Output], tally: _Tally) -> Reply[Output]:
        """The better of two replies; the later one where they are equal."""
        fitting = [judged for judged in (second, first) if judged.value is not None]
        if not fitting:
            error = ModelReplyError(f"neither the reply nor its repair can be used; the last: {second.problems[0]}")
            raise tally.failure(error) from error
        best = min(fitting, key=lambda judged: len(judged.problems))
        if best.value is None:
            raise ModelReplyError("a reply was chosen that does not fit its schema")
        return Reply(best.value, best.problems, tally.use("partial" if best.problems else "repaired"))

    def _hear(self, question: Question, tally: _Tally) -> Reading:
        """What the model says, from the transcript where it was asked before, else from the server."""
        key = call_key(question)
        call = self._transcript.lookup(key)
        if call is None:
            call = self._send(question, key, tally)
        tally.count(call)
        reading = read_body(call.reply or "", call.api)
        full = call.output_tokens >= question.max_output_tokens  # llama.cpp's Responses API does not say 'incomplete'
        return replace(reading, truncated=True) if full and not is_json(reading.text) else reading

    def _send(self, question: Question, key: str, tally: _Tally) -> ModelCall:
        self._check_size(question)
        if self._transcript.offline:
            failure = self._transcript.past_failure(key)
            if failure is None:
                raise ModelUnavailableError(
                    f"the call {key[:12]} {NOT_ON_RECORD}; the run was made with another document, prompt or setting, "
                    "or its transcript is incomplete"
                )
            tally.call_keys.append(key)
            raise past_error(failure)
        if self._delivery is None:
            self._delivery = Delivery(self._client or _new_client(), self._transcript, settings=self._settings)
        try:
            return self._delivery.send(question, purpose=tally.purpose, prompt_name=tally.prompt.name)
        except ModelError:
            tally.call_keys.append(key)
            raise

    def _question(self, prompt: Prompt, output: type[Output], max_output_tokens: int) -> Question:
        messages = (
            {"role": "system", "content": storable_text(prompt.system)},
            {"role": "user", "content": storable_text(prompt.user)},
        )
        return Question(
            model=self._name,
            messages=messages,
            schema_name=schema_name(output),
            schema=strict_json_schema(output),
            max_output_tokens=max_output_tokens,
            temperature=self._settings.temperature,
        )

    def _check_size(self, question: Question) -> None:
        chars = sum(len(message["content"]) for message in question.messages) + len(json.dumps(dict(question.schema)))
        tokens = chars // CHARS_PER_TOKEN
        if tokens > self._settings.max_input_tokens:
            raise PromptTooLargeError(
                f"the prompt has about {tokens} tokens, max_input_tokens is {self._settings.max_input_tokens}; "
                "ask for fewer or shorter passages, or raise the limit if the model reads more"
            )

    def _repair_limit(self, question: Question, *, truncated: bool) -> int:
        asked = question.max_output_tokens
        if not truncated:
            return asked
        return max(asked, min(asked * REPAIR_OUTPUT_FACTOR, self._settings.max_repair_output_tokens))

    def _prefer(self, api: Literal["responses", "chat"]) -> None:
        if self._delivery is not None:
            self._delivery.prefer(api)


@dataclass(slots=True)
class _Tally:
    """What one `ask` has used so far."""

    model: str
    prompt: Prompt
    purpose: Purpose
    call_keys: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    last_api: str = ""

    @property
    def template_sha256(self) -> str:
        return sha256(storable_text(self.prompt.template).encode()).hexdigest()

    def count(self, call: ModelCall) -> None:
        self.call_keys.append(call.call_key)
        self.input_tokens += call.input_tokens
        self.cached_tokens += call.cached_tokens
        self.output_tokens += call.output_tokens
        self.last_api = call.api

    def use(self, outcome: Literal["valid", "repaired", "partial", "failed"]) -> ModelUse:
        return ModelUse(
            purpose=self.purpose,
            model=self.model,
            prompt_name=self.prompt.name,
            prompt_sha256=self.template_sha256,
            call_keys=tuple(self.call_keys),
            input_tokens=self.input_tokens,
            cached_tokens=self.cached_tokens,
            output_tokens=self.output_tokens,
            outcome=outcome,
            problems=tuple(self.problems),
        )

    def failure(self, error: ModelError) -> ModelUseError:
        if not isinstance(error, ModelReplyError):  # of an invalid reply the problems are listed already
            self.problems.append(str(error))
        return ModelUseError(f"the {self.purpose} call to the model {self.model} failed: {error}", self.use("failed"))


def _new_client() -> openai.OpenAI:
    try:
        return openai.OpenAI()
    except openai.OpenAIError as error:  # its message names the variable, not the value
        raise ModelUnavailableError("the openai client finds no key; set OPENAI_API_KEY") from error


def _repair_messages(messages: tuple[Message, ...], reading: Reading, problems: Sequence[str]) -> tuple[Message, ...]:
    said = reading.text or reading.refusal or "(no reply)"
    whole = bare_json(said).startswith("{") and not runs_in_circles(said)
    limit = MAX_ECHO_CHARS if whole else MAX_PROSE_ECHO_CHARS
    if len(said) > limit:
        said = said[:limit] + " [... shortened]"
    listed = "\n".join(f"- {problem}" for problem in limit_problems(problems))
    *before, last = messages
    text = _REPAIR.format(request=last["content"], reply=said, problems=storable_text(listed))
    return (*before, {**last, "content": text})


def _shorter_messages(messages: tuple[Message, ...], problems: Sequence[str]) -> tuple[Message, ...]:
    listed = "\n".join(f"- {problem}" for problem in limit_problems(problems))
    *before, last = messages
    text = _SHORTER.format(request=last["content"], problems=storable_text(listed))
    return (*before, {**last, "content": text})
