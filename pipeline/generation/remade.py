"""A saved answer against the one that the rules make now of the same question and passages, field by field."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.generation.settings import GenerationSettings
from schemas.answer import Answer
from schemas.question import ParsedQuestion
from schemas.retrieval import RetrievalResult

# What the run adds to an answer that generation gave: findings, passes, and which side of a conflict prevails.
_OF_THE_RUN = {"findings", "history", "exhausted", "caveats", "conflicts", "stamp", "schema_version", "written_as"}
# What it tells of a model that failed before the rules answered: made again without that model, they do not tell it.
_OF_A_MODEL = {"model_uses", "downgrades"}
# What stands in an answer whoever wrote it.
_OF_THE_INPUTS = ("doc_id", "question", "answer_shape", "answer_type", "confidence", "pages_not_read")
MAX_TOLD = 80  # characters of a field that are told


def faults_of_whole(
    answer: Answer, found: RetrievalResult, question: ParsedQuestion, settings: GenerationSettings
) -> Iterator[str]:
    """Each field that is not what comes out again, a sentence each; of a model's answer only what code filled in.

    Rules are deterministic, so that any altered word of their answer shows: its text, its caveats, its absence proof.
    An answer that a further pass made with other words is not made again.
    """
    from pipeline.generation import generate

    if any(step.kept and step.action == "other_terms" for step in answer.history):
        return
    made = generate(question, found, settings=settings)
    if answer.answered_by == "llm":
        names: tuple[str, ...] = _OF_THE_INPUTS
    else:
        names = tuple(name for name in Answer.model_fields if name not in _OF_THE_RUN | _OF_A_MODEL)
    for name in names:
        saved, now = getattr(answer, name), getattr(made, name)
        if saved != now:
            yield f"{name}: the record says {_told(saved)}, made again it is {_told(now)}"
    if answer.answered_by == "rules":
        yield from _faults_of_a_model(answer, made)
        for caveat in made.caveats:
            if caveat not in answer.caveats:
                yield f"caveats: {_told(caveat)} is missing"
        if [one.model_copy(update={"prevails": None}) for one in answer.conflicts] != list(made.conflicts):
            yield "conflicts: the sides on record are not those that come out again"


def _faults_of_a_model(answer: Answer, made: Answer) -> Iterator[str]:
    """What a rules answer tells of a model that was not there, and downgrades of the rules' own that it lacks."""
    for step in made.downgrades:
        if step not in answer.downgrades:
            yield f"downgrades: {_told(step)} is missing"
    if answer.stamp.model is None:
        for step in answer.downgrades:
            if step not in made.downgrades:
                yield f"downgrades: {_told(step)} does not come out again, and no model was there"
        if answer.model_uses:
            yield "model_uses: calls are told, and no model was there"


def _told(value: object) -> str:
    words = " ".join(str(value).split())
    return repr(words if len(words) <= MAX_TOLD else words[: MAX_TOLD - 1] + "…")
