"""A run told as a cell of the grid: the typed value, its lines, its reason, its proof of absence; no time, no place."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from hashlib import sha256

from pipeline.asking import Run
from pipeline.wording import words_of
from schemas.answer import Answer, AnswerItem
from schemas.batch import BatchCell, BatchDocument, BatchQuestion, CellAbsence, CellConflict, CellCost, CellValue
from schemas.retrieval import RetrievedCandidate
from schemas.trace import Trace
from schemas.values import (
    Amount,
    BooleanValue,
    Count,
    DateValue,
    Duration,
    Percentage,
    Value,
)

MAX_VALUES = 50  # values of a cell; the rest is counted in a caveat, the run holds them all
MAX_QUOTE = 4_000  # characters of a quote in a cell; the run holds it whole
MAX_TERMS = 60  # searched terms told in a cell
MAX_MISSES = 3  # nearest misses told in a cell
PERCENT = Decimal(100)


def cell_of(document: BatchDocument, question: BatchQuestion, run: Run) -> BatchCell:
    """The cell of one run, as yet without the key that it is known by."""
    answer = run.answer
    roles = {one.candidate_id: one for one in run.retrieval.candidates}
    values = tuple(_value_of(item, roles, answer, run.question.language) for item in answer.items[:MAX_VALUES])
    more = len(answer.items) - len(values)
    caveats = (*answer.caveats, *([f"{more} further values stand in the run"] if more else []))
    return BatchCell(
        document=document.name,
        doc_id=run.document.doc_id,
        question_id=question.question_id,
        status=answer.status,
        text=answer.clarification or answer.text if answer.status == "needs_clarification" else answer.text,
        answer_type=answer.answer_type,
        values=values,
        confidence=answer.confidence,
        answered_by=answer.answered_by,
        conflicts=tuple(
            CellConflict(
                detail=one.statement,
                quotes=tuple(cut(side.quote) for side in one.sides),
                pages=_pages_of(one.candidate_ids, roles),
            )
            for one in answer.conflicts
        ),
        absence=_absence_of(answer),
        caveats=caveats,
        downgrades=_downgrades_of(run),
        pages_not_read=answer.pages_not_read,
        cost=_cost_of([one.trace for one in run.all()]),
        run="/".join(run.path.parts[-3:]),
        answer_sha256=sha256(answer.to_json()).hexdigest(),
    )


def cut(text: str, most: int = MAX_QUOTE) -> str:
    """The text on one line, cut with a mark where it is longer."""
    joined = " ".join(text.split())
    return joined if len(joined) <= most else f"{joined[: most - 6]} [...]"


def _value_of(item: AnswerItem, roles: Mapping[str, RetrievedCandidate], answer: Answer, language: str) -> CellValue:
    span = item.spans[0]
    passage = roles.get(span.candidate_id)
    number, unit = _number_of(item.value)
    words = item.wished or words_of(item.value, language)
    labelled = item.label and len(answer.items) > 1 and not words.endswith(f"({item.label})")
    return CellValue(
        text=cut(f"{item.label}: {words}" if labelled else words),
        kind=item.value.type_name if item.value.kind == "custom" else item.value.kind,
        number=number,
        unit=unit,
        date=item.value.iso.isoformat() if isinstance(item.value, DateValue) else None,
        boolean=item.value.value if isinstance(item.value, BooleanValue) else None,
        quote=cut(" ".join(one.quote for one in item.spans)),
        page=span.page_start,
        line_start=span.line_start,
        line_end=span.line_end,
        section=span.section_title,
        role=passage.role if passage else None,
        reason=passage.reason if passage else None,
        methods=passage.methods if passage else (),
    )


def _number_of(value: Value) -> tuple[float | None, str | None]:
    match value:
        case Amount():
            return float(value.value), value.currency
        case Percentage():
            return float(value.value / PERCENT), None
        case Duration():
            return float(value.number), value.unit
        case Count():
            return float(value.number), value.of
        case _:
            return None, None


def _pages_of(ids: tuple[str, ...], roles: Mapping[str, RetrievedCandidate]) -> tuple[int, ...]:
    return tuple(page for one in ids if one in roles and (page := roles[one].anchor.page_start) is not None)


def _absence_of(answer: Answer) -> CellAbsence | None:
    proof = answer.absence
    if proof is None:
        return None
    misses = [f"p. {one.page_num}: {one.why_not}" for one in proof.nearest_misses[:MAX_MISSES]]
    terms = [f"{one.term} ({one.hit_count})" for one in proof.terms[:MAX_TERMS]]
    more = len(proof.terms) - len(terms)
    unread = [f"pages not read: {', '.join(map(str, proof.pages_not_read))}"] if proof.pages_not_read else []
    led_out = [f"not followed: {'; '.join(proof.references_not_followed)}"] if proof.references_not_followed else []
    return CellAbsence(
        verdict=proof.verdict,
        searched=(*terms, *([f"{more} more"] if more else [])),
        lines_read=proof.lines_searched,
        pages_read=proof.pages_searched,
        detail=cut(" | ".join([proof.statement, *misses, *unread, *led_out])),
    )


def _downgrades_of(run: Run) -> tuple[str, ...]:
    records = (run.question, run.retrieval, run.answer)
    steps = [step for record in records for step in record.downgrades]
    return tuple(dict.fromkeys(f"{one.used} instead of {one.wanted}: {one.reason}" for one in steps))


def _cost_of(traces: list[Trace]) -> CellCost:
    """What was asked of a model for these runs, whether now or before: the same whenever it is asked."""
    calls = {call.call_key: call for trace in traces for call in trace.model_calls}
    return CellCost(
        calls=len(calls),
        input_tokens=sum(call.input_tokens for call in calls.values()),
        output_tokens=sum(call.output_tokens for call in calls.values()),
    )
