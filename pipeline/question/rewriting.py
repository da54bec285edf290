"""The question in the document's words: the experts' leading terms in its languages; read by retrieval alone."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.question.topics import Topic

MAX_REWRITES = 6  # rewrites of one question; each further one is searched for less and less of a gain
LEADING_TERMS = 2  # terms a concept and language: the first ones are the usual names of the topic


def rewrite(topics: Sequence[Topic], languages: Sequence[str] | None) -> tuple[str, ...]:
    """The leading primary terms of each concept, best concept first, in the searched languages (None: all of them).

    Empty for a question without a concept: its own words are all there is.
    """
    found: dict[str, None] = {}
    for topic in topics:
        chosen = topic.entry.words(tuple(languages) if languages is not None else None)
        for language in dict.fromkeys(term.language for term in chosen):
            primary = [
                t.text for t in chosen if t.language == language and t.priority == "primary" and "*" not in t.text
            ]
            found.update(dict.fromkeys(primary[:LEADING_TERMS]))
    return tuple(found)[:MAX_REWRITES]
