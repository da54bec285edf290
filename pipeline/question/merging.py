"""A model's reading and the rules' made one: each field from the one that holds, and on record whose it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from dictionaries import Dictionaries
from dictionaries.folding import folded_text
from dictionaries.matching import searched_form
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.question.formats import read_format
from pipeline.question.keywords import concept_keywords
from pipeline.question.prompt import QuestionReply
from pipeline.question.reply_checks import faults_of
from pipeline.question.rules import Reading
from pipeline.question.settings import QuestionSettings
from pipeline.question.topics import Topic
from schemas.audit import Downgrade, ModelUse
from schemas.question import (
    AnswerShape,
    DateRange,
    Decomposition,
    FormatConstraint,
    Intent,
    Keyword,
    ScopeFilters,
    StructuralHints,
    SubQuestion,
)  # fmt: skip
from schemas.record import Part

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

Source = Literal["rules", "llm"]
EXPANSION_WEIGHT = 0.7  # METHOD 2.4: words of a model weigh less than the user's and the expert's
MAX_EXPANSION = 12  # keywords; asked for more, models invent words that stand nowhere
MAX_EXPANSION_WORDS = 6  # longer phrases are sentences, which stand nowhere as they are
MAX_REWRITES = 2  # more say the same
BY_MODEL = "chosen by the model"
FIELDS = (
    "corrected_question", "language", "intent", "answer_shape", "answer_type", "hints", "filters", "decomposition",
    "exclusions", "format_wishes", "format_constraint", "concepts", "keywords", "rewrites",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refined:
    """The fields of the record that a model may set, whoever set them."""

    corrected: str
    language: str
    intent: Intent
    answer_shape: AnswerShape
    answer_type: str
    keywords: tuple[Keyword, ...]
    topics: tuple[Topic, ...]
    hints: StructuralHints
    filters: ScopeFilters
    decomposition: Decomposition
    exclusions: tuple[str, ...]
    format_wishes: tuple[str, ...]
    format_constraint: FormatConstraint
    field_sources: dict[str, Source]
    rewrites: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    model_uses: tuple[ModelUse, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()
    model: str | None = None
    prompts: dict[str, str] = field(default_factory=dict)


def from_rules(reading: Reading) -> Refined:
    """The rules' reading as it is."""
    return Refined(
        corrected=reading.corrected,
        language=reading.language,
        intent=reading.shape.intent,
        answer_shape=reading.shape.answer_shape,
        answer_type=reading.shape.answer_type,
        keywords=reading.keywords,
        topics=reading.topics,
        hints=reading.hints,
        filters=reading.filters,
        decomposition=reading.compound.decomposition,
        exclusions=reading.exclusions,
        format_wishes=reading.wishes,
        format_constraint=read_format(reading.wishes),
        field_sources=dict.fromkeys(FIELDS, "rules"),
    )


def merge(
    reading: Reading,
    reply: QuestionReply,
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
    settings: QuestionSettings,
) -> Refined:
    """The reading with what holds of the reply; what the rules read in the user's own words stays as they have it."""
    faults = list(faults_of(reply, reading, profile, dictionaries))
    is_record = reading.compound.is_record  # its fields are the user's own words
    bad = {name for name, _ in faults} | ({"decomposition", "answer_type"} if is_record else set())
    rules = from_rules(reading)
    topics = _topics(reading, reply, dictionaries, settings)
    added = tuple(topic for topic in topics if topic.phrase == BY_MODEL)
    keywords = (*reading.keywords, *concept_keywords(added, reading.searched_languages))
    notes = [f"Left as the rules have it: {problem}." for name, problem in faults if name != "concepts"]
    notes += [f"Ignored: {problem}." for name, problem in faults if name == "concepts"]
    notes += [f"The model adds the concept '{topic.entry.concept_id}'." for topic in added]
    hints, hint_sources = _hints(reading, reply, bad)
    filters, filter_sources = _filters(reading, reply, bad)
    wishes = rules.format_wishes if "format_wishes" in bad else tuple(dict.fromkeys(reply.format_wishes))
    sources: dict[str, Source] = {name: "rules" if name in bad and name != "concepts" else "llm" for name in FIELDS}
    return replace(
        rules,
        corrected=rules.corrected if "corrected_question" in bad else " ".join(reply.corrected_question.split()),
        language=rules.language if "language" in bad else reply.language,
        intent=reply.intent,
        answer_shape=rules.answer_shape if is_record else reply.answer_shape,
        answer_type=rules.answer_type if "answer_type" in bad else reply.answer_type,
        keywords=(*keywords, *_expansion(reply, keywords)),
        topics=topics,
        hints=hints,
        filters=filters,
        decomposition=rules.decomposition if "decomposition" in bad else _decomposition(reply),
        exclusions=rules.exclusions if "exclusions" in bad else tuple(dict.fromkeys(reply.exclusions)),
        format_wishes=wishes,
        format_constraint=_format(wishes, reply, keeps_rules="format" in bad),
        rewrites=tuple(dict.fromkeys(" ".join(text.split()) for text in reply.rewrites if text.strip()))[:MAX_REWRITES],
        field_sources={**sources, **hint_sources, **filter_sources},
        notes=tuple(notes),
    )


def _hints(reading: Reading, reply: QuestionReply, bad: AbstractSet[str]) -> tuple[StructuralHints, dict[str, Source]]:
    """The model's hints, and who set each; places that the rules read in the user's words stay."""
    said: dict[str, Any] = {
        "section_hint": " ".join((reply.section_hint or "").split()) or None,
        "pages_hint": tuple(sorted(set(reply.pages_hint))) if "pages_hint" not in bad else (),
        "slides_hint": tuple(sorted(set(reply.slides_hint))) if "slides_hint" not in bad else (),
        "sheets_hint": tuple(dict.fromkeys(name.strip() for name in reply.sheets_hint if name.strip())),
        "layout_hint": reply.layout_hint,
        "document_version": reply.document_version,
    }
    chosen, sources = _filled("hints", reading.hints, said)
    update = {
        **chosen,
        "detection_context": reply.detection_context,
        "answer_context": reply.answer_context,
        "needs_summary": reply.needs_summary,
    }
    return reading.hints.model_copy(update=update), sources


def _filters(reading: Reading, reply: QuestionReply, bad: AbstractSet[str]) -> tuple[ScopeFilters, dict[str, Source]]:
    """The rules' filters, filled where they read none, and who set each."""
    start = reply.date_from if "date_from" not in bad else None
    end = reply.date_to if "date_to" not in bad else None
    said: dict[str, Any] = {
        "date_range": DateRange(start=start, end=end) if start or end else None,
        "parties": tuple(dict.fromkeys(reply.parties)) if "parties" not in bad else (),
        "jurisdictions": tuple(dict.fromkeys(reply.jurisdictions)) if "jurisdictions" not in bad else (),
    }
    chosen, sources = _filled("filters", reading.filters, said)
    return reading.filters.model_copy(update=chosen), sources


def _filled(name: str, by_rules: Part, said: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Source]]:
    """What the rules have of each field, else what the model says; `name.field` -> who set it, where one did."""
    chosen: dict[str, Any] = {}
    sources: dict[str, Source] = {}
    for key, value in said.items():
        own = getattr(by_rules, key)
        chosen[key] = own or value
        if own or value:
            sources[f"{name}.{key}"] = "rules" if own else "llm"
    return chosen, sources


def _format(wishes: Sequence[str], reply: QuestionReply, *, keeps_rules: bool) -> FormatConstraint:
    """What the rules understand of the wishes, filled by the model where they understand nothing."""
    own = read_format(wishes)
    if keeps_rules or not wishes:
        return own
    said = reply.format.model_dump()
    return own.model_copy(update={key: value for key, value in said.items() if getattr(own, key) is None})


def _topics(
    reading: Reading, reply: QuestionReply, dictionaries: Dictionaries, settings: QuestionSettings
) -> tuple[Topic, ...]:
    """The dictionary's finds that the model names first, then what it adds, then the finds that it does not name."""
    found = {topic.entry.concept_id: topic for topic in reading.topics}
    ordered: dict[str, Topic] = {}
    for concept_id in reply.concept_ids:
        entry = dictionaries.concept(concept_id)
        if concept_id in found:
            ordered.setdefault(concept_id, found[concept_id])
        elif entry is not None:
            ordered.setdefault(concept_id, Topic(entry, BY_MODEL, ((0, 0),), 0))
    confirmed = [topic for topic in ordered.values() if topic.phrase != BY_MODEL]
    added = [topic for topic in ordered.values() if topic.phrase == BY_MODEL]
    unnamed = [topic for concept_id, topic in found.items() if concept_id not in ordered]
    room = max(settings.max_concepts - len(confirmed) - len(unnamed), 0)
    return (*confirmed, *added[:room], *unnamed)


def _expansion(reply: QuestionReply, keywords: Sequence[Keyword]) -> tuple[Keyword, ...]:
    """The model's words that are new, can be searched and are no sentence."""
    known = {searched_form(keyword.text) for keyword in keywords if not keyword.is_regex}
    chosen: dict[str, Keyword] = {}
    for word in reply.expansion_keywords:
        text = " ".join(word.split())
        if not any(character.isalnum() for character in text) or len(text.split()) > MAX_EXPANSION_WORDS or "*" in text:
            continue
        form = searched_form(text)
        if form in known or all(part in ALL_STOP_WORDS for part in folded_text(text).split()):
            continue
        chosen.setdefault(form, Keyword(text=text, source="llm_expansion", weight=EXPANSION_WEIGHT))
    return tuple(chosen.values())[:MAX_EXPANSION]


def _decomposition(reply: QuestionReply) -> Decomposition:
    return Decomposition(
        pattern=reply.decomposition_pattern,
        sub_questions=tuple(
            SubQuestion(text=part.text.strip(), answer_shape=part.answer_shape, answer_type=part.answer_type)
            for part in reply.sub_questions
        ),
        condition=reply.condition,
    )
