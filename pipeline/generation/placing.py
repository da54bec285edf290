"""Every value of a type in the handed passages, with where and beside what it stands, in an order one can defend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
from pipeline.generation.binding import Bond, bond_of, is_part_of, parts_of
from pipeline.generation.limits import missed_by
from pipeline.generation.marks_asked import Asked, telling_words
from pipeline.generation.passages import Passage, Sentence
from pipeline.generation.proposal import Proposal, ProposedSpan
from pipeline.generation.roles_of_values import is_denied, misfit_of
from pipeline.generation.rows import Row, row_values
from pipeline.generation.scope import is_within
from pipeline.generation.senses import CONDITION, Sense, fits_question, sense_of, unit_asked
from pipeline.generation.topic import TermPlace, Topic, nearest
from pipeline.values import find_values, same_value
from schemas.answer import Count, Duration, Value
from schemas.retrieval import MissedLimit

SEVERAL_WORDS = 3  # words asked for beyond the concept from which a share of them counts
RANK = -3  # of Placed.order: the arbiter's order, then distance and place
LACKING_SHARE = (2, 3)  # of them, missing near a value: the value is of something else


@dataclass(frozen=True, slots=True)
class Placed:
    """A value with where and beside what it stands.

    `topic`: 3 a term that proves the concept stands in its sentence, 2 in the heading or the sentence above, 1 a word
    that only goes with it, 0 none. `coverage` counts the question's words in sentence and headings, `own_coverage` in
    the sentence alone. `missed` are limits of the question that its sentence does not meet, `unmatched` the words asked
    for beyond the concept, where all or most are not near, `lacking` all words asked for that are not. `is_loose`: no
    term of a known concept stands near, nor every word asked for beside it. `bond` tells it from the other values of
    its sentence; `misfit` says what it does instead of answering, if anything.
    """

    value: Value
    passage: Passage
    sentence: Sentence
    start: int
    end: int
    header: ProposedSpan | None
    exact: int
    topic: int
    is_distracted: bool
    coverage: int
    own_coverage: int
    unmatched: tuple[str, ...]
    lacking: tuple[str, ...]
    is_loose: bool
    bond: Bond
    is_other_unit: bool
    misfit: str
    sense: Sense
    fits_sense: bool
    is_within: bool
    is_conditional: bool
    missed: tuple[MissedLimit, ...]
    distance: int
    term: str | None
    near: str | None

    @property
    def order(self) -> tuple[int, ...]:
        """The reasons why one value comes before another, the first that differs decides.

        What speaks against it, role, exact tokens of the question, neighbouring topic, kind of duration, the expert's
        terms, the dates that the question allows, words of the question, condition, prose before tables, what its part
        of the sentence says, the unit asked for, the arbiter's order, distance to the nearest term.
        """
        return (
            bool(self.misfit or self.bond.contrary or self.is_loose),
            self.passage.candidate.role != "primary",
            -self.exact,
            len(self.unmatched) > 0,
            self.is_distracted,
            not self.fits_sense,
            -self.topic,
            not self.is_within,
            -self.coverage,
            self.is_conditional,
            self.sentence.kind == "row",
            -self.bond.weight,
            self.is_other_unit,
            self.passage.rank,
            self.distance,
            self.start,
        )

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line of its sentence."""
        return self.passage.line_range(self.sentence.start, self.sentence.end)

    @property
    def words(self) -> str:
        """The value as the document writes it, on one line."""
        return " ".join(self.passage.text[self.start : self.end].split())


def place_values(
    passages: Sequence[Passage], topic: Topic, answer_type: str, *, headers: Sequence[Row] = ()
) -> list[Placed]:
    """Every value of the type in the passages, best first, each line's value once; excluded ones are left out.

    `headers` are rows of all passages in which the header of a table row is looked for.
    """
    placed: dict[tuple[int, int, str], Placed] = {}
    for passage in passages:
        for sentence in passage.sentences:
            for one in _place(passage, sentence, topic, answer_type, headers):
                first, last = passage.line_range(one.start, one.end)
                key = first, last, passage.text[one.start : one.end]
                if key not in placed or _nearest(one) < _nearest(placed[key]):
                    placed[key] = one
    return sorted(placed.values(), key=lambda one: one.order)


def _nearest(one: Placed) -> tuple[int, ...]:
    """The order among the contexts that hold the same place: of equal ones the passage that was found for it."""
    is_anchored = one.lines[0] in one.passage.candidate.anchor_line_ids
    return (*one.order[:RANK], not is_anchored, *one.order[RANK:])


def propose(one: Placed, *, label: str | None = None) -> Proposal:
    """The value with the lines of its sentence; of a table row also the line of its column header."""
    spans = [ProposedSpan(one.passage.candidate.candidate_id, *one.lines)]
    if one.header is not None:
        spans.append(one.header)
    words = str(getattr(one.value, "original", getattr(one.value, "text", "")))
    return Proposal(one.value, tuple(spans), words, "rules", "verbatim", label)


def _place(
    passage: Passage, sentence: Sentence, topic: Topic, answer_type: str, headers: Sequence[Row]
) -> list[Placed]:
    text = passage.text[sentence.start : sentence.end]
    language = topic.brief.language
    found: list[tuple[int, int, Value, ProposedSpan | None]] = [
        (each.start, each.end, each.value, None) for each in find_values(text, answer_type, language=language)
    ]
    if not found and answer_type == "amount":
        found = row_values(passage, sentence, headers, topic)
    if not found:
        return []
    missed = missed_by(passage, sentence, topic)
    asked = Asked(topic)
    parts = parts_of(text, [(start, end) for start, end, _, _ in found]) if sentence.kind != "row" else []
    surroundings = _Surroundings.of(passage, sentence, text, topic)
    placed = []
    for number, (start, end, value, header) in enumerate(found):
        near = nearest(surroundings.places, start, end)
        if near is not None and near.sense == "excluded":
            continue
        if isinstance(value, Count) and not _counts_what_is_asked(value, topic):
            continue
        if is_denied(text[:start]) or any(same_value(value, given) for given in asked.values):
            continue
        sense = sense_of(text[max(0, start - 90) : start], text[end : end + 60], value)
        own = [place for place in surroundings.places if place.sense in ("topic", "secondary")]
        placed.append(
            Placed(
                value=value,
                passage=passage,
                sentence=sentence,
                start=sentence.start + start,
                end=sentence.start + end,
                header=header,
                exact=surroundings.exact,
                topic=surroundings.topic,
                is_distracted=near is not None and near.sense == "distractor" and not surroundings.is_headed,
                coverage=surroundings.coverage,
                own_coverage=surroundings.own_coverage,
                unmatched=surroundings.unmatched,
                lacking=surroundings.lacking,
                is_loose=surroundings.is_loose,
                bond=bond_of(parts[number], value, topic, asked) if parts else Bond(),
                is_other_unit=isinstance(value, Duration)
                and unit_asked(topic.brief.question) not in (None, value.unit),
                misfit=misfit_of(text[:start], text[end:], value, topic.brief.question, heading=sentence.heading),
                sense=sense,
                fits_sense=fits_question(sense, value, topic.brief.question),
                is_within=is_within(value, topic.brief.filters.date_range),
                missed=missed,
                is_conditional=CONDITION.match(folded_text(text)) is not None,
                distance=_distance(nearest(own, start, end), start, end, len(text)),
                term=near.term if near is not None and near.sense == "topic" else None,
                near=near.term if near is not None else None,
            )
        )
    return placed


def _counts_what_is_asked(value: Count, topic: Topic) -> bool:
    """True when what is counted is a word of the question or of its topic: 'how many users' asks for no stores."""
    asked = len(topic.lacks(topic.words, value.of)) < len(topic.words)
    tokens = folded_text(value.of).split()
    if any(is_part_of(word, token) for word in topic.words for token in tokens):
        return False
    return asked or any(place.sense in ("topic", "secondary") for place in topic.places(value.of))


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What stands around all values of one sentence."""

    places: tuple[TermPlace, ...]
    topic: int
    is_headed: bool
    exact: int
    coverage: int
    own_coverage: int
    unmatched: tuple[str, ...]
    lacking: tuple[str, ...]
    is_loose: bool

    @classmethod
    def of(cls, passage: Passage, sentence: Sentence, text: str, topic: Topic) -> _Surroundings:
        places = topic.places(text)
        above = _sentence_above(passage, sentence)
        in_heading = topic.places(sentence.heading)
        is_headed = any(place.sense == "topic" for place in in_heading)
        if any(place.sense == "topic" for place in places):
            rank = 3
        elif is_headed or any(place.sense == "topic" for place in topic.places(above)):
            rank = 2
        else:
            rank = 1 if any(place.sense == "secondary" for place in (*places, *in_heading)) else 0
        own = telling_words(topic)
        lacking = topic.lacks(own, text, sentence.heading, above)
        is_else = len(lacking) == len(own) or (
            len(own) >= SEVERAL_WORDS and LACKING_SHARE[1] * len(lacking) >= LACKING_SHARE[0] * len(own)
        )
        exact = topic.exact_count(text) * 2 or topic.exact_count(above, sentence.heading)
        return cls(
            places=places,
            topic=rank,
            is_headed=is_headed,
            exact=exact,
            coverage=topic.coverage(text, sentence.heading),
            own_coverage=topic.coverage(text),
            unmatched=lacking if is_else else (),
            lacking=topic.lacks(topic.words, text, sentence.heading, above),
            is_loose=topic.has_concept and rank == 0 and not exact and bool(lacking),
        )


def _sentence_above(passage: Passage, sentence: Sentence) -> str:
    """The sentence before one under the same heading; a value often follows the sentence that names its subject."""
    index = passage.sentences.index(sentence)
    if index == 0 or sentence.kind == "row":
        return ""
    above = passage.sentences[index - 1]
    return "" if above.kind in ("heading", "row") else passage.text[above.start : above.end]


def _distance(place: TermPlace | None, start: int, end: int, length: int) -> int:
    if place is None:
        return length
    return max(start - place.end, place.start - end, 0)
