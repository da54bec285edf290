"""The parts of a compound question: which of them give another answer today than the whole was made of."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.asking import Run
from pipeline.audit.opened import OpenedRun
from pipeline.store.runs import load_run
from pipeline.store.sealed import find_sealed
from schemas.answer import Answer
from schemas.errors import RecordError


def other_parts(opened: OpenedRun, made: Sequence[Run]) -> list[str]:
    """Names of the parts of a run that give another answer today than the one it was put together from.

    Versions in the stamps, and the hashes that follow from them, do not count.
    """
    stored = _answers_of_parts(opened)
    return [
        run.path.name
        for run in made
        if run.path.name in stored and _unstamped(run.answer, stored[run.path.name]) != stored[run.path.name]
    ]


def _answers_of_parts(opened: OpenedRun) -> dict[str, Answer]:
    answers = {}
    for place, seal in (opened.seal.runs if opened.seal else {}).items():
        try:
            folder = find_sealed(opened.root, place, seal)
            if folder is not None:
                answers[place.rpartition("/")[2]] = load_run(folder, as_is=opened.as_is).answer
        except RecordError:  # told of the part itself
            continue
    return answers


def _unstamped(answer: Answer, kept: Answer) -> Answer:
    return answer.model_copy(update={"stamp": kept.stamp, "written_as": kept.written_as})
