"""The model of a what-if: replies on record first, the configured server for the rest, else a clear refusal."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.audit.comparing.recorded import AskedModel, recorded_transcript
from pipeline.audit.opened import OpenedRun
from pipeline.run import TRANSCRIPT
from pipeline.store.runs import load_run
from schemas.audit import ModelCall
from schemas.errors import InputError, ModelUnavailableError, RecordError, SettingsError

if TYPE_CHECKING:
    from pipeline.audit.replaying.whatif import WhatIf
    from pipeline.llm.settings import ModelSettings

MODEL_OPTION = "--model"


def recorded_model(opened: OpenedRun) -> AskedModel | None:
    """The model of a run, from the run's own record alone, those of its parts included; None for a run by rules."""
    from pipeline.llm.openai_model import OpenAIModel

    name = opened.request.model
    if name is None:
        return None
    return AskedModel(OpenAIModel(name, recorded_transcript(calls_of(opened), ()), settings=_settings(opened)))


def model_for(opened: OpenedRun, what: WhatIf) -> AskedModel | None:
    """The model that a what-if asks; None where rules alone run.

    What is on record in the run or the store is never sent again. The rest is sent only where a server is configured
    and a model was named: by `--model`, or by LINEPROOF_MODEL for a run that had one.

    Raises SettingsError where the environment is wrong, InputError for `--arbiter llm` or a prompt without any model.
    """
    from pipeline.llm.environment import MODEL_VARIABLE, check_endpoint, open_client
    from pipeline.llm.openai_model import OpenAIModel

    named = os.environ.get(MODEL_VARIABLE, "").strip()
    name = what.model or opened.request.model or (named if what.arbiter == "llm" else None)
    if not name:
        if what.arbiter == "llm":
            raise InputError(
                f"--arbiter llm: the run was made by rules; name a model with {MODEL_OPTION} or {MODEL_VARIABLE}"
            )
        return None
    is_online = bool(what.may_send or named) and bool(
        os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL")
    )
    store = opened.root / TRANSCRIPT
    transcript = recorded_transcript(calls_of(opened), [store], path=store if is_online else None)
    if is_online:
        check_endpoint(MODEL_OPTION if what.model else MODEL_VARIABLE, name)
    client = open_client() if is_online else None
    return AskedModel(OpenAIModel(name, transcript, settings=_settings(opened), client=client), what.prompts)


def refuse_missing(model: AskedModel | None) -> None:
    """Refuse a what-if that needs replies which are not on record and could not be sent for.

    Raises SettingsError.
    """
    if model is None or not model.missed:
        return
    purposes = ", ".join(dict.fromkeys(model.missed))
    raise SettingsError(
        f"this what-if needs {len(model.missed)} repl{'y' if len(model.missed) == 1 else 'ies'} of the model "
        f"{model.name} ({purposes}) that {'is' if len(model.missed) == 1 else 'are'} not on record, and no server is "
        f"configured; set OPENAI_BASE_URL or OPENAI_API_KEY and name the model with {MODEL_OPTION} {model.name}"
    )


def refuse_unanswered(opened: OpenedRun, calls: Sequence[ModelCall]) -> None:
    """Refuse a what-if that the server gave no reply for: rules in the model's place would tell of another thing.

    What the server gave no reply for in the run itself is no news.

    Raises ModelUnavailableError.
    """
    known = {call.purpose for call in calls_of(opened) if call.status == "failed"}
    failed = [call for call in calls if call.status == "failed" and not call.from_cache and call.purpose not in known]
    if failed:
        raise ModelUnavailableError(
            f"the model gave no reply for {failed[-1].purpose}: {failed[-1].error}; nothing was saved of this what-if, "
            "what was answered is on record and is not paid again when you run it again"
        )


def calls_of(opened: OpenedRun) -> tuple[ModelCall, ...]:
    """The exchanges of a run and of the runs of its parts that are still beside it."""
    calls = list(opened.saved.trace.model_calls)
    for name in opened.saved.trace.parts:
        folder = opened.root / opened.request.doc_id / "questions" / name
        if folder.is_dir():
            calls += load_run(folder).trace.model_calls
    return tuple(calls)


def _settings(opened: OpenedRun) -> ModelSettings:
    from pydantic import ValidationError

    from pipeline.llm.environment import settings_from_environment
    from pipeline.llm.settings import ModelSettings

    if not opened.request.model_settings:
        return settings_from_environment()
    try:
        return ModelSettings.model_validate(opened.request.model_settings)
    except ValidationError as error:
        raise RecordError(f"{opened.place}: the options of its model are none: {error}") from error
