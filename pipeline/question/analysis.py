"""The way of one question: refused or read by rules, refined by a model where there is one, planned, put on record."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from dictionaries import Dictionaries
from pipeline.llm.model import LanguageModel
from pipeline.question.clarify import ask_back
from pipeline.question.context import QuestionContext
from pipeline.question.plan import make_plan
from pipeline.question.reading import check_question
from pipeline.question.refine import Refined, from_rules, refine
from pipeline.question.rules import read_by_rules
from pipeline.question.settings import QuestionSettings
from pipeline.question.topics import as_concept
from schemas.question import ParsedQuestion, ScopeFilters
from schemas.record import Stamp

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

_LIBRARIES = ("ahocorasick_rs", "numpy", "pydantic")  # whose behaviour shows in the record


def analyse(
    text: str,
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
    *,
    llm: LanguageModel | None,
    settings: QuestionSettings,
    context: QuestionContext,
) -> ParsedQuestion:
    """The record of a question; see `parse_question`."""
    check_question(text, max_chars=settings.max_chars)
    reading = read_by_rules(text, profile, dictionaries, settings, context)
    refined = from_rules(reading) if llm is None else refine(reading, profile, dictionaries, llm=llm, settings=settings)
    plan, plan_notes = make_plan(
        profile,
        reading.anchors,
        refined.decomposition,
        has_words=bool(refined.keywords),
        use_embeddings=settings.use_embeddings,
    )
    pages = refined.hints.pages_hint
    return ParsedQuestion(
        original_question=text,
        corrected_question=refined.corrected,
        language=refined.language,
        intent=refined.intent,
        answer_shape=refined.answer_shape,
        answer_type=refined.answer_type,
        keywords=refined.keywords,
        anchors=tuple(found.anchor for found in reading.anchors),
        concepts=tuple(
            as_concept(topic, dictionaries, languages=reading.searched_languages, more_neighbours=reading.common)
            for topic in refined.topics
        ),
        hints=refined.hints,
        decomposition=refined.decomposition,
        filters=ScopeFilters(page_range=(pages[0], pages[-1]) if reading.pages_only and pages else None),
        exclusions=refined.exclusions,
        format_wishes=refined.format_wishes,
        plan=plan,
        notes=(*reading.notes, *refined.notes, *plan_notes),
        clarification=ask_back(refined.language, profile) if reading.is_empty and not refined.keywords else None,
        field_sources=refined.field_sources,
        model_uses=refined.model_uses,
        downgrades=refined.downgrades,
        stamp=_stamp(text, profile, dictionaries, settings, refined),
    )


def _stamp(
    text: str,
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
    settings: QuestionSettings,
    refined: Refined,
) -> Stamp:
    inputs = {"question": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()}
    if profile is not None:
        inputs["profile"] = hashlib.sha256(profile.model_dump_json().encode()).hexdigest()
    inputs.update({f"dictionary:{source.name}": source.sha256 for source in dictionaries.sources})
    return Stamp(
        lineproof=_version("lineproof"),
        libraries={name: _version(name) for name in _LIBRARIES},
        input_sha256=inputs,
        settings=settings.model_dump(mode="json"),
        dictionary_versions=dictionaries.versions,
        model=refined.model,
        prompts=refined.prompts,
    )


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "uninstalled"
