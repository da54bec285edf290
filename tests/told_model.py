"""A language model that says what it is told, for the tests of the bricks; HTTP faults are the scripted server's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from pipeline.llm.model import ModelUseError, Output, Prompt, Purpose, Reply
from schemas.audit import ModelUse


class ToldModel:
    """A model that gives the reply it was told to give, and keeps what it was asked and what was wrong.

    Told None, it is a server that cannot be reached.
    """

    name = "told"

    def __init__(self, reply: BaseModel | Mapping[str, Any] | None) -> None:
        self.reply = reply.model_dump() if isinstance(reply, BaseModel) else reply
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
        if self.reply is None:
            raise ModelUseError("the server cannot be reached", use)
        value = output.model_validate(self.reply)
        self.problems = tuple(check(value))
        outcome = "partial" if self.problems else "valid"
        return Reply(value=value, problems=self.problems, use=use.model_copy(update={"outcome": outcome}))
