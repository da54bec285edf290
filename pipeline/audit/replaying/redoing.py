"""A run done again: strictly, as it was, or with something changed; compared with what is stored, and saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from pipeline.asking import Run
from pipeline.audit.comparing import Side, compare, read_side
from pipeline.audit.comparing.experiments import OnRecord
from pipeline.audit.comparing.recorded import AskedModel, judged_by
from pipeline.audit.comparing.sides import replayed_side
from pipeline.audit.opened import Changed, OpenedRun, Start, rerun, searching_then
from pipeline.audit.replaying.models import model_for, recorded_model, refuse_missing, refuse_unanswered
from pipeline.audit.replaying.saving import save_replay
from pipeline.audit.replaying.vocabulary import with_words
from pipeline.audit.replaying.whatif import STAGES, WhatIf
from pipeline.opening import Narrate, be_silent
from pipeline.store.folders import read_folder
from pipeline.store.runs import ANSWER, PAPERS, QUESTION, REQUEST, RETRIEVAL, TRACE
from pipeline.tracing import CallLog
from schemas.errors import SettingsError
from schemas.record import list_faults
from schemas.replay import Replay, ReplayedStage, RunDiff

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel
    from pipeline.searching import Searching

RECORD_OF: Mapping[Start, str] = {"question": QUESTION, "retrieval": RETRIEVAL, "generation": ANSWER}
AGAIN = "done again"  # the place of a run that is not in the store, in a comparison
How = Literal["stored", "rules", "transcript", "model"]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A run done again: the record of it, what it gave, and its folder in the store (None: not saved)."""

    replay: Replay
    run: Run
    path: Path | None
    differing: tuple[str, ...] = ()


def replay_run(
    opened: OpenedRun,
    what: WhatIf,
    *,
    saving: bool = True,
    password: str | None = None,
    narrate: Narrate = be_silent,
) -> Replayed:
    """The run done again from the first stage that `what` reaches, and how it differs from the stored one.

    Without a change the replay is strict: nothing is sent, and what today's code would ask beyond the record makes the
    replay differ. With one, replies on record are used wherever the request is the same.

    Raises InputError, SettingsError and DictionaryError for what cannot be changed so, ModelUnavailableError where the
    server gives no reply, RecordError and StoreError for the store.
    """
    what = what.on(opened.request.model)
    start = what.first_stage()
    model = recorded_model(opened) if what.is_strict else model_for(opened, what)
    run, new_words = _redo(opened, what, start, model, password=password, narrate=narrate)
    if not what.is_strict:
        refuse_missing(model)
        refuse_unanswered(opened, run.trace.model_calls)
    stored = read_folder(opened.root, opened.folder) or {}
    differing = _differing(stored, run, start, has_source=bool(opened.data))
    original = replace(read_side(opened.folder), place=opened.place)
    files = {**run.files, TRACE: run.trace.to_json()}
    diff = _diff(original, files, model, what, differing)
    replay = Replay(
        of=opened.place,
        of_seal=opened.seal_root,
        strict=what.is_strict,
        changed=what.changed(),
        start=start,
        stages=_stages(start, stored, run, model),
        identical=not differing,
        diff=diff,
    )
    kept = {name: files[name] for name in differing} if what.is_strict else _records(files, stored)
    path = save_replay(opened, replay, kept, new_words) if saving else None
    return Replayed(replay, run, path, differing)


def changed_searching(searching: Searching, settings: Mapping[str, str]) -> Searching:
    """The search with other options.

    Raises SettingsError for an option that there is none of, or a value that it cannot have.
    """
    known = type(searching.settings).model_fields
    unknown = sorted(set(settings) - set(known))
    if unknown:
        raise SettingsError(
            f"--setting {unknown[0]}: there is no such option of retrieval; there are {', '.join(known)}"
        )
    fields = {**searching.settings.model_dump(mode="json"), **settings}
    try:
        return replace(searching, settings=type(searching.settings).model_validate(fields))
    except ValidationError as error:
        raise SettingsError(f"--setting: {list_faults(error)}") from error


def _redo(
    opened: OpenedRun,
    what: WhatIf,
    start: Start,
    model: AskedModel | None,
    *,
    password: str | None,
    narrate: Narrate,
) -> tuple[Run, dict[str, bytes]]:
    """The run, and the dictionary files that it was given and the store does not keep yet."""
    words, new_words = None, dict[str, bytes]()
    if what.words is not None:
        words, new_words = with_words(opened.root, opened.request.dictionaries, what.words)
    searching = changed_searching(searching_then(opened), what.settings) if what.settings else None
    llm: LanguageModel | None = model
    log = CallLog(model)
    if what.arbiter is not None:
        judge = model if what.arbiter == "llm" else None
        searching = judged_by(searching or searching_then(opened), judge)
        by_rules = opened.request.model is None and what.model is None
        llm = None if by_rules else model
    changed = Changed(dictionaries=words, searching=searching)
    run = rerun(opened, llm=llm, start=start, changed=changed, password=password, narrate=narrate)
    return (_with_judge(run, log) if llm is None and model is not None else run), new_words


def _with_judge(run: Run, log: CallLog) -> Run:
    """The run with the exchanges of a model that only judged, on record."""
    uses = run.retrieval.model_uses
    calls = log.calls([key for use in uses for key in use.call_keys])
    trace = run.trace.model_copy(update={"prompts": log.prompts(uses), "model_calls": calls})
    return replace(run, trace=trace)


def _differing(stored: Mapping[str, bytes], run: Run, start: Start, *, has_source: bool) -> tuple[str, ...]:
    """Names of the files that are not the stored ones: of the stages done again, and what was written from them.

    The request says with what it was done, which is told as changes; papers need the document's bytes.
    """
    taken = {RECORD_OF[stage] for stage in STAGES[: STAGES.index(start)]}
    names = [name for name in (*run.files, *stored) if has_source or name not in PAPERS]
    own = [name for name in dict.fromkeys(names) if name in run.files or name in PAPERS]
    return tuple(
        sorted(name for name in own if name not in taken | {REQUEST} and run.files.get(name) != stored.get(name))
    )


def _records(files: Mapping[str, bytes], stored: Mapping[str, bytes]) -> dict[str, bytes]:
    """What a what-if leaves: every record that differs, request and trace always; papers can be made of them."""
    names = (REQUEST, QUESTION, RETRIEVAL, ANSWER, TRACE)
    return {name: files[name] for name in names if files[name] != stored.get(name)}


def _stages(start: Start, stored: Mapping[str, bytes], run: Run, model: AskedModel | None) -> tuple[ReplayedStage, ...]:
    stages = [ReplayedStage(stage="parsing", how="stored", identical=None)]
    for stage in STAGES:
        name = RECORD_OF[stage]
        if STAGES.index(stage) < STAGES.index(start):
            stages.append(ReplayedStage(stage=stage, how="stored", identical=None))
            continue
        identical = run.files[name] == stored.get(name)
        stages.append(ReplayedStage(stage=stage, how=_how(stage, run, model), identical=identical))
    return tuple(stages)


def _how(stage: Start, run: Run, model: AskedModel | None) -> How:
    uses = {
        "question": run.question.model_uses, "retrieval": run.retrieval.model_uses, "generation": run.answer.model_uses
    }[stage]  # fmt: skip
    keys = {key for use in uses for key in use.call_keys}
    if model is None or not keys:
        return "rules"
    sent = {call.call_key for call in model.transcript.calls() if not call.from_cache}
    return "model" if keys & sent else "transcript"


def _diff(
    original: Side, files: Mapping[str, bytes], model: AskedModel | None, what: WhatIf, differing: tuple[str, ...]
) -> RunDiff:
    redone = replayed_side(original, files, place=AGAIN)
    experiments = OnRecord((original, redone)) if differing else None
    diff = compare(original, redone, experiments=experiments)
    notes = []
    if model is not None and model.missed:
        purposes = ", ".join(dict.fromkeys(model.missed))
        notes.append(f"Today's code asks the model what is not on record ({purposes}); nothing was sent.")
    unused = [name for name in what.prompts if model is None or name not in model.asked]
    if unused:
        notes.append(f"The prompt of {', '.join(sorted(unused))} was not asked for, so it has no effect.")
    papers = [name for name in differing if name not in RECORD_OF.values()]
    if papers and not any(name in RECORD_OF.values() for name in differing):
        notes.append(f"The records are the same; {', '.join(papers)} made of them differ.")
    return diff.model_copy(update={"text": " ".join((diff.text, *notes))})
