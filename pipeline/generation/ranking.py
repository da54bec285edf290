# ruff: noqa: E501  # patterns are read whole, on one line
# patterns are read whole, on one line
"""Sentences of the passages in the order in which they may answer, one reason after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
from pipeline.generation.limits import missed_by
from pipeline.generation.passages import Passage, Sentence
from pipeline.generation.pointers import pointers_of
from pipeline.generation.topic import Topic
from pipeline.wording import tell_line
from schemas.retrieval import MissedLimit

_OPERATIVE = re.compile(
    r"\b(?:shall|will|must|may|agrees?|hereby|undertakes?|warrants?|grants?|(?:is|are) (?:not )?[a-z]+ed|continues?|appl(?:y|ies)|survives?|entitled|liable"
    r"|prohibited|there (?:is|are)|does not|do not|debera[n]?|podra[n]?|se obliga[n]?|se compromete[n]?|sera[n]?"
    r"|se regira|queda[n]?|rige"
    r"|se limita[n]?|renuncia[n]?|garantiza[n]?|otorga[n]?|concede[n]?|excede[n]?|tiene[n]? derecho|se prorroga\w*|es (?:exclusiv|intransferibl|responsabl)\w*"
    r"|doit|doivent|peut|peuvent|pourra|pourront|devra|devront|aura|auront|s'engage\w*|s'interdi\w+|(?:est|sont) (?:\w+ )?(?:regi|soumis|limite|plafonne|exclu|interdi|tenu|libre|accorde|consenti|concede|reserve|reput)\w*"
    r"|garantit|accorde|concede|excede|beneficie|renonce|fournit|sera|seront|il n'y a|no hay)\b"
)
# 'excederá', 'prestarán': the future by which Spanish clauses command; its accent tells it from 'primera' and 'contra'.
_FUTURE = re.compile(r"\b[a-zñáéíóú]{2,}rán?\b", re.IGNORECASE)
_DEFINITION = re.compile(
    r"^(?:for (?:the )?purposes? of [^.;“\"]{0,60})?[\W\d]*(?:\([a-z]{1,4}\)\s*)?(?:the (?:term|word)s?\s+)?[“\"‘][^”\"’]{2,60}[”\"’](?:[^.;]{0,200}?)?\s+(?:means?|shall (?:also )?mean|has the meaning|have the meaning|shall have the meaning|refers to|significa|designe|signifie)\b"
)
_CONTENTS = re.compile(r"\.{4,}\s*\d+\s*$")
_UNFINISHED = re.compile(r"[\w,(–—-]$")
MIN_CLAUSE = 8  # characters; shorter lines are marks and fragments
MAX_PLACES = 4  # further places named in a caveat


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence that may answer, with what speaks for it.

    `defines`: the sentence gives the meaning that is asked for.
    `topic`: 3 a term of the concept stands in sentence and heading, 2 in one of them, 1 a secondary term, 0 none.
    `is_named`: a term of the concept stands in the sentence itself. `is_cut`: the handed lines begin or end inside it.
    """

    passage: Passage
    sentence: Sentence
    exact: int
    defines: bool
    topic: int
    is_operative: bool
    is_definition: bool
    coverage: int
    holds_anchor: bool
    is_named: bool
    is_cut: bool
    missed: tuple[MissedLimit, ...]  # limits of the question that it does not meet
    points: bool = False  # it says no more than where the thing meant stands: 'has the meaning given in Section 3'

    @property
    def texts(self) -> tuple[str, str]:
        """Its words and its headings."""
        return self.passage.words(self.sentence), self.sentence.heading

    @property
    def order(self) -> tuple[int, ...]:
        """Why one clause comes before another, one reason after the other."""
        return (
            self.passage.candidate.role != "primary",
            -self.exact,
            not self.defines,
            self.is_cut,
            -min(self.topic, 2),
            self.points,
            len(self.missed) > 0,
            self.is_definition,
            self.topic > 0 and not self.is_operative,  # outside contracts nothing has to be operative
            -self.coverage,
            not self.holds_anchor,
            -self.topic,
            self.passage.rank,
            self.sentence.start,
        )


def rank_clauses(passages: Sequence[Passage], topic: Topic) -> list[Clause]:
    """Sentences of the passages, best first, each once; headings, contents lines and what was excluded are no clauses."""
    ranked: dict[tuple[int, int, str], Clause] = {}  # a paragraph may be one line: several sentences share it
    topic.look_through(
        text
        for passage in passages
        for sentence in passage.sentences
        for text in (passage.words(sentence), sentence.heading)
    )
    for passage in passages:
        anchor = set(passage.candidate.anchor_line_ids)
        for sentence in passage.sentences:
            words = passage.words(sentence)
            if sentence.kind in ("heading", "caption") or _CONTENTS.search(words) or len(words) < MIN_CLAUSE:
                continue
            if topic.excludes(words):
                continue
            clause = _clause(passage, sentence, words, anchor, topic)
            key = (*passage.line_range(sentence.start, sentence.end), words)
            if key not in ranked or clause.order < ranked[key].order:
                ranked[key] = clause
    return sorted(ranked.values(), key=lambda clause: clause.order)


def with_list(passage: Passage, sentence: Sentence) -> tuple[int, int]:
    """The sentence, with the items that it opens."""
    index = passage.sentences.index(sentence)
    end = sentence.end
    if passage.text[sentence.start : sentence.end].rstrip().endswith((":", "—", ":-")):
        for following in passage.sentences[index + 1 :]:
            if following.kind != "item":
                break
            end = following.end
    return sentence.start, end


def opening_of(passage: Passage, sentence: Sentence) -> tuple[str, ...]:
    """The sentence that opens the list in which an item stands ('The Distributor shall not:'), or that another goes on."""
    index = passage.sentences.index(sentence)
    if sentence.kind != "item":
        before = passage.sentences[index - 1] if index else None
        goes_on = passage.text[sentence.start : sentence.start + 1].islower() and before is not None
        return (passage.words(before),) if goes_on and before is not None and before.kind != "heading" else ()
    for above in reversed(passage.sentences[:index]):
        if above.kind == "heading":
            return ()
        words = passage.words(above)
        if words.endswith((":", ":-", "—")):
            return (words,)
        if above.kind != "item" and words.endswith("."):
            return ()
    return ()


def further_places(best: Clause, clauses: Sequence[Clause], given: tuple[int, int]) -> tuple[str, ...]:
    """One caveat that names other places which speak of the topic, at most four."""
    shown: list[str] = []
    taken = set(range(*_lines(best.passage, given)))
    for one in clauses:
        if one.passage.candidate.role != "primary" or one.topic < 2 or not one.is_operative or one.missed:
            continue
        first, last = one.passage.line_range(one.sentence.start, one.sentence.end)
        if taken & set(range(first, last + 1)):
            continue
        taken |= set(range(first, last + 1))
        ref = one.passage.lines[one.passage.line_index(one.sentence.start)]
        shown.append(tell_line(one.passage.candidate.anchor.page_unit, ref.page_num, ref.line_num))
        if len(shown) == MAX_PLACES:
            break
    return (f"The document also speaks of this at {', '.join(shown)}.",) if shown else ()


def _lines(passage: Passage, place: tuple[int, int]) -> tuple[int, int]:
    first, last = passage.line_range(*place)
    return first, last + 1


def _clause(passage: Passage, sentence: Sentence, words: str, anchor: set[int], topic: Topic) -> Clause:
    places = topic.places(words)
    in_sentence = any(place.sense == "topic" for place in places)
    in_heading = any(place.sense in ("topic", "secondary") for place in topic.places(sentence.heading))
    is_near = any(place.sense != "excluded" for place in places)
    first, last = passage.line_range(sentence.start, sentence.end)
    return Clause(
        passage=passage,
        sentence=sentence,
        exact=topic.exact_count(words),
        defines=topic.defines(words),
        topic=(3 if in_heading else 2) if in_sentence else 2 if in_heading else 1 if is_near else 0,
        is_operative=_OPERATIVE.search(folded_text(words)) is not None or _FUTURE.search(words) is not None,
        is_definition=_DEFINITION.match(folded_text(words)) is not None,
        coverage=topic.coverage(words, sentence.heading),
        is_named=in_sentence,
        is_cut=_is_cut(passage, sentence, words),
        missed=missed_by(passage, sentence, topic),
        holds_anchor=any(first <= line <= last for line in anchor),
        points=any(one.is_whole for one in pointers_of(words)),
    )


def _is_cut(passage: Passage, sentence: Sentence, words: str) -> bool:
    starts_inside = sentence is passage.sentences[0] and words[:1].islower()
    ends_inside = (
        sentence is passage.sentences[-1] and sentence.kind == "prose" and _UNFINISHED.search(words) is not None
    )
    return starts_inside or ends_inside
