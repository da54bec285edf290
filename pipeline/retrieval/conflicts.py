"""Primaries that state different values on the same point; found by rules, stated, never settled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from dictionaries.folding import fold
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.retrieval.candidates import Candidate
from pipeline.retrieval.search import Search
from pipeline.retrieval.terms import proves_topic
from pipeline.values import VALUE_TYPES, FoundValue, find_values, same_value
from pipeline.wording import tell_line
from schemas.retrieval import Conflict

MAX_CONFLICTS = 5  # pairs; more of them mean a table, not contradictions
MAX_BETWEEN = 100  # characters between a term and its value; farther on a sentence speaks of something else
_TURNS = re.compile(r"\b(?:and|or|but|until|unless|except|y|o|pero|hasta|salvo|et|ou|mais|jusqu|sauf)\b", re.IGNORECASE)
_DEFINED = re.compile(
    r"^[\W\d]*[\"“«](?P<term>[^\"”»]{1,80})[\"”»]\s*(?:shall\s+)?(?:means?|is\s+defined|significa|d[ée]signe|signifie)\b",
    re.IGNORECASE,
)
_NORMATIVE = re.compile(
    r"\b(?:shall|will|must|is|are|may not|agrees?|set at|equals?|amounts? to|deber[áa]n?|ser[áa]n?|es|son|no podr[áa]"
    r"|doit|doivent|sera|seront|est|sont|ne peut)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+(?=[A-Z\"“(¿¡ÀÉÁÓÚ])")
_NOT_NORMATIVE_ROLES = ("table", "caption", "toc_entry")


def find_conflicts(search: Search, primaries: Sequence[Candidate]) -> tuple[Conflict, ...]:
    """Pairs of primaries where one sentence each states one value of the type asked for with the same term.

    Both sentences must be normative prose with exactly one such value; tables and captions never conflict, nor do
    passages that only share a word of the question. In the order of the primaries.
    """
    answer_type = search.query.answer_type
    if answer_type not in VALUE_TYPES or len(primaries) < 2:  # a pair
        return ()
    stated = [(candidate, _stated(search, candidate)) for candidate in primaries]
    found: list[Conflict] = []
    for (one, values), (other, others) in combinations(stated, 2):
        for term in sorted(values.keys() & others.keys()):
            left, right = values[term], others[term]
            if left is None or right is None or same_value(left.found.value, right.found.value):
                continue
            if left.defines is not None and right.defines is not None and left.defines != right.defines:
                continue  # each says what another defined term means
            found.append(
                Conflict(
                    candidate_ids=(one.candidate_id, other.candidate_id),
                    point=f"{answer_type} for '{search.terms.terms[term].shown}'",
                    statement=f"{_says(search, one, left.found)}, {_says(search, other, right.found)}.",
                    found_by="rules",
                )
            )
            break
    return tuple(found) if len(found) <= MAX_CONFLICTS else ()


@dataclass(frozen=True, slots=True)
class _Statement:
    """A value that a sentence states; `defines` is the defined term that the sentence is about, folded."""

    found: FoundValue
    defines: str | None


def _stated(search: Search, candidate: Candidate) -> dict[int, _Statement | None]:
    """For each primary term of the topic, the one value that its sentences state; None where they state several."""
    lines = search.lines
    block = candidate.unit.block
    if any(lines.roles[position] in _NOT_NORMATIVE_ROLES for position in lines.block_positions(block)):
        return {}
    terms = {index for index in {match.term for match in candidate.unit.own} if _says_what(search, index)}
    stated: dict[int, _Statement | None] = {}
    for sentence in _SENTENCE_END.split(lines.block_text(block)):
        if not _NORMATIVE.search(sentence):
            continue
        hits = search.terms.matcher.find([sentence])
        holding = [
            (term, start, end)
            for term, start, end in zip(hits.term_index.tolist(), hits.start.tolist(), hits.end.tolist(), strict=True)
            if term in terms
        ]
        if not holding:
            continue
        values = find_values(sentence, search.query.answer_type, language=search.query.language)
        distinct = [v for i, v in enumerate(values) if not any(same_value(v.value, w.value) for w in values[:i])]
        defined = _DEFINED.match(sentence)
        defines = fold(defined["term"]).text if defined else None
        for term, start, end in holding:
            if len(distinct) == 1 and not any(_goes_with(sentence, start, end, value) for value in values):
                continue  # the value is of something else that the sentence says
            if len(distinct) == 1 and (term not in stated or _equal(stated[term], distinct[0])):
                stated[term] = _Statement(distinct[0], defines)
            elif distinct:
                stated[term] = None
    return stated


def _goes_with(sentence: str, start: int, end: int, value: FoundValue) -> bool:
    """True when a term and a value stand near each other with no 'and', 'until' or 'unless' between them."""
    between = sentence[end : value.start] if value.start >= end else sentence[value.end : start]
    return len(between) <= MAX_BETWEEN and _TURNS.search(between) is None


def _says_what(search: Search, index: int) -> bool:
    """True for a term that names its subject: it stands in the question, or has two words that mean something.

    'for a period of' proves that a period follows and not of what: two periods after it contradict nothing.
    """
    term = search.terms.terms[index]
    if term.kind == "word" or term.is_pattern or not proves_topic(term):
        return False  # a pattern is a form of words, 'dated as of', which any agreement named beside this one has too
    words = [word for word in fold(term.text).text.replace("-", " ").split() if word not in ALL_STOP_WORDS]
    return len(words) > 1 or fold(term.text).text in fold(search.query.text).text


def _equal(one: _Statement | None, other: FoundValue) -> bool:
    return one is not None and same_value(one.found.value, other.value)


def _says(search: Search, candidate: Candidate, found: FoundValue) -> str:
    first = candidate.anchor[0]
    original = str(getattr(found.value, "original", getattr(found.value, "text", "")))
    lines = search.lines
    return f"{tell_line(lines.page_unit, lines.page_nums[first], lines.line_nums[first])} says {original!r}"
