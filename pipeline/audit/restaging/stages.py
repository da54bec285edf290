"""The stages of a run judged: the whole run first, then, where it differs, each stage from the stored record before it.

A stored record is right where it is what the whole run gives, or what its stage gives from the stored record before
it. So a record that was altered is named, those made before that are not, and neither are those that follow from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.asking import Run
from pipeline.audit.opened import Start
from pipeline.audit.restaging.causes import causes_of, told
from pipeline.audit.restaging.comparing import (
    Stored,
    changed_fields,
    other_in_trace,
    other_sheets,
    records_of,
    same_record,
)
from pipeline.audit.restaging.parts import other_parts
from pipeline.audit.restaging.records import CALLS_REPLAYED, STAGES_ALONE, UNLOCKED, not_checked, place_in
from pipeline.audit.restaging.remaking import Desk, Tried, papers_again, run_again
from pipeline.audit.restaging.unlocked import same_unlocked
from pipeline.llm.transcript import NOT_ON_RECORD
from pipeline.store.runs import ANSWER, HIGHLIGHTED, QUESTION, RETRIEVAL, TRACE
from schemas.audit import ModelUse, StageTrace
from schemas.verification import Mismatch, MismatchKind, Remark

_KIND: Mapping[str, MismatchKind] = {
    QUESTION: "question_differs", RETRIEVAL: "retrieval_differs", ANSWER: "answer_differs"
}  # fmt: skip
_START: Mapping[str, Start] = {QUESTION: "question", RETRIEVAL: "retrieval", ANSWER: "generation"}
_AFTER = {QUESTION: RETRIEVAL, RETRIEVAL: ANSWER}
_DOING = {
    QUESTION: "reading the question again",
    RETRIEVAL: "searching again from the stored question",
    ANSWER: "answering again from the stored passages",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the stages of a run."""

    mismatches: tuple[Mismatch, ...] = ()
    remarks: tuple[Remark, ...] = ()
    checks: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Findings:
    """The same, while it grows; `alone` is what was done again stage by stage."""

    mismatches: list[Mismatch] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    alone: dict[str, Tried] = field(default_factory=dict)


def check_run(desk: Desk, stored: Stored) -> Outcome:
    """What comes of a run that is done again: no mismatch where all is the same."""
    whole = run_again(desk, "question")
    found = _Findings()
    names = _other_records(desk, stored, whole)
    for name in names:
        _judge_record(desk, stored, name, whole, found)
    _leave_out_later_passes(desk, found)
    _leave_out_parts(desk, whole, found)
    sheets = _judge_sheets(desk, stored, whole, found)
    if whole.run is None and not found.mismatches and not found.remarks:  # no stage fails alone
        found.mismatches.append(_mismatch(desk, "answer_differs", f"the run as a whole fails ({whole.fault})"))
    if whole.run is not None and not names and not sheets:
        _judge_trace(desk, whole.run, found)
    compares_unlocked = whole.run is not None and not names and HIGHLIGHTED in desk.skip and bool(desk.opened.data)
    if whole.run is not None and compares_unlocked and not same_unlocked(desk, whole.run):
        found.mismatches.append(_mismatch(desk, "papers_differ", f"made again, {HIGHLIGHTED} is different"))
    calls = len(desk.opened.saved.trace.model_calls) if whole.run else 0
    checks = {CALLS_REPLAYED: calls, STAGES_ALONE: len(found.alone), UNLOCKED: int(compares_unlocked)}
    return Outcome(
        tuple(found.mismatches), tuple(found.remarks), {name: count for name, count in checks.items() if count}
    )


def _other_records(desk: Desk, stored: Stored, whole: Tried) -> list[str]:
    """Names of the records that the whole run does not give, in the order of the stages."""
    checked = [name for name in _KIND if name != RETRIEVAL or desk.searching is not None]
    if whole.run is None:
        return checked
    made = records_of(whole.run)
    return [name for name in checked if not same_record(stored, name, made[name], whole.run.files[name])]


def _judge_record(desk: Desk, stored: Stored, name: str, whole: Tried, found: _Findings) -> None:
    """Hold a record that the whole run does not give against what its stage gives; of failures, tell the last."""
    tried = _stage_alone(desk, name, whole, found)
    if tried.run is None:
        if name in _AFTER and _stage_alone(desk, _AFTER[name], whole, found).run is None:
            return
        if name == ANSWER and isinstance(papers_again(desk, stored.hashes), str):
            return  # the papers fail, and are told below
        found.mismatches.append(_mismatch(desk, _KIND[name], f"{_DOING[name]} fails ({tried.fault})", place=name))
        return
    made = records_of(tried.run)[name]
    if same_record(stored, name, made):
        return
    if missed := _missed(made.model_uses):
        detail = f"{_DOING[name]} asks the model for what is not on record: {missed}"
        found.mismatches.append(_mismatch(desk, "transcript_incomplete", detail, place=TRACE))
        return
    detail = f"{_DOING[name]} gives another {name}, in {changed_fields(stored, name, made)}"
    found.mismatches.append(_mismatch(desk, _KIND[name], detail, place=name))


def _stage_alone(desk: Desk, name: str, whole: Tried, found: _Findings) -> Tried:
    """The run from the stage of a record on, with the stored records before it; done once."""
    if name == QUESTION:
        return whole
    if name not in found.alone:
        found.alone[name] = run_again(desk, _START[name])
    return found.alone[name]


def _leave_out_later_passes(desk: Desk, found: _Findings) -> None:
    """Leave out the search where the first one gives the same, and only a pass that the answer calls for does not."""
    kinds = {one.kind for one in found.mismatches}
    run = found.alone[RETRIEVAL].run if RETRIEVAL in found.alone else None
    if run is None or not {"retrieval_differs", "answer_differs"} <= kinds:
        return
    first = _first_search(desk.opened.saved.trace.stages)
    if first is not None and first == _first_search(run.trace.stages):
        found.mismatches[:] = [one for one in found.mismatches if one.kind != "retrieval_differs"]


def _first_search(stages: Sequence[StageTrace]) -> str | None:
    """SHA-256 of what the first search gave, before any further pass."""
    written = next((stage.output_sha256 for stage in stages if stage.stage == "retrieval"), {})
    return next((sha for name, sha in written.items() if name.startswith(RETRIEVAL)), None)


def _leave_out_parts(desk: Desk, whole: Tried, found: _Findings) -> None:
    """Leave out the answer of a compound question where one of its parts differs, which is told of the part."""
    if not any(one.kind == "answer_differs" for one in found.mismatches):
        return
    parts = other_parts(desk.opened, whole.run.parts if whole.run else ())
    if parts:
        found.mismatches[:] = [one for one in found.mismatches if one.kind != "answer_differs"]
        why = f"its answer was not put together again: it is made of that of {', '.join(parts)}, which differs today"
        found.remarks.append(not_checked(desk.opened.root, desk.opened.folder, why))


def _judge_sheets(desk: Desk, stored: Stored, whole: Tried, found: _Findings) -> list[str]:
    """Hold the sheets and papers against those of the whole run, and where these are others, of the stored records."""
    names = other_sheets(stored, whole.run.files, skip=desk.skip) if whole.run and desk.searching else ["all"]
    if not names:
        return []
    papers = papers_again(desk, {name: stored.hashes.get(name, "") for name in _KIND})
    if isinstance(papers, str):
        detail = f"making the papers of the stored records again fails ({papers})"
        found.mismatches.append(_mismatch(desk, "papers_differ", detail))
        return names
    names = [name for name in other_sheets(stored, papers, skip=desk.skip) if name in names or names == ["all"]]
    if names:
        detail = f"made again from the stored records, {', '.join(names)} {'are' if names[1:] else 'is'} different"
        found.mismatches.append(_mismatch(desk, "papers_differ", detail))
    return names


def _judge_trace(desk: Desk, run: Run, found: _Findings) -> None:
    """Hold the trace against the run: where all records are the same, it must say the same, its clocks aside.

    Under other versions too: which these are the run says itself, and could say so to be spared.
    """
    names = other_in_trace(desk.opened.saved.trace, run.trace, skip=desk.skip, is_today=not desk.differences)
    if names:
        detail = f"what the trace says is not what the run gives, in {', '.join(names)}"
        found.mismatches.append(_mismatch(desk, "record_altered", detail, place=TRACE))


def _missed(uses: Sequence[ModelUse]) -> str:
    """The first call that is not on record, as a part of a sentence; empty where all are."""
    for use in uses:
        if any(NOT_ON_RECORD in problem for problem in use.problems):
            return f"a call for the {use.purpose}, prompt {use.prompt_name} ({use.prompt_sha256[:12]})"
    return ""


def _mismatch(desk: Desk, kind: MismatchKind, detail: str, *, place: str = "") -> Mismatch:
    folder = place_in(desk.opened.root, desk.opened.folder)
    return Mismatch(
        kind=kind, place=f"{folder}/{place}" if place else folder, detail=f"{detail}; {told(desk.differences)}.",
        causes=causes_of(desk.differences),
    )  # fmt: skip
