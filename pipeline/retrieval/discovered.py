"""Words that the arbiter noticed and that were not searched: recorded for the experts, never used by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from dictionaries.matching import TermMatcher, searched_form
from pipeline.retrieval.arbiter.judgement import Noticed
from schemas.question import RetrievalQuery
from schemas.retrieval import DiscoveredKeyword


def discovered_keywords(query: RetrievalQuery, noticed: Sequence[Noticed]) -> tuple[DiscoveredKeyword, ...]:
    """What was noticed and is no term that was searched, each once, in the order of the reply.

    The concept is that of the question where it has one alone; of several, none is chosen: a person will.
    """
    if not noticed:
        return ()
    searched = [keyword.text for keyword in query.keywords if not keyword.is_regex]
    searched += [term for concept in query.concepts for term in concept.terms]
    matcher = TermMatcher(tuple(dict.fromkeys(searched)))
    only = query.concepts[0] if len(query.concepts) == 1 else None
    found: dict[str, DiscoveredKeyword] = {}
    for one in noticed:
        form = _form(one.text)
        if form is None or form in found or _is_searched(one.text, matcher):
            continue
        found[form] = DiscoveredKeyword(
            text=one.text,
            candidate_id=one.candidate_id,
            concept=only.concept_id if only else None,
            dictionary=only.dictionary if only else None,
        )
    return tuple(found.values())


def _form(text: str) -> str | None:
    try:
        return searched_form(text.replace("*", " "))
    except ValueError:
        return None


def _is_searched(text: str, matcher: TermMatcher) -> bool:
    """True when a searched term, in any of its forms, is all that the words say."""
    letters = [at for at, character in enumerate(text) if character.isalnum()]
    return any(hit.start <= letters[0] and hit.end > letters[-1] for hit in matcher.find([text]))
