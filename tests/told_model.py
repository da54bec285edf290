"""A language model that says what it is told, for the tests of the bricks; HTTP faults are the scripted server's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from pipeline.llm.model import ModelUseError, Output, Prompt, Purpose, Reply
from schemas.audit import ModelUse
from schemas.errors import PromptTooLargeError


class ToldModel:
    """A model that gives the reply it was told to give, and keeps what it was asked and what was wrong.

    Told None, it is a server that cannot be reached.
    """

    name = "told"

    def __init__(self, reply: BaseModel | Mapping[str, Any] | None, *then: Mapping[str, Any] | None) -> None:
        self.reply = reply.model_dump() if isinstance(reply, BaseModel) else reply
        self.then = list(then)  # what it says to the next calls; the last reply again when it has run out
        self.largest_prompt: int | None = None  # characters of a prompt, where the model has a small window
        self.prompts: list[Prompt] = []
        self.problems: tuple[str, ...] = ()

    def ask(
        self,
        prompt: Prompt,
        output: type[Output],
        *,
        purpose: Purpose,
        max_output_tokens: int,
        check: Callable[[Output], Sequence[str]],
    ) -> Reply[Output]:
        """The reply, after the check has seen it."""
        self.prompts.append(prompt)
        use = ModelUse(
            purpose=purpose, model=self.name, prompt_name=prompt.name, prompt_sha256="0" * 64, call_keys=("k",),
            input_tokens=1, output_tokens=1, outcome="failed" if self.reply is None else "valid",
        )  # fmt: skip
        if self.largest_prompt is not None and len(prompt.user) > self.largest_prompt:
            raise ModelUseError("too large", use.model_copy(update={"outcome": "failed"})) from PromptTooLargeError(
                "the prompt is too large"
            )
        if len(self.prompts) > 1 and self.then:
            self.reply = self.then.pop(0)
        if self.reply is None:
            raise ModelUseError("the server cannot be reached", use.model_copy(update={"outcome": "failed"}))
        value = output.model_validate(_fitting(self.reply, output))
        self.problems = tuple(check(value))
        outcome = "partial" if self.problems else "valid"
        return Reply(value=value, problems=self.problems, use=use.model_copy(update={"outcome": outcome}))


def _fitting(reply: Mapping[str, Any], output: type[BaseModel]) -> Mapping[str, Any]:
    """The reply without what the schema does not ask, in its items too."""
    fields = output.model_fields
    kept = {name: value for name, value in reply.items() if name in fields}
    (of_items,) = getattr(fields["items"].annotation, "__args__", (None,)) if "items" in fields else (None,)
    if isinstance(of_items, type) and issubclass(of_items, BaseModel):
        kept["items"] = [{n: v for n, v in item.items() if n in of_items.model_fields} for item in kept["items"]]
    return kept
