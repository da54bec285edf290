"""Which question of a grid a question of the collection is about: by the experts' concepts, then by its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dictionaries import Dictionaries
from pipeline.batch.collection.vocabulary import Word, is_listed, same_word, words_in
from pipeline.batch.collection.wishes import Wish
from pipeline.question import parse_question
from schemas.batch import BatchQuestion
from schemas.errors import InputError
from schemas.question import ParsedQuestion

# What speaks for a question of the grid. Chosen so that the experts' concept decides, and words decide between
# questions of one concept; see tests/batch/test_collection.py.
FIRST_CONCEPT, ANY_CONCEPT = 2.0, 0.75
IN_ID, IN_TEXT, OF_ID = 1.0, 1.0, 0.5  # share of the topic's words in the id and the text; of the id's in the topic
RIGHT_TYPE, REVERSED = 0.5, -1.5
ENOUGH = 1.0  # less is no match
CLOSE = 0.2  # two that differ by less fit equally
_TYPES = {
    "earliest": ("date",), "latest": ("date",), "sum": ("amount", "number"),
    "highest": ("amount", "number", "duration", "percentage"), "lowest": ("amount", "number", "duration", "percentage"),
    "average": ("amount", "number", "duration", "percentage"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """The question of the grid that is meant, and the words of the wish that it does not account for."""

    question: BatchQuestion
    answer_type: str
    left: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Unsure:
    """Questions of the grid that fit equally."""

    questions: tuple[BatchQuestion, ...]


def find_column(wish: Wish, questions: Sequence[BatchQuestion], dictionaries: Dictionaries) -> Column | Unsure:
    """The question of the grid that a wish is about, or those that fit equally.

    Raises InputError, naming the question to add to the workbook, where none is about it.
    """
    if wish.named is not None:
        for question in questions:
            if question.question_id.casefold() == wish.named.casefold():
                parsed = parse_question(question.text, None, dictionaries)
                return Column(question, _type_of(question, parsed), ())
        raise InputError(f"the batch has no question {wish.named!r}; it has: {_ids(questions)}")
    if not wish.topic:
        raise InputError(f"the question names no subject; the batch asks about: {_ids(questions)}")
    topic = parse_question(wish.topic, None, dictionaries)
    ranked = []
    for question in questions:
        parsed = parse_question(question.text, None, dictionaries)
        ranked.append((_score(wish, topic, question, parsed), question, parsed))
    ranked.sort(key=lambda one: -one[0])
    best, question, parsed = ranked[0]
    if best < ENOUGH:
        raise InputError(
            f"no question of the batch is about {wish.topic!r}; add to the workbook {_to_add(wish)}, and run the "
            f"batch again: only that column is asked. It has: {_ids(questions)}"
        )
    equal = [one for score, one, _ in ranked if best - score < CLOSE]
    if len(equal) > 1:
        return Unsure(tuple(equal))
    return Column(question, _type_of(question, parsed), tuple(_left(wish, topic, question, parsed)))


def _to_add(wish: Wish) -> str:
    types = _TYPES.get(wish.aggregate) or ((wish.threshold.kind,) if wish.threshold else ("boolean",))
    return f"a question about {wish.topic!r}, type {' or '.join(types)}"


def wrong_type(wish: Wish, column: Column) -> str | None:
    """Why a question of yes or no cannot be counted so, and what to add to the workbook; None where it can."""
    if column.answer_type != "boolean" or (wish.aggregate not in _TYPES and wish.threshold is None):
        return None
    return (
        f"{column.question.question_id!r} of the batch asks for yes or no, which cannot be compared; add to the "
        f"workbook {_to_add(wish)}, and run the batch again: only that column is asked"
    )


def _score(wish: Wish, topic: ParsedQuestion, question: BatchQuestion, parsed: ParsedQuestion) -> float:
    wanted, own = [one.concept_id for one in topic.concepts], [one.concept_id for one in parsed.concepts]
    score = 0.0
    if wanted and own and wanted[0] == own[0]:
        score += FIRST_CONCEPT
    elif set(wanted[:2]) & set(own[:2]):
        score += ANY_CONCEPT
    words = [one.folded for one in _content(words_in(wish.topic))]
    of_id = [one.folded for one in _content(words_in(question.question_id))]
    of_text = [one.folded for one in _content(words_in(question.text))]
    if words:
        score += IN_ID * _share(words, of_id) + IN_TEXT * _share(words, [*of_id, *of_text])
    score += OF_ID * _share(of_id, words)
    if score > 0 and _type_of(question, parsed) in _wanted_types(wish):
        score += RIGHT_TYPE
    is_reversed = any(is_listed("reversed", "words", one.folded) for one in words_in(question.text))
    if is_reversed and not any(is_listed("reversed", "words", one) for one in words):
        score += REVERSED * _share(of_id, [one for one in of_id if is_listed("reversed", "words", one)])
    return round(score, 6)


def _wanted_types(wish: Wish) -> Sequence[str]:
    if wish.threshold is not None:
        return (wish.threshold.kind,)
    return _TYPES.get(wish.aggregate, ())


def _type_of(question: BatchQuestion, parsed: ParsedQuestion) -> str:
    return question.terms.answer_type or parsed.answer_type


def _content(words: Iterable[Word]) -> list[Word]:
    return [
        one
        for one in words
        if not is_listed("plain", "between", one.folded) and not is_listed("plain", "collection", one.folded)
    ]


def _share(words: Sequence[str], among: Sequence[str]) -> float:
    """How many of the words have a form among others, as a share; 0 for no words."""
    return sum(any(same_word(one, other) for other in among) for one in words) / len(words) if words else 0.0


def _left(wish: Wish, topic: ParsedQuestion, question: BatchQuestion, parsed: ParsedQuestion) -> Iterable[Word]:
    """Words of the wish that neither the question of the grid nor what names its concept says."""
    known = [one.folded for one in (*words_in(question.text), *words_in(question.question_id))]
    own = {one.concept_id for one in parsed.concepts}
    for concept in topic.concepts:
        if concept.concept_id in own:
            known += [one.folded for one in words_in(concept.matched_by)]
    for _, meaning in wish.rewritten:
        known += [one.folded for one in words_in(meaning)]
    return (one for one in wish.words if not any(same_word(one.folded, other) for other in known))


def _ids(questions: Sequence[BatchQuestion], most: int = 40) -> str:
    told = ", ".join(one.question_id for one in questions[:most])
    return told + (f" and {len(questions) - most} more" if len(questions) > most else "")
