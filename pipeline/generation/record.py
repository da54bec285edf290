"""The saved record of an answer: the same fields whatever became of the question, and by what it was made."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version

from pipeline.generation.drafting import Drafted
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.wording import tell_absence
from pipeline.llm.model import LanguageModel
from schemas.answer import Answer, AnswerItem, AnswerStatus, Completeness, RefusedItem
from schemas.question import ParsedQuestion
from schemas.record import Stamp
from schemas.retrieval import AbsenceProof, Conflict, RetrievalResult

_LIBRARIES = ("ahocorasick_rs", "numpy", "pydantic")  # whose behaviour shows in the record


def state_absence(
    question: ParsedQuestion,
    found: RetrievalResult,
    drafted: Drafted,
    settings: GenerationSettings,
    llm: LanguageModel | None,
    absence: AbsenceProof,
) -> Answer:
    """The answer that nothing was found, with its proof, in the question's language."""
    text = tell_absence(absence, question.language)
    return build_answer(
        question, found, drafted, settings, llm, status="not_found", text=text, absence=absence,
        caveats=drafted.draft.caveats,
    )  # fmt: skip


def build_answer(
    question: ParsedQuestion,
    found: RetrievalResult,
    drafted: Drafted,
    settings: GenerationSettings,
    llm: LanguageModel | None,
    *,
    status: AnswerStatus,
    text: str,
    items: tuple[AnswerItem, ...] = (),
    refused_items: tuple[RefusedItem, ...] = (),
    conflicts: tuple[Conflict, ...] = (),
    completeness: Completeness | None = None,
    caveats: tuple[str, ...] = (),
    absence: AbsenceProof | None = None,
    clarification: str | None = None,
) -> Answer:
    """The record; every path of generation ends here, so that no field depends on the path."""
    return Answer(
        doc_id=found.doc_id,
        question=question.original_question,
        status=status,
        text=text,
        answer_shape=question.answer_shape,
        answer_type=question.answer_type,
        items=items,
        refused_items=refused_items,
        conflicts=conflicts,
        completeness=completeness
        or Completeness(complete=None, found_count=len(items), reason="nothing is given that could be complete"),
        caveats=caveats,
        absence=absence,
        clarification=clarification,
        confidence=found.confidence,
        answered_by=drafted.by,
        pages_not_read=found.pages_not_read,
        model_uses=drafted.uses,
        downgrades=drafted.downgrades,
        stamp=_stamp(question, found, drafted, settings, llm),
    )


def _stamp(
    question: ParsedQuestion,
    found: RetrievalResult,
    drafted: Drafted,
    settings: GenerationSettings,
    llm: LanguageModel | None,
) -> Stamp:
    return Stamp(
        lineproof=_version("lineproof"),
        libraries={name: _version(name) for name in _LIBRARIES},
        input_sha256={"question": question.content_sha256(), "retrieval_result": found.content_sha256()},
        settings={**settings.model_dump(mode="json"), "prompt_fragments": list(drafted.fragments), **drafted.notes},
        dictionary_versions={concept.dictionary: concept.dictionary_version for concept in question.concepts},
        model=llm.name if llm is not None else None,
        prompts=dict(drafted.prompts),
    )


@cache
def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "uninstalled"
