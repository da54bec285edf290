"""The way of one question: refused or read by rules, refined by a model where there is one, planned, put on record."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from dictionaries import Dictionaries
from pipeline.llm.model import LanguageModel
from pipeline.question.context import QuestionContext
from pipeline.question.conversation import read_turn
from pipeline.question.distinctions import distinguish
from pipeline.question.merging import Refined, from_rules
from pipeline.question.plan import make_plan
from pipeline.question.reading import check_question
from pipeline.question.refine import refine
from pipeline.question.rewriting import rewrite
from pipeline.question.settings import QuestionSettings
from pipeline.question.strategy import choose_strategy, suggest_model
from pipeline.question.terms import lay_down
from pipeline.question.topics import as_concept, find_topics
from schemas.question import ParsedQuestion
from schemas.record import Stamp

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

# Fields that rules alone set; those that follow from what a model set are worked out from it by rules.
_BY_RULES = (
    "anchors", "chunk_strategy", "suggested_model", "must_distinguish", "plan", "limits", "unmet", "shown_notes",
)  # fmt: skip
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
    turn = read_turn(text, profile, dictionaries, settings, context)
    reading, asked = turn.reading, turn.clarification
    is_open = asked is not None and asked.target_field != "question"  # the user is asked first, at no cost
    refined = (
        from_rules(reading)
        if llm is None or is_open
        else refine(reading, profile, dictionaries, llm=llm, settings=settings)
    )
    refined = lay_down(refined, context.terms)
    plan, plan_notes = make_plan(
        profile,
        reading.anchors,
        refined.decomposition,
        has_words=bool(refined.keywords),
        use_embeddings=settings.use_embeddings,
    )
    entries = [topic.entry for topic in refined.topics]
    shape = replace(reading.shape, answer_shape=refined.answer_shape, answer_type=refined.answer_type)
    return ParsedQuestion(
        original_question=text,
        previous_question=turn.previous,
        resolved_question=turn.resolved,
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
        filters=refined.filters,
        exclusions=refined.exclusions,
        format_wishes=refined.format_wishes,
        chunk_strategy=choose_strategy(refined.corrected, entries, shape),
        suggested_model=suggest_model(settings.models, entries, shape),
        format_constraint=refined.format_constraint,
        must_distinguish=distinguish(
            refined.exclusions,
            refined.topics[0].phrase if refined.topics else "",
            lambda words: find_topics(words, dictionaries, limit=1),
            reading.searched_languages,
        ),
        rewrites=tuple(dict.fromkeys((*rewrite(refined.topics, reading.searched_languages), *refined.rewrites))),
        limits=reading.limits,
        unmet=reading.unmet,
        plan=plan,
        notes=(*turn.notes, *reading.notes, *refined.notes, *plan_notes),
        shown_notes=reading.shown,
        clarification=asked if is_open or not refined.keywords else None,
        settled=turn.settled,
        field_sources={**dict.fromkeys(_BY_RULES, "rules"), **refined.field_sources},
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


@cache
def _version(distribution: str) -> str:
    """Read from disk once: it does not change while the process runs."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "uninstalled"
