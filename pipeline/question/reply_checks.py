"""What cannot be taken over of a model's reading: inventions, and what contradicts the question letter by letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from dictionaries import Dictionaries
from dictionaries.folding import folded_text
from pipeline.question.prompt import QuestionReply, known_types
from pipeline.question.rules import Reading

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

MAX_SUB_QUESTIONS = 6
_SPLIT = ("independent", "sequential")


def checker(
    reading: Reading, profile: DocumentProfile | None, dictionaries: Dictionaries
) -> Callable[[QuestionReply], Sequence[str]]:
    """The check of a reply: a sentence for each thing that cannot be taken over."""

    def check(reply: QuestionReply) -> Sequence[str]:
        return [problem for _, problem in faults_of(reply, reading, profile, dictionaries)]

    return check


def faults_of(
    reply: QuestionReply, reading: Reading, profile: DocumentProfile | None, dictionaries: Dictionaries
) -> Iterator[tuple[str, str]]:
    """Field and problem for everything that cannot be taken over."""
    known = {entry.concept_id for entry in dictionaries.concepts}
    invented = sorted(set(reply.concept_ids) - known)
    if invented:
        yield "concepts", f"concept_ids not in the registry: {', '.join(invented)}"
    if reply.answer_type not in known_types(dictionaries):
        yield "answer_type", f"answer_type {reply.answer_type!r} is not one of {', '.join(known_types(dictionaries))}"
    yield from _text_faults(reply, reading)
    yield from _copied_faults(reply, reading)
    yield from _number_faults(reply, profile.identity.page_count if profile else None)
    yield from _part_faults(reply)


def _text_faults(reply: QuestionReply, reading: Reading) -> Iterator[tuple[str, str]]:
    corrected = " ".join(reply.corrected_question.split())
    lost = [found.anchor.text for found in reading.anchors if found.anchor.text not in corrected]
    if not corrected or len(corrected) > 2 * len(reading.corrected):
        yield "corrected_question", "corrected_question is not the question with its spelling corrected"
    elif lost:
        yield "corrected_question", f"corrected_question changes exact tokens: {', '.join(lost)}"
    if len(reply.language) != 2 or not (reply.language.isascii() and reply.language.islower()):
        yield "language", f"language {reply.language!r} is no ISO 639-1 code"


def _copied_faults(reply: QuestionReply, reading: Reading) -> Iterator[tuple[str, str]]:
    """What must be copied from the question, and is not."""
    for name, pieces in (("exclusions", reply.exclusions), ("format_wishes", reply.format_wishes)):
        for piece in pieces:
            if not piece.strip() or piece not in reading.corrected:
                yield name, f"{name}: {piece!r} does not stand in the question letter by letter"
    for name, pieces in (("parties", reply.parties), ("jurisdictions", reply.jurisdictions)):
        for piece in pieces:
            if not piece.strip() or folded_text(piece) not in folded_text(reading.corrected):
                yield name, f"{name}: {piece!r} does not stand in the question"


def _number_faults(reply: QuestionReply, page_count: int | None) -> Iterator[tuple[str, str]]:
    for name, pages in (("pages_hint", reply.pages_hint), ("slides_hint", reply.slides_hint)):
        wrong = [page for page in pages if page < 1 or (page_count is not None and page > page_count)]
        if wrong:
            yield name, f"{name}: the document has no page {', '.join(map(str, wrong))}"
    for name, day in (("date_from", reply.date_from), ("date_to", reply.date_to)):
        if day is not None and not _is_day(day):
            yield name, f"{name}: {day!r} is no day in the form YYYY-MM-DD"
    currency = reply.format.currency
    if currency is not None and not re.fullmatch(r"[A-Z]{3}", currency):
        yield "format", f"format: currency {currency!r} is no ISO 4217 code"


def _part_faults(reply: QuestionReply) -> Iterator[tuple[str, str]]:
    parts = len(reply.sub_questions)
    if (reply.decomposition_pattern in _SPLIT) != (parts > 1) or parts > MAX_SUB_QUESTIONS:
        yield "decomposition", f"pattern {reply.decomposition_pattern} does not go with {parts} sub_questions"
    elif any(not part.text.strip() for part in reply.sub_questions):
        yield "decomposition", "a sub_question is empty"
    if (reply.decomposition_pattern == "conditional") != bool(reply.condition):
        yield "decomposition", "condition is set for a conditional question and only for one"


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
