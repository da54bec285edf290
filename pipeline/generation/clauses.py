"""Clauses that answer in their own words: text, yes or no, figures, lead sentences of a summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
from pipeline.generation.passages import Passage, Sentence
from pipeline.generation.polarity import asked_of, exceptions_of, negating_words, polarity_of
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.topic import Topic
from schemas.answer import BooleanValue, TextValue

_OPERATIVE = re.compile(
    r"\b(?:shall|will|must|may|agrees?|hereby|undertakes?|warrants?|grants?|is governed|are governed|entitled|liable"
    r"|prohibited|there (?:is|are)|does not|do not|debera[n]?|podra[n]?|se obliga[n]?|se compromete[n]?|sera[n]?"
    r"|se regira|queda[n]?|rige"
    r"|doit|doivent|peut|peuvent|s'engage\w*|est regi\w*|est soumis\w*|sera|seront|il n'y a|no hay)\b"
)
_DEFINITION = re.compile(
    r"^[\W\d]*[“\"][^”\"]{2,60}[”\"]\s+(?:means|shall mean|has the meaning|refers to|significa|designe|signifie)"
)
_CONTENTS = re.compile(r"\.{4,}\s*\d+\s*$")
CLAUSES_READ = 3  # clauses read for a verdict before the question is left to a person
NEAR_ANCHOR = 2  # sentences beside the anchor that may belong to its clause


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence that may answer, with what speaks for it.

    `topic`: 3 a term of the concept stands in sentence and heading, 2 in one of them, 1 a secondary term, 0 none.
    `is_named`: a term of the concept stands in the sentence itself.
    """

    passage: Passage
    sentence: Sentence
    exact: int
    topic: int
    is_operative: bool
    is_definition: bool
    coverage: int
    holds_anchor: bool
    is_named: bool

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
            -min(self.topic, 2),
            self.is_definition,
            not self.is_operative,
            -self.coverage,
            not self.holds_anchor,
            -self.topic,
            self.passage.rank,
            self.sentence.start,
        )


def rank_clauses(passages: Sequence[Passage], topic: Topic) -> list[Clause]:
    """Sentences of the passages, best first, each line range once; headings and contents lines are no clauses."""
    ranked: dict[tuple[int, int], Clause] = {}
    for passage in passages:
        anchor = set(passage.candidate.anchor_line_ids)
        for sentence in passage.sentences:
            words = passage.words(sentence)
            if sentence.kind in ("heading", "caption") or _CONTENTS.search(words) or len(words) < 8:
                continue
            clause = _clause(passage, sentence, words, anchor, topic)
            key = passage.line_range(sentence.start, sentence.end)
            if key not in ranked or clause.order < ranked[key].order:
                ranked[key] = clause
    return sorted(ranked.values(), key=lambda clause: clause.order)


def pick_boolean(passages: Sequence[Passage], topic: Topic, settings: GenerationSettings) -> Draft:
    """Yes or no with the clause that says so; the clause alone, with a caveat, where its words do not settle it."""
    clauses = [one for one in rank_clauses(passages, topic) if one.topic or one.coverage or one.exact]
    if topic.exact:
        clauses = [one for one in clauses if one.exact]
    if not clauses:
        return Draft(())
    question = topic.brief.original_question
    group = [one for one in clauses if one.passage.candidate.role == clauses[0].passage.candidate.role]
    for one in group[:CLAUSES_READ]:
        told = polarity_of(one.passage.words(one.sentence), question)
        if told is not None and told.value is not None and one.topic >= min(clauses[0].topic, 2):
            return _decided(one, clauses, told.value, told.words)
    best = clauses[0]
    told = polarity_of(best.passage.words(best.sentence), question)
    # presence: an operative clause on the topic is the answer; a mere mention of its words is not
    named = topic.lacks(topic.named_terms, *(text for one in clauses for text in one.texts))
    is_present = best.is_operative and (best.topic >= 2 or best.coverage >= 2) and not named
    if told is None and asked_of(question) == "presence" and is_present:
        return _decided(best, clauses, True, None)
    draft = pick_text(passages, topic, settings)
    caveat = "Whether this is a yes or a no, the rules cannot tell from the clause; a person has to read it."
    if named:
        caveat = (
            f"The passages speak of the topic, and nowhere of {', '.join(map(repr, named))}: a person has to read it."
        )
    return Draft(draft.proposals[:1], caveats=(caveat,), is_partial=True)


def pick_text(passages: Sequence[Passage], topic: Topic, settings: GenerationSettings) -> Draft:
    """The clause that answers, whole, verbatim; others that speak of it are named in a caveat."""
    figure = _pick_figure(passages, topic)
    if figure is not None:
        return figure
    clauses = rank_clauses(passages, topic)
    if topic.exact and any(one.exact for one in clauses):
        clauses = [one for one in clauses if one.exact]
    if not clauses:
        return Draft(())
    best = clauses[0]
    start, end = _whole_clause(best, topic, settings.max_text_characters)
    return Draft((_text(best.passage, start, end),), caveats=_further(best, clauses, (start, end)))


def pick_summary(passages: Sequence[Passage], settings: GenerationSettings) -> Draft:
    """Lead sentences: the first under each heading of the first passage, in its order, verbatim."""
    proposals: list[Proposal] = []
    seen: set[tuple[int, int]] = set()
    for passage in passages:
        heading: str | None = None
        for sentence in passage.sentences:
            lines = passage.line_range(sentence.start, sentence.end)
            if sentence.kind not in ("prose", "item") or sentence.heading == heading or lines in seen:
                continue
            if len(passage.words(sentence)) < 40:  # characters: shorter ones lead into a list or are fragments
                continue
            heading = sentence.heading
            seen.add(lines)
            proposals.append(_text(passage, sentence.start, sentence.end, label=heading or None))
        if len(proposals) >= settings.summary_sentences or (proposals and passage.rank == 0 and len(proposals) > 1):
            break
    caveat = "No model was used: these are the lead sentences of the passages, verbatim, not a summary."
    return Draft(tuple(proposals[: settings.summary_sentences]), caveats=(caveat,) if proposals else ())


def _clause(passage: Passage, sentence: Sentence, words: str, anchor: set[int], topic: Topic) -> Clause:
    places = topic.places(words)
    in_sentence = any(place.sense == "topic" for place in places)
    in_heading = any(place.sense in ("topic", "secondary") for place in topic.places(sentence.heading))
    first, last = passage.line_range(sentence.start, sentence.end)
    return Clause(
        passage=passage,
        sentence=sentence,
        exact=topic.exact_count(words),
        topic=(3 if in_heading else 2) if in_sentence else 2 if in_heading else 1 if places else 0,
        is_operative=_OPERATIVE.search(folded_text(words)) is not None,
        is_definition=_DEFINITION.match(folded_text(words)) is not None,
        coverage=topic.coverage(words, sentence.heading),
        is_named=in_sentence,
        holds_anchor=any(first <= line <= last for line in anchor),
    )


def _decided(best: Clause, clauses: Sequence[Clause], value: bool, words: str | None) -> Draft:
    passage, sentence = best.passage, best.sentence
    start, end = _with_list(passage, sentence)
    clause = passage.text[start:end]
    flat = " ".join(clause.split())
    exceptions = tuple(" ".join(piece.split()) for piece in exceptions_of(flat))
    negation = words if not value else None
    if not value and negation is None:
        negation = negating_words(flat)
    boolean = BooleanValue(value=value, negation=negation, exceptions=exceptions)
    span = ProposedSpan(passage.candidate.candidate_id, *passage.line_range(start, end))
    proposal = Proposal(boolean, (span,), "yes" if value else "no", "rules", "inferred")
    caveats = [f'The clause makes an exception: "{piece}"' for piece in exceptions]
    return Draft((proposal,), caveats=(*caveats, *_further(best, clauses, (start, end))))


def _with_list(passage: Passage, sentence: Sentence) -> tuple[int, int]:
    """The sentence, with the items that it opens."""
    index = passage.sentences.index(sentence)
    end = sentence.end
    if passage.text[sentence.start : sentence.end].rstrip().endswith((":", "—", ":-")):
        for following in passage.sentences[index + 1 :]:
            if following.kind != "item":
                break
            end = following.end
    return sentence.start, end


def _whole_clause(best: Clause, topic: Topic, limit: int) -> tuple[int, int]:
    """The sentence with what belongs to it: its list, and sentences of the same passage part that go on about it."""
    passage, sentence = best.passage, best.sentence
    start, end = _with_list(passage, sentence)
    sentences = passage.sentences
    index = sentences.index(sentence)
    if sentence.kind == "item":
        return start, end
    for following in sentences[index + 1 : index + 1 + NEAR_ANCHOR]:
        words = passage.words(following)
        goes_on = topic.coverage(words) or any(place.sense == "topic" for place in topic.places(words))
        if following.kind != "prose" or following.start < end or following.end - start > limit or not goes_on:
            break
        end = following.end
    return start, end


def _further(best: Clause, clauses: Sequence[Clause], given: tuple[int, int]) -> tuple[str, ...]:
    """One caveat that names other places which speak of the topic, at most four."""
    shown: list[str] = []
    taken = set(range(*_lines(best.passage, given)))
    for one in clauses:
        if one.passage.candidate.role != "primary" or one.topic < 2 or not one.is_operative:
            continue
        first, last = one.passage.line_range(one.sentence.start, one.sentence.end)
        if taken & set(range(first, last + 1)):
            continue
        taken |= set(range(first, last + 1))
        ref = one.passage.lines[one.passage.line_index(one.sentence.start)]
        shown.append(f"page {ref.page_num} line {ref.line_num}")
        if len(shown) == 4:
            break
    return (f"The document also speaks of this at {', '.join(shown)}.",) if shown else ()


def _lines(passage: Passage, place: tuple[int, int]) -> tuple[int, int]:
    first, last = passage.line_range(*place)
    return first, last + 1


def _pick_figure(passages: Sequence[Passage], topic: Topic) -> Draft | None:
    """Caption first, then every sentence that names it; None where the question names no figure or table."""
    labels = [
        word for word in topic.exact if re.fullmatch(r"(?i)(?:figure|fig\.?|table|tabla|tableau|figura)\s+\w+", word)
    ]
    if not labels:
        return None
    captions: dict[tuple[int, int], Proposal] = {}
    mentions: dict[tuple[int, int], Proposal] = {}
    for passage in passages:
        for sentence in passage.sentences:
            words = passage.words(sentence)
            if sentence.kind == "heading" or not topic.exact_count(words):
                continue
            lines = passage.line_range(sentence.start, sentence.end)
            is_caption = sentence.kind == "caption" and topic.exact_count(words[: len(labels[0]) + 4]) > 0
            into = captions if is_caption else mentions
            label = "caption" if is_caption else "mention"
            into.setdefault(lines, _text(passage, sentence.start, sentence.end, label=label))
    return Draft((*captions.values(), *mentions.values())) if captions or mentions else None


def _text(passage: Passage, start: int, end: int, *, label: str | None = None) -> Proposal:
    words = " ".join(passage.text[start:end].split())
    span = ProposedSpan(passage.candidate.candidate_id, *passage.line_range(start, end))
    return Proposal(TextValue(text=words), (span,), words, "rules", "verbatim", label)
