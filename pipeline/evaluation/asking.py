"""Every step put to every question of one document: rows and times, and why each failing pair failed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dictionaries import Dictionaries
from pipeline.evaluation.ablation import index, run_part
from pipeline.evaluation.coverage import DEPTHS, Coverage, clause_coverage, page_coverage
from pipeline.evaluation.datasets import LabelledQuestion
from pipeline.evaluation.failures import find_failure
from pipeline.evaluation.gold import DocumentWords
from pipeline.evaluation.models import Models
from pipeline.evaluation.outcome import Outcome, Places, outcome_of
from pipeline.evaluation.steps import Step
from pipeline.evaluation.values import given_value, is_right
from pipeline.generation import generate
from pipeline.question import QuestionContext, parse_question
from pipeline.retrieval import retrieve
from pipeline.retrieval.search import Search
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.names import ARBITER
from pipeline.retrieval.timing import StageTimes
from schemas.answer import Answer
from schemas.audit import Downgrade, ModelUse
from schemas.document import ParsedDocument
from schemas.errors import QuestionError
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

NO_DICTIONARY = Dictionaries(concepts=(), sources=())
DIGITS = 6  # decimals of a confidence in the rows

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tools:
    """What all questions of a run share."""

    dictionaries: Dictionaries
    models: Models
    settings: RetrievalSettings
    with_answers: bool


@dataclass(slots=True)
class AskedDocument:
    """What came of one document: rows, times, and what could not be asked (name, reason)."""

    rows: list[Row] = field(default_factory=list)
    times: list[Row] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Read:
    """A question as read, how long that took (wall and processor, in seconds), and what was indexed for it."""

    question: ParsedQuestion
    wall: float
    cpu: float
    indexed: list[tuple[Search, StageTimes]] = field(default_factory=list)


@dataclass(frozen=True)
class _Asked:
    """One document while it is asked; `done` keeps what two steps share."""

    document: ParsedDocument
    name: str
    dataset: str
    tools: Tools
    done: dict[tuple[str, str], tuple[Row, list[Row]]] = field(default_factory=dict)

    @cached_property
    def places(self) -> Places:
        return Places(self.document)

    @cached_property
    def words(self) -> DocumentWords:
        return DocumentWords(self.document)


def ask_all(
    document: ParsedDocument,
    questions: Sequence[LabelledQuestion],
    steps: Sequence[Step],
    *,
    name: str,
    dataset: str,
    tools: Tools,
) -> AskedDocument:
    """Rows of EVALUATION_DF and TIMING_DF for one document: question by question, in the order of the steps.

    Each question is read once for all steps, and once more for those that read it by other means (a model, or without
    a dictionary). A step that is a strategy already run takes its rows. A text that is no question is told.
    """
    asked = _Asked(document, name, dataset, tools)
    done = AskedDocument()
    for question in questions:
        read: dict[tuple[bool, bool], _Read] = {}
        try:
            results = [(step, *_shared(asked, question, step, read)) for step in steps]
        except QuestionError as error:
            done.failed.append((f"{name}: {question.question_id}", " ".join(str(error).split())))
            continue
        for step, row, stages in results:
            done.rows.append({**row, "strategy": step.name})
            done.times.extend({**stage, "strategy": step.name} for stage in stages)
    return done


def _shared(
    asked: _Asked, question: LabelledQuestion, step: Step, read: dict[tuple[bool, bool], _Read]
) -> tuple[Row, list[Row]]:
    key = (question.question_id, f"{step.part} {step.strategy}")
    if key not in asked.done:
        asked.done[key] = _run(asked, question, step, read)
    return asked.done[key]


def _run(
    asked: _Asked, question: LabelledQuestion, step: Step, read: dict[tuple[bool, bool], _Read]
) -> tuple[Row, list[Row]]:
    tools, models = asked.tools, asked.tools.models
    llm = models.llm if step.with_model else None
    words = _read(asked, question, read, with_model=llm is not None, with_dictionary=step.part != "contents")
    times = StageTimes(wall={"question": words.wall}, cpu={"question": words.cpu})
    answer: Answer | None = None
    if step.part == "strategy":
        settings = tools.settings.model_copy(update={"strategy": step.strategy})
        embedder = models.arbiter_embedder if step.strategy == ARBITER else models.embedder
        result = retrieve(
            asked.document, words.question, llm=llm, settings=settings, embedder=embedder,
            cross_encoder=models.cross_encoder, sparse_encoder=models.sparse_encoder, times=times,
        )  # fmt: skip
        answer = _answer(words.question, result, step, times, tools)
        outcome = outcome_of(result, asked.places, check=llm is not None)
    else:
        search, indexing = _indexed(asked, words)
        times.wall.update(indexing.wall)
        times.cpu.update(indexing.cpu)
        outcome = run_part(step.part, search, times=times)
    row = _row(asked, question, outcome, answer, words.question)
    key = {"dataset": asked.dataset, "strategy": "", "document": asked.name, "question_id": question.question_id}
    stages = [
        {**key, "stage": stage, "wall_seconds": round(seconds, DIGITS), "cpu_seconds": round(times.cpu[stage], DIGITS)}
        for stage, seconds in times.wall.items()
    ]
    return row, stages


def _read(
    asked: _Asked,
    question: LabelledQuestion,
    read: dict[tuple[bool, bool], _Read],
    *,
    with_model: bool,
    with_dictionary: bool,
) -> _Read:
    key = (with_model, with_dictionary)
    if key not in read:
        wall, cpu = time.perf_counter(), time.process_time()
        parsed = parse_question(
            question.text,
            asked.document.profile,
            asked.tools.dictionaries if with_dictionary else NO_DICTIONARY,
            llm=asked.tools.models.llm if with_model else None,
            context=QuestionContext(document=asked.document),
        )
        read[key] = _Read(parsed, time.perf_counter() - wall, time.process_time() - cpu)
    return read[key]


def _indexed(asked: _Asked, read: _Read) -> tuple[Search, StageTimes]:
    """The search of a question, made once, and what it took."""
    if not read.indexed:
        tools, times = asked.tools, StageTimes()
        embedder = tools.models.embedder
        search = index(asked.document, read.question, settings=tools.settings, embedder=embedder, times=times)
        read.indexed.append((search, times))
    return read.indexed[0]


def _answer(
    question: ParsedQuestion, result: AuditedRetrievalResult, step: Step, times: StageTimes, tools: Tools
) -> Answer | None:
    if not tools.with_answers or step.kind != "strategy":
        return None
    with times.stage("generation"):
        return generate(question, result, llm=tools.models.llm if step.with_model else None)


def _row(
    asked: _Asked, question: LabelledQuestion, outcome: Outcome, answer: Answer | None, read: ParsedQuestion
) -> Row:
    coverage = _coverage(question, outcome)
    failure = find_failure(question, outcome, coverage, asked.words)
    expected = question.expected
    compared = expected is not None and answer is not None
    return {
        "dataset": asked.dataset,
        "strategy": "",
        "document": asked.name,
        "question_id": question.question_id,
        "question": question.text,
        "question_type": question.question_type,
        "present": question.present,
        "gold_kind": question.gold_kind,
        "gold_count": question.gold_count,
        **{f"covered_{depth}": found for depth, found in zip(DEPTHS, coverage.found, strict=True)},
        "first_rank": coverage.first_rank,
        "context_count": len(outcome.passages[: DEPTHS[-1]]),
        "covering_count": coverage.covering,
        "characters": coverage.characters,
        "candidate_count": len(outcome.passages),
        "not_found": outcome.not_found,
        "absence_verdict": outcome.verdict,
        "confidence": round(outcome.confidence, DIGITS),
        "failure_cause": failure.cause if failure else None,
        "failure_detail": failure.detail if failure else None,
        "failure_kind": failure.kind if failure else None,
        "answer_status": answer.status if answer else None,
        "quotes_checked": _quotes_checked(answer),
        "expected_value": expected.text if expected else None,
        "given_value": given_value(expected, answer) if expected and answer else None,
        "value_right": is_right(expected, answer) if compared and expected and answer else None,
        **_model_columns(outcome, answer, read),
        "result_sha256": outcome.sha256,
    }


def _coverage(question: LabelledQuestion, outcome: Outcome) -> Coverage:
    texts = [one.text for one in outcome.passages]
    if question.gold_kind == "pages":
        return page_coverage(question.pages, [one.pages for one in outcome.passages], texts)
    return clause_coverage(question.clauses, texts)


def _quotes_checked(answer: Answer | None) -> bool | None:
    """True when each value given is proven by its lines and none was refused; null where none was given."""
    if answer is None or not answer.items:
        return None
    return not answer.refused_items and all(item.checks and all(c.passed for c in item.checks) for item in answer.items)


def _model_columns(outcome: Outcome, answer: Answer | None, read: ParsedQuestion) -> Row:
    uses: tuple[ModelUse, ...] = (*read.model_uses, *outcome.uses, *(answer.model_uses if answer else ()))
    downgrades: tuple[Downgrade, ...] = (*read.downgrades, *outcome.downgrades, *(answer.downgrades if answer else ()))
    return {
        "model_calls": sum(len(use.call_keys) for use in uses),
        "input_tokens": sum(use.input_tokens for use in uses),
        "output_tokens": sum(use.output_tokens for use in uses),
        "repaired": any(use.outcome in ("repaired", "partial") for use in uses),
        "fell_back": outcome.fell_back,
        "downgraded": bool(downgrades),
        "valid": outcome.valid,
    }
