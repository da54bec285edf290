"""Amounts, dates, durations, percentages and codes: the value that stands with what was asked about.

Every value of the type in the handed passages is placed: which words of the question and terms of the expert stand in
its sentence, which of them is nearest, and under which heading. They are ordered by the reasons of `Placed.order`, one
after the other; nothing is added up. A value whose nearest term is excluded ('not the deductible') is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dictionaries.folding import folded_text
from pipeline.generation.passages import Passage, Sentence
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.rows import row_values
from pipeline.generation.topic import TermPlace, Topic, nearest
from pipeline.values import find_values, same_value
from schemas.answer import Amount, Duration, Value

Sense = Literal["length", "notice", "deadline"]

CONDITION = re.compile(
    r"^[\W\d]*(?:where|if|in (?:the )?(?:case|event)|when|should|however|si|cuando|en caso|lorsque|en cas|dans le cas)\b"
)
_LISTED_SEPARATELY = 8  # differing values that are still a conflict; more of them are a schedule of values
_DEADLINE_BEFORE = re.compile(
    r"\b(?:within|no(?:t)? (?:later|less|fewer|more) than|at least|at latest|upon|dentro de(?: los| las)?|en el plazo(?: maximo)? de|al menos|a mas tardar"
    r"|dans (?:les|un delai(?: maximum)? de)|au (?:moins|plus tard))(?:[\w\s,]{0,12})\s*$"
)
_DEADLINE_AFTER = re.compile(
    r"^\W{0,3}(?:\(?s\)?\W)?(?:before|prior to|after|following|from (?:the )?(?:date|receipt)|of (?:the |its |such )?(?:receipt|date|invoice|notice|end|becoming)"
    r"|antes|despues|desde|a partir|siguientes|avant|apres|suivant|a compter)\b"
)
_NOTICE = re.compile(r"^\W{0,3}(?:[\w,]+\W+){0,3}?(?:notice|preaviso|antelacion|notificacion|preavis)\b")
_NOTICE_ASKED = re.compile(r"\b(?:notice|preaviso|antelacion|preavis|in advance)\b")
_DEADLINE_ASKED = re.compile(
    r"\b(?:within|deadline|due|when|how soon|how quickly|how fast|time limit|plazo|dentro|cuando|vence|delai|quand|echeance)\b"
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A value with where and beside what it stands."""

    value: Value
    passage: Passage
    sentence: Sentence
    start: int
    end: int
    header: tuple[int, int] | None
    exact: int
    topic: int
    is_distracted: bool
    coverage: int
    sense: Sense
    fits_sense: bool
    is_conditional: bool
    distance: int
    term: str | None
    near: str | None

    @property
    def order(self) -> tuple[int, ...]:
        """Why one value comes before another: exact tokens of the question, the expert's terms, its words, the
        arbiter's order, and last the distance to the nearest term.
        """
        return (
            self.passage.candidate.role != "primary",
            -self.exact,
            self.is_distracted,
            -self.topic,
            -self.coverage,
            not self.fits_sense,
            self.is_conditional,
            self.passage.rank,
            self.distance,
            self.start,
        )


def pick_values(passages: Sequence[Passage], topic: Topic, answer_type: str) -> Draft:
    """The value that answers, first; others on the same point that differ from it; empty when there is none."""
    placed = place_values(passages, topic, answer_type)
    if not placed:
        return Draft(())
    best = placed[0]
    if topic.exact and best.exact == 0:
        return Draft((), caveats=(f"No {answer_type} stands with {', '.join(map(repr, topic.exact))}.",))
    if best.topic == 0 and best.coverage == 0 and best.exact == 0:
        return Draft(())
    joined = _same_sentence(placed, best)
    contradicting = [one for one in joined if _is_in_bracket(one)]
    chosen = [best, *(one for one in joined if not _is_in_bracket(one))]
    differing = [*contradicting, *_differing(placed, [*chosen, *contradicting], topic)]
    caveats = list(_conditions(placed, [*chosen, *differing]))
    if contradicting:
        caveats.append("The words and the digits of the document contradict each other; both are given.")
    if best.is_distracted:
        caveats.append(
            f"The value stands nearest to words of a neighbouring topic ('{best.near}'); check that it is meant."
        )
    first = len(chosen)
    return Draft(
        tuple(propose(one) for one in (*chosen, *differing)),
        caveats=tuple(caveats),
        differing=tuple(range(first, first + len(differing))),
        is_partial=best.is_distracted,
    )


def place_values(passages: Sequence[Passage], topic: Topic, answer_type: str) -> list[Placed]:
    """Every value of the type in the passages, best first, each line's value once."""
    placed: dict[tuple[int, int, str], Placed] = {}
    for passage in passages:
        for sentence in passage.sentences:
            for one in _place(passage, sentence, topic, answer_type):
                first, last = passage.line_range(one.start, one.end)
                key = first, last, passage.text[one.start : one.end]
                if key not in placed or one.order < placed[key].order:
                    placed[key] = one
    return sorted(placed.values(), key=lambda one: one.order)


def propose(one: Placed, *, label: str | None = None) -> Proposal:
    """The value with the lines of its sentence; of a table row also the line of its column header."""
    spans = [ProposedSpan(one.passage.candidate.candidate_id, *_cited(one))]
    if one.header is not None:
        spans.append(ProposedSpan(one.passage.candidate.candidate_id, *one.passage.line_range(*one.header)))
    words = str(getattr(one.value, "original", getattr(one.value, "text", "")))
    return Proposal(one.value, tuple(spans), words, "rules", "verbatim", label)


def sense_of(before: str, after: str) -> Sense:
    """What a duration is: the notice that is given, the time in which something is due, or how long something lasts."""
    before, after = folded_text(before), folded_text(after)
    if _NOTICE.match(after):
        return "notice"
    return "deadline" if _DEADLINE_BEFORE.search(before) or _DEADLINE_AFTER.match(after) else "length"


def _place(passage: Passage, sentence: Sentence, topic: Topic, answer_type: str) -> list[Placed]:
    text = passage.text[sentence.start : sentence.end]
    language = topic.brief.language
    found = [(each.start, each.end, each.value, None) for each in find_values(text, answer_type, language=language)]
    if not found and sentence.kind == "row":
        found = row_values(passage, sentence, answer_type, language)
    if not found:
        return []
    places = topic.places(text)
    own = [place for place in places if place.sense in ("topic", "secondary")]
    heading_places = topic.places(sentence.heading)
    above = _sentence_above(passage, sentence)
    if any(place.sense == "topic" for place in places):
        rank = 3
    elif any(place.sense == "topic" for place in (*heading_places, *topic.places(above))):
        rank = 2
    else:
        rank = 1 if own or heading_places else 0
    coverage = topic.coverage(text, sentence.heading, above if not topic.has_concept else "")
    exact = topic.exact_count(text) * 2 or topic.exact_count(above, sentence.heading)
    placed = []
    for start, end, value, header in found:
        near = nearest(places, start, end)
        if near is not None and near.sense == "excluded":
            continue
        sense = sense_of(text[max(0, start - 60) : start], text[end : end + 60])
        placed.append(
            Placed(
                value=value,
                passage=passage,
                sentence=sentence,
                start=sentence.start + start,
                end=sentence.start + end,
                header=header,
                exact=exact,
                topic=rank,
                is_distracted=near is not None and near.sense == "distractor",
                coverage=coverage,
                sense=sense,
                fits_sense=_fits_sense(sense, value, topic),
                is_conditional=CONDITION.match(folded_text(text)) is not None,
                distance=_distance(nearest(own, start, end), start, end, len(text)),
                near=near.term if near is not None else None,
                term=near.term if near is not None and near.sense == "topic" else None,
            )
        )
    return placed


def _sentence_above(passage: Passage, sentence: Sentence) -> str:
    """The sentence before one under the same heading; a value often follows the sentence that names its subject."""
    index = passage.sentences.index(sentence)
    if index == 0:
        return ""
    above = passage.sentences[index - 1]
    return "" if above.kind == "heading" or sentence.kind == "row" else passage.text[above.start : above.end]


def _fits_sense(sense: Sense, value: Value, topic: Topic) -> bool:
    if not isinstance(value, Duration):
        return True
    question = folded_text(topic.brief.original_question)
    if _NOTICE_ASKED.search(question):
        return sense == "notice"
    return sense == "deadline" if _DEADLINE_ASKED.search(question) else sense == "length"


def _distance(place: TermPlace | None, start: int, end: int, length: int) -> int:
    if place is None:
        return length
    return max(start - place.end, place.start - end, 0)


def _cited(one: Placed) -> tuple[int, int]:
    return one.passage.line_range(one.sentence.start, one.sentence.end)


def _same_sentence(placed: Sequence[Placed], best: Placed) -> list[Placed]:
    """Values joined to the best one: both ends of a range, or words and digits that contradict each other."""
    text = best.passage.text
    joined = []
    last = best
    for one in sorted(placed, key=lambda one: one.start):
        if one.passage is not best.passage or one.sentence != best.sentence or one.start <= best.start:
            continue
        between = folded_text(text[last.end : one.start])
        if not re.fullmatch(r"\s*(?:-|to|or|and|a|o|y|ou|et|\()?\s*", between):
            break
        joined.append(one)
        last = one
    for one in sorted(placed, key=lambda one: -one.start):
        if one.passage is best.passage and one.sentence == best.sentence and one.end <= best.start:
            between = folded_text(text[one.end : best.start])
            if re.fullmatch(r"\s*(?:-|to|or|and|a|o|y|ou|et|\()\s*", between):
                joined.insert(0, one)
            break
    return [one for one in joined if not same_value(one.value, best.value)]


def _differing(placed: Sequence[Placed], chosen: Sequence[Placed], topic: Topic) -> list[Placed]:
    """Values that another sentence states on the same point: with the same term, words, sense and basis."""
    best = chosen[0]
    if best.passage.candidate.role != "primary" or (best.term is None and best.coverage < 2):  # two words: a topic
        return []
    differing: list[Placed] = []
    for one in placed:
        if (
            one.sentence != best.sentence
            and _same_point(one, best)
            and not _overlaps(one, chosen)
            and not any(same_value(one.value, other.value) for other in (*chosen, *differing))
        ):
            differing.append(one)
    return differing if len(differing) <= _LISTED_SEPARATELY else []


def _same_point(one: Placed, best: Placed) -> bool:
    return (
        one.passage.candidate.role == "primary"
        and one.exact == best.exact
        and not one.is_distracted
        and one.topic >= best.topic
        and one.coverage >= best.coverage
        and one.sense == best.sense
        and one.is_conditional == best.is_conditional
        and one.term == best.term
        and one.sentence.kind in ("prose", "item")
        and best.sentence.kind in ("prose", "item")
        and _basis(one.value) == _basis(best.value)
        and _attached(one)
        and _attached(best)
    )


def _attached(one: Placed) -> bool:
    """True when only few words stand between the value and the term, and no clause begins there."""
    text = one.passage.text[one.sentence.start : one.sentence.end]
    return one.distance <= 120 and len(text) <= 900  # characters: one clause, and a sentence that states one thing


def _is_in_bracket(one: Placed) -> bool:
    """True for digits in brackets that were read apart from the words before them because they say something else."""
    return one.passage.text[: one.start + 1].rstrip("$€£ ").endswith("(")


def _basis(value: Value) -> str | None:
    return " ".join(value.basis.split()).casefold() if isinstance(value, Amount) and value.basis else None


def _overlaps(one: Placed, chosen: Sequence[Placed]) -> bool:
    lines = _cited(one)
    return any(_cited(other) == lines for other in chosen)


def _conditions(placed: Sequence[Placed], given: Sequence[Placed]) -> tuple[str, ...]:
    """Sentences right after the given value that state another one under a condition."""
    best = given[0]
    sentences = best.passage.sentences
    after = sentences.index(best.sentence) + 1
    said = []
    for one in placed:
        if (
            one.passage is best.passage
            and one.is_conditional
            and one.sentence in sentences[after : after + 2]
            and not any(same_value(one.value, other.value) for other in given)
        ):
            words = one.passage.words(one.sentence)
            said.append(f'Under a condition another value applies: "{words}"')
    return tuple(dict.fromkeys(said))
