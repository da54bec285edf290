"""What a question of a collection wants: how it counts, what must hold, and what it is about; by rules alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal, cast

from pipeline.batch.collection.thresholds import Figure, Kind, find_figures
from pipeline.batch.collection.vocabulary import Phrase, Word, is_listed, phrase_at, words_in
from schemas.errors import InputError

Aggregate = Literal["list", "count", "earliest", "latest", "highest", "lowest", "sum", "average"]
Compared = Literal["<", "<=", ">", ">=", "between"]
TABLES = ("comparison", "aggregate", "condition", "topic", "plain")
NEAR = 3  # words between the two parts of one negation: "ne sont pas"
_AFTER_FIGURE = ("or more", "o mas", "ou plus")
_NAMED = re.compile(r"\[([^\[\]]{1,200})\]")  # the id of a question of the grid
_OPERATORS: dict[str, Compared] = {
    "before": "<", "after": ">", "from": ">=", "until": "<=", "within": "between", "more": ">", "less": "<",
    "at_least": ">=", "at_most": "<=", "between": "between",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Threshold:
    """A comparison: `<` and `>=` look at `low`, `>` and `<=` at `high` (of a period, its last day), between at both."""

    operator: Compared
    kind: Kind
    low: Decimal | date
    high: Decimal | date
    unit: str | None
    words: str  # as the user put it


@dataclass(frozen=True, slots=True)
class Wish:
    """A question of a collection, read."""

    text: str
    aggregate: Aggregate
    negated: bool = False  # "without", "do not"
    threshold: Threshold | None = None
    topic: str = ""  # what it is about, in the user's words, then in those of documents
    words: tuple[Word, ...] = ()  # words of the topic in `text`, those between left out
    rewritten: tuple[tuple[str, str], ...] = field(default=())  # folded words of the user, and what they stand for
    named: str | None = None  # id of the question of the grid, where it is named in brackets


def read_wish(text: str, language: str) -> Wish:
    """What a question wants.

    Raises InputError for one that asks several things at a time, or compares with nothing that can be compared.
    """
    named = _NAMED.search(text)
    asked = _NAMED.sub(lambda one: " " * len(one[0]), text)
    words = words_in(asked)
    figures = find_figures(asked, language)
    phrases = list(_phrases(words, figures))
    aggregate = _aggregate(phrases, words, text)
    threshold, taken = _threshold(phrases, words, figures, text)
    used = {at for one in phrases if one.table in ("aggregate", "condition") for at in range(one.first, one.last + 1)}
    used |= taken
    topical = {at for one in phrases if one.table == "topic" for at in range(one.first, one.last + 1)}
    plain = {at for one in phrases if one.table in ("plain", "comparison") for at in range(one.first, one.last + 1)}
    collection = {at for one in phrases if one.name == "collection" for at in range(one.first, one.last + 1)}
    rewritten = tuple(
        (" ".join(words[at].folded for at in range(one.first, one.last + 1)), one.name)
        for one in phrases
        if one.table == "topic"
    )
    about = [at for at in range(len(words)) if at not in used and at not in plain]
    return Wish(
        text=text,
        aggregate=aggregate,
        negated=_is_negated(phrases),
        threshold=threshold,
        topic=_topic(asked, words, about, used | collection, dict.fromkeys(name for _, name in rewritten)),
        words=tuple(words[at] for at in about if at not in topical),
        rewritten=rewritten,
        named=named[1].strip() if named else None,
    )


def _phrases(words: tuple[Word, ...], figures: tuple[Figure, ...]) -> Iterator[Phrase]:
    """The phrases of the vocabulary, from left to right; words of figures are none of them."""
    at = 0
    while at < len(words):
        phrase = None
        if not any(one.start <= words[at].start < one.end for one in figures):
            phrase = phrase_at(words, at, TABLES)
            if phrase is not None and phrase.table == "comparison" and not _leads(phrase, words, figures):
                phrase = phrase_at(words, at, TABLES[1:]) or phrase
            if phrase is not None and phrase.table == "aggregate" and not _is_meant(phrase, words):
                phrase = None
        if phrase is None:
            at += 1
            continue
        yield phrase
        at = phrase.last + 1


def _leads(phrase: Phrase, words: tuple[Word, ...], figures: tuple[Figure, ...]) -> bool:
    """True for a comparison with a figure right behind it, but for articles; 'or more' has it before."""
    if " ".join(one.folded for one in words[phrase.first : phrase.last + 1]) in _AFTER_FIGURE:
        return phrase.first > 0 and any(one.start < words[phrase.first - 1].end <= one.end for one in figures)
    return _figure_behind(phrase, words, figures) is not None


def _figure_behind(phrase: Phrase, words: tuple[Word, ...], figures: tuple[Figure, ...]) -> Figure | None:
    at = phrase.last + 1
    while at < len(words) and is_listed("plain", "between", words[at].folded):
        at += 1
    start = words[at].start if at < len(words) else -1
    return next((one for one in figures if one.start <= start < one.end), None)


def _is_meant(phrase: Phrase, words: tuple[Word, ...]) -> bool:
    """False for 'first' in 'right of first refusal': such words count at the beginning or the end alone."""
    if phrase.first != phrase.last or not is_listed("aggregate", "weak", words[phrase.first].folded):
        return True
    before = all(_is_filler(one.folded) for one in words[: phrase.first])
    return before or phrase.last == len(words) - 1


def _is_filler(word: str) -> bool:
    return is_listed("plain", "between", word) or is_listed("plain", "collection", word)


def _aggregate(phrases: list[Phrase], words: tuple[Word, ...], text: str) -> Aggregate:
    names = dict.fromkeys(one.name for one in phrases if one.table == "aggregate")
    if len(names) > 1:
        told = [text[words[one.first].start : words[one.last].end] for one in phrases if one.table == "aggregate"]
        raise InputError(f"the question asks for several things at a time ({', '.join(told)}); ask one after the other")
    return cast("Aggregate", next(iter(names), "list"))


def _is_negated(phrases: list[Phrase]) -> bool:
    """True for an odd count of negations, where those that follow one another ('ne ... pas') are one."""
    absent = [one for one in phrases if one.table == "condition" and one.name == "absent"]
    pairs = zip(absent, [None, *absent], strict=False)
    return sum(before is None or one.first - before.last > NEAR for one, before in pairs) % 2 == 1


def _threshold(
    phrases: list[Phrase], words: tuple[Word, ...], figures: tuple[Figure, ...], text: str
) -> tuple[Threshold | None, set[int]]:
    """The comparison of a question, and the places of the words that it takes.

    Raises InputError where there is more than one.
    """
    if not figures:
        return None, set()
    operator: Compared = "between"  # a figure alone: equal to it, or within the period
    leading = [one for one in phrases if one.table == "comparison" and _leads(one, words, figures)]
    spans = [(one.start, one.end) for one in figures]
    low, high = figures[0], figures[0]
    if leading:
        operator = _OPERATORS[leading[0].name]
        low = high = _figure_behind(leading[0], words, figures) or figures[0]
    if leading and leading[0].name == "between" and len(figures) == 2:
        high = figures[1]
    elif len(figures) > 1 or len(leading) > 1:
        told = [text[start:end] for start, end in spans]
        raise InputError(f"the question compares with several values ({', '.join(told)}); ask one after the other")
    if low.kind != high.kind or low.unit != high.unit:
        raise InputError("the two ends of the comparison differ in kind or unit; give both in the same")
    spans += [(words[one.first].start, words[one.last].end) for one in leading]
    start, end = min(one for one, _ in spans), max(one for _, one in spans)
    taken = {at for at, word in enumerate(words) if any(a <= word.start < b for a, b in spans)}
    return Threshold(operator, low.kind, low.low, high.high, low.unit, " ".join(text[start:end].split())), taken


def _topic(text: str, words: tuple[Word, ...], about: list[int], dropped: set[int], rewritten: Iterable[str]) -> str:
    """The words that it is about with those between them, as the user put them, then what they stand for."""
    kept: list[str] = []
    run: list[int] = []
    for at in range(len(words) + 1):
        if at < len(words) and at not in dropped:
            run.append(at)
            continue
        inner = [one for one in run if one in about]
        if inner:
            kept.append(text[words[inner[0]].start : words[inner[-1]].end])
        run = []
    return " ".join([*kept, *rewritten])
