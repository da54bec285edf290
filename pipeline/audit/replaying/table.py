"""Several runs done again in one go, each under one variant or several, one row a run: two prompts side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from pipeline.audit.opened import OpenedRun, open_run
from pipeline.audit.replaying.redoing import Replayed, replay_run
from pipeline.audit.replaying.whatif import WhatIf
from pipeline.store.runs import root_of_run
from pipeline.wording.values import words_of
from schemas.answer import Answer
from schemas.errors import ModelUnavailableError, PipelineError
from schemas.record import Part

NO_EFFECT = "made by rules: a prompt has no effect; name a model with --model"
UNREACHED = "unreached"
MAX_UNREACHED = 3  # runs one after the other for which the server gave nothing: it is down, and the rest would wait too


class VariantAnswer(Part):
    """What a run answers under one variant."""

    variant: str = Field(description="The variant: the prompt's file, or what was changed.")
    status: str | None = Field(description="Status of the answer; null where it was not done again.")
    text: str = Field(description="The answer in plain words; empty where it was not done again.")
    values: tuple[str, ...] = Field(default=(), description="The values, best first; each passed every check.")
    quotes: tuple[str, ...] = Field(default=(), description="The lines that prove them, in the same order.")
    refused: tuple[str, ...] = Field(default=(), description="Values that failed a check.")
    how: str = Field(
        default="", description="stored, rules, transcript or model: who wrote it; unreached: the server gave no reply."
    )
    input_tokens: int = Field(default=0, description="Tokens read by the calls behind it, replies on record included.")
    output_tokens: int = Field(default=0, description="Tokens written by them.")
    calls_sent: int = Field(default=0, description="Calls that were sent for it; those on record cost nothing.")
    identical: bool | None = Field(default=None, description="Every record is the stored one; null: not done again.")
    note: str = Field(default="", description="What a reader must know: no effect, a downgrade, an error.")
    replay: str | None = Field(default=None, description="Place of the replay in the store; null where none is kept.")


class ComparedRun(Part):
    """One run of the table."""

    run: str = Field(description="Place of the run.")
    document: str = Field(description="Name of the document's file.")
    question: str = Field(description="The question, verbatim.")
    stored: VariantAnswer = Field(description="The answer as it is stored.")
    answers: tuple[VariantAnswer, ...] = Field(description="One a variant, in order.")
    same: bool | None = Field(
        description="All variants (of one variant: it and the stored one) give the same status and values; null: one "
        "of them could not be done."
    )


class VariantTable(Part):
    """Runs under one variant or several; no clock in it."""

    variants: tuple[str, ...] = Field(description="The variants, in order.")
    rows: tuple[ComparedRun, ...] = Field(description="One a run, in the order given.")
    text: str = Field(description="The gist in a sentence or two.")


@dataclass(frozen=True, slots=True)
class Variant:
    """Something to try on every run, by the name it has in the table."""

    name: str
    what: WhatIf


def compare_variants(
    folders: Sequence[Path],
    variants: Sequence[Variant],
    *,
    saving: bool = True,
    narrate: Callable[[str], None] = lambda _: None,
) -> VariantTable:
    """Each run done again under each variant. Ended half-way, it is taken up where it stopped: replies are on record.

    A run that cannot be done again is a row with the reason.

    Raises ModelUnavailableError where the server gave nothing for three runs one after the other.
    """
    rows: list[ComparedRun] = []
    unreached = 0
    for number, folder in enumerate(folders, 1):
        narrate(f"run {number} of {len(folders)}")
        row = _row(folder, variants, saving=saving)
        rows.append(row)
        unreached = unreached + 1 if any(one.how == UNREACHED for one in row.answers) else 0
        if unreached == MAX_UNREACHED:
            raise ModelUnavailableError(
                f"{MAX_UNREACHED} runs one after the other got no reply, so the rest was not tried: "
                f"{next(one.note for one in row.answers if one.how == UNREACHED)}"
            )
    names = tuple(one.name for one in variants)
    return VariantTable(variants=names, rows=tuple(rows), text=_gist(names, rows))


def _row(folder: Path, variants: Sequence[Variant], *, saving: bool) -> ComparedRun:
    try:
        opened = open_run(folder)
    except PipelineError as error:
        place = folder.resolve().relative_to(root_of_run(folder)).as_posix()
        nothing = VariantAnswer(variant="stored", status=None, text="", note=str(error))
        failed = tuple(_failed(one.name, error) for one in variants)
        return ComparedRun(run=place, document="", question="", stored=nothing, answers=failed, same=None)
    answers = tuple(_under(opened, one, saving=saving) for one in variants)
    stored = _told("stored", opened.saved.answer, how="stored")
    return ComparedRun(
        run=opened.place,
        document=opened.saved.trace.source_name,
        question=opened.saved.question.original_question,
        stored=stored,
        answers=answers,
        same=_same((stored, *answers) if len(answers) == 1 else answers),
    )


def _under(opened: OpenedRun, variant: Variant, *, saving: bool) -> VariantAnswer:
    what = variant.what
    is_only_prompt = bool(what.prompts) and what.model is None and what.arbiter is None
    if is_only_prompt and opened.request.model is None:
        stored = _told(variant.name, opened.saved.answer, how="stored")
        return stored.model_copy(update={"note": NO_EFFECT})
    try:
        again = replay_run(opened, what, saving=saving)
    except PipelineError as error:
        return _failed(variant.name, error)
    return _of_replay(variant.name, again)


def _of_replay(name: str, again: Replayed) -> VariantAnswer:
    answer, calls = again.run.answer, again.run.trace.model_calls
    made = [stage for stage in again.replay.stages if stage.how != "stored"]
    notes = [one.reason for one in answer.downgrades]
    told = _told(name, answer, how=made[-1].how if made else "stored")
    return told.model_copy(
        update={
            "calls_sent": sum(not call.from_cache for call in calls),
            "input_tokens": sum(call.input_tokens for call in calls),
            "output_tokens": sum(call.output_tokens for call in calls),
            "identical": again.replay.identical,
            "note": "; ".join(notes),
            "replay": f"replays/{again.path.name}" if again.path else None,
        }
    )


def _told(name: str, answer: Answer, *, how: str) -> VariantAnswer:
    return VariantAnswer(
        variant=name,
        status=answer.status,
        text=answer.text,
        values=tuple(words_of(item.value, "en") for item in answer.items),
        quotes=tuple("\n".join(span.quote for span in item.spans) for item in answer.items),
        refused=tuple(one.value_text for one in answer.refused_items),
        how=how,
        input_tokens=sum(use.input_tokens for use in answer.model_uses),
        output_tokens=sum(use.output_tokens for use in answer.model_uses),
    )


def _failed(name: str, error: PipelineError) -> VariantAnswer:
    how = UNREACHED if isinstance(error, ModelUnavailableError) else ""
    return VariantAnswer(variant=name, status=None, text="", note=str(error), how=how)


def _same(answers: Sequence[VariantAnswer]) -> bool | None:
    if any(one.status is None for one in answers):
        return None
    first = answers[0]
    return all((one.status, one.values) == (first.status, first.values) for one in answers)


def _gist(names: Sequence[str], rows: Sequence[ComparedRun]) -> str:
    same = sum(row.same is True for row in rows)
    other = sum(row.same is False for row in rows)
    failed = len(rows) - same - other
    sentences = [f"{len(rows)} run{'' if len(rows) == 1 else 's'}: {same} the same, {other} different"]
    sentences[0] += f", {failed} not done again." if failed else "."
    return " ".join((*sentences, *_sums(names, rows)))


def _sums(names: Sequence[str], rows: Sequence[ComparedRun]) -> Iterator[str]:
    for at, name in enumerate(names):
        each = [row.answers[at] for row in rows]
        answered = sum(one.status in ("answered", "partial") for one in each)
        values, refused = sum(len(one.values) for one in each), sum(len(one.refused) for one in each)
        tokens = sum(one.input_tokens + one.output_tokens for one in each)
        sent = sum(one.calls_sent for one in each)
        yield (
            f"{name}: {answered} answered, {values} value{'' if values == 1 else 's'} verified, {refused} refused, "
            f"{tokens} tokens, {sent} call{'' if sent == 1 else 's'} sent."
        )
