"""Whether a value belongs to what was asked, beyond standing near it: why it is none, and what a reader must doubt."""

from __future__ import annotations

import re
from decimal import Decimal

from dictionaries.folding import folded_text
from pipeline.generation.marks_asked import Asked, times_of
from pipeline.generation.placing import Placed
from pipeline.generation.roles_of_values import choice_of
from pipeline.generation.topic import Topic
from pipeline.wording import tell_line
from schemas.answer import Amount, Duration

TERM_IN_SENTENCE = 3  # of Placed.topic
_LENGTH_ASKED = re.compile(
    r"\b(?:how long|period|duration|term|cuanto (?:tiempo )?dura|plazo|duracion|vigencia|combien de temps|duree)\b"
)
_LENGTH_SAID = re.compile(
    r"\b(?:period|term|duration|last|lasts|remains?|continues?|survives?|valid|plazo|periodo|duracion|vigencia|dura|durara|duree|periode|delai)\b"
)


def why_unrelated(best: Placed, topic: Topic, answer_type: str) -> str:
    """Why the best value is not the one asked for, with the value named; '' where nothing says so."""
    nearest = f"the nearest, {_named(best)}"
    if best.misfit:
        return f"No {answer_type} answers the question: {nearest}, is {best.misfit}."
    if best.exact:
        return ""
    if best.bond.contrary:
        return f"No {answer_type} stands with what was asked: {nearest}, stands with '{best.bond.contrary}'."
    names = _names_asked(topic, best.unmatched)
    if names:
        return f"No {answer_type} stands with {_quoted(names)}; {nearest}, stands with the topic alone."
    is_proven = best.topic >= TERM_IN_SENTENCE and not best.unmatched
    if topic.words and len(best.lacking) == len(topic.words) and not is_proven:
        return f"No {answer_type} stands with {_quoted(best.lacking)}; {nearest}, stands with none of these words."
    if best.is_loose:
        return f"No {answer_type} stands with {_quoted(best.lacking)}; {nearest}, does not stand with the topic."
    return ""


def doubts_of(best: Placed, topic: Topic) -> tuple[str, ...]:
    """What makes an answer with the value less than whole, a sentence each; empty where nothing does."""
    asked = Asked(topic)
    said: list[str] = []
    sentence = best.passage.words(best.sentence)
    text = best.passage.text[best.sentence.start : best.sentence.end]
    choice = choice_of(text, best.start - best.sentence.start, best.end - best.sentence.start)
    if choice:
        said.append(f"A comparison decides between several, and the value is one of them: '{choice.rstrip('.')}'.")
    if best.unmatched:
        said.append(f"The value stands with the topic, and not with {_quoted(best.unmatched)}; check that it is meant.")
    if best.bond.lacking:
        said.append(f"In its sentence {_quoted(best.bond.lacking)} stands with another value; check which is meant.")
    said += _other_period(best, asked)
    question = folded_text(topic.brief.question)
    if (
        isinstance(best.value, Duration)
        and best.sense == "deadline"
        and not best.fits_sense
        and _LENGTH_ASKED.search(question)
        and not _LENGTH_SAID.search(folded_text(f"{sentence} {best.sentence.heading}"))
    ):
        said.append("The passage says when something is due, and not how long it lasts; check that it is meant.")
    return tuple(said)


def _names_asked(topic: Topic, words: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the words that the question writes as names, with a capital inside it: 'the Deploy milestone'."""
    written = re.findall(r"[^\W\d_]+", topic.brief.question)[1:]
    lower = [word for word in written if word[:1].islower()]
    names = {folded_text(word) for word in written if word[:1].isupper() and len(word) > 1}
    filters = topic.brief.filters  # whose parties and places are held against the passage elsewhere
    limits = " ".join((*filters.parties, *filters.jurisdictions, *topic.brief.limits))
    names -= set(re.findall(r"[^\W\d_]+", folded_text(limits)))
    return tuple(word for word in words if word in names) if len(lower) > len(names) else ()


def _other_period(best: Placed, asked: Asked) -> list[str]:
    stated = best.bond.other_period
    if not stated or not isinstance(best.value, Amount):
        return []
    wanted = min(asked.periods)
    times = times_of(wanted, stated)
    told = f"The question asks for what it is per {wanted}; the document states it per {stated}"
    if times is None:
        return [f"{told}, and the one is no exact part of the other."]
    product = best.value.value * times
    sum_ = f"{best.value.currency or ''} {_plain(product)}".strip()
    if product != round(product, 2):
        return [f"{told}."]
    return [f"{told}; {_plain(best.value.value)} x {_plain(times)} = {sum_} per {wanted}, if it is due each {stated}."]


def _plain(number: Decimal) -> str:
    whole = number.normalize()
    return f"{whole:,f}"


def _quoted(words: tuple[str, ...]) -> str:
    return ", ".join(repr(word) for word in words)


def _named(one: Placed) -> str:
    ref = one.passage.lines[one.passage.line_index(one.start)]
    return f"'{one.words}' on {tell_line(one.passage.candidate.anchor.page_unit, ref.page_num, ref.line_num)}"
