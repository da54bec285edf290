"""One turn of a conversation: a reply to what was asked back, a follow-up, an open question; then read by the rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dictionaries import Dictionaries
from pipeline.question.clarify import ask_back, ask_which, memory_key, next_default, settle
from pipeline.question.follow_topic import TopicsOf
from pipeline.question.follow_up import FollowUp, complete_follow_up, follow_compound
from pipeline.question.keywords import SIDE_WEIGHT
from pipeline.question.replies import read_reply
from pipeline.question.rules import Reading, read_by_rules
from pipeline.question.settings import QuestionSettings
from pipeline.question.topics import Topic, find_topics
from schemas.errors import QuestionError
from schemas.question import Clarification, ParsedQuestion, Settled

if TYPE_CHECKING:
    from pipeline.question.context import QuestionContext
    from schemas.document import DocumentProfile

Read = Callable[[str], Reading]
MAX_NAMED = 3  # concepts looked at in a fragment of a few words


@dataclass(frozen=True, slots=True)
class Turn:
    """The question of a turn as it is read, and how it came to be that question."""

    reading: Reading
    resolved: str | None = None  # the question made complete; None where it was complete as put
    previous: str | None = None  # the question it was completed from
    clarification: Clarification | None = None
    settled: Settled | None = None
    notes: tuple[str, ...] = ()


def read_turn(
    text: str,
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
    settings: QuestionSettings,
    context: QuestionContext,
) -> Turn:
    """The question that a text stands for in its conversation, read by the rules.

    First a reply to what was asked back before, then a follow-up, then the choice that open words leave.

    Raises QuestionError for a reply that names no choice.
    """

    def read(question: str) -> Reading:
        return read_by_rules(question, profile, dictionaries, settings, context)

    if context.fill is not None:
        return _filled(text, context, context.fill, read)
    before = context.previous
    pending = _pending(before)
    if before is not None and pending is not None:
        reply = read_reply(text, pending, was_asked=before.clarification is not None)
        if reply is not None:
            return _replied(text, before, pending, reply, read, profile, context)
    doc_type = profile.semantic.doc_type if profile else None
    follow = _follow(text, before, lambda words: _named_topics(words, dictionaries, doc_type))
    reading = read(follow.text)
    previous = (before.resolved_question or before.original_question) if before and follow.is_resolved else None
    resolved = follow.text if follow.is_resolved else None
    notes = (f"Read as '{resolved}', after '{previous}'.",) if resolved else ()
    if follow.missing is not None:
        asked: Clarification | None = ask_back(reading.language, profile, context.document, fragment=follow.fragment)
    else:
        asked = ask_which(reading, context.document, dictionaries)
    if asked is None and reading.is_empty:
        asked = ask_back(reading.language, profile, context.document)
    if asked is None and context.reply is not None:
        notes = (*notes, "A choice was named, and the question leaves none.")
    turn = Turn(reading, resolved, previous, notes=notes)
    return turn if asked is None else _decided(turn, asked, read, profile, context)


def _follow(text: str, before: ParsedQuestion | None, topics_of: TopicsOf) -> FollowUp:
    if before is None:
        return complete_follow_up(text, None)
    parts = [part.text for part in before.decomposition.sub_questions]
    if len(parts) > 1:
        return follow_compound(text, parts, language=before.language, topics_of=topics_of)
    return complete_follow_up(text, before.corrected_question, language=before.language, topics_of=topics_of)


def _named_topics(words: str, dictionaries: Dictionaries, doc_type: str | None) -> tuple[Topic, ...]:
    """The concepts that words name by a phrase of the experts; what single words only weigh for is not named."""
    found = find_topics(words, dictionaries, limit=MAX_NAMED, doc_type=doc_type)
    return tuple(topic for topic in found if not topic.by_words)


def _filled(text: str, context: QuestionContext, fill: tuple[str, str], read: Read) -> Turn:
    """The turn of a part that needs the answer to the one before: the answer behind the words that stand for it.

    Both stay: the document may say 'the Licensor' where the answer is a name, or the name where it is not.
    """
    words, answer = fill
    before = context.previous
    previous = (before.resolved_question or before.original_question) if before else None
    told = f"'{words}' is '{answer}', by the answer to '{previous}'."
    if context.in_own_words:
        return Turn(
            read(text), None, previous, notes=(told, "Asked in its own words: with the answer in it, it found nothing.")
        )
    owned = re.search(rf"{re.escape(words)}(?:'s|')\s+(?P<thing>[^?]+)", text)  # "the Supplier's liability cap"
    if owned is not None:
        resolved = f"{text[: owned.start()]}the {owned['thing'].strip()} of {words}, {answer}?"
    else:
        resolved = text.replace(words, f"{words}, {answer},", 1).replace(",?", "?")
    reading = read(resolved)
    # What was found is no exact token that the next passage must hold: 'the effective date' may stand there instead.
    reading = replace(
        reading,
        anchors=tuple(found for found in reading.anchors if found.anchor.text not in answer),
        keywords=tuple(
            word.model_copy(update={"source": "direct", "weight": SIDE_WEIGHT})
            if word.source == "anchor" and word.text in answer
            else word
            for word in reading.keywords
        ),
    )
    return Turn(reading, resolved, previous, notes=(told,))


def _decided(
    turn: Turn, asked: Clarification, read: Read, profile: DocumentProfile | None, context: QuestionContext
) -> Turn:
    """The turn with its open question put back, or settled by the reply that came with it or by earlier ones."""
    doc_type = profile.semantic.doc_type if profile else None
    votes = (context.choices or {}).get(memory_key(asked.target_field, doc_type, asked.form), {})
    if isinstance(context.reply, int):
        _check_choice(context.reply, f"choice {context.reply} was named", asked)
    decided = settle(asked, votes, reply=context.reply)
    if isinstance(decided, Clarification):
        return replace(turn, clarification=decided)
    return _as_settled(turn, decided, read)


def _check_choice(number: int, told: str, asked: Clarification) -> None:
    if not 1 <= number <= len(asked.choices):
        raise QuestionError(
            f"{told}, and there are {len(asked.choices)}: {' / '.join(asked.choices)}; "
            "name one of them by its number, or 'default'"
        )


def _as_settled(turn: Turn, settled: Settled, read: Read) -> Turn:
    """The turn read as the choice that was taken; concepts that were not chosen are no topic of it."""
    at = settled.candidate_values.index(settled.chosen)
    choice = settled.choices[at]
    reading = read(choice)
    if settled.target_field == "concept":
        reading = _only(reading, settled)
    same = reading.corrected.casefold() == turn.reading.corrected.casefold()
    return replace(
        turn,
        reading=reading,
        resolved=turn.resolved if same else choice,
        settled=settled,
        notes=(*turn.notes, _told(settled, choice)),
    )


def _only(reading: Reading, settled: Settled) -> Reading:
    others = {value for value in settled.candidate_values if value != settled.chosen}
    kept = [topic for topic in reading.topics if topic.entry.concept_id not in others]
    first = [topic for topic in kept if topic.entry.concept_id == settled.chosen]
    topics = (*first, *(topic for topic in kept if topic not in first))
    keywords = tuple(word for word in reading.keywords if word.concept not in others)
    return replace(reading, topics=topics, keywords=keywords)


def _replied(
    text: str,
    before: ParsedQuestion,
    pending: Clarification,
    reply: int | str,
    read: Read,
    profile: DocumentProfile | None,
    context: QuestionContext,
) -> Turn:
    """The turn of a reply: the choice it names, the default that it accepts, or a question back where it is no."""
    # A turn that only said no is no question: the one it answered is.
    was = before.resolved_question or (before.clarification and before.previous_question) or before.original_question
    if reply == "none":
        asked = _next_choice(pending, before, profile, context) if before.settled and len(pending.choices) > 1 else None
        reading = read(text)
        back = asked or ask_back(before.language, profile, context.document)
        return Turn(reading, previous=was, clarification=back, notes=(f"'{text}' turns down what was taken before.",))
    at = pending.choices.index(pending.default) if reply == "yes" else int(reply) - 1
    _check_choice(at + 1, f"the reply '{text.strip()}' names no choice", pending)
    settled = Settled(
        target_field=pending.target_field,
        form=pending.form,
        question_to_user=pending.question_to_user,
        choices=pending.choices,
        candidate_values=pending.candidate_values,
        chosen=pending.candidate_values[at],
        by="reply",
    )
    turn = _as_settled(Turn(read(text), previous=was), settled, read)
    return replace(turn, resolved=pending.choices[at])


def _next_choice(
    pending: Clarification, before: ParsedQuestion, profile: DocumentProfile | None, context: QuestionContext
) -> Clarification:
    """The choices again with another default than the one turned down: that of most votes, else the first."""
    doc_type = profile.semantic.doc_type if profile else None
    votes = (context.choices or {}).get(memory_key(pending.target_field, doc_type, pending.form), {})
    return next_default(pending, votes, language=before.language)


def _pending(before: ParsedQuestion | None) -> Clarification | None:
    """What the turn before left for the user to say: the question back, or a choice that was taken without asking."""
    if before is None:
        return None
    if before.clarification is not None and len(before.clarification.candidate_values) == len(
        before.clarification.choices
    ):
        return before.clarification
    taken = before.settled
    if taken is None or len(taken.choices) < 2:
        return None
    chosen = taken.choices[taken.candidate_values.index(taken.chosen)]
    return Clarification(
        target_field=taken.target_field,
        question_to_user=taken.question_to_user,
        reason="The choice taken before was turned down.",
        choices=taken.choices,
        default=chosen,
        candidate_values=taken.candidate_values,
        form=taken.form,
    )


def _told(settled: Settled, choice: str) -> str:
    if settled.by == "only_option":
        return f"'{settled.form}' was read as '{choice}': nothing else in the document fits."
    if settled.by == "votes":
        share = "" if settled.confidence is None else f", share {settled.confidence:.2f}"
        votes = f"{settled.votes:g} votes of earlier replies"
        return f"'{settled.form}' was read as '{choice}' without asking: {votes}{share}."
    how = "the user's reply" if settled.by == "reply" else "the default, which the user let stand"
    return f"Asked '{settled.question_to_user}', it was read as '{choice}': {how}."
