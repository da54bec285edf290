"""What a model may add to the rules' reading, each field checked; what does not hold stays as the rules have it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from dictionaries import Dictionaries
from dictionaries.folding import folded_text
from dictionaries.matching import searched_form
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.llm.model import LanguageModel, ModelUseError
from pipeline.question.keywords import concept_keywords
from pipeline.question.prompt import PROMPT_NAME, TEMPLATE, QuestionReply, fill_prompt, known_types
from pipeline.question.rules import Reading
from pipeline.question.settings import QuestionSettings
from pipeline.question.topics import Topic
from schemas.audit import Downgrade, ModelUse
from schemas.question import AnswerShape, Decomposition, Intent, Keyword, StructuralHints, SubQuestion

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

EXPANSION_WEIGHT = 0.7  # METHOD 2.4: words of a model weigh less than the user's and the expert's
MAX_EXPANSION = 12  # keywords; asked for more, models invent words that stand nowhere
MAX_EXPANSION_WORDS = 6  # longer phrases are sentences, which stand nowhere as they are
MAX_SUB_QUESTIONS = 6
BY_MODEL = "chosen by the model"
_SPLIT = ("independent", "sequential")
_FIELDS = (
    "corrected_question", "language", "intent", "answer_shape", "answer_type", "hints", "decomposition", "exclusions",
    "format_wishes", "concepts", "keywords",
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
    decomposition: Decomposition
    exclusions: tuple[str, ...]
    format_wishes: tuple[str, ...]
    field_sources: dict[str, Literal["rules", "llm"]]
    notes: tuple[str, ...] = ()
    model_uses: tuple[ModelUse, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()
    model: str | None = None
    prompts: dict[str, str] = field(default_factory=dict)


def from_rules(
    reading: Reading,
    *,
    model_uses: tuple[ModelUse, ...] = (),
    downgrades: tuple[Downgrade, ...] = (),
    model: str | None = None,
) -> Refined:
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
        decomposition=reading.compound.decomposition,
        exclusions=reading.exclusions,
        format_wishes=reading.wishes,
        field_sources=dict.fromkeys(_FIELDS, "rules"),
        model_uses=model_uses,
        downgrades=downgrades,
        model=model,
        prompts=_prompts() if model else {},
    )


def refine(
    reading: Reading,
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
    *,
    llm: LanguageModel,
    settings: QuestionSettings,
) -> Refined:
    """The rules' reading with what the model adds; the rules' reading and a downgrade where it gives nothing of use."""
    try:
        reply = llm.ask(
            fill_prompt(reading, profile, dictionaries),
            QuestionReply,
            purpose="question",
            max_output_tokens=settings.max_output_tokens,
            check=_checker(reading, profile, dictionaries),
        )
    except ModelUseError as error:
        downgrade = Downgrade(
            stage="question", wanted="llm question analysis", used="rules question analysis", reason=str(error)
        )
        return from_rules(reading, model_uses=(error.use,), downgrades=(downgrade,), model=llm.name)
    return _merged(reading, reply.value, reply.use, profile, dictionaries, llm.name, settings)


def _checker(
    reading: Reading, profile: DocumentProfile | None, dictionaries: Dictionaries
) -> Callable[[QuestionReply], Sequence[str]]:
    def check(reply: QuestionReply) -> Sequence[str]:
        return [problem for _, problem in _faults(reply, reading, profile, dictionaries)]

    return check


def _faults(
    reply: QuestionReply, reading: Reading, profile: DocumentProfile | None, dictionaries: Dictionaries
) -> Iterator[tuple[str, str]]:
    """Field and problem for everything that cannot be taken over."""
    known = {entry.concept_id for entry in dictionaries.concepts}
    invented = sorted(set(reply.concept_ids) - known)
    if invented:
        yield "concepts", f"concept_ids not in the registry: {', '.join(invented)}"
    if reply.answer_type not in known_types(dictionaries):
        yield "answer_type", f"answer_type {reply.answer_type!r} is not one of {', '.join(known_types(dictionaries))}"
    for name, pieces in (("exclusions", reply.exclusions), ("format_wishes", reply.format_wishes)):
        for piece in pieces:
            if not piece.strip() or piece not in reading.corrected:
                yield name, f"{name}: {piece!r} does not stand in the question letter by letter"
    yield from _text_faults(reply, reading)
    count = profile.identity.page_count if profile else None
    wrong = [page for page in reply.pages_hint if page < 1 or (count is not None and page > count)]
    if wrong:
        yield "pages", f"pages_hint: the document has no page {', '.join(map(str, wrong))}"
    parts = len(reply.sub_questions)
    if (reply.decomposition_pattern in _SPLIT) != (parts > 1) or parts > MAX_SUB_QUESTIONS:
        yield "decomposition", f"pattern {reply.decomposition_pattern} does not go with {parts} sub_questions"
    elif any(not part.text.strip() for part in reply.sub_questions):
        yield "decomposition", "a sub_question is empty"
    if (reply.decomposition_pattern == "conditional") != bool(reply.condition):
        yield "decomposition", "condition is set for a conditional question and only for one"


def _text_faults(reply: QuestionReply, reading: Reading) -> Iterator[tuple[str, str]]:
    corrected = " ".join(reply.corrected_question.split())
    lost = [found.anchor.text for found in reading.anchors if found.anchor.text not in corrected]
    if not corrected or len(corrected) > 2 * len(reading.corrected):
        yield "corrected_question", "corrected_question is not the question with its spelling corrected"
    elif lost:
        yield "corrected_question", f"corrected_question changes exact tokens: {', '.join(lost)}"
    if len(reply.language) != 2 or not (reply.language.isascii() and reply.language.islower()):
        yield "language", f"language {reply.language!r} is no ISO 639-1 code"


def _merged(
    reading: Reading,
    reply: QuestionReply,
    use: ModelUse,
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
    model: str,
    settings: QuestionSettings,
) -> Refined:
    faults = list(_faults(reply, reading, profile, dictionaries))
    bad = {name for name, _ in faults}
    rules = from_rules(reading)
    topics = _topics(reading, reply, dictionaries, settings)
    added = tuple(topic for topic in topics if topic.phrase == BY_MODEL)
    keywords = (*reading.keywords, *concept_keywords(added, reading.searched_languages))
    expansion = _expansion(reply, keywords)
    sources: dict[str, Literal["rules", "llm"]] = {
        name: "rules" if name in bad and name != "concepts" else "llm" for name in _FIELDS
    }
    notes = [f"Left as the rules have it: {problem}." for name, problem in faults if name != "concepts"]
    notes += [f"Ignored: {problem}." for name, problem in faults if name == "concepts"]
    notes += [f"The model adds the concept '{topic.entry.concept_id}'." for topic in added]
    return Refined(
        corrected=rules.corrected if "corrected_question" in bad else " ".join(reply.corrected_question.split()),
        language=rules.language if "language" in bad else reply.language,
        intent=reply.intent,
        answer_shape=reply.answer_shape,
        answer_type=rules.answer_type if "answer_type" in bad else reply.answer_type,
        keywords=(*keywords, *expansion),
        topics=topics,
        hints=_hints(reading, reply, pages_hold="pages" not in bad),
        decomposition=rules.decomposition if "decomposition" in bad else _decomposition(reply),
        exclusions=rules.exclusions if "exclusions" in bad else tuple(dict.fromkeys(reply.exclusions)),
        format_wishes=rules.format_wishes if "format_wishes" in bad else tuple(dict.fromkeys(reply.format_wishes)),
        field_sources=sources,
        notes=tuple(notes),
        model_uses=(use,),
        model=model,
        prompts=_prompts(),
    )


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
    known = {searched_form(keyword.text) for keyword in keywords}
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


def _hints(reading: Reading, reply: QuestionReply, *, pages_hold: bool) -> StructuralHints:
    """The model's hints; sections and pages that the rules read in the user's words stay."""
    pages = reading.hints.pages_hint or (tuple(sorted(set(reply.pages_hint))) if pages_hold else ())
    section = " ".join((reply.section_hint or "").split()) or None
    return StructuralHints(
        section_hint=reading.hints.section_hint or section,
        pages_hint=pages,
        layout_hint=reading.hints.layout_hint or reply.layout_hint,
        answer_context=reply.answer_context,
        needs_summary=reply.needs_summary,
    )


def _decomposition(reply: QuestionReply) -> Decomposition:
    return Decomposition(
        pattern=reply.decomposition_pattern,
        sub_questions=tuple(
            SubQuestion(text=part.text.strip(), answer_shape=part.answer_shape, answer_type=part.answer_type)
            for part in reply.sub_questions
        ),
        condition=reply.condition,
    )


def _prompts() -> dict[str, str]:
    return {PROMPT_NAME: hashlib.sha256(TEMPLATE.encode()).hexdigest()}
