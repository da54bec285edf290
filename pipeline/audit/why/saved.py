"""Counterfactuals of what stands in a store: a run, each part of a compound question, each document of a case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.opened import open_run
from pipeline.audit.why.explaining import BUDGET, explain
from pipeline.run import TRANSCRIPT
from pipeline.store.documents import load_document
from pipeline.store.runs import SavedRun, is_case, load_run, root_of_run
from pipeline.store.sealed import former_folders
from pipeline.store.seals import read_seal, seal_root
from schemas.errors import InputError
from schemas.replay import Counterfactual

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel
    from schemas.document import ParsedDocument


def explain_saved(
    folder: Path, *, llm: LanguageModel | None = None, budget: int = BUDGET
) -> tuple[Counterfactual, ...]:
    """The counterfactual of the run in `folder`; of a compound question one a part, of a case one a document.

    `llm` may be sent `budget` calls in all; replies on record in the store are used first and cost nothing.

    Raises RecordError for what is damaged, InputError for a case from before there was a ledger.
    """
    made: list[Counterfactual] = []
    for run in _runs_of(folder.resolve()):
        saved = load_run(run)
        left = budget - sum(one.calls_made for one in made)
        place = run.relative_to(root_of_run(run)).as_posix()
        made.append(
            explain(
                saved,
                _document_of(saved, run),
                place=place,
                replies=_replies_of(saved, run),
                llm=llm,
                budget=max(left, 0),
            )
        )
    return tuple(made)


def _runs_of(folder: Path) -> list[Path]:
    """The runs that a folder stands for, in order; a part that was not asked has none."""
    if is_case(folder):
        seal = read_seal(folder)
        if seal is None or not seal.runs:
            raise InputError(f"{folder}: the case does not say which runs it was made of; ask its question once more")
        root = root_of_run(folder)
        return [
            run
            for place, root_then in sorted(seal.runs.items())
            for run in _runs_of(_as_it_was(root, place, root_then))
        ]
    parts = [part.run for part in load_run(folder).answer.parts if part.run is not None]
    if not parts:
        return [folder]
    seal, root = read_seal(folder), root_of_run(folder)
    beside = (folder.parent / name for name in parts)
    places = {Path(place).name: place for place in seal.runs} if seal is not None else {}
    return [
        _as_it_was(root, places[run.name], seal.runs[places[run.name]]) if seal and run.name in places else run
        for run in beside
    ]


def _as_it_was(root: Path, place: str, seal: str) -> Path:
    """The folder, present or former, whose seal this is; the present one where none is."""
    present = root / place
    for folder in (present, *former_folders(root, present)):
        own = read_seal(folder) if folder.is_dir() else None
        if own is not None and seal_root(own) == seal:
            return folder
    return present


def _document_of(saved: SavedRun, folder: Path) -> ParsedDocument | None:
    """The parsing that the run was read from; for a run from before there was a ledger the one that is there now.

    None for an answer with values, where no passage has to be read anew.
    """
    if saved.answer.items:
        return None
    if saved.request is None:
        return load_document(root_of_run(folder), saved.answer.doc_id)
    return open_run(folder, data=b"").document


def _replies_of(saved: SavedRun, folder: Path) -> LanguageModel | None:
    """The model of the run, reading from what the store has on record; None for a run by rules."""
    if saved.request is None or saved.request.model is None:
        return None
    from pipeline.llm.openai_model import OpenAIModel
    from pipeline.llm.settings import ModelSettings
    from pipeline.llm.transcript import Transcript

    kept = root_of_run(folder) / TRANSCRIPT
    transcript = Transcript(kept, offline=True) if kept.is_file() else Transcript.replaying(saved.trace.model_calls)
    settings = ModelSettings.model_validate(saved.request.model_settings)
    return OpenAIModel(saved.request.model, transcript, settings=settings)
