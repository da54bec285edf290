"""Listings: the items under a sentence, the rows of a table, the parties of a contract, the values of a type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline.generation.enumerations import tail_after
from pipeline.generation.limits import missed_by, tell_only_others
from pipeline.generation.lists import MIN_ITEMS, Items, find_lists
from pipeline.generation.marks import mark_of
from pipeline.generation.parties import find_parties
from pipeline.generation.passages import ITEM_MARK, Passage
from pipeline.generation.placing import place_values, propose
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.ranking import rank_clauses
from pipeline.generation.rows import Row
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.stated import stated_count
from pipeline.generation.topic import Topic
from pipeline.generation.trees import tree_of
from pipeline.values import VALUE_TYPES
from schemas.answer import TextValue

STATEMENT_FIGURES = 2  # figures in a row that make it one of a statement
_FIGURE = re.compile(r"(?<![\w.,-])[$€£(-]*\d[\d.,]*[)%]*(?![\w-])|(?<=\s)[—–](?=\s|$)")
# What leads from an item to the next.
_TAIL = re.compile(r"[\s;,]*(?:[;,]\s*(?:and|or|and/or|y|o|e|et|ou)|;|,)\s*$|\s+(?:and|or|et|ou|y)\s*$", re.IGNORECASE)


def pick_listing(
    passages: Sequence[Passage],
    topic: Topic,
    answer_type: str,
    settings: GenerationSettings,
    *,
    headers: Sequence[Row] = (),
) -> Draft:
    """Every element with its own lines, in the document's order, and whether these are all."""
    if answer_type == "party":
        parties = find_parties(passages)
        if parties.proposals:
            return parties
    if answer_type in VALUE_TYPES:
        return _list_values(passages, topic, answer_type, settings, headers=headers)
    chosen = _choose(passages, topic)
    if chosen is None:
        return _list_clauses(passages, topic, settings)
    if topic.brief.answer_shape == "tree" and chosen.kind == "item":
        return Draft((tree_of(chosen),), ends=chosen.ends or None)
    spans = chosen.spans[1:] if _has_header(chosen) else chosen.spans
    proposals = tuple(_item(chosen.passage, start, end, chosen.kind) for start, end in spans)
    further = _further(chosen, passages)
    proposals += further
    count = stated_count(chosen.passage.words(chosen.intro)) if chosen.intro is not None else None
    return Draft(proposals[: settings.max_items], stated_count=count, ends=(chosen.ends and not further) or None)


def _further(chosen: Items, passages: Sequence[Passage]) -> tuple[Proposal, ...]:
    """Items by which another passage goes on with the list, each with its own lines: a list that a page cuts."""
    if chosen.kind != "item":
        return ()
    mark = mark_of(chosen.passage.text, chosen.spans[-1][0])
    last = chosen.passage.line_range(*chosen.spans[-1])[1]
    if mark is None or last != chosen.passage.lines[-1].line_id:
        return ()
    for other in passages:
        tail = tail_after(other, mark, last) if other is not chosen.passage else []
        if tail:
            opened = _opening_span(chosen)  # proves of what the items are that stand without it
            items = (_item(other, start, end, "item") for start, end in tail)
            return tuple(replace(one, spans=(*one.spans, *opened)) for one in items)
    return ()


def _opening_span(chosen: Items) -> tuple[ProposedSpan, ...]:
    if chosen.intro is None:
        return ()
    lines = chosen.passage.line_range(chosen.intro.start, chosen.intro.end)
    return (ProposedSpan(chosen.passage.candidate.candidate_id, *lines),)


def _has_header(items: Items) -> bool:
    """True for table rows of which only the first holds no figure: it names the columns."""
    texts = [items.passage.text[start:end] for start, end in items.spans]
    has_figure = [re.search(r"\d", text) is not None for text in texts]
    return items.kind == "row" and len(texts) > MIN_ITEMS and not has_figure[0] and all(has_figure[1:])


def _choose(passages: Sequence[Passage], topic: Topic) -> Items | None:
    """The list whose opening sentence or heading is about the question; the anchor decides among equals."""
    ranked = []
    for passage in passages:
        anchor = set(passage.candidate.anchor_line_ids)
        for number, items in enumerate(find_lists(passage)):
            opening = passage.words(items.intro) if items.intro is not None else ""
            heading = items.intro.heading if items.intro is not None else passage.candidate.section_title or ""
            about = any(place.sense == "topic" for place in topic.places(f"{opening} {heading}"))
            coverage = topic.coverage(opening, heading)
            first = passage.line_range(*(items.spans[0]))[0] - 2  # the opening sentence may take two lines
            last = passage.line_range(*(items.spans[-1]))[1]
            holds_anchor = any(first <= line <= last for line in anchor)
            if items.intro is not None and missed_by(passage, items.intro, topic):
                continue  # the obligations of the other party
            if not (about or coverage or (holds_anchor and not topic.has_concept)):
                continue
            if _is_statement(items):
                continue  # rows of figures: each says several things, and none of them is an element
            if items.is_inline and not _is_opened(items, topic, about=about):
                continue  # an enumeration in passing, inside a clause on something else
            order = (passage.candidate.role != "primary", not about, -coverage, items.is_inline, not holds_anchor,
                     passage.rank, -len(items.spans), number)  # fmt: skip
            ranked.append((order, items))
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _is_statement(items: Items) -> bool:
    """True for rows of a table most of which hold several figures beside one label."""
    if items.kind != "row":
        return False
    texts = [items.passage.text[start:end] for start, end in items.spans]
    return 2 * sum(len(_FIGURE.findall(text)) >= STATEMENT_FIGURES for text in texts) > len(texts)


def _is_opened(items: Items, topic: Topic, *, about: bool) -> bool:
    """True when the words before an enumeration in a sentence speak of what was asked: its concept, or most words."""
    if items.intro is None:
        return False
    if topic.has_concept:
        return about
    return len(topic.words) > 0 and 2 * topic.coverage(items.passage.words(items.intro)) >= len(topic.words)


def _list_values(
    passages: Sequence[Passage],
    topic: Topic,
    answer_type: str,
    settings: GenerationSettings,
    *,
    headers: Sequence[Row] = (),
) -> Draft:
    """Values of the type that stand with the topic, in the document's order, each place once."""
    placed = place_values(passages, topic, answer_type, headers=headers)
    elsewhere = [missed for one in placed for missed in one.missed]
    placed = [one for one in placed if not one.missed]
    if not placed:
        return Draft((), caveats=(tell_only_others(answer_type, elsewhere),) if elsewhere else ())
    best = placed[0]
    kept = [
        one
        for one in placed
        if one.passage.candidate.role == best.passage.candidate.role
        and one.exact == best.exact
        and not one.is_distracted
        and (one.topic >= min(best.topic, 2) if topic.has_concept else one.coverage >= max(best.coverage - 1, 0))
    ]
    kept.sort(key=lambda one: one.passage.line_range(one.start, one.end))
    proposals = tuple(propose(one, label=one.passage.words(one.sentence)[:120]) for one in kept[: settings.max_items])
    more = (
        (f"{len(kept) - settings.max_items} further values were left out.",) if len(kept) > settings.max_items else ()
    )
    return Draft(proposals, caveats=more)


def _list_clauses(passages: Sequence[Passage], topic: Topic, settings: GenerationSettings) -> Draft:
    """Where the document has no list: the clauses that speak of the topic, each an item of its own."""
    ranked = rank_clauses([p for p in passages if p.candidate.role in ("primary", None)], topic)
    elsewhere = [missed for one in ranked if one.topic >= 2 for missed in one.missed]
    clauses = [
        one
        for one in ranked
        if not one.missed
        and one.sentence.kind not in ("row", "caption")
        and (
            (one.topic >= 2 and one.is_operative and not one.is_definition)
            or (not topic.has_concept and one.coverage >= 2)
        )
    ]
    clauses.sort(key=lambda one: one.passage.line_range(one.sentence.start, one.sentence.end))
    kept: list[Proposal] = []
    taken: set[int] = set()
    for one in clauses:
        first, last = one.passage.line_range(one.sentence.start, one.sentence.end)
        if not taken & set(range(first, last + 1)):
            kept.append(_item(one.passage, one.sentence.start, one.sentence.end, "prose"))
            taken |= set(range(first, last + 1))
    caveat = "The document has no list of these; each clause that speaks of it is given."
    if not kept and elsewhere:
        caveat = tell_only_others("clause", elsewhere)
    return Draft(tuple(kept[: settings.max_items]), caveats=(caveat,) if kept or elsewhere else ())


def _item(passage: Passage, start: int, end: int, kind: str) -> Proposal:
    words = " ".join(passage.text[start:end].split())
    mark = ITEM_MARK.match(passage.text, start) if kind == "item" else None
    label = mark.group(0).strip() if mark is not None else None
    text = words[len(" ".join(mark.group(0).split())) :].strip() if mark is not None else words
    text = _TAIL.sub("", text) if kind == "item" else text
    span = ProposedSpan(passage.candidate.candidate_id, *passage.line_range(start, end))
    return Proposal(TextValue(text=text or words), (span,), words, "rules", "verbatim", label)
