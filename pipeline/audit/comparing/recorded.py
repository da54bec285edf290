"""Models that answer from what is on record, with another prompt or name where that is what is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.asking import SPLIT
from pipeline.llm.model import LanguageModel, ModelUseError, Output, Prompt, Purpose, Reply, Shortfall
from pipeline.llm.transcript import PastFailure, Transcript
from pipeline.searching import Searching
from schemas.audit import ModelCall
from schemas.errors import ModelUnavailableError

if TYPE_CHECKING:
    from schemas.document import ParsedDocument
    from schemas.question import ParsedQuestion
    from schemas.retrieval import AuditedRetrievalResult

OWN_WORDS = "{system}"  # in a prompt of the user's: the words of the prompt as it is


class LayeredTranscript(Transcript):
    """A transcript that also knows the exchanges of others: what is on record anywhere is neither sent nor paid again.

    Raises as `Transcript` does.
    """

    def __init__(self, path: Path | None, layers: Sequence[Transcript], *, offline: bool) -> None:
        super().__init__(path, offline=offline)
        self.layers = tuple(layers)

    def lookup(self, call_key: str) -> ModelCall | None:
        """The call as it was answered once, here or in a layer, marked `from_cache`."""
        found = super().lookup(call_key)
        for layer in self.layers if found is None else ():
            found = layer.lookup(call_key)
            if found is not None:
                self._calls.append(found)
                break
        return found

    def past_failure(self, call_key: str) -> PastFailure | None:
        """Why the call failed when it was last tried, here or in a layer; asked only where nothing may be sent."""
        found = super().past_failure(call_key)
        for layer in self.layers if found is None else ():
            found = found or layer.past_failure(call_key)
        return found


class AskedModel:
    """A model whose prompts of some purposes have another system part; keeps the keys of calls that are not on record.

    `prompts` are the texts by purpose; `{system}` in one stands for the words as they are. `missed` counts requests
    that would have had to be sent and could not be.
    """

    def __init__(self, model: Any, prompts: Mapping[str, str] | None = None) -> None:
        self._model = model
        self._prompts = dict(prompts or {})
        self.missed: list[str] = []
        self.asked: list[str] = []

    @property
    def name(self) -> str:
        """Name of the model."""
        return str(self._model.name)

    @property
    def settings(self) -> Any:
        """Its options."""
        return self._model.settings

    @property
    def transcript(self) -> Any:
        """Where its exchanges are on record."""
        return self._model.transcript

    @property
    def templates(self) -> Mapping[str, str]:
        """The templates asked so far, by hash."""
        return self._model.templates  # type: ignore[no-any-return]

    def ask(
        self,
        prompt: Prompt,
        output: type[Output],
        *,
        purpose: Purpose,
        max_output_tokens: int,
        check: Callable[[Output], Sequence[str]],
    ) -> Reply[Output]:
        """As `LanguageModel.ask`, with the other prompt; a repair has it too.

        Raises as `LanguageModel.ask` does.
        """
        self.asked.append(purpose)
        text = self._prompts.get(purpose)

        def checked(value: Output) -> Sequence[str]:
            problems = check(value)
            if text is None or not isinstance(problems, Shortfall):
                return problems
            return Shortfall.of(
                problems, prompt=with_system(problems.prompt, text), max_output_tokens=problems.max_output_tokens,
                merge=problems.merge,
            )  # fmt: skip

        try:
            asked = prompt if text is None else with_system(prompt, text)
            reply: Reply[Output] = self._model.ask(
                asked, output, purpose=purpose, max_output_tokens=max_output_tokens, check=checked
            )
        except ModelUseError as error:
            if self._is_missing(error):
                self.missed.append(purpose)
            raise
        return reply

    def _is_missing(self, error: ModelUseError) -> bool:
        """True where the reply is neither on record nor was a failure put on record: it would have been sent."""
        offline = getattr(self.transcript, "offline", False)
        if not offline or not isinstance(error.__cause__, ModelUnavailableError):
            return False
        return all(self.transcript.past_failure(key) is None for key in error.use.call_keys[-1:])


@dataclass(frozen=True, slots=True)
class SearchingBy(Searching):
    """A way of searching in which another judge sits than the one that reads the question: `judge`, None for rules."""

    judge: LanguageModel | None = None

    def retrieve(
        self, document: ParsedDocument, question: ParsedQuestion, *, llm: LanguageModel | None
    ) -> AuditedRetrievalResult:
        """The passages of a document, judged by the judge."""
        del llm  # the one that reads the question and writes the answer
        splits = question.plan.decompose and question.decomposition.pattern in SPLIT
        judge = None if splits or question.clarification is not None else self.judge
        return Searching.retrieve(self, document, question, llm=judge)


def judged_by(searching: Searching, judge: LanguageModel | None) -> SearchingBy:
    """The same search with another judge."""
    return SearchingBy(
        searching.settings, searching.embedder, searching.cross_encoder, searching.sparse_encoder, judge=judge
    )


def with_system(prompt: Prompt, text: str) -> Prompt:
    """The prompt with `text` in the place of its system part; the template changes with it, and so does its hash."""
    system = text.replace(OWN_WORDS, prompt.system)
    head, tail = _split(prompt)
    return replace(prompt, system=system, template=text.replace(OWN_WORDS, head) + tail)


def recorded_transcript(
    calls: Iterable[ModelCall], stores: Sequence[Path], *, path: Path | None = None
) -> LayeredTranscript:
    """What is on record of some runs (`calls`) and in the transcripts of some stores; with `path` it can be added to.

    Raises StoreError for a transcript that cannot be read.
    """
    layers = [Transcript.replaying(calls)]
    layers += [Transcript(store, offline=True) for store in dict.fromkeys(stores) if store != path and store.is_file()]
    return LayeredTranscript(path, layers, offline=path is None)


def _split(prompt: Prompt) -> tuple[str, str]:
    """The template's system part, and the rest; a template whose system part cannot be told is all rest."""
    system, template = prompt.system, prompt.template
    if template.startswith(system):
        return system, template[len(system) :]
    # Fields of the system part are filled in `system` and open in the template: find where its last words end.
    last = system.rstrip().rsplit("\n", 1)[-1]
    at = template.find(last) if last else -1
    if at >= 0:
        return template[: at + len(last)], template[at + len(last) :]
    return "", f"\n{template}"
