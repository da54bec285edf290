"""A run done again with one thing as another run has it: by rules, or with replies that are on record."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.comparing.causes import essence
from pipeline.audit.comparing.differences import Difference
from pipeline.audit.comparing.prompts import system_texts
from pipeline.audit.comparing.recorded import AskedModel, recorded_transcript
from pipeline.audit.comparing.sides import Side, dictionary_file, replayed_side
from pipeline.audit.opened import Changed, OpenedRun, dictionaries_then, open_run, rerun, searching_then
from pipeline.llm.settings import ModelSettings
from pipeline.run import TRANSCRIPT
from pipeline.tracing import code_sha256
from schemas.errors import PipelineError

if TYPE_CHECKING:
    from dictionaries import Dictionaries

_PURPOSES = ("question", "narrowing", "arbiter", "generation")
_OF_REQUEST = {"previous question": "previous", "reply": "reply", "remembered choices": "choices"}


@dataclass(slots=True)
class OnRecord:
    """`Experiments` that cost nothing: no file is written, nothing is sent; what is not on record is not tried."""

    sides: tuple[Side, Side]
    _opened: dict[Path, OpenedRun | None] = field(default_factory=dict)
    _dictionaries: dict[tuple[tuple[str, str], ...], Dictionaries] = field(default_factory=dict)

    def is_made_again(self, side: Side) -> bool:
        """True where today's code makes the records of a run as they are."""
        if is_of_today(side):
            return True
        opened = self._open(side)
        if opened is None:
            return False
        made = self._run(opened, side, side.model, Changed())
        return made is not None and all(
            essence(one) == essence(other)
            for one, other in (
                (made.question, side.question), (made.retrieval, side.retrieval), (made.answer, side.answer)
            )
        )  # fmt: skip

    def alone(self, base: Side, other: Side, difference: Difference) -> Side | None:
        """The run of `base` with the one thing as `other` has it."""
        opened = self._open(base)
        if opened is None:
            return None
        try:
            return self._alone(opened, base, other, difference)
        except PipelineError:  # what is needed is not on record: it stays with what is possible
            return None

    def _alone(self, opened: OpenedRun, base: Side, other: Side, difference: Difference) -> Side | None:
        change, request = difference.change, opened.request
        match change.subject:
            case "dictionary":
                return self._run(opened, base, base.model, Changed(dictionaries=self._words(base, other, change.name)))
            case "document" if other.document is not None:
                return self._run(opened, base, base.model, Changed(document=other.document))
            case "setting" if change.name.startswith("retrieval.") and other.request is not None:
                searching = searching_then(opened)
                key = change.name.removeprefix("retrieval.")
                if key not in type(searching.settings).model_fields:
                    return None
                settings = searching.settings.model_copy(
                    update={
                        key: getattr(type(searching.settings).model_validate(other.request.retrieval_settings), key)
                    }
                )
                return self._run(opened, base, base.model, Changed(searching=replace(searching, settings=settings)))
            case "question":
                asked = request.model_copy(update={"text": other.question.original_question})
                return self._run(replace(opened, request=asked), base, base.model, Changed())
            case "session" if change.name in _OF_REQUEST and other.request is not None:
                name = _OF_REQUEST[change.name]
                asked = request.model_copy(update={name: getattr(other.request, name)})
                return self._run(replace(opened, request=asked), base, base.model, Changed())
            case "prompt":
                texts = self._prompt(base, other)
                return self._run(opened, base, base.model, Changed(), prompts=texts) if texts else None
            case "model" if change.name == "model":
                return self._run(opened, base, other.model, Changed())
            case _:
                return None

    def _run(
        self,
        opened: OpenedRun,
        side: Side,
        model: str | None,
        changed: Changed,
        *,
        prompts: Mapping[str, str] | None = None,
    ) -> Side | None:
        """The run done again, None where a reply that it needs is not on record."""
        asked = self._model(model, opened, prompts) if model else None
        if changed.dictionaries is None:  # read once: they are slow to read
            changed = replace(changed, dictionaries=self._then(opened))
        try:
            run = rerun(opened, llm=asked, changed=changed)
        except PipelineError:
            return None
        if asked is not None and asked.missed:
            return None
        return replace(
            replayed_side(side, {}, place=side.place), question=run.question, retrieval=run.retrieval,
            answer=run.answer, trace=run.trace, document=run.document,
        )  # fmt: skip

    def _model(self, name: str, opened: OpenedRun, prompts: Mapping[str, str] | None) -> AskedModel:
        from pipeline.llm.openai_model import OpenAIModel

        calls = [call for side in self.sides for call in side.trace.model_calls]
        transcript = recorded_transcript(calls, [side.root / TRANSCRIPT for side in self.sides])
        options = opened.request.model_settings or next(
            (side.request.model_settings for side in self.sides if side.request and side.request.model_settings), {}
        )
        settings = ModelSettings.model_validate(options)
        return AskedModel(OpenAIModel(name, transcript, settings=settings), prompts)

    def _prompt(self, base: Side, other: Side) -> dict[str, str] | None:
        """The system part of each prompt that the other run sent, by purpose; None where it cannot be told."""
        texts: dict[str, str] = {}
        for purpose in _PURPOSES:
            sent, own = system_texts(other, purpose), system_texts(base, purpose)
            if sent == own:
                continue
            if len(sent) != 1:
                return None
            texts[purpose] = sent[0]
        return texts

    def _words(self, base: Side, other: Side, name: str) -> Dictionaries:
        files = dict(base.dictionaries)
        files.pop(name, None)
        if name in other.dictionaries:
            files[name] = other.dictionaries[name]
        return load_kept(files, (base.root, other.root))

    def _then(self, opened: OpenedRun) -> Dictionaries:
        key = tuple(sorted(opened.request.dictionaries.items()))
        if key not in self._dictionaries:
            self._dictionaries[key] = dictionaries_then(opened)
        return self._dictionaries[key]

    def _open(self, side: Side) -> OpenedRun | None:
        if side.is_replay or side.request is None:
            return None
        if side.folder not in self._opened:
            try:
                # No papers are compared: they are not made again.
                opened = replace(open_run(side.folder), data=b"")
                self._then(opened)
                self._opened[side.folder] = opened
            except PipelineError:
                self._opened[side.folder] = None
        return self._opened[side.folder]


def is_of_today(side: Side) -> bool:
    """True for a run that was made by the code and the libraries that are here now: it needs no proof."""
    if side.request is None or side.request.code_sha256 != code_sha256():
        return False
    stamps = (side.question.stamp, side.retrieval.stamp, side.answer.stamp)
    return all(_version_of(name) == known for stamp in stamps for name, known in stamp.libraries.items())


def _version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def load_kept(files: Mapping[str, str], roots: Sequence[Path]) -> Dictionaries:
    """The dictionaries of these hashes from what some stores kept, or as shipped.

    Raises RecordError, naming the dictionary, where none of them kept it.
    """
    from dictionaries import load_dictionaries
    from schemas.errors import RecordError

    with tempfile.TemporaryDirectory(prefix="lineproof-") as name:
        folder = Path(name)
        for dictionary, sha in files.items():
            kept = next((path for root in roots if (path := dictionary_file(root, dictionary, sha))), None)
            if kept is None:
                raise RecordError(f"{roots[0]}: the dictionary {dictionary} ({sha[:12]}) is not kept in the store")
            (folder / f"{dictionary}.toml").write_bytes(kept.read_bytes())
        return load_dictionaries(folder) if files else load_dictionaries(names=())
