"""Further passes over a document where a first answer is cut, points elsewhere or found nothing: few, and on record.

Code decides, never a model (METHOD 4.5, 5.1): each trigger names what is to change, a pass that changes nothing is
none, the best answer is kept, and a proven absence is never tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from pipeline.generation import generate
from pipeline.precedence import with_prevailing
from pipeline.searching import Searching
from pipeline.store.runs import ANSWER, RETRIEVAL
from pipeline.tracing import StageClock
from pipeline.triggers import Action, Reading, Step, Task, triggered
from schemas.answer import Answer, EvidenceSpan, Iteration
from schemas.audit import ModelUse, StageTrace
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel

__all__ = ["Reading", "carry_over", "look_again", "with_passes"]

MAX_PASSES = 3  # METHOD 3.5: a listing confirms itself in one pass or two; the orchestrator's cap of 4 counts the first
MAX_CALLS = 6  # model calls of all further passes: an arbiter's and an answer's each
MAX_DROP = 0.1  # of retrieval's confidence: METHOD 5.1, a search that falls further drifts from the question
_STATUS_RANK = {"answered": 3, "partial": 2, "refused": 1, "not_found": 0, "needs_clarification": 0}
_COMPLETE_RANK = {True: 2, None: 1, False: 0}


def look_again(
    document: ParsedDocument,
    question: ParsedQuestion,
    first: Reading,
    *,
    searching: Searching,
    llm: LanguageModel | None = None,
    narrate: Callable[[str], object] = lambda _: None,
) -> tuple[Reading, tuple[StageTrace, ...]]:
    """The best reading, the history of the passes in its answer, and a stage a pass; `first` without a trigger.

    At most three passes; they end when nothing is left to try, when confidence falls by more than 0.1, and when the
    budget of model calls is used. Without a model a pass costs no call.
    """
    task = Task(document, question, searching, llm)
    best, tried = first, set[tuple[str, ...]]()
    history: list[Iteration] = []
    uses: list[ModelUse] = []
    stages: list[StageTrace] = []
    exhausted = False
    while (step := _next_step(task, best, tried)) is not None:
        if len(history) == MAX_PASSES or _calls(uses) >= MAX_CALLS:
            exhausted = True
            break
        clock = StageClock("loop", _hashes(best))
        found = step.read()
        if _lines_of(found) == _lines_of(best.found):
            continue  # the change changed nothing: no pass
        narrate(f"looking again: {step.trigger}")
        answer = with_prevailing(generate(question, found, llm=llm), document)
        uses += [use for use in (*found.model_uses, *answer.model_uses) if use not in best.found.model_uses]
        kept = _is_better(answer, best.answer, step.action)
        history.append(_told(step, len(history) + 1, best, answer, found, kept=kept))
        before = best
        best = Reading(found, answer) if kept else best
        stages.append(clock.stop(_hashes(best)))
        if not kept and before.found.confidence - found.confidence > MAX_DROP:
            break
    if not history:
        return first, ()
    own = [*best.found.model_uses, *best.answer.model_uses]
    others = [use for use in (*first.found.model_uses, *first.answer.model_uses, *uses) if use not in own]
    answer = _with_history(best.answer, history, others, exhausted=exhausted)
    return Reading(best.found, answer), tuple(stages)


def carry_over(answer: Answer, stored: Answer) -> Answer:
    """An answer written again from the passages of the last pass, with what the stored one says of the passes."""
    if not stored.history:
        return answer
    others = [use for use in stored.model_uses if use not in answer.model_uses]
    return _with_history(answer, stored.history, others, exhausted=stored.exhausted)


def _with_history(
    answer: Answer, history: Sequence[Iteration], others: Sequence[ModelUse], *, exhausted: bool
) -> Answer:
    return answer.model_copy(
        update={
            "history": tuple(history), "exhausted": exhausted,
            "caveats": tuple(dict.fromkeys((*answer.caveats, *_caveats(history)))),
            "model_uses": (*answer.model_uses, *dict.fromkeys(others)),
        }
    )  # fmt: skip


def with_passes(
    stages: Sequence[StageTrace], passes: Sequence[StageTrace], outputs: Mapping[str, str]
) -> list[StageTrace]:
    """The stages of a run and its passes; `outputs` (file name -> SHA-256) are what stands in the store at the end.

    A file that a later pass replaced is named by the stage that wrote it first: '... as it was before'.
    """
    told = [_replaced(stage, set(outputs)) for stage in (*stages, *passes[:-1])]
    return [*told, *(stage.model_copy(update={"output_sha256": dict(outputs)}) for stage in passes[-1:])]


def _replaced(stage: StageTrace, names: set[str]) -> StageTrace:
    written = {f"{name} as it was before" if name in names else name: sha for name, sha in stage.output_sha256.items()}
    return stage.model_copy(update={"output_sha256": written})


def _next_step(task: Task, reading: Reading, tried: set[tuple[str, ...]]) -> Step | None:
    """The first change not tried yet that the best reading so far gives reason for; None where nothing is left."""
    if not _may_go_on(reading.answer):
        return None
    step = next((one for one in triggered(task, reading) if one.key not in tried), None)
    if step is not None:
        tried.add(step.key)
    return step


def _may_go_on(answer: Answer) -> bool:
    """False for what no further reading can change: a question back, one that is none, a proven absence."""
    if answer.status == "needs_clarification" or (answer.status == "refused" and not answer.refused_items):
        return False
    return answer.absence is None or answer.absence.verdict != "proven_absent"


def _is_better(new: Answer, old: Answer, action: Action) -> bool:
    """True for an answer that says more: a better status, a whole one, more of a list; what was given stays given.

    A place that was pointed to is better than the clause that only points there, as soon as it answers.
    """
    if action == "two_hop":
        return new.status == "answered" and any(span.candidate_id not in _cited(old) for span in _spans(new))
    if action == "widen" and not {item.spans[0].line_start for item in old.items} <= _held_lines(new):
        return False  # another list
    return _rank(new) > _rank(old)


def _rank(answer: Answer) -> tuple[int, int, int]:
    return _STATUS_RANK[answer.status], _COMPLETE_RANK[answer.completeness.complete], len(answer.items)


def _spans(answer: Answer) -> list[EvidenceSpan]:
    return [span for item in answer.items for span in item.spans]


def _cited(answer: Answer) -> set[str]:
    return {span.candidate_id for span in _spans(answer)}


def _held_lines(answer: Answer) -> set[int]:
    return {line for span in _spans(answer) for line in range(span.line_start, span.line_end + 1)}


def _told(
    step: Step, number: int, before: Reading, answer: Answer, found: AuditedRetrievalResult, *, kept: bool
) -> Iteration:
    count = len(answer.items)
    told = f"{answer.status.replace('_', ' ')}, {count} value{'' if count == 1 else 's'}"
    better = "it took the place of the one before" if kept else "the one before says as much or more, and stays"
    return Iteration(
        number=number, trigger=step.trigger, action=step.action, detail=step.detail, result=f"{told}; {better}",
        kept=kept, confidence_before=before.found.confidence, confidence_after=found.confidence,
    )  # fmt: skip


def _caveats(history: Sequence[Iteration]) -> tuple[str, ...]:
    """What a reader must know of the passes: that the answer stands at a place which the clause on it points to."""
    kept = [one.detail for one in history if one.kept and one.action == "two_hop"]
    return tuple(f"The clause on it only points to the place where the answer stands; {detail}." for detail in kept)


def _lines_of(found: AuditedRetrievalResult) -> list[tuple[str, str | None, int, int, int]]:
    """What tells two readings apart: the passages with their roles and how much of each was read."""
    return [
        (one.candidate_id, one.role, one.lines[0].line_id, one.lines[-1].line_id, len(one.lines))
        for one in found.candidates
    ]


def _calls(uses: Sequence[ModelUse]) -> int:
    return sum(len(use.call_keys) for use in uses)


def _hashes(reading: Reading) -> dict[str, str]:
    return {RETRIEVAL: reading.found.content_sha256(), ANSWER: reading.answer.content_sha256()}
