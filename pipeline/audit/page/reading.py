"""How the question was read: as typed, as completed, what it asks for, in which words it was searched."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.audit.page.blocks import bullets, facts, folded
from pipeline.audit.page.labels import kind_words, label
from pipeline.audit.page.told import ToldRun
from pipeline.sheet.detail import cut
from pipeline.sheet.markup import Markup, Node, join, tag
from pipeline.wording import say, tell_note
from schemas.question import ParsedQuestion, Settled
from schemas.record import Part

MAX_KEYWORDS = 1_000  # search words listed of each source; the record has all
FIRST_KEYWORDS = 12  # of these, shown without being asked for: two lines of a screen
MAX_QUESTION = 400  # characters of the question in a heading; the whole of a longer one follows


def tell_reading(run: ToldRun, key: str, language: str) -> Iterator[Markup | None]:
    """The section on the question."""
    question = run.saved.question
    yield tag("h2", label("how_read", language), id=f"{key}reading")
    yield facts(_rows(question, language))


def _rows(question: ParsedQuestion, language: str) -> Iterator[tuple[str, Node]]:
    asked = question.original_question
    yield label("after", language), _plain(question.previous_question)
    yield label("complete", language), _plain(question.resolved_question)
    if question.corrected_question != (question.resolved_question or asked):
        yield label("read_as", language), _plain(question.corrected_question)
    shape, intent = label(f"shape_{question.answer_shape}", language), label(f"intent_{question.intent}", language)
    kind = f"{kind_words(question.answer_type, language)}, {shape} ({intent}, {question.language})"
    yield label("asked_kind", language), kind
    concepts = [
        f"{one.concept_id} ({one.dictionary} {one.dictionary_version}, “{one.matched_by}”)" for one in question.concepts
    ]
    yield label("concepts", language), bullets(concepts)
    for source in dict.fromkeys(word.source for word in question.keywords):
        words = [f"{word.text} ({word.weight:g})" for word in question.keywords if word.source == source]
        yield label("keywords", language, source=label(f"source_{source}", language)), _folded(words, language)
    yield label("anchors", language), ", ".join(f"{one.text} ({one.kind})" for one in question.anchors)
    yield label("exclusions", language), ", ".join(question.exclusions)
    yield label("wishes", language), ", ".join(question.format_wishes)
    yield label("hints", language), _set(question.hints)
    yield label("filters", language), _set(question.filters)
    yield label("falls_apart", language), bullets(part.text for part in question.decomposition.sub_questions)
    yield label("condition", language), question.decomposition.condition
    if question.settled is not None:
        yield label("settled", language), _settled(question.settled)
    if question.clarification is not None:
        asked_back = question.clarification
        told = join(asked_back.question_to_user, " ", asked_back.reason, bullets(asked_back.choices))
        yield label("asked_back", language), told
    notes = dict.fromkeys((*question.notes, *question.unmet))
    yield label("remarks", language), bullets(tell_note(note, language) for note in notes)


def head_of(text: str, language: str) -> Markup:
    """The question as the page's title; a long one cut, with the whole of it to open."""
    title = tag("h1", cut(text, MAX_QUESTION), dir="auto")
    if len(" ".join(text.split())) <= MAX_QUESTION:
        return title
    whole = tag("details", tag("summary", label("question_whole", language)), tag("pre", text, dir="auto"))
    return join(title, whole)


def _folded(words: list[str], language: str) -> Node:
    """The first words of a list, all of a longer one to open."""
    told = ", ".join(words[:FIRST_KEYWORDS])
    if len(words) <= FIRST_KEYWORDS:
        return told
    more = len(words) - MAX_KEYWORDS
    rest = f" {say('and_more', language, count=more)}" if more > 0 else ""
    head = f"{told} {say('and_more', language, count=len(words) - FIRST_KEYWORDS)}"
    return folded(head, tag("p", ", ".join(words[FIRST_KEYWORDS:MAX_KEYWORDS]) + rest))


def _plain(text: str | None) -> str | None:
    return " ".join(text.split()) if text else None


def _set(part: Part) -> str:
    """The fields that are not what they are without a word of the user, by name."""
    told = []
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if value != field.default and value not in ((), {}, None):
            told.append(f"{name.replace('_', ' ')}: {_words(value)}")
    return "; ".join(told)


def _words(value: object) -> str:
    if isinstance(value, Part):
        return _set(value)
    if isinstance(value, tuple):
        return ", ".join(map(_words, value))
    return str(value)


def _settled(settled: Settled) -> Markup:
    choices = [
        join(tag("b", choice) if value == settled.chosen else choice, f" [{value}]")
        for choice, value in zip(settled.choices, settled.candidate_values, strict=True)
    ]
    share = f", {settled.confidence:.2f}" if settled.confidence is not None else ""
    return join(f"{settled.question_to_user} ({settled.by}{share})", bullets(choices))
