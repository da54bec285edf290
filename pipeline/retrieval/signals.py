"""What the evidence of one passage comes to: the facts that the rules of the arbiter name."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from pipeline.retrieval.evidence import Evidence, Match, Unit
from pipeline.retrieval.reasons import asks_why, gives_reason
from pipeline.retrieval.search import Search
from pipeline.retrieval.section_titles import TitleFit
from pipeline.retrieval.stated import states_in_full
from pipeline.retrieval.statements import row_of
from pipeline.retrieval.table_rows import RowNames, row_facts
from pipeline.values import VALUE_TYPES
from schemas.retrieval import MissedLimit

TERMS_TOGETHER = 3  # of 1,000 passages with one or two terms 2 in 10 held the clause sought, with three or more 6 in 10
LONG_PASSAGE = 4  # lines; in a shorter one every line is early
BESIDE_LINES = 1  # lines between a term and a value that still stand beside each other


@dataclass(frozen=True, slots=True)
class Signals:
    """The facts about one passage. Empty tuples and False mean: not so."""

    exact: tuple[str, ...] = ()  # codes, labels and quoted phrases of the question
    has_code: bool = False  # one of them is a code or a label, not only a quoted phrase
    primary_terms: tuple[str, ...] = ()  # dictionary terms that prove the topic (or a model's expansion)
    secondary_terms: tuple[str, ...] = ()  # dictionary terms that go with it
    other_terms: tuple[str, ...] = ()  # terms of the question's second and further concepts
    phrases: tuple[str, ...] = ()  # words of the question that stand there in its order
    words: tuple[str, ...] = ()  # words of the question that point somewhere
    words_needed: int = 0
    has_concept: bool = False  # an expert's dictionary says what the topic is
    word_count: int = 0
    titled: bool = False
    title_fit: TitleFit | None = None
    section_title: str | None = None
    value_wanted: bool = False  # the type of the answer has value patterns
    value_required: bool = False  # the expert says that there is no answer without one
    value_beside: bool = False
    value_inside: bool = False
    value_near: bool = False
    value_related: bool = False  # instead of a value, one of a related type: a period for a date
    value_words: tuple[str, ...] = ()
    mentions: int = 0  # how often terms that prove the topic stand in the text
    late: bool = False  # the first of them stands in the last half of a longer passage
    only_definition: bool = False
    only_reference: bool = False
    is_contents: bool = False
    heading_only: bool = False
    distractors: tuple[str, ...] = ()
    neighbours: tuple[str, ...] = ()
    pinned: bool = False
    headed: bool = False  # a heading above holds a term or a usual title of the concept
    opening: bool = False  # a day on the topic is told from the contract's own dates, which stand here
    defines: bool = False  # the document defines the term here whose meaning is asked
    outside_named_section: bool = False
    caption: bool = False
    row_names: RowNames | None = None  # a row of a table: the item that is asked, or a component of it
    row_fit: float = 0.0  # how much of the row's label that is, 0 to 1
    row_period: tuple[int, ...] = ()  # the years over its figures
    statement: str | None = None  # the primary statement that it stands in
    gives_reason: bool = False  # the question asks why, and the passage says what something comes from
    lacks_reason: bool = False  # the question asks why, and the passage is a row of figures
    similarity: float | None = None
    asked: tuple[str, ...] = ()  # all words by which the question chose its concept; empty where one is missing
    asked_phrase: tuple[str, ...] = ()  # runs of such words that stand there as the question has them
    asked_value: bool = False  # a value of the expected type stands beside them
    states: bool = False  # a sentence says by its build what the concept asks for, with a value
    misread: tuple[str, ...] = ()  # terms found only by taking a misread word of a recognised page for one of theirs
    missed: tuple[MissedLimit, ...] = ()  # limits of the question that the passage does not meet
    methods: tuple[str, ...] = ()
    patterns: tuple[tuple[str, str], ...] = ()  # an expert's pattern and what a reason calls it
    keywords: tuple[str, ...] = field(default=())  # all of the above that were found, as the question writes them

    @property
    def has_value(self) -> bool:
        """A value of the expected type stands in the passage or right next to it."""
        return self.value_beside or self.value_inside or self.value_near

    @property
    def enough_words(self) -> bool:
        """As many words of the question as a passage on it must hold; never where an expert's terms are the topic."""
        return not self.has_concept and self.words_needed > 0 and len(self.words) >= self.words_needed

    @property
    def terms_together(self) -> bool:
        """Three different terms of the topic in one passage: the terms of a passage that deals with it."""
        return len(self.primary_terms) + len(self.secondary_terms) >= TERMS_TOGETHER

    @property
    def is_incidental(self) -> bool:
        """One mention without company: a single word, or a term that a longer passage comes to only at its end."""
        if self.mentions != 1 or self.secondary_terms or self.exact or self.titled:
            return False
        return self.late or all(len(term.replace("-", " ").split()) == 1 for term in self.primary_terms)

    @property
    def on_topic(self) -> bool:
        """Something proves the topic: an exact token, a term of the expert, or enough of the question's words."""
        return bool(self.exact or self.primary_terms) or self.enough_words


def signals_of(search: Search, unit: Unit) -> Signals:
    """The facts about a passage, from its evidence and its section; counted once for all who ask."""
    if unit.facts is None:
        unit.facts = _facts_of(search, unit)
    return unit.facts


def _facts_of(search: Search, unit: Unit) -> Signals:
    evidence, lines = search.evidence, search.lines
    named = {match.term for match in unit.own}
    named.update([match.term for match in unit.over])
    found = _terms_found(evidence, unit, named)
    first = lines.line_ids[lines.searched_list[lines.block_first[unit.block]]]
    title = next((match for match in search.titles if match.start_line_id <= first <= match.end_line_id), None)
    telling, proves = evidence.terms.of_kind("concept", "exact", "expansion"), evidence.terms.proving
    topic = [match for match in unit.own if match.term in telling] if not unit.over else []
    proving = [match for match in unit.own if match.term in proves]
    value_wanted = search.query.answer_type in VALUE_TYPES
    asked, named_by = _asked_together(evidence, unit), evidence.terms.of_kind("asked")
    row, why = row_facts(search, unit), asks_why(search.query.text)
    return Signals(
        exact=found["exact"],
        primary_terms=found["primary"],
        secondary_terms=found["secondary"],
        other_terms=found["other"],
        phrases=found["phrases"],
        words=found["words"],
        has_concept=evidence.has_concept,
        words_needed=evidence.words_needed,
        word_count=len(evidence.words),
        titled=unit.titled,
        title_fit=title.fit if title else None,
        section_title=title.title if title else None,
        value_wanted=value_wanted,
        value_required=value_wanted and any(concept.value_required for concept in search.query.concepts[:1]),
        value_beside=_value_beside(evidence, unit),
        value_inside=bool(unit.value_lines),
        opening=search.followed.opens(unit.block),
        value_near=unit.near_value,
        value_related=bool(unit.related_lines),
        value_words=found["value"],
        mentions=len(proving),
        late=_is_late(search, unit, proving),
        only_definition=bool(topic) and all(match.is_definition for match in topic),
        only_reference=bool(topic) and all(match.is_reference for match in topic),
        is_contents=unit.is_contents,
        headed=bool(unit.over) and any(evidence.term(match.term).concept is not None for match in unit.over),
        heading_only=lines.is_heading[unit.block],
        distractors=found["distractors"],
        neighbours=found["neighbours"],
        outside_named_section=(title is None or title.fit != "named")
        and any(match.fit == "named" for match in search.titles),
        caption="caption" in [lines.roles[match.first] for match in unit.own],
        row_names=row.names,
        row_fit=row.fit,
        row_period=row.years,
        statement=row.statement,
        gives_reason=why and gives_reason(lines.block_text(unit.block)),
        lacks_reason=why and row_of(lines, unit.block) is not None,
        asked=tuple(dict.fromkeys(evidence.term(match.term).text for match in asked if match.term in named_by)),
        asked_phrase=tuple(evidence.term(index).text for index in sorted(_asked_phrases(evidence, unit))),
        asked_value=_beside(asked, unit.value_lines),
        states=any(states_in_full(lines, unit.block, concept.concept_id) for concept in search.query.concepts[:1]),
        keywords=_in_order(evidence, unit, named),
        misread=_misread(evidence, unit),
        patterns=_patterns(evidence, named),
    )


def _patterns(evidence: Evidence, named: set[int]) -> tuple[tuple[str, str], ...]:
    found = [index for index in evidence.terms.patterns if index in named]
    return tuple([(evidence.term(index).text, evidence.term(index).shown) for index in sorted(found)])


def _misread(evidence: Evidence, unit: Unit) -> tuple[str, ...]:
    matches = (*unit.own, *unit.over)
    guesses = [match.term for match in matches if match.is_approximate]
    if not guesses:
        return ()
    read = {match.term for match in matches if not match.is_approximate}
    return tuple(evidence.term(index).text for index in sorted(set(guesses) - read))


def _terms_found(evidence: Evidence, unit: Unit, named: set[int]) -> dict[str, tuple[str, ...]]:
    """The texts of the terms of each group, in their order; `named` are those in the text and the headings."""
    groups: dict[str, AbstractSet[int]] = {name: found & named for name, found in evidence.terms.groups.items()}
    groups["words"] = evidence.words & named
    groups["value"] = {match.term for match in unit.value_words}
    groups["distractors"] = {match.term for match in unit.distractors}
    groups["neighbours"] = {match.term for match in unit.neighbours}
    terms = evidence.terms.terms
    return {
        name: tuple([terms[index].text for index in sorted(found)]) if found else () for name, found in groups.items()
    }


def _value_beside(evidence: Evidence, unit: Unit) -> bool:
    """True when a topic term and a value share a line, or stand on lines that follow each other."""
    if not unit.value_lines:
        return False
    titles = evidence.terms.of_kind("title")
    topic = [match for match in unit.own if match.term not in titles]
    return _beside(topic, unit.value_lines)


def _beside(matches: list[Match], values: list[tuple[int, int]]) -> bool:
    return any(
        max(value[0] - match.last, match.first - value[1]) <= BESIDE_LINES for match in matches for value in values
    )


def _asked_together(evidence: Evidence, unit: Unit) -> list[Match]:
    """The places of the words by which the question chose its concept, where all of them stand in the passage."""
    wanted = evidence.terms.of_kind("asked")
    return unit.asked if wanted and wanted <= {match.term for match in unit.asked} else []


def _asked_phrases(evidence: Evidence, unit: Unit) -> set[int]:
    return {match.term for match in unit.asked} & evidence.terms.of_kind("asked_phrase")


def _is_late(search: Search, unit: Unit, proving: list[Match]) -> bool:
    """True when a longer passage comes to the topic only in its last half."""
    positions = search.lines.block_positions(unit.block)
    if len(positions) < LONG_PASSAGE or not proving:
        return False
    return min(match.first for match in proving) > positions[len(positions) // 2]


def _in_order(evidence: Evidence, unit: Unit, named: set[int]) -> tuple[str, ...]:
    terms, titles = evidence.terms.terms, evidence.terms.of_kind("title")
    indices = named.union([match.term for match in unit.value_words]) - titles
    return tuple(dict.fromkeys([terms[index].text for index in sorted(indices)]))
