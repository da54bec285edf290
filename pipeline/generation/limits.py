"""Which sentences of a passage miss a limit of the question: they speak of another party or another place."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.passages import Passage, Sentence
from pipeline.generation.topic import Topic
from pipeline.scope.reader import tell_missed
from schemas.answer import AnswerItem
from schemas.retrieval import MissedLimit, RetrievalResult

_OF_SENTENCES = ("party", "jurisdiction")  # limits that a sentence meets or misses; the others are of its place


def missed_by(passage: Passage, sentence: Sentence, topic: Topic) -> tuple[MissedLimit, ...]:
    """The limits that a sentence misses by itself, by the words that open its list, by its headings or its passage."""
    if not topic.scope:
        return ()
    headings = [title for title in reversed(sentence.heading.split(" > ")) if title]
    missed = topic.scope.missed(passage.words(sentence), *_opening(passage, sentence), *headings)
    if missed:
        return missed
    first, last = passage.line_range(sentence.start, sentence.end)
    anchored = any(first <= line <= last for line in passage.candidate.anchor_line_ids)
    return tuple(one for one in passage.candidate.missed_limits if anchored and one.limit in _OF_SENTENCES)


def tell_all(missed: Sequence[MissedLimit]) -> tuple[str, ...]:
    """A sentence for each limit that is missed, each once."""
    return tuple(dict.fromkeys(tell_missed(one) for one in missed))


def tell_only_others(kind: str, missed: Sequence[MissedLimit]) -> str:
    """Why nothing is given: what the passages state is another party's, or holds elsewhere."""
    others = ", ".join(dict.fromkeys(f"'{one.found}'" for one in missed))
    asked = ", ".join(dict.fromkeys(f"'{one.asked}'" for one in missed))
    article = "an" if kind[0] in "aeiou" else "a"
    return f"The passages state {article} {kind} for {others} alone, and none for {asked}."


def missed_places(found: RetrievalResult, items: Sequence[AnswerItem]) -> tuple[str, ...]:
    """A caveat for each limit that every passage cited for an item misses."""
    by_id = {one.candidate_id: one.missed_limits for one in found.candidates}
    told: list[str] = []
    for item in items:
        cited = [by_id.get(span.candidate_id, ()) for span in item.spans]
        if cited and all(cited):
            told += [tell_missed(one) for one in cited[0]]
    return tuple(dict.fromkeys(told))


def _opening(passage: Passage, sentence: Sentence) -> tuple[str, ...]:
    """The sentence that opens the list which an item stands in; empty for what is no item."""
    if sentence.kind != "item":
        return ()
    index = passage.sentences.index(sentence)
    for above in reversed(passage.sentences[:index]):
        if above.kind == "heading":
            return ()
        words = passage.words(above)
        if above.kind != "item" and words.endswith((":", ":-", "—")):
            return (words,)
    return ()
