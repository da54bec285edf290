"""Listings: the items under a sentence, the rows of a table, the parties of a contract, the values of a type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.generation.limits import missed_by, tell_only_others
from pipeline.generation.parties import find_parties
from pipeline.generation.passages import ITEM_MARK, Passage, Sentence
from pipeline.generation.placing import place_values, propose
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.ranking import rank_clauses
from pipeline.generation.rows import Row
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.stated import stated_count
from pipeline.generation.topic import Topic
from pipeline.values import VALUE_TYPES
from schemas.answer import TextValue

_LAST_BUT_ONE = re.compile(r"[;,]?\s*\b(?:and|or|and/or|y|o|e|et|ou)\s*$", re.IGNORECASE)
MIN_ITEMS = 2


@dataclass(frozen=True, slots=True)
class Items:
    """A run of list items or table rows with the sentence that opens it."""

    passage: Passage
    intro: Sentence | None
    spans: tuple[tuple[int, int], ...]
    ends: bool
    kind: str


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
    spans = chosen.spans[1:] if _has_header(chosen) else chosen.spans
    proposals = tuple(_item(chosen.passage, start, end, chosen.kind) for start, end in spans)
    count = stated_count(chosen.passage.words(chosen.intro)) if chosen.intro is not None else None
    return Draft(proposals[: settings.max_items], stated_count=count, ends=chosen.ends or None)


def find_lists(passage: Passage) -> list[Items]:
    """Runs of items of one kind of mark, and of table rows, in the order of the passage."""
    lists: list[Items] = []
    sentences = passage.sentences
    index = 0
    while index < len(sentences):
        kind = sentences[index].kind
        if kind not in ("item", "row"):
            index += 1
            continue
        intro = sentences[index - 1] if index and sentences[index - 1].kind in ("prose", "heading", "caption") else None
        run, after = _run(passage, index)
        if len(run) >= MIN_ITEMS:
            lists.append(Items(passage, intro, tuple(run), _ends(passage, run, after), kind))
        index = max(after, index + 1)
    return lists


def _run(passage: Passage, first: int) -> tuple[list[tuple[int, int]], int]:
    """Items from sentence `first` on, inner ones with their outer one, and the index of the sentence after them."""
    sentences = passage.sentences
    kind = sentences[first].kind
    style = _style(passage, sentences[first])
    run: list[list[int]] = []
    index = first
    while index < len(sentences):
        sentence = sentences[index]
        starts_item = sentence.kind == kind and (
            kind == "row" or ITEM_MARK.match(passage.text, sentence.start) is not None
        )
        if starts_item and _style(passage, sentence) == style:
            run.append([sentence.start, sentence.end])
        elif sentence.kind == "item" and kind == "item" and run:
            if _is_outer(style, _style(passage, sentence)):
                break
            run[-1][1] = sentence.end
        else:
            break
        index += 1
    return [(start, end) for start, end in run], index


def _style(passage: Passage, sentence: Sentence) -> str:
    if sentence.kind == "row":
        return "row"
    mark = ITEM_MARK.match(passage.text, sentence.start)
    if mark is None:
        return "continued"
    if mark["bullet"]:
        return mark["bullet"]
    written = (mark["inner"] or mark["outer"]).lower()
    form = "(" if mark["inner"] else "."
    if written.isdigit():
        return f"{form}1"
    return f"{form}i" if re.fullmatch(r"[ivx]{2,}", written) else f"{form}a"


def _is_outer(style: str, other: str) -> bool:
    """True when the other mark starts something larger: numbers with a full stop are clauses, not items."""
    return other.startswith(".1") and not style.startswith(".1")


def _ends(passage: Passage, run: Sequence[tuple[int, int]], after: int) -> bool:
    """True when the list was seen to end: 'and' before the last item, or other text after it."""
    if after < len(passage.sentences):
        return True
    before_last = passage.text[run[-2][0] : run[-2][1]]
    return _LAST_BUT_ONE.search(before_last) is not None


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
            order = (passage.candidate.role != "primary", not about, -coverage, not holds_anchor, passage.rank,
                     -len(items.spans), number)  # fmt: skip
            ranked.append((order, items))
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


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
    span = ProposedSpan(passage.candidate.candidate_id, *passage.line_range(start, end))
    return Proposal(TextValue(text=text or words), (span,), words, "rules", "verbatim", label)
