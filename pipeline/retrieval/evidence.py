"""What each passage says for and against being the answer: the matches that detectors and the rules arbiter both read.

A *unit* is a block of running text with the headings directly over it, or a heading without a text of its own. Evidence
is found and counted here, never weighed.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dictionaries.matching import TermHits
from pipeline.retrieval.lines import Lines
from pipeline.retrieval.passages import is_contents_line, is_definition, is_reference, lead_of
from pipeline.retrieval.terms import TOPIC_KINDS, Term, Terms, proves_topic
from pipeline.retrieval.valued import mark_values
from pipeline.scope.sentences import sentence_starts
from schemas.question import DetectionContext, RetrievalQuery

if TYPE_CHECKING:
    from pipeline.retrieval.signals import Signals

COMMON_SHARE = 0.2  # share of blocks; a word in every fifth passage ("agreement") points at none of them
COMMON_MIN_BLOCKS = 20  # blocks; below this a share says nothing
MAX_WORDS_NEEDED = 4  # words of a long question that must meet in one passage; more hardly ever do
TITLE_SHARE = 0.5  # share of a title's letters that its match must cover, so that it is the title's subject


_Row = tuple[int, int, int, int, int, bool]  # first and last line, term, start, end, approximate


class Match(NamedTuple):  # very many are made: three times as quick as a frozen dataclass
    """One place of one term, with the positions of its first and last line."""

    term: int
    first: int
    last: int
    is_definition: bool = False
    is_reference: bool = False
    place: int = 0  # of the line or sentence in which words must stand together; 0 throughout for a paragraph
    is_approximate: bool = False  # a misread word of a recognised page, taken for the term's


@dataclass(slots=True)
class Unit:
    """The evidence of one passage, filled once by `gather`.

    `own` stands in its text, `over` in the headings above it; the lists hold terms of the topic, unless they say so.
    """

    block: int
    headings: tuple[int, ...]  # blocks of the headings directly above, nearest first
    own: list[Match] = field(default_factory=list)
    over: list[Match] = field(default_factory=list)
    distractors: list[Match] = field(default_factory=list)
    neighbours: list[Match] = field(default_factory=list)
    value_words: list[Match] = field(default_factory=list)
    asked: list[Match] = field(default_factory=list)  # the words by which the question chose its concept
    value_lines: list[tuple[int, int]] = field(default_factory=list)  # first and last position of each value
    related_lines: list[tuple[int, int]] = field(default_factory=list)  # of values of a related type
    near_value: bool = False  # the value stands in the block before or after it
    facts: Signals | None = None  # what all of it comes to, once it was asked
    titled: bool = False  # a heading above, or the run-in heading, is about the topic
    is_contents: bool = False  # a line of a printed table of contents that was not recognised as one


@dataclass(frozen=True, slots=True)
class Evidence:
    """All units with a match, by block, and what the terms amount to in this document."""

    terms: Terms
    units: dict[int, Unit]
    line_counts: dict[int, int]  # lines that each term stands in
    words: frozenset[int]  # words of the question that point somewhere: not in every fifth passage
    words_needed: int  # how many of them make a passage be about the question
    overdue: tuple[str, ...] = ()  # patterns that ran out of time: nothing is known of them

    def term(self, index: int) -> Term:
        """A term by its number."""
        return self.terms.terms[index]

    @property
    def has_concept(self) -> bool:
        """True when an expert's dictionary says what the question is about."""
        return self.terms.has_concept

    def vocabulary_occurs(self) -> bool:
        """True when at least one term of the topic stands in the document."""
        return any(self.term(index).kind in TOPIC_KINDS for index in self.line_counts)


def gather(lines: Lines, query: RetrievalQuery, terms: Terms, *, language: str) -> Evidence:
    """The evidence of a question in a document, in one pass over its searched lines.

    `language` is the document's, for reading values.
    """
    hits = terms.matcher.find_in(lines.searchable)
    line_counts = _line_counts(hits)
    words, needed = _pointing_words(lines, hits, terms)
    matches = _matches_by_block(lines, hits, terms, query.hints.detection_context)
    units = _units(lines, terms, matches)
    strong = _strong(terms)
    has_concept = any(term.kind == "concept" for term in terms.terms)
    for unit in units.values():
        unit.titled = _is_titled(lines, terms, unit, strong, frozenset() if has_concept else words, needed)
        unit.is_contents = is_contents_line(lines.block_text(unit.block))
    by_strength = sorted(units.values(), key=lambda unit: (*_weakness(terms, unit), unit.block))
    mark_values(lines, query.answer_type, language, by_strength)
    overdue = tuple(terms.terms[index].text for index in hits.overdue)
    return Evidence(terms, units, line_counts, words, needed, overdue)


def _weakness(terms: Terms, unit: Unit) -> tuple[bool, int, int]:
    """Sorts passages with most proof of the topic first: titled, then terms that prove it, then any."""
    found = {match.term for match in (*unit.own, *unit.over)}
    return not unit.titled, -len(found & terms.proving), -len(found)


def _line_counts(hits: TermHits) -> dict[int, int]:
    pairs = np.unique(np.stack((hits.term_index, hits.text_index), axis=1), axis=0)
    found, counts = np.unique(pairs[:, 0], return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def _pointing_words(lines: Lines, hits: TermHits, terms: Terms) -> tuple[frozenset[int], int]:
    """The question's own words that tell passages apart, and how many of them a passage must hold.

    One or two words: all of them; more: half, at most four. Words that the document never uses count too: a passage
    that lacks the rare word of a question is not about it. Phrases made of the words are not counted beside them.
    """
    own = [index for index, term in enumerate(terms.terms) if term.kind == "word"]
    if not own:
        return frozenset(), 0
    blocks = lines.block_of[hits.text_index]
    pairs = np.unique(np.stack((hits.term_index, blocks), axis=1), axis=0) if len(blocks) else np.empty((0, 2), int)
    counts = np.bincount(pairs[:, 0].astype(np.int64), minlength=len(terms.terms))
    limit = COMMON_SHARE * lines.block_count if lines.block_count >= COMMON_MIN_BLOCKS else math.inf
    chosen = [index for index in own if counts[index] <= limit] or own
    count = len(chosen)
    needed = count if count <= 2 else min(max(2, math.ceil(count / 2)), MAX_WORDS_NEEDED)
    return frozenset(chosen), needed


def _matches_by_block(lines: Lines, hits: TermHits, terms: Terms, near: DetectionContext) -> dict[int, list[Match]]:
    """Matches of each block in order; a topic term inside a longer distractor or neighbour is none of the topic.

    `near` is within what words must stand together: it tells what the `place` of a match counts.
    """
    searched, block_of, offsets = lines.searched_list, lines.block_list, lines.offsets_in_block
    rows: dict[int, list[_Row]] = defaultdict(list)
    columns = (hits.text_index, hits.end_text_index, hits.term_index, hits.start, hits.end, hits.approximate)
    for row in zip(*(column.tolist() for column in columns), strict=True):
        rows[block_of[row[0]]].append(row)
    beside, own = terms.of_kind("distractor", "neighbour"), terms.of_kind("concept", "expansion")
    telling = terms.of_kind("concept", "exact", "expansion")
    found: dict[int, list[Match]] = {}
    for block, block_rows in rows.items():
        others = [row for row in block_rows if row[2] in beside] if beside else ()
        text = lines.block_text(block)
        starts = sentence_starts(text) if near == "sentence" else ()
        matches = []
        for first, last, term, start, end, approximate in block_rows:
            if (
                others
                and term in own
                and any((row[0], row[3]) <= (first, start) and (last, end) <= (row[1], row[4]) for row in others)
            ):
                continue
            place = searched[first] if near == "line" else 0
            if starts:
                place = bisect_right(starts, offsets[first] + start)
            if term in telling:
                span = offsets[first] + start, offsets[last] + end
                about = is_definition(text, *span), is_reference(text, *span)
                matches.append(Match(term, searched[first], searched[last], *about, place, approximate))
            else:
                matches.append(Match(term, searched[first], searched[last], False, False, place, approximate))
        found[block] = matches
    return found


def _units(lines: Lines, terms: Terms, matches: dict[int, list[Match]]) -> dict[int, Unit]:
    """The units of all blocks with a match; matches of a heading go to the text under it."""
    units: dict[int, Unit] = {}
    titles, values = terms.of_kind(*sorted(TOPIC_KINDS), "title"), terms.of_kind("value")
    for block in sorted(matches):
        found = matches[block]
        if lines.is_heading[block] and any(match.term in titles for match in found):
            body = body_of(lines, block)
            units.setdefault(body, Unit(body, headings_of(lines, body)))
        elif not lines.is_heading[block] and any(match.term not in values for match in found):
            units.setdefault(block, Unit(block, headings_of(lines, block)))
    columns = [term.kind for term in terms.terms]
    for block, unit in units.items():
        for match in matches.get(block, ()):
            _column(unit, columns[match.term]).append(match)
        for heading in unit.headings:
            unit.over.extend(match for match in matches.get(heading, ()) if match.term in titles)
    return {block: units[block] for block in sorted(units)}


def _column(unit: Unit, kind: str) -> list[Match]:
    if kind == "distractor":
        return unit.distractors
    if kind == "neighbour":
        return unit.neighbours
    if kind in ("asked", "asked_phrase"):
        return unit.asked
    return unit.value_words if kind == "value" else unit.own


def body_of(lines: Lines, heading: int) -> int:
    """The first block of text under a heading; the heading itself when another or nothing follows."""
    block = heading + 1
    while block < lines.block_count and lines.is_heading[block] and block - heading <= 1:
        block += 1
    if block < lines.block_count and not lines.is_heading[block] and heading in headings_of(lines, block):
        return block
    return heading


def headings_of(lines: Lines, block: int) -> tuple[int, ...]:
    """The heading over a block and the one directly over that."""
    over = lines.heading_over[block]
    if over is None:
        return ()
    second = lines.heading_over[over]
    return (over,) if second is None else (over, second)


def _strong(terms: Terms) -> frozenset[int]:
    """Titles of the topic and terms that prove it, words of the question aside."""
    return frozenset(
        index
        for index, term in enumerate(terms.terms)
        if term.kind == "title" or (proves_topic(term) and term.kind not in ("word", "phrase"))
    )


def _is_titled(
    lines: Lines, terms: Terms, unit: Unit, strong: frozenset[int], words: frozenset[int], needed: int
) -> bool:
    """True when a title of the topic, one of its terms, or enough words of the question make up a heading above."""
    for heading in unit.headings if unit.over else ():
        found = [match for match in unit.over if lines.block_at(match.first) == heading]
        letters = sum(1 for character in lines.block_text(heading) if character.isalpha())
        covered = max((len(terms.terms[match.term].text) for match in found if match.term in strong), default=0)
        if covered >= TITLE_SHARE * letters:
            return True
        distinct = {match.term for match in found} & words
        size = sum(len(terms.terms[index].text) for index in distinct)
        if needed and len(distinct) >= needed and size >= TITLE_SHARE * letters:
            return True
    lead = lead_of(lines.block_text(unit.block))
    if not lead:
        return False
    first = lines.block_positions(unit.block)[0]
    return any(
        match.first == first
        and match.term in strong
        and len(terms.terms[match.term].text) >= TITLE_SHARE * len(lead)
        and lead_holds(lead, terms.terms[match.term].text)
        for match in unit.own
    )


def lead_holds(lead: str, term: str) -> bool:
    """True when a run-in heading names a term, letter case aside."""
    return term.casefold().rstrip("*") in lead.casefold()
