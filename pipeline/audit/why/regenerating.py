"""Answers to the same question from other hand-overs: by rules, by replies on record, or by a model under a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pipeline.generation import generate
from pipeline.llm.model import LanguageModel, ModelUseError, Output, Prompt, Reply
from schemas.audit import ModelUse, Purpose
from schemas.errors import ModelUnavailableError

if TYPE_CHECKING:
    from schemas.answer import Answer
    from schemas.question import ParsedQuestion
    from schemas.retrieval import RetrievalResult

How = Literal["rules", "transcript", "model"]


@dataclass(frozen=True, slots=True)
class Remade:
    """An answer, and who wrote it. None: nothing was left to answer from.

    `with_model`: made as a model makes it, though code may have written it (a computed date); it is compared with what
    the model gives of all passages, any other with what rules give.
    """

    answer: Answer | None
    how: How
    with_model: bool = False


class Limited:
    """A model that may be sent so many calls and no more; a call that is on record costs nothing."""

    def __init__(self, llm: LanguageModel, budget: int) -> None:
        self._llm = llm
        self._budget = budget
        self.sent = 0
        self.refused = False

    @property
    def name(self) -> str:
        """Name of the model behind."""
        return self._llm.name

    def ask(
        self,
        prompt: Prompt,
        output: type[Output],
        *,
        purpose: Purpose,
        max_output_tokens: int,
        check: Callable[[Output], Sequence[str]],
    ) -> Reply[Output]:
        """The model's reply; see `LanguageModel.ask`.

        Raises ModelUseError as that does, and when the budget is used up.
        """
        if self.sent >= self._budget:
            self.refused = True
            use = ModelUse(
                purpose=purpose, model=self.name, prompt_name=prompt.name, prompt_sha256="0" * 64, call_keys=(),
                input_tokens=0, output_tokens=0, outcome="failed",
            )  # fmt: skip
            why = f"the budget of {self._budget} calls is used up"
            raise ModelUseError(why, use) from ModelUnavailableError(why)
        before = self._recorded()
        try:
            reply = self._llm.ask(prompt, output, purpose=purpose, max_output_tokens=max_output_tokens, check=check)
        except ModelUseError as error:
            self._count(error.use, before)
            raise
        self._count(reply.use, before)
        return reply

    def _recorded(self) -> int | None:
        """Exchanges on record so far; None for a model without a transcript."""
        transcript = getattr(self._llm, "transcript", None)
        return None if transcript is None else len(transcript.calls())

    def _count(self, use: ModelUse, before: int | None) -> None:
        if before is None:
            self.sent += len(use.call_keys)
            return
        calls = self._llm.transcript.calls()[before:]  # type: ignore[attr-defined]  # it has one, see above
        self.sent += sum(not call.from_cache for call in calls)


@dataclass
class Remaking:
    """What all regenerations of one answer share. `llm` may be sent calls, `replies` answers from the record alone."""

    question: ParsedQuestion
    replies: LanguageModel | None = None
    llm: Limited | None = None
    count: int = 0  # hand-overs that an answer was made of
    _known: dict[tuple[object, bool], Remade] = field(default_factory=dict)

    def remake(self, found: RetrievalResult | None, key: object, *, only_rules: bool = False) -> Remade:
        """The answer from this hand-over, by the best means at hand; rules where a model has no reply.

        `key` tells hand-overs apart: the same one is answered once.
        """
        place = key, only_rules
        if place not in self._known:
            self.count += 1
            self._known[place] = self._remake(found, only_rules=only_rules)
        return self._known[place]

    @property
    def is_out(self) -> bool:
        """True when a call was refused since the budget was used up."""
        return self.llm is not None and self.llm.refused

    @property
    def has_model(self) -> bool:
        """True where a model, or its replies on record, may answer."""
        return self.replies is not None or self.llm is not None

    def _remake(self, found: RetrievalResult | None, *, only_rules: bool) -> Remade:
        if found is None:
            return Remade(None, "rules", with_model=self.has_model and not only_rules)
        if not only_rules and self.replies is not None:
            answer = generate(self.question, found, llm=self.replies)
            if not _fell_back(answer):
                return Remade(answer, _how(answer, sent=False), with_model=True)
        if not only_rules and self.llm is not None:
            before = self.llm.sent
            answer = generate(self.question, found, llm=self.llm)
            if not _fell_back(answer):
                return Remade(answer, _how(answer, sent=self.llm.sent > before), with_model=True)
        return Remade(generate(self.question, found), "rules")


def _how(answer: Answer, *, sent: bool) -> How:
    if answer.answered_by == "rules":
        return "rules"
    return "model" if sent else "transcript"


def _fell_back(answer: Answer) -> bool:
    """True where the model gave no usable reply, in full or in part, and rules or less reading took its place."""
    return any(step.wanted == "llm answer" for step in answer.downgrades)
