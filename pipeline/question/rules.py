"""The question read by rules alone: everything that a model may later refine, and all that it may not touch."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dictionaries import Dictionaries
from pipeline.question.anchors import FoundAnchor, apart, find_anchors, outside
from pipeline.question.decompose import Compound, decompose
from pipeline.question.definitions import defined_in, find_tokens
from pipeline.question.distinctions import find_exclusions
from pipeline.question.fields import Field, resolve_field
from pipeline.question.formats import find_wishes
from pipeline.question.hints import Places
from pipeline.question.keywords import anchor_keywords, concept_keywords, direct_words
from pipeline.question.language import LANGUAGES, detect_language, searched_languages
from pipeline.question.limits import Limits, read_limits
from pipeline.question.parties import PARTIES, asked_party
from pipeline.question.reading import Piece, Span, blank, clean
from pipeline.question.settings import QuestionSettings
from pipeline.question.shape import Shape, read_shape
from pipeline.question.spelling import correct
from pipeline.question.strategy import choose_context
from pipeline.question.topics import Topic, find_topics, is_phrase
from schemas.question import Keyword, ScopeFilters, StructuralHints

if TYPE_CHECKING:
    from pipeline.question.context import QuestionContext
    from schemas.document import DocumentProfile


_LABEL = re.compile(r"(?P<label>[^:?]{2,60}):\s+(?=\S)")  # a heading before the question, of at most sixty characters


@dataclass(frozen=True, slots=True)
class Reading:
    """What the rules made of a question."""

    text: str
    corrected: str
    language: str
    searched_languages: tuple[str, ...] | None  # languages of the dictionary terms; None for all of them
    anchors: tuple[FoundAnchor, ...]
    topics: tuple[Topic, ...]
    common: tuple[str, ...]  # words of the question too common to prove a topic
    keywords: tuple[Keyword, ...]
    shape: Shape
    hints: StructuralHints
    filters: ScopeFilters
    exclusions: tuple[str, ...]
    wishes: tuple[str, ...]
    compound: Compound
    notes: tuple[str, ...]
    limits: tuple[str, ...] = ()  # words that say where, when and in which version
    unmet: tuple[str, ...] = ()  # why nothing may be searched
    shown: tuple[str, ...] = ()  # notes that the user is shown

    @property
    def is_empty(self) -> bool:
        """True when there is nothing to search for and nowhere to look."""
        hints = self.hints
        named = hints.section_hint or hints.pages_hint or hints.sheets_hint or hints.slides_hint
        somewhere = named or hints.layout_hint
        return not (self.keywords or self.anchors or self.topics or somewhere or self.shape.intent == "summarization")


def read_by_rules(
    text: str,
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
    settings: QuestionSettings,
    context: QuestionContext,
) -> Reading:
    """The question as the rules read it; spans refer to the corrected question."""
    notes: list[str] = []
    line = clean(text)
    document_languages = profile.semantic.languages if profile else ()
    corrected, corrections = correct(
        line,
        dictionaries,
        protected=[found.span for found in find_anchors(line)],
        languages=(detect_language(line, fallback=document_languages), *document_languages),
        document=context.document,
    )
    notes.extend(f"'{one.written}' was read as '{one.mended}'." for one in corrections)
    language = detect_language(corrected, fallback=document_languages)
    searched = searched_languages(document_languages, dictionaries)
    doc_type = profile.semantic.doc_type if profile else None
    tokens = find_tokens(
        corrected, context.document, names_value=lambda words: _names_value(words, dictionaries, doc_type)
    )
    notes.extend(tokens.notes)
    limits = read_limits(corrected, profile, context.document)
    notes.extend(limits.notes)
    shown = tuple(notes)
    anchors = outside(tokens.anchors, limits.aside)  # a date that is a limit, the name of a sheet
    exclusions = apart(find_exclusions(corrected), anchors)
    anchors = outside(anchors, exclusions)  # 'not "the insurance limit"': nothing has to hold it
    wishes = apart(find_wishes(blank(corrected, [piece.span for piece in exclusions])), anchors)
    blanked = [
        found for found in anchors if found.anchor.kind != "code" or not is_phrase(found.anchor.text, dictionaries)
    ]
    searchable = _searchable(corrected, blanked, limits, exclusions, wishes)
    party = asked_party(corrected, profile)
    topics = _topics(PARTIES if party else searchable, limits.places, dictionaries, settings, doc_type)
    asked = _asked(corrected, (*exclusions, *wishes))
    shape = _shape(corrected, exclusions, topics, anchors)
    shape = replace(shape, intent="qa", answer_shape="single", answer_type=party.answer_type) if party else shape
    keywords, common, keyword_notes = _keywords(
        searchable,
        language,
        anchors,
        topics,
        searched,
        document_languages,
        alone=shape.intent != "summarization",
        is_defined=lambda name: context.document is not None and defined_in(context.document, name) is not None,
    )
    field = _field(searchable, topics, anchors, keywords, profile, dictionaries)
    if field is not None:
        topics, keyword_notes = topics or field.topics, [field.note]
        keywords = (*field.keywords, *concept_keywords(topics, searched))
        shape = _shape(corrected, exclusions, topics, anchors)
        shape = replace(shape, answer_type=field.answer_type or shape.answer_type)
    notes.extend(keyword_notes)
    compound = decompose(
        asked,
        find_topics(asked, dictionaries, limit=settings.max_concepts, doc_type=doc_type),
        lambda words: find_topics(words, dictionaries, limit=settings.max_concepts, doc_type=doc_type),
        wishing=_asked(corrected, exclusions),
    )
    if compound.is_record:
        shape = replace(shape, intent="listing", answer_shape="nested_json", answer_type="text", needs_summary=False)
    notes.extend(compound.notes)
    notes.extend(
        f"No phrase of the dictionaries names it: '{topic.entry.concept_id}' was chosen by the weight of the words "
        f"{topic.phrase}."
        for topic in topics
        if topic.by_words
    )
    return Reading(
        text=text,
        corrected=corrected,
        language=language,
        searched_languages=searched,
        anchors=anchors,
        topics=topics,
        common=common,
        keywords=keywords,
        shape=shape,
        hints=_hints(limits, shape, field),
        filters=limits.filters.model_copy(update={"parties": (party.role,)}) if party else limits.filters,
        exclusions=tuple(piece.text for piece in exclusions),
        wishes=tuple(piece.text for piece in wishes),
        compound=compound,
        notes=tuple(notes),
        limits=limits.words,
        unmet=(*limits.unmet, *tokens.unmet),
        shown=tuple(note for note in shown if note not in (*limits.unmet, *tokens.unmet)),
    )


def _names_value(words: str, dictionaries: Dictionaries, doc_type: str | None) -> bool:
    """True where a phrase of the experts names the words as a value: a date, a sum, a length of time."""
    found = find_topics(words, dictionaries, limit=1, doc_type=doc_type)
    return any(topic.entry.answer_type != "text" and not topic.by_words for topic in found)


def _shape(
    corrected: str, exclusions: tuple[Piece, ...], topics: tuple[Topic, ...], anchors: tuple[FoundAnchor, ...]
) -> Shape:
    """What the answer must look like; a meaning is told in words, whatever the term's own name suggests."""
    shape = read_shape(
        _asked(corrected, exclusions),
        [topic.entry for topic in topics],
        has_label=any(found.anchor.kind not in ("section", "quoted") for found in anchors),
    )
    if any(found.anchor.kind == "defined_term" for found in anchors):
        shape = replace(shape, intent="qa", answer_shape="single", answer_type="text", answer_context="paragraph")
    return shape


def _field(
    searchable: str,
    topics: tuple[Topic, ...],
    anchors: tuple[FoundAnchor, ...],
    keywords: tuple[Keyword, ...],
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
) -> Field | None:
    """The field that a question of one bare word means in a document of this type; None for any other question."""
    if topics or anchors or len(keywords) > 1 or profile is None:
        return None
    return resolve_field(
        searchable.replace("|", " "),
        profile,
        profile.semantic.languages,
        lambda words: find_topics(words, dictionaries, limit=1, doc_type=profile.semantic.doc_type),
    )


def _hints(limits: Limits, shape: Shape, field: Field | None) -> StructuralHints:
    pages = limits.pages or (field.pages if field else ())
    return StructuralHints(
        section_hint=limits.places.section,
        pages_hint=pages,
        layout_hint=limits.places.layout,
        sheets_hint=limits.sheets,
        slides_hint=limits.slides,
        document_version=limits.scope.version,
        detection_context=limits.scope.detection or "paragraph",
        answer_context=choose_context(
            limits.scope.reading, shape, has_section=limits.places.section is not None, has_pages=bool(pages)
        ),
        needs_summary=shape.needs_summary,
    )


def _searchable(
    corrected: str,
    anchors: Sequence[FoundAnchor],
    limits: Limits,
    exclusions: tuple[Piece, ...],
    wishes: tuple[Piece, ...],
) -> str:
    """The question without what is no topic: anchors but known codes, places, limits, exclusions, wishes."""
    spans: list[Span] = [found.span for found in anchors]
    spans += [*limits.spans, *(piece.span for piece in (*exclusions, *wishes))]
    return blank(corrected, spans)


def _topics(
    searchable: str, places: Places, dictionaries: Dictionaries, settings: QuestionSettings, doc_type: str | None
) -> tuple[Topic, ...]:
    """Concepts of the question; those of a leading label come first, the title of a named section counts last."""
    if places.section_piece is not None:
        outside = find_topics(
            blank(searchable, [places.section_piece.span]), dictionaries, limit=settings.max_concepts, doc_type=doc_type
        )
        if outside:
            return outside
    found = find_topics(searchable, dictionaries, limit=settings.max_concepts, doc_type=doc_type)
    label = _LABEL.match(searchable)
    if label is None:
        return found
    named = [topic for topic in found if topic.start < label.end("label")]
    return (*named, *(topic for topic in found if topic not in named))


def _asked(corrected: str, aside: Sequence[Piece]) -> str:
    """The question without a label before it, nor what is `aside`: exclusions, wishes."""
    return _without_label(" ".join(blank(corrected, [piece.span for piece in aside]).replace("|", " ").split()))


def _without_label(text: str) -> str:
    """The question behind a leading label ('Insurance: is there ...'); the text itself without one."""
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


def _keywords(
    searchable: str,
    language: str,
    anchors: tuple[FoundAnchor, ...],
    topics: tuple[Topic, ...],
    searched: tuple[str, ...] | None,
    document_languages: tuple[str, ...],
    *,
    alone: bool,
    is_defined: Callable[[str], bool],
) -> tuple[tuple[Keyword, ...], tuple[str, ...], list[str]]:
    """All keywords, strongest source first; the words too common to prove anything; notes."""
    notes: list[str] = []
    has_exact = any(found.anchor.kind not in ("section", "page") for found in anchors)
    direct = direct_words(searchable, language, topics, has_exact=has_exact, is_defined=is_defined)
    words = direct.keywords
    foreign = bool(document_languages) and language not in document_languages and language in LANGUAGES
    if foreign and topics:
        words = []
        notes.append(
            f"The question is in '{language}', the document in '{', '.join(document_languages)}': the dictionary's "
            "words are searched, not the question's."
        )
    elif foreign and words:
        notes.append(
            f"The question is in '{language}', the document in '{', '.join(document_languages)}', and no dictionary "
            "knows its words: they are searched as they are."
        )
    if direct.common:
        notes.append(f"Not searched, because their presence proves nothing: {', '.join(direct.common)}.")
    if direct.left_out:
        notes.append(f"Left out, because the question holds too many words: {', '.join(direct.left_out)}.")
    exact = anchor_keywords(anchors, alone=alone and not words and not topics)
    return (*exact, *words, *concept_keywords(topics, searched)), tuple(direct.common), notes
