"""The question read by rules alone: everything that a model may later refine, and all that it may not touch."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dictionaries import Dictionaries
from pipeline.question.anchors import FoundAnchor, find_anchors
from pipeline.question.decompose import Compound, decompose
from pipeline.question.hints import Places, find_exclusions, find_places, find_wishes
from pipeline.question.keywords import anchor_keywords, concept_keywords, direct_words
from pipeline.question.language import LANGUAGES, detect_language
from pipeline.question.plan import fit_pages
from pipeline.question.reading import Piece, Span, blank, clean
from pipeline.question.settings import QuestionSettings
from pipeline.question.shape import Shape, read_shape
from pipeline.question.spelling import correct
from pipeline.question.topics import Topic, find_topics
from schemas.question import Keyword, StructuralHints, SubQuestion

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
    pages_only: bool
    exclusions: tuple[str, ...]
    wishes: tuple[str, ...]
    compound: Compound
    notes: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """True when there is nothing to search for and nowhere to look."""
        somewhere = self.hints.section_hint or self.hints.pages_hint or self.hints.layout_hint
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
    searched = _searched_languages(document_languages, dictionaries)
    anchors = find_anchors(corrected)
    places = find_places(corrected)
    exclusions = _apart(find_exclusions(corrected), anchors)
    wishes = _apart(find_wishes(blank(corrected, [piece.span for piece in exclusions])), anchors)
    pages, page_notes = fit_pages(places.pages, last_page=places.last_page, profile=profile)
    notes.extend(page_notes)
    searchable = _searchable(corrected, anchors, places, exclusions, wishes)
    doc_type = profile.semantic.doc_type if profile else None
    topics = _topics(searchable, places, dictionaries, settings, doc_type)
    stated = blank(corrected, [piece.span for piece in (*exclusions, *wishes)]).replace("|", " ")
    asked = _without_label(" ".join(stated.split()))
    shape = read_shape(
        _without_label(" ".join(blank(corrected, [piece.span for piece in exclusions]).replace("|", " ").split())),
        [topic.entry for topic in topics],
        has_label=any(found.anchor.kind not in ("section", "quoted") for found in anchors),
    )
    keywords, common, keyword_notes = _keywords(
        searchable, language, anchors, topics, searched, document_languages, alone=shape.intent != "summarization"
    )
    notes.extend(keyword_notes)
    hints = StructuralHints(
        section_hint=places.section,
        pages_hint=pages,
        layout_hint=places.layout,
        answer_context=shape.answer_context,
        needs_summary=shape.needs_summary,
    )
    compound = decompose(
        asked,
        find_topics(asked, dictionaries, limit=settings.max_concepts, doc_type=doc_type),
        lambda part: _sub_question(part, dictionaries, settings, doc_type),
    )
    notes.extend(compound.notes)
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
        hints=hints,
        pages_only=places.page_only,
        exclusions=tuple(piece.text for piece in exclusions),
        wishes=tuple(piece.text for piece in wishes),
        compound=compound,
        notes=tuple(notes),
    )


def _searched_languages(document_languages: tuple[str, ...], dictionaries: Dictionaries) -> tuple[str, ...] | None:
    """The document's languages where the dictionaries know them all; else every language of theirs."""
    known = {language for source in dictionaries.sources for language in source.languages}
    if not document_languages or not set(document_languages) <= known:
        return None
    return tuple(document_languages)


def _apart(pieces: tuple[Piece, ...], anchors: tuple[FoundAnchor, ...]) -> tuple[Piece, ...]:
    """Pieces that do not run through an anchor: a quoted phrase or a code stays whole."""
    return tuple(
        piece
        for piece in pieces
        if not any(found.span[0] <= piece.start and piece.end <= found.span[1] for found in anchors)
    )


def _searchable(
    corrected: str,
    anchors: tuple[FoundAnchor, ...],
    places: Places,
    exclusions: tuple[Piece, ...],
    wishes: tuple[Piece, ...],
) -> str:
    """The question without what is no topic: anchors, pages, exclusions, wishes."""
    spans: list[Span] = [found.span for found in anchors]
    spans += [piece.span for piece in (*places.page_pieces, *exclusions, *wishes)]
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
) -> tuple[tuple[Keyword, ...], tuple[str, ...], list[str]]:
    """All keywords, strongest source first; the words too common to prove anything; notes."""
    notes: list[str] = []
    has_exact = any(found.anchor.kind not in ("section", "page") for found in anchors)
    direct = direct_words(searchable, language, topics, has_exact=has_exact)
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


def _sub_question(
    part: str, dictionaries: Dictionaries, settings: QuestionSettings, doc_type: str | None
) -> SubQuestion:
    topics = find_topics(part, dictionaries, limit=settings.max_concepts, doc_type=doc_type)
    shape = read_shape(part, [topic.entry for topic in topics])
    return SubQuestion(text=part, answer_shape=shape.answer_shape, answer_type=shape.answer_type)
