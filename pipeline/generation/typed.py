"""Amounts, dates, durations, percentages and codes: the value that stands with what was asked about.

The first of `place_values` is given; what another sentence states differently on the same point is given with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dictionaries.folding import folded_text
from pipeline.generation.limits import tell_only_others
from pipeline.generation.marks_asked import telling_words
from pipeline.generation.passages import Passage
from pipeline.generation.placing import Placed, place_values, propose
from pipeline.generation.polarity import exceptions_of
from pipeline.generation.proposal import Draft
from pipeline.generation.relation import doubts_of, why_unrelated
from pipeline.generation.rows import Row
from pipeline.generation.senses import asks_notice, speaks_of_notice
from pipeline.generation.topic import Topic
from pipeline.values import same_value
from pipeline.wording import tell_line
from schemas.answer import Amount, DateValue, Duration, Value

MAX_DIFFERING = 8  # differing values that are still a conflict; more of them are a schedule of values
TERM_IN_SENTENCE = 3  # of Placed.topic
MAX_OTHERS = 4  # further values named in a caveat
UNMATCHED_WORDS = 3  # words asked for beyond the concept, none of them near a value: it is the value of something else
CONDITION_REACH = 2  # sentences after a value that may state another one under a condition
ATTACHED_CHARACTERS = 120  # between a value and its term: about one clause
OPENING_REACH = 400  # characters before a length in which its list may be opened: 'The notice period is: (a) ...'
MAX_STATING = 900  # characters of a sentence that states one thing
_DOCUMENT = re.compile(
    r"\b(?:agreement|contract|lease|licen[cs]e|term|contrato|acuerdo|vigencia|contrat|accord|duree)\b"
)
_JOINED = re.compile(r"\s*(?:-|to|or|and|a|o|y|ou|et|\(|[$€£])?\s*")


def pick_values(
    passages: Sequence[Passage],
    topic: Topic,
    answer_type: str,
    *,
    headers: Sequence[Row] = (),
    only_stated: bool = False,
) -> Draft:
    """The value that answers, first; others on the same point that differ from it; empty when there is none.

    Empty with a caveat where a value was found that is not the one asked for. `only_stated` keeps values that a primary
    passage states of the topic itself, close to its term and without a condition: no notice, deadline or neighbour.
    """
    every = place_values(passages, topic, answer_type, headers=headers)
    placed = [one for one in every if not one.missed]
    if asks_notice(topic.brief.question) and any(isinstance(one.value, Duration) for one in placed):
        notices = [one for one in placed if one.sense == "notice"]  # how long a thing lasts is no notice
        placed = notices or [one for one in placed if speaks_of_notice(one.passage.text[: one.end][-OPENING_REACH:])]
        if not placed:
            return Draft((), caveats=("The passages state no period of notice.",))
    elsewhere = next((one for one in every if one.missed), None)
    if only_stated:
        placed = [one for one in placed if _is_stated(one)]
    reason = _why_not(placed[0], topic, answer_type, is_stated=only_stated) if placed else ""
    if reason is not None and answer_type == "amount" and not only_stated:
        share = _share_instead(passages, topic)
        if share.proposals:
            return share
    if reason is not None:
        if elsewhere is not None and _why_not(elsewhere, topic, answer_type) is None:
            reason = tell_only_others(answer_type, elsewhere.missed)
        return Draft((), caveats=(reason,) if reason else ())
    best = placed[0]
    joined = _joined_to(placed, best)
    chosen = sorted([best, *joined], key=lambda one: one.start)
    contradicting = [one for one in chosen[1:] if _is_in_bracket(one)]
    chosen = [one for one in chosen if one not in contradicting]
    differing = [*contradicting, *_differing(placed, [*chosen, *contradicting])]
    first = len(chosen)
    doubts = () if only_stated else doubts_of(best, topic)
    return Draft(
        tuple(propose(one) for one in (*chosen, *differing)),
        caveats=(*doubts, *_caveats(placed, best, [*chosen, *differing], has_contradiction=bool(contradicting))),
        differing=tuple(range(first, first + len(differing))),
        is_partial=best.is_distracted or best.passage.candidate.role == "supporting" or bool(doubts),
    )


def _share_instead(passages: Sequence[Passage], topic: Topic) -> Draft:
    """The percentage that a sum is stated as, where every word asked for stands with it: 'a fee of 1 % of the loan'."""
    shares = [one for one in place_values(passages, topic, "percentage") if not one.missed]
    if not shares or not topic.words or len(shares[0].lacking) > len(topic.words) // 3 or shares[0].bond.lacking:
        return Draft(())
    if telling_words(topic) and topic.lacks(telling_words(topic), shares[0].passage.words(shares[0].sentence)):
        return Draft(())
    draft = pick_values(passages, topic, "percentage")
    caveat = "The passages state no amount; they state a percentage."
    return replace(draft, caveats=(caveat, *draft.caveats), is_partial=True)


def _is_stated(one: Placed) -> bool:
    return (
        one.passage.candidate.role == "primary"
        and one.topic == TERM_IN_SENTENCE
        and one.sense == "length"
        and one.term is not None
        and not one.is_conditional
        and one.distance <= ATTACHED_CHARACTERS
        and _DOCUMENT.search(folded_text(one.passage.text[one.sentence.start : one.start])) is not None
    )


def _why_not(best: Placed, topic: Topic, answer_type: str, *, is_stated: bool = False) -> str | None:
    """Why the best value is none: '' for no relation to the question at all, a sentence otherwise; None to give it."""
    if topic.exact and best.exact == 0:
        return f"No {answer_type} stands with {', '.join(map(repr, topic.exact))}."
    if best.topic == 0 and best.coverage == 0 and best.exact == 0:
        return ""
    if not best.fits_sense and isinstance(best.value, DateValue):
        return f"The passages state the {best.sense} of a period, which is not the date asked for."
    unrelated = "" if is_stated else why_unrelated(best, topic, answer_type)
    if unrelated:
        return unrelated
    is_weak = best.topic < TERM_IN_SENTENCE or best.is_distracted
    is_said = len(topic.words) > 1 and not best.lacking
    if topic.has_concept and not best.exact and best.passage.candidate.role == "supporting" and is_weak and not is_said:
        return ""  # what only supports the topic answers only with a term of it in the sentence
    if not topic.has_concept and not topic.exact and 2 * best.coverage < len(topic.words):
        return ""
    if best.unmatched and len(topic.own_words) >= UNMATCHED_WORDS and not best.exact:
        words = ", ".join(repr(word) for word in best.unmatched)
        return f"No {answer_type} stands with {words}."
    return None


def _joined_to(placed: Sequence[Placed], best: Placed) -> list[Placed]:
    """Values joined to the best one: both ends of a range, or words and digits that contradict each other."""
    text = best.passage.text
    beside = sorted(
        (one for one in placed if one.passage is best.passage and one.sentence == best.sentence),
        key=lambda one: one.start,
    )
    at = beside.index(best)
    joined: list[Placed] = []
    last = best
    for one in beside[at + 1 :]:
        if not _JOINED.fullmatch(folded_text(text[last.end : one.start])):
            break
        joined.append(one)
        last = one
    last = best
    for one in reversed(beside[:at]):
        if not _JOINED.fullmatch(folded_text(text[one.end : last.start])):
            break
        joined.insert(0, one)
        last = one
    return [one for one in joined if not same_value(one.value, best.value)]


def _differing(placed: Sequence[Placed], chosen: Sequence[Placed]) -> list[Placed]:
    """Values that another sentence states on the same point: with the same term, words, sense and basis."""
    best = chosen[0]
    if best.passage.candidate.role != "primary" or (best.term is None and best.own_coverage < 2):  # two words: a topic
        return []
    given = {one.lines for one in chosen}
    differing: list[Placed] = []
    for one in placed:
        if one.lines in given or not _same_point(one, best):
            continue
        if not any(same_value(one.value, other.value) for other in (*chosen, *differing)):
            differing.append(one)
    return differing if len(differing) <= MAX_DIFFERING else []


def _same_point(one: Placed, best: Placed) -> bool:
    return (
        one.passage.candidate.role == "primary"
        and one.exact == best.exact
        and not one.is_distracted
        and not one.unmatched
        and one.topic >= best.topic
        and one.coverage >= best.coverage
        and one.sense == best.sense
        and one.is_within == best.is_within
        and one.is_conditional == best.is_conditional
        and one.term == best.term
        and {one.sentence.kind, best.sentence.kind} <= {"prose", "item"}
        and _basis(one.value) == _basis(best.value)
        and _is_attached(one)
        and _is_attached(best)
    )


def _is_attached(one: Placed) -> bool:
    return one.distance <= ATTACHED_CHARACTERS and one.sentence.end - one.sentence.start <= MAX_STATING


def _is_in_bracket(one: Placed) -> bool:
    """True for digits in brackets that were read apart from the words before them because they say something else."""
    return one.passage.text[: one.start + 1].rstrip("$€£ ").endswith("(")


def _basis(value: Value) -> str | None:
    return " ".join(value.basis.split()).casefold() if isinstance(value, Amount) and value.basis else None


def _caveats(
    placed: Sequence[Placed], best: Placed, given: Sequence[Placed], *, has_contradiction: bool
) -> tuple[str, ...]:
    caveats = []
    if has_contradiction:
        caveats.append("The words and the digits of the document contradict each other; both are given.")
    if best.is_distracted:
        caveats.append(f"The value stands nearest to words of a neighbouring topic ('{best.near}'); check it.")
    if best.is_conditional:
        caveats.append(f'The value applies under a condition: "{best.passage.words(best.sentence)}"')
    caveats += [
        f'The clause makes an exception: "{piece}"' for piece in exceptions_of(best.passage.words(best.sentence))
    ]
    return (*caveats, *_conditions(placed, given), *_others(placed, best, given))


def _conditions(placed: Sequence[Placed], given: Sequence[Placed]) -> list[str]:
    """Sentences right after the given value that state another one under a condition."""
    best = given[0]
    sentences = best.passage.sentences
    after = sentences.index(best.sentence) + 1
    following = sentences[after : after + CONDITION_REACH]
    said = [
        f'Under a condition another value applies: "{one.passage.words(one.sentence)}"'
        for one in placed
        if one.passage is best.passage
        and one.is_conditional
        and one.sentence in following
        and not any(same_value(one.value, other.value) for other in given)
    ]
    return list(dict.fromkeys(said))


def _others(placed: Sequence[Placed], best: Placed, given: Sequence[Placed]) -> list[str]:
    """One caveat that names further values which stand with the topic as well as the given one does."""
    named: dict[tuple[int, str], str] = {}
    values = [one.value for one in given]
    for one in placed:
        if (
            one.passage.candidate.role != "primary"
            or (one.exact, one.topic) != (best.exact, best.topic)
            or one.coverage < best.coverage
            or one.is_distracted
            or one.sense != best.sense
            or not one.is_within
            or any(same_value(one.value, value) for value in values)
        ):
            continue
        ref = one.passage.lines[one.passage.line_index(one.start)]
        place = tell_line(one.passage.candidate.anchor.page_unit, ref.page_num, ref.line_num)
        named.setdefault((ref.line_id, one.words), f"'{one.words}' on {place}")
    shown = list(named.values())[:MAX_OTHERS]
    more = f" and {len(named) - len(shown)} more" if len(named) > len(shown) else ""
    return [f"Other values stand with the same words: {'; '.join(shown)}{more}."] if shown else []
