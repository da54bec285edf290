"""What a brick may ask of a language model: one structured question, one checked reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from schemas.audit import ModelUse, Purpose
from schemas.errors import ModelError

__all__ = ["LanguageModel", "ModelUseError", "Output", "Prompt", "Purpose", "Reply", "Shortfall"]

Output = TypeVar("Output", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A filled prompt. `template` is the text before filling; its hash stands in the records."""

    name: str
    template: str
    system: str
    user: str


class Shortfall(tuple[str, ...]):  # noqa: SLOT001 - a tuple has no room for slots that hold something
    """What is wrong with a reply of which a part is good, a sentence each; a `check` may return it.

    `prompt` asks only for what is missing or wrong, with room for `max_output_tokens`; `merge` gives the reply to it
    made whole with what was good. A repair is then short, which small local models need.
    """

    prompt: Prompt
    max_output_tokens: int
    merge: Callable[[Any], Any]

    @classmethod
    def of(
        cls, problems: Sequence[str], *, prompt: Prompt, max_output_tokens: int, merge: Callable[[Any], Any]
    ) -> Shortfall:
        """The problems with the way to mend them."""
        made = cls(problems)
        made.prompt, made.max_output_tokens, made.merge = prompt, max_output_tokens, merge
        return made


@dataclass(frozen=True, slots=True)
class Reply(Generic[Output]):
    """A reply that fits the schema; `problems` are what `check` still found after the repair, empty if all is well."""

    value: Output
    problems: tuple[str, ...]
    use: ModelUse


class LanguageModel(Protocol):
    """One door to a model; `OpenAIModel` is the real one, tests use a scripted server behind it."""

    @property
    def name(self) -> str:
        """Name of the model as configured."""
        ...

    def ask(
        self,
        prompt: Prompt,
        output: type[Output],
        *,
        purpose: Purpose,
        max_output_tokens: int,
        check: Callable[[Output], Sequence[str]],
    ) -> Reply[Output]:
        """The model's reply as an `output`, repaired at most once.

        `check` lists what is wrong with a reply that fits the schema (ids invented, lines out of range ...), a sentence
        each; they and schema faults are sent back once, with the whole request or, for a `Shortfall`, with a shorter
        one. A reply that fits the schema after the repair is returned with the problems that remain.

        Raises ModelUseError when no reply fits the schema, the server cannot be reached, or the prompt is too large.
        """
        ...


class ModelUseError(ModelError):
    """No usable reply; `use` says what was sent and why it failed. `__cause__` is the ModelError behind it."""

    def __init__(self, message: str, use: ModelUse) -> None:
        super().__init__(message)
        self.use = use
